"""Gradients of Winograd's convolution.

winograd_input_dx: images of which tiles overlap, added up from their transformed cells (_winograd.py).

    dx[n,c,i] = sum over t,k of B[k,q] m[n,q,c,t], with t*m - pad + k = i

Shapes: m (N,Q,C,TH,TW) -> (N,C,H,W), or with one or three spatial axes. Attributes with a number for each of these
axes: `tile`, the results of a tile; `kernel`; `pad`; `image`, the extents of dx. Tiles are added in row-major order. It
is the transpose of winograd_input, made after gradients are derived, and has no gradient.

winograd_filter_dw: gradients of filters from sums of transformed products (_winograd.py).

    dw[f,c,k] = sum over q of G'[k,q] s[f,q,c],  with s[f,q,c] = m[0,f,q,c] + m[1,f,q,c] + ..

Shapes: m (P,F,Q,C) -> (F,C,KH,KW), or with one or three spatial axes. `tile` and `kernel` have a number for each of
these axes. It is the transpose of winograd_filter, made after gradients are derived, and has no gradient.

winograd_product_dw: products of transformed gradients and images, added up over samples and tiles (_winograd.py).

    m[p,f,q,c] = sum over the samples n of group p, and over tiles t, of e[n,q,f,t] * v[n,q,c,t]

Shapes: e (N,Q,F,TH,TW), v (N,Q,C,TH,TW) -> (P,F,Q,C), not batch; or with one or three axes of tiles. `group_size` is
the number of consecutive samples in each of the P groups; the last may have fewer. `flops` are the nominal operations
of the weight gradient that it is a part of; 0: its own. It is made after gradients are derived, and has no gradient.
Its sum goes over samples and rows of tiles first, as the loops of the transforms do, so that a kernel can transform and
multiply a few tiles at a time.

winograd_gradient: tiles of a gradient, transformed for products with tiles of an image (_winograd.py).

    e[n,q,f,t] = sum over i of A[q,i] dy[n, f, t*m + i], with zeros behind the last row and column

Shapes: dy (N,F,OH,OW) -> (N, Q, F, TH, TW), with the Q products of a tile; or with one or three spatial axes. `tile`
and `kernel` have a number for each of these axes. It is the transpose of winograd_output, made after gradients are
derived, and has no gradient.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from functools import reduce
from math import prod
from typing import Any

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import (
    integer,
    integers,
    require_float,
    require_rank,
    require_same_dtype,
    require_shape,
    result,
)
from mochac.ir.ops._window import flat_place, inside, loop_names, per_axis, require_images, scatter, windows
from mochac.ir.ops._winograd import (
    Tiling,
    applied,
    each_of,
    nominal_flops,
    read_or_zero,
    require_tiles,
    tile_loops,
    write_transform,
)
from mochac.ir.types import TensorType


def infer_input(m: TensorType, *, tile: object, kernel: object, pad: object, image: object) -> tuple[TensorType, ...]:
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


def reference_input(m: np.ndarray, *, pad: tuple[int, ...], image: tuple[int, ...], **attrs: Any) -> np.ndarray:
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


def lower_input(k: KernelBuilder, bound: BoundNode) -> None:
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
        infer=infer_input,
        reference=reference_input,
        lower=Nest(lower_input),
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


def infer_filter(m: TensorType, *, tile: object, kernel: object) -> tuple[TensorType, ...]:
    require_float("the products", m)
    require_rank("the products", m, 4, "groups, filters, products, channels")
    if not isinstance(kernel, tuple) or not 1 <= len(kernel) <= 3:
        raise OpTypeError("kernel must have 1 to 3 axes", "(height, width)", str(kernel))
    tiling = Tiling.of({"tile": tile, "kernel": kernel}, len(kernel))
    p, f, _, c = m.shape
    require_shape("products", m, (p, f, tiling.products, c), "the products do not match the tiles")
    return (result(m.dtype, (f, c, *tiling.kernel), False),)


def reference_filter(m: np.ndarray, *, kernel: tuple[int, ...], **attrs: object) -> np.ndarray:
    axes = len(kernel)
    tiling = Tiling.of({**attrs, "kernel": kernel}, axes)
    total = reduce(np.add, m)
    tiles = np.moveaxis(total, 1, -1)
    tiles = tiles.reshape(*tiles.shape[:2], *tiling.cells)
    return np.ascontiguousarray(applied(tiling.matrices("G'"), tiles, range(2, 2 + axes)))


def lower_filter(k: KernelBuilder, bound: BoundNode) -> None:
    m = bound.inputs[0].type
    groups, filters, _, channels = m.shape
    kernel = bound.outputs[0].type.shape[2:]
    tiling = Tiling.of(bound.attr, len(kernel))
    with k.each("f", filters) as f, k.each("c", channels) as c:
        taps = k.local("taps", m.dtype, shape=kernel)

        def read(cell: tuple[Index, ...]) -> Operand:
            q = flat_place(cell, tiling.cells)
            parts = [k.read(bound, 0, (p, f, q, c)) for p in range(groups)]
            return reduce(lambda a, b: k.call("add", a, b), parts)

        def write(tap: tuple[Index, ...], value: Operand) -> None:
            k.set(taps, value, *tap)

        write_transform(k, m.dtype, tiling.matrices("G'"), read, write)
        with each_of(k, "k", kernel) as at:
            k.write(bound, 0, (f, c, *at), k.get(taps, *at))


register(
    Op(
        name="winograd_filter_dw",
        infer=infer_filter,
        reference=reference_filter,
        lower=Nest(lower_filter),
        kind="transform",
        tolerance=1e-4,
        samples=(
            Sample(("f32[1,3,36,2]",), {"tile": (4, 4), "kernel": (3, 3)}),
            Sample(("f32[3,2,16,17]",), {"tile": (2, 2), "kernel": (3, 3)}),
            Sample(("f32[2,3,8,2]",), {"tile": (1, 4), "kernel": (1, 5)}),
            Sample(("f32[2,2,6,3]",), {"tile": (4,), "kernel": (3,)}),
            Sample(("f32[1,2,48,1]",), {"tile": (2, 2, 2), "kernel": (3, 3, 2)}),
        ),
    )
)


def infer_product(e: TensorType, v: TensorType, *, group_size: object, flops: int = 0) -> tuple[TensorType, ...]:
    for what, t in (("the gradient", e), ("the image", v)):
        require_float(what, t)
        require_tiles(what, t)
    require_same_dtype(("the gradient", e), ("the image", v))
    n, q, c, *counts = v.shape
    require_shape("gradient", e, (n, q, e.shape[2], *counts), "the gradient does not match the image")
    if not isinstance(group_size, int) or isinstance(group_size, bool) or group_size < 1:
        raise OpTypeError("group_size must be positive", "an integer >= 1", str(group_size))
    return (result(v.dtype, (-(-n // group_size), e.shape[2], q, c), False),)


def reference_product(e: np.ndarray, v: np.ndarray, *, group_size: int, flops: int = 0) -> np.ndarray:
    e, v = (x.reshape(*x.shape[:3], -1) for x in (e, v))
    groups = [slice(i, i + group_size) for i in range(0, len(v), group_size)]
    return np.stack([np.einsum("nqft,nqct->fqc", e[at], v[at]) for at in groups])


def lower_product(k: KernelBuilder, bound: BoundNode) -> None:
    e, dtype = bound.inputs[0].type, bound.inputs[0].type.dtype
    samples, _, _, *counts = e.shape
    groups, filters, numbers, channels = bound.outputs[0].type.shape
    size = min(samples, integer(bound, "group_size"))
    *rows, last = loop_names("t", counts)
    sizes = (numbers, filters, channels)
    total = k.local("total", dtype, shape=sizes)
    with k.each("p", groups) as p:
        with ExitStack() as stack:
            at = tuple(stack.enter_context(k.each(name, n)) for name, n in zip("qfc", sizes, strict=True))
            k.set(total, k.const(0.0, dtype), *at)
        with ExitStack() as stack:
            end = Limit(((Index.of(size), 1), (samples - p * size, 1))) if samples % size else Limit.of(size)
            n = stack.enter_context(k.range("sum", "n", Limit.of(0), end))
            sample = n + p * size if groups > 1 else n
            tile = [stack.enter_context(k.sum(name, n)) for name, n in zip(rows, counts[:-1], strict=True)]
            q, f, c = (stack.enter_context(k.each(name, n)) for name, n in zip("qfc", sizes, strict=True))
            tile.append(stack.enter_context(k.sum(last, counts[-1])))
            operands = [k.read(bound, i, (sample, q, x, *tile)) for i, x in enumerate((f, c))]
            k.accum(total, "fma", *operands, index=(q, f, c))
        with ExitStack() as stack:
            f, q, c = (
                stack.enter_context(k.each(*loop)) for loop in zip("fqc", bound.outputs[0].type.shape[1:], strict=True)
            )
            k.write(bound, 0, (p, f, q, c), k.get(total, q, f, c))


def nominal(bound: BoundNode) -> int:
    return nominal_flops(bound, prod(bound.inputs[0].type.shape) * bound.inputs[1].type.shape[2])


register(
    Op(
        name="winograd_product_dw",
        infer=infer_product,
        reference=reference_product,
        lower=Nest(lower_product),
        kind="contraction",
        of_tiles=True,
        tolerance=1e-4,
        flops=nominal,
        samples=(
            Sample(("f32[b3,4,5,3,2]", "f32[b3,4,2,3,2]"), {"group_size": 3}),
            Sample(("f32[b17,3,1,2]", "f32[b17,3,4,2]"), {"group_size": 16, "flops": 1000}),
            Sample(("f32[b4,2,3,1,2,2]", "f32[b4,2,2,1,2,2]"), {"group_size": 2}),
        ),
    )
)


def infer_gradient(dy: TensorType, *, tile: object, kernel: object) -> tuple[TensorType, ...]:
    require_float("the gradient", dy)
    axes = require_images("the gradient", dy, "batch, filters")
    tiling = Tiling.of({"tile": tile, "kernel": kernel}, axes)
    n, f, *out = dy.shape
    return (result(dy.dtype, (n, tiling.products, f, *tiling.counts(out)), dy.batch, dy),)


def reference_gradient(dy: np.ndarray, **attrs: object) -> np.ndarray:
    axes = dy.ndim - 2
    tiling = Tiling.of(attrs, axes)
    cells = windows(dy, tiling.counts(dy.shape[2:]), tiling.tile, tiling.tile, (0,) * axes)
    e = applied(tiling.matrices("A"), cells, range(2 + axes, 2 + 2 * axes))
    return np.ascontiguousarray(np.moveaxis(e.reshape(*e.shape[: 2 + axes], -1), -1, 1))


def lower_gradient(k: KernelBuilder, bound: BoundNode) -> None:
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
        infer=infer_gradient,
        reference=reference_gradient,
        lower=Nest(lower_gradient),
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
