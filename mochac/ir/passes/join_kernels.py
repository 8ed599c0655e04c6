"""join_kernels: staged kernels become one where that pays, by rules that see what kernels of groups do not show.

    rule                 joins
    join_gates           a product and the kernel that reads equal parts of its columns together
    join_items           products, rows and sums that compute the same items, such as the heads of attention
    join_steps           the kernels of a loop over time, and the loop
    join_factors         a product and the kernels that round its factors
    join_sums            sums at the end of a step that only update parameters

A rule reads the staged kernels. It yields those that should become one kernel, and notes that say what was joined and
why the rest was not. The pipeline runs the rules that a backend needs, after to_kernels. The backend checks every
kernel that a rule composes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Concatenate, ParamSpec

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.ir.graph import Graph
from mochac.ir.kernel import Buffer, Kernel, Stmt
from mochac.ir.names import claimed, rename_buffers
from mochac.ir.notes import Note, NotFused
from mochac.ir.op import OPS
from mochac.ir.passes.phases import SharedMemory, TimeLoop, dependences, is_loop
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.types import TensorType

P = ParamSpec("P")


@record
class KernelJoin:
    """Kernels, by position, and the kernel that they become."""

    members: tuple[int, ...]
    whole: Kernel


@record
class Staged:
    """A fused graph and its staged kernels, in dependency order except that those of loops come last."""

    graph: Graph
    kernels: tuple[Kernel, ...]

    @classmethod
    def of(cls, graph: Graph) -> Staged:
        """A fused graph with a kernel for each group."""
        return cls(graph, to_kernels(graph))

    @cached_property
    def memory(self) -> SharedMemory:
        return SharedMemory.of(self.graph)

    @cached_property
    def loop_of(self) -> list[int]:
        """The loop that each kernel belongs to; -1 for none."""
        return self.memory.loop_of(self.kernels)

    @cached_property
    def states(self) -> dict[str, str]:
        """New states, and the inputs that they replace."""
        return {new: state for state, new in self.graph.updates}

    @cached_property
    def results(self) -> set[str]:
        """The values whose memory the graph returns."""
        return {self.owner(name) for name in self.graph.results()}

    @cached_property
    def maker(self) -> dict[str, int]:
        """The kernel that stores a value."""
        return {b.name: k for k, kernel in enumerate(self.kernels) for b in kernel.outputs}

    @cached_property
    def readers(self) -> dict[str, list[int]]:
        """The kernels that read a value under its own name."""
        return self._readers(lambda name: name)

    @cached_property
    def readers_by_any_name(self) -> dict[str, list[int]]:
        """The kernels that read the memory of a value."""
        return self._readers(self.owner)

    def _readers(self, key: Callable[[str], str]) -> dict[str, list[int]]:
        readers: dict[str, dict[int, None]] = {}
        for k, kernel in enumerate(self.kernels):
            for b in kernel.inputs:
                readers.setdefault(key(b.name), {})[k] = None
        return {name: list(found) for name, found in readers.items()}

    def owner(self, name: str) -> str:
        """The value in whose memory another one lies."""
        return self.memory.window(name).owner

    def kind(self, k: int) -> str:
        """The kind of the op that a kernel is scheduled by; "" for copies."""
        root = self.kernels[k].root
        return OPS[root].kind if root in OPS else ""

    @cached_property
    def needs(self) -> list[set[int]]:
        """The kernels whose results each kernel needs."""
        return dependences(self.kernels, self.memory)

    def names(self, members: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.kernels[k].name for k in members)

    def joined(self, found: Iterable[KernelJoin | Note]) -> Staged:
        """Replace kernels by those that they become, each in the place of its last member, and add notes. Notes about
        values that pass from one member to another are dropped."""
        kernels, homes, notes = dict(enumerate(self.kernels)), dict[int, int](), list[Note]()
        taken = set(self.names(kernels))
        for join in found:
            if isinstance(join, Note):
                notes.append(join)
                continue
            home = max(join.members)
            homes.update(dict.fromkeys(join.members, home))
            taken.difference_update(kernels.pop(k).name for k in join.members)
            kernels[home] = join.whole.with_(name=claimed(join.whole.name, taken))
        graph = self._without_notes(self.graph, self.graph, homes, iter(self.memory.loops)) if homes else self.graph
        return Staged(graph.with_(notes=(*graph.notes, *notes)), tuple(kernels[k] for k in sorted(kernels)))

    def _without_notes(
        self, graph: Graph, planned: Graph, homes: Mapping[int, int], loops: Iterator[TimeLoop]
    ) -> Graph:
        """A graph without notes about values that pass between kernels with the same home.

        Args:
            planned: the graph with the names that its values have in the plan.
            loops: those of the graph, in order.
        """
        stored = {out.name: node.group for node in planned.nodes for out in node.outputs if node.group >= 0}
        kernels = {group: self.maker[name] for name, group in stored.items() if name in self.maker}
        home = {out.name: homes.get(kernels.get(node.group, -1)) for node in graph.nodes for out in node.outputs}

        def is_inside(note: Note) -> bool:
            return isinstance(note, NotFused) and home.get(note.maker) == home.get(note.reader) is not None

        nodes = (
            node.with_bodies(lambda own: self._without_notes(own, next(loops).body, homes, loops))
            if is_loop(node)
            else node
            for node in graph.nodes
        )
        return graph.with_(nodes=tuple(nodes), notes=tuple(note for note in graph.notes if not is_inside(note)))


def joining(
    rule: Callable[Concatenate[Staged, P], Iterator[KernelJoin | Note]],
) -> Callable[Concatenate[Staged, P], Staged]:
    """Decorator: what a rule yields becomes staged kernels."""

    @wraps(rule)
    def joined(staged: Staged, *args: P.args, **how: P.kwargs) -> Staged:
        return staged.joined(rule(staged, *args, **how))

    return joined


def composed(members: Sequence[Kernel], needed: Iterable[str]) -> Kernel:
    """One staged kernel of several parts, which stores what is `needed`; the rest of what it makes are locals."""
    needed, roots = set(needed), {b.name: kernel.root for kernel in members for b in kernel.outputs}
    outputs = tuple(b for kernel in members for b in kernel.outputs if b.name in needed)
    inputs = dict.fromkeys(b for kernel in members for b in kernel.inputs if b.name not in roots)
    taken = {b.name for b in (*inputs, *outputs)} | set(roots)
    locals_: list[Buffer] = []

    def local(b: Buffer, stem: str, space: str) -> str:
        name = claimed(stem, taken)
        locals_.append(Buffer(name, TensorType(b.type.dtype, b.type.shape), space))
        return name

    passed = {b.name: local(b, roots[b.name], "scratch") for k in members for b in k.outputs if b.name not in needed}
    body: list[Stmt] = []
    for kernel in members:
        names = passed | {b.name: local(b, b.name, b.space) for b in kernel.locals}
        body += rename_buffers(kernel.body, names)
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
        members=tuple((kernel.root, len(kernel.body)) for kernel in members),
    )
