"""arena: offsets in one block of memory for buffers of known size and lifetime.

plan_memory uses it. By default, memory is reused only in a later phase than that of its last reader. On a device,
where kernels wait for data and not for phases, plan_memory passes a stricter rule (`disjoint`).
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from itertools import accumulate

from mochac.base.records import record

ALIGN = 64
PAGE = 4096
STAGGER = 5 * ALIGN
LARGE, LARGE_STAGGER = 1 << 20, 330 * ALIGN
"""Size from which a buffer is large, and the gap between neighbouring buffers that would start at the same offset in a
page. Large buffers are read and written side by side, row by row. They start a sixth of a way of L2 (64 to 128 KB)
apart, so that rows of six of them use different sets: a data gradient with four such streams takes 3.4 ms, and 5.3 ms
with gaps of five lines (Sapphire Rapids, two threads)."""
WASTE = 1.02
"""Ratio of bytes used to bytes needed up to which no other order is tried."""
TRIES, EFFORT = 30, 4_000_000
"""The maximum number of times that buffers are moved forward, and of pairs of buffers that are compared in doing so."""
DISJOINT_EFFORT = 500_000
"""Maximum number of pairs when `disjoint` is called for each of them, which takes longer."""


@record(slots=True)
class Life:
    """A buffer: its size in bytes, and the first and last phase in which it holds a value."""

    name: str
    size: int
    first: int
    last: int


Disjoint = Callable[[Life, Life], bool]
"""A function that tells whether two buffers never hold values at the same time."""


def padded(size: int) -> int:
    """Bytes to reserve: whole cache lines, but not a multiple of a page, so that neighbouring buffers do not start at
    the same page offset and compete for the same cache sets.

    >>> padded(100), padded(8192), padded(8 << 20) - (8 << 20)
    (128, 8512, 21120)
    """
    lines = _lines(size)
    if not lines or lines % PAGE:
        return lines
    return lines + (LARGE_STAGGER if lines >= LARGE else STAGGER)


def _lines(size: int) -> int:
    return -(-size // ALIGN) * ALIGN


def live_bytes(lives: Sequence[Life]) -> int:
    """Largest number of bytes, in whole cache lines, that are live in one phase: a lower bound on the arena's size.

    >>> live_bytes([Life("a", 64, 0, 1), Life("b", 10, 1, 2), Life("c", 64, 2, 3)])
    128
    """
    change: dict[int, int] = {}
    for life in lives:
        change[life.first] = change.get(life.first, 0) + _lines(life.size)
        change[life.last + 1] = change.get(life.last + 1, 0) - _lines(life.size)
    return max(accumulate(change[phase] for phase in sorted(change)), default=0)


def place(lives: Sequence[Life], disjoint: Disjoint | None = None) -> tuple[dict[str, int], int]:
    """Offsets (multiples of 64) and the total size. Buffers are placed one after another, each into the tightest gap.

    Args:
        disjoint: which buffers may share memory; None: those that are live in different phases.

    Largest first is the best order for most nets. If it wastes more than a little, other orders are tried. Then the
    buffers at the end are moved forward in the best order, a few times (squeaky wheel optimization, Joslin and
    Clements 1999).

    >>> place([Life("a", 64, 0, 1), Life("b", 64, 1, 2), Life("c", 64, 2, 3)])
    ({'a': 0, 'b': 64, 'c': 0}, 128)
    """
    enough = WASTE * live_bytes(lives)
    best = _Placed.of([])
    n_pairs = max(1, len(lives) ** 2)
    for order in _ORDERS[: max(1, DISJOINT_EFFORT // n_pairs)] if disjoint else _ORDERS:
        candidate = _Placed.of(sorted(lives, key=order), disjoint)
        if candidate.n_bytes < best.n_bytes or not best.order:
            best = candidate
        if best.n_bytes <= enough:
            break
    tried = best
    tries = 0 if disjoint else min(TRIES, EFFORT // n_pairs)  # the moves do not take `disjoint` into account
    for _ in range(tries):
        if best.n_bytes <= enough:
            break
        tried = tried.moved_forward(enough)
        best = min(best, tried, key=lambda placed: placed.n_bytes)
    return dict(sorted(best.offsets.items())), best.n_bytes


@record
class _Placed:
    """Buffers placed in a given order."""

    order: list[Life]
    offsets: dict[str, int]
    n_bytes: int

    @staticmethod
    def of(order: list[Life], disjoint: Disjoint | None = None) -> _Placed:
        offsets: dict[str, int] = {}
        placed: list[tuple[int, int, int, int, int]] = []  # start, end, first, last, number: by start
        for k, life in enumerate(order):
            size, first, last = padded(life.size), life.first, life.last
            if disjoint is None:
                taken = [(start, end) for start, end, f, t, _ in placed if f <= last and first <= t]
            else:
                taken = [(start, end) for start, end, _, _, n in placed if not disjoint(life, order[n])]
            offsets[life.name] = start = _gap(taken, size)
            insort(placed, (start, start + size, first, last, k))
        return _Placed(order, offsets, max((end for _, end, *_ in placed), default=0))

    def moved_forward(self, n_bytes: float) -> _Placed:
        """Try again with the buffers that end beyond `n_bytes` moved forward in the order, each halfway to the
        front."""
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
    """Start of the smallest gap of at least `size` bytes in `taken` (sorted by start), or else the end."""
    best: tuple[int, int] | None = None
    end = 0
    for start, stop in taken:
        if start - end >= size and (best is None or start - end < best[0]):
            best = (start - end, end)
        end = max(end, stop)
    return best[1] if best else end
