"""x[...] of a value: slices, indices, new axes and `...`, as in NumPy.

The samples on axis 0 are never cut; a new axis in front of them is one of all samples.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import EllipsisType
from typing import TypeAlias

import numpy as np

from mochac.ir.graph import Value
from mochac.ir.op_call import OpCallError
from mochac.nets.layers._operators import OpWriter, whole

Part: TypeAlias = "int | slice | EllipsisType | None"
ALL = slice(None)


def indexed(ctx: OpWriter, x: Value, key: Part | tuple[Part, ...]) -> Value:
    """x[key].

    Raises:
        OpCallError: too many indices, one that is out of range, a step, or a cut through the samples.
    """
    starts, cut, shape = list[int](), list[int](), list[int]()
    for axis, part in _parts(x, key):
        if axis is None:
            shape.append(1)
            continue
        start, extent = _range(x, axis, part)
        starts.append(start)
        cut.append(extent)
        if not _is_index(part):
            shape.append(extent)
    if x.type.batch and _begins_with_axis(key) and cut[0] == x.type.shape[0]:
        x = whole(ctx, x)
    elif x.type.batch and (tuple(shape[:1]) != x.type.shape[:1] or cut[0] != x.type.shape[0]):
        hint = "x[:, ...]: what a layer computes must not depend on the place of a sample in its batch"
        raise OpCallError("an index cuts or moves the axis of samples", ": for axis 0", _shown(key), hint)
    if tuple(cut) != x.type.shape:
        x = ctx.op("slice", x, start=tuple(starts), shape=tuple(cut))
    return x if tuple(shape) == x.type.shape else ctx.op("reshape", x, shape=tuple(shape))


def _begins_with_axis(key: Part | tuple[Part, ...]) -> bool:
    """Whether a key begins with a new axis, in front of the samples."""
    return key is None or (isinstance(key, tuple) and key[:1] == (None,))


def _parts(x: Value, key: Part | tuple[Part, ...]) -> Iterator[tuple[int | None, Part]]:
    """(axis, its part of the key), in order; (None, None) for a new axis."""
    given = list(key) if isinstance(key, tuple) else [key]
    rank, own = len(x.type.shape), [p for p in given if p is not None and p is not Ellipsis]
    if len(own) > rank or sum(p is Ellipsis for p in given) > 1:
        raise OpCallError("too many indices", f"{rank} at most, for {x.type.shape}", _shown(key))
    if not any(p is Ellipsis for p in given):
        given.append(Ellipsis)
    axis = 0
    for part in given:
        if part is None:
            yield None, None
            continue
        for _ in range(rank - len(own) if part is Ellipsis else 1):
            yield axis, ALL if part is Ellipsis else part
            axis += 1


def _range(x: Value, axis: int, part: object) -> tuple[int, int]:
    """Start and extent of the range that a part of the key takes of an axis."""
    most = x.type.shape[axis]
    if isinstance(part, slice):
        start, stop, step = part.indices(most)
        if step != 1:
            hint = "a part of every phase: reshape, then index"
            raise OpCallError(f"the slice of axis {axis} has a step", "start:stop", _shown(part), hint)
        if stop <= start:
            raise OpCallError(f"the slice of axis {axis} is empty", f"a part of {most} entries", _shown(part))
        return start, stop - start
    if not _is_index(part):
        hint = 'rows of a table by ids: ctx.op("gather", table, ids)'
        raise OpCallError(f"the index of axis {axis} is no index", "a slice, an integer, None or ...", repr(part), hint)
    index = int(part)  # type: ignore[call-overload]
    if not -most <= index < most:
        raise OpCallError(f"the index of axis {axis} is out of range", f"-{most} to {most - 1}", str(index))
    return index % most, 1


def _is_index(part: object) -> bool:
    return isinstance(part, (int, np.integer)) and not isinstance(part, bool)


def _shown(key: object) -> str:
    """The key as it was written.

    >>> _shown((slice(None), slice(1, 3), None, ...))
    '[:, 1:3, None, ...]'
    """

    def shown(part: object) -> str:
        if not isinstance(part, slice):
            return "..." if part is Ellipsis else repr(part)
        ends = ["" if end is None else str(end) for end in (part.start, part.stop)]
        return ":".join(ends if part.step is None else [*ends, str(part.step)])

    return f"[{', '.join(map(shown, key if isinstance(key, tuple) else (key,)))}]"
