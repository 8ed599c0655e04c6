"""max_pool_dx: gradient of max_pool with respect to its input.

    dx[n,c,ih,iw] = sum over windows (ph,pw) that hold the cell at place (i,j) of dy[n,c,ph,pw] where index == i*KW + j

Shapes: dy, index (N,C,PH,PW) -> `shape` (N,C,H,W). Where every cell lies in one window the kernel walks the windows and
writes their cells; otherwise it walks the cells and gathers from the windows.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import Attr
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder
from mochac.ir.op import BoundNode, Lowering, Nest, Op, OpTypeError, Pointwise, Sample, register
from mochac.ir.types import TensorType
from mochac.ops._pool import Pool, cell_windows, infer_pool_dx
from mochac.ops._typing import require_shape, result
from mochac.ops._window import Pair, scatter


def infer(dy: TensorType, index: TensorType, *, shape: tuple[int, ...], **attrs: object) -> tuple[TensorType, ...]:
    infer_pool_dx(dy, shape, attrs)
    require_shape("index", index, dy.shape, "index and gradient must have one shape")
    if index.dtype not in ("i8", "i32"):
        raise OpTypeError("the index must be an integer", "i8 or i32", str(index))
    return (result(dy.dtype, tuple(shape), dy.batch, dy, index),)


def reference(dy: np.ndarray, index: np.ndarray, *, shape: tuple[int, ...], **attrs: object) -> np.ndarray:
    pool = Pool.of(shape, attrs)
    kh, kw = pool.kernel
    chosen = index[..., None] == np.arange(kh * kw)
    cells = np.where(chosen, dy[..., None], np.zeros((), dy.dtype)).reshape(*dy.shape, kh, kw)
    return np.ascontiguousarray(scatter(cells, pool.image, pool.stride, pool.pad))


def _picked(k: KernelBuilder, bound: BoundNode, window: tuple[Index, ...], place: Index) -> Operand:
    """dy of a window if its maximum was at `place`, else 0."""
    dy = k.read(bound, 0, window)
    index = k.read(bound, 1, window)
    wide = index if bound.inputs[1].type.dtype == "i32" else k.call("to_i32", index)
    return k.call("select", k.call("eq", wide, place), dy, k.const(0.0, bound.inputs[0].type.dtype))


def gather(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    n, c, ih, iw = index
    dx = bound.outputs[0].type
    pool = Pool.of(dx.shape, bound.attr)
    acc = k.local("acc", dx.dtype, k.const(0.0, dx.dtype))
    with cell_windows(k, pool, ih, iw) as (ph, pw, i, j):
        k.accum(acc, "add", _picked(k, bound, (n, c, ph, pw), i * pool.kernel[1] + j))
    return (k.get(acc),)


def spread(k: KernelBuilder, bound: BoundNode) -> None:
    dx = bound.outputs[0].type
    pool = Pool.of(dx.shape, bound.attr)
    with (
        k.each("n", dx.shape[0]) as n,
        k.each("c", dx.shape[1]) as c,
        k.each("ph", pool.out[0]) as ph,
        k.each("pw", pool.out[1]) as pw,
        k.each("i", pool.kernel[0]) as i,
        k.each("j", pool.kernel[1]) as j,
    ):
        ih, iw = pool.start(ph, 0) + i, pool.start(pw, 1) + j
        with k.where(*pool.guards(ih, 0), *pool.guards(iw, 1)):
            k.write(bound, 0, (n, c, ih, iw), _picked(k, bound, (n, c, ph, pw), i * pool.kernel[1] + j))


def lowering(attrs: dict[str, Attr]) -> Lowering:
    shape = attrs["shape"]
    assert isinstance(shape, tuple)
    tiles = Pool.of(shape, attrs).tiles  # type: ignore[arg-type]
    return Nest(spread) if tiles else Pointwise(gather, ("n", "c", "ih", "iw"))


def _sample(dy: str, shape: tuple[int, ...], kernel: Pair, stride: Pair, pad: Pair = (0, 0)) -> Sample:
    cells = kernel[0] * kernel[1]
    index = dy.replace("f32", "i8" if cells <= 127 else "i32")
    attrs = {"shape": shape, "kernel": kernel, "stride": stride, "pad": pad}
    return Sample((dy, index), attrs, integers={1: (0, cells)})


register(
    Op(
        name="max_pool_dx",
        infer=infer,
        reference=reference,
        lower=lowering,
        kind="window",
        tolerance=1e-6,
        samples=(
            _sample("f32[b3,2,3,2]", (3, 2, 6, 4), (2, 2), (2, 2)),
            _sample("f32[b2,1,4,3]", (2, 1, 7, 5), (2, 2), (2, 2)),
            _sample("f32[b1,3,4,7]", (1, 3, 7, 6), (3, 2), (2, 1), (1, 1)),
            _sample("f32[b2,2,2,2]", (2, 2, 5, 5), (1, 1), (3, 3)),
            _sample("f32[b1,1,2,2]", (1, 1, 13, 12), (12, 11), (1, 1)),
        ),
    )
)
