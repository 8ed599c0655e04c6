"""winograd_input_dx: images of which tiles overlap, added up from their transformed cells (_winograd.py).

    dx[n,c,i] = sum over t,k of B[k,q] m[n,q,c,t], with t*m - pad + k = i

Shapes: m (N,Q,C,TH,TW) -> (N,C,H,W), or with one or three spatial axes. Attributes with a number for each of these
axes: `tile`, the results of a tile; `kernel`; `pad`; `image`, the extents of dx. Tiles are added in row-major order. It
is the transpose of winograd_input, made after gradients are derived, and has no gradient.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import integers, require_float, require_shape, result
from mochac.ir.ops._window import flat_place, loop_names, per_axis, scatter
from mochac.ir.ops._winograd import Tiling, applied, each_of, require_tiles, write_transform
from mochac.ir.types import TensorType


def infer(m: TensorType, *, tile: object, kernel: object, pad: object, image: object) -> tuple[TensorType, ...]:
    require_float("the tiles", m)
    axes = require_tiles("the tiles", m)
    tiling = Tiling.of({"tile": tile, "kernel": kernel}, axes)
    size, before = per_axis("image", image, axes, 1), per_axis("pad", pad, axes, 0)
    out = tuple(n + 2 * p - r + 1 for n, p, r in zip(size, before, tiling.kernel, strict=True))
    if min(out) < 1:
        raise OpTypeError("the kernel does not fit its image", "image + 2*pad >= kernel", f"{size} + 2*{before}")
    n, _, c, *_ = m.shape
    require_shape("tiles", m, (n, tiling.products, c, *tiling.counts(out)), "the tiles do not match the image")
    return (result(m.dtype, (n, c, *size), m.batch, m),)


def reference(m: np.ndarray, *, pad: tuple[int, ...], image: tuple[int, ...], **attrs: Any) -> np.ndarray:
    axes = len(image)
    tiling = Tiling.of(attrs, axes)
    n, _, c, *counts = m.shape
    tiles = np.moveaxis(m, 1, -1).reshape(n, c, *counts, *tiling.cells)
    cells = applied(tiling.matrices("B"), tiles, range(2 + axes, 2 + 2 * axes))
    whole = scatter(cells, _reached(tiling, counts, image, pad), tiling.tile, (0,) * axes)
    return np.ascontiguousarray(whole[(..., *(slice(p, p + n) for p, n in zip(pad, image, strict=True)))])


def _reached(tiling: Tiling, counts: Sequence[int], image: Sequence[int], pad: Sequence[int]) -> tuple[int, ...]:
    """Extents of an image that all tiles fit into, with padding around it."""
    cells = ((t - 1) * m + a for t, m, a in zip(counts, tiling.tile, tiling.cells, strict=True))
    return tuple(max(end, n + 2 * p) for end, n, p in zip(cells, image, pad, strict=True))


def lower(k: KernelBuilder, bound: BoundNode) -> None:
    m = bound.inputs[0].type
    samples, _, channels, *counts = m.shape
    tiling, pad, size = Tiling.of(bound.attr, len(counts)), integers(bound, "pad"), integers(bound, "image")
    reached = _reached(tiling, counts, size, pad)
    image = k.local("image", m.dtype, shape=reached)
    with k.each("n", samples) as n, k.each("c", channels) as c:
        with each_of(k, "p", reached) as at:
            k.set(image, k.const(0.0, m.dtype), *at)
        with ExitStack() as stack:
            names = loop_names("t", counts)
            tile = [stack.enter_context(k.sum(name, count)) for name, count in zip(names, counts, strict=True)]

            def read(cell: tuple[Index, ...]) -> Operand:
                return k.read(bound, 0, (n, flat_place(cell, tiling.cells), c, *tile))

            def write(cell: tuple[Index, ...], value: Operand) -> None:
                place = (t * step + i for t, step, i in zip(tile, tiling.tile, cell, strict=True))
                k.accum(image, "add", value, index=tuple(place))

            write_transform(k, m.dtype, tiling.matrices("B"), read, write)
        with each_of(k, "i", size) as at:
            inside = (i + p for i, p in zip(at, pad, strict=True))
            k.write(bound, 0, (n, c, *at), k.get(image, *inside))


register(
    Op(
        name="winograd_input_dx",
        infer=infer,
        reference=reference,
        lower=Nest(lower),
        kind="transform",
        tolerance=1e-4,
        samples=(
            Sample(("f32[b3,36,2,2,2]",), {"tile": (4, 4), "kernel": (3, 3), "pad": (1, 1), "image": (8, 8)}),
            Sample(("f32[b17,16,2,2,5]",), {"tile": (2, 2), "kernel": (3, 3), "pad": (0, 1), "image": (5, 9)}),
            Sample(("f32[b2,8,3,6,2]",), {"tile": (1, 4), "kernel": (1, 5), "pad": (0, 2), "image": (6, 5)}),
            Sample(("f32[b2,6,2,2]",), {"tile": (4,), "kernel": (3,), "pad": (0,), "image": (9,)}),
            Sample(
                ("f32[b2,48,2,2,3,1]",),
                {"tile": (2, 2, 2), "kernel": (3, 3, 2), "pad": (1, 1, 0), "image": (4, 5, 3)},
            ),
        ),
    )
)
