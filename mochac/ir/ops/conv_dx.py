"""conv_dx: gradient of conv with respect to its input; a transposed convolution.

    dx[n,c,ih,iw] = sum over f,oh,ow,kh,kw of dy[n,f,oh,ow] * w[f,c,kh,kw]
    with oh*s - p + kh*d == ih, ow*s - p + kw*d == iw and f in the group of channel c

Shapes: dy (N,F,OH,OW), w (F,C/G,KH,KW) -> `shape` (N,C,H,W), or with one or three spatial axes. Gradient: the op is
linear in both operands, so conv and conv_dw.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
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
    dims,
    factors,
    multiply_add,
    require_factor,
    require_same_dtype,
    require_shape,
    result,
    sum_dtype,
)
from mochac.ir.ops._window import Sizes, inside, loop_names, require_images, require_spatial, scatter
from mochac.ir.types import TensorType


def infer(
    dy: TensorType,
    w: TensorType,
    *,
    shape: tuple[int, ...],
    stride: object,
    pad: object,
    dilation: object = None,
    group: int = 1,
) -> tuple[TensorType, ...]:
    require_factor("the gradient", dy)
    axes = require_images("the gradient", dy, "batch, filters")
    require_spatial("the filter", w, axes, "filters, channels/group")
    require_same_dtype(("the gradient", dy), ("the filter", w))
    conv = Conv.of(w.shape[2:], {"stride": stride, "pad": pad, "dilation": dilation, "group": group})
    if len(shape) != 2 + axes or shape[1] != w.shape[1] * group:
        sizes = ", ".join("DHW"[-axes:])
        raise OpTypeError("shape does not match the filter", f"(N, {w.shape[1] * group}, {sizes})", dims(shape))
    size = conv.out(shape, w.shape[0])
    require_shape("gradient", dy, (shape[0], w.shape[0], *size), "the gradient does not match the output")
    return (result(sum_dtype(dy), tuple(shape), dy.batch, dy),)


def reference(dy: np.ndarray, w: np.ndarray, *, shape: tuple[int, ...], **attrs: Any) -> np.ndarray:
    conv = Conv.of(w.shape[2:], attrs)
    axes = len(conv.kernel)
    dy, w = factors((dy, 1), (w, 0))
    parts = [
        scatter(
            np.moveaxis(np.tensordot(d, f, axes=([1], [0])), 1 + axes, 1),
            tuple(shape[2:]),
            conv.stride,
            conv.pad,
            conv.dilation,
        )
        for d, f in zip(np.split(dy, conv.group, axis=1), np.split(w, conv.group), strict=True)
    ]
    return np.ascontiguousarray(np.concatenate(parts, axis=1))


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    dy, w = bound.inputs
    attrs = attrs_of(bound, "shape")
    return b.op("conv", ct, w, **attrs), b.op("conv_dw", ct, dy, kernel=w.type.shape[2:], **attrs)


@contextmanager
def _cells(
    k: KernelBuilder, conv: Conv, axis: int, at: Index, dy: Sizes, dx: Sizes
) -> Iterator[tuple[Index, Index, tuple[Index, ...]]]:
    """Open the loops over the windows that read position `at` of one axis; yields (output, tap, conditions).

    For stride 1 the loop is over the taps (o = i + p - d*k), since it is shortest. For other strides it is over the
    outputs (k = i + p - s*o), because i + p - k need not be divisible by s; with dilation too, k need not be divisible
    by d either, so both loops remain.
    """
    stride, pad, dilation, taps = conv.stride[axis], conv.pad[axis], conv.dilation[axis], conv.kernel[axis]
    out_name, tap_name = (loop_names(prefix, dy)[axis] for prefix in "ok")
    if stride == 1:
        low, high = conv.spans[axis] - 1 > pad, dx[axis] + pad > dy[axis]
        with k.sum(tap_name, taps) as tap:
            out = at + pad - tap * dilation
            yield out, tap, inside(out, dy[axis], low, high)
    elif dilation == 1:
        with k.sum(out_name, dy[axis]) as out:
            tap = at + pad - out * stride
            yield out, tap, inside(tap, taps, True, True)
    else:
        with k.sum(out_name, dy[axis]) as out, k.sum(tap_name, taps) as tap:
            apart = at + pad - out * stride - tap * dilation
            yield out, tap, (apart, apart * -1)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    n, ci, *place = index
    dy, w, dx = bound.inputs[0].type, bound.inputs[1].type, bound.outputs[0].type
    conv = Conv.of(w.shape[2:], bound.attr)
    filters = w.shape[0] * w.shape[1] // dx.shape[1]
    acc = k.local("acc", sum_dtype(dy), k.const(0.0, sum_dtype(dy)))
    with ExitStack() as stack:
        g = stack.enter_context(group_loop(k, bound.attr, ci, dx.shape[1]))
        within = stack.enter_context(k.sum("co", filters))
        axes = [
            stack.enter_context(_cells(k, conv, axis, at, dy.shape[2:], dx.shape[2:])) for axis, at in enumerate(place)
        ]
        outs, taps, guards = zip(*axes, strict=True)
        stack.enter_context(k.where(*(guard for of_axis in guards for guard in of_axis)))
        co, channel = g * filters + within, ci - g * w.shape[1]
        k.accum(acc, multiply_add(dy), k.read(bound, 0, (n, co, *outs)), k.read(bound, 1, (co, channel, *taps)))
    return (k.get(acc),)


def lowering(attrs: dict[str, Attr]) -> Pointwise:
    return Pointwise(lower, ("n", "ci", *loop_names("i", attrs["stride"])))


def _sample(dy: str, w: str, shape: Sizes, stride: Sizes, pad: Sizes, **more: object) -> Sample:
    return Sample((dy, w), {"shape": shape, "stride": stride, "pad": pad, **more})


def onnx(w: OnnxWriter, bound: BoundNode, *operands: str) -> str:
    """ConvTranspose, whose output padding makes up for rows that no window of a strided convolution reaches."""
    conv = Conv.of(bound.inputs[1].type.shape[2:], bound.attr)
    (dy, _), dx = (v.type.shape for v in bound.inputs), bound.outputs[0].type.shape
    axes = zip(dy[2:], dx[2:], conv.kernel, conv.stride, conv.pad, conv.dilation, strict=True)
    more = [size - ((n - 1) * s - 2 * p + (k - 1) * d + 1) for n, size, k, s, p, d in axes]
    return w.node("ConvTranspose", *operands, **conv.onnx, output_padding=more)


register(
    Op(
        name="conv_dx",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=lowering,
        kind="contraction",
        paired=lambda bound: (1, 0) if bound.attr.get("group", 1) == 1 else None,
        tolerance=5e-5,
        flops=lambda bound: conv_flops(bound.inputs[0].type, bound.inputs[1].type),
        samples=(
            _sample("f32[b3,3,3,6]", "f32[3,2,3,2]", (3, 2, 5, 7), (1, 1), (0, 0)),
            _sample("f32[b2,4,2,1]", "f32[4,1,5,5]", (2, 1, 6, 5), (1, 1), (0, 0)),
            _sample("f32[b1,2,1,1]", "f32[2,3,1,1]", (1, 3, 1, 1), (1, 1), (0, 0)),
            _sample("f32[b2,3,4,3]", "f32[3,2,3,3]", (2, 2, 7, 6), (2, 3), (1, 2)),
            _sample("f32[b2,3,6,3]", "f32[3,2,3,3]", (2, 2, 6, 5), (1, 2), (1, 1)),
            _sample("f32[b2,6,5,5]", "f32[6,2,3,3]", (2, 4, 5, 5), (1, 1), (1, 1), group=2),
            _sample("f32[b17,3,2,4]", "f32[3,1,2,3]", (17, 3, 6, 4), (3, 1), (0, 1), group=3),
            _sample("f32[b1,1,9,9]", "f32[1,1,2,2]", (1, 1, 4, 4), (1, 1), (3, 3)),
            _sample("f32[b3,3,8,5]", "f32[3,2,3,2]", (3, 2, 8, 5), (1, 1), (2, 1), dilation=(2, 2)),
            _sample("f32[b3,3,3,5]", "f32[3,2,3,2]", (3, 2, 8, 10), (2, 2), (1, 1), dilation=(2, 3)),
            _sample("f32[b3,4,5]", "f32[4,1,3]", (3, 2, 9), (2,), (1,), group=2),
            _sample("f32[b2,3,2,3,4]", "f32[3,2,2,3,3]", (2, 2, 3, 5, 4), (1, 2, 1), (0, 1, 1)),
        ),
        onnx=onnx,
    )
)
