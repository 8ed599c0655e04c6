"""simplify: compute the same values with fewer nodes, or with smaller ones.

    %1 = fill {value = 1.0}
    %2 = mul(%x, %1)          ->   %3 = relu(%x)
    %3 = relu(%2)

The pipeline runs it before fusion, and after autodiff, since it drops stop_gradient. It keeps the names of results. A
rule is a function with the decorator `rule`. Most are exact in floating point (up to the sign of zero): x * 0 is not
folded because of NaN, and factors are merged only if nothing is rounded. Those about max pooling are not: sums change
in the order of addition, and of elements that tie, another may be the largest.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any

import numpy as np

from mochac.base.records import record
from mochac.ir.build import Rewriter, rewrite, without_dead_nodes
from mochac.ir.graph import BoundNode, Graph, Value
from mochac.ir.passes import graph_pass
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.types import DTYPES, FLOATS, TensorType

Rewrite = Callable[[Rewriter, BoundNode], "Value | tuple[Value, ...] | None"]
"""Returns cheaper values for the results of a node; None if it finds none."""


@record
class RewriteRule:
    """A rewrite of nodes of some ops; of all ops if none is named."""

    ops: tuple[str, ...]
    rewrite: Rewrite


RULES: dict[str, RewriteRule] = {}
"""The rules by name, in the order in which they are tried."""


def rule(*ops: str) -> Callable[[Rewrite], Rewrite]:
    """Decorator: register a function as a rule about nodes of these ops."""

    def add(fn: Rewrite) -> Rewrite:
        RULES[fn.__name__] = RewriteRule(ops, fn)
        rules_of.cache_clear()
        return fn

    return add


@cache
def rules_of(op: str) -> tuple[Rewrite, ...]:
    """The rules about nodes of an op."""
    return tuple(found.rewrite for found in RULES.values() if op in found.ops or not found.ops)


@graph_pass("simplify")
def simplify(graph: Graph) -> Graph:
    """Apply the rules, merge equal nodes, remove dead ones; repeated until nothing changes."""
    while True:
        seen: dict[object, tuple[Value, ...]] = {}
        smaller = without_dead_nodes(rewrite(graph, lambda r, bound, seen=seen: _step(r, bound, seen)))
        if smaller == graph:
            return graph
        graph = smaller


def apply_rule(name: str, graph: Graph) -> Graph:
    """The graph after a single rule."""
    found = RULES[name]
    rules = {op: (found.rewrite,) for op in found.ops}
    changed = rewrite(graph, lambda r, bound: _rewritten(r, bound, rules.get(bound.node.op, ())))
    return graph if changed == graph else without_dead_nodes(changed)


def _rewritten(r: Rewriter, bound: BoundNode, rules: tuple[Rewrite, ...]) -> tuple[Value, ...] | None:
    """What the first of the rules returns that finds cheaper values."""
    for rewritten in rules:
        found = rewritten(r, bound)
        values = (found,) if isinstance(found, Value) else found
        if values is not None and all(v.type == out.type for v, out in zip(values, bound.outputs, strict=True)):
            return values
    return None


def _step(r: Rewriter, bound: BoundNode, seen: dict[object, tuple[Value, ...]]) -> tuple[Value, ...] | None:
    """Cheaper values for the results of a node, those of an equal earlier node, or None."""
    simpler = _rewritten(r, bound, rules_of(bound.node.op))
    if simpler is not None:
        return simpler
    key = identity(bound)
    if key not in seen:
        seen[key] = bound.outputs
        return None
    for value in seen[key]:
        r.add_loc(value, bound.node.loc)
    return seen[key]


def identity(bound: BoundNode) -> object:
    """A key that is equal for nodes that compute the same."""
    node = bound.node
    commutative = node.op in FUNCTIONS and FUNCTIONS[node.op].commutative
    inputs = tuple(sorted(node.inputs)) if commutative else node.inputs
    return node.op, inputs, repr(node.attrs), tuple(out.type for out in node.outputs)


def made_by(r: Rewriter, value: Value, op: str) -> BoundNode | None:
    """The node that makes `value` if it is an `op`."""
    bound = r.producer(value)
    return bound if bound is not None and bound.node.op == op else None


def number(r: Rewriter, value: Value) -> float | None:
    """The number that a tensor is filled with, or None."""
    fill = made_by(r, value, "fill")
    return None if fill is None else fill.attr["value"]  # type: ignore[return-value]


def again(r: Rewriter, bound: BoundNode, op: str, *inputs: Value, **attrs: object) -> Value:
    """A new node with the old node's name."""
    return r.op(op, *inputs, name=bound.outputs[0].name, **attrs)


