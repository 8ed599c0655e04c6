"""NumberFeed: gathers the batches of one plan on the device, from datasets that are resident there.

It replaces FeedRing if a run is given Numbered: only the numbers of the samples are copied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mochac.base.records import record
from mochac.codegen.cuda.step import GATHER, StepLayout
from mochac.runtime.cuda.driver import Span
from mochac.runtime.cuda.resident import Column
from mochac.runtime.cuda.step_ring import StepRing

if TYPE_CHECKING:
    from mochac.runtime.cuda.device import Device

NUMBERS = "numbers"


@record(slots=True)
class Numbered:
    """Feeds of consecutive steps, given by the numbers of their samples.

    Attributes:
        numbers: int32 (n_steps, batch), by feed key.
        columns: the columns with the samples, by feed key.
        meanwhile: called while the device is busy with the steps.
    """

    numbers: Mapping[str, np.ndarray]
    columns: Mapping[str, Column]
    meanwhile: Callable[[], None]

    def part(self, first: int, n: int) -> Numbered:
        """The feeds of n of the steps."""
        return replace(self, numbers={key: a[first : first + n] for key, a in self.numbers.items()})


class NumberFeed:
    """Brings the numbers of samples, in a StepRing; used like FeedRing.

    Args:
        columns: by feed key; a captured step contains their addresses.
    """

    symbol = GATHER

    def __init__(self, layout: StepLayout, columns: Mapping[str, Column], device: Device) -> None:
        self.layout, self.device, self.columns = layout, device, dict(columns)
        piece, pieces = layout.number_pieces
        self._ring = StepRing({NUMBERS: 4 * sum(layout.batches)}, piece, pieces, device)
        self._flags = 0
        self._meanwhile: Callable[[], None] | None = None

    @property
    def blocks(self) -> int:
        """Blocks of the kernel that gathers."""
        return self.layout.gather_blocks

    @property
    def piece(self) -> int:
        """Number of steps that are staged at a time."""
        return self._ring.piece

    def fits(self, columns: Mapping[str, Column]) -> bool:
        """Whether these are the columns that it gathers from."""
        return all(columns[key] is column for key, column in self.columns.items())

    def allocate(self, what: str) -> None:
        """Allocate the memory; messages name the plan as `what`."""
        flags = np.array([self.columns[s.key].dtype == np.uint8 for s in self.layout.feeds], np.int32)
        self._ring.allocate(what)
        with self.device.use() as driver:
            self._flags = self.device.alloc(flags.nbytes, f"batches of {what}")
            driver.upload(self._flags, flags, self.device.stream)
            driver.wait(self.device.stream)

    def arguments(self, feeds: Sequence[Span]) -> list[Span]:
        """Arguments of GATHER after the scalars; `feeds` is where batches go."""
        found = [self._ring.span(NUMBERS), Span(self._flags, 4 * len(feeds))]
        for placement, feed in zip(self.layout.feeds, feeds, strict=True):
            column = self.columns[placement.key]
            found += [Span(column.address, column.n_bytes), feed]
        return found

    def check(self, n_steps: int, feeds: Numbered) -> None:
        """Raise ValueError if there are too few or too many numbers."""
        for placement in self.layout.feeds:
            found, wanted = feeds.numbers.get(placement.key), (n_steps, placement.type.shape[0])
            if found is None or found.shape != wanted:
                got = "none" if found is None else found.shape
                raise ValueError(f"feed {placement.key!r}: expected numbers of samples {wanted}, got {got}")

    def stage(self, first: int, n: int, feeds: Numbered) -> None:
        """Send the numbers of steps first..first+n-1 of a run, all in one piece; later work on the stream waits."""
        whole = max(len(numbers) for numbers in feeds.numbers.values())

        def fill(_: str, rows: np.ndarray) -> None:
            table, column = rows.view(np.int32), 0
            for placement, batch in zip(self.layout.feeds, self.layout.batches, strict=True):
                table[:, column : column + batch] = feeds.numbers[placement.key][first : first + n]
                column += batch

        self._ring.stage(first, n, fill)
        self._meanwhile = feeds.meanwhile if first + n == whole else None

    def used(self, first: int) -> None:
        """The steps of a piece have been enqueued; after the last one there is time for other things."""
        self._ring.used(first)
        if self._meanwhile is not None:
            self._meanwhile()
        self._meanwhile = None

    def close(self) -> None:
        """Free the memory."""
        self._ring.close()
        if self._flags:
            self.device.free(self._flags)
        self._flags = 0
