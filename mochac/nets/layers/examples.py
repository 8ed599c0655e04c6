"""Examples: bottoms that a layer accepts, and bottoms that it refuses.

Each layer has some, in its file. The tests put each of them into a small net, and check its values and gradients, or
its error message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from mochac.base.records import record

Near = Sequence[tuple[str, Mapping[str, Any]]]
"""Kinds and fields of other layers that the net needs."""


@record
class Blob:
    """A bottom: extents of a sample, and the kind of its numbers.

    Args:
        shape: without the batch; None: the value of a loss, without samples.
        low, high: range of the numbers.
        classes: if > 0, the numbers are integers 0 .. classes - 1.
        signs: the numbers are -1 or 1.
        sum_over: numbers along this axis are positive and sum to 1.
        learned: whether it depends on parameters, so that its gradient is tested; not for classes and signs.
    """

    shape: tuple[int, ...] | None
    low: float = -1.0
    high: float = 1.0
    classes: int = 0
    signs: bool = False
    sum_over: int | None = None
    learned: bool = True


@record
class Example:
    """A layer with its bottoms, which are called b0, b1, ... in order.

    Args:
        rule: "" if it is accepted, else a part of the error message.
        fields: of the layer, besides name, bottoms and tops.
        near: other layers of the net.
        gradient: whether its gradient can be tested by central differences.
    """

    bottoms: tuple[Blob, ...]
    rule: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    near: Near = ()
    gradient: bool = True


def fits(*bottoms: Blob | tuple[int, ...], near: Near = (), gradient: bool = True, **fields: Any) -> Example:
    """An example that is accepted; a tuple means a Blob of that shape.

    >>> fits((3, 5, 5), kernel=3).bottoms[0].shape
    (3, 5, 5)
    """
    return Example(_blobs(bottoms), "", fields, near, gradient)


def breaks(rule: str, *bottoms: Blob | tuple[int, ...], near: Near = (), **fields: Any) -> Example:
    """An example that is refused, with `rule` in the error message.

    >>> breaks("does not fit", (3, 5, 5), kernel=7).rule
    'does not fit'
    """
    return Example(_blobs(bottoms), rule, fields, near)


def _blobs(bottoms: Sequence[Blob | tuple[int, ...]]) -> tuple[Blob, ...]:
    return tuple(b if isinstance(b, Blob) else Blob(b) for b in bottoms)


LOSS = Blob(None)
"""The value of a loss as a bottom; most layers need samples."""
TWICE: Near = (("Concat", {"name": "twice", "axis": 0, "bottoms": ["b0", "b0"]}),)
"""The blob "twice": b0 with its samples twice."""
PARAMETER: Near = (("Parameter", {"name": "W", "shape": (2, 5)}),)
"""The blob "W": a parameter, which has no samples."""
ONE_ROW: Near = (("Parameter", {"name": "W", "shape": (1, 3)}),)
"""The blob "W" with one row."""
FIVE: Near = tuple(("Parameter", {"name": name, "shape": (5,)}) for name in ("W", "V"))
"""The blobs "W" and "V" of five numbers."""
ENCODER: Near = (("InnerProduct", {"name": "encoder", "output_dim": 3, "bottoms": ["b0"], "tops": ["code"]}),)
"""The blob "code" with 3 features, and a weight to tie to."""
BATCH = 5
"""Samples per step in the nets of the tests, for layers that must state it."""
