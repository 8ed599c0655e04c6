"""transpose_weights: transpose small weights that every step of a loop over time multiplies by, once before the loop.

    scan { %b = inner_product(%h, %u, %c) }   ->   %t = permute(%u)
                                                   scan { %p = inner_product_dx(%h, %t);  %b = add(%p, %c) }

Neighbouring results of a step are then neighbours in the weight: a step reads whole vectors of it from a near cache,
and needs neither transpose the weight nor pack the other factor. Weights that come from farther away are read row by
row as they are. This pays if there are enough steps and samples for one more pass over the weight. The sums have the
same terms, in another order. Requires inferred types and natural layouts; the pipeline runs it after leave_scans, for
CPUs. Only scans change.
"""

from __future__ import annotations

from dataclasses import replace

from mochac.ir.build import Rewriter, rewrite
from mochac.ir.graph import BoundNode, Graph, Input, Node, Value
from mochac.ir.ops.scan import Parts
from mochac.ir.passes import graph_pass
from mochac.ir.types import TensorType

WEIGHT_SHARE = 1 / 16
"""Share of L2 that a weight may fill, about the size of L1 (Zen 4: a training step of a GRU of 64 units takes 0.96 of
the time, one of 128 units, whose weights are four times as large, 1.06; by the models of six CPUs, the product alone
takes 0.42 to 0.85 of its cycles for 64 units and 16 samples)."""
NEAR_BYTES = 1 << 20
"""Bytes of L2 on many CPUs, for the pass by name."""
MIN_ROWS = 512
"""Minimum rows of all steps: a product of this many rows takes about ten times as long as transposing its weight."""
MIN_SAMPLES = 4
"""Minimum rows of a step; products of fewer rows read a weight about as fast as memory delivers it, in either order."""


def transpose_weights(graph: Graph, near_bytes: int) -> Graph:
    """Transpose weights before the loops that read them; `near_bytes` is the size of L2."""
    return rewrite(graph, lambda r, bound: _rewritten(r, bound, int(WEIGHT_SHARE * near_bytes)))


@graph_pass("transpose_weights")
def _transpose_weights(graph: Graph) -> Graph:
    return transpose_weights(graph, NEAR_BYTES)


def _rewritten(r: Rewriter, bound: BoundNode, most_bytes: int) -> tuple[Value, ...] | None:
    if bound.node.op != "scan":
        return None
    parts = Parts.of(bound.node)
    transposed = _weights(parts, most_bytes)
    if not transposed:
        return None
    operands = list(bound.inputs)
    for k, i in enumerate(parts.body.inputs):
        if i.name in transposed:
            operands[k] = r.op("permute", operands[k], order=(1, 0))
    attrs = {**bound.node.attr, "body": _body(parts.body, transposed)}
    names = tuple(out.name for out in bound.outputs)
    return r.ops("scan", *operands, name=names, **attrs)


def _weights(parts: Parts, most_bytes: int) -> set[str]:
    """Whole operands of a loop that are only the weights of products of enough rows."""
    body, types = parts.body, parts.body.types()
    found: set[str] = set()
    for i in body.inputs[parts.carried + parts.sliced :]:
        readers = [node for node in body.nodes if i.name in node.inputs]
        small = i.type.storage_bytes <= most_bytes and i.name not in body.outputs
        if small and readers and all(_may_read_transposed(node, i.name, types, parts) for node in readers):
            found.add(i.name)
    return found


def _may_read_transposed(node: Node, weight: str, types: dict[str, TensorType], parts: Parts) -> bool:
    """Whether a node is a product of enough rows with a weight."""
    if node.op != "inner_product" or node.inputs.count(weight) != 1 or node.inputs[1] != weight:
        return False
    rows = types[node.inputs[0]].shape[0]
    return rows >= MIN_SAMPLES and rows * parts.length >= MIN_ROWS


def _body(body: Graph, transposed: set[str]) -> Graph:
    """The body, whose products read these inputs transposed."""

    def rule(r: Rewriter, bound: BoundNode) -> tuple[Value, ...] | None:
        if len(bound.inputs) < 2 or bound.inputs[1].name not in transposed:
            return None
        (x, weight, *bias), out = bound.inputs, bound.outputs[0]
        if not bias:
            return (r.op("inner_product_dx", x, weight, name=out.name),)
        product = r.op("inner_product_dx", x, weight, name=f"{out.name}.sum")
        spread = r.op("broadcast", bias[0], shape=out.type.shape, axes=(1,), batch=out.type.batch)
        return (r.op("add", product, spread, name=out.name),)

    inputs = tuple(_transposed_input(i) if i.name in transposed else i for i in body.inputs)
    return rewrite(body.with_(inputs=inputs), rule)


def _transposed_input(i: Input) -> Input:
    return replace(i, type=i.type.with_(shape=i.type.shape[::-1]))
