"""row_groups: the part of fuse that puts sums along the same axes, and the maps around them, into one kernel.

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

from collections.abc import Iterable, Iterator
from math import prod

from mochac.base.records import record
from mochac.ir.graph import Node
from mochac.ir.op import OPS
from mochac.ir.passes.clusters import Cluster, Clusters, domain_of, elementwise
from mochac.ir.types import DTYPES, TensorType

Axes = tuple[int | None, ...]
"""Which axes of rows the axes of a value are; None for one over which it is the same."""
LEAST_ROWS = 8
"""Minimum rows; with fewer, threads would be without work."""
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
    kept: tuple[int, ...]

    @property
    def rows(self) -> int:
        """Number of rows that can be computed separately; the samples of a vector count as one row."""
        count = prod(self.summed.shape[a] for a in self.kept)
        return count // self._together

    @property
    def row_bytes(self) -> int:
        """Bytes of a row of one value."""
        whole = prod(self.summed.shape) * DTYPES[self.summed.dtype].itemsize
        return whole // max(1, self.rows)

    def takes(self, other: RowFrame) -> bool:
        """Whether sums of another frame may be added up during the passes over rows: within a row, or over all rows of
        a sample, element by element; there must be enough samples."""
        if self.summed != other.summed or not (0 in self.kept and 0 in other.kept) or self.kept == other.kept:
            return False
        if other.kept[: len(self.kept)] == self.kept == tuple(range(len(self.kept))):
            return True
        across = set(range(len(self.summed.shape))) - set(other.kept) == set(self.kept[1:])
        return across and -(-self.summed.shape[0] // (self.summed.lanes or 1)) >= LEAST_ROWS

    @property
    def _together(self) -> int:
        return self.summed.lanes if self.summed.lanes and 0 in self.kept else 1


def join_rows(clusters: Clusters, near_bytes: int, beside: bool = True) -> None:
    """Merge the clusters that go over the same rows.

    Args:
        near_bytes: size of a cache from which a row is read again cheaply; 0 merges nothing.
        beside: sums over rows may be added up beside them.
    """
    if near_bytes:
        _Rows(clusters, near_bytes, beside).join()


class _Rows:
    def __init__(self, clusters: Clusters, near_bytes: int, beside: bool) -> None:
        self.c, self.near_bytes, self.beside = clusters, near_bytes, beside
        self.updates = {new for _, new in clusters.graph.updates}
        self.frames: dict[int, RowFrame] = {}
        self.added_beside: set[int] = set()
        for i, node in enumerate(clusters.nodes):
            if OPS[node.op].kind == "reduce" and not clusters.is_free(i):
                frame = self._frame(i)
                if frame is not None:
                    self.frames[clusters.of[i]] = frame

    def _frame(self, i: int) -> RowFrame | None:
        """The frame of a cluster whose root sums along some axes; None if it does not."""
        node, axes = self.c.nodes[i], self.c.nodes[i].attr.get("axes")
        if node is not self.c.clusters[self.c.of[i]].root or not isinstance(axes, tuple):
            return None
        summed = self.c.types[node.inputs[0]]
        frame = RowFrame(domain_of(summed), tuple(a for a in range(len(summed.shape)) if a not in axes))
        return frame if frame.kept and axes and frame.rows >= LEAST_ROWS else None

    def join(self) -> None:
        """Merge until nothing more fits."""
        while any([self._grown(number) for number in sorted(self.frames)]):
            pass

    def _grown(self, number: int) -> bool:
        """Whether a cluster has taken in others."""
        grown = False
        while number in self.frames and any(
            self._joined(number, n) for n in (*self._sums(number), *self._maps(number))
        ):
            grown = True
        return grown

    def _joined(self, number: int, other: int) -> bool:
        """Merge two clusters if this is allowed; else note why not."""
        why = self._refuse(number, other)
        if why:
            here, there = self.c.clusters[number].members, self.c.clusters[other].members
            for i in here | there:
                for reader in self.c.read_through(i) & (there if i in here else here):
                    self.c.reasons[i, reader] = why
            return False
        frame = self.frames[number]
        if self.frames.pop(other, frame) != frame:
            self.added_beside |= self.c.clusters[other].members
        self.c.merge(number, other)
        self.c.clusters[number].domain = frame.summed
        return True

    # -- neighbours

    def _sums(self, number: int) -> list[int]:
        """Other clusters with sums of the same frame that share an operand with this one, or wait for it. If maps read
        this one's results, also clusters with sums beside its rows that no map reads."""
        sharing = {r for name in self._operands(number) for r in self.c.readers[name]}
        numbers = {self.c.of[m] for m in sharing | self._near(number)} - {number}
        frame = self.frames[number]
        found = [(n, other) for n in sorted(numbers) if (other := self.frames.get(n)) is not None]
        return [n for n, other in found if other == frame or (frame.takes(other) and self._is_beside(number, n))]

    def _is_beside(self, number: int, other: int) -> bool:
        """Whether a cluster does nothing but add up numbers beside the rows: what reads a sum needs all of it."""
        cluster = self.c.clusters[other]
        root = cluster.root
        if not self.beside or root is None or self.c.is_inlined(root.inputs[0]):
            return False
        if any(self.c.read_through(m) & cluster.members for m in cluster.members if self.c.nodes[m] is root):
            return False
        return self._has_rows(number) and not self._is_read_in_rows(other)

    def _has_rows(self, number: int) -> bool:
        """Whether maps over whole rows read what a cluster computes from its sums: otherwise nothing tells its rows
        apart from those of sums beside them."""
        members = self.c.clusters[number].members
        found = {m for m in members if OPS[self.c.nodes[m].op].kind == "reduce"}
        left = list(found)
        while left:
            readers = set(self.c.read_through(left.pop()))
            if any(self._is_whole(r, number) for r in readers):
                return True
            left += (readers & members) - found
            found |= readers
        return False

    def _is_read_in_rows(self, number: int) -> bool:
        """Whether maps over whole rows read what a cluster sums up."""
        readers = {r for m in self.c.clusters[number].members for r in self.c.read_through(m)}
        return any(self._is_whole(r, number) for r in readers)

    def _is_whole(self, node: int, number: int) -> bool:
        """Whether a node's results are over whole rows of a cluster."""
        return any(domain_of(out.type) == self.frames[number].summed for out in self.c.nodes[node].outputs)

    def _maps(self, number: int) -> list[int]:
        """Clusters of maps over whole rows that read what this one computes, or that it reads."""
        numbers = {self.c.of[m] for m in self._near(number)} - {number}
        return [n for n in sorted(numbers) if self._is_map(self.c.clusters[n], self.frames[number])]

    def _near(self, number: int) -> set[int]:
        """The nodes that read what a cluster computes, and those whose results it reads."""
        readers = {r for m in self.c.clusters[number].members for r in self.c.read_through(m)}
        return readers | self.c.makers_through(number)

    def _is_map(self, cluster: Cluster, frame: RowFrame) -> bool:
        return (
            cluster.root is None
            and cluster.domain == frame.summed
            and all(elementwise(self.c.nodes[m]) for m in cluster.members)
            and not any(map(self.c.is_separate_random, cluster.members))
        )

    def _operands(self, number: int) -> set[str]:
        """The values of whole rows that a cluster reads."""
        cluster, summed = self.c.clusters[number], self.frames[number].summed
        return {name for name in self._read(cluster.members) if domain_of(self.c.types[name]) == summed}

    def _read(self, members: set[int]) -> Iterator[str]:
        own = {out.name for m in members for out in self.c.nodes[m].outputs}
        for m in members:
            yield from (name for name in self.c.nodes[m].inputs if name not in own and not self.c.is_inlined(name))

    def _wait(self, a: int, b: int) -> bool:
        """Whether one of two clusters reads what the other computes."""
        here, there = self.c.clusters[a].members, self.c.clusters[b].members
        return any(self.c.read_through(m) & there for m in here) or any(self.c.read_through(m) & here for m in there)

    # -- refusals

    def _refuse(self, number: int, other: int) -> str:
        frame, a, b = self.frames[number], self.c.clusters[number], self.c.clusters[other]
        if self._passes_over_memory(frame, a.members | b.members) > self.near_bytes and (
            b.root is None or self._wait(number, other)
        ):
            return f"a row of what they read, {frame.row_bytes} bytes of each value, would not stay in cache"
        if self._reads_sums_beside(a.members | b.members):
            return "what it reads is there only after all rows"
        if b.root is None and any(out.name in self.updates for m in b.members for out in self.c.nodes[m].outputs):
            return "it stores a new state in place of the old one, which would be read again"
        if self._recomputes(frame.summed, a.members, b.members):
            return "what both read is too expensive to compute twice"
        between = self.c.refuse_path(number, other) or self.c.refuse_path(other, number)
        if not between and self._crosses_rows(frame, a.members | b.members):
            return "one reads what the other sums up in other rows"
        return between

    def _reads_sums_beside(self, members: set[int]) -> bool:
        """Whether sums that are added up beside the rows of a group are read in it."""
        return any(self.c.read_through(m) & members for m in self.added_beside & members)

    def _crosses_rows(self, frame: RowFrame, members: set[int]) -> bool:
        """Whether a node reads the sum of another row than its own, as where a matrix meets its transpose. The node is
        over whole rows, or over the results of rows."""
        sums = [i for i in members if OPS[self.c.nodes[i].op].kind == "reduce"]
        names = [out for i in sums for out in self.c.nodes[i].outputs]
        stack: list[tuple[str, Axes]] = [(out.name, frame.kept) for out in names]
        stack = [(name, axes) for name, axes in stack if len(self.c.types[name].shape) == len(axes)]
        seen = set(stack)
        while stack:
            name, axes = stack.pop()
            for r in self.c.readers.get(name, ()):
                node = self.c.nodes[r]
                for out in node.outputs if r in members or self.c.is_free(r) else ():
                    moved = _moved(axes, self.c.types[name], out.type, node)
                    if moved is None:
                        continue
                    whole = domain_of(out.type) == frame.summed
                    own = range(len(moved)) if whole else frame.kept if elementwise(node) else ()
                    if any(axis is not None and axis != k for k, axis in zip(own, moved, strict=False)):
                        return True
                    if not whole and (out.name, moved) not in seen:
                        seen.add((out.name, moved))
                        stack.append((out.name, moved))
        return False

    def _passes_over_memory(self, frame: RowFrame, members: set[int]) -> int:
        """Bytes of one row in all the values that a group reads."""
        read = {name for name in self._read(members) if domain_of(self.c.types[name]) == frame.summed}
        return frame.row_bytes * len(read)

    def _recomputes(self, summed: TensorType, a: set[int], b: set[int]) -> bool:
        """Whether an expensive value that is not stored would be read in both clusters."""
        for m in self._costly(a | b, summed):
            readers = self.c.readers_of(m) & (a | b)
            if readers & a and readers & b and not self.c.leaves(m, a | b):
                return True
        return False

    def _costly(self, members: Iterable[int], summed: TensorType) -> Iterator[int]:
        for m in members:
            node = self.c.nodes[m]
            if elementwise(node) and node.op not in CHEAP and domain_of(node.outputs[0].type) == summed:
                yield m


def _moved(axes: Axes, read: TensorType, made: TensorType, node: Node) -> Axes | None:
    """For each axis of a node's result, the axis of rows that it is; None for an axis of copies. None if this is not
    known.

    Args:
        axes: of what the node reads, in the same way.
    """
    if node.op == "broadcast" and isinstance(to := node.attr["axes"], tuple):
        return tuple(axes[to.index(k)] if k in to else None for k in range(len(made.shape)))
    if node.op == "reshape":
        long = [a for a, n in zip(axes, read.shape, strict=True) if n != 1]
        if [n for n in read.shape if n != 1] != [n for n in made.shape if n != 1]:
            return None
        left = iter(long)
        return tuple(None if n == 1 else next(left) for n in made.shape)
    if node.op == "permute" and isinstance(order := node.attr["order"], tuple):
        return tuple(axes[k] for k in order if isinstance(k, int))
    return axes if elementwise(node) and read.shape == made.shape else None
