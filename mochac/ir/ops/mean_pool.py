"""Means and sums over windows: mean pooling with its gradient, and the sums of local response normalization.

mean_pool: mean of every window, with one of three divisors.

    y[n,c,ph,pw] = (sum of the window's cells inside the image) / count(ph, pw)
    divisor "kernel": always the size of the kernel (Mocha.jl src/layers/pooling.jl); "caffe": cells inside the padded
    image (pooling_layer.cpp); "valid": cells inside the image

Shapes: x (N,C,H,W) -> (N,C,PH,PW), or with one or three spatial axes; sizes as in max_pool. Gradient: mean_pool_dx.

mean_pool_dx: gradient of mean_pool with respect to its input.

    dx[n,c,ih,iw] = sum over windows (ph,pw) that contain the cell of dy[n,c,ph,pw] / count(ph, pw)

Shapes: dy (N,C,PH,PW) -> `shape` (N,C,H,W), or with one or three spatial axes; counts as in mean_pool. Gradient: the op
is linear, so mean_pool.

lrn_sum: the sum of x, or of its squares, over a window around every element.

    y[i] = sum over j with i - before <= j <= i + after, along every axis of `axes`, inside the tensor, of x[j] (x[j]^2)

Shapes: x (N,...) -> like x; axes >= 1. Gradient: the same sum with the window mirrored, times 2x for squares. Local
response normalization uses it (Mocha.jl src/layers/lrn.jl uses mean pooling with stride 1).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from functools import reduce
from math import prod

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Attr, BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Nest, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._pool import Pool, cell_windows, image_tiles, infer_pool, infer_pool_dx, window_cells
from mochac.ir.ops._typing import attrs_of, integer, integers, require_float, result
from mochac.ir.ops._window import Sizes, inside, loop_names, scatter, windows
from mochac.ir.types import TensorType

DIVISORS = ("kernel", "caffe", "valid")


def require_divisor(divisor: str) -> None:
    """Check the attribute `divisor`."""
    if divisor not in DIVISORS:
        raise OpTypeError("unknown divisor of mean pooling", " ".join(DIVISORS), str(divisor))


def margins(pool: Pool, divisor: str) -> list[tuple[int, int]]:
    """First and end position of the cells that count, along every axis."""
    if divisor == "caffe":
        return [(-p, n + end) for p, n, end in zip(pool.pad, pool.image, pool.pad_end, strict=True)]
    return [(0, n) for n in pool.image]


def constant_count(pool: Pool, divisor: str) -> bool:
    """Whether every window divides by the size of the kernel."""
    if divisor == "kernel":
        return True
    for axis, (low, high) in enumerate(margins(pool, divisor)):
        last = (pool.out[axis] - 1) * pool.stride[axis] - pool.pad[axis]
        if -pool.pad[axis] < low or last + pool.kernel[axis] > high:
            return False
    return True


def counts(pool: Pool, divisor: str) -> np.ndarray:
    """The divisor of every window, in the shape of the result's images.

    >>> counts(Pool((3, 3), (2, 2), (2, 2), (0, 0), (0, 0)), "valid").tolist()
    [[4.0, 2.0], [2.0, 1.0]]
    """
    if divisor == "kernel":
        return np.full(pool.out, float(prod(pool.kernel)))
    lengths = []
    for axis, (low, high) in enumerate(margins(pool, divisor)):
        start = np.arange(pool.out[axis]) * pool.stride[axis] - pool.pad[axis]
        lengths.append(np.minimum(start + pool.kernel[axis], high) - np.maximum(start, low))
    return reduce(np.multiply.outer, lengths).astype(np.float64)


def divide_by_count(
    k: KernelBuilder, pool: Pool, divisor: str, total: Operand, dtype: str, window: Sequence[Index]
) -> Operand:
    """total / the count of a window. If the count varies, the kernel counts the cells along each axis."""
    if constant_count(pool, divisor):
        return k.call("mul", total, k.const(1.0 / prod(pool.kernel), dtype))
    lengths = []
    for axis, (low, high) in enumerate(margins(pool, divisor)):
        length = k.local("count", dtype, k.const(0.0, dtype))
        with k.sum("cell", pool.kernel[axis]) as cell:
            position = window[axis] * pool.stride[axis] - pool.pad[axis] + cell
            with k.where(position - low, high - 1 - position):
                k.accum(length, "add", k.const(1.0, dtype))
        lengths.append(k.get(length))
    return k.call("div", total, reduce(lambda a, b: k.call("mul", a, b), lengths))


def infer(
    x: TensorType,
    *,
    kernel: object,
    stride: object,
    pad: object,
    pad_end: object = None,
    rounding: str = "up",
    divisor: str = "kernel",
) -> tuple[TensorType, ...]:
    require_divisor(divisor)
    attrs = {"kernel": kernel, "stride": stride, "pad": pad, "pad_end": pad_end, "rounding": rounding}
    pool = infer_pool(x, attrs)
    return (result(x.dtype, (*x.shape[:2], *pool.out), x.batch, x),)


def reference(x: np.ndarray, *, divisor: str = "kernel", **attrs: object) -> np.ndarray:
    pool = Pool.of(x.shape, attrs)
    views = windows(x, pool.out, pool.kernel, pool.stride, pool.pad)
    return views.sum(axis=tuple(range(x.ndim, views.ndim))) / counts(pool, divisor).astype(x.dtype)


def vjp(b: GraphBuilder, bound: BoundNode, dy: Value) -> tuple[Value | None, ...]:
    return (b.op("mean_pool_dx", dy, shape=bound.inputs[0].type.shape, **attrs_of(bound)),)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    n, c, *window = index
    x = bound.inputs[0].type
    pool = Pool.of(x.shape, bound.attr)
    acc = k.local("acc", x.dtype, k.const(0.0, x.dtype))
    with window_cells(k, pool, window, "sum") as (_, cells):
        k.accum(acc, "add", k.read(bound, 0, (n, c, *cells)))
    return (divide_by_count(k, pool, str(bound.attr.get("divisor", "kernel")), k.get(acc), x.dtype, window),)


def lowering(attrs: dict[str, Attr]) -> Pointwise:
    return Pointwise(lower, ("n", "c", *loop_names("p", attrs["stride"])))


def _sample(x: str, kernel: Sizes, stride: Sizes, pad: Sizes, divisor: str, **more: object) -> Sample:
    return Sample((x,), {"kernel": kernel, "stride": stride, "pad": pad, "divisor": divisor, **more})


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    """AveragePool; Caffe's divisor leaves out what overhangs the padded image, and the kernel's does not."""
    pool, divisor = Pool.of(bound.inputs[0].type.shape, bound.attr), bound.attr.get("divisor", "kernel")
    counted = counts(pool, str(divisor))
    mean = w.node("AveragePool", x, **pool.onnx, count_include_pad=int(divisor != "valid"))
    if divisor == "valid" or (counted == math.prod(pool.kernel)).all():
        return mean
    return w.node("Mul", mean, w.constant(math.prod(pool.kernel) / counted))


register(
    Op(
        name="mean_pool",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=lowering,
        kind="window",
        samples=(
            _sample("f32[b3,2,6,4]", (2, 2), (2, 2), (0, 0), "kernel"),
            _sample("f32[b2,1,7,5]", (2, 2), (2, 2), (0, 0), "valid"),
            _sample("f32[b2,1,7,5]", (2, 3), (2, 2), (0, 0), "kernel"),
            _sample("f32[b1,3,7,6]", (3, 2), (2, 1), (1, 1), "caffe"),
            _sample("f32[b1,2,8,6]", (3, 3), (2, 2), (1, 1), "caffe"),
            _sample("f32[b1,3,7,6]", (3, 2), (2, 1), (1, 1), "valid"),
            _sample("f32[b17,1,1,1]", (1, 1), (1, 1), (0, 0), "kernel"),
            Sample(("f32[b2,3,6,4]",), {"kernel": (3, 1), "stride": (2, 1), "pad": (0, 0), "pad_end": (2, 0)}),
            _sample("f32[b1,2,8,6]", (3, 3), (2, 2), (1, 1), "caffe", rounding="down"),
            _sample("f32[b3,2,7]", (3,), (2,), (1,), "valid"),
            _sample("f32[b2,2,3,5,4]", (2, 3, 3), (1, 2, 2), (0, 1, 1), "caffe"),
        ),
        onnx=onnx,
    )
)


def infer_dx(
    dy: TensorType, *, shape: tuple[int, ...], divisor: str = "kernel", **attrs: object
) -> tuple[TensorType, ...]:
    require_divisor(divisor)
    infer_pool_dx(dy, shape, attrs)
    return (result(dy.dtype, tuple(shape), dy.batch, dy),)


def reference_dx(dy: np.ndarray, *, shape: tuple[int, ...], divisor: str = "kernel", **attrs: object) -> np.ndarray:
    pool = Pool.of(shape, attrs)
    shares = dy / counts(pool, divisor).astype(dy.dtype)
    cells = np.broadcast_to(shares.reshape(*dy.shape, *(1 for _ in pool.kernel)), (*dy.shape, *pool.kernel))
    return np.ascontiguousarray(scatter(cells, pool.image, pool.stride, pool.pad))


def vjp_dx(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    attrs = attrs_of(bound, "shape")
    return (b.op("mean_pool", ct, **attrs),)


def lower_dx(k: KernelBuilder, bound: BoundNode) -> None:
    samples, channels = bound.outputs[0].type.shape[:2]
    with k.each("n", samples) as n, k.each("c", channels) as c:
        _image(k, bound, (n, c))


def _image(k: KernelBuilder, bound: BoundNode, at: tuple[Index, ...]) -> None:
    dx = bound.outputs[0].type
    pool = Pool.of(dx.shape, bound.attr)
    divisor = str(bound.attr.get("divisor", "kernel"))
    even = constant_count(pool, divisor)
    with image_tiles(k, pool) as (cells, tiles):
        acc = k.local("acc", dx.dtype, k.const(0.0, dx.dtype))
        with cell_windows(k, pool, tiles) as (windows, _):
            dy = k.read(bound, 0, (*at, *windows))
            k.accum(acc, "add", dy if even else divide_by_count(k, pool, divisor, dy, dx.dtype, windows))
        total = k.get(acc)
        if even:
            total = divide_by_count(k, pool, divisor, total, dx.dtype, cells)
        k.write(bound, 0, (*at, *cells), total)


def _sample_dx(
    dy: str, shape: tuple[int, ...], kernel: Sizes, stride: Sizes, pad: Sizes, divisor: str, **more: object
) -> Sample:
    attrs = {"shape": shape, "kernel": kernel, "stride": stride, "pad": pad, "divisor": divisor, **more}
    return Sample((dy,), attrs)


register(
    Op(
        name="mean_pool_dx",
        infer=infer_dx,
        reference=reference_dx,
        vjp=vjp_dx,
        lower=Nest(lower_dx),
        kind="window",
        samples=(
            _sample_dx("f32[b3,2,3,2]", (3, 2, 6, 4), (2, 2), (2, 2), (0, 0), "kernel"),
            _sample_dx("f32[b2,1,4,3]", (2, 1, 7, 5), (2, 2), (2, 2), (0, 0), "valid"),
            _sample_dx("f32[b1,3,4,7]", (1, 3, 7, 6), (3, 2), (2, 1), (1, 1), "caffe"),
            _sample_dx("f32[b1,1,1,1]", (1, 1, 1, 1), (1, 1), (1, 1), (0, 0), "kernel"),
            _sample_dx("f32[b1,2,4,3]", (1, 2, 8, 6), (3, 3), (2, 2), (1, 1), "caffe", rounding="down"),
            _sample_dx("f32[b3,2,4]", (3, 2, 7), (3,), (2,), (1,), "valid"),
            _sample_dx("f32[b2,2,2,3,3]", (2, 2, 3, 5, 4), (2, 3, 3), (1, 2, 2), (0, 1, 1), "caffe"),
        ),
    )
)


def infer_lrn(
    x: TensorType, *, axes: tuple[int, ...], before: int, after: int, square: bool = False
) -> tuple[TensorType, ...]:
    require_float("the input", x)
    rank = len(x.shape)
    if not axes or len(set(axes)) != len(axes) or not all(1 <= a < rank for a in axes):
        raise OpTypeError("window axes must be distinct and not the batch", f"axes of 1 .. {rank - 1}", str(axes))
    if before < 0 or after < 0:
        raise OpTypeError("a window must contain its own element", "before, after >= 0", f"{before}, {after}")
    return (x,)


def reference_lrn(x: np.ndarray, *, axes: tuple[int, ...], before: int, after: int, square: bool = False) -> np.ndarray:
    total = x * x if square else x
    for axis in axes:
        sides = [(before, after) if a == axis else (0, 0) for a in range(x.ndim)]
        views = np.lib.stride_tricks.sliding_window_view(np.pad(total, sides), before + after + 1, axis=axis)
        total = views.sum(axis=-1)
    return np.array(total, x.dtype)


def vjp_lrn(b: GraphBuilder, bound: BoundNode, dy: Value) -> tuple[Value | None, ...]:
    axes, before, after, square = _window(bound)
    total = b.op("lrn_sum", dy, axes=axes, before=after, after=before, square=False)
    return (b.op("mul", total, b.scaled(bound.inputs[0], 2.0)) if square else total,)


def lower_lrn(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    axes, before, after, square = _window(bound)
    x = bound.inputs[0].type
    acc = k.local("acc", x.dtype, k.const(0.0, x.dtype))
    cells = list(index)
    with ExitStack() as stack:
        for axis, name in zip(axes, _names(axes), strict=True):
            cells[axis] = index[axis] + stack.enter_context(k.sum(name, before + after + 1)) - before
        guards = (g for axis in axes for g in inside(cells[axis], x.shape[axis], before > 0, after > 0))
        stack.enter_context(k.where(*guards))
        cell = k.read(bound, 0, tuple(cells))
        if square:
            k.accum(acc, "fma", cell, cell)
        else:
            k.accum(acc, "add", cell)
    return (k.get(acc),)


def _names(axes: tuple[int, ...]) -> Iterable[str]:
    return (f"w{axis}" for axis in axes)


def _window(bound: BoundNode) -> tuple[tuple[int, ...], int, int, bool]:
    square = bool(bound.attr.get("square", False))
    return integers(bound, "axes"), integer(bound, "before"), integer(bound, "after"), square


def _sample_lrn(x: str, axes: tuple[int, ...], before: int, after: int, square: bool) -> Sample:
    return Sample((x,), {"axes": axes, "before": before, "after": after, "square": square})


def onnx_lrn(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    """Along each axis the mean of windows, padded with zeros, times their size."""
    axes, before, after, square = _window(bound)
    type, size = bound.inputs[0].type, before + after + 1
    total = w.formula("Mul({0}, {0})", x) if square else x
    for axis in axes:
        rows = (type.shape[0], math.prod(type.shape[1:axis]), type.shape[axis], math.prod(type.shape[axis + 1 :]))
        images = w.node("Reshape", total, w.extents(type.with_(shape=rows, lanes=0), total))
        pads = [before, 0, after, 0]
        mean = w.node("AveragePool", images, kernel_shape=[size, 1], pads=pads, count_include_pad=1)
        total = w.node("Reshape", w.formula(f"Mul({{0}}, {float(size)})", mean), w.extents(type, total))
    return total


register(
    Op(
        name="lrn_sum",
        infer=infer_lrn,
        reference=reference_lrn,
        vjp=vjp_lrn,
        lower=Pointwise(lower_lrn),
        kind="window",
        samples=(
            _sample_lrn("f32[b3,2,5,4]", (2, 3), 1, 1, True),
            _sample_lrn("f32[b17,6,2,3]", (1,), 2, 2, True),
            _sample_lrn("f32[b2,7]", (1,), 1, 2, False),
            _sample_lrn("f32[b2,3,4,5]", (2, 3), 0, 1, False),
            _sample_lrn("f32[b2,1,3]", (2,), 4, 4, True),
            _sample_lrn("f32[3,4,1,2]", (3,), 0, 0, True),
        ),
        onnx=onnx_lrn,
    )
)
