"""NumberFeed: gathers the batches of one plan on the device, from datasets that are resident there.

It replaces FeedRing if a run is given Numbered: only the numbers of the samples are copied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from mochac.codegen.cuda.step import GATHER, ROWS, StepLayout
from mochac.runtime.cuda.driver import Span
from mochac.runtime.cuda.resident import Column

if TYPE_CHECKING:
    from mochac.runtime.cuda.device import Device


@dataclass(frozen=True, slots=True)
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
    """Device memory for the sample numbers of ROWS steps; used like FeedRing.

    Args:
        columns: by feed key; a captured step contains their addresses.
    """

    symbol = GATHER

    def __init__(self, layout: StepLayout, columns: Mapping[str, Column], device: Device) -> None:
        self.layout, self.device, self.columns = layout, device, dict(columns)
        self._table = np.zeros((ROWS, sum(layout.batches)), np.int32)
        self._address = 0
        self._meanwhile: Callable[[], None] | None = None

    @property
    def blocks(self) -> int:
        """Blocks of the kernel that gathers."""
        return self.layout.gather_blocks

    @property
    def piece(self) -> int:
        """Number of steps that are staged at a time: all of the plan's run."""
        return ROWS

    def fits(self, columns: Mapping[str, Column]) -> bool:
        """Whether these are the columns that it gathers from."""
        return all(columns[key] is column for key, column in self.columns.items())

    def allocate(self, what: str) -> None:
        """Allocate the memory; messages name the plan as `what`."""
        flags = np.array([self.columns[s.key].dtype == np.uint8 for s in self.layout.feeds], np.int32)
        with self.device.use() as driver:
            self._address = self.device.alloc(self._table.nbytes + flags.nbytes, f"batches of {what}")
            driver.upload(self._address + self._table.nbytes, flags, self.device.stream)
            driver.wait(self.device.stream)

    def arguments(self, feeds: Sequence[Span]) -> list[Span]:
        """Arguments of GATHER after the scalars; `feeds` is where batches go."""
        n_bytes = self._table.nbytes
        found = [Span(self._address, n_bytes), Span(self._address + n_bytes, 4 * len(feeds))]
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
        """Send the numbers of the next n steps of a run, which begins at 0."""
        column = 0
        for placement, batch in zip(self.layout.feeds, self.layout.batches, strict=True):
            self._table[:n, column : column + batch] = feeds.numbers[placement.key][first : first + n]
            column += batch
        self.device.driver.upload(self._address, self._table[:n].reshape(-1), self.device.stream)
        self._meanwhile = feeds.meanwhile

    def used(self, first: int) -> None:
        """The steps have been enqueued; a run ends before the next numbers are sent."""
        if self._meanwhile is not None:
            self._meanwhile()
        self._meanwhile = None

    def close(self) -> None:
        """Free the memory."""
        if self._address:
            self.device.free(self._address)
        self._address = 0
