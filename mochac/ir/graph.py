"""Graph: a flat list of tensor operations in SSA form; pure data.

nets/trace.py and the passes write graphs. A Graph is immutable: state (parameters, solver slots) enters as inputs and
leaves as `updates`. The meaning of each op is in ir/op.py. str() of a graph or a node is its text, which ir/text.py
parses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from textwrap import indent
from typing import TypeAlias

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.notes import Note
from mochac.ir.types import TensorType

Attr: TypeAlias = "int | float | str | bool | tuple[Attr, ...] | Graph"
"""Value of an attribute. A graph is the body of an op that runs it, such as scan."""
ROLES = ("data", "param", "state", "slot", "const", "hyper")
STORED = frozenset({"param", "state", "slot", "const"})
"""Roles of inputs that keep their storage from step to step."""

MOST_DIGITS = 20
"""Maximum length of an integer in text: 64 bits with a sign."""
PLAIN = r"[\w.\-/]+"
"""Names that need no quotes in text."""


@record(slots=True)
class Loc:
    """Where a node comes from: the layer, and the user's line that made it."""

    layer: str
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        return f"{self.layer} {self.file}:{self.line}" if self.file else self.layer


@record(slots=True)
class Value:
    """A named SSA result. Names are unique in their graph, without the leading '%'."""

    name: str
    type: TensorType

    def __str__(self) -> str:
        return f"%{_name(self.name)}: {self.type}"


@record(slots=True)
class Input:
    """A graph input. role: data (fed each step), param, state (of a layer, such as running statistics: no gradient
    trains it), slot (solver state), const (a layer's fixed numbers), hyper (a scalar fed each step: learning rate,
    momentum, step counter, number of valid samples)."""

    name: str
    type: TensorType
    role: str = "data"

    def __str__(self) -> str:
        return f"%{_name(self.name)}: {self.type}{'' if self.role == 'data' else ' ' + self.role}"


@record(slots=True)
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

    @property
    def bodies(self) -> dict[str, Graph]:
        """The graphs among the attributes."""
        return {name: value for name, value in self.attrs if isinstance(value, Graph)}

    def with_bodies(self, change: Callable[[Graph], Graph]) -> Node:
        """The node with each graph among its attributes changed."""
        return replace(self, attrs=tuple((k, change(v) if isinstance(v, Graph) else v) for k, v in self.attrs))

    def renamed(self, names: Mapping[str, str]) -> Node:
        """The node with new names for some of the values that it reads and makes."""
        outputs = tuple(replace(out, name=names.get(out.name, out.name)) for out in self.outputs)
        return replace(self, inputs=tuple(names.get(name, name) for name in self.inputs), outputs=outputs)

    def bound(self, types: Mapping[str, TensorType]) -> BoundNode:
        """The node with its operands' types, looked up by name."""
        return BoundNode(self, tuple(Value(name, types[name]) for name in self.inputs), self.outputs)

    def __str__(self) -> str:
        text = f"{', '.join(map(str, self.outputs))} = {self.op}({_names(self.inputs)})"
        if self.attrs:
            text += " {" + ", ".join(f"{k} = {_attr(v)}" for k, v in self.attrs) + "}"
        if self.loc:
            text += "  " + " ".join(f"@{quoted_loc(loc)}" for loc in self.loc)
        return text + (f" group {self.group}" if self.group >= 0 else "")


@record
class BoundNode:
    """A node with its operands resolved to typed values, as vjp rules and lowerings see it."""

    node: Node
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]

    @property
    def attr(self) -> dict[str, Attr]:
        return self.node.attr

    def operand_index(self, position: int, index: tuple[Index, ...]) -> tuple[Index, ...]:
        """Where the operand is stored: the index there of the element that a lowering reads at `index`."""
        return index

    def result_index(self, index: tuple[Index, ...]) -> tuple[Index, ...]:
        """Where a result is stored: the index there of the element that a lowering writes at `index`."""
        return index


