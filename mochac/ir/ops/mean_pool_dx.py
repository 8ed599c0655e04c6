"""mean_pool_dx: gradient of mean_pool with respect to its input.

    dx[n,c,ih,iw] = sum over windows (ph,pw) that contain the cell of dy[n,c,ph,pw] / count(ph, pw)

Shapes: dy (N,C,PH,PW) -> `shape` (N,C,H,W), or with one or three spatial axes; counts as in mean_pool. Gradient: the op
is linear, so mean_pool.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._mean import constant_count, counts, divide_by_count, require_divisor
from mochac.ir.ops._pool import Pool, cell_windows, image_tiles, infer_pool_dx
from mochac.ir.ops._typing import attrs_of, result
from mochac.ir.ops._window import Sizes, scatter
from mochac.ir.types import TensorType


def infer(
    dy: TensorType, *, shape: tuple[int, ...], divisor: str = "kernel", **attrs: object
) -> tuple[TensorType, ...]:
    require_divisor(divisor)
    infer_pool_dx(dy, shape, attrs)
    return (result(dy.dtype, tuple(shape), dy.batch, dy),)


def reference(dy: np.ndarray, *, shape: tuple[int, ...], divisor: str = "kernel", **attrs: object) -> np.ndarray:
    pool = Pool.of(shape, attrs)
    shares = dy / counts(pool, divisor).astype(dy.dtype)
    cells = np.broadcast_to(shares.reshape(*dy.shape, *(1 for _ in pool.kernel)), (*dy.shape, *pool.kernel))
    return np.ascontiguousarray(scatter(cells, pool.image, pool.stride, pool.pad))


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    attrs = attrs_of(bound, "shape")
    return (b.op("mean_pool", ct, **attrs),)


def lower(k: KernelBuilder, bound: BoundNode) -> None:
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


def _sample(
    dy: str, shape: tuple[int, ...], kernel: Sizes, stride: Sizes, pad: Sizes, divisor: str, **more: object
) -> Sample:
    attrs = {"shape": shape, "kernel": kernel, "stride": stride, "pad": pad, "divisor": divisor, **more}
    return Sample((dy,), attrs)


register(
    Op(
        name="mean_pool_dx",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Nest(lower),
        kind="window",
        samples=(
            _sample("f32[b3,2,3,2]", (3, 2, 6, 4), (2, 2), (2, 2), (0, 0), "kernel"),
            _sample("f32[b2,1,4,3]", (2, 1, 7, 5), (2, 2), (2, 2), (0, 0), "valid"),
            _sample("f32[b1,3,4,7]", (1, 3, 7, 6), (3, 2), (2, 1), (1, 1), "caffe"),
            _sample("f32[b1,1,1,1]", (1, 1, 1, 1), (1, 1), (1, 1), (0, 0), "kernel"),
            _sample("f32[b1,2,4,3]", (1, 2, 8, 6), (3, 3), (2, 2), (1, 1), "caffe", rounding="down"),
            _sample("f32[b3,2,4]", (3, 2, 7), (3,), (2,), (1,), "valid"),
            _sample("f32[b2,2,2,3,3]", (2, 2, 3, 5, 4), (2, 3, 3), (1, 2, 2), (0, 1, 1), "caffe"),
        ),
    )
)
