"""Pack: copy the part of a buffer that a loop reads, with reordered dimensions and zero padding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import (
    MULTIPLY_ADDS,
    Accum,
    Body,
    Buffer,
    Const,
    If,
    Kernel,
    Let,
    Load,
    Loop,
    Stmt,
    Store,
    access,
    identity,
    walk,
)
from mochac.ir.names import fresh
from mochac.ir.nest import Ranges, constant_range, loop_range, require_loops
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.types import TensorType


@step
@record
class Pack(Step):
    """Before every `loop`, copy the elements of `buffer` that it reads into scratch; the loop then reads the copy.

    each c in 0..3 { each w in 0..8 { sum k in 0..3 {             each pack.0 in 0..3 {
      if k + w - 1 >= 0, -k - w + 8 >= 0 {                          each pack.1 in 0..1 { x.pack[..] = 0 }
        acc[] = fma(x[c, k + w - 1], u[k], acc[])          ->       each pack.1 in 1..9 { x.pack[..] = x[..] }
      }                                                             each pack.1 in 9..10 { x.pack[..] = 0 }
    } } }                                                         }
                                                                  each c in 0..3 { each w in 0..8 { sum k in 0..3 {
                                                                    acc[] = fma(x.pack[c, k + w], u[k], acc[])
                                                                  } } }

    `order` gives the order of the copy's dimensions and of the loops pack.<axis> that fill it. Along an axis in
    `zeros`, the copy holds zeros where the elements read lie outside the buffer, and the conditions that prevented such
    reads are removed: sums then add zeros, and locals that were 0 elsewhere are copies. Along other axes, only elements
    inside the buffer are copied, and conditions stay.

    If elements are read `stride` apart along the first axis in `zeros`, the copy has a dimension of remainders in front
    of that axis: element stride * q + r lies at [.., r, q, ..], so that those read together are neighbours. The loop
    over remainders is called pack.<axis>.r. If one loop moves along more elements than the stride, as over the taps of
    a filter, it stays whole: there are as many remainders, and the copy holds elements more than once.

    The copy holds what is read in all iterations of the enclosing loops `over`, so that they can share it. It replaces
    the reads at one index, or at constant distances from it: all reads, or those at the only index inside `sum` loops.
    In the latter case other reads still use the buffer (as when a residual block adds its image to the finished sum).
    Loops of the same name that do not read the buffer are left alone.
    """

    buffer: str
    loop: str
    order: tuple[int, ...]
    zeros: tuple[int, ...] = ()
    over: tuple[str, ...] = ()
    stride: int = 1

    def apply(self, kernel: Kernel) -> Kernel:
        require_loops(kernel, self.loop, "pack")
        buffer = next((b for b in kernel.inputs if b.name == self.buffer), None)
        if buffer is None:
            raise ScheduleError(f"pack: kernel {kernel.name!r} has no input {self.buffer!r}")
        axes = tuple(range(len(buffer.type.shape)))
        if tuple(sorted(self.order)) != axes or not set(self.zeros) <= set(axes):
            raise ScheduleError(f"pack: order must be the axes of {self.buffer!r} and zeros some of them")
        if self.stride < 1 or (self.stride > 1 and not self.zeros):
            raise ScheduleError("pack: a stride is at least 1, and needs an axis in zeros")
        work = _Packing(self, buffer, fresh(f"{self.buffer}.pack", kernel.buffers()))
        body = work.rewrite(kernel.body, {})
        if not work.boxes:
            raise ScheduleError(f"pack: no loop {self.loop!r} reads {self.buffer!r}")
        shape = tuple(n for a in self.order for n in work.extents(a))
        local = Buffer(work.name, TensorType(buffer.type.dtype, shape), "scratch")
        return kernel.with_(body=body, locals=(*kernel.locals, local))


class _Packing:
    """One application of the step: the name of the copy and the boxes found so far."""

    def __init__(self, pack: Pack, buffer: Buffer, name: str) -> None:
        self.buffer, self.name = buffer, name
        self.loop, self.order, self.zeros, self.over = pack.loop, pack.order, pack.zeros, pack.over
        self.stride, self.strided = pack.stride, pack.zeros[0] if pack.stride > 1 else -1
        self.remainders = pack.stride
        self.boxes: list[_ReadBox] = []
        self.ranges: Ranges = {}

    def rewrite(self, body: Body, around: dict[str, Loop]) -> Body:
        """Put a copy before every loop of that name; `around` are the loops around the body."""
        out: list[Stmt] = []
        for s in body:
            if isinstance(s, Loop) and s.var == self.loop and _loads(s.body, self.buffer):
                self.ranges = _ranges(around)
                out.extend(self._pack(s, _box(s, self.buffer, {v: around[v] for v in self.over if v in around})))
            elif isinstance(s, Loop):
                out.append(s.with_body(self.rewrite(s.body, {**around, s.var: s})))
            elif isinstance(s, If):
                out.append(s.with_body(self.rewrite(s.body, around)))
            else:
                out.append(s)
        return tuple(out)

    def _pack(self, loop: Loop, box: _ReadBox) -> Body:
        self.boxes.append(box)
        sizes = self.buffer.type.shape
        limits = [c for index in box.indices for a in self.zeros for c in (index[a], sizes[a] - 1 - index[a])]
        there = {
            index: tuple(i for a in self.order for i in self._place(a, index[a] - box.spans[a][0], loop))
            for index in box.indices
        }
        inside = _Redirect(self.buffer.name, self.name, there, frozenset(limits))
        return (*self._copy(box, self.order), loop.with_body(inside.body(loop.body)))

    def extents(self, axis: int) -> tuple[int, ...]:
        """The dimensions of the copy along an axis."""
        size = max(box.spans[axis][1] for box in self.boxes)
        return (self.remainders, self._quotients(size)) if axis == self.strided else (size,)

    def _quotients(self, size: int) -> int:
        return -(-(size - self.remainders) // self.stride) + 1

    def _place(self, axis: int, element: Index, loop: Loop) -> tuple[Index, ...]:
        """The index in the copy of an element of the box, along an axis."""
        if axis != self.strided:
            return (element,)
        whole, rest = divmod(element.const, self.stride)
        q = Index(tuple((v, c // self.stride) for v, c in element.terms if c % self.stride == 0), whole)
        r = Index(tuple((v, c) for v, c in element.terms if c % self.stride), rest)
        inner = {s.var: s for s in walk((loop,)) if isinstance(s, Loop)}
        bounds = r.bounds({**self.ranges, **_ranges({v: inner[v] for v in r.vars if v in inner})})
        if bounds is None or bounds[0] < 0 or not q.vars:
            raise ScheduleError(f"pack: no loop moves {element}, along axis {axis}, by {self.stride}")
        self.remainders = max(self.remainders, bounds[1] + 1)
        return r, q

    def _copy(self, box: _ReadBox, order: tuple[int, ...], zero: bool = False) -> Body:
        """The nest that fills the copy; `order` are the axes from here inwards."""
        if not order:
            there = tuple(
                i
                for a in self.order
                for i in ((_rest(a),) * (a == self.strided) + (_axis(a) if self._moves(box, a) else Index.of(0),))
            )
            if zero:
                return (Store(self.name, there, identity("add", self.buffer.type.dtype)),)
            here = tuple(
                first + (self._element(a) if self._moves(box, a) else 0) for a, (first, _) in enumerate(box.spans)
            )
            return (Load("packed", self.buffer.name, here), Store(self.name, there, "packed"))
        axis, rest = order[0], order[1:]
        first, size = box.spans[axis]
        room = self.buffer.type.shape[axis]

        def loop(lo: Index | int | Limit, hi: Index | int | Limit, zero: bool) -> Body:
            lo, hi = Limit.of(lo), Limit.of(hi)
            empty = lo.const is not None and hi.const is not None and lo.const >= hi.const
            return () if empty else (Loop(f"pack.{axis}", lo, hi, "each", "serial", self._copy(box, rest, zero)),)

        if axis == self.strided:
            return self._copy_strided(box, order, zero)
        if not self._moves(box, axis):
            return self._copy(box, rest, zero)
        if zero:
            return loop(0, size, True)
        if axis in self.zeros and first.is_const:
            left, right = self._inside(box, axis)
            return (*loop(0, left, True), *loop(left, right, False), *loop(right, size, True))
        bounds = first.bounds(self.ranges)
        if axis in self.zeros:
            begin, end = Limit(((Index.of(0), 1), (-first, 1))), Limit(((Index.of(size), 1), (room - first, 1)))
            before = bounds is None or bounds[0] < 0
            after = bounds is None or bounds[1] + size > room
            return (
                *(loop(0, Limit(((Index.of(size), 1), (-first, 1))), True) if before else ()),
                *loop(begin if before else 0, end if after else size, False),
                *(loop(Limit(((Index.of(0), 1), (room - first, 1))), size, True) if after else ()),
            )
        if bounds is not None and bounds[0] == bounds[1]:  # as in a remainder, whose outer loop has one iteration
            first = Index.of(bounds[0])
        below, above = bounds is None or bounds[0] < 0, bounds is None or bounds[1] + size > room
        return loop(_limit(0, -first) if below else 0, _limit(size, room - first) if above else size, False)

    def _moves(self, box: _ReadBox, axis: int) -> bool:
        """Whether there is a loop along an axis: not where loops around move the box, which has one element there that
        lies in the buffer."""
        first, size = box.spans[axis]
        bounds = first.bounds(self.ranges)
        inside = bounds is not None and bounds[0] >= 0 and bounds[1] < self.buffer.type.shape[axis]
        return size > 1 or axis == self.strided or first.is_const or not inside

    def _inside(self, box: _ReadBox, axis: int) -> tuple[int, int]:
        """Which part of a box lies inside the buffer, along an axis with zeros where it begins at a constant."""
        first, size = box.spans[axis]
        if not first.is_const:
            raise ScheduleError(f"pack: axis {axis} of {self.buffer.name!r} begins at {first}, which is not constant")
        left = min(max(0, -first.const), size)
        return left, max(left, min(size, self.buffer.type.shape[axis] - first.const))

    def _element(self, axis: int) -> Index:
        """The element that the loops of the copy are at, along an axis."""
        return _axis(axis) * self.stride + _rest(axis) if axis == self.strided else _axis(axis)

    def _copy_strided(self, box: _ReadBox, order: tuple[int, ...], zero: bool) -> Body:
        """The nest along the axis whose elements are read apart: for each remainder, zeros, elements and zeros."""
        axis, rest = order[0], order[1:]
        (left, right), n = self._inside(box, axis), self._quotients(box.spans[axis][1])
        again = self.remainders > self.stride  # then a remainder may exceed the index where the buffer begins or ends
        begin, end = ((Index.of(0), 1),) * again, ((Index.of(n), 1),) * again
        first, last = (((Index.of(e) - _rest(axis), self.stride),) for e in (left, right))
        inside = (Limit((*begin, *first)), Limit((*last, *end)), False)
        parts = [(Limit.of(0), Limit((*first, *end)), True)] * (left > 0) + [inside]
        parts += [(Limit((*begin, *last)), Limit.of(n), True)]
        parts = [(Limit.of(0), Limit.of(n), True)] if zero else parts
        body = tuple(
            Loop(f"pack.{axis}", lo, hi, "each", "serial", self._copy(box, rest, empty)) for lo, hi, empty in parts
        )
        return (Loop(f"pack.{axis}.r", Limit.of(0), Limit.of(self.remainders), "each", "serial", body),)


def _loads(body: Body, buffer: Buffer) -> list[Load]:
    return [s for s in walk(body) if isinstance(s, Load) and s.buffer == buffer.name]


def _axis(axis: int) -> Index:
    return Index.var(f"pack.{axis}")


def _rest(axis: int) -> Index:
    return Index.var(f"pack.{axis}.r")


def _ranges(loops: dict[str, Loop]) -> Ranges:
    ranges: dict[str, tuple[int, int]] = {}
    for var, loop in loops.items():
        ranges[var] = loop_range(loop, ranges)
    return ranges


def _limit(edge: int, other: Index) -> Limit:
    if other.is_const:
        return Limit.of(max(edge, other.const) if edge == 0 else min(edge, other.const))
    return Limit(((Index.of(edge), 1), (other, 1)))


@record
class _ReadBox:
    """The elements that a loop reads: the indices, which lie at constant distances from each other, and for each axis
    the start of the box and its extent."""

    indices: frozenset[tuple[Index, ...]]
    spans: tuple[tuple[Index, int], ...]


def _box(loop: Loop, buffer: Buffer, shared: dict[str, Loop]) -> _ReadBox:
    uses = [s for s in walk(loop.body) if (a := access(s)) is not None and a[0] == buffer.name]
    indices = {s.index for s in uses if isinstance(s, Load)}
    summed = [s for outer in walk(loop.body) if isinstance(outer, Loop) and outer.kind == "sum" for s in outer.body]
    inside_sums = {s.index for s in walk(tuple(summed)) if isinstance(s, Load) and s.buffer == buffer.name}
    found = inside_sums if len(inside_sums) == 1 else indices
    axes = list(zip(*found, strict=True))
    if any(len({i - i.const for i in axis}) != 1 for axis in axes):
        raise ScheduleError(f"pack: loop {loop.var!r} must read {buffer.name!r} at one index, not {len(indices)}")
    inside = [*shared.values(), *(s for s in walk((loop,)) if isinstance(s, Loop))]
    spans: list[tuple[Index, int]] = []
    for axis in axes:
        i, furthest = min(axis, key=lambda i: i.const), max(i.const for i in axis)
        moving = Index(tuple(t for t in i.terms if any(s.var == t[0] for s in inside)))
        bounds = moving.bounds({v: _whole_range([s for s in inside if s.var == v]) for v in moving.vars})
        assert bounds is not None
        spans.append((i - moving + bounds[0], bounds[1] - bounds[0] + 1 + furthest - i.const))
    return _ReadBox(frozenset(found), tuple(spans))


def _whole_range(parts: Iterable[Loop]) -> tuple[int, int]:
    """The first and the last iteration of a loop that may have been cut into several in sequence."""
    ranges = [constant_range(loop, "pack") for loop in parts]
    return min(lo for lo, _ in ranges), max(hi for _, hi in ranges) - 1


@record
class _Redirect:
    """Replaces reads of `buffer` by reads of the copy, at the indices in `there`, and drops conditions in `limits`
    where all they do is avoid adding or storing zeros."""

    buffer: str
    name: str
    there: Mapping[tuple[Index, ...], tuple[Index, ...]]
    limits: frozenset[Index]

    def body(self, body: Body) -> Body:
        out: list[Stmt] = []
        for s in body:
            if isinstance(s, Loop):
                out.append(s.with_body(self.body(s.body)))
            elif isinstance(s, If):
                self._condition(s, out)
            elif self._serves(s):
                assert isinstance(s, Load)
                out.append(replace(s, buffer=self.name, index=self.there[s.index]))
            else:
                out.append(s)
        return tuple(out)

    def _serves(self, stmt: Stmt) -> bool:
        return isinstance(stmt, Load) and stmt.buffer == self.buffer and stmt.index in self.there

    def _condition(self, stmt: If, out: list[Stmt]) -> None:
        """Append a condition, without what is in limits, to the statements in front of it."""
        inner = self.body(stmt.body)
        remaining = tuple(c for c in stmt.conds if c not in self.limits)
        if remaining == stmt.conds:
            out.append(stmt.with_body(inner))
            return
        copied = self._zero_elsewhere(stmt, out)
        if not copied:
            self._check_adds_zeros(stmt.body)
        if remaining:
            out.append(If(remaining, inner))
            return
        if copied:
            out.pop()
        out.extend(inner)

    def _zero_elsewhere(self, stmt: If, before: list[Stmt]) -> bool:
        """Whether all that a condition guards is a store of an element that is read here to a local, which has just
        become 0."""
        if len(stmt.body) != 2 or not before or not self._serves(stmt.body[0]):
            return False
        (read, store), zero = stmt.body, before[-1]
        if not (isinstance(read, Load) and isinstance(store, Store) and isinstance(zero, Store)):
            return False
        empty = isinstance(zero.value, Const) and zero.value.value == 0
        return empty and store.value == read.name and (zero.buffer, zero.index) == (store.buffer, store.index)

    def _check_adds_zeros(self, body: Body) -> None:
        read = {s.name for s in walk(body) if isinstance(s, Load) and self._serves(s)}
        for s in walk(body):
            zero = isinstance(s, Accum) and s.fn in ("add", *MULTIPLY_ADDS) and bool(read & set(s.args))
            if not zero and not isinstance(s, (Let, Load, If, Loop)):
                raise ScheduleError(
                    f"pack: a condition of {self.buffer!r} guards more than sums of its elements, "
                    "so its axis cannot be in zeros"
                )
