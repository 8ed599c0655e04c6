"""Which pass of training a kernel belongs to: forward, backward, update, or several of these.

Gradients are what depends on a value that ir/pullback.py has named `d.<value>`; what a solver (or a
statistic) computes with them comes from a parameter, `<layer>.<parameter>`, not from a layer.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from mochac.ir.graph import Graph, Node

GRADIENT = "d."
FORWARD, BACKWARD, UPDATE = "forward", "backward", "update"


def passes_of(nodes: Sequence[Node], stored: Container[str], layers: Container[str], late: Container[str]) -> list[str]:
    """The passes of a kernel with these nodes, in order. Values that it only computes again for a gradient do not count
    as forward.

    Args:
        stored: the values that it writes.
        layers: names of the net's layers.
        late: the values that depend on gradients.
    """
    found: set[str] = set()
    for node in nodes:
        if any(out.name in late for out in node.outputs):
            found.add(BACKWARD if any(loc.layer in layers for loc in node.loc) or not node.loc else UPDATE)
        if any(out.name in stored and out.name not in late for out in node.outputs):
            found.add(FORWARD)
    return [name for name in (FORWARD, BACKWARD, UPDATE) if name in found]


def after_gradients(graph: Graph) -> set[str]:
    """The values of a graph that are gradients or depend on one.

    >>> from mochac.ir import parse
    >>> sorted(after_gradients(parse('''graph @g(%x: f32[4]) {
    ...   %y: f32[4] = relu(%x)
    ...   %d.x: f32[4] = mul(%x, %x)
    ...   %z: f32[4] = mul(%d.x, %y)
    ...   return %z
    ... }''')))
    ['d.x', 'z']
    """
    late: set[str] = set()
    for node in graph.nodes:
        fed = any(name in late for name in node.inputs)
        late |= {out.name for out in node.outputs if fed or out.name.startswith(GRADIENT)}
    return late
