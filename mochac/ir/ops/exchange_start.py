"""exchange_start: begin to add up values over the ranks that train together; the first half of an exchange.

    token = (elements of x0, elements of x1, ...)

Shapes: x0 (...), x1 (...), ... of one float type -> token (total elements). exchange_wait takes the token. The launch
returns at once: a communication thread adds up the token's memory over the ranks while kernels run. On a single rank,
which is the reference, the token holds the operands. The pass buckets writes it; `bucket` is its number.
"""

from __future__ import annotations

from math import prod

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._flat import each_element
from mochac.ir.ops._typing import require_float, require_same_dtype
from mochac.ir.types import TensorType


def infer(*xs: TensorType, bucket: int = 0) -> tuple[TensorType, ...]:
    if not xs:
        raise OpTypeError("there is nothing to exchange", "1 or more operands", "none")
    for x in xs:
        require_float("an operand", x)
        require_same_dtype(("the first operand", xs[0]), ("another", x))
        if x.batch:
            raise OpTypeError("ranks have different samples, so their values cannot be added", "no batch mark", str(x))
    return (TensorType(xs[0].dtype, (sum(x.elems for x in xs),)),)


def reference(*xs: np.ndarray, bucket: int = 0) -> np.ndarray:
    return np.concatenate([x.reshape(-1) for x in xs])


def lower(k: KernelBuilder, bound: BoundNode) -> None:
    with k.each("exchange", 1):  # one nest for all of them
        first = 0
        for position, x in enumerate(bound.inputs):
            with each_element(k, x.type.shape) as (index, flat):
                k.write(bound, 0, (flat + first,), k.read(bound, position, index))
            first += prod(x.type.shape)


register(
    Op(
        name="exchange_start",
        infer=infer,
        reference=reference,
        lower=Nest(lower),
        kind="call",
        alone="ranks exchange it",
        tolerance=0.0,
        samples=(Sample(("f32[3,2]", "f32[4]", "f32[]")), Sample(("f32[5]",), {"bucket": 2})),
    )
)
