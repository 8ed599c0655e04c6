"""winograd_filter_dw: gradients of filters from sums of transformed products (_winograd.py).

    dw[f,c,k] = sum over q of G'[k,q] s[f,q,c],  with s[f,q,c] = m[0,f,q,c] + m[1,f,q,c] + ..

Shapes: m (P,F,Q,C) -> (F,C,KH,KW), or with one or three spatial axes. `tile` and `kernel` have a number for each of
these axes. It is the transpose of winograd_filter, made after gradients are derived, and has no gradient.
"""

from __future__ import annotations

from functools import reduce

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import require_float, require_rank, require_shape, result
from mochac.ir.ops._window import flat_place
from mochac.ir.ops._winograd import Tiling, applied, each_of, write_transform
from mochac.ir.types import TensorType


def infer(m: TensorType, *, tile: object, kernel: object) -> tuple[TensorType, ...]:
    require_float("the products", m)
    require_rank("the products", m, 4, "groups, filters, products, channels")
    if not isinstance(kernel, tuple) or not 1 <= len(kernel) <= 3:
        raise OpTypeError("kernel must have 1 to 3 axes", "(height, width)", str(kernel))
    tiling = Tiling.of({"tile": tile, "kernel": kernel}, len(kernel))
    p, f, _, c = m.shape
    require_shape("products", m, (p, f, tiling.products, c), "the products do not match the tiles")
    return (result(m.dtype, (f, c, *tiling.kernel), False),)


def reference(m: np.ndarray, *, kernel: tuple[int, ...], **attrs: object) -> np.ndarray:
    axes = len(kernel)
    tiling = Tiling.of({**attrs, "kernel": kernel}, axes)
    total = reduce(np.add, m)
    tiles = np.moveaxis(total, 1, -1)
    tiles = tiles.reshape(*tiles.shape[:2], *tiling.cells)
    return np.ascontiguousarray(applied(tiling.matrices("G'"), tiles, range(2, 2 + axes)))


def lower(k: KernelBuilder, bound: BoundNode) -> None:
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
        infer=infer,
        reference=reference,
        lower=Nest(lower),
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
