"""join_items: join kernels whose items do not depend on each other, so that what they pass on is never stored.

    scores = einsum(q, k)                     each sample, each head {
    rows = softmax(scores)                ->    for strips of queries { scores; rows; y }
    y = einsum(rows, v)                       }

A kernel joins the kernel that makes an operand if one of the two is a product, and if their nests have dimensions of
items in common (ir/items.py), such as samples and heads in attention. A value that no other kernel reads then becomes a
local, of which a schedule keeps a strip of an item in a near cache. Kernels of loops over time, and those that store a
new state, stay apart.

A value that is also read later, such as the weights of attention for their gradients, is stored, since reading costs
less than computing. If all such values together take more than MAX_KEPT_BYTES, the kernels that read them compute them
again instead. They also do so if half of a value, above a diagonal, is known to be zero (ir/strip_ends.py), since
strips leave that half out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.ir.items import ItemFrame, item_frame
from mochac.ir.kernel import Buffer, Kernel
from mochac.ir.names import rename_buffers
from mochac.ir.notes import JoinedItems, Recomputed, SeparateKernels
from mochac.ir.passes.group_graph import ROOTS, GroupGraph
from mochac.ir.passes.groups import reached
from mochac.ir.passes.join_kernels import KernelJoin, Staged, composed
from mochac.ir.strip_ends import above_diagonal

MIN_ITEMS = 4
"""Minimum items; if no sum is over their rows, each row counts. With fewer, some threads would be idle."""
MIN_LENGTH = 128
"""Minimum rows for which leaving out what is above the diagonal saves more than computing the rest twice costs."""
MAX_KEPT_BYTES = 1 << 27
"""Maximum bytes that joined kernels store for later readers, if these can compute the values again."""
AGAIN = ".again"
"""The names of values and kernels that are computed a second time end with this."""
NO_PRODUCT = "neither has a product"
"""The reason that holds for most kernels, and is not noted."""

Refuse = Callable[[Kernel], str]
"""Returns why the kernels of which a kernel is composed should stay apart; "" if they should not."""


def join_items(
    staged: Staged,
    refuse: Refuse = lambda joined: "",
    maps: bool = False,
    most_kept: int = MAX_KEPT_BYTES,
) -> Staged:
    """Join what can be joined; notes say what was, and what is computed again.

    Args:
        refuse: the backend's answer about a joined kernel.
        maps: join elementwise kernels, too: for a backend on which each kernel is a launch.
        most_kept: as MAX_KEPT_BYTES.
    """
    compositions, kinds = _Compositions(refuse), ROOTS | {"elementwise"} if maps else ROOTS
    teams = _Teams(staged, compositions, kinds)
    passed_on = teams.read_later()
    n_bytes = sum(teams.bytes_of(name) for names in passed_on for name in names)
    again: list[Recomputed] = []
    for names in passed_on:
        other = _Teams(teams.computing_again(names), compositions, kinds)
        computed = {*names, *(f"{name}{AGAIN}" for name in names)}
        if not any(map(other.stores, computed)) and (n_bytes > most_kept or other.ends_early(computed)):
            again += (Recomputed(name, teams.bytes_of(name)) for name in names)
            teams = other
    return teams.staged.joined((*teams.joins(), *again))


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
    def refused(self) -> str:
        """Why the members stay apart; "" if they do not."""
        items = self.frame.independent if self.frame else 0
        if items < MIN_ITEMS:
            return f"they have {items} items in common, fewer than {MIN_ITEMS}"
        return self.refuse(self.whole)


class _Compositions(dict[tuple[tuple[int, ...], frozenset[str]], _Composition]):
    """Compositions, each made once: attempts to join the kernels of a graph share most of them."""

    def __init__(self, refuse: Refuse) -> None:
        super().__init__()
        self.refuse = refuse

    def of(self, members: tuple[Kernel, ...], needed: frozenset[str]) -> _Composition:
        """Members count as equal if they are the same objects, which compositions keep alive."""
        key = tuple(map(id, members)), needed
        return self.get(key) or self.setdefault(key, _Composition(members, needed, self.refuse))


class _Teams(GroupGraph):
    """Kernels by number, in groups that grow while they may be joined.

    Args:
        kinds: the kinds of root ops of kernels that may be joined.
    """

    def __init__(self, staged: Staged, compositions: _Compositions, kinds: frozenset[str]) -> None:
        super().__init__(staged.needs)
        self.staged, self.compositions, self.kinds = staged, compositions, kinds
        self.kernels, self.maker, self.readers = staged.kernels, staged.maker, staged.readers
        for reader, kernel in enumerate(self.kernels):
            for maker in (self.maker[b.name] for b in kernel.inputs if b.name in self.maker):
                a, b = self.of[maker], self.of[reader]
                if a != b and self._may_join(maker) and self._may_join(reader):
                    self.join(a, b, self._refuse, self._refuse_whole, edges=[(maker, reader)])

    def team(self, k: int) -> set[int]:
        """The kernels that are joined with kernel k."""
        return self.members[self.of[k]]

    # -- what is stored

    def stores(self, name: str) -> bool:
        """Whether the kernel that makes a value stores it."""
        return name in self._composition(self.team(self.maker[name])).needed

    def ends_early(self, names: Iterable[str]) -> bool:
        """Whether the kernels that make these values have many rows, and leave out what is above a diagonal."""
        made = [self._composition(self.members[n]) for n in {self.of[self.maker[name]] for name in names}]
        long = [(c.whole, c.frame) for c in made if c.frame is not None and c.frame.length >= MIN_LENGTH]
        return len(long) == len(made) and all(above_diagonal(*pair) is not None for pair in long)

    def bytes_of(self, name: str) -> int:
        return next(b for b in self.kernels[self.maker[name]].outputs if b.name == name).type.storage_bytes

    def read_later(self) -> list[list[str]]:
        """For each team: values that it passes on between its members, and stores only because other kernels read them;
        with them, what else it stores for these that is computed on the way."""
        found: list[list[str]] = []
        for team in self.groups:
            later = {k: [b.name for b in self.kernels[k].outputs if self._is_read_later(b.name, team)] for k in team}
            makers = {k for k, names in later.items() if any(team.intersection(self.readers[name]) for name in names)}
            if makers:
                found.append([name for k in self._chain(makers, team) for name in later[k]])
        return found

    def _is_read_later(self, name: str, team: set[int]) -> bool:
        return name not in self.staged.results and not team.issuperset(self.readers.get(name, ()))

    def _chain(self, makers: set[int], team: set[int]) -> list[int]:
        """The makers and the members that they depend on."""
        return sorted(reached(makers, lambda k: self.staged.needs[k] & team))

    def computing_again(self, values: Sequence[str]) -> Staged:
        """The kernels, where those outside of the values' team read copies of them that are computed again."""
        makers = {self.maker[name] for name in values}
        team = self.team(min(makers))
        chain = self._chain(makers, team)
        names = {b.name: f"{b.name}{AGAIN}" for k in chain for b in self.kernels[k].outputs}
        copies = [_with_names(self.kernels[k], names).with_(name=f"{self.kernels[k].name}{AGAIN}") for k in chain]
        later = {k for name in values for k in self.readers[name]} - team
        found = [_with_names(kernel, names) if k in later else kernel for k, kernel in enumerate(self.kernels)]
        first = min(later)
        kernels = (*found[:first], *(kernel.with_(flops=0) for kernel in copies), *found[first:])
        return Staged(self.staged.graph, kernels)

    # -- teams

    def _may_join(self, k: int) -> bool:
        """Whether a kernel may be joined: not if it works on several parts of a batch, since their number decides
        whether items are joined."""
        kernel, states = self.kernels[k], self.staged.states
        separate = self.staged.loop_of[k] >= 0 or kernel.parts > 1 or any(b.name in states for b in kernel.outputs)
        return self.staged.kind(k) in self.kinds and not separate

    def _refuse(self, a: int, b: int) -> str:
        products = any(self.staged.kind(k) == "contraction" for k in self.members[a] | self.members[b])
        return "" if products else NO_PRODUCT

    def _refuse_whole(self, a: int, b: int) -> str:
        team = self.members[a] | self.members[b]
        owners = ((x.name, self.staged.owner(x.name)) for k in team for x in self.kernels[k].inputs)
        if any(owner != name and self.maker.get(owner) in team for name, owner in owners):
            return "one reads what the other computes under another name"
        return self._composition(team).refused

    def _composition(self, team: Iterable[int]) -> _Composition:
        """The team as one kernel, which stores what others read and what the graph returns."""
        members = tuple(self.kernels[k] for k in sorted(team))
        made = {b.name for kernel in members for b in kernel.outputs}
        read = {n for n in made if not set(team).issuperset(self.staged.readers_by_any_name.get(n, ()))}
        return self.compositions.of(members, frozenset(read | (made & self.staged.results)))

    def joins(self) -> Iterator[KernelJoin | JoinedItems | SeparateKernels]:
        """What becomes one kernel, and what does not."""
        teams = [tuple(sorted(team)) for team in self.groups if len(team) > 1]
        yield from (KernelJoin(team, self._composition(team).whole) for team in teams)
        yield from (JoinedItems(self.staged.names(team)) for team in teams)
        for edge, why in self.reasons.items():
            if why != NO_PRODUCT and self.of[edge[0]] != self.of[edge[1]]:
                yield SeparateKernels(self.staged.names(edge), why)


def _with_names(kernel: Kernel, names: Mapping[str, str]) -> Kernel:
    """The kernel with other names for buffers that it reads and stores."""

    def named(buffers: tuple[Buffer, ...]) -> tuple[Buffer, ...]:
        return tuple(replace(b, name=names.get(b.name, b.name)) for b in buffers)

    body = rename_buffers(kernel.body, names)
    return kernel.with_(inputs=named(kernel.inputs), outputs=named(kernel.outputs), body=body)