def filled(r: Rewriter, bound: BoundNode, value: float) -> Value:
    """A fill with the old node's name and type."""
    return again(r, bound, "fill", value=value, **_like(bound.outputs[0].type))


def _like(out: TensorType) -> dict[str, Any]:
    """Attributes of a fill of this type."""
    lanes = {"lanes": out.lanes} if out.lanes else {}
    return {"dtype": out.dtype, "shape": out.shape, "batch": out.batch, **lanes}


def exact_factor(value: float) -> bool:
    """Whether the factor is a power of two, so that multiplying by it rounds nothing."""
    return math.isfinite(value) and math.frexp(abs(value))[0] == 0.5 and 2.0**-64 <= abs(value) <= 2.0**64


@rule("mul")
def mul(r: Rewriter, bound: BoundNode) -> Value | None:
    """x * 1 -> x;  x * -1 -> -x;  (-x) * c -> x * -c;  (x * a) * 2^k -> x * (a * 2^k)."""
    x, c = bound.inputs
    factor = number(r, c)
    if factor is None:
        x, c, factor = c, x, number(r, x)
    if factor is None or x.type.dtype not in FLOATS:
        return None
    if factor == 1.0:
        return x
    if factor == -1.0:
        return again(r, bound, "neg", x)
    if negated := made_by(r, x, "neg"):
        return again(r, bound, "mul", negated.inputs[0], r.const(-factor, c.type))
    inner = made_by(r, x, "mul")
    if inner is None:
        return None
    first = number(r, inner.inputs[1])
    if first is None or not (exact_factor(first) or exact_factor(factor)):
        return None
    return again(r, bound, "mul", inner.inputs[0], r.const(first * factor, c.type))


@rule("mul")
def scale_before_broadcast(r: Rewriter, bound: BoundNode) -> Value | None:
    """broadcast(a) * (x * 2^k) -> broadcast(a * 2^k) * x: a has fewer elements."""
    for value, product in (bound.inputs, bound.inputs[::-1]):
        spread, inner = made_by(r, value, "broadcast"), made_by(r, product, "mul")
        factor = None if inner is None else number(r, inner.inputs[1])
        if spread is None or inner is None or factor is None or not exact_factor(factor):
            continue
        (a,) = spread.inputs
        scaled = r.op("broadcast", r.op("mul", a, r.const(factor, a.type)), name=a.name, **spread.attr)
        return again(r, bound, "mul", scaled, inner.inputs[0])
    return None


@rule("div")
def div(r: Rewriter, bound: BoundNode) -> Value | None:
    """x / 1 -> x;  x / 2^k -> x * 2^-k."""
    x, c = bound.inputs
    divisor = number(r, c)
    if divisor == 1.0:
        return x
    if divisor is None or not exact_factor(divisor):
        return None
    return again(r, bound, "mul", x, r.const(1.0 / divisor, c.type))


@rule("add")
def add(r: Rewriter, bound: BoundNode) -> Value | None:
    """x + 0 -> x;  x + (-y) -> x - y."""
    a, b = bound.inputs
    if number(r, a) == 0.0:
        return b
    if number(r, b) == 0.0:
        return a
    if negated := made_by(r, b, "neg"):
        return again(r, bound, "sub", a, negated.inputs[0])
    if negated := made_by(r, a, "neg"):
        return again(r, bound, "sub", b, negated.inputs[0])
    return None


@rule("sub")
def sub(r: Rewriter, bound: BoundNode) -> Value | None:
    """x - 0 -> x;  0 - x -> -x;  x - (-y) -> x + y."""
    a, b = bound.inputs
    if number(r, b) == 0.0:
        return a
    if number(r, a) == 0.0:
        return again(r, bound, "neg", b)
    if negated := made_by(r, b, "neg"):
        return again(r, bound, "add", a, negated.inputs[0])
    return None


