"""Convolution and its gradients with respect to input and weight.

conv: cross-correlation over images, with stride, zero padding, dilation and channel groups.

    y[n,f,oh,ow] = b[f] + sum over c,kh,kw of x[n, g*C/G + c, oh*s - p + kh*d, ow*s - p + kw*d] * w[f,c,kh,kw]
    with g = f // (F/G), the group of filter f

Shapes: x (N,C,H,W), w (F,C/G,KH,KW), b (F,) -> (N,F,OH,OW), or with one or three spatial axes; sizes rounded down
(Mocha.jl src/layers/convolution.jl). `stride`, `pad` and, if not 1, `dilation` have a number for each of these axes.
Gradient: conv_dx, conv_dw, and reduce_sum for the bias.

conv_dx: gradient of conv with respect to its input; a transposed convolution.

    dx[n,c,ih,iw] = sum over f,oh,ow,kh,kw of dy[n,f,oh,ow] * w[f,c,kh,kw]
    with oh*s - p + kh*d == ih, ow*s - p + kw*d == iw and f in the group of channel c

Shapes: dy (N,F,OH,OW), w (F,C/G,KH,KW) -> `shape` (N,C,H,W), or with one or three spatial axes. Gradient: the op is
linear in both operands, so conv and conv_dw.

conv_dw: gradient of conv with respect to its filters.

    dw[f,c,kh,kw] = sum over n,oh,ow of dy[n,f,oh,ow] * x[n, g*C/G + c, oh*s - p + kh*d, ow*s - p + kw*d]
    with g = f // (F/G)

Shapes: x (N,C,H,W), dy (N,F,OH,OW) -> (F,C/G,KH,KW), not batch; or with one or three spatial axes.
Gradient: the op is linear in both operands, so conv_dx and conv.
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
from mochac.ir.ops._typing import (
    attrs_of,
    dims,
    factors,
    multiply_add,
    require_bias,
    require_factor,
    require_same_dtype,
    require_shape,
    result,
    sum_dtype,
)
from mochac.ir.ops._window import (
    Conv,
    Sizes,
    conv_flops,
    group_loop,
    inside,
    loop_names,
    per_axis,
    require_images,
    require_spatial,
    scatter,
    windows,
)
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


def infer_dx(
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


def reference_dx(dy: np.ndarray, w: np.ndarray, *, shape: tuple[int, ...], **attrs: Any) -> np.ndarray:
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


def vjp_dx(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
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
            offset = at + pad - out * stride - tap * dilation
            yield out, tap, (offset, offset * -1)


def lower_dx(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
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


def lowering_dx(attrs: dict[str, Attr]) -> Pointwise:
    return Pointwise(lower_dx, ("n", "ci", *loop_names("i", attrs["stride"])))


def _sample_dx(dy: str, w: str, shape: Sizes, stride: Sizes, pad: Sizes, **more: object) -> Sample:
    return Sample((dy, w), {"shape": shape, "stride": stride, "pad": pad, **more})


def onnx_dx(w: OnnxWriter, bound: BoundNode, *operands: str) -> str:
    """ConvTranspose, whose output padding makes up for rows that no window of a strided convolution reaches."""
    conv = Conv.of(bound.inputs[1].type.shape[2:], bound.attr)
    (dy, _), dx = (v.type.shape for v in bound.inputs), bound.outputs[0].type.shape
    axes = zip(dy[2:], dx[2:], conv.kernel, conv.stride, conv.pad, conv.dilation, strict=True)
    more = [size - ((n - 1) * s - 2 * p + (k - 1) * d + 1) for n, size, k, s, p, d in axes]
    return w.node("ConvTranspose", *operands, **conv.onnx, output_padding=more)


register(
    Op(
        name="conv_dx",
        infer=infer_dx,
        reference=reference_dx,
        vjp=vjp_dx,
        lower=lowering_dx,
        kind="contraction",
        paired=lambda bound: (1, 0) if bound.attr.get("group", 1) == 1 else None,
        tolerance=5e-5,
        flops=lambda bound: conv_flops(bound.inputs[0].type, bound.inputs[1].type),
        samples=(
            _sample_dx("f32[b3,3,3,6]", "f32[3,2,3,2]", (3, 2, 5, 7), (1, 1), (0, 0)),
            _sample_dx("f32[b2,4,2,1]", "f32[4,1,5,5]", (2, 1, 6, 5), (1, 1), (0, 0)),
            _sample_dx("f32[b1,2,1,1]", "f32[2,3,1,1]", (1, 3, 1, 1), (1, 1), (0, 0)),
            _sample_dx("f32[b2,3,4,3]", "f32[3,2,3,3]", (2, 2, 7, 6), (2, 3), (1, 2)),
            _sample_dx("f32[b2,3,6,3]", "f32[3,2,3,3]", (2, 2, 6, 5), (1, 2), (1, 1)),
            _sample_dx("f32[b2,6,5,5]", "f32[6,2,3,3]", (2, 4, 5, 5), (1, 1), (1, 1), group=2),
            _sample_dx("f32[b17,3,2,4]", "f32[3,1,2,3]", (17, 3, 6, 4), (3, 1), (0, 1), group=3),
            _sample_dx("f32[b1,1,9,9]", "f32[1,1,2,2]", (1, 1, 4, 4), (1, 1), (3, 3)),
            _sample_dx("f32[b3,3,8,5]", "f32[3,2,3,2]", (3, 2, 8, 5), (1, 1), (2, 1), dilation=(2, 2)),
            _sample_dx("f32[b3,3,3,5]", "f32[3,2,3,2]", (3, 2, 8, 10), (2, 2), (1, 1), dilation=(2, 3)),
            _sample_dx("f32[b3,4,5]", "f32[4,1,3]", (3, 2, 9), (2,), (1,), group=2),
            _sample_dx("f32[b2,3,2,3,4]", "f32[3,2,2,3,3]", (2, 2, 3, 5, 4), (1, 2, 1), (0, 1, 1)),
        ),
        onnx=onnx_dx,
    )
)


def infer_dw(
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


def reference_dw(x: np.ndarray, dy: np.ndarray, *, kernel: Sizes, **attrs: Any) -> np.ndarray:
    conv, column = Conv.of(kernel, attrs), x.ndim - 1
    x, dy = factors((x, column), (dy, column))
    views = windows(x, dy.shape[2:], conv.kernel, conv.stride, conv.pad, conv.dilation)
    summed = (0, *range(2, dy.ndim))
    parts = [
        np.tensordot(d, v, axes=(summed, summed))
        for d, v in zip(np.split(dy, conv.group, axis=1), np.split(views, conv.group, axis=1), strict=True)
    ]
    return np.ascontiguousarray(np.concatenate(parts, axis=0))


def vjp_dw(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    x, dy = bound.inputs
    attrs = attrs_of(bound, "kernel")
    return b.op("conv_dx", dy, ct, shape=x.type.shape, **attrs), b.op("conv", x, ct, **attrs)


def lower_dw(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
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


def lowering_dw(attrs: dict[str, Attr]) -> Pointwise:
    return Pointwise(lower_dw, ("co", "ci", *loop_names("k", attrs["stride"])))


def _sample_dw(x: str, dy: str, kernel: Sizes, stride: Sizes, pad: Sizes, **more: object) -> Sample:
    return Sample((x, dy), {"kernel": kernel, "stride": stride, "pad": pad, **more})


register(
    Op(
        name="conv_dw",
        infer=infer_dw,
        reference=reference_dw,
        vjp=vjp_dw,
        lower=lowering_dw,
        kind="contraction",
        paired=paired,
        adds=True,
        tolerance=1e-4,
        flops=lambda bound: conv_flops(bound.inputs[1].type, bound.outputs[0].type),
        samples=(
            _sample_dw("f32[b3,2,5,7]", "f32[b3,3,3,6]", (3, 2), (1, 1), (0, 0)),
            _sample_dw("f32[b2,1,6,5]", "f32[b2,4,2,1]", (5, 5), (1, 1), (0, 0)),
            _sample_dw("f32[b1,3,1,1]", "f32[b1,2,1,1]", (1, 1), (1, 1), (0, 0)),
            _sample_dw("f32[b2,2,7,6]", "f32[b2,3,4,3]", (3, 3), (2, 3), (1, 2)),
            _sample_dw("f32[b2,4,5,5]", "f32[b2,6,5,5]", (3, 3), (1, 1), (1, 1), group=2),
            _sample_dw("f32[b17,3,6,4]", "f32[b17,3,2,4]", (2, 3), (3, 1), (0, 1), group=3),
            _sample_dw("f32[b3,2,9,8]", "f32[b3,3,4,9]", (3, 2), (2, 1), (1, 2), dilation=(2, 3)),
            _sample_dw("f32[b3,2,9]", "f32[b3,4,5]", (3,), (2,), (1,), group=2),
            _sample_dw("f32[b2,2,3,5,4]", "f32[b2,3,2,3,4]", (2, 3, 3), (1, 2, 1), (0, 1, 1)),
        ),
    )
)
