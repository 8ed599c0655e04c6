"""Max pooling and its gradient.

max_pool: the maximum of every window, and its index in the window.

    y[n,c,ph,pw] = max over i,j of x[n, c, ph*s - p + i, pw*s - p + j]
    index = i*KW + j of the first maximum in row-major order

Shapes: x (N,C,H,W) -> y, index (N,C,PH,PW), or with one or three spatial axes. Sizes are rounded up, and windows
clipped to the image, as in Mocha.jl src/layers/pooling.jl; `rounding` "down" drops windows that overhang the padded
image. A NaN in a window gives NaN (index: the last NaN). Gradient: max_pool_dx.

max_pool_dx: gradient of max_pool with respect to its input.

    dx[n,c,ih,iw] = sum over windows (ph,pw) that contain the cell at (i,j) of dy[n,c,ph,pw] where index == i*KW + j

Shapes: dy, index (N,C,PH,PW) -> `shape` (N,C,H,W), or with one or three spatial axes. The kernel loops
over the image in tiles of one stride, because all cells of a tile lie in the same windows.
"""

from __future__ import annotations

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
from mochac.ir.ops._typing import attrs_of, require_shape, result
from mochac.ir.ops._window import Sizes, flat_place, loop_names, scatter, windows
from mochac.ir.types import DTYPES, TensorType


def index_dtype(kernel: Sizes) -> str:
    """i8 if the indices of a window fit, else i32."""
    return "i8" if prod(kernel) <= 127 else "i32"


def infer(
    x: TensorType, *, kernel: object, stride: object, pad: object, pad_end: object = None, rounding: str = "up"
) -> tuple[TensorType, ...]:
    attrs = {"kernel": kernel, "stride": stride, "pad": pad, "pad_end": pad_end, "rounding": rounding}
    pool = infer_pool(x, attrs)
    shape = (*x.shape[:2], *pool.out)
    return result(x.dtype, shape, x.batch, x), result(index_dtype(pool.kernel), shape, x.batch, x)


def reference(x: np.ndarray, **attrs: object) -> tuple[np.ndarray, np.ndarray]:
    pool = Pool.of(x.shape, attrs)
    views = windows(x, pool.out, pool.kernel, pool.stride, pool.pad, fill=-np.inf)
    cells = views.reshape(*x.shape[:2], *pool.out, -1)
    nan = np.isnan(cells)
    last_nan = cells.shape[-1] - 1 - np.argmax(nan[..., ::-1], axis=-1)
    index = np.where(nan.any(axis=-1), last_nan, np.argmax(cells, axis=-1))
    y = np.take_along_axis(cells, index[..., None], axis=-1)[..., 0]
    return y, index.astype(DTYPES[index_dtype(pool.kernel)])


def vjp(b: GraphBuilder, bound: BoundNode, dy: Value, _index: Value | None) -> tuple[Value | None, ...]:
    return (b.op("max_pool_dx", dy, bound.outputs[1], shape=bound.inputs[0].type.shape, **attrs_of(bound)),)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    n, c, *window = index
    x = bound.inputs[0].type
    pool = Pool.of(x.shape, bound.attr)
    best = k.local("best", x.dtype, k.const(-np.inf, x.dtype))
    place = k.local("place", "i32", k.const(0, "i32"))
    with window_cells(k, pool, window) as (places, cells):
        cell = k.read(bound, 0, (n, c, *cells))
        largest = k.get(best)
        wins = k.call("or", k.call("gt", cell, largest), k.call("isnan", cell))
        k.set(best, k.call("select", wins, cell, largest))
        k.set(place, k.call("select", wins, flat_place(places, pool.kernel), k.get(place)))
    where = k.get(place)
    narrow = bound.outputs[1].type.dtype
    return k.get(best), where if narrow == "i32" else k.call("to_" + narrow, where)


def lowering(attrs: dict[str, Attr]) -> Pointwise:
    return Pointwise(lower, ("n", "c", *loop_names("p", attrs["stride"])))


def _sample(x: str, kernel: Sizes, stride: Sizes, pad: Sizes = (0, 0), **more: object) -> Sample:
    return Sample((x,), {"kernel": kernel, "stride": stride, "pad": pad, **more})


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    return w.node("MaxPool", x, **Pool.of(bound.inputs[0].type.shape, bound.attr).onnx)


