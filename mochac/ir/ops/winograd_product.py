"""winograd_product: the products of transformed tiles and filters, added up over channels (_winograd.py).

    m[n,q,f,t] = sum over c of v[n,q,c,t] * u[q,f,c];  with `swapped`, m[n,q,c,t] = sum over f of v[n,q,f,t] * u[q,f,c]

Shapes: v (N,Q,C,TH,TW), u (Q,F,C) -> (N,Q,F,TH,TW), or with one or three axes of tiles. `flops` are the nominal
operations of the convolution that it is a part of; 0: its own. It is made after gradients are derived, and has no
gradient. Its loops go over rows of tiles first, as those of the transforms do, so that a kernel can compute one row
after another.
"""

from __future__ import annotations

from math import prod

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._typing import require_float, require_rank, require_same_dtype, require_shape, result
from mochac.ir.ops._winograd import nominal_flops, require_tiles, tile_loops
from mochac.ir.types import TensorType


def infer(v: TensorType, u: TensorType, *, swapped: bool = False, flops: int = 0) -> tuple[TensorType, ...]:
    require_float("the tiles", v)
    require_tiles("the tiles", v)
    require_rank("the filter", u, 3, "products, filters, channels")
    require_same_dtype(("the tiles", v), ("the filter", u))
    n, q, c, *counts = v.shape
    made = u.shape[2 if swapped else 1]
    expected = (q, c, made) if swapped else (q, made, c)
    require_shape("the filter", u, expected, "the filter does not match the tiles")
    return (result(v.dtype, (n, q, made, *counts), v.batch, v),)


def reference(v: np.ndarray, u: np.ndarray, *, swapped: bool = False, flops: int = 0) -> np.ndarray:
    return np.einsum("nqc...,qcf->nqf..." if swapped else "nqc...,qfc->nqf...", v, u)


def lower(k: KernelBuilder, bound: BoundNode) -> None:
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
        infer=infer,
        reference=reference,
        lower=Nest(lower),
        kind="contraction",
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
