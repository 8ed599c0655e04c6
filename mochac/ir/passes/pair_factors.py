"""pair_factors: the factors of contractions as pairs of bfloat16; sums stay float32.

    %y = inner_product(%x, %w, %b)   ->   %p = pairs(%x) {axis = 1};  %q = pairs(%w) {axis = 1}
                                          %y = inner_product(%p, %q, %b)

Everything else stays float32: biases, what follows a sum, norms, losses, parameters and their updates. A value has one
node `pairs` for each axis along which contractions sum it; in a loop over time, those of values that are the same in
all steps lie before the loop. Contractions of few products stay float32, since converting their factors would take
longer than they save. So do contractions of float64, and contractions over samples in blocks. Contractions over an odd
number of samples do, too: the last pair would depend on how many parts of a batch are computed together.

Requires inferred types and layouts; the pipeline runs it for precision="bfloat16", behind fast_convolutions, whose
transforms stay float32. Changes the result: factors have 8 significant bits instead of 24.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from mochac.ir.build import Rewriter, rewrite
from mochac.ir.graph import BoundNode, Graph, Input, Node, Value
from mochac.ir.op import OPS, nominal_flops
from mochac.ir.ops.scan import Parts
from mochac.ir.passes import graph_pass
from mochac.ir.types import PAIRS, TensorType

MIN_TERMS = 8
"""Minimum terms of a sum; along the axis of the pairs, if they are an odd number: one of them has no neighbour."""
MIN_PRODUCTS = 8
"""Minimum products, a mean over all elements of both factors: rounding an element takes about as long as that many."""


@graph_pass("pair_factors")
def pair_factors(graph: Graph) -> Graph:
    """Round the factors of contractions to pairs of bfloat16."""
    pairs: dict[tuple[str, int], Value] = {}
    return rewrite(graph, partial(_rewritten, pairs=pairs))


def refuse(bound: BoundNode) -> str:
    """Why the factors of a contraction are not paired; "" if they are."""
    op = OPS[bound.node.op]
    axes = op.paired(bound) if op.paired else None
    if axes is None:
        return "its terms have no axis of pairs"
    parts, (*factors, result) = _of_part(bound)
    if any(t.dtype != "f32" for t in factors):
        return "its factors are not float32"
    if any(t.lanes and axis == 0 for t, axis in zip(factors, axes, strict=True)):
        return "its terms are samples in blocks"
    if any(t.batch and axis == 0 and t.shape[0] % 2 for t, axis in zip(factors, axes, strict=True)):
        return "its terms are an odd number of samples"
    terms = factors[0].shape[axes[0]]
    if terms % 2 and terms < MIN_TERMS:
        return f"an odd number of terms, fewer than {MIN_TERMS}, lies along an axis"
    products = nominal_flops(bound) / parts / 2
    if products < MIN_TERMS * result.elems:
        return f"fewer than {MIN_TERMS} terms"
    few = products < MIN_PRODUCTS * sum(t.elems for t in factors)
    return f"fewer than {MIN_PRODUCTS} products for each element of a factor" if few else ""


def _of_part(bound: BoundNode) -> tuple[int, list[TensorType]]:
    """How many parts of a batch a node computes (ops/parted.py), and the factors and the result of one: what is decided
    for a part must not depend on how many others are computed with it."""
    parts = bound.attr.get("parts", 1)
    assert isinstance(parts, int)
    types = [value.type for value in (*bound.inputs[:2], *bound.outputs)]
    return parts, [t.with_(shape=(t.shape[0] // parts, *t.shape[1:])) if t.batch else t for t in types]


def left_out(graph: Graph) -> Iterator[tuple[Node, str]]:
    """The contractions whose factors are float32, each with the reason."""
    types = graph.types()
    for node in graph.nodes:
        for body in node.bodies.values():
            yield from left_out(body)
        if OPS[node.op].kind == "contraction" and types[node.inputs[0]].dtype != PAIRS:
            yield node, refuse(node.bound(types))


def _rewritten(r: Rewriter, bound: BoundNode, pairs: dict[tuple[str, int], Value]) -> tuple[Value, ...] | None:
    if bound.node.op == "scan":
        return _loop(r, bound, pairs)
    paired = OPS[bound.node.op].paired
    if paired is None or refuse(bound):
        return None
    axes = paired(bound)
    assert axes is not None
    factors = [_pairs(r, value, axis, pairs) for value, axis in zip(bound.inputs, axes, strict=False)]
    names = tuple(out.name for out in bound.outputs)
    return r.ops(bound.node.op, *factors, *bound.inputs[2:], name=names, **bound.node.attr)


def _pairs(r: Rewriter, value: Value, axis: int, pairs: dict[tuple[str, int], Value]) -> Value:
    key = (value.name, axis)
    if key not in pairs:
        pairs[key] = r.op("pairs", value, name=r.fresh(f"{value.name}.pairs"), axis=axis)
    return pairs[key]


def _loop(r: Rewriter, bound: BoundNode, pairs: dict[tuple[str, int], Value]) -> tuple[Value, ...] | None:
    """A loop over time: its body, and before it the pairs of what every step reads."""
    parts = Parts.of(bound.node)
    body = pair_factors(parts.body)
    whole = {i.name: k for k, i in enumerate(body.inputs) if k >= parts.carried + parts.sliced}
    before = [node for node in body.nodes if node.op == "pairs" and node.inputs[0] in whole]
    if body == parts.body:
        return None
    more = [_pairs(r, bound.inputs[whole[node.inputs[0]]], _axis(node), pairs) for node in before]
    inputs = (*body.inputs, *(_as_input(body, node) for node in before))
    body = body.with_(inputs=inputs, nodes=tuple(node for node in body.nodes if node not in before))
    names = tuple(out.name for out in bound.outputs)
    return r.ops("scan", *bound.inputs, *more, name=names, **{**bound.node.attr, "body": body})


def _axis(node: Node) -> int:
    axis = node.attr["axis"]
    assert isinstance(axis, int)
    return axis


def _as_input(body: Graph, node: Node) -> Input:
    """The result of a node as an input of the body."""
    like = next(i for i in body.inputs if i.name == node.inputs[0])
    return replace(like, name=node.outputs[0].name, type=node.outputs[0].type)
