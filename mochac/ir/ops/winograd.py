"""Winograd's convolution: filters, tiles and products of the forward pass.

winograd_filter: filters, transformed for products with transformed tiles (_winograd.py).

    u[q,f,c] = sum over k of G[q,k] w[f,c,k];  with `flipped`, u[q,c,f] of w[f,c] flipped along all spatial axes

Shapes: w (F,C,KH,KW) -> (Q,F,C), flipped (Q,C,F); or with one or three spatial axes. `tile` has the results of a tile
along each of these axes. It is made after gradients are derived, and has no gradient.

winograd_input: tiles of an image, transformed for products with transformed filters (_winograd.py).

    v[n,q,c,t] = sum over k of B'[q,k] x[n, c, t*m - pad + k], with zeros around the image

Shapes: x (N,C,H,W) -> (N, Q, C, TH, TW), with the Q products of a tile; or with one or three spatial axes. Attributes
with a number for each of these axes: `tile`, the results of a tile; `kernel`; `pad`; `out`, all results. It is made
after gradients are derived (passes/fast_convolutions.py), and has no gradient.

winograd_product: the products of transformed tiles and filters, added up over channels (_winograd.py).

    m[n,q,f,t] = sum over c of v[n,q,c,t] * u[q,f,c];  with `swapped`, m[n,q,c,t] = sum over f of v[n,q,f,t] * u[q,f,c]

Shapes: v (N,Q,C,TH,TW), u (Q,F,C) -> (N,Q,F,TH,TW), or with one or three axes of tiles. `flops` are the nominal
operations of the convolution that it is a part of; 0: its own. It is made after gradients are derived, and has no
gradient. Its loops go over rows of tiles first, as those of the transforms do, so that a kernel can compute one row
after another.

winograd_output: images from tiles of transformed results (_winograd.py).

    y[n, f, t*m + i] = b[f] + sum over q of A'[i,q] m[n,q,f,t]

Shapes: m (N,Q,F,TH,TW), b (F,) -> (N,F,OH,OW), or with one or three spatial axes. Attributes with a number for each of
these axes: `tile`, the results of a tile; `kernel`; `out`, all results: the last tile may have more. It is made after
gradients are derived, and has no gradient.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._typing import integers, require_float, require_rank, require_same_dtype, require_shape, result
from mochac.ir.ops._window import flat_place, inside, per_axis, require_images, windows
from mochac.ir.ops._winograd import (
    Tiling,
    applied,
    nominal_flops,
    read_or_zero,
    require_tiles,
    tile_loops,
    write_transform,
)
from mochac.ir.types import TensorType


def infer_filter(w: TensorType, *, tile: object, flipped: bool = False) -> tuple[TensorType, ...]:
    require_float("the filter", w)
    axes = require_images("the filter", w, "filters, channels")
    filters, channels, *kernel = w.shape
    tiling = Tiling.of({"tile": tile, "kernel": tuple(kernel)}, axes)
    sides = (channels, filters) if flipped else (filters, channels)
    return (result(w.dtype, (tiling.products, *sides), False),)


def reference_filter(w: np.ndarray, *, tile: tuple[int, ...], flipped: bool = False) -> np.ndarray:
    axes = tuple(range(2, w.ndim))
    tiling = Tiling.of({"tile": tile, "kernel": w.shape[2:]}, len(axes))
    w = np.flip(w, axes).swapaxes(0, 1) if flipped else w
    u = applied(tiling.matrices("G"), w, axes)
    return np.ascontiguousarray(np.moveaxis(u.reshape(*u.shape[:2], -1), -1, 0))


def lower_filter(k: KernelBuilder, bound: BoundNode) -> None:
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


def _sample_filter(w: str, **attrs: Any) -> Sample:
    return Sample((w,), attrs)


register(
    Op(
        name="winograd_filter",
        infer=infer_filter,
        reference=reference_filter,
        lower=Nest(lower_filter),
        kind="transform",
        tolerance=1e-4,
        samples=(
            _sample_filter("f32[3,2,3,3]", tile=(4, 4)),
            _sample_filter("f32[3,2,3,5]", tile=(2, 4), flipped=True),
            _sample_filter("f32[2,3,1,3]", tile=(1, 4), flipped=True),
            _sample_filter("f32[2,17,3]", tile=(4,)),
            _sample_filter("f32[2,1,3,3,2]", tile=(2, 2, 2)),
        ),
    )
)


def infer_input(x: TensorType, *, tile: object, kernel: object, pad: object, out: object) -> tuple[TensorType, ...]:
    require_float("the image", x)
    axes = require_images("the image", x)
    tiling = Tiling.of({"tile": tile, "kernel": kernel}, axes)
    per_axis("pad", pad, axes, 0)
    counts = tiling.counts(per_axis("out", out, axes, 1))
    return (result(x.dtype, (x.shape[0], tiling.products, x.shape[1], *counts), x.batch, x),)


def reference_input(x: np.ndarray, *, pad: tuple[int, ...], out: tuple[int, ...], **attrs: Any) -> np.ndarray:
    axes = len(out)
    tiling = Tiling.of(attrs, axes)
    counts = tiling.counts(out)
    cells = windows(x, counts, tiling.cells, tiling.tile, pad)
    v = applied(tiling.matrices("B'"), cells, range(2 + axes, 2 + 2 * axes))
    return np.ascontiguousarray(np.moveaxis(v.reshape(*v.shape[: 2 + axes], -1), -1, 1))


def lower_input(k: KernelBuilder, bound: BoundNode) -> None:
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


def _sample_input(x: str, **attrs: object) -> Sample:
    return Sample((x,), attrs)


register(
    Op(
        name="winograd_input",
        infer=infer_input,
        reference=reference_input,
        lower=Nest(lower_input),
        kind="transform",
        tolerance=1e-4,
        samples=(
            _sample_input("f32[b3,2,8,8]", tile=(4, 4), kernel=(3, 3), pad=(1, 1), out=(8, 8)),
            _sample_input("f32[b17,1,7,9]", tile=(2, 2), kernel=(3, 3), pad=(0, 1), out=(5, 9)),
            _sample_input("f32[b2,3,6,5]", tile=(1, 4), kernel=(1, 5), pad=(0, 2), out=(6, 5)),
            _sample_input("f32[b2,2,9]", tile=(4,), kernel=(3,), pad=(1,), out=(9,)),
            _sample_input("f32[b2,2,4,5,3]", tile=(2, 2, 2), kernel=(3, 3, 2), pad=(1, 1, 0), out=(4, 5, 2)),
        ),
    )
)


def infer_product(v: TensorType, u: TensorType, *, swapped: bool = False, flops: int = 0) -> tuple[TensorType, ...]:
    require_float("the tiles", v)
    require_tiles("the tiles", v)
    require_rank("the filter", u, 3, "products, filters, channels")
    require_same_dtype(("the tiles", v), ("the filter", u))
    n, q, c, *counts = v.shape
    filters = u.shape[2 if swapped else 1]
    expected = (q, c, filters) if swapped else (q, filters, c)
    require_shape("the filter", u, expected, "the filter does not match the tiles")
    return (result(v.dtype, (n, q, filters, *counts), v.batch, v),)


def reference_product(v: np.ndarray, u: np.ndarray, *, swapped: bool = False, flops: int = 0) -> np.ndarray:
    return np.einsum("nqc...,qcf->nqf..." if swapped else "nqc...,qfc->nqf...", v, u)


def lower_product(k: KernelBuilder, bound: BoundNode) -> None:
    v, m = bound.inputs[0].type, bound.outputs[0].type
    samples, products, filters, *counts = m.shape
    with tile_loops(k, samples, counts, ("q", products), ("f", filters)) as (n, (q, f), at):
        acc = k.local("acc", v.dtype, k.const(0.0, v.dtype))
        with k.sum("c", v.shape[2]) as c:
            sides = (c, f) if bound.attr.get("swapped", False) else (f, c)
            k.accum(acc, "fma", k.read(bound, 0, (n, q, c, *at)), k.read(bound, 1, (q, *sides)))
        k.write(bound, 0, (n, q, f, *at), k.get(acc))


def nominal(bound: BoundNode) -> int:
    return nominal_flops(bound, prod(bound.outputs[0].type.shape) * bound.inputs[0].type.shape[2])


register(
    Op(
        name="winograd_product",
        infer=infer_product,
        reference=reference_product,
        lower=Nest(lower_product),
        kind="contraction",
        of_tiles=True,
        tolerance=5e-5,
        flops=nominal,
        samples=(
            Sample(("f32[b3,4,2,3,2]", "f32[4,5,2]")),
            Sample(("f32[b17,3,3,2]", "f32[3,1,3]"), {"flops": 1000}),
            Sample(("f32[b2,2,3,1,2,2]", "f32[2,4,3]")),
            Sample(("f32[b3,4,2,3,2]", "f32[4,2,5]"), {"swapped": True}),
        ),
    )
)


def infer_output(
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


def reference_output(m: np.ndarray, b: np.ndarray | None = None, *, out: tuple[int, ...], **attrs: Any) -> np.ndarray:
    axes = len(out)
    tiling = Tiling.of(attrs, axes)
    n, _, f, *counts = m.shape
    tiles = np.moveaxis(m, 1, -1).reshape(n, f, *counts, *tiling.cells)
    tiles = applied(tiling.matrices("A'"), tiles, range(2 + axes, 2 + 2 * axes))
    side_by_side = tiles.transpose(0, 1, *(2 + a + e for a in range(axes) for e in (0, axes)))
    y = side_by_side.reshape(n, f, *(t * size for t, size in zip(counts, tiling.tile, strict=True)))
    y = y[(slice(None), slice(None), *map(slice, out))]
    return np.ascontiguousarray(y if b is None else y + b.reshape(-1, *(1,) * axes))


def lower_output(k: KernelBuilder, bound: BoundNode) -> None:
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
        infer=infer_output,
        reference=reference_output,
        lower=Nest(lower_output),
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
