"""rewrite: replays a graph node by node into a new one, replacing nodes by what a rule returns.

A pass that changes a graph locally (simplify, choose_library, ...) is a rule and a call of `rewrite`. Names, origins,
groups and notes are kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Graph, Loc, Node, Value


class Rewriter(GraphBuilder):
    """The builder of the new graph. It can also look up the node that makes a value.

    Names of the old graph stay reserved for the nodes that have them; a rule that replaces `bound` may pass
    `name=bound.outputs[0].name`.
    """

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph.name)
        self.old = graph
        self.reserved = set(graph.types())
        self.results = graph.results()
        self.reads = Counter(name for node in graph.nodes for name in node.inputs) + Counter(self.results)
        self.made: dict[str, int] = {}
        self._bound: dict[int, BoundNode] = {}
        self.renamed: dict[str, Value] = {}
        for i in graph.inputs:
            self.input(i.name, i.type, i.role)
            self.renamed[i.name] = self.values[i.name]

    def fresh(self, stem: str) -> str:
        """A name that is neither used nor reserved for a node of the old graph."""
        name, n = stem, 0
        while name in self.values or name in self.reserved:
            n += 1
            name = f"{stem}.{n}"
        return name

    def ops(self, op: str, *inputs: Value, name: str | tuple[str, ...] = "", **attrs: object) -> tuple[Value, ...]:
        outputs = super().ops(op, *inputs, name=name, **attrs)
        self._index()
        return outputs

    def _index(self) -> None:
        for out in self.nodes[-1].outputs:
            self.made[out.name] = len(self.nodes) - 1

    def is_read_once(self, value: Value) -> bool:
        """Whether a single operand of the old graph has this value's name: what replaces its reader replaces it too."""
        return self.reads[value.name] == 1

    def producer(self, value: Value) -> BoundNode | None:
        """The node of the new graph that makes `value`; None for an input."""
        position = self.made.get(value.name)
        if position is None:
            return None
        node, bound = self.nodes[position], self._bound.get(position)
        if bound is None or bound.node is not node:
            bound = self._bound[position] = self.bind(node)
        return bound

    def add_loc(self, value: Value, locs: tuple[Loc, ...]) -> None:
        """Add origins to the node that makes `value`."""
        position = self.made.get(value.name)
        if position is not None:
            node = self.nodes[position]
            self.nodes[position] = replace(node, loc=tuple(dict.fromkeys((*node.loc, *locs))))

    def keep(self, bound: BoundNode, start: int) -> None:
        """Append a node of the old graph under its own names, replacing everything since node `start`."""
        for node in self.nodes[start:]:
            for out in node.outputs:
                del self.values[out.name], self.made[out.name]
        self.nodes[start:] = [bound.node]
        self._index()
        for out in bound.outputs:
            self.values[out.name] = self.renamed[out.name] = out

    def replay(self, node: Node, rule: Rule) -> None:
        """Append the replacement that `rule` returns for a node, or a copy of the node.

        A result of the graph keeps its name, so it can only be replaced by a new node of that name.
        """
        inputs = tuple(self.renamed[n] for n in node.inputs)
        names = tuple([v.name for v in inputs])
        bound = BoundNode(node if names == node.inputs else replace(node, inputs=names), inputs, node.outputs)
        start = len(self.nodes)
        self.reserved.difference_update(out.name for out in node.outputs)
        with self.at(*node.loc):
            replacement = rule(self, bound)
        if replacement is None or any(
            out.name in self.results and new.name != out.name
            for out, new in zip(node.outputs, replacement, strict=True)
        ):
            return self.keep(bound, start)
        for out, new in zip(node.outputs, replacement, strict=True):
            assert new.type == out.type, f"rule replaced %{out.name}: {out.type} by %{new.name}: {new.type}"
            self.renamed[out.name] = new


Rule = Callable[[Rewriter, BoundNode], tuple[Value, ...] | None]


def rewrite(graph: Graph, rule: Rule) -> Graph:
    """The graph with every node replaced by what `rule(rewriter, bound)` returns.

    A rule returns one value per output, or None to keep the node (whatever the rule has built is then dropped). The
    operands of `bound` are values of the new graph. Unused nodes stay; see `without_dead_nodes`.
    """
    r = Rewriter(graph)
    for node in graph.nodes:
        r.replay(node, rule)
    updates = tuple((target, r.renamed[new].name) for target, new in graph.updates)
    return graph.with_(nodes=tuple(r.nodes), updates=updates)


def in_bodies(change: Callable[[Graph], Graph], graph: Graph) -> Graph:
    """The graph changed, and the bodies of its loops."""
    return of_bodies(change, change(graph))


def of_bodies(change: Callable[[Graph], Graph], graph: Graph) -> Graph:
    """The graph with the bodies of its loops changed."""
    if not any(node.bodies for node in graph.nodes):
        return graph
    return graph.with_(nodes=tuple(node.with_bodies(partial(in_bodies, change)) for node in graph.nodes))


def without_dead_nodes(graph: Graph) -> Graph:
    """The graph without nodes that no output and no update depends on; inputs stay."""
    needed = graph.results()
    kept: list[Node] = []
    for node in reversed(graph.nodes):
        if any(out.name in needed for out in node.outputs):
            kept.append(node)
            needed.update(node.inputs)
    return graph.with_(nodes=tuple(reversed(kept)))
