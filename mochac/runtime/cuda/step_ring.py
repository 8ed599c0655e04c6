"""StepRing: sends what steps read to the device, a row for each, through page-locked memory, while earlier steps run.

The ring consists of pieces of a few rows: one is filled while the steps of the others run. The kernel with which a step
begins (codegen/cuda/step.py) finds its row by the number of the step, modulo the length of the ring.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from mochac.runtime.cuda.driver import Span

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
