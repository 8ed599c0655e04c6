"""max_pool_dx: gradient of max_pool with respect to its input.

    dx[n,c,ih,iw] = sum over windows (ph,pw) that contain the cell at (i,j) of dy[n,c,ph,pw] where index == i*KW + j

Shapes: dy, index (N,C,PH,PW) -> `shape` (N,C,H,W), or with one or three spatial axes. The kernel loops
over the image in tiles of one stride, because all cells of a tile lie in the same windows.
"""

from __future__ import annotations

from math import prod

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._pool import Pool, cell_windows, image_tiles, infer_pool_dx
from mochac.ir.ops._typing import require_shape, result
from mochac.ir.ops._window import Sizes, flat_place, scatter
from mochac.ir.types import TensorType


def infer(dy: TensorType, index: TensorType, *, shape: tuple[int, ...], **attrs: object) -> tuple[TensorType, ...]:
    infer_pool_dx(dy, shape, attrs)
    require_shape("index", index, dy.shape, "index and gradient must have one shape")
    if index.dtype not in ("i8", "i32"):
        raise OpTypeError("the index must be an integer", "i8 or i32", str(index))
    return (result(dy.dtype, tuple(shape), dy.batch, dy, index),)


def reference(dy: np.ndarray, index: np.ndarray, *, shape: tuple[int, ...], **attrs: object) -> np.ndarray:
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


def lower(k: KernelBuilder, bound: BoundNode) -> None:
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


def _sample(
    dy: str, shape: tuple[int, ...], kernel: Sizes, stride: Sizes, pad: Sizes = (0, 0), **more: object
) -> Sample:
    cells = prod(kernel)
    index = dy.replace("f32", "i8" if cells <= 127 else "i32")
    attrs = {"shape": shape, "kernel": kernel, "stride": stride, "pad": pad, **more}
    return Sample((dy, index), attrs, integers={1: (0, cells)})


register(
    Op(
        name="max_pool_dx",
        infer=infer,
        reference=reference,
        lower=Nest(lower),
        kind="window",
        tolerance=1e-6,
        samples=(
            _sample("f32[b3,2,3,2]", (3, 2, 6, 4), (2, 2), (2, 2)),
            _sample("f32[b2,1,4,3]", (2, 1, 7, 5), (2, 2), (2, 2)),
            _sample("f32[b1,3,4,7]", (1, 3, 7, 6), (3, 2), (2, 1), (1, 1)),
            _sample("f32[b2,2,2,2]", (2, 2, 5, 5), (1, 1), (3, 3)),
            _sample("f32[b1,1,2,2]", (1, 1, 13, 12), (12, 11), (1, 1)),
            _sample("f32[b2,3,4,3]", (2, 3, 8, 6), (3, 3), (2, 2), (1, 1), rounding="down"),
            _sample("f32[b3,2,4]", (3, 2, 7), (3,), (2,), (1,)),
            _sample("f32[b2,2,2,3,2]", (2, 2, 3, 5, 4), (2, 3, 2), (1, 2, 2), (0, 1, 0)),
        ),
    )
)
