"""The order in which samples are visited, and random streams.

A stream per (seed, names) of random numbers, on the host and in compiled code. Its numbers depend on its names alone:
adding a layer changes no other layer's initial parameters or dropout masks.

Rows of an HDF5 file are visited in runs of neighbouring rows, in groups that fit into memory. With shuffling, units of
rows (whole storage chunks) are assigned to groups at random, and the rows of a group are shuffled; without, both orders
are those of the file. Disk access is contiguous either way.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable

import numpy as np

from mochac.base.records import record


def generator(seed: int, *names: str | int) -> np.random.Generator:
    """A new host generator (Philox) for the stream called `names` under `seed`.

    >>> int(generator(0, "ip1", "weight").integers(100)) == int(generator(0, "ip1", "weight").integers(100))
    True
    """
    return np.random.Generator(np.random.Philox(key=_digest(seed, names, 128)))


def successive(seed: int, *names: str | int) -> Callable[..., np.random.Generator]:
    """`generator`, for many streams whose names begin alike. Numbers must be drawn at once, since the next call in this
    thread reuses the generator: making one asks the system for entropy, and takes far longer than drawing a few
    numbers.

    >>> order = successive(0, "order")
    >>> int(order(3, 1).integers(100)) == int(generator(0, "order", 3, 1).integers(100))
    True
    """
    begun = _hashed(_text(seed, names)[:-1], 128)

    def begin(*rest: int) -> np.random.Generator:
        key = begun.copy()
        key.update(("".join(f",{int(name)}" for name in rest) + "]").encode())
        return _OWN.begin(int.from_bytes(key.digest(), "little"), (0, 0))

    return begin


def generators(seed: int, *names: str | int) -> Callable[[int, int], np.random.Generator]:
    """Generators for many parts of the stream called `names`, such as (epoch, sample). Each thread has one, which
    begins anew with every call: making one takes far longer than drawing a few numbers.

    >>> draw = generators(0, "augment")
    >>> int(draw(1, 7).integers(100)) == int(draw(1, 7).integers(100))
    True
    """
    key, own = _digest(seed, names, 128), _Own()
    return lambda major, minor: own.begin(key, (minor, major))


class _Own(threading.local):
    """A generator of each thread, which begins anew with every call."""

    def __init__(self) -> None:
        self._generator = np.random.Generator(np.random.Philox(key=0))
        self._rest = {"buffer": (0, 0, 0, 0), "buffer_pos": 4, "has_uint32": 0, "uinteger": 0}

    def begin(self, key: int, middle: tuple[int, int]) -> np.random.Generator:
        """The generator at the start of a stream; `middle`: words 1 and 2 of its counter."""
        state = {"counter": (0, *middle, 0), "key": (key & (1 << 64) - 1, key >> 64)}
        self._generator.bit_generator.state = {"bit_generator": "Philox", "state": state, **self._rest}
        return self._generator


_OWN = _Own()


def key64(seed: int, *names: str | int) -> int:
    """Philox key of the stream called `names` for compiled code: 0 <= key < 2**64.

    >>> key64(0, "drop1") == key64(0, "drop1"), key64(0, "drop1") == key64(1, "drop1")
    (True, False)
    """
    return _digest(seed, names, 64)


def _digest(seed: int, names: tuple[str | int, ...], bits: int) -> int:
    """blake2b of (seed, *names) as an unsigned integer of `bits` bits (a multiple of 8); the same on every machine."""
    return int.from_bytes(_hashed(_text(seed, names), bits).digest(), "little")


def _text(seed: int, names: tuple[str | int, ...]) -> str:
    return json.dumps([int(seed), *names], separators=(",", ":"))


def _hashed(text: str, bits: int) -> hashlib.blake2b:
    return hashlib.blake2b(text.encode(), digest_size=bits // 8)


UNIT_BYTES = 1 << 18
"""Smallest contiguous read, bytes."""

Permutation = Callable[..., np.ndarray]
"""(n, *names) -> a random order of range(n)."""


@record
class RowGroup:
    """Rows that are in memory together: ranges [start, stop) of the file in ascending order, and the visiting order.

    `order[i]` is the index, among the rows as loaded, of the i-th row visited; None: as loaded.
    """

    runs: tuple[tuple[int, int], ...]
    order: np.ndarray | None

    def rows(self) -> np.ndarray:
        """Rows of the file in the order in which the group visits them."""
        loaded = np.concatenate([np.arange(start, stop) for start, stop in self.runs])
        return loaded if self.order is None else loaded[self.order]

    def row(self, position: int) -> int:
        """The row of the file that is visited at `position` of the group."""
        loaded = position if self.order is None else int(self.order[position])
        for start, stop in self.runs:
            if loaded < stop - start:
                return start + loaded
            loaded -= stop - start
        raise IndexError(position)


class FileOrder:
    """How a file is divided into groups in one epoch.

    Args:
        n_rows: samples in the file, >= 1.
        unit_rows: rows of a unit, >= 1.
        group_rows: desired number of rows in a group; a group has at least one unit.
        permutation: the source of randomness; None for the order of the file.

    >>> order = FileOrder(10, 2, 4, None)
    >>> order.n_groups, order.find(5), order.group(1).runs
    (3, (1, 1), ((4, 8),))
    """

    def __init__(self, n_rows: int, unit_rows: int, group_rows: int, permutation: Permutation | None) -> None:
        n_units = -(-n_rows // unit_rows)
        self._permutation = permutation
        self._per_group = max(1, group_rows // unit_rows)
        self._starts = np.arange(n_units) * unit_rows
        if permutation is not None:
            self._starts = self._starts[permutation(n_units)]
        self._stops = np.minimum(self._starts + unit_rows, n_rows)
        lengths = np.add.reduceat(self._stops - self._starts, np.arange(0, n_units, self._per_group))
        self._ends = np.cumsum(lengths)

    @property
    def n_groups(self) -> int:
        """Groups of the file."""
        return len(self._ends)

    def find(self, position: int) -> tuple[int, int]:
        """(group, place in it) of the row visited at `position` of the file."""
        index = int(np.searchsorted(self._ends, position, side="right"))
        return index, position - (int(self._ends[index - 1]) if index else 0)

    def length(self, index: int) -> int:
        """Rows of a group."""
        return int(self._ends[index] - (self._ends[index - 1] if index else 0))

    def group(self, index: int) -> RowGroup:
        """The rows of a group and their order."""
        units = slice(index * self._per_group, (index + 1) * self._per_group)
        starts, stops = np.sort(self._starts[units]), np.sort(self._stops[units])
        joints = np.flatnonzero(starts[1:] != stops[:-1])
        firsts, lasts = np.r_[0, joints + 1], np.r_[joints, len(starts) - 1]
        runs = tuple((int(starts[a]), int(stops[b])) for a, b in zip(firsts, lasts, strict=True))
        order = None if self._permutation is None else self._permutation(self.length(index), index)
        return RowGroup(runs, order)


def unit_rows(row_bytes: int, chunk_rows: int | None) -> int:
    """Rows to read at once: at least UNIT_BYTES and, in chunked storage, whole chunks.

    >>> unit_rows(784, None), unit_rows(784, 50), unit_rows(1 << 20, 3)
    (335, 350, 3)
    """
    wanted = max(1, -(-UNIT_BYTES // max(1, row_bytes)))
    return wanted if chunk_rows is None else -(-wanted // chunk_rows) * chunk_rows
