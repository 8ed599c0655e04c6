"""inner_product_dw: gradient of inner_product with respect to its weight, dw[o,f] = sum over n of dy[n,o] * x[n,f].

Shapes: x (N,F), dy (N,O) -> (O,F), not batch. Gradient: the op is linear in both operands, so inner_product_dx and
inner_product.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._typing import (
    factors,
    multiply_add,
    require_factor,
    require_rank,
    require_same_dtype,
    require_shape,
    result,
    sum_dtype,
)
from mochac.ir.types import TensorType


def infer(x: TensorType, dy: TensorType) -> tuple[TensorType, ...]:
    require_factor("the input", x)
    require_rank("the input", x, 2, "batch, features")
    require_rank("the gradient", dy, 2, "batch, outputs")
    require_same_dtype(("the input", x), ("the gradient", dy))
    require_shape("gradient", dy, (x.shape[0], dy.shape[1]), "input and gradient must have one batch size")
    return (result(sum_dtype(x), (dy.shape[1], x.shape[1]), False),)


def reference(x: np.ndarray, dy: np.ndarray) -> np.ndarray:
    x, dy = factors((x, 0), (dy, 0))
    return dy.T @ x


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    x, dy = bound.inputs
    return b.op("inner_product_dx", dy, ct), b.op("inner_product", x, ct)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    o, f = index
    x = bound.inputs[0].type
    acc = k.local("acc", sum_dtype(x), k.const(0.0, sum_dtype(x)))
    with k.sum("n", x.shape[0]) as n:
        k.accum(acc, multiply_add(x), k.read(bound, 1, (n, o)), k.read(bound, 0, (n, f)))
    return (k.get(acc),)


register(
    Op(
        name="inner_product_dw",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower, ("o", "f")),
        kind="contraction",
        paired=lambda bound: (0, 0),
        adds=True,
        tolerance=1e-4,
        flops=lambda bound: 2 * bound.inputs[0].type.elems * bound.inputs[1].type.shape[1],
        natural=(0,),
        samples=(
            Sample(("f32[b3,7]", "f32[b3,5]")),
            Sample(("f32[b1,1]", "f32[b1,1]")),
            Sample(("f32[b17,33]", "f32[b17,3]")),
        ),
    )
)
