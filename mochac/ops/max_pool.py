"""max_pool: the maximum of every window, and its index in the window.

    y[n,c,ph,pw] = max over i,j of x[n, c, ph*s - p + i, pw*s - p + j]
    index = i*KW + j of the first maximum in row-major order

Shapes: x (N,C,H,W) -> y, index (N,C,PH,PW), with sizes rounded up and windows clipped to the image, as in Mocha.jl
src/layers/pooling.jl. A NaN in a window gives NaN (index: the last NaN). Gradient: max_pool_dx.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, Sample, register
from mochac.ir.types import DTYPES, TensorType
from mochac.ops._pool import Pool, infer_pool, window_cells
from mochac.ops._typing import attrs_of, result
from mochac.ops._window import Pair, windows


def index_dtype(kernel: Pair) -> str:
    """i8 if the indices of a window fit, else i32."""
    return "i8" if kernel[0] * kernel[1] <= 127 else "i32"


def infer(
    x: TensorType, *, kernel: object, stride: object, pad: object, pad_end: object = None
) -> tuple[TensorType, ...]:
    pool = infer_pool(x, kernel, stride, pad, pad_end)
    shape = (*x.shape[:2], *pool.out)
    return result(x.dtype, shape, x.batch, x), result(index_dtype(pool.kernel), shape, x.batch, x)


def reference(x: np.ndarray, **attrs: object) -> tuple[np.ndarray, np.ndarray]:
    pool = Pool.of(x.shape, attrs)
    views = windows(x, pool.out, pool.kernel, pool.stride, pool.pad, -np.inf)
    cells = views.reshape(*views.shape[:4], -1)
    nan = np.isnan(cells)
    last_nan = cells.shape[-1] - 1 - np.argmax(nan[..., ::-1], axis=-1)
    index = np.where(nan.any(axis=-1), last_nan, np.argmax(cells, axis=-1))
    y = np.take_along_axis(cells, index[..., None], axis=-1)[..., 0]
    return y, index.astype(DTYPES[index_dtype(pool.kernel)])


def vjp(b: GraphBuilder, bound: BoundNode, dy: Value, _index: Value | None) -> tuple[Value | None, ...]:
    return (b.op("max_pool_dx", dy, bound.outputs[1], shape=bound.inputs[0].type.shape, **attrs_of(bound)),)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    n, c, ph, pw = index
    x = bound.inputs[0].type
    pool = Pool.of(x.shape, bound.attr)
    best = k.local("best", x.dtype, k.const(-np.inf, x.dtype))
    place = k.local("place", "i32", k.const(0, "i32"))
    with window_cells(k, pool, ph, pw) as (i, j, ih, iw):
        cell = k.read(bound, 0, (n, c, ih, iw))
        largest = k.get(best)
        wins = k.call("or", k.call("gt", cell, largest), k.call("isnan", cell))
        k.set(best, k.call("select", wins, cell, largest))
        k.set(place, k.call("select", wins, i * pool.kernel[1] + j, k.get(place)))
    where = k.get(place)
    narrow = bound.outputs[1].type.dtype
    return k.get(best), where if narrow == "i32" else k.call("to_" + narrow, where)


def _sample(x: str, kernel: Pair, stride: Pair, pad: Pair = (0, 0)) -> Sample:
    return Sample((x,), {"kernel": kernel, "stride": stride, "pad": pad})


register(
    Op(
        name="max_pool",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower, ("n", "c", "ph", "pw")),
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
        ),
    )
)
