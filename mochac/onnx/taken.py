"""taken: elements of an axis of a blob at constant places."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from mochac.onnx.builder import NetBuilder
from mochac.onnx.formulas import reshaped
from mochac.onnx.operator import BlobTensor, OnnxNode, Shape

MOST_PARTS = 64
"""Maximum parts of an axis of which a blob is put together."""


def taken(b: NetBuilder, node: OnnxNode, x: BlobTensor, axis: int, places: Sequence[int], *, last: bool) -> BlobTensor:
    """The elements of an axis of a blob at these places: one part, or several side by side."""
    starts = [k for k, place in enumerate(places) if not k or place != places[k - 1] + 1]
    runs = [(places[k], places[end - 1] + 1) for k, end in itertools.pairwise([*starts, len(places)])]
    if len(runs) == 1:
        begin, end = runs[0]
        if (begin, end) == (0, x.shape[axis]):
            return reshaped(b, node, x, x.shape, last=last)
        return _part(b, node, x, axis, (begin, end), last=last)
    if len(runs) > MOST_PARTS:
        raise node.refused("it picks too many parts", f"at most {MOST_PARTS}", len(runs))
    parts = {run: _part(b, node, x, axis, run, last=False) for run in dict.fromkeys(runs)}
    shape: Shape = (*x.shape[:axis], len(places), *x.shape[axis + 1 :])
    along = {} if axis == 1 else {"axis": axis}
    return b.layer(last, "Concat", node, [parts[run] for run in runs], shape, **along)


def _part(b: NetBuilder, node: OnnxNode, x: BlobTensor, axis: int, run: tuple[int, int], *, last: bool) -> BlobTensor:
    """NarrowLayer: the elements begin .. end - 1."""
    begin, end = run
    shape = (*x.shape[:axis], end - begin, *x.shape[axis + 1 :])
    along = {} if axis == 1 else {"axis": axis}
    return b.layer(last, "Narrow", node, [x], shape, start=begin, length=end - begin, **along)
