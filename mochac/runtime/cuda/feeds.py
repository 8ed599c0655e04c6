"""Batches and scalars of steps on their way to the device, while earlier steps run.

StepRing: sends a row for each step through page-locked memory. The ring consists of pieces of a few rows: one is
filled while the steps of the others run. The kernel with which a step begins (codegen/cuda/step.py) finds its row by
the number of the step, modulo the length of the ring.
FeedRing: the batches among these. The executor stages those of a few steps at a time.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from mochac.codegen.cuda.step import BEGIN, StepLayout
from mochac.runtime.cuda.driver import Span
from mochac.runtime.tables import Arrays, Feeds, Located, check_array

if TYPE_CHECKING:
    from mochac.runtime.cuda.device import Device


Fill = Callable[[str, np.ndarray], None]
"""Writes the rows of one name: (name, uint8 (n, bytes))."""


class StepRing:
    """Device memory for the rows of piece * pieces steps, and as much page-locked memory.

    Args:
        row_bytes: of a step, by name.
        piece: number of steps that are sent together.
        pieces: at least two.
    """

    def __init__(self, row_bytes: Mapping[str, int], piece: int, pieces: int, device: Device) -> None:
        self.row_bytes, self.piece, self.pieces, self.device = dict(row_bytes), piece, pieces, device
        self._spans: dict[str, Span] = {}
        self._pinned: dict[str, np.ndarray] = {}
        self._sent: list[Any] = []
        self._used: list[Any] = []
        self._busy = [False] * pieces

    def allocate(self, what: str) -> None:
        """Allocate both memories; messages name the plan as `what`."""
        rows = self.piece * self.pieces
        with self.device.use() as driver:
            self._sent = [driver.event() for _ in self._busy]
            self._used = [driver.event() for _ in self._busy]
            for name, size in self.row_bytes.items():
                self._pinned[name] = driver.pinned(rows * size)
                self._spans[name] = Span(self.device.alloc(rows * size, f"batches of {what}"), rows * size)

    def span(self, name: str) -> Span:
        """The rows of a name on the device."""
        return self._spans[name]

    def stage(self, first: int, n: int, fill: Fill) -> None:
        """Send the rows of steps first..first+n-1 of a run, all in one piece; later work on the stream waits."""
        if not self.row_bytes:
            return
        piece, start = first // self.piece % self.pieces, first % (self.piece * self.pieces)
        driver = self.device.driver
        if self._busy[piece]:
            driver.wait_event(self._sent[piece])
            driver.stream_waits(self.device.copies, self._used[piece])
        for name, size in self.row_bytes.items():
            rows = self._pinned[name][start * size : (start + n) * size]
            fill(name, rows.reshape(n, size))
            driver.upload(self._spans[name].address + start * size, rows, self.device.copies)
        driver.record(self._sent[piece], self.device.copies)
        driver.stream_waits(self.device.stream, self._sent[piece])

    def used(self, first: int) -> None:
        """The steps of a piece have been enqueued."""
        if self.row_bytes:
            piece = first // self.piece % self.pieces
            self.device.driver.record(self._used[piece], self.device.stream)
            self._busy[piece] = True

    def close(self) -> None:
        """Free both memories."""
        with self.device.use() as driver:
            for span in self._spans.values():
                self.device.free(span.address)
            for pinned in self._pinned.values():
                driver.free_pinned(pinned)
            for events in (self._sent, self._used):
                while events:  # PyCUDA destroys an event with its last reference; its context must be current then
                    driver.free_event(events.pop())
        self._spans, self._pinned = {}, {}


class StepFeed(Protocol):
    """Transfers batches to the device for the steps of a run: FeedRing, or NumberFeed if the samples are there already.

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
