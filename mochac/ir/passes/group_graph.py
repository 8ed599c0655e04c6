"""GroupGraph: what becomes one kernel is a group; groups grow by merges, and never depend on each other in a cycle.

    a -> b -> c, a -> c        a and c may not merge without b, which would read from their group and be read by it

fuse merges the nodes of a graph (NodeGroups, with what its rules ask about nodes and groups), join_kernels the kernels
that come of them. Rules decide which groups should merge; whether they may is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from functools import lru_cache

from mochac.base.records import record
from mochac.ir.graph import Graph, Node
from mochac.ir.kernel_build import concatenates
from mochac.ir.op import OPS, lowering
from mochac.ir.passes.groups import Nodes, ancestors, bits, is_alias
from mochac.ir.types import TensorType

BETWEEN = "another kernel lies between them: it reads from one and is read by the other"
NO_LIMIT = 1 << 30
"""For groups whose reads are short chains however many operations they have."""

Refuse = Callable[[int, int], str]
"""Why two groups should not merge, by their numbers; "" if they should."""
Edge = tuple[int, int]
"""An element and one that depends on it, perhaps through what every reader computes."""
After = Callable[[int], Set[int]]
"""The groups that directly depend on a group, by number."""


class GroupGraph:
    """Elements 0, 1, ..., in groups. At first, each is a group of its own, with the number of the element.

    Args:
        needs: for each element, those on which it depends.

    Paths are stored as bit sets of elements, one integer for each group. Fusing a deep net asks a hundred thousand
    times whether a path leads from one group to another; a search would visit the whole net each time. `_own` has a
    group's members. `_behind` has at least one member of each group that depends on it, directly or not; `_ahead` has
    at least one member of each group on which it depends.

    Attributes:
        of: the number of each element's group.
        members: the elements of each group, by number.
        after, before: the groups that depend on each group, and those on which it depends, by number.
        reasons: why the elements at both ends of an edge are not in one group.

    >>> graph = GroupGraph([set(), {0}, {0, 1}])
    >>> graph.refuse_cycle(0, 2) == BETWEEN, graph.refuse_cycle(0, 1)
    (True, '')
    >>> graph.merge(0, 1)
    >>> graph.refuse_cycle(0, 2), graph.members
    ('', {0: {0, 1}, 2: {2}})
    """

    limit = NO_LIMIT

    def __init__(self, needs: Sequence[Set[int]]) -> None:
        self.of = list(range(len(needs)))
        self.members = {i: {i} for i in self.of}
        self.before = {i: set(found) for i, found in enumerate(needs)}
        self.after: dict[int, set[int]] = {i: set() for i in self.of}
        for i, found in self.before.items():
            for need in found:
                self.after[need].add(i)
        self.reasons: dict[Edge, str] = {}
        self._own = {i: 1 << i for i in self.of}
        self._behind = dict(enumerate(ancestors(list(self.after.values()))))
        self._ahead = dict(enumerate(ancestors(needs)))

    @property
    def groups(self) -> list[set[int]]:
        """The members of all groups, in the order of their first elements."""
        return [self.members[number] for number in dict.fromkeys(self.of)]

    def refuse_cycle(self, a: int, b: int, after: After | None = None) -> str:
        """Why two groups may not merge: a path leads from one to the other through other groups; "" if none does.

        Args:
            after: the groups that directly depend on one; None: `after`.
        """
        found, ends = after or self.after.__getitem__, {a, b}
        between = any(self.leads(n, b) for n in found(a) - ends) or any(self.leads(n, a) for n in found(b) - ends)
        return BETWEEN if between else ""

    def leads(self, a: int, b: int) -> bool:
        """Whether group b depends on another group, directly or not."""
        return bool(self._behind[a] & self._own[b])

    def add(self, a: int, b: int) -> None:
        """From now on, group b depends on group a."""
        self.after[a].add(b)
        self.before[b].add(a)
        self._connect(self._own[a] | self._ahead[a], self._own[b] | self._behind[b], self._ahead[b], self._behind[a])

    def _connect(self, ahead: int, behind: int, leading: int, led: int) -> None:
        """Paths lead from the groups ahead to those behind: from those leading and to those led they did before."""
        new_ahead, new_behind = ahead & ~leading, behind & ~led
        if new_ahead and new_behind:
            for n in {self.of[k] for k in bits(new_ahead)}:
                self._behind[n] |= behind
            for n in {self.of[k] for k in bits(new_behind)}:
                self._ahead[n] |= ahead

    def join(
        self,
        a: int,
        b: int,
        refuse: Refuse = lambda a, b: "",
        refuse_slowly: Refuse = lambda a, b: "",
        *,
        edges: Iterable[Edge] = (),
        limit: int = 0,
        after: After | None = None,
    ) -> bool:
        """Merge group b into group a, unless the merge makes a cycle or a rule refuses it; then note the reason for
        `edges`. Returns whether they were merged.

        Args:
            refuse, refuse_slowly: the rule's reasons against it, the latter only where there is no other.
            limit: maximum elements of a group; 0: that of the class.
            after: as in refuse_cycle.
        """
        limit = limit or self.limit
        size = len(self.members[a]) + len(self.members[b])
        why = f"a kernel has at most {limit} operations" if size > limit else refuse(a, b)
        why = why or self.refuse_cycle(a, b, after) or refuse_slowly(a, b)
        if why:
            self.reasons.update(dict.fromkeys(edges, why))
        else:
            self.merge(a, b)
        return not why

    def merge(self, a: int, b: int) -> None:
        """Merge group b into group a."""
        merged = self.members.pop(b)
        for m in merged:
            self.of[m] = a
        self.members[a] |= merged
        for near, back in ((self.after, self.before), (self.before, self.after)):
            for n in near.pop(b) - {a}:
                back[n].discard(b)
                back[n].add(a)
                near[a].add(n)
            near[a].discard(b)
        own = self._own[a] | self._own.pop(b)
        ahead, others_ahead = self._ahead[a] & ~own, self._ahead.pop(b) & ~own
        behind, others_behind = self._behind[a] & ~own, self._behind.pop(b) & ~own
        self._connect(ahead, others_behind, others_ahead, behind)
        self._connect(others_ahead, behind, ahead, others_behind)
        self._own[a], self._ahead[a], self._behind[a] = own, ahead | others_ahead, behind | others_behind


ROOTS = frozenset({"contraction", "transform", "window", "row", "reduce"})
MAX_NODES = 100
"""Maximum operations that are nested into each other. Nesting recurses along reads, six calls per operation; Python's
limit is 1000."""
OTHER_READERS = "its values have other readers"


@record
class FusionTarget:
    """What fusion knows of the machine.

    Attributes:
        separate_random: generate random numbers in their own kernels, not in the epilogue of another op.
        near_bytes: size of the cache in which the rows of row groups stay; 0: no row groups.
        lanes: of a vector. Where blocks have fewer, a weight gradient packs them, which it cannot do with planes.
        beside_rows: sums over the rows of a row group may be added up in its kernel.
    """

    separate_random: bool = False
    near_bytes: int = 0
    lanes: int = 0
    beside_rows: bool = True


@lru_cache(maxsize=4096)
def domain_of(t: TensorType) -> TensorType:
    """The loops that compute a value element by element: its type, but for that of its elements."""
    return t.with_(dtype="f32")


def elementwise(node: Node) -> bool:
    """Whether a node is elementwise, or a source that is too expensive to inline everywhere (a dropout mask)."""
    return not OPS[node.op].alone and OPS[node.op].kind in ("elementwise", "source")


def takes_part(node: Node) -> bool:
    """Whether a node's result is a part of its operand, element by element at a constant distance."""
    return OPS[node.op].moves and OPS[node.op].inlined


