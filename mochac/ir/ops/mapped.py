"""map.OP: an op applied to every slice of its operands along a new axis 0, such as the nets of train_many().

    %y = map.inner_product(%x, %w) {over = (0,1)}        y[m, n, o] = sum over f of x[m, n, f] * w[m, o, f]

All rules follow from those of the op: its `infer` and `reference` see slices, and what its `lower` reads and writes
gets one more index. Attributes: those of the op; `over`, the operands that have the axis (the others are the same for
every slice); `samples`, those whose slices begin with the batch of the net. passes/map_nets.py makes such nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from mochac.base.records import record
from mochac.ir.graph import Attr, BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import IndexTuple, KernelBuilder, Lowering, Nest, Pointwise
from mochac.ir.op import OPS, Op, OpTypeError, run_reference
from mochac.ir.types import TensorType

PREFIX = "map"
FIRST = Index.of(0)
AXIS = "net"
"""Name of the loop over slices."""
_OWN = ("over", "samples")


def map_op(op: Op) -> Op:
    """The op that applies `op` to slices.

    >>> OPS["map.softmax"].kind
    'row'
    """
    return replace(
        op,
        name=f"{PREFIX}.{op.name}",
        infer=_infer(op),
        reference=_reference(op),
        lower=lambda attrs: _lowering(op, attrs),
        vjp=None,
        samples=(),
        flops=None if op.flops is None else _flops(op.flops),
        paired=None if op.paired is None else _paired(op.paired),
        natural=(),
        label=None,
        lifted=None,
    )


@record
class Slice(BoundNode):
    """A node as the rules of the op see it: with the types of slices. `at` is the index of the slice."""

    over: tuple[int, ...] = ()
    at: Index = FIRST

    def operand_index(self, position: int, index: IndexTuple) -> IndexTuple:
        return (self.at, *index) if position in self.over else index

    def result_index(self, index: IndexTuple) -> IndexTuple:
        return (self.at, *index)


def sliced(types: tuple[TensorType, ...], over: tuple[int, ...], samples: tuple[int, ...]) -> tuple[TensorType, ...]:
    """The types of the slices of operands."""
    return tuple(
        t.with_(shape=t.shape[1:] if k in over else t.shape, batch=k in samples, lanes=0) for k, t in enumerate(types)
    )


def _infer(op: Op) -> Callable[..., tuple[TensorType, ...]]:
    def infer(
        *types: TensorType, over: tuple[int, ...], samples: tuple[int, ...] = (), **attrs: Any
    ) -> tuple[TensorType, ...]:
        mapped = [t for k, t in enumerate(types) if k in over]
        if not mapped or not all(t.batch for t in mapped) or len({t.shape[0] for t in mapped}) > 1:
            raise OpTypeError("operands to be sliced need one number of slices", "f32[bM,...]", str(over))
        first = mapped[0]
        results = op.infer(*sliced(types, over, samples), **attrs)
        return tuple(TensorType(t.dtype, (first.shape[0], *t.shape), True, first.lanes) for t in results)

    return infer


def _reference(op: Op) -> Callable[..., Any]:
    def reference(*arrays: np.ndarray, over: tuple[int, ...], samples: tuple[int, ...] = (), **attrs: Any) -> Any:
        rows = [
            run_reference(op, tuple(a[m] if k in over else a for k, a in enumerate(arrays)), attrs)
            for m in range(len(arrays[over[0]]))
        ]
        return tuple(np.stack(column) for column in zip(*rows, strict=True))

    return reference


def _slice(bound: BoundNode, at: Index) -> Slice:
    over, samples = (tuple(k for k in _positions(bound.attr, name) if isinstance(k, int)) for name in _OWN)
    types = sliced(tuple(v.type for v in bound.inputs), over, samples)
    inputs = tuple(Value(v.name, t) for v, t in zip(bound.inputs, types, strict=True))
    outputs = tuple(Value(v.name, v.type.with_(shape=v.type.shape[1:], lanes=0)) for v in bound.outputs)
    attrs = tuple((name, value) for name, value in bound.node.attrs if name not in _OWN)
    return Slice(replace(bound.node, attrs=attrs), inputs, outputs, over, at)


def _positions(attrs: dict[str, Attr], name: str) -> tuple[Attr, ...]:
    found = attrs.get(name, ())
    assert isinstance(found, tuple)
    return found


def _lowering(op: Op, attrs: dict[str, Attr]) -> Lowering:
    inner = op.lowering({name: value for name, value in attrs.items() if name not in _OWN})
    if isinstance(inner, Pointwise):
        return Pointwise(_pointwise(inner), (AXIS, *inner.axes) if inner.axes else ())
    assert isinstance(inner, Nest), f"{op.name} only gives storage another shape: it is lifted, not mapped"
    return Nest(_nest(inner))


def _pointwise(inner: Pointwise) -> Callable[[KernelBuilder, BoundNode, IndexTuple], tuple[Operand, ...]]:
    return lambda k, bound, index: inner.fn(k, _slice(bound, index[0]), index[1:])


def _nest(inner: Nest) -> Callable[[KernelBuilder, BoundNode], None]:
    def lower(k: KernelBuilder, bound: BoundNode) -> None:
        with k.each(AXIS, bound.outputs[0].type.shape[0]) as at:
            inner.fn(k, _slice(bound, at))

    return lower


def _flops(flops: Callable[[BoundNode], int]) -> Callable[[BoundNode], int]:
    return lambda bound: bound.outputs[0].type.shape[0] * flops(_slice(bound, FIRST))


def _paired(paired: Callable[[BoundNode], tuple[int, int] | None]) -> Callable[[BoundNode], tuple[int, int] | None]:
    def rule(bound: BoundNode) -> tuple[int, int] | None:
        of_slice = _slice(bound, FIRST)
        axes = paired(of_slice)
        if axes is None:
            return None
        first, second = axes
        return first + (0 in of_slice.over), second + (1 in of_slice.over)

    return rule


OPS.derive(PREFIX, map_op)
