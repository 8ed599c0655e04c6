"""clusters: groups of nodes that fuse grows: what each reads and is read by, and which merges would make a cycle."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from functools import lru_cache

from mochac.ir.graph import Graph, Node
from mochac.ir.kernel_build import concatenates
from mochac.ir.op import OPS, lowering
from mochac.ir.passes.groups import free_nodes, is_alias
from mochac.ir.types import TensorType

ROOTS = frozenset({"contraction", "transform", "window", "row", "reduce"})
MAX_NODES = 100
"""Maximum operations of a kernel. Nesting recurses along reads, six calls per operation; Python's limit is 1000."""
BETWEEN = "another kernel lies between them: it reads from one and is read by the other"


@dataclass
class Cluster:
    """A group that grows: the positions of its nodes, its root if it has one, the domain of its stored results, and its
    first and last position."""

    members: set[int]
    root: Node | None
    domain: TensorType
    first: int
    last: int


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


class Clusters:
    """The clusters by the number of their first node; `of` maps node positions to these numbers.

    Attributes:
        after, before: the clusters that read results of each cluster, and those whose results it reads, by number.
        reasons: why the nodes at two positions are not in one kernel.
        _span: by position, the last position of the clusters with nodes up to there.
    """

    def __init__(self, graph: Graph, separate_random: bool) -> None:
        self.separate_random = separate_random
        self.graph, self.nodes = graph, graph.nodes
        self.types, self.free, self.kept = graph.types(), free_nodes(graph), graph.results()
        self.maker = {out.name: i for i, node in enumerate(self.nodes) for out in node.outputs}
        self.readers: dict[str, set[int]] = {}
        for i, node in enumerate(self.nodes):
            for name in node.inputs:
                self.readers.setdefault(name, set()).add(i)
        inlined = {i for i in range(len(self.nodes)) if self.is_free(i) and not is_alias(self.nodes[i])}
        self._inlined = {out.name for i in inlined for out in self.nodes[i].outputs}
        self._readers_of = [{r for out in node.outputs for r in self.readers.get(out.name, ())} for node in self.nodes]
        self._read_through = [set[int]() for _ in self.nodes]
        for i in reversed(range(len(self.nodes))):
            for reader in self._readers_of[i]:
                self._read_through[i] |= self._read_through[reader] if reader in inlined else {reader}
        self.placing = {i for i, node in enumerate(self.nodes) if self._places(node)}
        """Nodes that put operands of one shape side by side: they may end elementwise work over that shape."""
        self.of = list(range(len(self.nodes)))
        self.clusters = {i: self._single(i) for i in self.of}
        self.after = {i: set(self.readers_of(i)) for i in self.of}
        self.before: dict[int, set[int]] = {i: set() for i in self.of}
        for i, readers in self.after.items():
            for reader in readers:
                self.before[reader].add(i)
        self._span = list(range(len(self.nodes)))
        self.reasons: dict[tuple[int, int], str] = {}

    def _single(self, i: int) -> Cluster:
        node = self.nodes[i]
        root = node if OPS[node.op].kind in ROOTS else None
        value = self.types[node.inputs[0]] if i in self.placing else node.outputs[0].type
        return Cluster({i}, root, domain_of(value), i, i)

    def _places(self, node: Node) -> bool:
        return not OPS[node.op].alone and concatenates(lowering(node), node.bound(self.types))

    def is_map(self, i: int) -> bool:
        """Whether a node can be computed element by element with others over its domain."""
        return elementwise(self.nodes[i]) or i in self.placing or takes_part(self.nodes[i])

    def readers_of(self, i: int) -> Set[int]:
        return self._readers_of[i]

    def is_free(self, i: int) -> bool:
        return self.nodes[i].outputs[0].name in self.free

    def is_inlined(self, name: str) -> bool:
        """Whether every kernel that reads a value computes it."""
        return name in self._inlined

    def is_separate_random(self, i: int) -> bool:
        """Whether a node generates random numbers (a source with a counter) and needs its own kernel for that."""
        node = self.nodes[i]
        return self.separate_random and OPS[node.op].kind == "source" and bool(node.inputs)

    def makers(self, number: int) -> set[int]:
        """Positions of nodes outside a cluster whose results its nodes read."""
        cluster = self.clusters[number]
        names = {name for m in cluster.members for name in self.nodes[m].inputs}
        return {self.maker[n] for n in names if n in self.maker} - cluster.members

    def leaves(self, i: int, members: set[int]) -> bool:
        """Whether some result of node i is needed outside `members`."""
        return any(o.name in self.kept or self.readers.get(o.name, set()) - members for o in self.nodes[i].outputs)

    def reached(self, i: int) -> set[int]:
        """The nodes that depend on node i."""
        reached: set[int] = set()
        stack = [i]
        while stack:
            after = self.readers_of(stack.pop()) - reached
            reached |= after
            stack += after
        return reached

    def refuse_size(self, a: int, b: int) -> str:
        """Why two clusters are too large together; "" if they are not."""
        count = len(self.clusters[a].members) + len(self.clusters[b].members)
        return f"a kernel has at most {MAX_NODES} operations" if count > MAX_NODES else ""

    def refuse_cycle(self, a: int, b: int) -> str:
        """Check for a path from a to b through other clusters, which would leave the merged group and come back."""
        return BETWEEN if self._leads(self.after[a] - {b}, b) else ""

    def refuse_path(self, a: int, b: int) -> str:
        """As refuse_cycle, but paths through nodes that every reader computes itself do not count."""
        starts = {self.of[r] for m in self.clusters[a].members for r in self.read_through(m)}
        return BETWEEN if self._leads(starts - {a, b}, b) else ""

    def _leads(self, starts: set[int], b: int) -> bool:
        """Whether there is a path to cluster b from one of these."""
        limit = self._horizon(self.clusters[b].last)
        stack, seen = list(starts), set(starts)
        while stack:
            n = stack.pop()
            if n == b:
                return True
            for m in self.after[n] - seen:
                if self.clusters[m].first <= limit:
                    seen.add(m)
                    stack.append(m)
        return False

    def _horizon(self, position: int) -> int:
        """A position behind which no path leads back to this one, since no cluster has nodes on both sides."""
        while self._span[position] > position:
            position = self._span[position]
        return position

    def read_through(self, i: int) -> Set[int]:
        """The readers of node i, those of what is computed in every kernel that reads it in its place."""
        return self._read_through[i]

    def makers_through(self, number: int) -> set[int]:
        """As `makers`, with those of what is computed in every kernel that reads it in its place."""
        return self._through(self.makers(number))

    def makers_of_inlined(self, name: str) -> set[int]:
        """Positions of the nodes whose results are read where an inlined value is computed."""
        return self._through({self.maker[name]})

    def _through(self, nodes: set[int]) -> set[int]:
        found: set[int] = set()
        stack = list(nodes)
        while stack:
            m = stack.pop()
            if self.is_inlined(self.nodes[m].outputs[0].name):
                stack += [self.maker[n] for n in self.nodes[m].inputs if n in self.maker]
            else:
                found.add(m)
        return found

    def never(self, maker: int) -> str:
        """Why no kernel takes in a node; "" if one may."""
        node = self.nodes[maker]
        if is_alias(node):
            return "it is read with another shape"
        return OPS[node.op].alone or (f"{node.op} is inlined" if self.is_free(maker) else "")

    def merge(self, a: int, b: int) -> None:
        """Merge two clusters under the number of a."""
        kept, gone = self.clusters[a], self.clusters.pop(b)
        for m in gone.members:
            self.of[m] = a
        if gone.root is not None and kept.root is None:
            kept.root, kept.domain = gone.root, gone.domain
        kept.members |= gone.members
        for near, back in ((self.after, self.before), (self.before, self.after)):
            for n in near.pop(b) - {a}:
                back[n].discard(b)
                back[n].add(a)
                near[a].add(n)
            near[a].discard(b)
        kept.first, kept.last = min(kept.first, gone.first), max(kept.last, gone.last)
        for position in range(kept.first, kept.last):
            self._span[position] = max(self._span[position], kept.last)
