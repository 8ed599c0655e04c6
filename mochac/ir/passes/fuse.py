"""fuse: decide which nodes share a kernel (Node.group), and note why the others do not (Graph.notes).

    %c = conv(..); %r = relu(%c); %p, %i = max_pool(%r)   ->   all {group 0}, if nothing else reads %r

Every node begins as a group of its own. Rules propose merges in the order of SWEEPS; `NodeGroups.join` refuses those
that would leave a group and come back, or make a kernel too large. A rule is a function here or in a file `fuse_*.py`;
it looks only at the kinds of ops, the attributes of windows, and the sizes of values. The pipeline runs the pass after
assign_layout.

The rule about rows: sums along the same axes, and the maps around them, become one kernel.

    %m = mean(%x); %v = mean(square(%x - %m)); %y = (%x - %m) / sqrt(%v)   ->   one group, row by row

A row is what one result of a sum adds up: the elements of x at one place of the axes that the sum keeps. If a row fits
into a near cache, it is loaded from memory once, however often it is read. A group takes in

- sums of values of one shape that keep the same axes, if they share an operand or one reads the other;
- the maps that read the results of the sums at every element of the row;
- cheap maps that the other nodes read, which are computed again where they are read, or stored for readers outside;
- sums that also keep the samples, but other axes of the rows, or more of them: they are added up beside the rows.

If a row is larger, only sums that do not wait for each other join, to read their operands once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from math import prod

from mochac.base.records import record
from mochac.ir.graph import Graph, Node
from mochac.ir.notes import FusionOff, NotFused
from mochac.ir.op import OPS
from mochac.ir.passes import graph_pass
from mochac.ir.passes.fuse_maps import hang, join_reader, saved_maps, sink
from mochac.ir.passes.fuse_windows import own_loops, pull, pull_gradient, pull_tiles
from mochac.ir.passes.group_graph import NO_LIMIT, ROOTS, Edge, FusionTarget, NodeGroups, domain_of, elementwise
from mochac.ir.passes.groups import reached
from mochac.ir.types import DTYPES, TensorType

Axes = tuple[int | None, ...]
"""Which axes of rows the axes of a value are; None for one over which it is the same."""
MIN_ROWS = 8
"""Minimum rows; with fewer, some threads would be idle."""
CHEAP = frozenset(
    {"abs", "add", "and", "eq", "fma", "ge", "gt", "isnan", "le", "lt", "max", "min", "mul", "ne", "neg", "not", "or"}
    | {"relu", "relu_eps", "lrelu", "select", "sign", "square", "sub"}
    | {"to_f32", "to_f64", "to_i32", "to_i64", "to_i8", "to_u32", "to_u64", "to_u8"}
)
"""Functions of one or two instructions, which are computed again rather than stored."""


@record
class RowFrame:
    """What the sums of a group have in common: the type of what they sum, and the axes that they keep."""

    summed: TensorType
    row_axes: tuple[int, ...]

    @property
    def rows(self) -> int:
        """Number of rows that can be computed separately; the samples of a vector count as one row."""
        together = self.summed.lanes if self.summed.lanes and 0 in self.row_axes else 1
        return prod(self.summed.shape[a] for a in self.row_axes) // together

    @property
    def row_bytes(self) -> int:
        """Bytes of a row of one value."""
        whole = prod(self.summed.shape) * DTYPES[self.summed.dtype].itemsize
        return whole // max(1, self.rows)

    def takes(self, other: RowFrame) -> bool:
        """Whether sums of another frame may be added up during the passes over rows: within a row, or over all rows of
        a sample, element by element; there must be enough samples."""
        if (
            self.summed != other.summed
            or not (0 in self.row_axes and 0 in other.row_axes)
            or self.row_axes == other.row_axes
        ):
            return False
        if other.row_axes[: len(self.row_axes)] == self.row_axes == tuple(range(len(self.row_axes))):
            return True
        across = set(range(len(self.summed.shape))) - set(other.row_axes) == set(self.row_axes[1:])
        return across and -(-self.summed.shape[0] // (self.summed.lanes or 1)) >= MIN_ROWS


def group_rows(g: NodeGroups) -> None:
    """Merge the groups that go over the same rows, until no more fit; none if there is no near cache."""
    if g.target.near_bytes:
        rows = _Rows(g)
        while any([rows.grown(number) for number in sorted(rows.frames)]):
            pass


class _Rows:
    """Row groups.

    Attributes:
        frames: of each group with sums, by number.
        beside: nodes of sums that are added up beside the rows of another frame.
        costly: elementwise nodes that are not computed again.
    """

    def __init__(self, g: NodeGroups) -> None:
        self.g = g
        self.updates = {new for _, new in g.graph.updates}
        self.beside: set[int] = set()
        self.costly = {i for i in g.elementwise if g.nodes[i].op not in CHEAP}
        frames = ((g.of[i], self._frame(i)) for i in range(len(g.nodes)) if g.kind(i) == "reduce" and i not in g.free)
        self.frames = {number: frame for number, frame in frames if frame is not None}

    def _frame(self, i: int) -> RowFrame | None:
        """The frame of a group whose root sums along some axes; None if it does not."""
        node, axes = self.g.nodes[i], self.g.nodes[i].attr.get("axes")
        if node is not self.g.root[self.g.of[i]] or not isinstance(axes, tuple):
            return None
        summed = self.g.types[node.inputs[0]]
        frame = RowFrame(domain_of(summed), tuple(a for a in range(len(summed.shape)) if a not in axes))
        return frame if frame.row_axes and axes and frame.rows >= MIN_ROWS else None

    def grown(self, number: int) -> bool:
        """Whether a group has taken in others."""
        grown = False
        while number in self.frames and any(
            self._joined(number, n) for n in chain(self._sums(number), self._maps(number))
        ):
            grown = True
        return grown

    def _joined(self, number: int, other: int) -> bool:
        """Whether two groups were merged."""
        added = self.g.members[other]
        rules, edges = (self._refuse, self._refuse_crossing), self._edges(number, other)
        if not self.g.join(number, other, *rules, edges=edges, limit=NO_LIMIT, after=self.g.after_through):
            return False
        frame = self.frames[number]
        if self.frames.pop(other, frame) != frame:
            self.beside |= added
        self.g.domain[number] = frame.summed
        return True

    # -- neighbours

    def _sums(self, number: int) -> list[int]:
        """Other groups with sums of the same frame that share an operand with this one, or wait for it. If maps read
        this one's results, also groups with sums beside its rows that no map reads."""
        frame = self.frames[number]
        sharing = {r for name in self._operands(frame, self.g.members[number]) for r in self.g.readers[name]}
        found = [(n, self.frames[n]) for n in self._groups(number, sharing) if n in self.frames]
        return [n for n, other in found if other == frame or (frame.takes(other) and self._is_beside(number, n))]

    def _maps(self, number: int) -> list[int]:
        """Groups of maps over whole rows that read what this one computes, or that it reads."""
        return [n for n in self._groups(number, ()) if self._is_map(n, self.frames[number])]

    def _groups(self, number: int, nodes: Iterable[int]) -> list[int]:
        """The other groups of these nodes, of those that read what a group computes, and of those that it reads."""
        found = self._read_by(number).union(nodes, self.g.makers_through(self.g.makers(number)))
        return sorted({self.g.of[m] for m in found} - {number})

    def _read_by(self, number: int) -> set[int]:
        """The nodes that read what a group computes."""
        return {r for m in self.g.members[number] for r in self.g.read_through(m)}

    def _edges(self, a: int, b: int) -> Iterator[Edge]:
        """Where one of two groups reads what the other computes."""
        here, there = self.g.members[a], self.g.members[b]
        for m in here | there:
            yield from ((m, reader) for reader in self.g.read_through(m) & (there if m in here else here))

    def _is_beside(self, number: int, other: int) -> bool:
        """Whether a group does nothing but add up numbers beside the rows of another: what reads a sum needs all of
        it."""
        root, members = self.g.root[other], self.g.members[other]
        if not self.g.target.beside_rows or root is None or self.g.is_inlined(root.inputs[0]):
            return False
        if any(self.g.read_through(m) & members for m in members if self.g.nodes[m] is root):
            return False
        return self._has_rows(number) and not any(self._is_whole(r, number) for r in self._read_by(other))

    def _has_rows(self, number: int) -> bool:
        """Whether maps over whole rows read what a group computes from its sums: otherwise nothing tells its rows apart
        from those of sums beside them."""
        members = self.g.members[number]
        sums = (m for m in members if self.g.kind(m) == "reduce")
        found = reached(sums, lambda m: self.g.read_through(m) & members)
        return any(self._is_whole(r, number) for m in found for r in self.g.read_through(m))

    def _is_whole(self, node: int, number: int) -> bool:
        """Whether a node's results are over whole rows of a group."""
        return any(domain_of(out.type) == self.frames[number].summed for out in self.g.nodes[node].outputs)

    def _is_map(self, number: int, frame: RowFrame) -> bool:
        members = self.g.members[number]
        maps = self.g.root[number] is None and members <= self.g.elementwise
        return maps and self.g.domain[number] == frame.summed and not any(map(self.g.is_separate_random, members))

    def _operands(self, frame: RowFrame, members: set[int]) -> set[str]:
        """The values of whole rows that these nodes read, and others compute."""
        own = {out.name for m in members for out in self.g.nodes[m].outputs}
        read = {name for m in members for name in self.g.nodes[m].inputs} - own
        return {n for n in read if domain_of(self.g.types[n]) == frame.summed and not self.g.is_inlined(n)}

    # -- refusals

    def _refuse(self, number: int, other: int) -> str:
        frame, a, b = self.frames[number], self.g.members[number], self.g.members[other]
        maps = self.g.root[other] is None
        if frame.row_bytes * len(self._operands(frame, a | b)) > self.g.target.near_bytes and (
            maps or any(self._edges(number, other))
        ):
            return f"a row of what they read, {frame.row_bytes} bytes of each value, would not stay in cache"
        if any(self.g.read_through(m) & (a | b) for m in self.beside & (a | b)):
            return "what it reads is there only after all rows"
        if maps and any(out.name in self.updates for m in b for out in self.g.nodes[m].outputs):
            return "it stores a new state in place of the old one, which would be read again"
        if self._recomputes(frame.summed, a, b):
            return "what both read is too expensive to compute twice"
        return ""

    def _refuse_crossing(self, number: int, other: int) -> str:
        crosses = self._crosses_rows(self.frames[number], self.g.members[number] | self.g.members[other])
        return "one reads what the other sums up in other rows" if crosses else ""

    def _crosses_rows(self, frame: RowFrame, members: set[int]) -> bool:
        """Whether a node reads the sum of another row than its own, as where a matrix meets its transpose. The node is
        over whole rows, or over the results of rows."""
        sums = [out for i in members if self.g.kind(i) == "reduce" for out in self.g.nodes[i].outputs]
        stack: list[tuple[str, Axes]] = [
            (s.name, frame.row_axes) for s in sums if len(s.type.shape) == len(frame.row_axes)
        ]
        seen = set(stack)
        while stack:
            name, axes = stack.pop()
            for r in self.g.readers.get(name, ()):
                node = self.g.nodes[r]
                for out in node.outputs if r in members or r in self.g.free else ():
                    moved = _moved(axes, self.g.types[name], out.type, node)
                    if moved is None:
                        continue
                    whole = domain_of(out.type) == frame.summed
                    own = range(len(moved)) if whole else frame.row_axes if elementwise(node) else ()
                    if any(axis is not None and axis != k for k, axis in zip(own, moved, strict=False)):
                        return True
                    if not whole and (out.name, moved) not in seen:
                        seen.add((out.name, moved))
                        stack.append((out.name, moved))
        return False

    def _recomputes(self, summed: TensorType, a: set[int], b: set[int]) -> bool:
        """Whether an expensive value over whole rows that is not stored would be read in both groups."""
        for m in self.costly & (a | b):
            readers = self.g.readers_of(m)
            both = readers & a and readers & b and domain_of(self.g.nodes[m].outputs[0].type) == summed
            if both and not self.g.leaves(m, a | b):
                return True
        return False


