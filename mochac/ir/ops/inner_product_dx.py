"""inner_product_dx: gradient of inner_product with respect to its input, dx[n,f] = sum over o of dy[n,o] * w[o,f].

Shapes: dy (N,O), w (O,F) -> (N,F). Gradient: the op is linear in both operands, so inner_product and inner_product_dw.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
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


def infer(dy: TensorType, w: TensorType) -> tuple[TensorType, ...]:
    require_factor("the gradient", dy)
    require_rank("the gradient", dy, 2, "batch, outputs")
    require_rank("the weight", w, 2, "outputs, features")
    require_same_dtype(("the gradient", dy), ("the weight", w))
    require_shape("weight", w, (dy.shape[1], w.shape[1]), "the weight does not match the outputs of the gradient")
    return (result(sum_dtype(dy), (dy.shape[0], w.shape[1]), dy.batch, dy),)


def reference(dy: np.ndarray, w: np.ndarray) -> np.ndarray:
    dy, w = factors((dy, 1), (w, 0))
    return dy @ w


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    dy, w = bound.inputs
    return b.op("inner_product", ct, w), b.op("inner_product_dw", ct, dy)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    n, f = index
    dy = bound.inputs[0].type
    acc = k.local("acc", sum_dtype(dy), k.const(0.0, sum_dtype(dy)))
    with k.sum("o", dy.shape[1]) as o:
        k.accum(acc, multiply_add(dy), k.read(bound, 0, (n, o)), k.read(bound, 1, (o, f)))
    return (k.get(acc),)


def onnx(w: OnnxWriter, bound: BoundNode, *operands: str) -> str:
    return w.node("MatMul", *operands)


register(
    Op(
        name="inner_product_dx",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower, ("n", "f")),
        kind="contraction",
        paired=lambda bound: (1, 0),
        tolerance=5e-5,
        flops=lambda bound: 2 * bound.inputs[0].type.elems * bound.inputs[1].type.shape[1],
        samples=(
            Sample(("f32[b3,5]", "f32[5,7]")),
            Sample(("f32[b1,1]", "f32[1,1]")),
            Sample(("f32[b17,3]", "f32[3,33]")),
        ),
        onnx=onnx,
    )
)
