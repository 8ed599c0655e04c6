"""FeedRing: copies batches to the device, while earlier steps run.

The executor stages the batches of a few steps at a time; a kernel of codegen/cuda/step.py picks each step's.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from mochac.codegen.cuda.step import BEGIN, StepLayout
from mochac.runtime.cuda.driver import Span
from mochac.runtime.cuda.step_ring import StepRing
from mochac.runtime.tables import Arrays, Feeds, Located, check_array

if TYPE_CHECKING:
    from mochac.runtime.cuda.device import Device


class StepFeed(Protocol):
    """What brings batches to the steps of a run: FeedRing, or NumberFeed if the samples are on the device.

    Attributes:
        symbol, blocks: the kernel with which such a step begins, and its number of blocks.
        piece: number of steps that are staged at a time.
    """

    symbol: str

    @property
    def blocks(self) -> int: ...
    @property
    def piece(self) -> int: ...

    def allocate(self, what: str) -> None:
        """Allocate memory; messages name the plan as `what`."""
        ...

    def arguments(self, feeds: Sequence[Span]) -> list[Span]:
        """Arguments of the kernel after the scalars; `feeds` is where batches go."""
        ...

    def check(self, n_steps: int, feeds: Any) -> None:
        """Raise ValueError if batches are missing or do not fit."""
        ...

    def stage(self, first: int, n: int, feeds: Any) -> None:
        """Send what the steps first..first+n-1 of a run need; later work on the stream waits for it."""
        ...

    def used(self, first: int) -> None:
        """The steps staged from `first` on have been enqueued."""
        ...

    def close(self) -> None:
        """Free all memory."""
        ...


class FeedRing:
    """Brings batches that lie in host memory: a StepRing of every fed array."""

    symbol = BEGIN

    def __init__(self, layout: StepLayout, device: Device) -> None:
        self.layout = layout
        sizes = {placement.key: placement.type.storage_bytes for placement in layout.feeds}
        self._ring = StepRing(sizes, layout.piece, layout.pieces, device)
        self._last: Arrays | None = None

    @property
    def blocks(self) -> int:
        """Blocks of the kernel that picks a batch."""
        return self.layout.blocks

    @property
    def piece(self) -> int:
        """Number of steps of one piece."""
        return self.layout.piece

    def allocate(self, what: str) -> None:
        """Allocate both memories; messages name the plan as `what`."""
        self._ring.allocate(what)

    def arguments(self, feeds: Sequence[Span]) -> list[Span]:
        """Arguments of BEGIN after the scalars; `feeds` is where batches go."""
        rings = [self._ring.span(placement.key) for placement in self.layout.feeds]
        return [span for pair in zip(rings, feeds, strict=True) for span in pair]

    def stage(self, first: int, n: int, feeds: Feeds) -> None:
        """Send the batches of steps first..first+n-1 of a run, all in one piece; later work on the stream waits."""

        def fill(key: str, rows: np.ndarray) -> None:
            for k in range(n):
                ctypes.memmove(rows.ctypes.data + k * rows.shape[1], _address(feeds, key, first + k), rows.shape[1])

        self._ring.stage(first, n, fill)

    def used(self, first: int) -> None:
        """The steps of a piece have been enqueued."""
        self._ring.used(first)

    def check(self, n_steps: int, feeds: Feeds) -> None:
        """Raise ValueError if a feed is missing or does not fit; remembers those of the last step."""
        if not self.layout.feeds:
            return
        if not isinstance(feeds, Located) and len(feeds) != n_steps:
            raise ValueError(f"{n_steps} steps need as many feeds, got {len(feeds)}")
        for placement in self.layout.feeds:
            for arrays in [feeds.last] if isinstance(feeds, Located) else feeds:
                if placement.key not in arrays:
                    raise ValueError(f"no array for feed {placement.key!r}; got {sorted(arrays)}")
                check_array(f"feed {placement.key!r}", arrays[placement.key], placement.type)
            if isinstance(feeds, Located) and len(feeds.addresses[placement.key]) != n_steps:
                got = len(feeds.addresses[placement.key])
                raise ValueError(f"{n_steps} steps need as many addresses of feed {placement.key!r}, got {got}")
        self._last = feeds.last if isinstance(feeds, Located) else feeds[-1]

    def last(self, key: str) -> np.ndarray:
        """The array of the last step of the last run; KeyError if there was none."""
        if self._last is None:
            raise KeyError(f"feed {key!r} has not been given yet")
        return self._last[key]

    def close(self) -> None:
        """Free both memories."""
        self._ring.close()
        self._last = None


def _address(feeds: Feeds, key: str, step: int) -> int:
    if isinstance(feeds, Located):
        return int(feeds.addresses[key][step])
    return int(feeds[step][key].ctypes.data)
