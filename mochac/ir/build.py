"""Graphs built, and rewritten by rules.

GraphBuilder: appends nodes with fresh names and inferred types. Layers, vjp rules, solvers and passes write graphs with
it.

rewrite: replays a graph node by node into a new one, replacing nodes by what a rule returns. A pass that changes a
graph locally (simplify, choose_library, ...) is a rule and a call of `rewrite`. Names, origins, groups and notes are
kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from mochac.ir.graph import BoundNode, Graph, Input, Loc, Node, Value, make_attrs
from mochac.ir.op import OPS
from mochac.ir.types import TensorType


class GraphBuilder:
    """Builds one Graph.

    >>> b = GraphBuilder("g")
    >>> x = b.input("x", TensorType("f32", (2, 3)))
    >>> y = b.op("relu", x, name="y")
    >>> print(b.finish([y]))  # doctest: +SKIP
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.inputs: list[Input] = []
        self.nodes: list[Node] = []
        self.updates: list[tuple[str, str]] = []
        self.values: dict[str, Value] = {}
        self._loc: tuple[Loc, ...] = ()
        self._counters: dict[str, int] = {}

    @classmethod
    def extending(cls, graph: Graph) -> GraphBuilder:
        """A builder that starts with the contents of `graph`."""
        b = cls(graph.name)
        b.inputs, b.nodes, b.updates = list(graph.inputs), list(graph.nodes), list(graph.updates)
        b.values = {n: Value(n, t) for n, t in graph.types().items()}
        return b

    @contextmanager
    def at(self, *locs: Loc) -> Iterator[None]:
        """Give nodes made inside the `with` block these origins."""
        before, self._loc = self._loc, tuple(locs)
        try:
            yield
        finally:
            self._loc = before

    def makes(self, value: Value) -> bool:
        """Whether a value is an input or a result of this graph."""
        return value.name in self.values

    def fresh(self, stem: str) -> str:
        """An unused name: `stem`, else stem.1, stem.2, ..."""
        if stem not in self.values:
            return stem
        n = self._counters.get(stem, 0)
        while True:
            n += 1
            if f"{stem}.{n}" not in self.values:
                self._counters[stem] = n
                return f"{stem}.{n}"

    def input(self, name: str, type: TensorType, role: str = "data") -> Value:
        """Declare a graph input. Declaring it again with the same type returns the same value."""
        if name in self.values:
            return self.values[name]
        self.inputs.append(Input(name, type, role))
        value = self.values[name] = Value(name, type)
        return value

    def ops(self, op: str, *inputs: Value, name: str | tuple[str, ...] = "", **attrs: object) -> tuple[Value, ...]:
        """Append a node and return all its outputs. `name` is the stem of the first output, or one per output."""
        types = OPS[op].infer(*(v.type for v in inputs), **attrs)
        stems = (
            name
            if isinstance(name, tuple)
            else tuple((name or op) + ("" if k == 0 else f".out{k}") for k in range(len(types)))
        )
        outputs = []
        for stem, type in zip(stems, types, strict=True):
            value = Value(self.fresh(stem), type)
            self.values[value.name] = value
            outputs.append(value)
        self.nodes.append(Node(op, tuple(v.name for v in inputs), tuple(outputs), make_attrs(attrs), self._loc))
        return tuple(outputs)

    def op(self, op: str, *inputs: Value, name: str = "", **attrs: object) -> Value:
        """Append a node with one output and return it."""
        (out,) = self.ops(op, *inputs, name=name, **attrs)
        return out

    def const(self, value: float, like: TensorType, name: str = "") -> Value:
        """A tensor filled with one number, with the dtype, shape and batch mark of `like`."""
        return self.op("fill", name=name, value=float(value), dtype=like.dtype, shape=like.shape, batch=like.batch)

    def scaled(self, x: Value, factor: float) -> Value:
        """x * factor, or x itself for factor 1."""
        return x if factor == 1.0 else self.op("mul", x, self.const(factor, x.type))

    def update(self, target: Value, new: Value) -> None:
        """Replace the state `target` (a graph input) by `new` after the step."""
        self.updates.append((target.name, new.name))

    def bind(self, node: Node) -> BoundNode:
        """The node with its operands as typed values."""
        return BoundNode(node, tuple(self.values[n] for n in node.inputs), node.outputs)

    def finish(self, outputs: Iterable[Value | str]) -> Graph:
        """The graph built so far."""
        names = tuple(o if isinstance(o, str) else o.name for o in outputs)
        return Graph(self.name, tuple(self.inputs), tuple(self.nodes), names, tuple(self.updates))


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
        self.positions: dict[str, int] = {}
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
            self.positions[out.name] = len(self.nodes) - 1

    def is_read_once(self, value: Value) -> bool:
        """Whether a single operand of the old graph has this value's name: what replaces its reader replaces it too."""
        return self.reads[value.name] == 1

    def producer(self, value: Value) -> BoundNode | None:
        """The node of the new graph that makes `value`; None for an input."""
        position = self.positions.get(value.name)
        if position is None:
            return None
        node, bound = self.nodes[position], self._bound.get(position)
        if bound is None or bound.node is not node:
            bound = self._bound[position] = self.bind(node)
        return bound

    def add_loc(self, value: Value, locs: tuple[Loc, ...]) -> None:
        """Add origins to the node that makes `value`."""
        position = self.positions.get(value.name)
        if position is not None:
            node = self.nodes[position]
            self.nodes[position] = replace(node, loc=tuple(dict.fromkeys((*node.loc, *locs))))

    def keep(self, bound: BoundNode, start: int) -> None:
        """Append a node of the old graph under its own names, replacing everything since node `start`."""
        for node in self.nodes[start:]:
            for out in node.outputs:
                del self.values[out.name], self.positions[out.name]
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
