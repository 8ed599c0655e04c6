"""Products of a batch and a matrix, and their gradients with respect to both.

inner_product: y[n,o] = b[o] + sum over f of x[n,f] * w[o,f].

Shapes: x (N,F), w (O,F), b (O,) -> (N,O). Mocha.jl src/layers/inner-product.jl on flattened inputs.
Gradient: inner_product_dx, inner_product_dw, and reduce_sum for the bias.

inner_product_dx: gradient of inner_product with respect to its input, dx[n,f] = sum over o of dy[n,o] * w[o,f].

Shapes: dy (N,O), w (O,F) -> (N,F). Gradient: the op is linear in both operands, so inner_product and inner_product_dw.

inner_product_dw: gradient of inner_product with respect to its weight, dw[o,f] = sum over n of dy[n,o] * x[n,f].

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
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._typing import (
    factors,
    multiply_add,
    require_bias,
    require_factor,
    require_rank,
    require_same_dtype,
    require_shape,
    result,
    sum_dtype,
)
from mochac.ir.types import TensorType


def infer(x: TensorType, w: TensorType, b: TensorType | None = None) -> tuple[TensorType, ...]:
    require_factor("the input", x)
    require_rank("the input", x, 2, "batch, features")
    require_rank("the weight", w, 2, "outputs, features")
    require_same_dtype(("the input", x), ("the weight", w))
    require_shape("weight", w, (w.shape[0], x.shape[1]), "the weight does not match the features of its input")
    if b is not None:
        require_bias(b, x)
        require_shape("bias", b, (w.shape[0],), "the bias needs one number per output")
    return (result(sum_dtype(x), (x.shape[0], w.shape[0]), x.batch, x),)


def reference(x: np.ndarray, w: np.ndarray, b: np.ndarray | None = None) -> np.ndarray:
    x, w = factors((x, 1), (w, 1))
    y = x @ w.T
    return y if b is None else y + b


def vjp(b: GraphBuilder, bound: BoundNode, dy: Value) -> tuple[Value | None, ...]:
    x, w = bound.inputs[:2]
    grads = b.op("inner_product_dx", dy, w), b.op("inner_product_dw", x, dy)
    return grads if len(bound.inputs) == 2 else (*grads, b.op("reduce_sum", dy, axes=(0,)))


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    n, o = index
    x = bound.inputs[0].type
    acc = k.local("acc", sum_dtype(x), k.read(bound, 2, (o,)) if len(bound.inputs) == 3 else k.const(0.0, sum_dtype(x)))
    with k.sum("f", x.shape[1]) as f:
        k.accum(acc, multiply_add(x), k.read(bound, 0, (n, f)), k.read(bound, 1, (o, f)))
    return (k.get(acc),)


def onnx(w: OnnxWriter, bound: BoundNode, *operands: str) -> str:
    return w.node("Gemm", *operands, transB=1)


register(
    Op(
        name="inner_product",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower, ("n", "o")),
        kind="contraction",
        paired=lambda bound: (1, 1),
        tolerance=5e-5,
        flops=lambda bound: 2 * bound.inputs[0].type.elems * bound.inputs[1].type.shape[0],
        samples=(
            Sample(("f32[b3,7]", "f32[5,7]", "f32[5]")),
            Sample(("f32[b1,1]", "f32[1,1]")),
            Sample(("f32[b17,33]", "f32[3,33]", "f32[3]")),
            Sample(("f32[4,2]", "f32[6,2]")),
        ),
        onnx=onnx,
    )
)


def infer_dx(dy: TensorType, w: TensorType) -> tuple[TensorType, ...]:
    require_factor("the gradient", dy)
    require_rank("the gradient", dy, 2, "batch, outputs")
    require_rank("the weight", w, 2, "outputs, features")
    require_same_dtype(("the gradient", dy), ("the weight", w))
    require_shape("weight", w, (dy.shape[1], w.shape[1]), "the weight does not match the outputs of the gradient")
    return (result(sum_dtype(dy), (dy.shape[0], w.shape[1]), dy.batch, dy),)


def reference_dx(dy: np.ndarray, w: np.ndarray) -> np.ndarray:
    dy, w = factors((dy, 1), (w, 0))
    return dy @ w


def vjp_dx(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    dy, w = bound.inputs
    return b.op("inner_product", ct, w), b.op("inner_product_dw", ct, dy)


def lower_dx(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    n, f = index
    dy = bound.inputs[0].type
    acc = k.local("acc", sum_dtype(dy), k.const(0.0, sum_dtype(dy)))
    with k.sum("o", dy.shape[1]) as o:
        k.accum(acc, multiply_add(dy), k.read(bound, 0, (n, o)), k.read(bound, 1, (o, f)))
    return (k.get(acc),)


def onnx_dx(w: OnnxWriter, bound: BoundNode, *operands: str) -> str:
    return w.node("MatMul", *operands)


register(
    Op(
        name="inner_product_dx",
        infer=infer_dx,
        reference=reference_dx,
        vjp=vjp_dx,
        lower=Pointwise(lower_dx, ("n", "f")),
        kind="contraction",
        paired=lambda bound: (1, 0),
        tolerance=5e-5,
        flops=lambda bound: 2 * bound.inputs[0].type.elems * bound.inputs[1].type.shape[1],
        samples=(
            Sample(("f32[b3,5]", "f32[5,7]")),
            Sample(("f32[b1,1]", "f32[1,1]")),
            Sample(("f32[b17,3]", "f32[3,33]")),
        ),
        onnx=onnx_dx,
    )
)


def infer_dw(x: TensorType, dy: TensorType) -> tuple[TensorType, ...]:
    require_factor("the input", x)
    require_rank("the input", x, 2, "batch, features")
    require_rank("the gradient", dy, 2, "batch, outputs")
    require_same_dtype(("the input", x), ("the gradient", dy))
    require_shape("gradient", dy, (x.shape[0], dy.shape[1]), "input and gradient must have one batch size")
    return (result(sum_dtype(x), (dy.shape[1], x.shape[1]), False),)


def reference_dw(x: np.ndarray, dy: np.ndarray) -> np.ndarray:
    x, dy = factors((x, 0), (dy, 0))
    return dy.T @ x


def vjp_dw(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    x, dy = bound.inputs
    return b.op("inner_product_dx", dy, ct), b.op("inner_product", x, ct)


def lower_dw(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    o, f = index
    x = bound.inputs[0].type
    acc = k.local("acc", sum_dtype(x), k.const(0.0, sum_dtype(x)))
    with k.sum("n", x.shape[0]) as n:
        k.accum(acc, multiply_add(x), k.read(bound, 1, (n, o)), k.read(bound, 0, (n, f)))
    return (k.get(acc),)


register(
    Op(
        name="inner_product_dw",
        infer=infer_dw,
        reference=reference_dw,
        vjp=vjp_dw,
        lower=Pointwise(lower_dw, ("o", "f")),
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
