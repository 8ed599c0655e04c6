"""pullback: append the gradients of a graph to its builder, from the vjp rules of its ops (reverse mode).

    %l: f32[] = reduce_sum(%y)   ->   ... %d.l = fill {value=1.0};  %d.y = broadcast(%d.l);  %d.x = ...

The lowering calls `gradients` when it builds a step, passes/autodiff.py for the pass of that name, and ops that run a
body for its gradient.

A value that is read k times has k cotangents, added from the last reader to the first, so the order is deterministic.
Nodes keep the origin of the node they differentiate. Only nodes between `wrt` and the loss are visited, and results of
their rules for other operands are dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from mochac.base.errors import UnsupportedError
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Node, Value
from mochac.ir.op import OPS
from mochac.ir.types import FLOATS


def gradients(b: GraphBuilder, loss: Value, wrt: Sequence[Value]) -> dict[str, Value]:
    """Append backward nodes to `b`; return for every v in `wrt`, by its name, d loss / d v, which has the type of v.

    If the loss does not depend on a value, its gradient is zeros. New values are called d.<name>.

    Args:
        b: a builder that holds the forward nodes.
        loss: a float scalar of `b`.
        wrt: float values of `b`, inputs or intermediate ones.

    Raises:
        ValueError: the loss is not a float scalar.
        UnsupportedError: the loss depends on `wrt` through an op without a vjp rule.
    """
    if loss.type.shape or loss.type.dtype not in FLOATS:
        raise ValueError(f"the loss must be a float scalar, %{loss.name} is {loss.type}")
    start = len(b.nodes)
    return _pulled_back(b, start, {loss.name: b.const(1.0, loss.type)}, wrt)


def pulled_back(b: GraphBuilder, seeds: Mapping[str, Value], wrt: Sequence[Value]) -> dict[str, Value]:
    """Like `gradients`, for a loss outside of the graph, whose gradients with respect to some values are known.

    Args:
        seeds: by the name of a float value of `b`, the gradient of the loss by it, of the same type. A value that
            another one depends on gets the sum of both.
    """
    return _pulled_back(b, len(b.nodes), seeds, wrt)


def _pulled_back(b: GraphBuilder, start: int, seeds: Mapping[str, Value], wrt: Sequence[Value]) -> dict[str, Value]:
    forward = b.nodes[:start]
    reached = _depending(forward, (v.name for v in wrt))
    path = [node for node in _leading_to(forward, seeds) if any(name in reached for name in node.inputs)]
    cotangents = {name: [cotangent] for name, cotangent in seeds.items()}
    for node in reversed(path):
        _visit(b, node, reached, cotangents)
    totals = {v.name: _total(b, v, cotangents) for v in wrt}
    _prune(b, start, {v.name for v in totals.values()})
    names = _readable_names(b, start, cotangents)
    return {name: b.values[names.get(value.name, value.name)] for name, value in totals.items()}


def _depending(nodes: Iterable[Node], names: Iterable[str]) -> set[str]:
    """The values computed from `names`, including `names`."""
    reached = set(names)
    for node in nodes:
        if any(name in reached for name in node.inputs):
            reached.update(out.name for out in node.outputs)
    return reached


def _leading_to(nodes: Sequence[Node], names: Iterable[str]) -> list[Node]:
    """The nodes that `names` are computed from, in graph order."""
    needed, path = set(names), []
    for node in reversed(nodes):
        if any(out.name in needed for out in node.outputs):
            needed.update(node.inputs)
            path.append(node)
    return path[::-1]


def _visit(b: GraphBuilder, node: Node, reached: set[str], cotangents: dict[str, list[Value]]) -> None:
    """Apply a node's vjp rule to the cotangents of its outputs, if any has one."""
    with b.at(*node.loc):
        output_cotangents = [_total(b, out, cotangents) if out.name in cotangents else None for out in node.outputs]
        if all(ct is None for ct in output_cotangents):
            return
        vjp = OPS[node.op].vjp
        if vjp is None:
            where = f", from {'; '.join(map(str, node.loc))}" if node.loc else ""
            hint = (
                'ctx.op("stop_gradient", x) of what it reads, if it needs none; Op(vjp=...) for an operation of yours'
            )
            raise UnsupportedError(f"op {node.op!r} has no gradient{where}", hint=hint)
        bound = b.bind(node)
        for value, ct in zip(bound.inputs, vjp(b, bound, *output_cotangents), strict=True):
            if ct is not None and value.name in reached:
                cotangents.setdefault(value.name, []).append(_like(b, ct, value))


def _total(b: GraphBuilder, value: Value, cotangents: dict[str, list[Value]]) -> Value:
    """The sum of a value's cotangents, in order of arrival; zeros if there are none."""
    parts = cotangents.get(value.name) or [b.const(0.0, value.type)]
    total = parts[0]
    for part in parts[1:]:
        total = b.op("add", total, part)
    cotangents[value.name] = [total]
    return total


def _like(b: GraphBuilder, ct: Value, value: Value) -> Value:
    """A cotangent with the batch mark of its value, which reshapes and mixed operands may have changed."""
    if ct.type.batch == value.type.batch:
        return ct
    if ct.type.batch:
        return b.op("relayout", ct, lanes=0, batch=False)
    shape = value.type.shape
    return b.op("broadcast", ct, shape=shape, axes=tuple(range(len(shape))), batch=True)


def _prune(b: GraphBuilder, start: int, needed: set[str]) -> None:
    """Drop nodes added since `start` on which nothing in `needed` depends."""
    kept: list[Node] = []
    for node in reversed(b.nodes[start:]):
        if any(out.name in needed for out in node.outputs):
            needed.update(node.inputs)
            kept.append(node)
        else:
            for out in node.outputs:
                del b.values[out.name]
    b.nodes[start:] = kept[::-1]


def _readable_names(b: GraphBuilder, start: int, cotangents: dict[str, list[Value]]) -> dict[str, str]:
    """Rename the cotangent of %x to %d.x in the nodes added since `start`; returns old name -> new name."""
    made = {out.name for node in b.nodes[start:] for out in node.outputs}
    names: dict[str, str] = {}
    for value, (ct,) in cotangents.items():
        if ct.name in made and ct.name not in names:
            names[ct.name] = b.fresh(f"d.{value}")
            old = b.values.pop(ct.name)
            b.values[names[ct.name]] = replace(old, name=names[ct.name])
    b.nodes[start:] = [node.renamed(names) for node in b.nodes[start:]]
    return names
