"""FeedRing: copies batches to the device through page-locked memory, while earlier steps run.

The executor stages the batches of a few steps at a time; a kernel of codegen/cuda/step.py picks each step's. The ring
consists of pieces: one is filled while the steps of the others run.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from mochac.codegen.cuda.step import BEGIN, StepLayout
from mochac.runtime.cuda.driver import Span
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
    """Device memory for `layout.ring` batches of every fed array, and as much page-locked memory.

    Attributes:
        address: address of each feed's ring on the device, by key.
    """

    symbol = BEGIN

    def __init__(self, layout: StepLayout, device: Device) -> None:
        self.layout, self.device = layout, device
        self.address: dict[str, int] = {}
        self._last: Arrays | None = None
        self._pinned: dict[str, np.ndarray] = {}
        self._sent: list[Any] = []
        self._used: list[Any] = []
        self._busy = [False] * layout.pieces

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
        with self.device.use() as driver:
            self._sent = [driver.event() for _ in self._busy]
            self._used = [driver.event() for _ in self._busy]
            for placement in self.layout.feeds:
                n_bytes = placement.type.storage_bytes * self.layout.ring
                self._pinned[placement.key] = driver.pinned(n_bytes)
                self.address[placement.key] = self.device.alloc(n_bytes, f"batches of {what}")

    def arguments(self, feeds: Sequence[Span]) -> list[Span]:
        """Arguments of BEGIN after the scalars; `feeds` is where batches go."""
        sizes = [placement.type.storage_bytes * self.layout.ring for placement in self.layout.feeds]
        rings = [Span(self.address[placement.key], n) for placement, n in zip(self.layout.feeds, sizes, strict=True)]
        return [span for pair in zip(rings, feeds, strict=True) for span in pair]

    def stage(self, first: int, n: int, feeds: Feeds) -> None:
        """Send the batches of steps first..first+n-1 of a run, all in one piece; later work on the stream waits."""
        if not self.layout.feeds:
            return
        piece = first // self.piece % self.layout.pieces
        driver = self.device.driver
        if self._busy[piece]:
            driver.wait_event(self._sent[piece])
            driver.stream_waits(self.device.copies, self._used[piece])
        for placement in self.layout.feeds:
            size = placement.type.storage_bytes
            start = first % self.layout.ring * size
            pinned = self._pinned[placement.key]
            for k in range(n):
                source = _address(feeds, placement.key, first + k)
                ctypes.memmove(pinned.ctypes.data + start + k * size, source, size)
            driver.upload(self.address[placement.key] + start, pinned[start : start + n * size], self.device.copies)
        driver.record(self._sent[piece], self.device.copies)
        driver.stream_waits(self.device.stream, self._sent[piece])

    def used(self, first: int) -> None:
        """The steps of a piece have been enqueued."""
        if self.layout.feeds:
            piece = first // self.piece % self.layout.pieces
            self.device.driver.record(self._used[piece], self.device.stream)
            self._busy[piece] = True

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
        with self.device.use() as driver:
            for address in self.address.values():
                self.device.free(address)
            for pinned in self._pinned.values():
                driver.free_pinned(pinned)
            for events in (self._sent, self._used):
                while events:  # PyCUDA destroys an event with its last reference; its context must be current then
                    driver.free_event(events.pop())
        self.address, self._pinned, self._last = {}, {}, None


def _address(feeds: Feeds, key: str, step: int) -> int:
    if isinstance(feeds, Located):
        return int(feeds.addresses[key][step])
    return int(feeds[step][key].ctypes.data)
