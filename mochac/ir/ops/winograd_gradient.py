"""winograd_gradient: tiles of a gradient, transformed for products with tiles of an image (_winograd.py).

    e[n,q,f,t] = sum over i of A[q,i] dy[n, f, t*m + i], with zeros behind the last row and column

Shapes: dy (N,F,OH,OW) -> (N, Q, F, TH, TW), with the Q products of a tile; or with one or three spatial axes. `tile`
and `kernel` have a number for each of these axes. It is the transpose of winograd_output, made after gradients are
derived, and has no gradient.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._typing import require_float, result
from mochac.ir.ops._window import flat_place, inside, require_images, windows
from mochac.ir.ops._winograd import Tiling, applied, read_or_zero, tile_loops, write_transform
from mochac.ir.types import TensorType


def infer(dy: TensorType, *, tile: object, kernel: object) -> tuple[TensorType, ...]:
    require_float("the gradient", dy)
    axes = require_images("the gradient", dy, "batch, filters")
    tiling = Tiling.of({"tile": tile, "kernel": kernel}, axes)
    n, f, *out = dy.shape
    return (result(dy.dtype, (n, tiling.products, f, *tiling.counts(out)), dy.batch, dy),)


def reference(dy: np.ndarray, **attrs: object) -> np.ndarray:
    axes = dy.ndim - 2
    tiling = Tiling.of(attrs, axes)
    cells = windows(dy, tiling.counts(dy.shape[2:]), tiling.tile, tiling.tile, (0,) * axes)
    e = applied(tiling.matrices("A"), cells, range(2 + axes, 2 + 2 * axes))
    return np.ascontiguousarray(np.moveaxis(e.reshape(*e.shape[: 2 + axes], -1), -1, 1))


def lower(k: KernelBuilder, bound: BoundNode) -> None:
    dy, e = bound.inputs[0].type, bound.outputs[0].type
    samples, _, filters, *counts = e.shape
    tiling = Tiling.of(bound.attr, len(counts))
    with tile_loops(k, samples, counts, ("f", filters)) as (n, (f,), at):

        def read(cell: tuple[Index, ...]) -> Operand:
            place = [t * m + i for t, m, i in zip(at, tiling.tile, cell, strict=True)]
            guards = [
                g
                for cell, size, count, m in zip(place, dy.shape[2:], counts, tiling.tile, strict=True)
                for g in inside(cell, size, False, count * m > size)
            ]
            return read_or_zero(k, bound, (n, f, *place), guards)

        def write(cell: tuple[Index, ...], value: Operand) -> None:
            k.write(bound, 0, (n, flat_place(cell, tiling.cells), f, *at), value)

        write_transform(k, dy.dtype, tiling.matrices("A"), read, write)


register(
    Op(
        name="winograd_gradient",
        infer=infer,
        reference=reference,
        lower=Nest(lower),
        kind="transform",
        tolerance=1e-4,
        samples=(
            Sample(("f32[b3,2,8,8]",), {"tile": (4, 4), "kernel": (3, 3)}),
            Sample(("f32[b17,2,5,3]",), {"tile": (2, 2), "kernel": (3, 3)}),
            Sample(("f32[b2,3,6,5]",), {"tile": (1, 4), "kernel": (1, 5)}),
            Sample(("f32[b2,2,9]",), {"tile": (4,), "kernel": (3,)}),
            Sample(("f32[b2,2,4,5,1]",), {"tile": (2, 2, 2), "kernel": (3, 3, 2)}),
        ),
    )
)
