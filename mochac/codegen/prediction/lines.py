"""Lines of memory that loops touch, and numbers of elements that an index takes.

A set of places along one axis is an integer whose bit k stands for place `base + k`; an access to a buffer is a set per
axis, as stored, outermost first. Sets are exact. The counts differ from exact ones only because two accesses to a
buffer are united axis by axis, and because lines are counted for the average start where the start changes from run to
run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import gcd, prod

from mochac.base.records import record
from mochac.ir.executed import Env
from mochac.ir.index import Index
from mochac.ir.nest import Ranges
from mochac.ir.types import DTYPES, TensorType

Fixed = tuple[tuple[int, ...], tuple[tuple[tuple[str, int], ...], ...]]
"""Constants and terms of an index, axis by axis."""


class IndexNumbers:
    """Numbers for the indices of one kernel, which must be kept alive.

    Attributes:
        fixed: the index of each number.
    """

    def __init__(self) -> None:
        self.fixed: list[Fixed] = []
        self._numbers: dict[Fixed, int] = {}
        self._variables: dict[int, tuple[str, ...]] = {}
        self._known: dict[tuple[int | None, ...], int] = {}

    def number(self, index: tuple[Index, ...], consts: Env) -> int:
        """The number of a statement's index where these variables have these values."""
        variables = self._variables.get(id(index))
        if variables is None:
            variables = self._variables[id(index)] = tuple({var for i in index for var in i.vars})
        key = (id(index), *map(consts.get, variables))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._numbered(fixed(index, consts))
        return found

    def _numbered(self, index: Fixed) -> int:
        if index not in self._numbers:
            self._numbers[index] = len(self.fixed)
            self.fixed.append(index)
        return self._numbers[index]


def fixed(index: tuple[Index, ...], consts: Env) -> Fixed:
    """An index with the values of some variables put in.

    >>> fixed((Index.var("i") * 2 + Index.var("j"),), {"i": 3})
    ((6,), ((('j', 1),),))
    """
    known: list[int] = []
    terms: list[tuple[tuple[str, int], ...]] = []
    for i in index:
        at, rest = i.const, list[tuple[str, int]]()
        for term in i.terms:
            if term[0] in consts:
                at += term[1] * consts[term[0]]
            else:
                rest.append(term)
        known.append(at)
        terms.append(tuple(rest))
    return tuple(known), tuple(terms)


MOST_BITS = 1 << 14
"""Maximum places of several axes that are counted one by one."""


@record(slots=True)
class Reference:
    """A buffer and an index, as stored: an index and an extent per axis, outermost first."""

    buffer: str
    axes: tuple[Index, ...]
    shape: tuple[int, ...]
    item: int
    written: bool


