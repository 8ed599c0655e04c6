"""arena: places for buffers of known life and size in one block of memory.

plan_memory asks it. A place is used again only in a later phase than its last reader, or, where kernels wait for data
and not for phases, only by a kernel that runs after all readers; it knows no kernels.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

ALIGN = 64
PAGE = 4096
STAGGER = 5 * ALIGN
WASTE = 1.02
"""Bytes taken over bytes needed at which no other order is tried."""
TRIES, EFFORT = 30, 4_000_000
"""Times that buffers are moved forward, at most; and pairs of buffers to compare in all, for nets with very many."""
ASKED = 500_000
"""The same where `apart` is asked about each pair, which takes longer."""


@dataclass(frozen=True, slots=True)
class Life:
    """A buffer: size in bytes and the phases, both included, during which it holds a value."""

    name: str
    size: int
    first: int
    last: int


Apart = Callable[[Life, Life], bool]
"""Whether two buffers never hold values at the same time."""


def padded(size: int) -> int:
    """Bytes to reserve: whole cache lines, and off a multiple of a page, so that neighbours do not start at the same
    place in their pages and fight for the same cache sets.

    >>> padded(100), padded(8192)
    (128, 8512)
    """
    lines = _lines(size)
    return lines + STAGGER if lines and lines % PAGE == 0 else lines


def _lines(size: int) -> int:
    return -(-size // ALIGN) * ALIGN


def live_bytes(lives: Sequence[Life]) -> int:
    """Most bytes, in whole cache lines, that hold values in one phase: no placing takes less.

    >>> live_bytes([Life("a", 64, 0, 1), Life("b", 10, 1, 2), Life("c", 64, 2, 3)])
    128
    """
    change: dict[int, int] = {}
    for life in lives:
        change[life.first] = change.get(life.first, 0) + _lines(life.size)
        change[life.last + 1] = change.get(life.last + 1, 0) - _lines(life.size)
    return max(accumulate(change[phase] for phase in sorted(change)), default=0)


def place(lives: Sequence[Life], apart: Apart | None = None) -> tuple[dict[str, int], int]:
    """Offsets (multiples of 64) and the bytes they take in all: one buffer after the other, each into the tightest gap.

    Args:
        apart: which buffers may share a place; None: those that live in different phases.

    Largest first is the best order for most nets; where it wastes more than a little, others are tried, and then those
    that stick out are moved forward in the best one, a few times (squeaky wheel optimization, Joslin, Clements 1999).

    >>> place([Life("a", 64, 0, 1), Life("b", 64, 1, 2), Life("c", 64, 2, 3)])
    ({'a': 0, 'b': 64, 'c': 0}, 128)
    """
    enough = WASTE * live_bytes(lives)
    best = _Placed.of([])
    n_pairs = max(1, len(lives) ** 2)
    for order in _ORDERS[: max(1, ASKED // n_pairs)] if apart else _ORDERS:
        candidate = _Placed.of(sorted(lives, key=order), apart)
        if candidate.n_bytes < best.n_bytes or not best.order:
            best = candidate
        if best.n_bytes <= enough:
            break
    tried = best
    tries = 0 if apart else min(TRIES, EFFORT // n_pairs)  # what branches need is not known
    for _ in range(tries):
        if best.n_bytes <= enough:
            break
        tried = tried.with_first_what_ends_beyond(enough)
        best = min(best, tried, key=lambda placed: placed.n_bytes)
    return dict(sorted(best.offsets.items())), best.n_bytes


@dataclass(frozen=True)
class _Placed:
    """Buffers placed in an order."""

    order: list[Life]
    offsets: dict[str, int]
    n_bytes: int

    @staticmethod
    def of(order: list[Life], apart: Apart | None = None) -> _Placed:
        offsets: dict[str, int] = {}
        placed: list[tuple[int, int, int, int, int]] = []  # start, end, first, last, number: by start
        for k, life in enumerate(order):
            size, first, last = padded(life.size), life.first, life.last
            if apart is None:
                taken = [(start, end) for start, end, f, t, _ in placed if f <= last and first <= t]
            else:
                taken = [(start, end) for start, end, _, _, n in placed if not apart(life, order[n])]
            offsets[life.name] = start = _gap(taken, size)
            insort(placed, (start, start + size, first, last, k))
        return _Placed(order, offsets, max((end for _, end, *_ in placed), default=0))

    def with_first_what_ends_beyond(self, n_bytes: float) -> _Placed:
        """Buffers that end beyond some bytes come earlier, by half of the way."""
        rank = {}
        for k, life in enumerate(self.order):
            beyond = self.offsets[life.name] + padded(life.size) > n_bytes
            rank[life.name] = (k // 2 - 0.5) if beyond else k
        return _Placed.of(sorted(self.order, key=lambda life: rank[life.name]))


def _area(life: Life) -> int:
    return padded(life.size) * (life.last + 1 - life.first)


_ORDERS: tuple[Callable[[Life], tuple[object, ...]], ...] = (
    lambda x: (-padded(x.size), x.first, x.name),
    lambda x: (-padded(x.size), -x.last, x.name),
    lambda x: (-_area(x), x.first, x.name),
    lambda x: (x.first - x.last, -padded(x.size), x.name),
    lambda x: (x.first, -padded(x.size), x.name),
    lambda x: (-x.last, -padded(x.size), x.name),
    lambda x: (x.first, x.last, x.name),
)


def _gap(taken: list[tuple[int, int]], size: int) -> int:
    """Start of the smallest gap that holds `size` bytes, else the end of what is taken, which comes by start."""
    best: tuple[int, int] | None = None
    end = 0
    for start, stop in taken:
        if start - end >= size and (best is None or start - end < best[0]):
            best = (start - end, end)
        end = max(end, stop)
    return best[1] if best else end
