"""mask_batch: set rows n >= n_valid to 0, whatever they contain (even NaN).

Shapes: x (N, ...), n_valid () i64 -> like x. Test plans use it so that a partial last batch counts only real samples.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import require_float
from mochac.ir.types import TensorType


def infer(x: TensorType, n_valid: TensorType) -> tuple[TensorType, ...]:
    require_float("the input", x)
    if not x.shape:
        raise OpTypeError("the input must have a batch axis", "at least 1 axis", str(x))
    if n_valid.dtype != "i64" or n_valid.shape:
        raise OpTypeError("the number of valid samples must be an integer scalar", "i64[]", str(n_valid))
    return (x,)


def reference(x: np.ndarray, n_valid: np.ndarray) -> np.ndarray:
    y = x.copy()
    y[max(0, int(n_valid)) :] = 0
    return y


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return b.op("mask_batch", ct, bound.inputs[1]), None


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    valid = k.call("lt", k.call("to_i64", index[0]), k.read(bound, 1, ()))
    zero = k.const(0.0, bound.inputs[0].type.dtype)
    return (k.call("select", valid, k.read(bound, 0, index), zero),)


register(
    Op(
        name="mask_batch",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        tolerance=0.0,
        samples=(
            Sample(("f32[b5,3]", "i64[]"), integers={1: (0, 6)}),
            Sample(("f32[b17]", "i64[]"), integers={1: (0, 18)}),
        ),
    )
)
