"""select(mask, a, b): a where the mask holds, else b. Both are evaluated; a NaN in the other one has no effect."""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.ir.scalar import Function, function, same


def choice(dtypes: tuple[str, ...]) -> str:
    """Dtype rule: bool, then two operands of one dtype."""
    if dtypes[0] != "bool":
        raise ValueError(f"the first operand is {dtypes[0]}, expected bool")
    return same(dtypes[1:])


def derivative(b: GraphBuilder, dy: Value, args: tuple[Value, ...], y: Value) -> tuple[Value | None, ...]:
    zero = b.const(0.0, dy.type)
    return None, b.op("select", args[0], dy, zero), b.op("select", args[0], zero, dy)


function(
    Function(
        name="select",
        arity=3,
        result=choice,
        numpy=np.where,
        llvm=lambda e, mask, a, b: e.select(mask, a, b),
        cuda={"": "({0} ? {1} : {2})"},
        derivative=derivative,
        domain=((0, 1), (-2.0, 2.0), (-2.0, 2.0)),
        picks=True,
        lazy=True,
        onnx="Where({0}, {1}, {2})",
    )
)
