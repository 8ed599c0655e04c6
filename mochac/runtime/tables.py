"""The inputs of the steps of a run: batches, and rows of per-step scalars.

Executors of every backend take batches in one of two forms and keep scalars in a HyperTable.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.records import record
from mochac.base.support.memory import aligned_zeros
from mochac.base.threads import cached_property
from mochac.ir.plan import Placement
from mochac.ir.types import DTYPES, TensorType

Arrays = Mapping[str, np.ndarray]


@record(slots=True)
class Located:
    """Feeds of consecutive steps by address, for memory that outlives the run: no work per step.

    Attributes:
        addresses: by feed key, uint64 (n_steps,).
        last: the arrays of the last step; all steps' are like them.
    """

    addresses: Arrays
    last: Arrays


@record(slots=True, eq=False)
class Slots(Sequence[Arrays]):
    """The feeds of one step, in arrays that are used again and again: an executor looks up their addresses once.

    Attributes:
        arrays: by feed key.
    """

    arrays: Arrays

    def __getitem__(self, k: Any) -> Any:
        return (self.arrays,)[k]

    def __len__(self) -> int:
        return 1


Feeds = Sequence[Arrays] | Located
"""Per step, the array of every fed value by key; or all at once."""


class HyperTable:
    """Per-step scalars, some with a number for each net: `block` is what kernels read, `table` a row per step that
    the driver copies into it."""

    def __init__(self, placements: Sequence[Placement]) -> None:
        self.placements = placements
        end = max((s.offset + s.type.storage_bytes for s in placements), default=0)
        self.n_bytes = -(-end // 8) * 8
        self.block = aligned_zeros(self.n_bytes, np.uint8)
        self.grow(0)

    def grow(self, room: int) -> None:
        """Make room for this many steps."""
        self.table = aligned_zeros((room, self.n_bytes), np.uint8)
        self._columns = [(s.key, self._column(s, room)) for s in (self.placements if room else ())]
        self._words = self.table.reshape(-1).data if room and self.n_bytes else None

    @cached_property
    def _row(self) -> tuple[list[str], struct.Struct]:
        """The keys in order of their places, and the form of a row."""
        placed = sorted(self.placements, key=lambda s: s.offset)
        form, end = "=", 0
        for s in placed:
            form += f"{s.offset - end}x{_FORMS[s.type.dtype]}"
            end = s.offset + s.type.storage_bytes
        return [s.key for s in placed], struct.Struct(form)

    def _column(self, placement: Placement, room: int) -> np.ndarray:
        dtype, shape = DTYPES[placement.type.dtype], placement.type.shape
        return np.ndarray(
            (room, *shape), dtype, self.table.data, placement.offset, (self.n_bytes, dtype.itemsize)[: 1 + len(shape)]
        )

    def fill(self, n_steps: int, hyper: Mapping[str, object]) -> None:
        """Write the values of the next run: one number (or row) for all steps, or one per step.

        Raises:
            OptionError: a number is too large for its dtype. ValueError: there is none.
        """
        with np.errstate(over="raise"):
            for key, column in self._columns:
                if key not in hyper:
                    raise ValueError(f"no value for hyper-parameter {key!r}; got {sorted(hyper)}")
                try:
                    column[:n_steps] = hyper[key]  # type: ignore[call-overload]
                except FloatingPointError:
                    raise _beyond(key, hyper[key], column.dtype) from None

    def fill_one(self, hyper: Mapping[str, object]) -> None:
        """Write the numbers of one step; raises like `fill`."""
        words = self._words
        if words is not None:
            keys, form = self._row
            try:
                form.pack_into(words, 0, *map(hyper.__getitem__, keys))
            except (KeyError, struct.error, OverflowError):
                self.fill(1, hyper)


_FORMS = {"f32": "f", "f64": "d", "i8": "b", "u8": "B", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "bool": "?"}


NAMES = {"lr": "learning rate", "step_size": "step size"}
"""Names of hyper-parameters in messages, where the key is an abbreviation."""


def _beyond(key: str, value: Any, dtype: np.dtype[Any]) -> OptionError:
    """The error for a hyper-parameter that its dtype cannot hold."""
    most, largest = np.finfo(dtype).max, np.max(np.abs(value))
    expected, (group, dot, name) = f"at most {most:.4g}", key.rpartition(".")
    return OptionError(
        f"{group}{dot and ': '}{NAMES.get(name, name)} is beyond {dtype}", expected=expected, got=f"{largest:.4g}"
    )


def check_array(what: str, array: np.ndarray, kind: TensorType) -> None:
    """ValueError, saying what was expected, unless a C-contiguous array of the dtype and storage shape was given."""
    if not isinstance(array, np.ndarray):
        raise ValueError(f"{what}: expected an array {kind}, got {type(array).__name__}")
    if array.dtype != DTYPES[kind.dtype] or array.shape != kind.storage_shape or not array.flags.c_contiguous:
        order = "" if array.flags.c_contiguous else ", not C-contiguous"
        raise ValueError(f"{what}: expected {kind}, got {array.dtype}{list(array.shape)}{order}")
