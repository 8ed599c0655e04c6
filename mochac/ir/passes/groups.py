"""groups: which nodes of a fused graph form one kernel, in what order, and which values kernels store and read.

to_kernels, fuse and the update rule use it. It reads Node.group; fusion is decided in fuse.

Orders (`reached`, `in_order`, `levels`, `ancestors`) say what depends on what, of nodes, groups or anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from heapq import heappop, heappush
from typing import TypeVar

import numpy as np

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.ir.graph import Graph, Input, Node
from mochac.ir.kernel_build import Alias, Repeated
from mochac.ir.op import OPS, lowering

T = TypeVar("T")


def reached(starts: Iterable[T], after: Callable[[T], Iterable[T]]) -> set[T]:
    """The starts, and all that follows them, directly or not.

    Args:
        after: what directly follows one.

    >>> reached([5], lambda n: [n // 2] if n else [])
    {0, 1, 2, 5}
    """
    found = set(starts)
    waiting = list(found)
    while waiting:
        more = set(after(waiting.pop())) - found
        found |= more
        waiting += more
    return found


def in_order(needs: Mapping[T, Collection[T]]) -> list[T]:
    """The keys, each behind those that it needs; of those that can be next, the first in the mapping is.

    Raises:
        ValueError: some need each other in a cycle.

    >>> in_order({"a": ["c"], "b": [], "c": []})
    ['b', 'c', 'a']
    """
    keys, after = list(needs), dict[T, list[T]]()
    for key, before in needs.items():
        for need in before:
            after.setdefault(need, []).append(key)
    place = {key: n for n, key in enumerate(keys)}
    waiting = {key: len(before) for key, before in needs.items()}
    ready = [place[key] for key in keys if not waiting[key]]
    order: list[T] = []
    while ready:
        order.append(keys[heappop(ready)])
        for later in after.get(order[-1], ()):
            waiting[later] -= 1
            if not waiting[later]:
                heappush(ready, place[later])
    if len(order) != len(keys):
        raise ValueError(f"these depend on each other in a cycle: {[key for key in keys if waiting[key]]}")
    return order


def levels(needs: Sequence[Collection[int]]) -> list[int]:
    """For each position, the length of the longest chain of what it needs, by position.

    Raises:
        ValueError: some need each other in a cycle.

    >>> levels([set(), {0}, {0}, {1, 2}])
    [0, 1, 1, 2]
    """
    level = [0] * len(needs)
    for k in in_order(dict(enumerate(needs))):
        level[k] = max((level[j] + 1 for j in needs[k]), default=0)
    return level


def ancestors(needs: Sequence[Collection[int]]) -> list[int]:
    """All that each position needs, directly or not, as the bits of a number.

    >>> ancestors([set(), {0}, {1}])
    [0, 1, 3]
    """
    before = [0] * len(needs)
    for k in in_order(dict(enumerate(needs))):
        for j in needs[k]:
            before[k] |= before[j] | 1 << j
    return before


def bits(number: int) -> list[int]:
    """The positions of the bits of a number, from the lowest.

    >>> bits(0b1011)
    [0, 1, 3]
    """
    octets = np.frombuffer(number.to_bytes(number.bit_length() // 8 + 1, "little"), np.uint8)
    return np.flatnonzero(np.unpackbits(octets, bitorder="little")).tolist()


@record
class Group:
    """The nodes of one kernel in graph order, and those of their results that must be stored."""

    nodes: tuple[Node, ...]
    outputs: tuple[str, ...]


def is_alias(node: Node) -> bool:
    """Whether the node only gives storage another shape."""
    return isinstance(lowering(node), Alias)


class Nodes:
    """The nodes of a graph by position, and who reads what they compute.

    Attributes:
        types, results: the types of all values, and the values that the graph returns.
        maker, readers: by value: the node that computes it, and those that read it.
        free: nodes that no kernel computes: aliases, and inlined ops whose results need not be stored.
        inlined: those that every kernel that reads them computes.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph, self.nodes = graph, graph.nodes
        self.types, self.results = graph.types(), graph.results()
        self.maker = {out.name: i for i, node in enumerate(self.nodes) for out in node.outputs}
        self.readers: dict[str, set[int]] = {}
        for i, node in enumerate(self.nodes):
            for name in node.inputs:
                self.readers.setdefault(name, set()).add(i)
        self._readers_of = [{r for out in node.outputs for r in self.readers.get(out.name, ())} for node in self.nodes]
        self.free = {i for i in range(len(self.nodes)) if self._has_no_kernel(i)}
        self.inlined = {i for i in self.free if not is_alias(self.nodes[i])}

    def _has_no_kernel(self, i: int) -> bool:
        """What windows read is stored: their schedules take images that lie in memory."""
        if is_alias(self.nodes[i]) or not OPS[self.nodes[i].op].inlined:
            return is_alias(self.nodes[i])
        readers = [self.nodes[r] for r in self._readers_of[i]]
        if self.is_kept(i) or any(isinstance(lowering(r), (Alias, Repeated)) for r in readers):
            return False
        return not any(OPS[r.op].kind == "window" or "stride" in r.attr for r in readers)

    def is_kept(self, i: int) -> bool:
        """Whether a result of the node is one of the graph."""
        return any(out.name in self.results for out in self.nodes[i].outputs)

    def is_inlined(self, name: str) -> bool:
        """Whether every kernel that reads a value computes it."""
        return self.maker.get(name) in self.inlined

    def readers_of(self, i: int) -> Set[int]:
        return self._readers_of[i]

    def makers_of(self, *nodes: int) -> set[int]:
        """The nodes whose results these nodes read."""
        return {self.maker[name] for i in nodes for name in self.nodes[i].inputs if name in self.maker}

    def read_through(self, i: int) -> Set[int]:
        """The readers of node i, those of what is computed in every kernel that reads it in its place."""
        return self._read_through[i]

    @cached_property
    def _read_through(self) -> list[set[int]]:
        return [self.through(self.inlined, found, self.readers_of) for found in self._readers_of]

    def makers_through(self, nodes: Iterable[int]) -> set[int]:
        """These nodes; in place of those that are computed in every kernel that reads them, the makers of what they
        read."""
        return self.through(self.inlined, nodes, self.makers_of)

    def through(self, left_out: Set[int], nodes: Iterable[int], near: Callable[[int], Iterable[int]]) -> set[int]:
        """These nodes; in place of those that are left out, those that are near them."""
        return reached(nodes, lambda i: near(i) if i in left_out else ()) - left_out


def grouped(graph: Graph, nodes: Nodes | None = None) -> list[Group]:
    """All groups that store something, in dependency order (ties by position in the graph). A node without a group is
    one of its own.

    Args:
        nodes: those of the graph, if they are known.

    Raises:
        ValueError: groups depend on each other in a cycle.
    """
    g = nodes or Nodes(graph)
    number = [node.group if node.group >= 0 else -1 - i for i, node in enumerate(g.nodes)]
    members: dict[int, list[int]] = {}
    for i, n in enumerate(number):
        if i not in g.free:
            members.setdefault(n, []).append(i)
    before = {n: g.through(g.free, g.makers_of(*found), g.makers_of) for n, found in members.items()}

    def is_stored(name: str, n: int) -> bool:
        readers = g.through(g.inlined, g.readers.get(name, ()), g.readers_of)
        return name in g.results or any(number[r] != n for r in readers)

    groups: list[Group] = []
    for n in in_order({n: {number[i] for i in found} - {n} for n, found in before.items()}):
        own = tuple(g.nodes[i] for i in members[n])
        outputs = tuple(out.name for node in own for out in node.outputs if is_stored(out.name, n))
        groups += [Group(own, outputs)] if outputs else []
    return groups


def part_of(graph: Graph, node: Node) -> Graph:
    """The nodes of a node's group as a graph of their own, with the free nodes that they read. Values of other nodes
    that they read are inputs; values of theirs that others read are outputs. The inputs are parameters, so that an
    executor keeps them in place."""
    g = Nodes(graph)
    group = [i for i, n in enumerate(g.nodes) if n == node or n.group == node.group >= 0]
    inside = reached(group, lambda i: g.makers_of(i) & g.free)
    nodes = [g.nodes[i] for i in sorted(inside)]
    own = {out.name for n in nodes for out in n.outputs}
    inputs = dict.fromkeys(name for n in nodes for name in n.inputs if name not in own)
    outputs = (out.name for i in group for out in g.nodes[i].outputs)
    needed = tuple(name for name in outputs if name in g.results or g.readers.get(name, set()) - inside)
    return Graph(
        f"{graph.name}.part", tuple(Input(name, g.types[name], "param") for name in inputs), tuple(nodes), needed
    )
