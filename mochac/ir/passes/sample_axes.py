"""sample_axes: where the samples of a batch lie in a value, for cut_batch and for layers' own code.

A batch-marked value has them along axis 0. Other values may hold them too: the rows of all samples and tokens, or steps
of time in front of the samples. In row-major order, entry n of the samples begins n * stride elements behind entry 0;
views keep this stride, whatever shape they give a value. An axis may hold more than the samples:

    (batch, time, features)     stride time * features, axis 0
    (batch * time, features)    stride time * features, axis 0, with time inside
    (time, batch, features)     stride features, axis 1
    (time * batch, features)    stride features, axis 0, with time outside
"""

from __future__ import annotations

from math import prod

from mochac.base.records import record
from mochac.ir.graph import Node
from mochac.ir.op import OPS
from mochac.ir.types import TensorType

SAMPLEWISE = frozenset({"elementwise", "contraction", "reduce", "row", "shape"})
"""Kinds of ops that do not mix samples along an axis that no attribute names, unless their types show it."""
FOLLOWS = ("elementwise", "shape")
"""Kinds of ops of which all operands have the samples if one has; fills and broadcasts can be such operands."""


@record
class SampleAxis:
    """The samples in a value.

    Args:
        count: how many there are.
        stride: elements from one sample to the next, in row-major order.

    >>> SampleAxis(4, 6).axis((5, 4, 6)), SampleAxis(4, 6).axis((20, 6)), SampleAxis(4, 30).axis((20, 6))
    (1, 0, 0)
    """

    count: int
    stride: int

    @classmethod
    def of(cls, t: TensorType, count: int) -> SampleAxis:
        """The samples of a batch-marked value."""
        return cls(count, prod(t.shape) // count)

    def axis(self, shape: tuple[int, ...]) -> int:
        """The axis that holds them in a shape, -1 if none does."""
        for a in range(len(shape)):
            inner = prod(shape[a + 1 :])
            if inner <= self.stride and self.stride * self.count <= inner * shape[a]:
                return a
        return -1

    def part(self, shape: tuple[int, ...], parts: int) -> tuple[int, ...]:
        """The shape of a part of the samples."""
        at = self.axis(shape)
        return tuple(d // parts if a == at else d for a, d in enumerate(shape))

    def in_result(self, shape: tuple[int, ...], result: tuple[int, ...], axis: int) -> SampleAxis:
        """The samples in a result that has them along `axis`; whatever else the axis holds stays with them."""
        inside = self.stride // prod(shape[self.axis(shape) + 1 :])
        return SampleAxis(self.count, inside * prod(result[axis + 1 :]))


def mixes(node: Node, position: int, t: TensorType, samples: SampleAxis) -> bool:
    """Whether a node may mix the samples of operand `position`, in a result that still has the axis. It never mixes
    those of a batch-marked value: that is the meaning of the mark."""
    op, attr, axis = OPS[node.op], node.attr, samples.axis(t.shape)
    if t.batch or node.op in ("reshape", "broadcast", "permute"):
        return False
    if op.kind not in SAMPLEWISE or (op.picks_rows and position == 0) or attr.get("axis") == axis:
        return True
    if op.kind == "row" and "axis" not in attr and not op.adds:
        return True
    box = attr.get("start"), attr.get("shape")
    if isinstance(box[0], tuple) and isinstance(box[1], tuple):  # slice and pad
        return (box[0][axis], box[1][axis]) != (0, t.shape[axis])
    return False


def changed_axis(whole: tuple[int, ...], part: tuple[int, ...], parts: int) -> int | None:
    """The only axis along which `part` has one of `parts` parts of `whole`; -1 if they are equal, None if they differ
    otherwise.

    >>> changed_axis((5, 4), (5, 2), 2), changed_axis((5, 4), (5, 4), 2), changed_axis((4, 4), (2, 2), 2)
    (1, -1, None)
    """
    if len(whole) != len(part):
        return None
    differing = [a for a, (d, e) in enumerate(zip(whole, part, strict=True)) if d != e]
    if not differing:
        return -1
    (axis, *others) = differing
    return axis if not others and part[axis] * parts == whole[axis] else None
