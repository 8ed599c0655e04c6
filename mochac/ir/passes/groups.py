"""groups: which nodes of a fused graph form one kernel, in what order, and which values kernels store and read.

to_kernels, fuse and the update rule use it. It reads Node.group; fusion is decided in fuse.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from mochac.base.records import record
from mochac.ir.graph import Graph, Input, Node
from mochac.ir.kernel_build import Alias, Repeated
from mochac.ir.op import OPS, lowering


@record
class Group:
    """The nodes of one kernel in graph order, and those of their results that must be stored."""

    nodes: tuple[Node, ...]
    outputs: tuple[str, ...]


def is_alias(node: Node) -> bool:
    """Whether the node only gives storage another shape."""
    return isinstance(lowering(node), Alias)


def is_free(node: Node, graph_results: set[str], readers: Iterable[Node]) -> bool:
    """Whether the node is never computed by a kernel: aliases, and inlined ops whose value need not be stored.

    What windows read is stored: their schedules take images that lie in memory.
    """
    if is_alias(node):
        return True
    if not OPS[node.op].inlined:
        return False
    readers = list(readers)
    needed = any(out.name in graph_results for out in node.outputs)
    needed = needed or any(isinstance(lowering(r), (Alias, Repeated)) for r in readers)
    windows = any(OPS[r.op].kind == "window" or "stride" in r.attr for r in readers)
    return not needed and not windows


def free_nodes(graph: Graph) -> set[str]:
    """Names of the results of all free nodes (see is_free)."""
    uses, results = graph.uses(), graph.results()
    names: set[str] = set()
    for node in graph.nodes:
        readers = [r for out in node.outputs for r in uses.get(out.name, [])]
        if is_free(node, results, readers):
            names.update(out.name for out in node.outputs)
    return names


def group_keys(graph: Graph) -> dict[str, int]:
    """Group number by result name: Node.group, or a number of its own (negative) for ungrouped nodes."""
    return {
        out.name: node.group if node.group >= 0 else -1 - position
        for position, node in enumerate(graph.nodes)
        for out in node.outputs
    }


def reading_groups(graph: Graph, free: set[str], keys: dict[str, int]) -> dict[str, set[int]]:
    """The groups whose kernels read each value, looking through inlined nodes. An alias counts as a group of its own,
    because it needs the value in storage."""
    reading: dict[str, set[int]] = {}
    for node in reversed(graph.nodes):
        first = node.outputs[0].name
        inlined = first in free and not is_alias(node)
        readers = set().union(*(reading.get(o.name, set()) for o in node.outputs)) if inlined else {keys[first]}
        for name in node.inputs:
            reading.setdefault(name, set()).update(readers)
    return reading


def grouped(graph: Graph) -> list[Group]:
    """All groups that store something, in dependency order (ties by position in the graph)."""
    free, keys = free_nodes(graph), group_keys(graph)
    readers, results = reading_groups(graph, free, keys), graph.results()
    members: dict[int, list[Node]] = {}
    for node in graph.nodes:
        if node.outputs[0].name not in free:
            members.setdefault(keys[node.outputs[0].name], []).append(node)
    groups: list[Group] = []
    for key in _ordered(graph, members, keys, free):
        outputs = [
            out.name
            for node in members[key]
            for out in node.outputs
            if out.name in results or readers.get(out.name, set()) - {key}
        ]
        if outputs:
            groups.append(Group(tuple(members[key]), tuple(outputs)))
    return groups


def part_of(graph: Graph, node: Node) -> Graph:
    """The nodes of a node's group as a graph of their own, with the free nodes that they read. Values of other nodes
    that they read are inputs; values of theirs that others read are outputs. The inputs are parameters, so that an
    executor keeps them in place."""
    group = tuple(n for n in graph.nodes if n.group == node.group) if node.group >= 0 else (node,)
    free, producers = free_nodes(graph), graph.producers()
    inside, stack = {n.outputs[0].name for n in group}, [name for n in group for name in n.inputs]
    while stack:
        name = stack.pop()
        if name in free and name not in inside:
            inside.add(name)
            stack.extend(producers[name].inputs)
    nodes = tuple(n for n in graph.nodes if n.outputs[0].name in inside)
    made = {out.name for n in nodes for out in n.outputs}
    needed = graph.results() | {name for n in graph.nodes if n not in nodes for name in n.inputs}
    inputs, types = dict.fromkeys(name for n in nodes for name in n.inputs if name not in made), graph.types()
    parameters = tuple(Input(name, types[name], "param") for name in inputs)
    outputs = tuple(out.name for n in group for out in n.outputs if out.name in needed)
    return Graph(f"{graph.name}.part", parameters, nodes, outputs)


def group_reads(graph: Graph, nodes: Iterable[Node], free: set[str]) -> set[str]:
    """The graph inputs and results of non-free nodes that a group's nodes read, looking through free nodes."""
    producers = graph.producers()
    names: set[str] = set()
    seen: set[str] = set()
    stack = [name for node in nodes for name in node.inputs]
    while stack:
        name = stack.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in free:
            stack.extend(producers[name].inputs)
        else:
            names.add(name)
    return names


def _ordered(graph: Graph, members: dict[int, list[Node]], keys: dict[str, int], free: set[str]) -> list[int]:
    """Topological order of the groups, earliest in the graph first; ValueError if groups form a cycle."""
    before = {
        key: {keys[n] for n in group_reads(graph, nodes, free) if n in keys} - {key} for key, nodes in members.items()
    }
    after: dict[int, list[int]] = {}
    for key, needs in before.items():
        for need in needs:
            after.setdefault(need, []).append(key)
    position = {key: i for i, key in enumerate(members)}
    waiting = {key: len(needs) for key, needs in before.items()}
    ready = [(position[key], key) for key, count in waiting.items() if not count]
    heapq.heapify(ready)
    order: list[int] = []
    while ready:
        _, key = heapq.heappop(ready)
        order.append(key)
        for later in after.get(key, []):
            waiting[later] -= 1
            if not waiting[later]:
                heapq.heappush(ready, (position[later], later))
    if len(order) != len(members):
        stuck = sorted(key for key, count in waiting.items() if count)
        raise ValueError(f"fused groups depend on each other in a cycle: {stuck}")
    return order
