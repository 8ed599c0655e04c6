"""sum_by_sample: split a sum over samples and other axes into a sum for each sample, and a sum of these.

    %s = reduce_sum(%t) {axes = (0,1)}   ->   %s.each = reduce_sum(%t) {axes = (1,)}
                                              %s = reduce_sum(%s.each) {axes = (0,)}

The gradients of LayerNorm's scale and shift are sums over rows of values that the kernel that goes over these rows has
in registers. Summed over all samples at once, they would be kernels of their own, which read blobs again. When they are
split, that kernel adds them up for each sample beside its rows (fuse_rows.py), and the remaining sum reads only one
row per sample. The gradient of a bias before a pooling is similar: the weight gradient computes each image that this
sum adds up (fuse), and need not store it. A sum stays whole if fuse would not put its first part into such a kernel.
Only the order of addition changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mochac.ir.graph import BoundNode, Graph, Node, Value
from mochac.ir.op import OPS
from mochac.ir.passes.fuse_windows import GRADIENT, is_pool_gradient, sums_images
from mochac.ir.passes.node_groups import elementwise
from mochac.ir.rewrite import Rewriter, rewrite

SAMPLES = 0
"""The axis of samples."""
EACH = ".each"
"""The name of the first part of a sum ends with this."""


def sum_by_sample(graph: Graph, fusion: Callable[[Graph], Graph]) -> Graph:
    """The graph fused by `fusion`, where sums are split that then are in kernels that go over the rows of samples.

    Args:
        fusion: fuse, with the settings of a target.
    """
    wanted = set(_candidates(graph))
    split = fusion(_split(graph, wanted) if wanted else graph)
    mains = {node.group for node in split.nodes if _reads_near(node) and not _is_part(node, wanted)}
    joined = {node.outputs[0].name for node in split.nodes if node.group in mains and _is_part(node, wanted)}
    pays = {name for name in wanted if f"{name}{EACH}" in joined}
    if pays == wanted:
        return split
    return fusion(_split(graph, pays) if pays else graph)


def _is_part(node: Node, wanted: set[str]) -> bool:
    return node.outputs[0].name.removesuffix(EACH) in wanted


def _candidates(graph: Graph) -> Iterator[str]:
    """The sums that may be split. They add up, over samples and other axes, values that are computed from the same
    elements as sums over rows of samples; or whole images that the gradient of a pool makes and a weight gradient
    reads, too."""
    types = graph.types()
    made: dict[str, frozenset[str]] = {}

    def made_of(name: str) -> frozenset[str]:
        """The values of the same size from which elementwise nodes compute a value."""
        return made.get(name, frozenset({name}))

    for node in graph.nodes:
        out = node.outputs[0]
        if elementwise(node):
            alike = (name for name in node.inputs if types[name].shape == out.type.shape)
            made[out.name] = frozenset[str]().union(*map(made_of, alike))
    rows = {name for node in graph.nodes if _is_row_sum(node) for name in made_of(node.inputs[0])}
    read = {node.inputs[GRADIENT] for node in graph.nodes if sums_images(node)}
    unpooled = {node.outputs[0].name for node in graph.nodes if is_pool_gradient(node)}
    near = {name for name in read if unpooled & made_of(name)}
    for node in graph.nodes:
        axes, summed = node.attr.get("axes"), types[node.inputs[0]] if node.inputs else None
        if node.op != "reduce_sum" or not isinstance(axes, tuple) or summed is None or not summed.batch:
            continue
        if SAMPLES not in axes or not 1 < len(axes) < len(summed.shape):
            continue
        images = axes == (SAMPLES, *range(2, len(summed.shape))) and node.inputs[0] in near
        if images or rows & made_of(node.inputs[0]):
            yield node.outputs[0].name


def _reads_near(node: Node) -> bool:
    """Whether a node's kernel goes over rows or images that may stay in a near cache."""
    return _is_row_sum(node) or sums_images(node)


def _is_row_sum(node: Node) -> bool:
    axes = node.attr.get("axes")
    return OPS[node.op].kind == "reduce" and isinstance(axes, tuple) and SAMPLES not in axes


def _split(graph: Graph, wanted: set[str]) -> Graph:
    def rule(r: Rewriter, bound: BoundNode) -> tuple[Value, ...] | None:
        name = bound.outputs[0].name
        if name not in wanted:
            return None
        axes = bound.attr["axes"]
        assert isinstance(axes, tuple)
        rest = tuple(a for a in axes if a != SAMPLES)
        each = r.op("reduce_sum", bound.inputs[0], name=f"{name}{EACH}", axes=rest)
        return (r.op("reduce_sum", each, name=name, axes=(SAMPLES,)),)

    return rewrite(graph, rule)
