"""Sums in another order of addition: split by sample, and without factors that all their terms share.

sum_by_sample: split a sum over samples and other axes into a sum for each sample, and a sum of these.

    %s = reduce_sum(%t) {axes = (0,1)}   ->   %s.each = reduce_sum(%t) {axes = (1,)}
                                              %s = reduce_sum(%s.each) {axes = (0,)}

The gradients of LayerNorm's scale and shift are sums over rows of values that the kernel that goes over these rows has
in registers. Summed over all samples at once, they would be kernels of their own, which read blobs again. When they are
split, that kernel adds them up for each sample beside its rows (fuse.py), and the remaining sum reads only one
row per sample. The gradient of a bias before a pooling is similar: the weight gradient computes each image that this
sum adds up (fuse), and need not store it. A sum stays whole if fuse would not put its first part into such a kernel.

sum_factors: take factors that are the same for all terms out of a sum. The pipeline runs this before simplify, which
merges the sums.

    %s = broadcast(%k) {axes = (1,)}               %t = reduce_sum(%a) {axes = (0,2,3)}
    %p = mul(%a, %s)                          ->   %y = mul(%t, %k)
    %y = reduce_sum(%p) {axes = (0,2,3)}

Gradients of means have this form: layers that normalize then need one sum of the gradient instead of two. A factor that
differs between samples is taken out of the sum over each sample, if that sum is needed anyway:

    %e = reduce_sum(%a) {axes = (2,3)}             %e = reduce_sum(%a) {axes = (2,3)}
    %s = broadcast(%k) {axes = (0,1)}         ->   %q = mul(%e, %k)
    %p = mul(%a, %s)                               %y = reduce_sum(%q) {axes = (0,)}
    %y = reduce_sum(%p) {axes = (0,2,3)}
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import reduce

from mochac.ir.build import Rewriter, rewrite, without_dead_nodes
from mochac.ir.graph import BoundNode, Graph, Node, Value
from mochac.ir.op import OPS
from mochac.ir.passes import graph_pass
from mochac.ir.passes.fuse_windows import GRADIENT, is_pool_gradient, sums_images
from mochac.ir.passes.group_graph import elementwise

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
    producer: dict[str, frozenset[str]] = {}

    def made_of(name: str) -> frozenset[str]:
        """The values of the same size from which elementwise nodes compute a value."""
        return producer.get(name, frozenset({name}))

    for node in graph.nodes:
        out = node.outputs[0]
        if elementwise(node):
            same_shape = (name for name in node.inputs if types[name].shape == out.type.shape)
            producer[out.name] = frozenset[str]().union(*map(made_of, same_shape))
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


Uses = dict[str, list[Node]]
Factor = tuple[Value, tuple[int, ...]]
"""A value, and the axes of the product along which a broadcast places it."""


@graph_pass("sum_factors")
def sum_factors(graph: Graph) -> Graph:
    """Replace sums of products with broadcasts that are constant along the summed axes."""
    uses = graph.uses()
    graph = without_dead_nodes(rewrite(graph, lambda r, bound: _taken_out(r, bound, uses)))
    if not _may_share(graph):
        return graph
    uses, found = graph.uses(), _sums_of_samples(graph)
    return without_dead_nodes(rewrite(graph, lambda r, bound: _by_sample(r, bound, uses, found)))


def _taken_out(r: Rewriter, bound: BoundNode, uses: Uses) -> tuple[Value, ...] | None:
    """The sum without its factors, multiplied by them."""
    axes, negative, terms = _summed(r, bound, uses)
    terms, factors = _divided(r, terms, axes)
    if not terms or not factors:
        return None
    name = bound.outputs[0].name
    total = _scaled(r, r.op("reduce_sum", _product(r, terms), axes=axes), factors[:-1], axes)
    last = _spread(r, factors[-1], axes, total)
    scaled = r.op("mul", total, last, name="" if negative else name)
    return (r.op("neg", scaled, name=name) if negative else scaled,)


def _by_sample(r: Rewriter, bound: BoundNode, uses: Uses, found: Collection[object]) -> tuple[Value, ...] | None:
    """The sum over samples of sums that each sample needs anyway, multiplied by their factors."""
    axes, negative, terms = _summed(r, bound, uses)
    rest = tuple(a for a in axes if a != SAMPLES)
    if rest == axes or not rest:
        return None
    terms, factors = _divided(r, terms, rest)
    if negative or not terms or _key(rest, terms) not in found:
        return None
    each = _scaled(r, r.op("reduce_sum", _product(r, terms), axes=rest), factors, rest)
    return (r.op("reduce_sum", each, name=bound.outputs[0].name, axes=(SAMPLES,)),)


def _may_share(graph: Graph) -> bool:
    """Whether values of one shape are summed for each sample, and over samples as well."""
    types = graph.types()
    found = {(types[n.inputs[0]].shape, n.attr["axes"]) for n in graph.nodes if n.op == "reduce_sum"}
    over = ((shape, axes) for shape, axes in found if isinstance(axes, tuple) and SAMPLES in axes)
    return any((shape, tuple(a for a in axes if a != SAMPLES)) in found for shape, axes in over)


def _sums_of_samples(graph: Graph) -> set[object]:
    """The values that are summed for each sample, and along which axes."""
    found: set[object] = set()
    uses = graph.uses()

    def noted(r: Rewriter, bound: BoundNode) -> None:
        axes, _, terms = _summed(r, bound, uses)
        if axes and SAMPLES not in axes:
            found.add(_key(axes, terms))

    rewrite(graph, noted)
    return found


def _key(axes: tuple[int, ...], terms: Iterable[Value]) -> object:
    return axes, tuple(sorted(term.name for term in terms))


def _summed(r: Rewriter, bound: BoundNode, uses: Uses) -> tuple[tuple[int, ...], bool, list[Value]]:
    """The axes of a sum, whether its operand is negated, and the factors of the operand; no axes if it is no sum."""
    axes = bound.attr.get("axes")
    if bound.node.op != "reduce_sum" or not isinstance(axes, tuple):
        return (), False, []
    value = bound.inputs[0]
    producer = r.producer(value)
    negative = producer is not None and producer.node.op == "neg"
    if producer is not None and negative:
        value = producer.inputs[0]
    return tuple(a for a in axes if isinstance(a, int)), negative, _factors(r, value, uses)


def _factors(r: Rewriter, value: Value, uses: Uses) -> list[Value]:
    """The factors of a value, in order."""
    found: list[Value] = []
    waiting = [(value, True)]
    while waiting:
        value, is_open = waiting.pop()
        producer = r.producer(value) if is_open else None
        if producer is None or producer.node.op != "mul":
            found.append(value)
        else:
            waiting += [(v, _is_open(r, v, uses)) for v in reversed(producer.inputs)]
    return found


def _is_open(r: Rewriter, value: Value, uses: Uses) -> bool:
    """Whether a sum may read the factors of a value instead of the value. Not if the value has other readers and a
    factor has none, since the factor would have to be kept only for the sum."""
    producer = r.producer(value)
    alone = len(uses.get(value.name, ())) < 2
    return producer is not None and (
        alone or all(len(uses.get(v.name, ())) > 1 or _repeats(r, v) for v in producer.inputs)
    )


def _repeats(r: Rewriter, value: Value) -> bool:
    producer = r.producer(value)
    return producer is not None and producer.node.op in ("broadcast", "fill")


def _divided(r: Rewriter, terms: list[Value], summed: tuple[int, ...]) -> tuple[list[Value], list[Factor]]:
    """The factors that vary along the summed axes, and those that do not."""
    found = [(term, _factor(r, term, set(summed))) for term in terms]
    return [term for term, factor in found if factor is None], [factor for _, factor in found if factor is not None]


def _factor(r: Rewriter, value: Value, summed: set[int]) -> Factor | None:
    """The value that a broadcast repeats along the summed axes, and its axes in the product."""
    producer = r.producer(value)
    if producer is None or producer.node.op != "broadcast" or not producer.inputs[0].type.shape:
        return None
    axes = producer.attr["axes"]
    assert isinstance(axes, tuple)
    if summed & set(axes):
        return None
    return producer.inputs[0], tuple(a for a in axes if isinstance(a, int))


def _product(r: Rewriter, terms: list[Value]) -> Value:
    return reduce(lambda a, b: r.op("mul", a, b), terms)


def _scaled(r: Rewriter, total: Value, factors: Iterable[Factor], summed: tuple[int, ...]) -> Value:
    for factor in factors:
        total = r.op("mul", total, _spread(r, factor, summed, total))
    return total


def _spread(r: Rewriter, factor: Factor, summed: tuple[int, ...], total: Value) -> Value:
    """The factor in the shape of the sum."""
    value, axes = factor
    if value.type == total.type:
        return value
    places = tuple(a - sum(1 for s in summed if s < a) for a in axes)
    return r.op("broadcast", value, shape=total.type.shape, axes=places, batch=total.type.batch)
