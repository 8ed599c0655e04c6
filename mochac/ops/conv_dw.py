"""conv_dw: gradient of conv with respect to its filters.

    dw[f,c,kh,kw] = sum over n,oh,ow of dy[n,f,oh,ow] * x[n, g*C/G + c, oh*s - p + kh, ow*s - p + kw],  g = f // (F/G)

Shapes: x (N,C,H,W), dy (N,F,OH,OW) -> (F,C/G,KH,KW), not batch.
Gradient: the op is linear in both operands, so conv_dx and conv.
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
from mochac.ops._typing import attrs_of, pair, require_float, require_rank, require_same_dtype, require_shape, result
from mochac.ops._window import Pair, span, windows


def infer(
    x: TensorType, dy: TensorType, *, kernel: object, stride: object, pad: object, group: int = 1
) -> tuple[TensorType, ...]:
    require_float("the input", x)
    require_rank("the input", x, 4, "batch, channels, height, width")
    require_rank("the gradient", dy, 4, "batch, filters, height, width")
    require_same_dtype(("the input", x), ("the gradient", dy))
    if group < 1 or x.shape[1] % group:
        raise OpTypeError("channels must divide into groups", f"a multiple of {group} channels", str(x.shape[1]))
    shape = (dy.shape[1], x.shape[1] // group, *pair("kernel", kernel, 1))
    size = conv_geometry(x.shape, shape, stride, pad, group)
    require_shape("gradient", dy, (x.shape[0], shape[0], *size), "the gradient does not match the output")
    return (result(x.dtype, shape, False),)


def reference(
    x: np.ndarray, dy: np.ndarray, *, kernel: Pair, stride: object, pad: object, group: int = 1
) -> np.ndarray:
    steps, pads, _ = conv_attrs(stride, pad, (1, 1, *kernel))
    views = windows(x, (dy.shape[2], dy.shape[3]), (kernel[0], kernel[1]), steps, pads)
    parts = [
        np.tensordot(d, v, axes=([0, 2, 3], [0, 2, 3]))
        for d, v in zip(np.split(dy, group, axis=1), np.split(views, group, axis=1), strict=True)
    ]
    return np.ascontiguousarray(np.concatenate(parts, axis=0))


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    x, dy = bound.inputs
    attrs = attrs_of(bound, "kernel")
    return b.op("conv_dx", dy, ct, shape=x.type.shape, **attrs), b.op("conv", x, ct, **attrs)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    co, ci, kh, kw = index
    x, dy, dw = bound.inputs[0].type, bound.inputs[1].type, bound.outputs[0].type
    (sh, sw), (ph, pw), (kernel_h, kernel_w) = conv_attrs(bound.attr["stride"], bound.attr["pad"], dw.shape)
    acc = k.local("acc", x.dtype, k.const(0.0, x.dtype))
    with (
        group_loop(k, bound.attr, co, dw.shape[0]) as g,
        k.sum("n", dy.shape[0]) as n,
        k.sum("oh", dy.shape[2]) as oh,
        k.sum("ow", dy.shape[3]) as ow,
    ):
        ih, iw = oh * sh + kh - ph, ow * sw + kw - pw
        rows = span(ih, x.shape[2], dy.shape[2], kernel_h, sh, ph)
        cols = span(iw, x.shape[3], dy.shape[3], kernel_w, sw, pw)
        with k.where(*rows, *cols):
            k.accum(acc, "fma", k.read(bound, 0, (n, g * dw.shape[1] + ci, ih, iw)), k.read(bound, 1, (n, co, oh, ow)))
    return (k.get(acc),)


def _sample(x: str, dy: str, kernel: Pair, stride: Pair, pad: Pair, group: int = 1) -> Sample:
    return Sample((x, dy), {"kernel": kernel, "stride": stride, "pad": pad, "group": group})


register(
    Op(
        name="conv_dw",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower, ("co", "ci", "kh", "kw")),
        kind="contraction",
        tolerance=1e-4,
        flops=lambda bound: conv_flops(bound.inputs[1].type, bound.outputs[0].type),
        samples=(
            _sample("f32[b3,2,5,7]", "f32[b3,3,3,6]", (3, 2), (1, 1), (0, 0)),
            _sample("f32[b2,1,6,5]", "f32[b2,4,2,1]", (5, 5), (1, 1), (0, 0)),
            _sample("f32[b1,3,1,1]", "f32[b1,2,1,1]", (1, 1), (1, 1), (0, 0)),
            _sample("f32[b2,2,7,6]", "f32[b2,3,4,3]", (3, 3), (2, 3), (1, 2)),
            _sample("f32[b2,4,5,5]", "f32[b2,6,5,5]", (3, 3), (1, 1), (1, 1), 2),
            _sample("f32[b17,3,6,4]", "f32[b17,3,2,4]", (2, 3), (3, 1), (0, 1), 3),
        ),
    )
)
