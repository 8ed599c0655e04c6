"""sum_factors: take factors that are the same for all terms out of a sum.

    %s = broadcast(%k) {axes = (1,)}               %t = reduce_sum(%a) {axes = (0,2,3)}
    %p = mul(%a, %s)                          ->   %y = mul(%t, %k)
    %y = reduce_sum(%p) {axes = (0,2,3)}

Gradients of means have this form: layers that normalize then need one sum of the gradient instead of two. A factor that
differs between samples is taken out of the sum over each sample, if that sum is needed anyway:

    %e = reduce_sum(%a) {axes = (2,3)}             %e = reduce_sum(%a) {axes = (2,3)}
    %s = broadcast(%k) {axes = (0,1)}         ->   %q = mul(%e, %k)
    %p = mul(%a, %s)                               %y = reduce_sum(%q) {axes = (0,)}
    %y = reduce_sum(%p) {axes = (0,2,3)}

Only the order of rounding changes. The pipeline runs this before simplify, which merges the sums.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import reduce

from mochac.ir.graph import BoundNode, Graph, Node, Value
from mochac.ir.passes import graph_pass
from mochac.ir.rewrite import Rewriter, rewrite, without_dead_nodes

SAMPLES = 0
"""The axis of samples."""
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
    made = r.producer(value)
    negative = made is not None and made.node.op == "neg"
    if made is not None and negative:
        value = made.inputs[0]
    return tuple(a for a in axes if isinstance(a, int)), negative, _factors(r, value, uses)


def _factors(r: Rewriter, value: Value, uses: Uses) -> list[Value]:
    """The factors of a value, in order."""
    found: list[Value] = []
    waiting = [(value, True)]
    while waiting:
        value, is_open = waiting.pop()
        made = r.producer(value) if is_open else None
        if made is None or made.node.op != "mul":
            found.append(value)
        else:
            waiting += [(v, _is_open(r, v, uses)) for v in reversed(made.inputs)]
    return found


def _is_open(r: Rewriter, value: Value, uses: Uses) -> bool:
    """Whether a sum may read the factors of a value instead of the value. Not if the value has other readers and a
    factor has none, since the factor would have to be kept only for the sum."""
    made = r.producer(value)
    alone = len(uses.get(value.name, ())) < 2
    return made is not None and (alone or all(len(uses.get(v.name, ())) > 1 or _repeats(r, v) for v in made.inputs))


def _repeats(r: Rewriter, value: Value) -> bool:
    made = r.producer(value)
    return made is not None and made.node.op in ("broadcast", "fill")


def _divided(r: Rewriter, terms: list[Value], summed: tuple[int, ...]) -> tuple[list[Value], list[Factor]]:
    """The factors that vary along the summed axes, and those that do not."""
    found = [(term, _factor(r, term, set(summed))) for term in terms]
    return [term for term, factor in found if factor is None], [factor for _, factor in found if factor is not None]


def _factor(r: Rewriter, value: Value, summed: set[int]) -> Factor | None:
    """The value that a broadcast repeats along the summed axes, and its axes in the product."""
    made = r.producer(value)
    if made is None or made.node.op != "broadcast" or not made.inputs[0].type.shape:
        return None
    axes = made.attr["axes"]
    assert isinstance(axes, tuple)
    if summed & set(axes):
        return None
    return made.inputs[0], tuple(a for a in axes if isinstance(a, int))


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
    kept = tuple(a - sum(1 for s in summed if s < a) for a in axes)
    return r.op("broadcast", value, shape=total.type.shape, axes=kept, batch=total.type.batch)
