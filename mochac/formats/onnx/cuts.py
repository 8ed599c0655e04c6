"""cuts: the elements of each axis that ONNX's Slice keeps."""

from __future__ import annotations

from mochac.formats.importing.node import Shape
from mochac.formats.onnx.operator import OnnxNode

_ENDLESS = (2**31 - 1, 2**63 - 1)


def cuts(node: OnnxNode, extents: Shape) -> dict[int, range]:
    """Indices of the elements that a Slice of a tensor of these extents keeps, by axis.

    With a negative step, ONNX clamps the start to an element of the axis, where Python's slice may be empty.

    Raises:
        UnsupportedError: its operands do not fit.
    """
    rank = len(extents)
    starts, ends = (node.integers(name, at=k) or () for k, name in ((1, "starts"), (2, "ends")))
    axes = node.integers("axes", at=3) or tuple(range(len(starts)))
    steps = node.integers("steps", at=4) or (1,) * len(axes)
    unlike = not len(starts) == len(ends) == len(axes) == len(steps)
    if 0 in steps or unlike or not all(-rank <= a < rank for a in axes) or len({a % rank for a in axes}) < len(axes):
        raise node.refused("its operands do not fit", got=f"{starts}, {ends}, {axes}, {steps}")
    if any(step < 0 and end in _ENDLESS for end, step in zip(ends, steps, strict=True)):
        rule = "with a negative step, an end of INT_MAX selects nothing in ONNX, but all in front in onnxruntime"
        raise node.refused(rule, expected="INT_MIN", got=ends)
    return {
        axis % rank: _kept(extents[axis % rank], start, end, step)
        for axis, start, end, step in zip(axes, starts, ends, steps, strict=True)
    }


def _kept(extent: int, start: int, end: int, step: int) -> range:
    """The indices from start to end.

    >>> list(_kept(5, 9, -9, -2)), list(_kept(5, -9, -9, -1)), list(_kept(5, 0, -(2**62), 1))
    ([4, 2, 0], [0], [])
    """
    if not extent:
        return range(0)
    start, end = (n + extent if n < 0 else n for n in (start, end))
    if step > 0:
        return range(min(max(start, 0), extent), min(max(end, 0), extent), step)
    return range(min(max(start, 0), extent - 1), min(max(end, -1), extent), step)
