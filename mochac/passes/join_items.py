"""join_items: join kernels whose items need nothing of each other, so that what they hand on is never stored.

    scores = einsum(q, k)                     each sample, each head {
    rows = softmax(scores)                ->    for strips of queries { scores; rows; y }
    y = einsum(rows, v)                       }

The pipeline runs it after to_kernels, on staged kernels. A kernel joins the maker of what it reads if one of them is a
product, and if the nests of both have dimensions of items in common (ir/items.py): samples and heads, in attention.
What nobody else reads then is a local, of which a schedule keeps a strip of an item in a near cache. Kernels of loops
over time, and those that store a new state, stay apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import prod

from mochac.ir.graph import Graph
from mochac.ir.items import item_frame
from mochac.ir.kernel import Accum, Buffer, Kernel, Load, Prefetch, Stmt, Store, rewrite
from mochac.ir.nest import fresh
from mochac.ir.op import OPS
from mochac.ir.types import TensorType
from mochac.passes.clusters import ROOTS
from mochac.passes.loops import SharedMemory

LEAST_ITEMS = 8
"""Fewer would leave threads without work."""


def join_items(graph: Graph, kernels: Sequence[Kernel]) -> tuple[Kernel, ...]:
    """Join what can be joined; the kernels stay in dependency order."""
    return _Joining(graph, kernels).joined()


class _Joining:
    """Kernels by number, in growing teams."""

    def __init__(self, graph: Graph, kernels: Sequence[Kernel]) -> None:
        self.kernels, self.memory = kernels, SharedMemory.of(graph)
        self.kept = {self.memory.window(name).owner for name in graph.results()}
        self.states = {new for _, new in graph.updates}
        self.loop_of = self.memory.loop_of(kernels)
        self.maker = {b.name: k for k, kernel in enumerate(kernels) for b in kernel.outputs}
        self.makers = {self.memory.window(name).owner: k for name, k in self.maker.items()}
        self.needs = [self._needs(kernel) - {k} for k, kernel in enumerate(kernels)]
        self.before = self._before()
        self.team = {k: frozenset({k}) for k in range(len(kernels))}

    def _needs(self, kernel: Kernel) -> set[int]:
        owners = (self.memory.window(b.name).owner for b in kernel.inputs)
        return {self.makers[owner] for owner in owners if owner in self.makers}

    def _before(self) -> list[set[int]]:
        """All kernels that each one depends on; kernels are in dependency order, but for those of loops."""
        before: list[set[int]] = [set(needs) for needs in self.needs]
        grown = True
        while grown:
            grown = False
            for found in before:
                more = set[int]().union(*(before[k] for k in found)) - found
                found |= more
                grown = grown or bool(more)
        return before

    def joined(self) -> tuple[Kernel, ...]:
        """The kernels, each team as one."""
        for reader, kernel in enumerate(self.kernels):
            for b in kernel.inputs:
                maker = self.maker.get(b.name)
                if maker is not None and self._is_edge(maker, reader):
                    self._join(self.team[maker] | self.team[reader])
        return self._ordered()

    def _is_edge(self, maker: int, reader: int) -> bool:
        """Whether one of two kernels that may be joined is a product, of the rows that the other has."""
        ends = maker, reader
        kinds = [OPS[self.kernels[k].root].kind if self.kernels[k].root in OPS else "" for k in ends]
        return "contraction" in kinds and ROOTS.issuperset(kinds) and all(map(self._may_join, ends))

    def _may_join(self, k: int) -> bool:
        return self.loop_of[k] < 0 and not any(b.name in self.states for b in self.kernels[k].outputs)

    def _join(self, team: frozenset[int]) -> None:
        if len(team) == len(self.team[min(team)]) or not self._is_closed(team):
            return
        whole = self._composed(team)
        frame = item_frame(whole)
        if frame is not None and prod(frame.extents) >= LEAST_ITEMS:
            self.team.update(dict.fromkeys(team, team))

    def _is_closed(self, team: frozenset[int]) -> bool:
        """Whether nothing outside lies between two members, and no member reads another's values by another name."""
        for k, before in enumerate(self.before):
            if k not in team and before & team and any(k in self.before[m] for m in team):
                return False
        return all(self._reads_by_name(m, team) for m in team)

    def _reads_by_name(self, reader: int, team: frozenset[int]) -> bool:
        for b in self.kernels[reader].inputs:
            owner = self.memory.window(b.name).owner
            if owner != b.name and self.makers.get(owner) in team:
                return False
        return True

    def _composed(self, team: frozenset[int]) -> Kernel:
        members = [self.kernels[k] for k in sorted(team)]
        read = {
            self.memory.window(b.name).owner
            for k, kernel in enumerate(self.kernels)
            if k not in team
            for b in kernel.inputs
        }
        return composed(members, self.kept | read)

    def _ordered(self) -> tuple[Kernel, ...]:
        """Teams in the order of their last members, what depends on them behind them."""
        teams = list(dict.fromkeys(self.team[k] for k in range(len(self.kernels))))
        waiting = {team: set[int]().union(*(self.needs[k] for k in team)) - team for team in teams}
        found: list[Kernel] = []
        done: set[int] = set()
        while waiting:
            team = next(t for t in sorted(waiting, key=max) if waiting[t] <= done)
            done |= team
            del waiting[team]
            found.append(self._composed(team) if len(team) > 1 else self.kernels[min(team)])
        return tuple(found)


def composed(members: Sequence[Kernel], needed: Iterable[str]) -> Kernel:
    """One staged kernel of several parts, which stores what is `needed`; the rest of what it makes are locals."""
    needed, made = set(needed), {b.name: kernel.root for kernel in members for b in kernel.outputs}
    outputs = tuple(b for kernel in members for b in kernel.outputs if b.name in needed)
    inputs = dict.fromkeys(b for kernel in members for b in kernel.inputs if b.name not in made)
    taken = {b.name for b in (*inputs, *outputs)} | set(made)
    locals_: list[Buffer] = []

    def local(b: Buffer, stem: str, space: str) -> str:
        name = fresh(stem, taken)
        taken.add(name)
        locals_.append(Buffer(name, TensorType(b.type.dtype, b.type.shape), space))
        return name

    handed = {b.name: local(b, made[b.name], "scratch") for k in members for b in k.outputs if b.name not in needed}
    body: list[Stmt] = []
    for kernel in members:
        names = handed | {b.name: local(b, b.name, b.space) for b in kernel.locals}
        body += rewrite(kernel.body, lambda s, names=names: _renamed(s, names))
    first, *others = members
    return Kernel(
        name="+".join([first.name, *list(dict.fromkeys(kernel.root for kernel in others))[:2]]),
        inputs=tuple(inputs),
        outputs=outputs,
        locals=tuple(locals_),
        body=tuple(body),
        root=next((kernel.root for kernel in members if OPS[kernel.root].kind == "contraction"), first.root),
        ops=tuple(op for kernel in members for op in kernel.ops),
        loc=tuple(dict.fromkeys(loc for kernel in members for loc in kernel.loc)),
        flops=sum(kernel.flops for kernel in members),
        parts=tuple((kernel.root, len(kernel.body)) for kernel in members),
    )


def _renamed(stmt: Stmt, names: dict[str, str]) -> Stmt | None:
    if isinstance(stmt, (Load, Store, Accum, Prefetch)) and stmt.buffer in names:
        return replace(stmt, buffer=names[stmt.buffer])
    return None
