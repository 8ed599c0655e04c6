"""Tables a run of steps is bound to: pointers of the fed arrays and rows of per-step scalars.

runtime/cpu/executor.py fills them before a call, the native driver reads them (layout.py). They know placements, but no
kernels.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mochac.codegen.cpu.job_layout import CACHE_LINE_BYTES
from mochac.errors import OptionError
from mochac.ir.program import Placement, owners
from mochac.ir.types import DTYPES, TensorType
from mochac.runtime.support.aligned import aligned_zeros

Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True, slots=True)
class Located:
    """Feeds of consecutive steps by address, for memory that outlives the run: no work per step.

    Attributes:
        addresses: by feed key, uint64 (n_steps,).
        last: the arrays of the last step; all steps' are like them.
    """

    addresses: Arrays
    last: Arrays


Feeds = Sequence[Arrays] | Located
"""Per step, the array of every feed placement by key; or all at once."""


AHEAD_BYTES = 1 << 14
"""Batches up to this size are fetched a step ahead; a larger one takes longer to read than to begin with."""


def _lines_ahead(n_bytes: int) -> int:
    return -(-n_bytes // CACHE_LINE_BYTES) if n_bytes <= AHEAD_BYTES else 0


class FeedTable:
    """Pointers of the arrays fed to each step, [n_steps][n_feeds]."""

    def __init__(self, placements: Sequence[Placement]) -> None:
        self.types = {key: placement.type for key, placement in owners(placements).items()}
        self.column = {key: k for k, key in enumerate(self.types)}
        self._known: list[dict[int, tuple[weakref.ref[np.ndarray], int]]] = [{} for _ in self.column]
        self._held: list[Arrays] = []
        self.lines = np.array([_lines_ahead(kind.storage_bytes) for kind in self.types.values()] or [0], np.int64)
        self.grow(0)

    def grow(self, room: int) -> None:
        """Make room for so many steps; a row more is looked at, for the step after the last."""
        self.table = np.zeros((room + 1) * len(self.column), np.int64)
        self._words = self.table.data

    def fill(self, n_steps: int, feeds: Feeds) -> None:
        """Write the pointers of the next run."""
        if not self.column:
            return
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
                    found = self._meet(key, array, feed)
                words[word] = found[1]
                word += 1
        self._held = [feeds[-1]]

    def _copy(self, n_steps: int, feeds: Located) -> None:
        """Write whole columns; the arrays of the last step stand for all."""
        table = self.table.reshape(-1, len(self.column))
        for key, column in self.column.items():
            array = feeds.last.get(key)
            found = self._known[column].get(id(array))
            if found is None or found[0]() is not array:
                self._meet(key, array, feeds.last)
            addresses = feeds.addresses[key]
            if len(addresses) != n_steps:
                raise ValueError(f"{n_steps} steps need as many addresses of feed {key!r}, got {len(addresses)}")
            table[:n_steps, column] = addresses
        self._held = [feeds.last]

    def last(self, key: str) -> np.ndarray:
        """The array of the last step of the last run; KeyError when there was none."""
        if not self._held:
            raise KeyError(f"feed {key!r} has not been given yet")
        return self._held[0][key]

    def _meet(self, key: str, array: np.ndarray | None, feed: Arrays) -> tuple[weakref.ref[np.ndarray], int]:
        """Check an array and remember it weakly: asking NumPy for its address costs 0.75 us every time."""
        if array is None:
            raise ValueError(f"no array for feed {key!r}; got {sorted(feed)}")
        check_array(f"feed {key!r}", array, self.types[key])
        known = self._known[self.column[key]]
        if len(known) >= 256:
            known.clear()
        found = known[id(array)] = (weakref.ref(array), array.ctypes.data)
        return found


class HyperTable:
    """Per-step scalars: `block` is what kernels read, `table` one row per step that the driver copies into it."""

    def __init__(self, placements: Sequence[Placement]) -> None:
        self.placements = placements
        end = max((s.offset + s.type.storage_bytes for s in placements), default=0)
        self.n_bytes = -(-end // 8) * 8
        self.block = aligned_zeros(self.n_bytes, np.uint8)
        self.grow(0)

    def grow(self, room: int) -> None:
        """Make room for so many steps."""
        self.table = aligned_zeros((room, self.n_bytes), np.uint8)
        self._columns = [
            (s.key, np.ndarray((room,), DTYPES[s.type.dtype], self.table.data, s.offset, (self.n_bytes,)))
            for s in (self.placements if room else ())
        ]

    def fill(self, n_steps: int, hyper: Mapping[str, object]) -> None:
        """Write the values of the next run: one number for all steps, or one per step.

        Raises:
            OptionError: a number is too large for its dtype. ValueError: there is none.
        """
        with np.errstate(over="raise"):
            for key, column in self._columns:
                if key not in hyper:
                    raise ValueError(f"no value for hyper-parameter {key!r}; got {sorted(hyper)}")
                value = hyper[key]
                try:
                    if n_steps == 1 and isinstance(value, (int, float)):
                        column[0] = value
                    else:
                        column[:n_steps] = value  # type: ignore[call-overload]
                except FloatingPointError:
                    raise _beyond(key, value, column.dtype) from None


NAMES = {"lr": "learning rate", "step_size": "step size"}
"""Of hyper-parameters in messages, where their key is an abbreviation."""


def _beyond(key: str, value: Any, dtype: np.dtype[Any]) -> OptionError:
    """The error for a hyper-parameter that its dtype cannot hold."""
    most, largest = np.finfo(dtype).max, np.max(np.abs(value))
    expected = f"at most {most:.4g}"
    return OptionError(f"{NAMES.get(key, key)} is beyond {dtype}", expected=expected, got=f"{largest:.4g}")


def check_array(what: str, array: np.ndarray, kind: TensorType) -> None:
    """ValueError, saying what was expected, unless a C-contiguous array of the dtype and logical shape was given."""
    if not isinstance(array, np.ndarray):
        raise ValueError(f"{what}: expected an array {kind}, got {type(array).__name__}")
    if array.dtype != DTYPES[kind.dtype] or array.shape != kind.shape or not array.flags.c_contiguous:
        order = "" if array.flags.c_contiguous else ", not C-contiguous"
        raise ValueError(f"{what}: expected {kind}, got {array.dtype}{list(array.shape)}{order}")
