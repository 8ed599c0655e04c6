"""Lines that a scheduled kernel moves into and out of a cache, from the footprints of its loops.

    each o_o            2.1 MB        the whole loop does not fit: each iteration moves its lines anew
      each n_o            40 kB       fits: of this loop each line is moved once, however often it is read
        sum f
          ...

Take the largest parts of the nest that fit the cache. Each time such a part runs, every line of it is moved once. A
line whose address does not depend on a loop around it stays in the cache if one iteration of that loop fits. Lines that
lie in few sets of L1 fill it sooner; L2 and what is beyond have physical addresses, and count as fully associative.
Caches replace the line that was not used for longest; stores fetch the line that they write and write it back later.
Lines that are already in the cache when the kernel starts are left to the caller. A prefetch counts as an access.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import ceil, prod
from typing import Any, TypeVar

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.codegen.prediction.lines import Reference, lines, reference, sets_of
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, If, Kernel, Load, Loop, Prefetch, Stmt, Store
from mochac.ir.nest import Ranges

A = TypeVar("A")
T = TypeVar("T")
MOST_CASES = 1024
"""Limits of a loop are averaged over all iterations of the loops around it if these are at most this many, else over
the first and last ones."""

OVERFLOW = 0.25
"""An iteration that needs at least this fraction more than the cache holds leaves nothing in it for the next iteration.
One that needs less leaves the lines that the next iteration reads first."""


@record(slots=True)
class Moved:
    """Lines of a buffer that move into the cache, the number of runs of neighbouring lines among them, and lines
    written back."""

    read: float = 0.0
    runs: float = 0.0
    written: float = 0.0

    def __add__(self, other: Moved) -> Moved:
        return Moved(self.read + other.read, self.runs + other.runs, self.written + other.written)

    def __mul__(self, n: float) -> Moved:
        return Moved(self.read * n, self.runs * n, self.written * n)


Traffic = dict[str, Moved]
"""Lines that move, by buffer."""


def added(parts: Iterable[Traffic]) -> Traffic:
    """Sums by buffer."""
    total: Traffic = {}
    for part in parts:
        for buffer, moved in part.items():
            total[buffer] = total.get(buffer, Moved()) + moved
    return total


def mixed(one: Traffic, other: Traffic, part: float) -> Traffic:
    """A mean of two traffics; `part` is the weight of the second."""
    return {name: moved * (1 - part) + other[name] * part for name, moved in one.items()}


@record
class Room:
    """A cache: how many lines, or pages, it holds, their bytes, and its sets; 1 set if it is fully associative."""

    capacity: float
    line: int
    sets: int = 1


def _once(method: Callable[[NestPart, A], T]) -> Callable[[NestPart, A], T]:
    """Computes a method's result for an argument once."""

    def cached(part: NestPart, argument: A) -> T:
        key = (method.__name__, argument)
        if key not in part.known:
            part.known[key] = method(part, argument)
        return part.known[key]

    return cached