def reference(buffer: str, type: TensorType, index: tuple[Index, ...], written: bool) -> Reference:
    """The storage that buffer[index] means: a blocked batch is an axis of blocks and one of lanes, the innermost."""
    item = DTYPES[type.dtype].itemsize
    if not type.lanes:
        return Reference(buffer, index, type.shape, item, written)
    block, lane = index[0].divided(type.lanes)
    shape = (-(-type.shape[0] // type.lanes), *type.shape[1:], type.lanes)
    return Reference(buffer, (block, *index[1:], lane), shape, item, written)


def places(index: Index, ranges: Ranges) -> tuple[int, int]:
    """The values of an index while the variables of `ranges` take all their values and the others are 0: the least
    value, and a set with a bit for each value from there on.

    >>> places(Index.var("i") * 2 + 1, {"i": (0, 2)})
    (1, 21)
    """
    base, bits = index.const, 1
    for var, c in index.terms:
        if var in ranges:
            low, high = ranges[var]
            base += c * (low if c > 0 else high)
            bits = repeated(bits, abs(c), high - low + 1)
    return base, bits


def repeated(bits: int, step: int, n: int) -> int:
    """The union of n copies of a set, each `step` further than the one before.

    >>> bin(repeated(0b11, 4, 3))
    '0b1100110011'
    """
    have = 1
    while have < n:
        more = min(have, n - have)
        bits |= bits << step * more
        have += more
    return bits


def lines(accesses: Sequence[Reference], ranges: Ranges, line: int) -> tuple[float, float]:
    """Lines of `line` bytes that the accesses touch while the variables of `ranges` take all their values, and how many
    runs of neighbouring lines these are.

    Args:
        accesses: of one buffer, with the same terms in variables outside of `ranges`.
    """
    first = accesses[0]
    axes = [_union([_inside(a.axes[k], n, ranges) for a in accesses]) for k, n in enumerate(first.shape)]
    grid = _grid(first, ranges, line)
    start = sum(base * step for (base, _), step in zip(axes, _steps(first.shape), strict=True)) * first.item % grid
    return _count([bits for _, bits in axes], first.shape, first.item, line, start, grid)


def sets_of(accesses: Sequence[Reference], ranges: Ranges, line: int, sets: int) -> int:
    """How many sets of a cache the lines of these accesses lie in; arguments as for `lines`.

    >>> rows = Index.var("row"), Index.var("column")
    >>> read = [Reference("x", rows, (64, n), 4, False) for n in (1024, 1040)]
    >>> [sets_of([one], {"row": (0, 7), "column": (0, 15)}, 64, 64) for one in read]
    [1, 8]
    """
    first, full = accesses[0], (1 << sets) - 1
    axes = [_union([_inside(a.axes[k], n, ranges) for a in accesses])[1] for k, n in enumerate(first.shape)]
    found = 1
    for bits, step in zip(reversed(axes), reversed(_steps(first.shape)), strict=True):
        n, gap = bits.bit_count(), step * first.item
        if n > 1:
            gap *= max(1, (bits.bit_length() - 1) // (n - 1))
            n, gap = (-(-n * gap // line), line) if gap < line else (n, gap)
        moved = found
        for k in range(1, min(n, sets)):
            if found == full:
                return sets
            by = k * gap // line % sets
            found |= (moved << by | moved >> (sets - by)) & full
    return found.bit_count()


def _inside(index: Index, extent: int, ranges: Ranges) -> tuple[int, int]:
    """The values of an index, without those outside of the axis, which conditions exclude. They are known only where no
    outer loop moves the index."""
    return _values(index, extent, tuple([ranges.get(var) for var, _ in index.terms]))


@lru_cache(maxsize=1 << 14)
def _values(index: Index, extent: int, bounds: tuple[tuple[int, int] | None, ...]) -> tuple[int, int]:
    base, bits = places(index, {var: span for (var, _), span in zip(index.terms, bounds, strict=True) if span})
    if None not in bounds:
        bits = bits >> max(0, -base) & (1 << max(0, extent - max(0, base))) - 1
        base = max(0, base)
    return base, bits


def _union(parts: Iterable[tuple[int, int]]) -> tuple[int, int]:
    parts = list(parts)
    base = min(at for at, _ in parts)
    bits = 0
    for at, more in parts:
        bits |= more << at - base
    return base, bits


def _steps(shape: Sequence[int]) -> list[int]:
    return [prod(shape[k + 1 :]) for k in range(len(shape))]


def _grid(access: Reference, ranges: Ranges, line: int) -> int:
    """Bytes by which outer loops move the start, as a divisor of a line; `line` if all starts have the same offset in a
    line."""
    grid = line
    for index, step in zip(access.axes, _steps(access.shape), strict=True):
        for var, c in index.terms:
            if var not in ranges:
                grid = gcd(grid, c * step * access.item)
    return grid


def _count(
    axes: Sequence[int], shape: Sequence[int], item: int, line: int, start: int, grid: int
) -> tuple[float, float]:
    """Lines and runs of the product of sets: inner axes become one set of elements until rows are whole lines."""
    bits, row = 1, 1
    for k in range(len(axes) - 1, -1, -1):
        if row * item % line == 0 and start % line == 0:
            break
        if bits.bit_count() == row:  # whole rows
            bits = _runs(axes[k], row)
        elif axes[k].bit_length() * row <= MOST_BITS:
            bits = _spread(axes[k], bits, row)
        else:
            break
        row *= shape[k]
    else:
        k = -1
    times = prod(a.bit_count() for a in axes[: k + 1])
    touched = _touched(bits, item, line, start, grid)
    if k >= 0 and bits.bit_count() == row:  # whole rows: neighbours are one run
        while k > 0 and axes[k].bit_count() == shape[k]:
            k -= 1
        return touched * times, _groups_of_neighbours(axes[k]) * prod(a.bit_count() for a in axes[:k])
    return touched * times, min(touched, _groups_of_neighbours(bits)) * times


def _groups_of_neighbours(bits: int) -> int:
    return (bits & ~(bits << 1)).bit_count()


def _runs(rows: int, row: int) -> int:
    """Every place becomes `row` adjacent ones."""
    n = rows.bit_length()
    if rows == (1 << n) - 1:
        return (1 << n * row) - 1
    return _spread(rows, (1 << row) - 1, row)


def _spread(rows: int, bits: int, row: int) -> int:
    found, at = 0, 0
    while rows:
        skip = (rows & -rows).bit_length() - 1
        at += skip
        found |= bits << at * row
        rows >>= skip + 1
        at += 1
    return found


def _touched(bits: int, item: int, line: int, start: int, grid: int) -> float:
    """Lines of a set of elements, on average over the places in a line where it may start."""
    n = bits.bit_count()
    if not bits:
        return 0
    if bits == (1 << n) - 1:  # one run
        size = n * item
        return (start % grid + size - 1) // line + 1 if grid == line else 1 + max(0, size - grid) / line
    per = line // item
    step = max(1, grid // item)
    starts = [start // item] if grid == line else list(range((start // item) % step, per, step))
    if bits.bit_length() > MOST_BITS:
        starts = starts[:1]
    starts = starts[:: max(1, len(starts) // 4)]
    return sum(_groups(bits << at, per) for at in starts) / len(starts)


def _groups(bits: int, size: int) -> int:
    """How many groups of `size` adjacent places have one of the set; size is a power of two."""
    shift = 1
    while shift < size:
        bits |= bits >> shift
        shift *= 2
    every = repeated(1, size, bits.bit_length() // size + 1)
    return (bits & every).bit_count()
