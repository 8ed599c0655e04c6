"""Graph: a flat SSA list of tensor operations; pure data.

Written by frontend/trace and the passes, read by everyone. A Graph never mutates: state (parameters,
solver slots) enters as inputs and leaves as `updates`. It knows no op's meaning; see ir/op.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from mochac.ir.types import TensorType

Attr = int | float | str | bool | tuple["Attr", ...]
ROLES = ("data", "param", "slot", "const", "hyper")


@dataclass(frozen=True, slots=True)
class Loc:
    """Where a node comes from: the layer, and the user's line that made it."""

    layer: str
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        return f"{self.layer} {self.file}:{self.line}" if self.file else self.layer


@dataclass(frozen=True, slots=True)
class Value:
    """A named SSA result. Names are unique in their graph, without the leading '%'."""

    name: str
    type: TensorType


@dataclass(frozen=True, slots=True)
class Input:
    """A graph input. role: data (fed each step), param, slot (solver state), const (a layer's fixed numbers), hyper (a
    scalar fed each step: learning rate, momentum, step counter, number of valid samples)."""

    name: str
    type: TensorType
    role: str = "data"


@dataclass(frozen=True, slots=True)
class Node:
    """One operation. `attrs` is sorted by key; `group` >= 0 names the fused kernel it belongs to."""

    op: str
    inputs: tuple[str, ...]
    outputs: tuple[Value, ...]
    attrs: tuple[tuple[str, Attr], ...] = ()
    loc: tuple[Loc, ...] = ()
    group: int = -1

    @property
    def attr(self) -> dict[str, Attr]:
        """The attributes as a dict."""
        return dict(self.attrs)


@dataclass(frozen=True)
class Graph:
    """inputs -> nodes (in dependency order) -> outputs, plus `updates`: (input name, new value) pairs
    that carry state to the next step. `notes` are remarks of passes (why a fusion was refused)."""

    name: str
    inputs: tuple[Input, ...]
    nodes: tuple[Node, ...]
    outputs: tuple[str, ...]
    updates: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = field(default=(), compare=False)

    def types(self) -> dict[str, TensorType]:
        """Type of every value by name."""
        types = {i.name: i.type for i in self.inputs}
        for node in self.nodes:
            for out in node.outputs:
                types[out.name] = out.type
        return types

    def producers(self) -> dict[str, Node]:
        """The node that makes each value (inputs have none)."""
        return {out.name: node for node in self.nodes for out in node.outputs}

    def uses(self) -> dict[str, list[Node]]:
        """The nodes that read each value, in order, once per reading node."""
        uses: dict[str, list[Node]] = {}
        for node in self.nodes:
            for name in dict.fromkeys(node.inputs):
                uses.setdefault(name, []).append(node)
        return uses

    def results(self) -> set[str]:
        """Values that leave the graph as outputs or as new state."""
        return set(self.outputs) | {new for _, new in self.updates}

    def with_(self, **changes: object) -> Graph:
        """A copy with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def __str__(self) -> str:
        from mochac.ir.text import print_graph  # the printer is a tool on top of this data

        return print_graph(self)


def make_attrs(attrs: Mapping[str, object]) -> tuple[tuple[str, Attr], ...]:
    """Attributes in canonical form: sorted, lists as tuples, NumPy scalars as Python ones."""

    def freeze(x: object) -> Attr:
        if isinstance(x, (list, tuple)):
            return tuple(freeze(e) for e in x)
        if hasattr(x, "item") and not isinstance(x, (str, bytes)):
            return x.item()  # type: ignore[no-any-return, attr-defined]
        return x  # type: ignore[return-value]

    return tuple(sorted((k, freeze(v)) for k, v in attrs.items()))
