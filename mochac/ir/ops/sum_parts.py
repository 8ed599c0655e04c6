"""sum_parts: adds up the sums over the parts of a batch, in an order that does not depend on which rank computed them.

    y = tree(x_0, ..., x_P-1);   tree(x) = x;   tree(x_0 .. x_n-1) = tree(first half) + tree(second half)

Shapes: P equal ones -> the same, not batch. P is a power of two: a process that has computed a half, a quarter, ... of
the parts adds up only these, and the sums of all processes, in order, are added up in the same way.

It is a kernel of its own, or part of the elementwise kernel that reads it, so that the work before and after it is the
same code for any number of processes. passes/cut_batch.py writes it, after gradients have been taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import require_float
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


def infer(*parts: TensorType) -> tuple[TensorType, ...]:
    if not parts or len(parts) & (len(parts) - 1):
        raise OpTypeError("the number of parts is a power of two", "1, 2, 4, ... operands", str(len(parts)))
    first = parts[0]
    require_float("a sum", first)
    other = next((t for t in parts if t != first or t.batch), None)
    if other is not None:
        raise OpTypeError("the sums of all parts have one type, without a batch", str(first), str(other))
    return (first,)


def reference(*parts: np.ndarray) -> np.ndarray:
    return np.array(tree(parts, np.add))


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    parts = [k.read(bound, position, index) for position in range(len(bound.inputs))]
    return (tree(parts, lambda left, right: k.call("add", left, right)),)


register(
    Op(
        name="sum_parts",
        infer=infer,
        reference=reference,
        lower=Pointwise(lower),
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