@rule("neg")
def neg(r: Rewriter, bound: BoundNode) -> Value | None:
    """-(-x) -> x;  -(x * c) -> x * -c, unless the product is needed anyway: then x might not be."""
    (x,) = bound.inputs
    if inner := made_by(r, x, "neg"):
        return inner.inputs[0]
    inner = made_by(r, x, "mul")
    factor = None if inner is None else number(r, inner.inputs[1])
    if inner is None or factor is None or not r.is_read_once(x):
        return None
    return again(r, bound, "mul", inner.inputs[0], r.const(-factor, x.type))


@rule("select")
def select(r: Rewriter, bound: BoundNode) -> Value | None:
    """select(m, x, x) -> x."""
    _, a, b = bound.inputs
    return a if a == b else None


@rule("reshape")
def reshape(r: Rewriter, bound: BoundNode) -> Value | None:
    """Same shape -> x;  reshape of reshape -> reshape;  reshape of fill -> fill."""
    (x,) = bound.inputs
    value = number(r, x)
    if value is not None:
        return filled(r, bound, value)
    if x.type == bound.outputs[0].type:
        return x
    inner = made_by(r, x, "reshape")
    if inner is None or inner.inputs[0].type.batch != bound.outputs[0].type.batch:
        return None
    source = inner.inputs[0]
    if source.type == bound.outputs[0].type:
        return source
    return again(r, bound, "reshape", source, **bound.attr)


@rule("permute")
def permute(r: Rewriter, bound: BoundNode) -> Value | None:
    """permute of permute -> permute;  to the same order -> x."""
    (x,) = bound.inputs
    order = tuple(a for a in bound.attr["order"] if isinstance(a, int))  # type: ignore[union-attr]
    if order == tuple(range(len(order))):
        return x
    inner = made_by(r, x, "permute")
    if inner is None:
        return None
    first: tuple[int, ...] = inner.attr["order"]  # type: ignore[assignment]
    return again(r, bound, "permute", inner.inputs[0], order=tuple(first[a] for a in order))


def _parts(r: Rewriter, x: Value) -> list[BoundNode] | None:
    """The pads that a sum adds up, in order; None if it adds anything else."""
    found: list[BoundNode] = []
    waiting = [x]
    while waiting:
        x = waiting.pop()
        if pad := made_by(r, x, "pad"):
            found.insert(0, pad)
        elif total := made_by(r, x, "add"):
            waiting += total.inputs
        else:
            return None
    return found


@rule("add")
def fill_gaps(r: Rewriter, bound: BoundNode) -> Value | None:
    """pad + pad + ... -> concat, where each pad fills the zeros of the others, as in the gradients of all slices of a
    value."""
    parts = [found for v in bound.inputs if (found := _parts(r, v)) is not None]
    if len(parts) != 2:
        return None
    pads = parts[0] + parts[1]
    out = bound.outputs[0].type
    types = [p.inputs[0].type for p in pads]
    axes = {a for t in types for a, extent in enumerate(out.shape) if t.shape[a] != extent}
    if len(axes) != 1 or any((t.batch, t.lanes) != (out.batch, out.lanes) for t in types):
        return None
    (axis,) = axes
    pads.sort(key=lambda p: p.attr["start"][axis])  # type: ignore[index, return-value]
    at = 0
    for p in pads:
        if p.attr["start"][axis] != at:  # type: ignore[index]
            return None
        at += p.inputs[0].type.shape[axis]
    if at != out.shape[axis] or (axis == 0 and out.batch):
        return None
    return again(r, bound, "concat", *(p.inputs[0] for p in pads), axis=axis)


@rule("broadcast")
def broadcast(r: Rewriter, bound: BoundNode) -> Value | None:
    """broadcast of fill -> fill;  to its own shape -> x."""
    (x,) = bound.inputs
    value = number(r, x)
    if value is not None:
        return filled(r, bound, value)
    return x if x.type == bound.outputs[0].type and bound.attr["axes"] == tuple(range(len(x.type.shape))) else None


@rule("cast", "to_f32", "to_f64", "to_i32", "to_i64", "to_i8", "to_u8", "to_u32", "to_u64")
def convert(r: Rewriter, bound: BoundNode) -> Value | None:
    """To its own dtype -> x."""
    (x,) = bound.inputs
    return x if x.type == bound.outputs[0].type else None


@rule("all_samples", "own_samples")
def there_and_back(r: Rewriter, bound: BoundNode) -> Value | None:
    """all_samples of own_samples -> x;  own_samples of all_samples -> x."""
    other = {"all_samples": "own_samples", "own_samples": "all_samples"}[bound.node.op]
    inner = made_by(r, bound.inputs[0], other)
    return None if inner is None else inner.inputs[0]


