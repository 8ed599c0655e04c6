"""Comparisons (lt le gt ge eq ne isnan) with bool results, and logic on bool (and or not).

With a NaN, every comparison but `ne` is false, as in NumPy and C. None of them has a derivative.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mochac.ir.scalar import Emitter, Function, Reg, boolean, floating, function, same
from mochac.ir.types import FLOATS


def logical(dtypes: tuple[str, ...]) -> str:
    """Dtype rule: bool in, bool out."""
    if same(dtypes) != "bool":
        raise ValueError(f"operands are {dtypes[0]}, expected bool")
    return "bool"


def test_of_float(dtypes: tuple[str, ...]) -> str:
    """Dtype rule: one real number in, bool out."""
    floating(dtypes)
    return "bool"


def predicate(name: str) -> Callable[[Emitter, Reg, Reg], Reg]:
    def emit(e: Emitter, a: Reg, b: Reg) -> Reg:
        if a.dtype in FLOATS:
            return e.compare("fcmp", ("u" if name == "ne" else "o") + name, a, b)
        if name in ("eq", "ne"):
            return e.compare("icmp", name, a, b)
        return e.compare("icmp", ("u" if a.dtype[0] in "ub" else "s") + name, a, b)

    return emit


def row(name: str, symbol: str, numpy: np.ufunc, onnx: str, commutative: bool = False) -> None:
    function(
        Function(
            name=name,
            arity=2,
            result=boolean,
            numpy=numpy,
            llvm=predicate(name),
            cuda={"": f"({{0}} {symbol} {{1}})"},
            domain=((-2.0, 2.0), (-2.0, 2.0)),
            commutative=commutative,
            onnx=onnx,
        )
    )


row("lt", "<", np.less, "Less({0}, {1})")
row("le", "<=", np.less_equal, "LessOrEqual({0}, {1})")
row("gt", ">", np.greater, "Greater({0}, {1})")
row("ge", ">=", np.greater_equal, "GreaterOrEqual({0}, {1})")
row("eq", "==", np.equal, "Equal({0}, {1})", commutative=True)
row("ne", "!=", np.not_equal, "Not(Equal({0}, {1}))", commutative=True)

function(
    Function(
        name="isnan",
        arity=1,
        result=test_of_float,
        numpy=np.isnan,
        llvm=lambda e, a: e.compare("fcmp", "uno", a, a),
        cuda={"": "({0} != {0})"},
        onnx="IsNaN({0})",
    )
)
function(
    Function(
        name="and",
        arity=2,
        result=logical,
        numpy=np.logical_and,
        llvm=lambda e, a, b: e.binary("and", a, b),
        cuda={"": "({0} && {1})"},
        domain=((0, 1), (0, 1)),
        commutative=True,
        lazy=True,
        onnx="And({0}, {1})",
    )
)
function(
    Function(
        name="or",
        arity=2,
        result=logical,
        numpy=np.logical_or,
        llvm=lambda e, a, b: e.binary("or", a, b),
        cuda={"": "({0} || {1})"},
        domain=((0, 1), (0, 1)),
        commutative=True,
        lazy=True,
        onnx="Or({0}, {1})",
    )
)
function(
    Function(
        name="not",
        arity=1,
        result=logical,
        numpy=np.logical_not,
        llvm=lambda e, a: e.binary("xor", a, e.const(1, "bool", a.lanes)),
        cuda={"": "(!{0})"},
        domain=((0, 1),),
        onnx="Not({0})",
    )
)
