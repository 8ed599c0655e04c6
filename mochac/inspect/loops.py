"""loops: what explain says about loops over time: which values they carry, and which ones the gradient keeps or
computes again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mochac.base.support.columns import unit
from mochac.ir.graph import Graph, Value
from mochac.ir.ops.scan import MOST_KEPT_BYTES, Parts, is_cheap
from mochac.ir.passes.loops import is_loop


def loop_lines(graph: Graph) -> Iterator[str]:
    """Lines about the scans of a graph, in order."""
    loops = [Parts.of(node) for node in graph.nodes if is_loop(node)]
    for k, parts in enumerate(loops):
        way = "backward" if parts.reverse else "forward"
        yield f"  {parts.node.outputs[0].name}: {parts.length} steps {way}; carries {_carried(parts)}"
        forward = next((f for f in reversed(loops[:k]) if parts.body.name == f"d.{f.body.name}"), None)
        if forward is not None:
            yield from (f"    {line}" for line in _gradient(forward, parts))


def _carried(parts: Parts) -> str:
    return ", ".join(str(i.type) for i in parts.body.inputs[: parts.carried]) or "nothing"


def _gradient(forward: Parts, backward: Parts) -> Iterator[str]:
    """What a gradient takes from the loop that it belongs to."""
    made = {out.name for node in forward.body.nodes for out in node.outputs}
    read = [i for i in backward.body.inputs[backward.carried :] if i.name in made]
    stacks = [Value(i.name, i.type) for i in read]
    size = sum(s.type.storage_bytes for s in stacks) * backward.length
    yield f"kept of each step besides the carried values: {_names(stacks)}; {unit(size, 'B')} for all steps"
    again = [node for node in backward.body.nodes if node.outputs[0].name in made]
    dear = [node.outputs[0] for node in again if not is_cheap(node)]
    cheap = [node.outputs[0] for node in again if is_cheap(node)]
    if dear:
        yield f"computed again, since all would take more than {unit(MOST_KEPT_BYTES, 'B')}: {_names(dear)}"
    if cheap:
        yield f"computed again, since that costs no more than to read: {_names(cheap)}"


def _names(values: Sequence[Value]) -> str:
    return ", ".join(value.name for value in values) or "nothing"
