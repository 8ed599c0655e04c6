"""InnerGraphBuilder: the graph of what runs inside of the net's graph: the step of a loop, the backward of a gradient.

Values of the graph around it become inputs when they are read; parameters, and all else that has a role, are inputs of
the graph around it.
"""

from __future__ import annotations

from collections.abc import Sequence

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Graph, Input, Value
from mochac.ir.op_call import UnsupportedCallError
from mochac.ir.types import TensorType

STEP, BACKWARD = "the step of a loop", "the backward of a gradient"


class InnerGraphBuilder(GraphBuilder):
    """A body that is being written.

    Args:
        outer: the graph around it.
        what: STEP or BACKWARD.

    Attributes:
        read: the values of the graph around it that it reads, by name.
    """

    def __init__(self, name: str, outer: GraphBuilder, what: str = STEP) -> None:
        super().__init__(name)
        self.outer, self.what = outer, what
        self.read: dict[str, Value] = {}

    def makes(self, value: Value) -> bool:
        return super().makes(value) and value.name not in self.read

    def argument(self, stem: str, type: TensorType) -> Value:
        """An input of the body."""
        value = Value(self.fresh(stem), type)
        self.inputs.append(Input(value.name, type))
        self.values[value.name] = value
        return value

    def fresh(self, stem: str) -> str:
        """A name that is new in the graph around, too."""
        name, n = stem, 0
        while name in self.values or self.outer.fresh(name) != name:
            n += 1
            name = f"{stem}.{n}"
        return name

    def input(self, name: str, type: TensorType, role: str = "data") -> Value:
        return self.outer.input(name, type, role)

    def own(self, value: Value) -> Value:
        """The value in this graph."""
        if value.name not in self.values:
            self.inputs.append(Input(value.name, value.type))
            self.values[value.name] = value
            self.read[value.name] = value
        return value

    def ops(self, op: str, *inputs: Value, name: str | tuple[str, ...] = "", **attrs: object) -> tuple[Value, ...]:
        if op == "scan":
            raise loop_in_a_body(self)
        return super().ops(op, *map(self.own, inputs), name=name, **attrs)

    def returning(self, results: Sequence[Value]) -> Graph:
        """The graph with these results."""
        return self.finish([self.own(value) for value in results])


def around(b: GraphBuilder) -> list[GraphBuilder]:
    """A graph and those around it, from the inside out."""
    found = [b]
    while isinstance(b, InnerGraphBuilder):
        b = b.outer
        found.append(b)
    return found


def loop_in_a_body(b: GraphBuilder) -> UnsupportedCallError:
    """The error about a loop in a body."""
    what = b.what if isinstance(b, InnerGraphBuilder) else STEP
    hint = "write the inner steps out, as in for t in range(x.shape[1]): ... x[:, t]"
    return UnsupportedCallError(f"a loop in {what}", "ctx.scan outside of a step", "ctx.scan in one", hint)
