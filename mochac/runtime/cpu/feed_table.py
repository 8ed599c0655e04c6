"""FeedTable: pointers to the arrays fed to each step, which the native driver reads (codegen/cpu/step_driver.py)."""

from __future__ import annotations

import weakref
from collections.abc import Container, Sequence

import numpy as np

from mochac.codegen.cpu.worker_team import CACHE_LINE_BYTES
from mochac.ir.plan import Placement, owners
from mochac.runtime.tables import Arrays, Feeds, Located, Slots, check_array

AHEAD_BYTES = 1 << 14
"""Batches up to this size are fetched one step ahead; for larger ones, the start does not matter."""


def _lines_ahead(n_bytes: int) -> int:
    return -(-n_bytes // CACHE_LINE_BYTES) if n_bytes <= AHEAD_BYTES else 0


class FeedTable:
    """Pointers of the arrays fed to each step, [n_steps][n_feeds]."""

    def __init__(self, placements: Sequence[Placement]) -> None:
        self.types = {key: placement.type for key, placement in owners(placements).items()}
        self.column = {key: k for k, key in enumerate(self.types)}
        self._known: list[dict[int, tuple[weakref.ref[np.ndarray], int]]] = [{} for _ in self.column]
        self._kept: list[Arrays] = []
        self.lines = np.array([_lines_ahead(kind.storage_bytes) for kind in self.types.values()] or [0], np.int64)
        self.grow(0)

    def grow(self, room: int) -> None:
        """Make room for a number of steps, plus one row, which the driver reads ahead after the last step."""
        self.table = np.zeros((room + 1) * len(self.column), np.int64)
        self._slots: Slots | None = None  # whose addresses are in the table
        self._words = self.table.data

    def fill(self, n_steps: int, feeds: Feeds) -> None:
        """Write the pointers for the next run."""
        if not self.column or feeds is self._slots:
            return
        self._slots = feeds if isinstance(feeds, Slots) else None
        if isinstance(feeds, Located):
            self._copy(n_steps, feeds)
            return
        if len(feeds) != n_steps:
            raise ValueError(f"{n_steps} steps need as many feeds, got {len(feeds)}")
        words, word = self._words, 0
        for feed in feeds:
            for key, known in zip(self.column, self._known, strict=False):
                array = feed.get(key)
                found = known.get(id(array))
                if found is None or found[0]() is not array:
                    found = self._checked(key, array, feed)
                words[word] = found[1]
                word += 1
        self._kept = [feeds[-1]]

    def _copy(self, n_steps: int, feeds: Located) -> None:
        """Write whole columns; the arrays of the last step are remembered."""
        table = self.table.reshape(-1, len(self.column))
        for key, column in self.column.items():
            array = feeds.last.get(key)
            found = self._known[column].get(id(array))
            if found is None or found[0]() is not array:
                self._checked(key, array, feeds.last)
            addresses = feeds.addresses[key]
            if len(addresses) != n_steps:
                raise ValueError(f"{n_steps} steps need as many addresses of feed {key!r}, got {len(addresses)}")
            table[:n_steps, column] = addresses
        self._kept = [feeds.last]

    def last(self, key: str) -> np.ndarray:
        """The array of the last step of the last run; KeyError if there was none."""
        if not self._kept:
            raise KeyError(f"feed {key!r} has not been given yet")
        return self._kept[0][key]

    def forget(self, keys: Container[str]) -> None:
        """Drop references to the arrays of these feeds, which can no longer be read."""
        self._kept = [{key: array for key, array in feed.items() if key not in keys} for feed in self._kept]

    def _checked(self, key: str, array: np.ndarray | None, feed: Arrays) -> tuple[weakref.ref[np.ndarray], int]:
        """Check an array and remember it by a weak reference: NumPy takes 0.75 us to return its address."""
        if array is None:
            raise ValueError(f"no array for feed {key!r}; got {sorted(feed)}")
        check_array(f"feed {key!r}", array, self.types[key])
        known = self._known[self.column[key]]
        if len(known) >= 256:
            known.clear()
        found = known[id(array)] = (weakref.ref(array), array.ctypes.data)
        return found
