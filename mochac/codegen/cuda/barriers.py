"""Barriers of a CUDA kernel: before threads read what others wrote, and before they overwrite what others still read.
Where async copies may be on their way, threads wait for theirs first.

The printer asks which statements need a barrier in front. Only statements that all threads reach together are
considered (those outside of thread loops), so a barrier is never inside a condition that diverges.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mochac.base.records import record
from mochac.ir.grids import WARP
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Body, If, Kernel, Load, Loop, Stmt, Store, access, loaded_buffers, loops_named, walk

"""Threads whose partial sums shuffles join: shuffles order no memory accesses (CUDA programming guide, "Warp Shuffle
Functions")."""


Region = tuple[str, int]
"""A buffer, or one half of a double buffer, whose first index depends on a loop of two iterations: 0 is the half that
index 0 means in the current iteration (outside of the loop: in the next first one), 1 the other half."""


@record
class _State:
    """Regions read and written since the last barrier, and those of async copies that no thread has waited for."""

    read: frozenset[Region] = frozenset()
    written: frozenset[Region] = frozenset()
    arriving: frozenset[Region] = frozenset()

    def __or__(self, other: _State) -> _State:
        arriving = self.arriving | other.arriving
        return _State(self.read | other.read, self.written | other.written, arriving)

    def conflicts(self, after: _State) -> bool:
        """Whether accesses that follow need a barrier in front."""
        return bool(after.read & self.written or after.written & (self.read | self.written))

    def swapped(self, halved: Mapping[str, str], var: str) -> _State:
        """The state after an iteration of a loop, in which halves change places."""

        def one(regions: frozenset[Region]) -> frozenset[Region]:
            return frozenset((name, 1 - half if halved.get(name) == var else half) for name, half in regions)

        return _State(one(self.read), one(self.written), one(self.arriving))


@dataclass
class Barriers:
    """Statements, by body and number, that need a barrier in front; `arrivals`: those of them at which threads wait for
    their async copies first; `halved`: double buffers and their loops."""

    watched: frozenset[str]
    threads: int
    halved: Mapping[str, str] = field(default_factory=dict[str, str])
    before: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    arrivals: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])

    def of(self, body: Body) -> frozenset[int]:
        """Numbers of the statements of a body that need a barrier in front."""
        return frozenset(k for b, k in self.before if b == id(body))

    def waits(self, body: Body, k: int) -> bool:
        """Whether threads wait for their async copies at the barrier in front of a statement."""
        return (id(body), k) in self.arrivals

    def run(self, body: Body, state: _State) -> _State:
        """Process a body; returns the accesses since the last barrier at its end."""
        for k, stmt in enumerate(body):
            if isinstance(stmt, If) and is_nest(stmt.body[0]) and state.conflicts(self._touched(stmt.body[0])):
                state = self._barrier(body, k, state)  # what follows the condition may need it, too
            if isinstance(stmt, (Loop, If)) and not is_nest(stmt):
                if isinstance(stmt, Loop) and stmt.run != "blocks":
                    state = state | self._tried(stmt, state)
                state = state | self._after(stmt, state)
                continue
            here = self._touched(stmt)
            if state.conflicts(here):
                state = self._barrier(body, k, state)
            state = _State(written=state.arriving, arriving=state.arriving) if self.joins(stmt) else state | here
        return state

    def _barrier(self, body: Body, k: int, state: _State) -> _State:
        """Put a barrier in front of a statement; returns the state behind it."""
        self.before.add((id(body), k))
        if state.arriving:
            self.arrivals.add((id(body), k))
        return _State()

    def joins(self, stmt: Stmt) -> bool:
        """Whether a statement ends with a barrier of its own: a nest whose partial sums several warps join does."""
        return isinstance(stmt, Loop) and stmt.run == "threads" and stmt.kind == "sum" and self.threads > WARP

    def _tried(self, loop: Loop, state: _State) -> _State:
        """Like `_after`, without any barriers: those of the first iteration are among those of later ones, which are
        found with what the one before has accessed."""
        before, arrivals = set(self.before), set(self.arrivals)
        after = self._after(loop, state)
        self.before, self.arrivals = before, arrivals
        return after

    def _after(self, stmt: Loop | If, state: _State) -> _State:
        """The accesses since the last barrier after one iteration, as the next iteration sees them."""
        after = self.run(stmt.body, state)
        return after.swapped(self.halved, stmt.var) if isinstance(stmt, Loop) else after

    def _touched(self, stmt: Stmt) -> _State:
        inside = tuple(walk((stmt,)))
        copies = [s for x in inside if isinstance(x, Loop) and x.run == "async" for s in x.body]
        read = {self._region(s.buffer, s.index) for s in inside if isinstance(s, (Load, Accum))}
        written = {self._region(s.buffer, s.index) for s in inside if isinstance(s, (Store, Accum))}
        arriving = {self._region(s.buffer, s.index) for s in walk(tuple(copies)) if isinstance(s, Store)}
        regions = (read, written, arriving)
        return _State(*(frozenset(p for p in found if p[0] in self.watched) for found in regions))

    def _region(self, buffer: str, index: tuple[Index, ...]) -> Region:
        if buffer not in self.halved:
            return buffer, 0
        turn = index[0].coefficient(self.halved[buffer])
        return buffer, int(turn < 0 or (not turn and index[0].const == 1))


def find(kernel: Kernel) -> Barriers:
    """The barriers that a kernel needs for shared locals, and for outputs that it reads back."""
    loaded = loaded_buffers(kernel.body)
    shared = {b.name for b in kernel.locals if b.space == "shared"}
    watched = frozenset(shared | ({b.name for b in kernel.outputs} & loaded))
    barriers = Barriers(watched, kernel.block, _halved(kernel, shared))
    if kernel.block:
        barriers.run(kernel.body, _State())
    return barriers


def is_nest(stmt: Stmt) -> bool:
    """Whether the threads of the block share a statement's iterations."""
    return isinstance(stmt, Loop) and stmt.run == "threads"


def _halved(kernel: Kernel, shared: set[str]) -> dict[str, str]:
    """Shared double buffers and their loops: every first index is 0, 1, or the variable of a loop of two iterations,
    counted from either end; inside such a loop only the latter."""
    turns = {s.var for s in walk(kernel.body) if isinstance(s, Loop) and s.lo.const == 0 and s.hi.const == 2}
    serial = {s.var for s in walk(kernel.body) if isinstance(s, Loop) and s.run == "serial"}
    firsts: dict[str, list[Index]] = {}
    for stmt in walk(kernel.body):
        accessed = access(stmt)
        if accessed is not None and accessed[0] in shared and accessed[1]:
            firsts.setdefault(accessed[0], []).append(accessed[1][0])
    halved: dict[str, str] = {}
    for name, indices in firsts.items():
        variables = {v for i in indices for v in i.vars}
        forms = {(c, i.const) for i in indices for _, c in i.terms} | {(0, i.const) for i in indices if i.is_const}
        if len(variables) == 1 and variables <= turns & serial and forms <= {(1, 0), (-1, 1), (0, 0), (0, 1)}:
            var = variables.pop()
            inner = (access(s) for x in loops_named(kernel.body, var) for s in walk(x.body))
            if all(accessed is None or accessed[0] != name or accessed[1][0].vars for accessed in inner):
                halved[name] = var
    return halved
