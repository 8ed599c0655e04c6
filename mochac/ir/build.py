"""GraphBuilder: appends nodes with fresh names and inferred types.

Layers, vjp rules, solvers and passes write graphs with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

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
