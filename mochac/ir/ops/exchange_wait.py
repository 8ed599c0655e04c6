"""exchange_wait: the sums over all ranks of what exchange_start began with; the second half of an exchange.

    (y0, y1, ...) = token, cut into `shapes`

Shapes: token (n) -> y0 `shapes[0]`, y1 `shapes[1]`, ... The launch waits until the sums are there. Attributes: bucket,
the number of the exchange; late, whether every kernel that does not depend on a late wait comes before it (plan_memory)
because only the update reads the sums. On a single rank, which is the reference, the sums are the operands.
"""

from __future__ import annotations

from itertools import accumulate
from math import prod

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._flat import each_element
from mochac.ir.types import TensorType

Shapes = tuple[tuple[int, ...], ...]


def infer(token: TensorType, *, shapes: Shapes, bucket: int = 0, late: bool = False) -> tuple[TensorType, ...]:
    elems = sum(map(prod, shapes))
    if token.shape != (elems,):
        raise OpTypeError("the results have the elements of the token", f"({elems},)", str(token))
    return tuple(TensorType(token.dtype, tuple(shape)) for shape in shapes)


def reference(token: np.ndarray, *, shapes: Shapes, bucket: int = 0, late: bool = False) -> tuple[np.ndarray, ...]:
    ends = [*accumulate(map(prod, shapes))][:-1]
    return tuple(part.reshape(shape).copy() for part, shape in zip(np.split(token, ends), shapes, strict=True))


def lower(k: KernelBuilder, bound: BoundNode) -> None:
    with k.each("exchange", 1):  # one nest for all of them
        first = 0
        for position, y in enumerate(bound.outputs):
            with each_element(k, y.type.shape) as (index, flat):
                k.write(bound, position, index, k.read(bound, 0, (flat + first,)))
            first += prod(y.type.shape)


register(
    Op(
        name="exchange_wait",
        infer=infer,
        reference=reference,
        lower=Nest(lower),
        kind="call",
        alone="ranks exchange it",
        tolerance=0.0,
        samples=(
            Sample(("f32[11]",), {"shapes": ((3, 2), (4,), ())}),
            Sample(("f32[6]",), {"shapes": ((2, 3),), "bucket": 2, "late": True}),
        ),
    )
)