class NodeGroups(Nodes, GroupGraph):
    """Groups of a graph's nodes, which are numbered by position.

    Attributes:
        root: of each group: the node with loops of its own that the others follow or lead to; None: there is none.
        domain: of each group: the loops that compute what it stores.
        saved: nodes that no reader computes (fuse_maps.py).
        elementwise: elementwise nodes.
        placing: nodes that put operands of one shape side by side: they may end elementwise work over that shape.
    """

    limit = MAX_NODES

    def __init__(self, graph: Graph, target: FusionTarget) -> None:
        Nodes.__init__(self, graph)
        makers = [self.makers_of(i) for i in range(len(self.nodes))]
        GroupGraph.__init__(self, makers)
        self._needed = dict(self._ahead)
        self.target = target
        self.placing = {i for i, node in enumerate(self.nodes) if self._places(node)}
        self._kinds = [OPS[node.op].kind for node in self.nodes]
        self.elementwise = {i for i, node in enumerate(self.nodes) if elementwise(node)}
        self._maps = self.elementwise | self.placing | {i for i, node in enumerate(self.nodes) if takes_part(node)}
        self.root = {i: node if self._kinds[i] in ROOTS else None for i, node in enumerate(self.nodes)}
        self.domain = {i: self._domain(i) for i in self.of}
        self.saved: frozenset[int] = frozenset()

    def _domain(self, i: int) -> TensorType:
        node = self.nodes[i]
        return domain_of(self.types[node.inputs[0]] if i in self.placing else node.outputs[0].type)

    def _places(self, node: Node) -> bool:
        return not OPS[node.op].alone and concatenates(lowering(node), node.bound(self.types))

    # -- nodes

    def is_map(self, i: int) -> bool:
        """Whether a node can be computed element by element with others over its domain."""
        return i in self._maps

    def kind(self, i: int) -> str:
        return self._kinds[i]

    def is_separate_random(self, i: int) -> bool:
        """Whether a node generates random numbers (a source with a counter) and needs its own kernel for that."""
        return self.target.separate_random and self.kind(i) == "source" and bool(self.nodes[i].inputs)

    def depends(self, i: int, maker: int) -> bool:
        """Whether node i depends on another node, in the graph without groups."""
        return bool(self._needed[i] >> maker & 1)

    def leaves(self, i: int, members: set[int]) -> bool:
        """Whether some result of node i is needed outside `members`."""
        return any(o.name in self.results or self.readers.get(o.name, set()) - members for o in self.nodes[i].outputs)

    def never(self, maker: int) -> str:
        """Why no kernel takes in a node; "" if one may."""
        node = self.nodes[maker]
        if is_alias(node):
            return "it is read with another shape"
        return OPS[node.op].alone or (f"{node.op} is inlined" if maker in self.free else "")

    # -- groups

    def makers(self, number: int) -> set[int]:
        """Positions of nodes outside a group whose results its nodes read."""
        return self.makers_of(*self.members[number]) - self.members[number]

    def is_maps(self, number: int) -> bool:
        """Whether a group is nothing but elementwise work."""
        return self.root[number] is None and all(self.is_map(m) and m not in self.free for m in self.members[number])

    # -- merges

    def merge(self, a: int, b: int) -> None:
        super().merge(a, b)
        root, domain = self.root.pop(b), self.domain.pop(b)
        if root is not None and self.root[a] is None:
            self.root[a], self.domain[a] = root, domain

    def after_through(self, number: int) -> set[int]:
        """The groups that read what this one computes, or what every reader computes of that."""
        return {self.of[r] for m in self.members[number] for r in self.read_through(m)}
