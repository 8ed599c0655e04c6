"""winograd_input: tiles of an image, transformed for products with transformed filters (_winograd.py).

    v[n,q,c,t] = sum over k of B'[q,k] x[n, c, t*m - pad + k], with zeros around the image

Shapes: x (N,C,H,W) -> (N, Q, C, TH, TW), with the Q products of a tile; or with one or three spatial axes. Attributes
with a number for each of these axes: `tile`, the results of a tile; `kernel`; `pad`; `out`, all results. It is made
after gradients are derived (passes/fast_convolutions.py), and has no gradient.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._typing import integers, require_float, result
from mochac.ir.ops._window import flat_place, inside, per_axis, require_images, windows
from mochac.ir.ops._winograd import Tiling, applied, read_or_zero, tile_loops, write_transform
from mochac.ir.types import TensorType


def infer(x: TensorType, *, tile: object, kernel: object, pad: object, out: object) -> tuple[TensorType, ...]:
    require_float("the image", x)
    axes = require_images("the image", x)
    tiling = Tiling.of({"tile": tile, "kernel": kernel}, axes)
    per_axis("pad", pad, axes, 0)
    counts = tiling.counts(per_axis("out", out, axes, 1))
    return (result(x.dtype, (x.shape[0], tiling.products, x.shape[1], *counts), x.batch, x),)


def reference(x: np.ndarray, *, pad: tuple[int, ...], out: tuple[int, ...], **attrs: Any) -> np.ndarray:
    axes = len(out)
    tiling = Tiling.of(attrs, axes)
    counts = tiling.counts(out)
    cells = windows(x, counts, tiling.cells, tiling.tile, pad)
    v = applied(tiling.matrices("B'"), cells, range(2 + axes, 2 + 2 * axes))
    return np.ascontiguousarray(np.moveaxis(v.reshape(*v.shape[: 2 + axes], -1), -1, 1))


def lower(k: KernelBuilder, bound: BoundNode) -> None:
    x, v = bound.inputs[0].type, bound.outputs[0].type
    samples, _, channels, *counts = v.shape
    tiling, pad = Tiling.of(bound.attr, len(counts)), integers(bound, "pad")
    with tile_loops(k, samples, counts, ("c", channels)) as (n, (c,), at):

        def read(cell: tuple[Index, ...]) -> Operand:
            place = [t * m + i - p for t, m, i, p in zip(at, tiling.tile, cell, pad, strict=True)]
            guards = [g for axis, i in enumerate(cell) for g in _guards(tiling, axis, i, place[axis], pad, x, counts)]
            return read_or_zero(k, bound, (n, c, *place), guards)

        def write(cell: tuple[Index, ...], value: Operand) -> None:
            k.write(bound, 0, (n, flat_place(cell, tiling.cells), c, *at), value)

        write_transform(k, x.dtype, tiling.matrices("B'"), read, write)


def _guards(
    tiling: Tiling, axis: int, cell: Index, place: Index, pad: tuple[int, ...], x: TensorType, counts: list[int]
) -> tuple[Index, ...]:
    """Conditions under which a cell of a tile lies inside the image, along an axis."""
    first, last = (cell.const,) * 2 if cell.is_const else (0, tiling.cells[axis] - 1)
    size, end = x.shape[2 + axis], (counts[axis] - 1) * tiling.tile[axis] - pad[axis] + last
    return inside(place, size, first < pad[axis], end >= size)


def _sample(x: str, **attrs: object) -> Sample:
    return Sample((x,), attrs)


register(
    Op(
        name="winograd_input",
        infer=infer,
        reference=reference,
        lower=Nest(lower),
        kind="transform",
        tolerance=1e-4,
        samples=(
            _sample("f32[b3,2,8,8]", tile=(4, 4), kernel=(3, 3), pad=(1, 1), out=(8, 8)),
            _sample("f32[b17,1,7,9]", tile=(2, 2), kernel=(3, 3), pad=(0, 1), out=(5, 9)),
            _sample("f32[b2,3,6,5]", tile=(1, 4), kernel=(1, 5), pad=(0, 2), out=(6, 5)),
            _sample("f32[b2,2,9]", tile=(4,), kernel=(3,), pad=(1,), out=(9,)),
            _sample("f32[b2,2,4,5,3]", tile=(2, 2, 2), kernel=(3, 3, 2), pad=(1, 1, 0), out=(4, 5, 2)),
        ),
    )
)
