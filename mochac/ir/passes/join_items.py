"""join_items: join kernels whose items do not depend on each other, so that what they pass on is never stored.

    scores = einsum(q, k)                     each sample, each head {
    rows = softmax(scores)                ->    for strips of queries { scores; rows; y }
    y = einsum(rows, v)                       }

The pipeline runs it after to_kernels, on staged kernels. A kernel joins the kernel that makes an operand if one of the
two is a product, and if their nests have dimensions of items in common (ir/items.py), such as samples and heads in
attention. A value that no other kernel reads then becomes a local, of which a schedule keeps a strip of an item in a
near cache. Kernels of loops over time, and those that store a new state, stay apart.

A value that is also read later, such as the weights of attention for their gradients, is stored, since reading costs
less than computing. If all such values together take more than MOST_KEPT_BYTES, the kernels that read them compute them
again instead. They also do so if half of a value, above a diagonal, is known to be zero (ir/above.py), since strips
leave that half out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.ir.above import above_diagonal
from mochac.ir.graph import Graph
from mochac.ir.items import ItemFrame, item_frame
from mochac.ir.kernel import Buffer, Kernel, Stmt
from mochac.ir.names import claimed, rename_buffers
from mochac.ir.op import OPS
from mochac.ir.passes.clusters import ROOTS
from mochac.ir.passes.fuse import NOT_FUSED
from mochac.ir.passes.loops import SharedMemory
from mochac.ir.passes.phases import dependences
from mochac.ir.types import TensorType

LEAST_ITEMS = 8
"""Minimum items; with fewer, threads would be without work."""
LEAST_LENGTH = 128
"""Minimum rows for which leaving out what is above the diagonal saves more than computing the rest twice costs."""
MOST_KEPT_BYTES = 1 << 27
"""Maximum bytes that joined kernels store for later readers, if these can compute the values again."""
AGAIN = ".again"
"""The names of values and kernels that are computed a second time end with this."""
JOINED = "item by item: "
"""In notes, precedes the kernels that were joined."""


Refuse = Callable[[Kernel], str]
"""Returns why the kernels of which a kernel is composed should stay apart; "" if they should not."""


def join_items(
    graph: Graph,
    kernels: Sequence[Kernel],
    refuse: Refuse = lambda joined: "",
    maps: bool = False,
    most_kept: int = MOST_KEPT_BYTES,
) -> Joined:
    """Join what can be joined.

    Args:
        kernels: the kernels of a graph, in dependency order.
        refuse: the backend's answer about a joined kernel.
        maps: join elementwise kernels, too: for a backend on which each kernel is a launch.
        most_kept: as MOST_KEPT_BYTES.
    """
    compositions = _Compositions(refuse)
    kinds = ROOTS | {"elementwise"} if maps else ROOTS
    joining = _Joining(graph, kernels, compositions, kinds)
    passed_on = joining.read_later()
    kept = sum(joining.bytes_of(name) for names in passed_on for name in names)
    again: dict[str, int] = {}
    for names in passed_on:
        other = _Joining(graph, joining.computing_again(names), compositions, kinds)
        computed = {*names, *(f"{name}{AGAIN}" for name in names)}
        if any(map(other.stores, computed)):
            continue
        if kept > most_kept or other.ends_early(computed):
            again |= {name: joining.bytes_of(name) for name in names}
            joining = other
    return Joined(joining.ordered(), tuple(joining.notes(again)))


@record
class Joined:
    """Kernels in dependency order, and the updated notes of the graph, for explain."""

    kernels: tuple[Kernel, ...]
    notes: tuple[str, ...]


@record
class _Composition:
    """Members as one kernel, which stores what is `needed`."""

    members: tuple[Kernel, ...]
    needed: frozenset[str]
    refuse: Refuse

    @cached_property
    def whole(self) -> Kernel:
        return composed(self.members, self.needed)

    @cached_property
    def frame(self) -> ItemFrame | None:
        return item_frame(self.whole)

    @cached_property
    def refused(self) -> bool:
        """Whether the members stay apart."""
        few = self.frame is None or prod(self.frame.extents) < LEAST_ITEMS
        return few or bool(self.refuse(self.whole))


class _Compositions:
    """Compositions, each made once: attempts to join the kernels of a graph share most of them."""

    def __init__(self, refuse: Refuse) -> None:
        self.refuse = refuse
        self._made: dict[tuple[tuple[int, ...], frozenset[str]], _Composition] = {}

    def of(self, members: tuple[Kernel, ...], needed: frozenset[str]) -> _Composition:
        """Members count as equal if they are the same objects, which compositions keep alive."""
        key = tuple(map(id, members)), needed
        if key not in self._made:
            self._made[key] = _Composition(members, needed, self.refuse)
        return self._made[key]


class _Joining:
    """Kernels by number, in teams.

    Args:
        kinds: the kinds of root ops of kernels that may be joined.
    """

    def __init__(
        self, graph: Graph, kernels: Sequence[Kernel], compositions: _Compositions, kinds: frozenset[str]
    ) -> None:
        self.kinds = kinds
        self.graph, self.kernels, self.memory = graph, kernels, SharedMemory.of(graph)
        self.compositions = compositions
        self.kept = {self.memory.window(name).owner for name in graph.results()}
        self.readers: dict[str, set[int]] = {}
        """The kernels that read a value under its own name, or under any name."""
        self.readers_by_any_name: dict[str, set[int]] = {}
        for k, kernel in enumerate(kernels):
            for b in kernel.inputs:
                self.readers.setdefault(b.name, set()).add(k)
                self.readers_by_any_name.setdefault(self.memory.window(b.name).owner, set()).add(k)
        self.states = {new for _, new in graph.updates}
        self.loop_of = self.memory.loop_of(kernels)
        self.maker = {b.name: k for k, kernel in enumerate(kernels) for b in kernel.outputs}
        self.before = self._before()
        self.team = {k: frozenset({k}) for k in range(len(kernels))}
        self._grow()

    def _before(self) -> list[set[int]]:
        """All kernels that each one depends on."""
        before = dependences(tuple(self.kernels), self.memory)
        for found in before:  # in dependency order: those of the kernels before this one are complete
            found.update(*[before[k] for k in found])
        return before

    def _grow(self) -> None:
        for reader, kernel in enumerate(self.kernels):
            for b in kernel.inputs:
                maker = self.maker.get(b.name)
                if maker is not None and self._is_edge(maker, reader):
                    self._join(self.team[maker] | self.team[reader])

    # -- what is stored

    def stores(self, name: str) -> bool:
        """Whether the kernel that makes a value stores it."""
        return name in self._composition(self.team[self.maker[name]]).needed

    def ends_early(self, names: Iterable[str]) -> bool:
        """Whether the kernels that make these values have many rows, and leave out what is above a diagonal."""
        made = [self._composition(team) for team in {self.team[self.maker[name]] for name in names}]
        return all(
            c.frame is not None and c.frame.length >= LEAST_LENGTH and above_diagonal(c.whole, c.frame) is not None
            for c in made
        )

    def bytes_of(self, name: str) -> int:
        return next(b for b in self.kernels[self.maker[name]].outputs if b.name == name).type.storage_bytes

    def read_later(self) -> list[list[str]]:
        """For each team: values that it passes on between its members, and stores only because other kernels read them;
        with them, what else it stores for these that is computed on the way."""
        found: list[list[str]] = []
        for team in dict.fromkeys(self.team.values()):
            later = {k: [b.name for b in self.kernels[k].outputs if self._is_read_later(b.name, team)] for k in team}
            makers = {k for k, names in later.items() if any(self.readers[name] & team for name in names)}
            if makers:
                found.append([name for k in self._chain(makers, team) for name in later[k]])
        return found

    def _is_read_later(self, name: str, team: frozenset[int]) -> bool:
        return name not in self.kept and bool(self.readers.get(name, set()) - team)

    def _chain(self, makers: set[int], team: frozenset[int]) -> list[int]:
        """The makers and the members that they depend on."""
        return sorted(makers.union(*(self.before[k] & team for k in makers)))

    def computing_again(self, values: Sequence[str]) -> list[Kernel]:
        """The kernels, where those outside of the values' team read copies of them that are computed again."""
        makers = {self.maker[name] for name in values}
        team = self.team[min(makers)]
        chain = self._chain(makers, team)
        names = {b.name: f"{b.name}{AGAIN}" for k in chain for b in self.kernels[k].outputs}
        copies = [_with_names(self.kernels[k], names).with_(name=f"{self.kernels[k].name}{AGAIN}") for k in chain]
        later = set[int]().union(*(self.readers[name] for name in values)) - team
        found = [_with_names(kernel, names) if k in later else kernel for k, kernel in enumerate(self.kernels)]
        return [*found[: min(later)], *(kernel.with_(flops=0) for kernel in copies), *found[min(later) :]]

    # -- teams

    def _is_edge(self, maker: int, reader: int) -> bool:
        """Whether two kernels may be joined: of the right kinds, with a product among what they are joined with."""
        team = self.team[maker] | self.team[reader]
        kinds = {self._kind(maker), self._kind(reader)}
        products = any(self._kind(k) == "contraction" for k in team)
        return products and kinds <= self.kinds and all(map(self._may_join, (maker, reader)))

    def _kind(self, k: int) -> str:
        root = self.kernels[k].root
        return OPS[root].kind if root in OPS else ""

    def _may_join(self, k: int) -> bool:
        """Whether a kernel may be joined: not if it works on several parts of a batch, since their number decides
        whether items are joined."""
        kernel = self.kernels[k]
        return self.loop_of[k] < 0 and kernel.parts == 1 and not any(b.name in self.states for b in kernel.outputs)

    def _join(self, team: frozenset[int]) -> None:
        if len(team) == len(self.team[min(team)]) or not self._is_closed(team):
            return
        if not self._composition(team).refused:
            self.team.update(dict.fromkeys(team, team))

    def _is_closed(self, team: frozenset[int]) -> bool:
        """Whether nothing outside lies between two members, and no member reads another's values by another name."""
        between = set[int]().union(*(self.before[m] for m in team)) - team
        return all(self.before[k].isdisjoint(team) for k in between) and all(self._reads_by_name(m, team) for m in team)

    def _reads_by_name(self, reader: int, team: frozenset[int]) -> bool:
        for b in self.kernels[reader].inputs:
            owner = self.memory.window(b.name).owner
            if owner != b.name and self.maker.get(owner) in team:
                return False
        return True

    def _composition(self, team: frozenset[int]) -> _Composition:
        """The team as one kernel, which stores what others read and what the graph returns."""
        members = tuple(self.kernels[k] for k in sorted(team))
        made = {b.name for kernel in members for b in kernel.outputs}
        needed = {name for name in made if self.readers_by_any_name.get(name, set()) - team}
        return self.compositions.of(members, frozenset(needed | (made & self.kept)))

    # -- results

    def notes(self, again: Mapping[str, int]) -> Iterator[str]:
        """The graph's notes without those about values inside of joined kernels, with notes of what has been joined and
        is computed again."""
        group = {out.name: node.group for node in self.graph.nodes for out in node.outputs}
        teams: dict[int | None, frozenset[int]] = {
            group[name]: self.team[k] for name, k in self.maker.items() if name in group
        }
        for note in self.graph.notes:
            edge, refused, _ = note.partition(NOT_FUSED)
            ends = [teams.get(group.get(end.lstrip("%").partition(" ")[0])) for end in edge.split(" -> ")]
            if not refused or ends[0] is None or ends[0] != ends[-1]:
                yield note
        for team in dict.fromkeys(self.team.values()):
            if len(team) > 1:
                yield JOINED + " + ".join(self.kernels[k].name for k in sorted(team))
        for name, n_bytes in again.items():
            yield f"{JOINED}%{name} is computed again where it is read later; it would take {n_bytes:,} bytes"

    def ordered(self) -> tuple[Kernel, ...]:
        """Each team in the place of its last member."""
        return tuple(
            self._composition(team).whole if len(team) > 1 else self.kernels[k]
            for k, team in sorted(self.team.items())
            if k == max(team)
        )


