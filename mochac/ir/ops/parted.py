"""parts.OP: an op applied to all parts of a batch together, as if each part were computed alone.

    %dw = parts.inner_product_dw(%x, %dy) {parts = 4, samples = (0,1)}     the sum of four sums, added in pairs
    %y = parts.inner_product(%x, %w) {parts = 4, samples = (0,)}           rows, computed as those of one part are

Attributes: those of the op; `parts`, a power of two that divides the samples; `samples`, the operands that have samples
along axis 0, or pairs of samples. These are natural, so that a part lies in memory as it does in a batch of its own. A
result with samples is that of the op; a result without is tree(the results for the parts), as in sum_parts.
passes/join_rows.py makes such nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from mochac.base.records import record
from mochac.ir.graph import Attr, BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import IndexTuple, KernelBuilder, Pointwise
from mochac.ir.op import OPS, Op, OpTypeError, run_reference
from mochac.ir.ops.exchange import tree
from mochac.ir.types import DTYPES, PAIRS, TensorType, dtype_name

PREFIX = "parts"
LOOP = "part"
"""Name of the loop over parts."""
FIRST = Index.of(0)
_OWN = ("parts", "samples")


def parts_op(op: Op) -> Op:
    """The op that applies `op` to the parts of a batch.

    >>> OPS["parts.inner_product_dw"].kind
    'contraction'
    """
    return replace(
        op,
        name=f"{PREFIX}.{op.name}",
        infer=_infer(op),
        reference=_reference(op),
        lower=lambda attrs: Pointwise(_lower(op, attrs), _inner(op, attrs).axes),
        vjp=None,
        samples=(),
        flops=None if op.flops is None else _flops(op.flops),
        label=None,
        lifted=None,
        adds=False,
    )


def parts_of_rows(attrs: dict[str, Attr], result: TensorType) -> int:
    """For a node of this family, the number of parts whose rows it computes; 1 for a sum over samples, and for other
    nodes."""
    parts = attrs.get("parts")
    return parts if isinstance(parts, int) and "samples" in attrs and result.batch else 1


@record
class PartNode(BoundNode):
    """A node as the rules of the op see it: with the types of a part. `first` is the part's first sample."""

    samples: tuple[int, ...] = ()
    first: Index = FIRST

    def operand_index(self, position: int, index: IndexTuple) -> IndexTuple:
        return (self.first + index[0], *index[1:]) if position in self.samples else index


def _infer(op: Op) -> Callable[..., tuple[TensorType, ...]]:
    def infer(*types: TensorType, parts: int, samples: tuple[int, ...], **attrs: Any) -> tuple[TensorType, ...]:
        marked = tuple(k for k, t in enumerate(types) if t.batch or (t.dtype == PAIRS and k in samples))
        if not marked or marked != tuple(samples) or any(types[k].lanes for k in marked):
            raise OpTypeError("samples are natural batches, or pairs of samples", str(marked), str(samples))
        if parts < 1 or parts & (parts - 1) or any(types[k].shape[0] % parts for k in marked):
            raise OpTypeError("a power of two divides the samples", f"parts of {types[marked[0]]}", str(parts))
        return op.infer(*types, **attrs)

    return infer


def _part_type(t: TensorType, parts: int) -> TensorType:
    return t.with_(shape=(t.shape[0] // parts, *t.shape[1:]))


def _reference(op: Op) -> Callable[..., Any]:
    def reference(*arrays: np.ndarray, parts: int, samples: tuple[int, ...], **attrs: Any) -> Any:
        types = (TensorType(_element(a), a.shape, k in samples) for k, a in enumerate(arrays))
        kept = [t.batch for t in op.infer(*types, **attrs)]
        cut = [np.split(a, parts) if k in samples else [a] * parts for k, a in enumerate(arrays)]
        columns = zip(*(run_reference(op, operands, attrs) for operands in zip(*cut, strict=True)), strict=True)
        return tuple(
            np.concatenate(column) if batch else np.array(tree(column, np.add))
            for batch, column in zip(kept, columns, strict=True)
        )

    return reference


def _element(array: np.ndarray) -> str:
    """The element type of an operand: contractions have no integers, so u32 are pairs of bfloat16."""
    return PAIRS if array.dtype == DTYPES[PAIRS] else dtype_name(array.dtype)


def _inner(op: Op, attrs: dict[str, Attr]) -> Pointwise:
    inner = op.lowering({name: value for name, value in attrs.items() if name not in _OWN})
    assert isinstance(inner, Pointwise), f"{op.name} is not computed element by element"
    return inner


def _lower(op: Op, attrs: dict[str, Attr]) -> Callable[[KernelBuilder, BoundNode, IndexTuple], tuple[Operand, ...]]:
    inner = _inner(op, attrs)

    def lower(k: KernelBuilder, bound: BoundNode, index: IndexTuple) -> tuple[Operand, ...]:
        (out,), parts = bound.outputs, _integers(bound.attr["parts"])[0]
        if out.type.batch:
            return inner.fn(k, _plain(bound), index)
        sums = k.local("sums", out.type.dtype, shape=(parts,))
        with k.each(LOOP, parts) as at:
            (one,) = inner.fn(k, _part(bound, parts, at), index)
            k.set(sums, one, at)
        terms = [k.get(sums, Index.of(p)) for p in range(parts)]
        return (tree(terms, lambda left, right: k.call("add", left, right)),)

    return lower


def _plain(bound: BoundNode) -> BoundNode:
    attrs = tuple((name, value) for name, value in bound.node.attrs if name not in _OWN)
    return BoundNode(replace(bound.node, attrs=attrs), bound.inputs, bound.outputs)


def _part(bound: BoundNode, parts: int, at: Index) -> PartNode:
    plain, samples = _plain(bound), _integers(bound.attr["samples"])
    inputs = tuple(Value(v.name, _part_type(v.type, parts)) if k in samples else v for k, v in enumerate(plain.inputs))
    count = inputs[samples[0]].type.shape[0]
    return PartNode(plain.node, inputs, plain.outputs, samples, at * count)


def _integers(attr: Attr) -> tuple[int, ...]:
    values: Iterable[Attr] = attr if isinstance(attr, tuple) else (attr,)
    return tuple(value for value in values if isinstance(value, int))


def _flops(flops: Callable[[BoundNode], int]) -> Callable[[BoundNode], int]:
    return lambda bound: flops(_plain(bound))


OPS.derive(PREFIX, parts_op)
