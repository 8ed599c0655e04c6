"""Checks of boxes for slice and pad: a smaller tensor at an offset inside a larger one."""

from __future__ import annotations

from mochac.ir.graph import BoundNode
from mochac.ir.op import OpTypeError
from mochac.ir.ops._typing import dims

Shape = tuple[int, ...]


def require_box(start: Shape, inner: Shape, outer: Shape, batch: bool) -> None:
    """Check that a box `inner` lies inside `outer` at `start` and contains the whole batch."""
    if not len(start) == len(inner) == len(outer):
        raise OpTypeError("a box has one offset and one extent per axis", f"{len(outer)} axes", dims(start))
    if any(s < 0 or s + n > size for s, n, size in zip(start, inner, outer, strict=True)):
        raise OpTypeError("the box must lie inside", dims(outer), f"{dims(inner)} at {dims(start)}")
    if batch and inner[0] != outer[0]:
        raise OpTypeError("a box must contain all samples", f"{outer[0]} samples", str(inner[0]))


def offsets(bound: BoundNode) -> Shape:
    """The attribute `start` of a node."""
    start = bound.attr["start"]
    assert isinstance(start, tuple)
    return tuple(s for s in start if isinstance(s, int))
