"""Tables a run of steps is bound to: pointers of the fed arrays and rows of per-step scalars.

runtime/cpu.py fills them before a call, the native driver reads them (layout.py). They know slots, but no kernels.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence

import numpy as np

from mochac.ir.program import Slot
from mochac.ir.types import DTYPES, TensorType
from mochac.runtime.aligned import aligned_zeros

Feeds = Sequence[Mapping[str, np.ndarray]]
"""Per step, the array of every feed slot by key."""


class FeedTable:
    """Pointers of the arrays fed to each step, [n_steps][n_feeds]."""

    def __init__(self, slots: Sequence[Slot]) -> None:
        self.slots = {slot.key: slot for slot in slots if slot.name == slot.key}  # the others are views of these
        self.column = {key: k for k, key in enumerate(self.slots)}
        self.table = np.zeros((0, len(self.column)), np.int64)
        self._known: list[dict[int, tuple[weakref.ref[np.ndarray], int]]] = [{} for _ in self.column]
        self._held: list[Mapping[str, np.ndarray]] = []

    def grow(self, room: int) -> None:
        self.table = np.zeros((room, len(self.column)), np.int64)

    def fill(self, n_steps: int, feeds: Feeds) -> None:
        if not self.column:
            return
        if len(feeds) != n_steps:
            raise ValueError(f"{n_steps} steps need as many feeds, got {len(feeds)}")
        for row, feed in zip(self.table, feeds, strict=False):
            for key, k in self.column.items():
                if key not in feed:
                    raise ValueError(f"no array for feed {key!r}; got {sorted(feed)}")
                row[k] = self._pointer(k, key, feed[key])
        self._held = [feeds[-1]]

    def last(self, key: str) -> np.ndarray:
        if not self._held:
            raise KeyError(f"feed {key!r} has not been given yet")
        return self._held[0][key]

    def _pointer(self, k: int, key: str, array: np.ndarray) -> int:
        """Address of an array; asking NumPy costs 0.75 us, so arrays that come again are remembered (weakly)."""
        known = self._known[k]
        found = known.get(id(array))
        if found is not None and found[0]() is array:
            return found[1]
        check_array(f"feed {key!r}", array, self.slots[key].type)
        if len(known) >= 256:
            known.clear()
        address = array.ctypes.data
        known[id(array)] = (weakref.ref(array), address)
        return address


class HyperTable:
    """Per-step scalars: `block` is what kernels read, `table` one row per step that the driver copies into it."""

    def __init__(self, slots: Sequence[Slot]) -> None:
        self.slots = slots
        end = max((s.offset + s.type.storage_bytes for s in slots), default=0)
        self.n_bytes = -(-end // 8) * 8
        self.block = aligned_zeros(self.n_bytes, np.uint8)
        self.grow(0)

    def grow(self, room: int) -> None:
        self.table = aligned_zeros((room, self.n_bytes), np.uint8)
        self._columns = [
            (s.key, np.ndarray((room,), DTYPES[s.type.dtype], self.table.data, s.offset, (self.n_bytes,)))
            for s in (self.slots if room else ())
        ]

    def fill(self, n_steps: int, hyper: Mapping[str, object]) -> None:
        for key, column in self._columns:
            if key not in hyper:
                raise ValueError(f"no value for hyper-parameter {key!r}; got {sorted(hyper)}")
            column[:n_steps] = hyper[key]


def check_array(what: str, array: np.ndarray, kind: TensorType) -> None:
    """ValueError, saying what was expected, unless a C-contiguous array of the dtype and logical shape was given."""
    if not isinstance(array, np.ndarray):
        raise ValueError(f"{what}: expected an array {kind}, got {type(array).__name__}")
    if array.dtype != DTYPES[kind.dtype] or array.shape != kind.shape or not array.flags.c_contiguous:
        order = "" if array.flags.c_contiguous else ", not C-contiguous"
        raise ValueError(f"{what}: expected {kind}, got {array.dtype}{list(array.shape)}{order}")
