"""Sums over the parts of a batch and over ranks, in an order that does not depend on the number of ranks.

sum_parts: adds up the sums over the parts of a batch, in an order that does not depend on which rank computed them.

    y = tree(x_0, ..., x_P-1);   tree(x) = x;   tree(x_0 .. x_n-1) = tree(first half) + tree(second half)

Shapes: P equal ones -> the same, not batch. P is a power of two: a process that has computed a half, a quarter, ... of
the parts adds up only these, and the sums of all processes, in order, are added up in the same way.

It is a kernel of its own, or part of the elementwise kernel that reads it, so that the work before and after it is the
same code for any number of processes. passes/cut_batch.py writes it, after gradients have been taken.

rank_sum: the sum of a value over the ranks that train together, which every rank gets.

    y = tree(x of rank 0, x of rank 1, ...),  tree(a0 .. an-1) = tree(a0 .. an/2-1) + tree(an/2 .. an-1)

Shapes: x (...) float -> like x, without samples. Attribute: ranks, how many add up their values. cut_batch writes it,
and the pass buckets replaces it by exchanges: on CPUs, none of these nodes remains; on devices, one node per bucket
remains, which a library computes. The reference is that of a single rank: x itself. Gradients are taken before it is
introduced.

exchange_start: begin to add up values over the ranks that train together; the first half of an exchange.

    token = (elements of x0, elements of x1, ...)

Shapes: x0 (...), x1 (...), ... of one float type -> token (total elements). exchange_wait takes the token. The launch
returns at once: a communication thread adds up the token's memory over the ranks while kernels run. On a single rank,
which is the reference, the token holds the operands. The pass buckets writes it; `bucket` is its number.

exchange_wait: the sums over all ranks of what exchange_start began with; the second half of an exchange.

    (y0, y1, ...) = token, cut into `shapes`

Shapes: token (n) -> y0 `shapes[0]`, y1 `shapes[1]`, ... The launch waits until the sums are there. Attributes: bucket,
the number of the exchange; late, whether every kernel that does not depend on a late wait comes before it (plan_memory)
because only the update reads the sums. On a single rank, which is the reference, the sums are the operands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import prod
from typing import TypeVar

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Nest, Pointwise
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import copied, each_element, require_float, require_same_dtype, unchanged
from mochac.ir.types import TensorType

T = TypeVar("T")


def tree(terms: Sequence[T], add: Callable[[T, T], T]) -> T:
    """The sum of terms, as a balanced binary tree.

    >>> tree("abcd", lambda left, right: f"({left}{right})")
    '((ab)(cd))'
    """
    if len(terms) == 1:
        return terms[0]
    half = len(terms) // 2
    return add(tree(terms[:half], add), tree(terms[half:], add))


def infer_parts(*parts: TensorType) -> tuple[TensorType, ...]:
    if not parts or len(parts) & (len(parts) - 1):
        raise OpTypeError("the number of parts is a power of two", "1, 2, 4, ... operands", str(len(parts)))
    first = parts[0]
    require_float("a sum", first)
    other = next((t for t in parts if t != first or t.batch), None)
    if other is not None:
        raise OpTypeError("the sums of all parts have one type, without a batch", str(first), str(other))
    return (first,)


def reference_parts(*parts: np.ndarray) -> np.ndarray:
    return np.array(tree(parts, np.add))


def lower_parts(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    parts = [k.read(bound, position, index) for position in range(len(bound.inputs))]
    return (tree(parts, lambda left, right: k.call("add", left, right)),)


register(
    Op(
        name="sum_parts",
        infer=infer_parts,
        reference=reference_parts,
        lower=Pointwise(lower_parts),
        alone="the sums of parts are added up by themselves, for any number of processes",
        joins_readers=True,
        tolerance=1e-6,
        samples=(
            Sample(("f32[3,5]", "f32[3,5]")),
            Sample(("f32[17,2,3]",) * 4),
            Sample(("f32[]",) * 8),
            Sample(("f32[33]",)),
        ),
    )
)


def infer_rank(x: TensorType, *, ranks: int = 1) -> tuple[TensorType, ...]:
    require_float("the operand", x)
    if x.batch:
        raise OpTypeError("ranks have different samples, so their values cannot be added", "no batch mark", str(x))
    return (x,)


register(
    Op(
        name="rank_sum",
        infer=infer_rank,
        reference=unchanged,
        lower=Pointwise(copied),
        kind="call",
        alone="ranks exchange it",
        tolerance=0.0,
        samples=(Sample(("f32[3,2]",)), Sample(("f64[]",), {"ranks": 4})),
    )
)


def infer_start(*xs: TensorType, bucket: int = 0) -> tuple[TensorType, ...]:
    if not xs:
        raise OpTypeError("there is nothing to exchange", "1 or more operands", "none")
    for x in xs:
        require_float("an operand", x)
        require_same_dtype(("the first operand", xs[0]), ("another", x))
        if x.batch:
            raise OpTypeError("ranks have different samples, so their values cannot be added", "no batch mark", str(x))
    return (TensorType(xs[0].dtype, (sum(x.elems for x in xs),)),)


def reference_start(*xs: np.ndarray, bucket: int = 0) -> np.ndarray:
    return np.concatenate([x.reshape(-1) for x in xs])


def lower_start(k: KernelBuilder, bound: BoundNode) -> None:
    with k.each("exchange", 1):  # one nest for all of them
        first = 0
        for position, x in enumerate(bound.inputs):
            with each_element(k, x.type.shape) as (index, flat):
                k.write(bound, 0, (flat + first,), k.read(bound, position, index))
            first += prod(x.type.shape)


register(
    Op(
        name="exchange_start",
        infer=infer_start,
        reference=reference_start,
        lower=Nest(lower_start),
        kind="call",
        alone="ranks exchange it",
        tolerance=0.0,
        samples=(Sample(("f32[3,2]", "f32[4]", "f32[]")), Sample(("f32[5]",), {"bucket": 2})),
    )
)


Shapes = tuple[tuple[int, ...], ...]


def infer_wait(token: TensorType, *, shapes: Shapes, bucket: int = 0, late: bool = False) -> tuple[TensorType, ...]:
    elems = sum(map(prod, shapes))
    if token.shape != (elems,):
        raise OpTypeError("the results have the elements of the token", f"({elems},)", str(token))
    return tuple(TensorType(token.dtype, tuple(shape)) for shape in shapes)


def reference_wait(token: np.ndarray, *, shapes: Shapes, bucket: int = 0, late: bool = False) -> tuple[np.ndarray, ...]:
    ends = [*accumulate(map(prod, shapes))][:-1]
    return tuple(part.reshape(shape).copy() for part, shape in zip(np.split(token, ends), shapes, strict=True))


def lower_wait(k: KernelBuilder, bound: BoundNode) -> None:
    with k.each("exchange", 1):  # one nest for all of them
        first = 0
        for position, y in enumerate(bound.outputs):
            with each_element(k, y.type.shape) as (index, flat):
                k.write(bound, position, index, k.read(bound, 0, (flat + first,)))
            first += prod(y.type.shape)


register(
    Op(
        name="exchange_wait",
        infer=infer_wait,
        reference=reference_wait,
        lower=Nest(lower_wait),
        kind="call",
        alone="ranks exchange it",
        tolerance=0.0,
        samples=(
            Sample(("f32[11]",), {"shapes": ((3, 2), (4,), ())}),
            Sample(("f32[6]",), {"shapes": ((2, 3),), "bucket": 2, "late": True}),
        ),
    )
)