register(
    Op(
        name="max_pool",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=lowering,
        kind="window",
        tolerance=0.0,
        samples=(
            _sample("f32[b3,2,6,4]", (2, 2), (2, 2)),
            _sample("f32[b2,1,7,5]", (2, 2), (2, 2)),
            _sample("f32[b1,3,7,6]", (3, 2), (2, 1), (1, 1)),
            _sample("f32[b2,2,5,5]", (1, 1), (3, 3)),
            _sample("f32[b17,1,1,1]", (1, 1), (1, 1)),
            _sample("f32[b1,1,13,12]", (12, 11), (1, 1)),
            Sample(("f32[b2,3,6,4]",), {"kernel": (3, 1), "stride": (2, 1), "pad": (1, 0), "pad_end": (2, 0)}),
            _sample("f32[b2,3,8,6]", (3, 3), (2, 2), (1, 1), rounding="down"),
            _sample("f32[b3,2,7]", (3,), (2,), (1,)),
            _sample("f32[b2,2,3,5,4]", (2, 3, 2), (1, 2, 2), (0, 1, 0)),
        ),
        onnx=onnx,
    )
)


def infer_dx(dy: TensorType, index: TensorType, *, shape: tuple[int, ...], **attrs: object) -> tuple[TensorType, ...]:
    infer_pool_dx(dy, shape, attrs)
    require_shape("index", index, dy.shape, "index and gradient must have one shape")
    if index.dtype not in ("i8", "i32"):
        raise OpTypeError("the index must be an integer", "i8 or i32", str(index))
    return (result(dy.dtype, tuple(shape), dy.batch, dy, index),)


def reference_dx(dy: np.ndarray, index: np.ndarray, *, shape: tuple[int, ...], **attrs: object) -> np.ndarray:
    pool = Pool.of(shape, attrs)
    chosen = index[..., None] == np.arange(prod(pool.kernel))
    cells = np.where(chosen, dy[..., None], np.zeros((), dy.dtype)).reshape(*dy.shape, *pool.kernel)
    return np.ascontiguousarray(scatter(cells, pool.image, pool.stride, pool.pad))


def _picked(k: KernelBuilder, bound: BoundNode, window: tuple[Index, ...], place: Index) -> Operand:
    """dy of a window if its maximum was at `place`, else 0."""
    dy = k.read(bound, 0, window)
    index = k.read(bound, 1, window)
    wide = index if bound.inputs[1].type.dtype == "i32" else k.call("to_i32", index)
    return k.call("select", k.call("eq", wide, place), dy, k.const(0.0, bound.inputs[0].type.dtype))


def lower_dx(k: KernelBuilder, bound: BoundNode) -> None:
    samples, channels = bound.outputs[0].type.shape[:2]
    with k.each("n", samples) as n, k.each("c", channels) as c:
        _image(k, bound, (n, c))


def _image(k: KernelBuilder, bound: BoundNode, at: tuple[Index, ...]) -> None:
    dx = bound.outputs[0].type
    pool = Pool.of(dx.shape, bound.attr)
    with image_tiles(k, pool) as (cells, tiles):
        acc = k.local("acc", dx.dtype, k.const(0.0, dx.dtype))
        with cell_windows(k, pool, tiles) as (windows, places):
            k.accum(acc, "add", _picked(k, bound, (*at, *windows), flat_place(places, pool.kernel)))
        k.write(bound, 0, (*at, *cells), k.get(acc))


def _sample_dx(
    dy: str, shape: tuple[int, ...], kernel: Sizes, stride: Sizes, pad: Sizes = (0, 0), **more: object
) -> Sample:
    cells = prod(kernel)
    index = dy.replace("f32", "i8" if cells <= 127 else "i32")
    attrs = {"shape": shape, "kernel": kernel, "stride": stride, "pad": pad, **more}
    return Sample((dy, index), attrs, integers={1: (0, cells)})


register(
    Op(
        name="max_pool_dx",
        infer=infer_dx,
        reference=reference_dx,
        lower=Nest(lower_dx),
        kind="window",
        tolerance=1e-6,
        samples=(
            _sample_dx("f32[b3,2,3,2]", (3, 2, 6, 4), (2, 2), (2, 2)),
            _sample_dx("f32[b2,1,4,3]", (2, 1, 7, 5), (2, 2), (2, 2)),
            _sample_dx("f32[b1,3,4,7]", (1, 3, 7, 6), (3, 2), (2, 1), (1, 1)),
            _sample_dx("f32[b2,2,2,2]", (2, 2, 5, 5), (1, 1), (3, 3)),
            _sample_dx("f32[b1,1,2,2]", (1, 1, 13, 12), (12, 11), (1, 1)),
            _sample_dx("f32[b2,3,4,3]", (2, 3, 8, 6), (3, 3), (2, 2), (1, 1), rounding="down"),
            _sample_dx("f32[b3,2,4]", (3, 2, 7), (3,), (2,), (1,)),
            _sample_dx("f32[b2,2,2,3,2]", (2, 2, 3, 5, 4), (2, 3, 2), (1, 2, 2), (0, 1, 0)),
        ),
    )
)
