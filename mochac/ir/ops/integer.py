"""Convolution and pooling of quantized numbers.

integer_conv: sums of products of 8-bit integers over windows, or over whole rows; channels are the last axis.

    y[n, o.., f] = b[f] + sum over k.., c of (x[n, o * s - p + k * d.., g*C/G + c] - zero) * w[k.., c, f]
    with g = f // (F/G), the group of filter f; taps outside of the image add nothing

Shapes: x (N, image.., C) i8 or u8, w (taps.., C/G, F) i8, b (F,) i32 -> (N, out.., F) i32, with none to three spatial
axes; without any it is an inner product. Sums wrap modulo 2^32, so that their order does not change them. Attributes:
stride, pad, dilation (if not 1) with a number per spatial axis, group, zero (the integer of x that stands for 0.0).

Four channels may lie in words (see words): x (N, image.., C/4) u32, w (taps.., C/4/G, F) u32, then with the
attribute signed, whether the bytes of x are, and zero 0. quantization/ makes it of conv and inner_product; it has
no gradient.

integer_pool: the maximum, or the sum, of the 8-bit integers of every window; channels are the last axis.

    how "max":  y[n, o.., c] = max over k.. of x[n, o*s - p + k.., c]                    of the dtype of x
    how "sum":  y[n, o.., c] = sum over k.. of (x[n, o*s - p + k.., c] - zero)           i32

Cells outside of the image are left out. Shapes: x (N, image.., C) -> (N, out.., C), with one to three spatial axes;
sizes as in max_pool. quantization/ makes it of max_pool and of means; it has no gradient.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import numpy as np

from mochac.ir.functions.fixed_point import BYTES
from mochac.ir.graph import Attr, BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand, identity
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._pool import Pool, window_cells
from mochac.ir.ops._typing import require_shape, result
from mochac.ir.ops._window import SPATIAL, Conv, group_loop, loop_names, windows
from mochac.ir.ops.quantize import (
    bytes_of,
    distance,
    require_bytes,
    require_type,
    require_zero,
    scale_and_zero,
    words_of,
)
from mochac.ir.types import DTYPES, TensorType

MAX_AXES = max(SPATIAL)


def geometry_conv(w: tuple[int, ...], attrs: Mapping[str, object]) -> Conv:
    """The convolution with a weight of this shape."""
    whole = {"stride": (), "pad": (), **attrs}
    return Conv.of(w[:-2], whole)


def infer_conv(
    x: TensorType,
    w: TensorType,
    b: TensorType | None = None,
    *,
    stride: object = (),
    pad: object = (),
    dilation: object = None,
    group: int = 1,
    zero: int = 0,
    signed: bool | None = None,
) -> tuple[TensorType, ...]:
    if signed is None:
        require_bytes("the input", x.dtype)
        require_type("the weight", w, "i8")
        require_zero(zero, x.dtype)
    else:
        require_type("the input", x, "u32")
        require_type("the weight", w, "u32")
        if zero:
            raise OpTypeError("words have zero 0", "zero=0", f"zero={zero}")
    axes = len(x.shape) - 2
    if not 0 <= axes <= MAX_AXES or len(w.shape) != len(x.shape):
        raise OpTypeError("the input and the weight must have equally many axes", f"2 to {MAX_AXES + 2}", f"{x}, {w}")
    conv = geometry_conv(w.shape, {"stride": stride, "pad": pad, "dilation": dilation, "group": group})
    channels, filters = x.shape[-1], w.shape[-1]
    size = conv.out((x.shape[0], channels, *x.shape[1:-1]), filters)
    if channels != w.shape[-2] * group:
        rule = "the weight does not match the channels of its input"
        raise OpTypeError(rule, f"{w.shape[-2] * group} channels", f"{channels} channels")
    if b is not None:
        require_type("the bias", b, "i32")
        require_shape("bias", b, (filters,), "the bias needs one number per filter")
    return (result("i32", (x.shape[0], *size, filters), x.batch, x),)


def reference_conv(
    x: np.ndarray,
    w: np.ndarray,
    b: np.ndarray | None = None,
    *,
    zero: int = 0,
    signed: bool | None = None,
    **attrs: object,
) -> np.ndarray:
    if signed is not None:
        x, w = bytes_of(x, signed), _unpacked(w)
    conv = geometry_conv(w.shape, attrs)
    image = np.moveaxis(x.astype(np.int32) - np.int32(zero), -1, 1)
    views = image
    if conv.kernel:
        size = conv.out(image.shape, w.shape[-1])
        views = windows(image, size, conv.kernel, conv.stride, conv.pad, conv.dilation)
    spatial = views.ndim - len(conv.kernel)
    taps = (*range(spatial, views.ndim), 1)
    parts = [
        np.tensordot(v, f, axes=(taps, range(f.ndim - 1)))
        for v, f in zip(
            np.split(views, conv.group, axis=1), np.split(w.astype(np.int32), conv.group, axis=-1), strict=True
        )
    ]
    y = np.concatenate(parts, axis=-1)
    return np.ascontiguousarray(y if b is None else y + b)


def _unpacked(w: np.ndarray) -> np.ndarray:
    """A weight of words, (taps.., C/4, F), with each channel on its own."""
    whole = bytes_of(w[..., None], signed=True)
    return np.moveaxis(whole, -1, -2).reshape(*w.shape[:-2], -1, w.shape[-1])


def packed(w: np.ndarray) -> np.ndarray:
    """The inverse: a weight (taps.., C, F) with four channels in each word."""
    fours = w.reshape(*w.shape[:-2], -1, BYTES, w.shape[-1])
    return words_of(np.moveaxis(fours, -1, -2))[..., 0]


def lower_conv(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    n, *place, co = index
    x, w, y = bound.inputs[0].type, bound.inputs[1].type, bound.outputs[0].type
    conv, (_, zero) = geometry_conv(w.shape, bound.attr), scale_and_zero(bound)
    acc = k.local("acc", "i32", k.read(bound, 2, (co,)) if len(bound.inputs) == 3 else k.const(0, "i32"))
    with group_loop(k, bound.attr, co, w.shape[-1]) as g, conv.taps(k) as taps, k.sum("ci", w.shape[-2]) as ci:
        cells = conv.cells(place, taps)
        with k.where(*conv.guards(cells, x.shape[1:-1], y.shape[1:-1])):
            cell, weight = k.read(bound, 0, (n, *cells, g * w.shape[-2] + ci)), k.read(bound, 1, (*taps, ci, co))
            if x.dtype == "u32":
                k.accum(acc, "dot4_i8" if bound.attr["signed"] else "dot4_u8", cell, weight)
            else:
                k.accum(acc, "fma", distance(k, cell, zero), k.call("to_i32", weight))
    return (k.get(acc),)


def lowering_conv(attrs: dict[str, Attr]) -> Pointwise:
    return Pointwise(lower_conv, ("n", *loop_names("o", attrs.get("stride", ())), "co"))


def _flops(bound: BoundNode) -> int:
    each = BYTES if bound.inputs[0].type.dtype == "u32" else 1
    return 2 * each * bound.outputs[0].type.elems * prod(bound.inputs[1].type.shape[:-1])


def _sample_conv(x: str, w: str, bias: bool = True, **attrs: object) -> Sample:
    types = (x, w, f"i32[{w.rstrip(']').rpartition(',')[2]}]")
    low = 0 if x.startswith("u") else -128
    drawn = {0: (low, low + 256), 1: (-127, 128), 2: (-5000, 5000)}
    if x.startswith("u32"):
        drawn |= {0: (0, 2**32), 1: (0, 2**32)}
    count = 3 if bias else 2
    return Sample(types[:count], attrs, integers={k: drawn[k] for k in range(count)})


register(
    Op(
        name="integer_conv",
        infer=infer_conv,
        reference=reference_conv,
        lower=lowering_conv,
        kind="contraction",
        tolerance=0.0,
        natural=(0,),
        flops=_flops,
        samples=(
            _sample_conv("i8[b3,7]", "i8[7,5]"),
            _sample_conv("u8[b17,64]", "i8[64,33]", False),
            _sample_conv("i8[b2,5,7,4]", "i8[3,2,4,19]", stride=(1, 1), pad=(0, 0)),
            _sample_conv("u8[b1,6,5,3]", "i8[3,3,3,16]", stride=(2, 1), pad=(1, 1), zero=7),
            _sample_conv("i8[b3,5,6,18]", "i8[3,3,1,18]", stride=(1, 1), pad=(1, 1), group=18, zero=-3),
            _sample_conv("i8[b2,5,5,4]", "i8[3,3,2,6]", stride=(1, 1), pad=(1, 1), group=2, zero=5),
            _sample_conv("i8[b2,9,8,2]", "i8[3,2,2,3]", stride=(2, 1), pad=(1, 2), dilation=(2, 3), zero=-128),
            _sample_conv("i8[b3,9,2]", "i8[3,2,4]", stride=(2,), pad=(1,), zero=1),
            _sample_conv("u32[b3,9]", "u32[9,37]", signed=False),
            _sample_conv("u32[b1,6,5,3]", "u32[3,3,3,16]", stride=(2, 1), pad=(1, 1), signed=True),
            _sample_conv("u32[b2,5,6,19]", "u32[1,3,1,19]", stride=(1, 1), pad=(0, 0), group=19, signed=False),
            _sample_conv("u32[b2,7,6,4]", "u32[3,3,4,34]", False, stride=(1, 1), pad=(0, 0), signed=False),
        ),
    )
)


HOW = ("max", "sum")


def geometry_pool(x: tuple[int, ...], attrs: dict[str, object] | dict[str, Attr]) -> Pool:
    """The pooling of images of this shape."""
    return Pool.of((x[0], x[-1], *x[1:-1]), attrs)


def infer_pool(x: TensorType, *, how: str, zero: int = 0, **attrs: object) -> tuple[TensorType, ...]:
    require_bytes("the input", x.dtype)
    require_zero(zero, x.dtype)
    if how not in HOW:
        raise OpTypeError("unknown pooling of integers", " or ".join(HOW), str(how))
    if len(x.shape) - 2 not in SPATIAL:
        raise OpTypeError("the input must have 1 to 3 spatial axes", "(batch, height, width, channels)", str(x))
    pool = geometry_pool(x.shape, attrs)
    shape = (x.shape[0], *pool.out, x.shape[-1])
    return (result(x.dtype if how == "max" else "i32", shape, x.batch, x),)


def reference_pool(x: np.ndarray, *, how: str, zero: int = 0, **attrs: object) -> np.ndarray:
    pool = geometry_pool(x.shape, attrs)
    image = np.moveaxis(x if how == "max" else x.astype(np.int32) - np.int32(zero), -1, 1)
    fill = np.iinfo(x.dtype).min if how == "max" else 0
    views = windows(image, pool.out, pool.kernel, pool.stride, pool.pad, fill=fill)
    axes = tuple(range(x.ndim, views.ndim))
    y = views.max(axis=axes) if how == "max" else views.sum(axis=axes, dtype=np.int32)
    return np.ascontiguousarray(np.moveaxis(y, 1, -1))


def lower_pool(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    n, *window, c = index
    x = bound.inputs[0].type
    pool, (_, zero) = geometry_pool(x.shape, bound.attr), scale_and_zero(bound)
    largest = bound.attr["how"] == "max"
    acc = k.local("acc", x.dtype if largest else "i32", identity("max", x.dtype) if largest else k.const(0, "i32"))
    with window_cells(k, pool, window, "sum") as (_, cells):
        cell = k.read(bound, 0, (n, *cells, c))
        if largest:
            k.accum(acc, "max", cell)
        else:
            k.accum(acc, "add", distance(k, cell, zero))
    return (k.get(acc),)


def lowering_pool(attrs: dict[str, Attr]) -> Pointwise:
    return Pointwise(lower_pool, ("n", *loop_names("p", attrs["stride"]), "c"))


def _sample_pool(x: str, **attrs: object) -> Sample:
    limits = np.iinfo(DTYPES[x.partition("[")[0]])
    return Sample((x,), attrs, integers={0: (int(limits.min), int(limits.max) + 1)})


register(
    Op(
        name="integer_pool",
        infer=infer_pool,
        reference=reference_pool,
        lower=lowering_pool,
        kind="window",
        tolerance=0.0,
        natural=(0,),
        channels=-1,
        samples=(
            _sample_pool("i8[b3,6,4,2]", how="max", kernel=(2, 2), stride=(2, 2), pad=(0, 0)),
            _sample_pool("u8[b2,7,5,18]", how="max", kernel=(3, 2), stride=(2, 1), pad=(1, 1)),
            _sample_pool("i8[b2,8,6,3]", how="sum", kernel=(3, 3), stride=(2, 2), pad=(1, 1), rounding="down", zero=-7),
            _sample_pool("u8[b1,5,5,33]", how="sum", kernel=(5, 5), stride=(1, 1), pad=(0, 0), zero=9),
            _sample_pool("i8[b3,7,2]", how="sum", kernel=(3,), stride=(2,), pad=(1,)),
        ),
    )
)
