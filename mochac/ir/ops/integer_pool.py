"""integer_pool: the maximum, or the sum, of the 8-bit integers of every window; channels are the last axis.

    how "max":  y[n, o.., c] = max over k.. of x[n, o*s - p + k.., c]                    of the dtype of x
    how "sum":  y[n, o.., c] = sum over k.. of (x[n, o*s - p + k.., c] - zero)           i32

Cells outside of the image are left out. Shapes: x (N, image.., C) -> (N, out.., C), with one to three spatial axes;
sizes as in max_pool. quantization/ makes it of max_pool and of means; it has no gradient.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import Attr, BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand, identity
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._pool import Pool, window_cells
from mochac.ir.ops._quantized import distance, require_bytes, require_zero, scale_and_zero
from mochac.ir.ops._typing import result
from mochac.ir.ops._window import SPATIAL, loop_names, windows
from mochac.ir.types import DTYPES, TensorType

HOW = ("max", "sum")


def geometry(x: tuple[int, ...], attrs: dict[str, object] | dict[str, Attr]) -> Pool:
    """The pooling of images of this shape."""
    return Pool.of((x[0], x[-1], *x[1:-1]), attrs)


def infer(x: TensorType, *, how: str, zero: int = 0, **attrs: object) -> tuple[TensorType, ...]:
    require_bytes("the input", x.dtype)
    require_zero(zero, x.dtype)
    if how not in HOW:
        raise OpTypeError("unknown pooling of integers", " or ".join(HOW), str(how))
    if len(x.shape) - 2 not in SPATIAL:
        raise OpTypeError("the input must have 1 to 3 spatial axes", "(batch, height, width, channels)", str(x))
    pool = geometry(x.shape, attrs)
    shape = (x.shape[0], *pool.out, x.shape[-1])
    return (result(x.dtype if how == "max" else "i32", shape, x.batch, x),)


def reference(x: np.ndarray, *, how: str, zero: int = 0, **attrs: object) -> np.ndarray:
    pool = geometry(x.shape, attrs)
    image = np.moveaxis(x if how == "max" else x.astype(np.int32) - np.int32(zero), -1, 1)
    fill = np.iinfo(x.dtype).min if how == "max" else 0
    views = windows(image, pool.out, pool.kernel, pool.stride, pool.pad, fill=fill)
    axes = tuple(range(x.ndim, views.ndim))
    y = views.max(axis=axes) if how == "max" else views.sum(axis=axes, dtype=np.int32)
    return np.ascontiguousarray(np.moveaxis(y, 1, -1))


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    n, *window, c = index
    x = bound.inputs[0].type
    pool, (_, zero) = geometry(x.shape, bound.attr), scale_and_zero(bound)
    largest = bound.attr["how"] == "max"
    acc = k.local("acc", x.dtype if largest else "i32", identity("max", x.dtype) if largest else k.const(0, "i32"))
    with window_cells(k, pool, window, "sum") as (_, cells):
        cell = k.read(bound, 0, (n, *cells, c))
        if largest:
            k.accum(acc, "max", cell)
        else:
            k.accum(acc, "add", distance(k, cell, zero))
    return (k.get(acc),)


def lowering(attrs: dict[str, Attr]) -> Pointwise:
    return Pointwise(lower, ("n", *loop_names("p", attrs["stride"]), "c"))


def _sample(x: str, **attrs: object) -> Sample:
    limits = np.iinfo(DTYPES[x.partition("[")[0]])
    return Sample((x,), attrs, integers={0: (int(limits.min), int(limits.max) + 1)})


register(
    Op(
        name="integer_pool",
        infer=infer,
        reference=reference,
        lower=lowering,
        kind="window",
        tolerance=0.0,
        natural=(0,),
        channels=-1,
        samples=(
            _sample("i8[b3,6,4,2]", how="max", kernel=(2, 2), stride=(2, 2), pad=(0, 0)),
            _sample("u8[b2,7,5,18]", how="max", kernel=(3, 2), stride=(2, 1), pad=(1, 1)),
            _sample("i8[b2,8,6,3]", how="sum", kernel=(3, 3), stride=(2, 2), pad=(1, 1), rounding="down", zero=-7),
            _sample("u8[b1,5,5,33]", how="sum", kernel=(5, 5), stride=(1, 1), pad=(0, 0), zero=9),
            _sample("i8[b3,7,2]", how="sum", kernel=(3,), stride=(2,), pad=(1,)),
        ),
    )
)
