"""conv_dw: gradient of conv with respect to its filters.

    dw[f,c,kh,kw] = sum over n,oh,ow of dy[n,f,oh,ow] * x[n, g*C/G + c, oh*s - p + kh*d, ow*s - p + kw*d]
    with g = f // (F/G)

Shapes: x (N,C,H,W), dy (N,F,OH,OW) -> (F,C/G,KH,KW), not batch; or with one or three spatial axes.
Gradient: the op is linear in both operands, so conv_dx and conv.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Attr, BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._conv import Conv, conv_flops, group_loop
from mochac.ir.ops._typing import (
    attrs_of,
    factors,
    multiply_add,
    require_factor,
    require_same_dtype,
    require_shape,
    result,
    sum_dtype,
)
from mochac.ir.ops._window import Sizes, loop_names, per_axis, require_images, require_spatial, windows
from mochac.ir.types import TensorType


def infer(
    x: TensorType,
    dy: TensorType,
    *,
    kernel: object,
    stride: object,
    pad: object,
    dilation: object = None,
    group: int = 1,
) -> tuple[TensorType, ...]:
    require_factor("the input", x)
    axes = require_images("the input", x)
    require_spatial("the gradient", dy, axes, "batch, filters")
    require_same_dtype(("the input", x), ("the gradient", dy))
    attrs = {"stride": stride, "pad": pad, "dilation": dilation, "group": group}
    conv = Conv.of(per_axis("kernel", kernel, axes, 1), attrs)
    size = conv.out(x.shape, dy.shape[1])
    require_shape("gradient", dy, (x.shape[0], dy.shape[1], *size), "the gradient does not match the output")
    return (result(sum_dtype(x), (dy.shape[1], x.shape[1] // group, *conv.kernel), False),)


def reference(x: np.ndarray, dy: np.ndarray, *, kernel: Sizes, **attrs: Any) -> np.ndarray:
    conv, column = Conv.of(kernel, attrs), x.ndim - 1
    x, dy = factors((x, column), (dy, column))
    views = windows(x, dy.shape[2:], conv.kernel, conv.stride, conv.pad, conv.dilation)
    summed = (0, *range(2, dy.ndim))
    parts = [
        np.tensordot(d, v, axes=(summed, summed))
        for d, v in zip(np.split(dy, conv.group, axis=1), np.split(views, conv.group, axis=1), strict=True)
    ]
    return np.ascontiguousarray(np.concatenate(parts, axis=0))


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    x, dy = bound.inputs
    attrs = attrs_of(bound, "kernel")
    return b.op("conv_dx", dy, ct, shape=x.type.shape, **attrs), b.op("conv", x, ct, **attrs)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    co, ci, *taps = index
    x, dy, dw = bound.inputs[0].type, bound.inputs[1].type, bound.outputs[0].type
    conv = Conv.of(dw.shape[2:], bound.attr)
    acc = k.local("acc", sum_dtype(x), k.const(0.0, sum_dtype(x)))
    with ExitStack() as stack:
        g = stack.enter_context(group_loop(k, bound.attr, co, dw.shape[0]))
        names = ("n", *loop_names("o", conv.stride))
        extents = (dy.shape[0], *dy.shape[2:])
        n, *outs = (stack.enter_context(k.sum(*loop)) for loop in zip(names, extents, strict=True))
        cells = conv.cells(outs, taps)
        stack.enter_context(k.where(*conv.guards(cells, x.shape[2:], dy.shape[2:])))
        cell, of_cell = k.read(bound, 0, (n, g * dw.shape[1] + ci, *cells)), k.read(bound, 1, (n, co, *outs))
        k.accum(acc, multiply_add(x), cell, of_cell)
    return (k.get(acc),)


def paired(bound: BoundNode) -> tuple[int, int] | None:
    """Along rows, if each column of the gradient meets the one column of the image below it: filters of one tap."""
    conv = Conv.of(bound.outputs[0].type.shape[2:], bound.attr)
    alone = {*conv.kernel, *conv.stride, conv.group} == {1} and not any(conv.pad)
    column = len(bound.inputs[0].type.shape) - 1
    return (column, column) if alone else None


def lowering(attrs: dict[str, Attr]) -> Pointwise:
    return Pointwise(lower, ("co", "ci", *loop_names("k", attrs["stride"])))


def _sample(x: str, dy: str, kernel: Sizes, stride: Sizes, pad: Sizes, **more: object) -> Sample:
    return Sample((x, dy), {"kernel": kernel, "stride": stride, "pad": pad, **more})


register(
    Op(
        name="conv_dw",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=lowering,
        kind="contraction",
        paired=paired,
        adds=True,
        tolerance=1e-4,
        flops=lambda bound: conv_flops(bound.inputs[1].type, bound.outputs[0].type),
        samples=(
            _sample("f32[b3,2,5,7]", "f32[b3,3,3,6]", (3, 2), (1, 1), (0, 0)),
            _sample("f32[b2,1,6,5]", "f32[b2,4,2,1]", (5, 5), (1, 1), (0, 0)),
            _sample("f32[b1,3,1,1]", "f32[b1,2,1,1]", (1, 1), (1, 1), (0, 0)),
            _sample("f32[b2,2,7,6]", "f32[b2,3,4,3]", (3, 3), (2, 3), (1, 2)),
            _sample("f32[b2,4,5,5]", "f32[b2,6,5,5]", (3, 3), (1, 1), (1, 1), group=2),
            _sample("f32[b17,3,6,4]", "f32[b17,3,2,4]", (2, 3), (3, 1), (0, 1), group=3),
            _sample("f32[b3,2,9,8]", "f32[b3,3,4,9]", (3, 2), (2, 1), (1, 2), dilation=(2, 3)),
            _sample("f32[b3,2,9]", "f32[b3,4,5]", (3,), (2,), (1,), group=2),
            _sample("f32[b2,2,3,5,4]", "f32[b2,3,2,3,4]", (2, 3, 3), (1, 2, 1), (0, 1, 1)),
        ),
    )
)
