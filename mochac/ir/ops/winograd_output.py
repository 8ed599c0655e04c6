"""winograd_output: images from tiles of transformed results (_winograd.py).

    y[n, f, t*m + i] = b[f] + sum over q of A'[i,q] m[n,q,f,t]

Shapes: m (N,Q,F,TH,TW), b (F,) -> (N,F,OH,OW), or with one or three spatial axes. Attributes with a number for each of
these axes: `tile`, the results of a tile; `kernel`; `out`, all results: the last tile may have more. It is made after
gradients are derived, and has no gradient.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._typing import integers, require_float, require_shape, result
from mochac.ir.ops._window import flat_place, inside, per_axis
from mochac.ir.ops._winograd import Tiling, applied, require_tiles, tile_loops, write_transform
from mochac.ir.types import TensorType


def infer(
    m: TensorType, b: TensorType | None = None, *, tile: object, kernel: object, out: object
) -> tuple[TensorType, ...]:
    require_float("the tiles", m)
    axes = require_tiles("the tiles", m)
    tiling, size = Tiling.of({"tile": tile, "kernel": kernel}, axes), per_axis("out", out, axes, 1)
    n, _, f, *_ = m.shape
    require_shape("tiles", m, (n, tiling.products, f, *tiling.counts(size)), "the tiles do not match the results")
    if b is not None:
        require_shape("bias", b, (f,), "the bias needs one number per filter")
    return (result(m.dtype, (n, f, *size), m.batch, m),)


def reference(m: np.ndarray, b: np.ndarray | None = None, *, out: tuple[int, ...], **attrs: Any) -> np.ndarray:
    axes = len(out)
    tiling = Tiling.of(attrs, axes)
    n, _, f, *counts = m.shape
    tiles = np.moveaxis(m, 1, -1).reshape(n, f, *counts, *tiling.cells)
    tiles = applied(tiling.matrices("A'"), tiles, range(2 + axes, 2 + 2 * axes))
    side_by_side = tiles.transpose(0, 1, *(2 + a + e for a in range(axes) for e in (0, axes)))
    y = side_by_side.reshape(n, f, *(t * size for t, size in zip(counts, tiling.tile, strict=True)))
    y = y[(slice(None), slice(None), *map(slice, out))]
    return np.ascontiguousarray(y if b is None else y + b.reshape(-1, *(1,) * axes))


def lower(k: KernelBuilder, bound: BoundNode) -> None:
    m = bound.inputs[0].type
    samples, _, filters, *counts = m.shape
    tiling, out = Tiling.of(bound.attr, len(counts)), integers(bound, "out")
    inner = tiling.tile[-1]
    with tile_loops(k, samples, counts, ("f", filters)) as (n, (f,), at):
        bias = k.read(bound, 1, (f,)) if len(bound.inputs) == 2 else None
        line = k.local("results", m.dtype, shape=(inner,))

        def read(cell: tuple[Index, ...]) -> Operand:
            return k.read(bound, 0, (n, flat_place(cell, tiling.cells), f, *at))

        def write(place: tuple[Index, ...], value: Operand) -> None:
            """Collect the results of a line, then store them in a loop, where what follows can be computed."""
            k.set(line, value if bias is None else k.call("add", value, bias), place[-1])
            if place[-1].const < inner - 1:
                return
            with k.each("i", inner) as i:
                cells = [t * size + p for t, size, p in zip(at, tiling.tile, (*place[:-1], i), strict=True)]
                guards = [
                    g
                    for cell, size, count, e in zip(cells, out, counts, tiling.tile, strict=True)
                    for g in inside(cell, size, False, count * e > size)
                ]
                with k.where(*guards):
                    k.write(bound, 0, (n, f, *cells), k.get(line, i))

        write_transform(k, m.dtype, tiling.matrices("A'"), read, write)


register(
    Op(
        name="winograd_output",
        infer=infer,
        reference=reference,
        lower=Nest(lower),
        kind="transform",
        tolerance=1e-4,
        samples=(
            Sample(("f32[b3,36,2,2,2]", "f32[2]"), {"tile": (4, 4), "kernel": (3, 3), "out": (8, 8)}),
            Sample(("f32[b17,16,2,3,2]",), {"tile": (2, 2), "kernel": (3, 3), "out": (5, 4)}),
            Sample(("f32[b2,8,3,6,2]", "f32[3]"), {"tile": (1, 4), "kernel": (1, 5), "out": (6, 5)}),
            Sample(("f32[b2,6,2,3]",), {"tile": (4,), "kernel": (3,), "out": (9,)}),
            Sample(("f32[b2,48,2,2,3,1]",), {"tile": (2, 2, 2), "kernel": (3, 3, 2), "out": (4, 5, 2)}),
        ),
    )
)
