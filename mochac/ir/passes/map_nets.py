"""map_nets: run a graph for many nets at once: every value that differs between nets gets a new axis 0.

    graph @g(%x: f32[b8,3], %w: f32[4,3] param) {          graph @g(%x: f32[8,3], %w: f32[b64,4,3] blocked(16) param) {
      %y: f32[b8,4] = inner_product(%x, %w)          ->      %y: f32[b64,8,4] = map.inner_product(%x, %w) {over = (1,)}
      %r: f32[b8,4] = relu(%y)                               %r: f32[b64,8,4] = relu(%y)

The axis of nets has the mark of a batch: from here on it is the batch of the plan, so that assign_layout makes nets the
lanes of vectors, and threads share blocks of nets. What was the batch of the net is an axis like others. Ops that
define `Op.lifted` stay the same op with one axis more; the others become map.OP (ops/mapped.py). Values that depend on
no net's own input, such as a batch that all nets share, are computed once. Sums are an exception, since their order
must not depend on whether nets share them.

The body of a loop over time is mapped, so all nets take a step together. Time stays axis 0 of sliced and stacked
values, followed by nets: (time, nets, ...); the two axes are exchanged where something else reads such a value.

It runs after the passes that rewrite operations, before assign_layout. It requires natural values, and gradients must
have been derived already. A net's numbers are those of the original graph.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import STORED, Graph, Input, Node, Value
from mochac.ir.op import OPS
from mochac.ir.ops.mapped import PREFIX
from mochac.ir.ops.scan import Parts
from mochac.ir.types import TensorType

ADDING = frozenset({"contraction", "window", "row", "reduce"})
"""Kinds of ops that add up elements."""


def map_nets(graph: Graph, n_nets: int, own: Set[str], lanes: int = 0) -> Graph:
    """The graph for `n_nets` nets.

    Args:
        own: the inputs of which every net has its own.
        lanes: how blocks of nets are stored, for inputs that keep their storage and for scalars; 0: row by row.

    >>> map_nets(Graph("empty", (), (), ()), 4, set()).nodes
    ()
    """
    mapping = _Mapping(graph, n_nets, own, lanes)
    for node in graph.nodes:
        mapping.place(node)
    return mapping.finish()


class _Mapping:
    """The graph that is being built. `mapped`: names of values whose axis 0 is nets; `stacks`: by old name, values of
    loops whose axis 0 is time and axis 1 nets; `unturned`: those of them that have no other form yet."""

    def __init__(self, graph: Graph, n_nets: int, own: Set[str], lanes: int) -> None:
        self.graph, self.n_nets, self.lanes = graph, n_nets, lanes
        self.before = graph.types()
        self.b = GraphBuilder(graph.name)
        self.names: dict[str, str] = {}
        self.mapped: set[str] = set(own)
        self.spread: dict[str, Value] = {}
        self.stacks: dict[str, Value] = {}
        self.unturned = set[str]()
        for i in graph.inputs:
            self.b.input(i.name, self._input_type(i), i.role)

    def _input_type(self, i: Input) -> TensorType:
        if i.name not in self.mapped:
            return i.type.with_(batch=False)
        blocked = i.role in STORED or i.role == "hyper"
        return TensorType(i.type.dtype, (self.n_nets, *i.type.shape), True, self.lanes if blocked else 0)

    def place(self, node: Node) -> None:
        """Append the nodes that replace a node of the old graph."""
        if node.op in ("relayout", "all_samples", "own_samples"):  # natural: they only change the mark of the batch
            self.names[node.outputs[0].name] = self._name(node.inputs[0])
            return
        with self.b.at(*node.loc):
            if node.bodies:
                self._map_loop(node)
            elif any(self._is_mapped(name) for name in node.inputs) or OPS[node.op].kind in ADDING:
                self._map(node)
            else:
                self._keep(node)

    def finish(self) -> Graph:
        """The graph so far, with the outputs and updates of the old one."""
        g = self.graph
        for target, new in g.updates:
            value = self._value(new)
            self.b.update(self._value(target), self._spread(value) if target in self.mapped else value)
        outputs = [self._spread(self._value(name)) if name in g.results() else self._value(name) for name in g.outputs]
        return self.b.finish(outputs).with_(notes=g.notes)

    def _keep(self, node: Node) -> None:
        """A node that is the same for all nets."""
        inputs = tuple(self._name(name) for name in node.inputs)
        attrs = tuple((k, False if k == "batch" else v) for k, v in node.attrs)
        outputs = tuple(Value(self.b.fresh(out.name), out.type.with_(batch=False)) for out in node.outputs)
        self._append(replace(node, inputs=inputs, outputs=outputs, attrs=attrs), node)

    def _map(self, node: Node) -> None:
        op, attrs = OPS[node.op], dict(node.attr)
        operands = [self._value(name) for name in node.inputs]
        names = tuple(out.name for out in node.outputs)
        if op.lifted is not None:
            values = self.b.ops(node.op, *map(self._spread, operands), name=names, **op.lifted(attrs, self.n_nets))
        else:
            if not any(v.name in self.mapped for v in operands):
                operands = list(map(self._spread, operands))
            over = tuple(k for k, v in enumerate(operands) if v.name in self.mapped)
            samples = tuple(k for k, name in enumerate(node.inputs) if self.before[name].batch)
            values = self.b.ops(f"{PREFIX}.{node.op}", *operands, name=names, over=over, samples=samples, **attrs)
        for out, value in zip(node.outputs, values, strict=True):
            self.names[out.name] = value.name
            self.mapped.add(value.name)

    def _map_loop(self, node: Node) -> None:
        """A scan whose body works for all nets."""
        parts = Parts.of(node)
        operands, own = list[Value](), set[str]()
        for k, (name, i) in enumerate(zip(node.inputs, parts.body.inputs, strict=True)):
            sliced = parts.carried <= k < parts.carried + parts.sliced
            if k < parts.carried or self._is_mapped(name):
                value = self._time_first(name) if sliced else self._natural(self._spread(self._value(name)))
                own.add(i.name)
            else:
                value = self._value(name)
            operands.append(value)
        attrs = {**node.attr, "body": map_nets(parts.body, self.n_nets, own)}
        values = self.b.ops(node.op, *operands, name=tuple(out.name for out in node.outputs), **attrs)
        for out, value in zip(node.outputs[: parts.carried], values, strict=False):
            self.names[out.name] = value.name
            self.mapped.add(value.name)
        stacks = {out.name: value for out, value in zip(node.outputs, values, strict=True)}
        for out in node.outputs[parts.carried :]:
            self.stacks[out.name] = stacks[out.name]
            self.unturned.add(out.name)

    def _natural(self, value: Value) -> Value:
        return self.b.op("relayout", value, lanes=0) if value.type.lanes else value

    def _time_first(self, name: str) -> Value:
        """A value with nets, as (time, nets, ...), without the mark of the batch."""
        if name not in self.stacks:
            value = self._natural(self._value(name))
            nets, time, *rest = value.type.shape
            if time == 1:
                value = self.b.op("relayout", value, lanes=0, batch=False)
            else:  # views
                rows = self.b.op("reshape", value, shape=(nets * time, *rest))
                value = self.b.op("reshape", rows, shape=(nets, time, *rest))
            self.stacks[name] = self.b.op("permute", value, order=_swapped(value))
        return self.stacks[name]

    def _nets_first(self, stack: Value) -> Value:
        turned = self.b.op("permute", stack, order=_swapped(stack))
        return self.b.op("reshape", turned, shape=turned.type.shape, batch=True)

    def _append(self, node: Node, old: Node) -> None:
        self.b.nodes.append(node)
        for before, out in zip(old.outputs, node.outputs, strict=True):
            self.b.values[out.name] = out
            self.names[before.name] = out.name

    def _spread(self, value: Value) -> Value:
        """The value with the axis of nets, repeated where all nets share it."""
        if value.name in self.mapped:
            return value
        if value.name not in self.spread:
            shape = (self.n_nets, *value.type.shape)
            axes = tuple(range(1, len(shape)))
            name = f"{value.name}.spread"
            self.spread[value.name] = self.b.op("broadcast", value, name=name, shape=shape, axes=axes, batch=True)
            self.mapped.add(self.spread[value.name].name)
        return self.spread[value.name]

    def _name(self, name: str) -> str:
        """The new name of a value, with nets on axis 0 if it has them."""
        if name in self.unturned:
            turned = self._nets_first(self.stacks[name])
            self.unturned.remove(name)
            self.names[name] = turned.name
            self.mapped.add(turned.name)
        return self.names.get(name, name)

    def _value(self, name: str) -> Value:
        return self.b.values[self._name(name)]

    def _is_mapped(self, name: str) -> bool:
        return name in self.unturned or self._name(name) in self.mapped


def _swapped(value: Value) -> tuple[int, ...]:
    """The order of axes with time and nets, the first two, exchanged."""
    return (1, 0, *range(2, len(value.type.shape)))
