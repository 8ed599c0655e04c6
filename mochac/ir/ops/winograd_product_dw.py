"""winograd_product_dw: products of transformed gradients and images, added up over samples and tiles (_winograd.py).

    m[p,f,q,c] = sum over the samples n of group p, and over tiles t, of e[n,q,f,t] * v[n,q,c,t]

Shapes: e (N,Q,F,TH,TW), v (N,Q,C,TH,TW) -> (P,F,Q,C), not batch; or with one or three axes of tiles. `group_size` is
the number of consecutive samples in each of the P groups; the last may have fewer. `flops` are the nominal operations
of the weight gradient that it is a part of; 0: its own. It is made after gradients are derived, and has no gradient.
Its sum goes over samples and rows of tiles first, as the loops of the transforms do, so that a kernel can transform and
multiply a few tiles at a time.
"""

from __future__ import annotations

from contextlib import ExitStack
from math import prod

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index, Limit
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import integer, require_float, require_same_dtype, require_shape, result
from mochac.ir.ops._window import loop_names
from mochac.ir.ops._winograd import nominal_flops, require_tiles
from mochac.ir.types import TensorType


def infer(e: TensorType, v: TensorType, *, group_size: object, flops: int = 0) -> tuple[TensorType, ...]:
    for what, t in (("the gradient", e), ("the image", v)):
        require_float(what, t)
        require_tiles(what, t)
    require_same_dtype(("the gradient", e), ("the image", v))
    n, q, c, *counts = v.shape
    require_shape("gradient", e, (n, q, e.shape[2], *counts), "the gradient does not match the image")
    if not isinstance(group_size, int) or isinstance(group_size, bool) or group_size < 1:
        raise OpTypeError("group_size must be positive", "an integer >= 1", str(group_size))
    return (result(v.dtype, (-(-n // group_size), e.shape[2], q, c), False),)


def reference(e: np.ndarray, v: np.ndarray, *, group_size: int, flops: int = 0) -> np.ndarray:
    e, v = (x.reshape(*x.shape[:3], -1) for x in (e, v))
    groups = [slice(i, i + group_size) for i in range(0, len(v), group_size)]
    return np.stack([np.einsum("nqft,nqct->fqc", e[at], v[at]) for at in groups])


def lower(k: KernelBuilder, bound: BoundNode) -> None:
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
        infer=infer,
        reference=reference,
        lower=Nest(lower),
        kind="contraction",
        tolerance=1e-4,
        flops=nominal,
        samples=(
            Sample(("f32[b3,4,5,3,2]", "f32[b3,4,2,3,2]"), {"group_size": 3}),
            Sample(("f32[b17,3,1,2]", "f32[b17,3,4,2]"), {"group_size": 16, "flops": 1000}),
            Sample(("f32[b4,2,3,1,2,2]", "f32[b4,2,2,1,2,2]"), {"group_size": 2}),
        ),
    )
)