@record
class Graph:
    """inputs -> nodes (in dependency order) -> outputs, plus `updates`: pairs (input name, new value) that carry state
    to the next step. `notes` are decisions of passes, such as why a fusion was refused."""

    name: str
    inputs: tuple[Input, ...]
    nodes: tuple[Node, ...]
    outputs: tuple[str, ...]
    updates: tuple[tuple[str, str], ...] = ()
    notes: tuple[Note, ...] = field(default=(), compare=False)

    def types(self) -> dict[str, TensorType]:
        """The type of every value, by name."""
        types = {i.name: i.type for i in self.inputs}
        for node in self.nodes:
            for out in node.outputs:
                types[out.name] = out.type
        return types

    def producers(self) -> dict[str, Node]:
        """The node that makes each value; inputs have none."""
        return {out.name: node for node in self.nodes for out in node.outputs}

    def uses(self) -> dict[str, list[Node]]:
        """The nodes that read each value, in order, each node once."""
        uses: dict[str, list[Node]] = {}
        for node in self.nodes:
            for name in dict.fromkeys(node.inputs):
                uses.setdefault(name, []).append(node)
        return uses

    def results(self) -> set[str]:
        """The values that leave the graph as outputs or as new state."""
        return set(self.outputs) | {new for _, new in self.updates}

    def with_(self, **changes: object) -> Graph:
        """A copy with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def renamed(self, names: Mapping[str, str]) -> Graph:
        """The graph with new names for some of its values."""

        def new(name: str) -> str:
            return names.get(name, name)

        return self.with_(
            inputs=tuple(replace(i, name=new(i.name)) for i in self.inputs),
            nodes=tuple(node.renamed(names) for node in self.nodes),
            outputs=tuple(map(new, self.outputs)),
            updates=tuple((new(target), new(value)) for target, value in self.updates),
        )

    def __str__(self) -> str:
        lines = [f"graph @{_name(self.name)}({', '.join(map(str, self.inputs))}) {{"]
        lines += [f"  {node}" for node in self.nodes]
        lines.append(f"  return {_names(self.outputs)}".rstrip())
        lines += [f"  update %{_name(target)} = %{_name(new)}" for target, new in self.updates]
        lines.append("}")
        lines += ["# " + " ".join(str(note).split("\n")) for note in self.notes]
        return "\n".join(lines) + "\n"


def _name(name: str) -> str:
    return name if re.fullmatch(PLAIN, name, re.ASCII) else json.dumps(name)


def _names(names: tuple[str, ...]) -> str:
    return ", ".join("%" + _name(n) for n in names)


def _attr(value: Attr) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, Graph):
        return indent(str(value.with_(notes=())), "  ").strip()
    if isinstance(value, tuple):
        return "(" + ",".join(map(_attr, value)) + (",)" if len(value) == 1 else ")")
    return repr(value)


def quoted_loc(loc: Loc) -> str:
    """str(loc) as a JSON string, with spaces in the layer's name escaped, so that the text can be split again."""
    layer = loc.layer.replace("\\", "\\\\").replace(" ", "\\ ")
    return json.dumps(f"{layer} {loc.file}:{loc.line}" if loc.file or loc.line else layer)


def parse_loc(text: str) -> Loc:
    """Inverse of quoted_loc; `text` is the decoded JSON string."""
    match = re.fullmatch(r"((?:\\.|[^\\ ])*)(?: (.*):(-?\d+))?", text, re.DOTALL)
    if match is None:
        return Loc(text)
    return Loc(re.sub(r"\\(.)", r"\1", match[1]), match[2] or "", int((match[3] or "0")[:MOST_DIGITS]))


def make_attrs(attrs: Mapping[str, object]) -> tuple[tuple[str, Attr], ...]:
    """Attributes in canonical form: sorted, with lists as tuples and NumPy scalars as Python numbers."""

    def freeze(x: object) -> Attr:
        if isinstance(x, (list, tuple)):
            return tuple(freeze(e) for e in x)
        if hasattr(x, "item") and not isinstance(x, (str, bytes)):
            return x.item()  # type: ignore[no-any-return, attr-defined]
        return x  # type: ignore[return-value]

    return tuple(sorted((k, freeze(v)) for k, v in attrs.items()))
