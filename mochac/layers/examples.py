"""Examples: bottoms with which a layer works, and bottoms that it refuses.

Every layer's file states some, as ops state samples; the tests put each into a small net, run and differentiate it, or
read its message. No example knows how it is run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Near = Sequence[tuple[str, Mapping[str, Any]]]
"""Kinds and fields of layers that must stand in the same net."""


@dataclass(frozen=True)
class Blob:
    """A bottom: extents of one sample, and what its numbers are.

    Args:
        shape: without the batch; None: the value of a loss, which has no samples.
        low, high: range of the numbers.
        classes: > 0: whole numbers 0 .. classes - 1 instead.
        signs: -1 or 1 instead.
        sum_over: this axis's numbers are positive and sum to 1.
        learned: whether parameters stand before it, so that its gradient is tested; never before classes and signs.
    """

    shape: tuple[int, ...] | None
    low: float = -1.0
    high: float = 1.0
    classes: int = 0
    signs: bool = False
    sum_over: int | None = None
    learned: bool = True


@dataclass(frozen=True)
class Example:
    """One construction of a layer: its bottoms are called b0, b1, ... in order.

    Args:
        rule: "" where it works, else words of the message by which it is refused.
        fields: of the layer, besides name, bottoms and tops.
        near: other layers of the net.
        gradient: whether central differences can be taken.
    """

    bottoms: tuple[Blob, ...]
    rule: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    near: Near = ()
    gradient: bool = True


def fits(*bottoms: Blob | tuple[int, ...], near: Near = (), gradient: bool = True, **fields: Any) -> Example:
    """An example that works; a bare tuple is a Blob of that shape.

    >>> fits((3, 5, 5), kernel=3).bottoms[0].shape
    (3, 5, 5)
    """
    return Example(_blobs(bottoms), "", fields, near, gradient)


def breaks(rule: str, *bottoms: Blob | tuple[int, ...], near: Near = (), **fields: Any) -> Example:
    """An example that is refused with `rule` in the message.

    >>> breaks("does not fit", (3, 5, 5), kernel=7).rule
    'does not fit'
    """
    return Example(_blobs(bottoms), rule, fields, near)


def _blobs(bottoms: Sequence[Blob | tuple[int, ...]]) -> tuple[Blob, ...]:
    return tuple(b if isinstance(b, Blob) else Blob(b) for b in bottoms)


LOSS = Blob(None)
"""The value of a loss as a bottom: most layers need samples."""
TWICE: Near = (("Concat", {"name": "twice", "axis": 0, "bottoms": ["b0", "b0"]}),)
"""The blob "twice": b0 with twice its samples."""
PARAMETER: Near = (("Parameter", {"name": "W", "shape": (2, 5)}),)
"""The blob "W": a parameter, which has no samples."""
ENCODER: Near = (("InnerProduct", {"name": "encoder", "output_dim": 3, "bottoms": ["b0"], "tops": ["code"]}),)
"""The blob "code" of 3 features, and a weight to tie to."""
BATCH = 5
"""Samples a step in the tests' nets, for layers that must name it."""