@rule("custom_gradient")
def custom_gradient(r: Rewriter, bound: BoundNode) -> Value | None:
    """stop_gradient of the value: autodiff has run, and used the graph of the gradient."""
    return again(r, bound, "stop_gradient", bound.inputs[0])


@rule("stop_gradient")
def stop_gradient(r: Rewriter, bound: BoundNode) -> Value | None:
    """The value itself: only autodiff heeds stop_gradient, and it has run."""
    return bound.inputs[0]


@rule("reduce_sum")
def reduce_sum(r: Rewriter, bound: BoundNode) -> Value | None:
    """Over no axis -> x."""
    return bound.inputs[0] if bound.attr["axes"] == () else None


@rule("relayout")
def relayout(r: Rewriter, bound: BoundNode) -> Value | None:
    """To its own layout -> x;  there and back -> x."""
    (x,) = bound.inputs
    if x.type == bound.outputs[0].type:
        return x
    inner = made_by(r, x, "relayout")
    if inner is None:
        return None
    source = inner.inputs[0]
    return source if source.type == bound.outputs[0].type else again(r, bound, "relayout", source, **bound.attr)


@rule()
def fold_fills(r: Rewriter, bound: BoundNode) -> Value | None:
    """fn(fill, fill, ...) -> fill."""
    out = bound.outputs[0].type
    if bound.node.op not in FUNCTIONS or out.dtype not in FLOATS or not bound.inputs:
        return None
    numbers = [number(r, v) for v in bound.inputs]
    if any(n is None for n in numbers):
        return None
    args = [np.asarray(n, DTYPES[v.type.dtype]) for n, v in zip(numbers, bound.inputs, strict=True)]
    with np.errstate(all="ignore"):
        result = float(FUNCTIONS[bound.node.op].numpy(*args))
    return filled(r, bound, result) if math.isfinite(result) else None


@rule("max_pool")
def pool_first(r: Rewriter, bound: BoundNode) -> tuple[Value, ...] | None:
    """max_pool(relu(x)) -> relu(max_pool(x)), of any monotone neuron: there are fewer elements after the pool.

    The largest f(x) is f of the largest x; relu is exact, and sigmoid and tanh round in the same way. Elements that tie
    in f(x) may differ in x, so the index may change, but only where f is flat and its gradient almost zero.
    """
    (x,) = bound.inputs
    neuron = r.producer(x)
    if neuron is None or neuron.node.op not in FUNCTIONS or not FUNCTIONS[neuron.node.op].monotone:
        return None
    if not r.is_read_once(x):
        return None
    result, index = (out.name for out in bound.outputs)
    pooled, place = r.ops("max_pool", neuron.inputs[0], name=(f"{result}.max_pool", index), **bound.attr)
    value = r.op(neuron.node.op, pooled, name=result)
    r.add_loc(value, neuron.node.loc)
    return value, place


@rule("max_pool")
def largest_of_image(r: Rewriter, bound: BoundNode) -> tuple[Value, ...] | None:
    """max_pool(x) over whole images, of which no index is read -> reduce_max(x)."""
    (x,), (result, place), kernel = bound.inputs, bound.outputs, bound.attr["kernel"]
    image, pads = x.type.shape[2:], bound.attr["pad"]
    whole = kernel == image and result.type.elems == prod(x.type.shape[:2]) and pads == (0,) * len(image)
    if not whole or r.reads[place.name]:
        return None
    most = r.op("reduce_max", x, axes=tuple(range(2, len(x.type.shape))))
    unread = r.op("fill", value=0, **_like(place.type))
    return again(r, bound, "reshape", most, shape=result.type.shape), unread


@rule("reduce_sum")
def sum_before_unpool(r: Rewriter, bound: BoundNode) -> Value | None:
    """reduce_sum(max_pool_dx(dy)) -> reduce_sum(dy), over whole images, as in the gradient of a bias.

    Every window passes its gradient to exactly one pixel, and there are fewer windows than pixels.
    """
    (x,) = bound.inputs
    scattered, axes = made_by(r, x, "max_pool_dx"), bound.attr["axes"]
    if scattered is None or not isinstance(axes, tuple) or not set(axes) >= set(range(2, len(x.type.shape))):
        return None
    return again(r, bound, "reduce_sum", scattered.inputs[0], axes=axes)
