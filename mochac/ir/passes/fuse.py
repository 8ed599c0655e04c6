"""fuse: decide which nodes share a kernel (Node.group), and note why the others do not (Graph.notes).

    %c = conv(..); %r = relu(%c); %p, %i = max_pool(%r)   ->   all {group 0}, if nothing else reads %r

Every node begins as a group of its own. Rules propose merges in the order of SWEEPS; `NodeGroups.join` refuses those
that would leave a group and come back, or make a kernel too large. A rule is a function of a file `fuse_*.py`; it looks
only at the kinds of ops, the attributes of windows, and the sizes of values. The pipeline runs the pass after
assign_layout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from mochac.base.records import record
from mochac.ir.graph import Graph
from mochac.ir.notes import FusionOff, NotFused
from mochac.ir.op import OPS
from mochac.ir.passes import graph_pass
from mochac.ir.passes.fuse_maps import hang, join_reader, saved_maps, sink
from mochac.ir.passes.fuse_rows import group_rows
from mochac.ir.passes.fuse_windows import own_loops, pull, pull_gradient, pull_tiles
from mochac.ir.passes.group_graph import ROOTS, FusionTarget, NodeGroups

Rule = Callable[[NodeGroups, int], None]
"""Merges the group of a node with others where that pays."""


@record
class Sweep:
    """Rules that are applied to one node after another, without nodes that every reader computes."""

    rules: tuple[Rule, ...]
    backward: bool = False

    def __call__(self, g: NodeGroups) -> None:
        positions = range(len(g.nodes))
        for i in reversed(positions) if self.backward else positions:
            if not g.is_free(i):
                for rule in self.rules:
                    rule(g, i)


SWEEPS: tuple[Callable[[NodeGroups], None], ...] = (
    Sweep((sink,), backward=True),
    Sweep((hang, pull, pull_gradient, pull_tiles)),
    group_rows,
    Sweep((join_reader,)),
)


def fuse(graph: Graph, enabled: bool = True, target: FusionTarget | None = None) -> Graph:
    """Number the groups of nodes that share a kernel; with `enabled` false every node is a kernel of its own.

    Requires: inferred types. Preserves: everything but Node.group and its own Graph.notes, which are replaced. Fills,
    broadcasts and reshapes are in no group (-1): they are computed in every kernel that reads them.

    >>> from mochac.ir.graph import Graph
    >>> fuse(Graph("empty", (), (), ())).notes
    ()
    """
    notes = tuple(note for note in graph.notes if not isinstance(note, (NotFused, FusionOff)))
    plain = graph.with_(nodes=tuple(replace(node, group=-1) for node in graph.nodes), notes=notes)
    if not enabled:
        return plain.with_(notes=(*notes, FusionOff()))
    groups = NodeGroups(plain, target or FusionTarget())
    groups.saved = saved_maps(groups)
    for sweep in SWEEPS:
        sweep(groups)
    return _numbered(groups)


@graph_pass("fuse")
def _fuse(graph: Graph) -> Graph:
    return fuse(graph)


def _numbered(g: NodeGroups) -> Graph:
    """The graph with groups numbered by first node, and with the notes."""
    numbers: dict[int, int] = {}
    nodes = [
        replace(node, group=-1 if g.is_free(i) else numbers.setdefault(g.of[i], len(numbers)))
        for i, node in enumerate(g.nodes)
    ]
    return g.graph.with_(nodes=tuple(nodes), notes=(*g.graph.notes, *_notes(g)))


def _notes(g: NodeGroups) -> Iterator[NotFused]:
    """Why values pass from one group to another."""
    for i, node in enumerate(g.nodes):
        if g.is_free(i):
            continue
        reader = node.outputs[0].name
        for name in dict.fromkeys(node.inputs):
            maker = g.maker.get(name)
            if maker is not None and g.of[maker] != g.of[i] and not OPS[g.nodes[maker].op].inlined:
                yield NotFused(name, reader, node.op, _why(g, maker, i))
        for name in dict.fromkeys(n for n in node.inputs if g.is_inlined(n)):
            for maker in sorted(g.makers_through({g.maker[name]})):
                if g.of[maker] != g.of[i] and (maker, i) in g.reasons:
                    yield NotFused(g.nodes[maker].outputs[0].name, reader, node.op, g.reasons[maker, i])


def _why(g: NodeGroups, maker: int, i: int) -> str:
    node = g.nodes[i]
    why = g.reasons.get((maker, i)) or g.never(maker) or OPS[node.op].alone
    if why:
        return why
    if OPS[node.op].kind in ROOTS:
        return own_loops(node)
    a, b = g.of[maker], g.of[i]
    one, other = g.root[a], g.root[b]
    if one is not None and other is not None:
        return f"{node.op} is computed in the loops of {other.op}, and {one.op} needs loops of its own"
    if g.domain[a] != g.domain[b]:
        return f"their domains differ ({g.domain[a]} and {g.domain[b]})"
    return g.refuse_cycle(a, b) or "no step of fusion compared them"
