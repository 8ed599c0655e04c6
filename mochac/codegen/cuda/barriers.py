"""Where the threads of a block must wait for each other: before reading what others wrote, and before writing over what
others still read.

The printer asks for the statements that need a barrier in front. Only statements that all threads reach together are
looked at (those outside of loops run as lanes), so a barrier is never inside a condition that divides them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mochac.ir.kernel import Accum, If, Kernel, Load, Loop, Stmt, Store, walk

Body = tuple[Stmt, ...]
WARP = 32
"""Threads whose parts shuffles join alone: those order no memory (CUDA programming guide, "Warp Shuffle Functions")."""


@dataclass(frozen=True)
class _State:
    """What was read and written since all threads last met."""

    read: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()

    def __or__(self, other: _State) -> _State:
        return _State(self.read | other.read, self.written | other.written)


@dataclass
class Barriers:
    """Statements, by body and number, that a barrier stands before."""

    watched: frozenset[str]
    lanes: int
    before: set[tuple[int, int]] = field(default_factory=set)

    def of(self, body: Body) -> frozenset[int]:
        """Numbers of the statements of a body that need one."""
        return frozenset(k for b, k in self.before if b == id(body))

    def run(self, body: Body, state: _State) -> _State:
        """Walk a body; gives what is open at its end."""
        for k, stmt in enumerate(body):
            if isinstance(stmt, (Loop, If)) and not is_nest(stmt):
                after = self.run(stmt.body, state)
                if isinstance(stmt, Loop) and stmt.run != "blocks":
                    after = self.run(stmt.body, state | after)
                state = state | after
                continue
            here = _touched(stmt, self.watched)
            if here.read & state.written or here.written & (state.read | state.written):
                self.before.add((id(body), k))
                state = _State()
            state = _State() if self.joins(stmt) else state | here
        return state

    def joins(self, stmt: Stmt) -> bool:
        """Whether a statement ends with all threads meeting: a nest in which several warps join partial sums does."""
        return isinstance(stmt, Loop) and stmt.run == "lanes" and stmt.kind == "sum" and self.lanes > WARP


def find(kernel: Kernel) -> Barriers:
    """The barriers a kernel needs for its shared locals, and for outputs it reads back."""
    loaded = {s.buffer for s in walk(kernel.body) if isinstance(s, Load)}
    shared = {b.name for b in kernel.locals if b.space == "shared"}
    barriers = Barriers(frozenset(shared | ({b.name for b in kernel.outputs} & loaded)), kernel.lanes)
    if kernel.lanes:
        barriers.run(kernel.body, _State())
    return barriers


def is_nest(stmt: Stmt) -> bool:
    """Whether a statement's iterations are shared among the threads of the block."""
    return isinstance(stmt, Loop) and stmt.run == "lanes"


def _touched(stmt: Stmt, watched: frozenset[str]) -> _State:
    inside = tuple(walk((stmt,)))
    read = {s.buffer for s in inside if isinstance(s, (Load, Accum))}
    written = {s.buffer for s in inside if isinstance(s, (Store, Accum))}
    return _State(watched & read, watched & written)