def composed(members: Sequence[Kernel], needed: Iterable[str]) -> Kernel:
    """One staged kernel of several parts, which stores what is `needed`; the rest of what it makes are locals."""
    needed, made = set(needed), {b.name: kernel.root for kernel in members for b in kernel.outputs}
    outputs = tuple(b for kernel in members for b in kernel.outputs if b.name in needed)
    inputs = dict.fromkeys(b for kernel in members for b in kernel.inputs if b.name not in made)
    taken = {b.name for b in (*inputs, *outputs)} | set(made)
    locals_: list[Buffer] = []

    def local(b: Buffer, stem: str, space: str) -> str:
        name = claimed(stem, taken)
        locals_.append(Buffer(name, TensorType(b.type.dtype, b.type.shape), space))
        return name

    passed = {b.name: local(b, made[b.name], "scratch") for k in members for b in k.outputs if b.name not in needed}
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


def _with_names(kernel: Kernel, names: Mapping[str, str]) -> Kernel:
    """The kernel with other names for buffers that it reads and stores."""

    def named(buffers: tuple[Buffer, ...]) -> tuple[Buffer, ...]:
        return tuple(replace(b, name=names.get(b.name, b.name)) for b in buffers)

    body = rename_buffers(kernel.body, names)
    return kernel.with_(inputs=named(kernel.inputs), outputs=named(kernel.outputs), body=body)
