"""winograd_filter: filters, transformed for products with transformed tiles (_winograd.py).

    u[q,f,c] = sum over k of G[q,k] w[f,c,k];  with `flipped`, u[q,c,f] of w[f,c] flipped along all spatial axes

Shapes: w (F,C,KH,KW) -> (Q,F,C), flipped (Q,C,F); or with one or three spatial axes. `tile` has the results of a tile
along each of these axes. It is made after gradients are derived, and has no gradient.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._typing import require_float, result
from mochac.ir.ops._window import flat_place, require_images
from mochac.ir.ops._winograd import Tiling, applied, write_transform
from mochac.ir.types import TensorType


def infer(w: TensorType, *, tile: object, flipped: bool = False) -> tuple[TensorType, ...]:
    require_float("the filter", w)
    axes = require_images("the filter", w, "filters, channels")
    filters, channels, *kernel = w.shape
    tiling = Tiling.of({"tile": tile, "kernel": tuple(kernel)}, axes)
    sides = (channels, filters) if flipped else (filters, channels)
    return (result(w.dtype, (tiling.products, *sides), False),)


def reference(w: np.ndarray, *, tile: tuple[int, ...], flipped: bool = False) -> np.ndarray:
    axes = tuple(range(2, w.ndim))
    tiling = Tiling.of({"tile": tile, "kernel": w.shape[2:]}, len(axes))
    w = np.flip(w, axes).swapaxes(0, 1) if flipped else w
    u = applied(tiling.matrices("G"), w, axes)
    return np.ascontiguousarray(np.moveaxis(u.reshape(*u.shape[:2], -1), -1, 0))


def lower(k: KernelBuilder, bound: BoundNode) -> None:
    w, flipped = bound.inputs[0].type, bool(bound.attr.get("flipped", False))
    _, rows, columns = bound.outputs[0].type.shape
    taps = w.shape[2:]
    tiling = Tiling.of({"tile": bound.attr["tile"], "kernel": taps}, len(taps))
    with k.each("o", rows) as o, k.each("i", columns) as i:

        def read(tap: tuple[Index, ...]) -> Operand:
            if not flipped:
                return k.read(bound, 0, (o, i, *tap))
            return k.read(bound, 0, (i, o, *(n - 1 - t for n, t in zip(taps, tap, strict=True))))

        def write(cell: tuple[Index, ...], value: Operand) -> None:
            k.write(bound, 0, (flat_place(cell, tiling.cells), o, i), value)

        write_transform(k, w.dtype, tiling.matrices("G"), read, write)


def _sample(w: str, **attrs: Any) -> Sample:
    return Sample((w,), attrs)


register(
    Op(
        name="winograd_filter",
        infer=infer,
        reference=reference,
        lower=Nest(lower),
        kind="transform",
        tolerance=1e-4,
        samples=(
            _sample("f32[3,2,3,3]", tile=(4, 4)),
            _sample("f32[3,2,3,5]", tile=(2, 4), flipped=True),
            _sample("f32[2,3,1,3]", tile=(1, 4), flipped=True),
            _sample("f32[2,17,3]", tile=(4,)),
            _sample("f32[2,1,3,3,2]", tile=(2, 2, 2)),
        ),
    )
)
