"""conv: cross-correlation over images, with stride, zero padding and channel groups.

    y[n,f,oh,ow] = b[f] + sum over c,kh,kw of x[n, g*C/G + c, oh*s - p + kh, ow*s - p + kw] * w[f,c,kh,kw]
    with g = f // (F/G), the group of filter f

Shapes: x (N,C,H,W), w (F,C/G,KH,KW), b (F,) -> (N,F,OH,OW), sizes rounded down (Mocha.jl src/layers/convolution.jl).
Gradient: conv_dx, conv_dw, and reduce_sum for the bias.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.types import TensorType
from mochac.ops._conv import conv_attrs, conv_flops, conv_geometry, group_loop
from mochac.ops._typing import attrs_of, require_float, require_rank, require_same_dtype, require_shape, result
from mochac.ops._window import span, windows


def infer(
    x: TensorType, w: TensorType, b: TensorType | None = None, *, stride: object, pad: object, group: int = 1
) -> tuple[TensorType, ...]:
    require_float("the input", x)
    require_rank("the input", x, 4, "batch, channels, height, width")
    require_rank("the filter", w, 4, "filters, channels/group, height, width")
    require_same_dtype(("the input", x), ("the filter", w), *([("the bias", b)] if b else []))
    size = conv_geometry(x.shape, w.shape, stride, pad, group)
    if x.shape[1] != w.shape[1] * group:
        raise OpTypeError(
            "the filter does not match the channels of its input",
            f"{w.shape[1] * group} channels",
            f"{x.shape[1]} channels",
        )
    if b is not None:
        require_shape("bias", b, (w.shape[0],), "the bias needs one number per filter")
    return (result(x.dtype, (x.shape[0], w.shape[0], *size), x.batch, x),)


def reference(
    x: np.ndarray, w: np.ndarray, b: np.ndarray | None = None, *, stride: object, pad: object, group: int = 1
) -> np.ndarray:
    steps, pads, kernel = conv_attrs(stride, pad, w.shape)
    size = conv_geometry(x.shape, w.shape, stride, pad, group)
    views = windows(x, size, kernel, steps, pads)
    parts = [
        np.tensordot(v, f, axes=([1, 4, 5], [1, 2, 3])).transpose(0, 3, 1, 2)
        for v, f in zip(np.split(views, group, axis=1), np.split(w, group), strict=True)
    ]
    y = np.concatenate(parts, axis=1)
    return np.ascontiguousarray(y if b is None else y + b[:, None, None])


def vjp(b: GraphBuilder, bound: BoundNode, dy: Value) -> tuple[Value | None, ...]:
    x, w = bound.inputs[:2]
    attrs = attrs_of(bound)
    dx = b.op("conv_dx", dy, w, shape=x.type.shape, **attrs)
    dw = b.op("conv_dw", x, dy, kernel=w.type.shape[2:], **attrs)
    if len(bound.inputs) == 2:
        return dx, dw
    return dx, dw, b.op("reduce_sum", dy, axes=(0, 2, 3))


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    n, co, oh, ow = index
    x, w = bound.inputs[0].type, bound.inputs[1].type
    out = bound.outputs[0].type.shape[2:]
    (sh, sw), (ph, pw), (kernel_h, kernel_w) = conv_attrs(bound.attr["stride"], bound.attr["pad"], w.shape)
    start = k.read(bound, 2, (co,)) if len(bound.inputs) == 3 else k.const(0.0, x.dtype)
    acc = k.local("acc", x.dtype, start)
    with (
        group_loop(k, bound.attr, co, w.shape[0]) as g,
        k.sum("ci", w.shape[1]) as ci,
        k.sum("kh", kernel_h) as kh,
        k.sum("kw", kernel_w) as kw,
    ):
        ih, iw = oh * sh + kh - ph, ow * sw + kw - pw
        rows = span(ih, x.shape[2], out[0], kernel_h, sh, ph)
        cols = span(iw, x.shape[3], out[1], kernel_w, sw, pw)
        with k.where(*rows, *cols):
            k.accum(acc, "fma", k.read(bound, 0, (n, g * w.shape[1] + ci, ih, iw)), k.read(bound, 1, (co, ci, kh, kw)))
    return (k.get(acc),)


register(
    Op(
        name="conv",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower, ("n", "co", "oh", "ow")),
        kind="contraction",
        tolerance=5e-5,
        flops=lambda bound: conv_flops(bound.outputs[0].type, bound.inputs[1].type),
        samples=(
            Sample(("f32[b3,2,5,7]", "f32[3,2,3,2]", "f32[3]"), {"stride": (1, 1), "pad": (0, 0), "group": 1}),
            Sample(("f32[b2,1,6,5]", "f32[4,1,5,5]"), {"stride": (1, 1), "pad": (0, 0), "group": 1}),
            Sample(("f32[b1,3,1,1]", "f32[2,3,1,1]", "f32[2]"), {"stride": (1, 1), "pad": (0, 0), "group": 1}),
            Sample(("f32[b2,2,7,6]", "f32[3,2,3,3]", "f32[3]"), {"stride": (2, 3), "pad": (1, 2), "group": 1}),
            Sample(("f32[b2,4,5,5]", "f32[6,2,3,3]", "f32[6]"), {"stride": (1, 1), "pad": (1, 1), "group": 2}),
            Sample(("f32[b17,3,6,4]", "f32[3,1,2,3]"), {"stride": (3, 1), "pad": (0, 1), "group": 3}),
        ),
    )
)