def _moved(axes: Axes, read: TensorType, result: TensorType, node: Node) -> Axes | None:
    """For each axis of a node's result, the axis of rows that it is; None for an axis of copies. None if this is not
    known.

    Args:
        axes: of what the node reads, in the same way.
    """
    if node.op == "broadcast" and isinstance(to := node.attr["axes"], tuple):
        return tuple(axes[to.index(k)] if k in to else None for k in range(len(result.shape)))
    if node.op == "reshape":
        long = [a for a, n in zip(axes, read.shape, strict=True) if n != 1]
        if [n for n in read.shape if n != 1] != [n for n in result.shape if n != 1]:
            return None
        remaining = iter(long)
        return tuple(None if n == 1 else next(remaining) for n in result.shape)
    if node.op == "permute" and isinstance(order := node.attr["order"], tuple):
        return tuple(axes[k] for k in order if isinstance(k, int))
    return axes if elementwise(node) and read.shape == result.shape else None


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
            if i not in g.free:
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
        replace(node, group=-1 if i in g.free else numbers.setdefault(g.of[i], len(numbers)))
        for i, node in enumerate(g.nodes)
    ]
    return g.graph.with_(nodes=tuple(nodes), notes=(*g.graph.notes, *_notes(g)))


def _notes(g: NodeGroups) -> Iterator[NotFused]:
    """Why values pass from one group to another."""
    for i, node in enumerate(g.nodes):
        if i in g.free:
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
