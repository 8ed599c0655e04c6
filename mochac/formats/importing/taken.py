"""taken: elements of an axis of a blob at constant places."""

from __future__ import annotations

import itertools

import numpy as np

from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.formulas import reshaped
from mochac.formats.importing.node import BlobTensor, ImportedNode, Shape

MOST_PARTS = 64
"""Maximum parts of an axis of which a blob is put together."""


def taken(
    b: NetBuilder, node: ImportedNode, x: BlobTensor, axis: int, places: range | np.ndarray, *, last: bool
) -> BlobTensor:
    """The elements of an axis of a blob at these places: one part, or several side by side."""
    runs = _runs(places)
    if len(runs) > MOST_PARTS:
        raise node.refused("it picks too many parts", f"at most {MOST_PARTS}")
    if len(runs) == 1:
        begin, end = runs[0]
        if (begin, end) == (0, x.shape[axis]):
            return reshaped(b, node, x, x.shape, last=last)
        return _part(b, node, x, axis, (begin, end), last=last)
    parts = {run: _part(b, node, x, axis, run, last=False) for run in dict.fromkeys(runs)}
    shape: Shape = (*x.shape[:axis], len(places), *x.shape[axis + 1 :])
    along = {} if axis == 1 else {"axis": axis}
    return b.layer(last, "Concat", node, [parts[run] for run in runs], shape, **along)


def _runs(places: range | np.ndarray) -> list[tuple[int, int]]:
    """Begin and end of each run of consecutive places; at most a few more runs than MOST_PARTS.

    >>> _runs(np.array([1, 2, 0, 1, 2])), _runs(range(3, 0, -1))
    ([(1, 3), (0, 3)], [(3, 4), (2, 3), (1, 2)])
    """
    if isinstance(places, range):
        steps = [places] if places.step == 1 else [range(n, n + 1) for n in places[: MOST_PARTS + 1]]
        return [(run.start, run.stop) for run in steps]
    ends = [*(np.flatnonzero(np.diff(places) != 1) + 1)[: MOST_PARTS + 1].tolist(), len(places)]
    return [(int(places[begin]), int(places[end - 1]) + 1) for begin, end in itertools.pairwise([0, *ends])]


def _part(
    b: NetBuilder, node: ImportedNode, x: BlobTensor, axis: int, run: tuple[int, int], *, last: bool
) -> BlobTensor:
    """NarrowLayer: the elements begin .. end - 1."""
    begin, end = run
    shape = (*x.shape[:axis], end - begin, *x.shape[axis + 1 :])
    along = {} if axis == 1 else {"axis": axis}
    return b.layer(last, "Narrow", node, [x], shape, start=begin, length=end - begin, **along)