@dataclass(eq=False)
class NestPart:
    """A part of a nest: statements without loops, or a loop, or parts one after the other.

    Attributes:
        accesses: to memory, anywhere inside, each once.
        ranges: of the loops inside, its own included.
        trips: how often a loop runs its parts, on average; 1 of others.
        own: the name of its loop; "" if it is none.
        known: results of methods.
    """

    accesses: tuple[Reference, ...]
    ranges: Ranges
    parts: tuple[NestPart, ...] = ()
    trips: float = 1.0
    own: str = ""
    known: dict[object, Any] = field(default_factory=dict[object, Any], init=False)

    @cached_property
    def _groups(self) -> list[list[Reference]]:
        """Accesses to a buffer that loops outside of this part move together."""
        by_place: dict[object, list[Reference]] = {}
        for access in self.accesses:
            outer = tuple([tuple([t for t in i.terms if t[0] not in self.ranges]) for i in access.axes])
            by_place.setdefault((access.buffer, outer), []).append(access)
        return list(by_place.values())

    @_once
    def _touched(self, line: int) -> list[Moved]:
        """The lines that each of the groups touches."""
        return [self._lines(group, line) for group in self._groups]

    def _lines(self, group: list[Reference], line: int) -> Moved:
        read, runs = lines(group, self.ranges, line)
        stored = [access for access in group if access.written]
        if len(stored) == len(group):
            return Moved(read, runs, read)
        return Moved(read, runs, lines(stored, self.ranges, line)[0] if stored else 0.0)

    @_once
    def footprint(self, line: int) -> Traffic:
        """The lines that this part touches, each counted once."""
        touched = zip(self._groups, self._touched(line), strict=True)
        found = added({group[0].buffer: moved} for group, moved in touched)
        sizes = {access.buffer: -(-access.item * prod(access.shape) // line) for access in self.accesses}
        return {name: _at_most(moved, sizes[name]) for name, moved in found.items()}

    @_once
    def size(self, room: Room) -> float:
        """Lines of its footprint; more if they lie in few sets of the cache, which they fill sooner."""
        if room.sets == 1:
            return sum(moved.read for moved in self.footprint(room.line).values())
        sets = (sets_of(group, self.ranges, room.line, room.sets) for group in self._groups)
        return sum(m.read * room.sets / n for m, n in zip(self._touched(room.line), sets, strict=True))

    def moved(self, room: Room) -> Traffic:
        """Lines that move if a cache is empty at the start."""
        largest = max((part.size(room) for part in self.parts), default=0.0)  # what is more is in more sets and lines
        over = largest / room.capacity - 1
        if over <= 0 and (self.own or not self.parts or self.size(room) <= room.capacity):
            return self.footprint(room.line)
        if self.own:
            body = self.parts[0]
            anew = {name: moved * self.trips for name, moved in body.moved(room).items()}
            return anew if over >= OVERFLOW else mixed(self.footprint(room.line), anew, over / OVERFLOW)
        return added(part.moved(room) for part in self.together(room))

    def together(self, room: Room) -> Iterator[NestPart]:
        """Its parts, where neighbours that fit the cache together are joined."""
        first = 0
        for end in range(1, len(self.parts) + 1):
            if end - first > 1 and self._exceeds((first, end), room):
                yield self._joined((first, end - 1))
                first = end - 1
        yield self._joined((first, len(self.parts)))

    def _exceeds(self, span: tuple[int, int], room: Room) -> bool:
        """Whether some of its parts do not fit a cache together."""
        if any(part.size(room) > room.capacity for part in self.parts[slice(*span)]):
            return True
        return self._joined(span).size(room) > room.capacity

    @_once
    def _joined(self, span: tuple[int, int]) -> NestPart:
        return _sequence(self.parts[slice(*span)])


def _at_most(moved: Moved, size: float) -> Moved:
    return Moved(min(moved.read, size), min(moved.runs, size), min(moved.written, size))


def _sequence(parts: Sequence[NestPart]) -> NestPart:
    if len(parts) == 1:
        return parts[0]
    accesses = tuple(dict.fromkeys(access for part in parts for access in part.accesses))
    ranges = {var: bounds for part in parts for var, bounds in part.ranges.items()}
    return NestPart(accesses, ranges, tuple(parts))


def nest_of(kernel: Kernel, storage: Mapping[str, str] | None = None) -> NestPart:
    """The memory accesses of a scheduled kernel, loop by loop.

    Args:
        storage: another name for buffers that share their memory with others.
    """
    return _Nest(kernel, storage or {}).body(kernel.body, {}, {})


class _Nest:
    """Builds parts; a loop's variable gets a name of its own, since loops in sequence may share names."""

    def __init__(self, kernel: Kernel, storage: Mapping[str, str]) -> None:
        self.memory = {b.name: b for b in kernel.buffers().values() if b.space != "register"}
        self.storage, self.loops = storage, 0

    def body(self, body: tuple[Stmt, ...], names: dict[str, Index], around: Ranges) -> NestPart:
        parts: list[NestPart] = []
        straight: list[Reference] = []

        def flush() -> None:
            if straight:
                parts.append(NestPart(tuple(dict.fromkeys(straight)), {}))
                straight.clear()

        for stmt in body:
            match stmt:
                case Loop():
                    flush()
                    parts.append(self.loop(stmt, names, around))
                case If():
                    flush()
                    parts.append(self.body(stmt.body, names, around))
                case Load() | Store() | Accum() | Prefetch() if stmt.buffer in self.memory:
                    straight.append(self.access(stmt, names))
                case _:
                    pass
        flush()
        parts = [part for part in parts if part.accesses]
        return _sequence(parts) if parts else NestPart((), {})

    def access(self, stmt: Load | Store | Accum | Prefetch, names: dict[str, Index]) -> Reference:
        index = tuple(i.substitute(names) for i in stmt.index)
        memory = self.storage.get(stmt.buffer, stmt.buffer)
        return reference(memory, self.memory[stmt.buffer].type, index, isinstance(stmt, (Store, Accum)))

    def loop(self, loop: Loop, names: dict[str, Index], around: Ranges) -> NestPart:
        turns = Turns.of(loop, around)
        own, self.loops = f"{loop.var}#{self.loops}", self.loops + 1
        value = turns.first.substitute(names) + Index.var(own)
        body = self.body(loop.body, {**names, loop.var: value}, {**around, loop.var: turns.values})
        return NestPart(body.accesses, {**body.ranges, own: (0, turns.usual - 1)}, (body,), turns.mean, own)


@record
class Turns:
    """The iterations of a loop, whose limits may depend on loops around it.

    Attributes:
        values: least and largest value of its variable, over everything.
        first: its first value, as it is in the middle of the loops around.
        mean: number of iterations, on average.
    """

    values: tuple[int, int]
    first: Index
    mean: float

    @property
    def usual(self) -> int:
        """Number of iterations that footprints assume."""
        return max(1, ceil(self.mean))

    @staticmethod
    def of(loop: Loop, around: Ranges) -> Turns:
        """Evaluate the limits for every iteration of the loops around, or at the ends of these loops if iterations are
        many."""
        names = sorted({*loop.lo.vars, *loop.hi.vars})
        spans = [range(around[name][0], around[name][1] + 1) for name in names]
        if prod(map(len, spans)) > MOST_CASES:
            spans = [span[:: max(1, len(span) - 1)] for span in spans]
        cases = [dict(zip(names, case, strict=True)) for case in product(*spans)]
        ends = [(max(loop.lo.values(env)), min(loop.hi.values(env))) for env in cases]
        counts = [min(1, high - low) if loop.at else max(0, high - low) for low, high in ends]
        low = min(low for low, _ in ends)
        middle = {name: sum(around[name]) // 2 for name in names}
        largest = max(zip(loop.lo.values(middle), loop.lo.candidates, strict=True), key=lambda pair: pair[0])
        first = largest[1][0] if largest[1][1] == 1 else Index.of(low)
        return Turns((low, max(low, max(e for _, e in ends) - 1)), first, sum(counts) / len(counts))
