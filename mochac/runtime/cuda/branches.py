"""Branches: which launches of a step may run concurrently, and on which stream each is captured.

launcher.py captures a step accordingly. Dependences are derived from the bytes that launches read and write, which
covers values that share a place in the arena. For explain, `outline` does the same without a device: buffers get
made-up addresses.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from mochac.base.records import record
from mochac.base.support.array_like import columns
from mochac.codegen.cuda.exchange import is_rank_sum
from mochac.codegen.cuda.target import LAUNCH_S, estimate
from mochac.ir.plan import Launch, Placement, Plan
from mochac.runtime.cuda.driver import Span


@record
class Work:
    """A launch, as far as its order matters.

    Attributes:
        touched: memory that it reads or writes.
        written: the part that it writes.
        seconds: estimated run time.
        exchanges: it waits for other ranks, which begin such launches in the same order.
    """

    name: str
    touched: tuple[Span, ...]
    written: tuple[Span, ...]
    seconds: float = LAUNCH_S
    exchanges: bool = False


@record
class Twin:
    """Double-buffered memory: every second step in a graph uses the copy `by` bytes further on, so that it can be
    filled while the previous step still reads the first."""

    span: Span
    by: int


def moved(spans: Sequence[Span], twins: Sequence[Twin]) -> tuple[Span, ...]:
    """Spans, moved to the second copy if they are in double-buffered memory.

    >>> moved([Span(8, 8), Span(64, 4)], [Twin(Span(0, 16), 1024)])
    (Span(address=1032, n_bytes=8), Span(address=64, n_bytes=4))
    """
    return tuple(Span(s.address + sum(t.by for t in twins if _inside(s, t.span)), s.n_bytes) for s in spans)


def _inside(span: Span, outer: Span) -> bool:
    return outer.address <= span.address < _end(outer)


@record
class Branches:
    """Launches on streams. Those of one stream run in order.

    Attributes:
        stream: the stream of each launch; 0 is that of the longest path.
        waits: launches on other streams that each launch must wait for explicitly.
        path: the longest path through the step by the estimates, in order.
    """

    stream: tuple[int, ...]
    waits: tuple[tuple[int, ...], ...]
    path: tuple[int, ...]

    @property
    def streams(self) -> int:
        """Number of streams used."""
        return 1 + max(self.stream, default=0)

    @property
    def awaited(self) -> frozenset[int]:
        """Launches that another stream waits for."""
        return frozenset(k for found in self.waits for k in found)


def spans_of(launch: Launch, trip: int, span: Callable[[str], Span]) -> tuple[Span, ...]:
    """Where the buffers of a launch lie in a repetition of its loop; `span`: where they lie in the first."""
    strides = launch.strides or (0,) * len(launch.buffers)
    spans = zip(map(span, launch.buffers), strides, strict=True)
    return tuple(Span(s.address + trip * stride, s.n_bytes) for s, stride in spans)


def work_of(launch: Launch, args: tuple[Span, ...], multiprocessors: int) -> Work:
    """The work of a run of a launch on its buffers. If it does not say which of them it writes, all are written."""
    fill = launch.grid / multiprocessors if launch.grid else 1.0
    seconds = estimate(launch.flops // launch.trips, launch.moved_bytes // launch.trips, fill)
    return Work(launch.kernel, args, args[-launch.writes :], seconds, is_rank_sum(launch))


def dependences(works: Sequence[Work]) -> list[set[int]]:
    """For each launch, those that it must wait for to see the same values as in sequential order: the last writer of
    what it touches, and the readers since then of what it writes.

    >>> a, b = Span(0, 64), Span(64, 64)
    >>> dependences([Work("make", (a,), (a,)), Work("read", (a, b), (b,)), Work("replace", (a,), (a,))])
    [set(), {0}, {0, 1}]
    """
    edges = sorted({edge for work in works for span in work.touched for edge in (span.address, _end(span))})
    writer = [-1] * len(edges)
    readers: list[set[int]] = [set() for _ in edges]
    needs: list[set[int]] = [set() for _ in works]
    for k, work in enumerate(works):
        for piece in _pieces(work.touched, edges):
            needs[k].add(writer[piece])
            readers[piece].add(k)
        for piece in _pieces(work.written, edges):
            needs[k] |= readers[piece]
            writer[piece], readers[piece] = k, set()
        needs[k] -= {k, -1}
    return needs


def _end(span: Span) -> int:
    return span.address + span.n_bytes


def _pieces(spans: Sequence[Span], edges: list[int]) -> set[int]:
    """The pieces between edges that spans consist of, as the numbers of the edges where they begin."""
    return {
        piece for span in spans for piece in range(bisect_left(edges, span.address), bisect_left(edges, _end(span)))
    }


def longest_path(seconds: Sequence[float], needs: Sequence[set[int]]) -> tuple[int, ...]:
    """The path that takes longest, in order.

    >>> longest_path([1, 5, 2, 1], [set(), {0}, {0}, {1, 2}])
    (0, 1, 3)
    """
    done: list[float] = []
    for k, found in enumerate(needs):
        done.append(seconds[k] + max((done[j] for j in found), default=0.0))
    path: list[int] = []
    k = max(range(len(done)), key=done.__getitem__, default=-1)
    while k >= 0:
        path.append(k)
        k = max(sorted(needs[k]), key=done.__getitem__, default=-1)
    return tuple(reversed(path))


def branched(works: Sequence[Work], streams: int) -> Branches:
    """Distribute launches, given in a valid sequential order, over at most `streams` streams.

    The longest path runs on stream 0. Every other launch goes to the stream on which it can start first by the
    estimates; among these, to one with a launch that it has to wait for, else to the one that is idle longest. A launch
    waits for its `dependences`, except those that it already follows indirectly; without any, it waits for the first
    launch, because a capture starts with a single one. Launches that exchange have a stream of their own, the second
    one, on which they follow each other.
    """
    needs = [found or ({0} if k else set()) for k, found in enumerate(dependences(works))]
    path = longest_path([work.seconds for work in works], needs)
    if streams < 2:
        return Branches((0,) * len(works), ((),) * len(works), path)
    stream = _streams(works, needs, frozenset(path), streams)
    return Branches(stream, _waits(stream, needs), path)


def _streams(works: Sequence[Work], needs: list[set[int]], path: frozenset[int], streams: int) -> tuple[int, ...]:
    own = any(work.exchanges for work in works)
    free, last = [0.0] * (streams + own), [-1] * (streams + own)
    sides = range(1 + own, streams + own)
    done: list[float] = []
    found: list[int] = []
    for k, work in enumerate(works):
        ready = max((done[j] for j in needs[k]), default=0.0)
        start = [max(ready, at) for at in free]
        side = min(sides, key=lambda s: (start[s], last[s] not in needs[k], free[s], s))
        best = 1 if work.exchanges else 0 if k in path else side
        free[best], last[best] = start[best] + work.seconds, k
        done.append(free[best])
        found.append(best)
    return tuple(found)


def _waits(stream: Sequence[int], needs: Sequence[set[int]]) -> tuple[tuple[int, ...], ...]:
    """Launches to wait for, latest first, so that fewer are needed."""
    seen = [0] * (1 + max(stream, default=0))
    before: list[int] = []
    waits: list[tuple[int, ...]] = []
    for k, home in enumerate(stream):
        found: list[int] = []
        for j in sorted(needs[k], reverse=True):
            if not seen[home] >> j & 1:
                found.append(j)
                seen[home] |= before[j] | 1 << j
        waits.append(tuple(found))
        before.append(seen[home])
        seen[home] |= 1 << k
    return tuple(waits)


FAR = 1 << 40
"""Distance between the addresses of separate allocations."""
BEGINS, ENDS = "(a step begins)", "(a step ends)"


def outline(plan: Plan, multiprocessors: int, streams: int) -> tuple[tuple[Work, ...], Branches]:
    """The launches of a step, begin and end included, and how they are captured."""
    homes: dict[tuple[str, str], int] = {}

    def span(placement: Placement) -> Span:
        home = homes.setdefault(
            (placement.place, placement.key if placement.place in ("state", "feed") else ""), FAR * len(homes)
        )
        return Span(home + placement.offset, placement.type.storage_bytes)

    placements = {placement.name: placement for placement in plan.placements}
    brought = tuple(span(placement) for placement in plan.placements if placement.place in ("feed", "hyper"))
    reported = tuple(span(placements[name]) for _, name in plan.scalars)
    counter = Span(FAR * (1 + len(plan.placements)), 8)
    works = [
        *([Work(BEGINS, (counter, *brought), brought)] if brought else []),
        *(
            work_of(launch, spans_of(launch, trip, lambda name: span(placements[name])), multiprocessors)
            for launch, trip in plan.runs()
        ),
        Work(ENDS, (counter, *reported), (counter,)),
    ]
    return tuple(works), branched(works, streams)


def streams(plan: Plan, multiprocessors: int, n_streams: int) -> tuple[str, str]:
    """Title and body of explain's section: every launch with its stream, and the launches it waits for; those of a loop
    over time in its first repetition."""
    works, branches = outline(plan, multiprocessors, n_streams)
    runs = list(plan.runs())
    begins = len(works) - len(runs) - 1

    def rows() -> Iterator[list[str]]:
        for k, (work, stream) in enumerate(zip(works, branches.stream, strict=True)):
            launch, trip = runs[k - begins] if 0 <= k - begins < len(runs) else (None, 0)
            if trip:
                continue
            after = ", ".join(works[j].name for j in sorted(branches.waits[k]))
            name = work.name if not stream else f"  {work.name}"
            times = f"{launch.trips} times" if launch and launch.loop else ""
            yield [name, f"stream {stream}", times, f"after {after}" if after else ""]

    path, others = len(branches.path), len(works) - len(branches.path)
    title = f"Graph of a step: {len(works)} launches, {path} one after the other, {others} concurrently"
    return title, columns([], list(rows()))
