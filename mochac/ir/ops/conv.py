"""conv: cross-correlation over images, with stride, zero padding, dilation and channel groups.

    y[n,f,oh,ow] = b[f] + sum over c,kh,kw of x[n, g*C/G + c, oh*s - p + kh*d, ow*s - p + kw*d] * w[f,c,kh,kw]
    with g = f // (F/G), the group of filter f

Shapes: x (N,C,H,W), w (F,C/G,KH,KW), b (F,) -> (N,F,OH,OW), or with one or three spatial axes; sizes rounded down
(Mocha.jl src/layers/convolution.jl). `stride`, `pad` and, if not 1, `dilation` have a number for each of these axes.
Gradient: conv_dx, conv_dw, and reduce_sum for the bias.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Attr, BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._conv import Conv, conv_flops, group_loop
from mochac.ir.ops._typing import (
    attrs_of,
    factors,
    multiply_add,
    require_bias,
    require_factor,
    require_same_dtype,
    require_shape,
    result,
    sum_dtype,
)
from mochac.ir.ops._window import loop_names, require_images, require_spatial, windows
from mochac.ir.types import TensorType


def infer(
    x: TensorType,
    w: TensorType,
    b: TensorType | None = None,
    *,
    stride: object,
    pad: object,
    dilation: object = None,
    group: int = 1,
) -> tuple[TensorType, ...]:
    require_factor("the input", x)
    axes = require_images("the input", x)
    require_spatial("the filter", w, axes, "filters, channels/group")
    require_same_dtype(("the input", x), ("the filter", w))
    conv = Conv.of(w.shape[2:], {"stride": stride, "pad": pad, "dilation": dilation, "group": group})
    size = conv.out(x.shape, w.shape[0])
    if x.shape[1] != w.shape[1] * group:
        raise OpTypeError(
            "the filter does not match the channels of its input",
            f"{w.shape[1] * group} channels",
            f"{x.shape[1]} channels",
        )
    if b is not None:
        require_bias(b, x)
        require_shape("bias", b, (w.shape[0],), "the bias needs one number per filter")
    return (result(sum_dtype(x), (x.shape[0], w.shape[0], *size), x.batch, x),)


def reference(x: np.ndarray, w: np.ndarray, b: np.ndarray | None = None, **attrs: Any) -> np.ndarray:
    conv = Conv.of(w.shape[2:], attrs)
    x, w = factors((x, 1), (w, 1))
    views = windows(x, conv.out(x.shape, w.shape[0]), conv.kernel, conv.stride, conv.pad, conv.dilation)
    spatial = views.ndim - len(conv.kernel)
    taps = (1, *range(spatial, views.ndim))
    parts = [
        np.moveaxis(np.tensordot(v, f, axes=(taps, range(1, f.ndim))), -1, 1)
        for v, f in zip(np.split(views, conv.group, axis=1), np.split(w, conv.group), strict=True)
    ]
    y = np.concatenate(parts, axis=1)
    return np.ascontiguousarray(y if b is None else y + b.reshape(-1, *(1 for _ in conv.kernel)))


def vjp(b: GraphBuilder, bound: BoundNode, dy: Value) -> tuple[Value | None, ...]:
    x, w = bound.inputs[:2]
    attrs = attrs_of(bound)
    dx = b.op("conv_dx", dy, w, shape=x.type.shape, **attrs)
    dw = b.op("conv_dw", x, dy, kernel=w.type.shape[2:], **attrs)
    if len(bound.inputs) == 2:
        return dx, dw
    return dx, dw, b.op("reduce_sum", dy, axes=(0, *range(2, len(dy.type.shape))))


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    n, co, *place = index
    x, w, y = bound.inputs[0].type, bound.inputs[1].type, bound.outputs[0].type
    conv = Conv.of(w.shape[2:], bound.attr)
    start = k.read(bound, 2, (co,)) if len(bound.inputs) == 3 else k.const(0.0, sum_dtype(x))
    acc = k.local("acc", sum_dtype(x), start)
    with group_loop(k, bound.attr, co, w.shape[0]) as g, k.sum("ci", w.shape[1]) as ci, conv.taps(k) as taps:
        cells = conv.cells(place, taps)
        with k.where(*conv.guards(cells, x.shape[2:], y.shape[2:])):
            cell, tap = k.read(bound, 0, (n, g * w.shape[1] + ci, *cells)), k.read(bound, 1, (co, ci, *taps))
            k.accum(acc, multiply_add(x), cell, tap)
    return (k.get(acc),)


def lowering(attrs: dict[str, Attr]) -> Pointwise:
    return Pointwise(lower, ("n", "co", *loop_names("o", attrs["stride"])))


def onnx(w: OnnxWriter, bound: BoundNode, *operands: str) -> str:
    conv = Conv.of(bound.inputs[1].type.shape[2:], bound.attr)
    return w.node("Conv", *operands, **conv.onnx)


register(
    Op(
        name="conv",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=lowering,
        kind="contraction",
        paired=lambda bound: (1, 1) if bound.attr.get("group", 1) == 1 else None,
        tolerance=5e-5,
        flops=lambda bound: conv_flops(bound.outputs[0].type, bound.inputs[1].type),
        samples=(
            Sample(("f32[b3,2,5,7]", "f32[3,2,3,2]", "f32[3]"), {"stride": (1, 1), "pad": (0, 0), "group": 1}),
            Sample(("f32[b2,1,6,5]", "f32[4,1,5,5]"), {"stride": (1, 1), "pad": (0, 0), "group": 1}),
            Sample(("f32[b1,3,1,1]", "f32[2,3,1,1]", "f32[2]"), {"stride": (1, 1), "pad": (0, 0), "group": 1}),
            Sample(("f32[b2,2,7,6]", "f32[3,2,3,3]", "f32[3]"), {"stride": (2, 3), "pad": (1, 2), "group": 1}),
            Sample(("f32[b2,4,5,5]", "f32[6,2,3,3]", "f32[6]"), {"stride": (1, 1), "pad": (1, 1), "group": 2}),
            Sample(("f32[b17,3,6,4]", "f32[3,1,2,3]"), {"stride": (3, 1), "pad": (0, 1), "group": 3}),
            Sample(("f32[b3,2,9,8]", "f32[3,2,3,2]", "f32[3]"), {"stride": (2, 1), "pad": (1, 2), "dilation": (2, 3)}),
            Sample(("f32[b3,2,9]", "f32[4,1,3]", "f32[4]"), {"stride": (2,), "pad": (1,), "group": 2}),
            Sample(("f32[b2,2,3,5,4]", "f32[3,2,2,3,3]"), {"stride": (1, 2, 1), "pad": (0, 1, 1)}),
        ),
        onnx=onnx,
    )
)
