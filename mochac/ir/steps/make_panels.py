"""MakePanels: make the values that a nest reads where it reads them, a panel at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import reduce
from math import prod

from mochac.base.records import record
from mochac.ir.applying import after, finished
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import (
    Body,
    Buffer,
    If,
    Kernel,
    Let,
    Load,
    Loop,
    Prefetch,
    Stmt,
    Store,
    accessed_buffers,
    defined_names,
    substitute,
    walk,
)
from mochac.ir.names import claimed, rename_values
from mochac.ir.nest import Ranges, constant_range, loop_range, surely
from mochac.ir.nests import Definition, StagedNest
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.starts_fresh import Use, uses
from mochac.ir.types import DTYPES, TensorType

FEW = 8
"""Maximum vectors of a row that are made without a loop."""


@step
@record
class MakePanels(Step):
    """Schedule the last part of a joined kernel by `steps`, and make what it reads of the values of the other parts in
    its loops: outermost, where a panel has at most `most` bytes. `lanes` elements are made at once.

    each a, b { P[a, b] = f(x[a, b]) }        each o_o in 0..4 {
    each o in 0..32 {                           each k in 0..8 { each b { P.panel[k, b] = f(x[8*o_o + k, b]) } }
      each n { sum b {                    ->    each n { each o_i in 0..8 { sum b {
        .. w[n, b] * P[o, b] .. } }               .. w[n, b] * P.panel[o_i, b] ..
    }                                         } } } }

    The parts in front of the last one must compute their values element by element, without conditions. Whatever the
    steps prefetch of a value is prefetched of what it is computed from.
    """

    purpose = "panels of rounded factors are made where they are read, and never stored"

    most: int
    lanes: int
    steps: tuple[Step, ...]

    def apply(self, kernel: Kernel) -> Kernel:
        reader, definitions = reader_of(kernel)
        scheduled = finished(reduce(lambda k, s: after(s, k), self.steps, reader))
        work = _Panels(scheduled, definitions, self)
        body = work.placed(scheduled.body, {})
        used = accessed_buffers(body)
        locals_ = tuple(b for b in (*scheduled.locals, *work.panels) if b.name in used)
        return kernel.with_(body=body, locals=locals_, members=())


def reader_of(kernel: Kernel) -> tuple[Kernel, Mapping[str, Definition]]:
    """The last part of a joined kernel as a kernel of its own, and what the other parts make for it.

    Raises:
        ScheduleError: the kernel is not joined, or a part does not make one value element by element.
    """
    if len(kernel.members) < 2:
        raise ScheduleError("make_panels: the kernel has no parts")
    body, definitions = kernel.body, dict[str, Definition]()
    for _, count in kernel.members[:-1]:
        name, found = _value(body[:count])
        body, definitions[name] = body[count:], found
    used = accessed_buffers(body)
    values = (replace(b, space="global") for b in kernel.locals if b.name in definitions)
    inputs = (*values, *(b for b in kernel.inputs if b.name in used))
    own = tuple(b for b in kernel.locals if b.name in used and b.name not in definitions)
    return kernel.with_(inputs=inputs, locals=own, body=body, members=()), definitions


def _value(part: Body) -> tuple[str, Definition]:
    """The value that a part makes, and how."""
    names = tuple(dict.fromkeys(s.buffer for s in walk(part) if isinstance(s, Store)))
    found = StagedNest(part, names, frozenset()).definition
    if found is None or not found.elementwise or len(names) != 1 or not all(map(_is_plain, found.body)):
        raise ScheduleError(f"make_panels: {' '.join(names)} must be one value, computed element by element")
    return names[0], found


def _is_plain(stmt: Stmt) -> bool:
    return isinstance(stmt, (Let, Load))


def panels_of(value: str, scheduled: Kernel) -> set[str]:
    """The locals that hold panels of a value after the step."""
    return {b.name for b in scheduled.locals if b.name.startswith(f"{value}.panel")}


@record
class _Box:
    """A part of a value: along each axis, where it begins, by loops around it, and its size."""

    begin: tuple[Index, ...]
    shape: tuple[int, ...]


class _Panels:
    """Places panels in a scheduled kernel."""

    def __init__(self, scheduled: Kernel, definitions: Mapping[str, Definition], how: MakePanels) -> None:
        self.definitions, self.how = definitions, how
        self.types = {b.name: b.type for b in scheduled.inputs}
        self.taken = {*scheduled.buffers(), *(b for d in definitions.values() for b in accessed_buffers(d.body))}
        self.names = set(defined_names(scheduled.body))
        self.loops = {s.var for s in walk(scheduled.body) if isinstance(s, Loop)}
        self.panels: list[Buffer] = []

    def placed(self, body: Body, ranges: Ranges) -> Body:
        """Statements that are outside of all panels, with panels in the loops that they contain."""
        out: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, Prefetch) and stmt.buffer in self.definitions:
                out += self._prefetches(stmt)
            elif isinstance(stmt, Loop):
                inside = {**ranges, stmt.var: loop_range(stmt, ranges)}
                out.append(stmt.with_body(self._in_loop(stmt, inside)))
            elif isinstance(stmt, If):
                out.append(stmt.with_body(self.placed(stmt.body, ranges)))
            elif isinstance(stmt, Load) and stmt.buffer in self.definitions:
                raise ScheduleError(f"make_panels: no panel of {stmt.buffer!r} has at most {self.how.most} bytes")
            else:
                out.append(stmt)
        return tuple(out)

    def _in_loop(self, loop: Loop, ranges: Ranges) -> Body:
        """The body of a loop, with the panels that are small enough there."""
        body, copies = loop.body, list[Stmt]()
        around = any(isinstance(s, Loop) and s.run == "parallel" for s in walk(loop.body))
        if loop.run in ("serial", "parallel") and not around:
            for name in self.definitions:
                box = self._box(name, loop.body, ranges)
                if box is not None and prod(box.shape) * DTYPES[self.types[name].dtype].itemsize <= self.how.most:
                    panel = self._panel(name, box)
                    copies += self._copy(name, box, panel)
                    body = _redirected(body, name, panel, box)
        return (*copies, *self.placed(body, ranges))

    def _box(self, name: str, body: Body, ranges: Ranges) -> _Box | None:
        """What a body reads of a value, if it reads it in loops that run one after another; None if it does not."""
        found = [u for u in uses(body, name) if not isinstance(u.stmt, Prefetch)]
        if not found:
            return None
        spans = [_span(u) for u in found]
        outer = [tuple(begin for begin, _, _ in axes) for axes in spans]
        if any(begin != outer[0] for begin in outer):
            return None
        begin: list[Index] = []
        shape: list[int] = []
        for axis, extent in enumerate(self.types[name].shape):
            lo, hi = min(axes[axis][1] for axes in spans), max(axes[axis][2] for axes in spans)
            first = outer[0][axis] + lo
            if first.is_const:  # conditions leave out what lies behind the end
                hi = min(hi, lo + extent - first.const)
            if not surely(first, ranges) or not surely(extent - (hi - lo) - first, ranges):
                return None
            begin.append(first)
            shape.append(hi - lo)
        return _Box(tuple(begin), tuple(shape))

    def _panel(self, name: str, box: _Box) -> str:
        """A local for a part of a value; parts of one size share one."""
        type = TensorType(self.types[name].dtype, box.shape)
        for b in self.panels:
            if b.type == type and b.name.startswith(f"{name}.panel"):
                return b.name
        panel = Buffer(claimed(f"{name}.panel", self.taken), type, "scratch")
        self.panels.append(panel)
        return panel.name

    def _copy(self, name: str, box: _Box, panel: str) -> Iterator[Stmt]:
        """Make a part of a value, a row of whole vectors and what is left of it after another."""
        *rows, length = box.shape
        outer = [claimed(f"row.{k}", self.loops) for k, _ in enumerate(rows)]
        whole, rest = divmod(length, self.how.lanes)
        many, lane = claimed("vector", self.loops), claimed("lane", self.loops)
        body: list[Stmt] = []
        if whole:
            at = Index.var(many) * self.how.lanes + Index.var(lane)
            vector = _vector(lane, self.how.lanes, self._element(name, box, panel, (*map(Index.var, outer), at)))
            run = "unroll" if whole <= FEW else "serial"
            body.append(Loop(many, Limit.of(0), Limit.of(whole), "each", run, (vector,)))
        if rest:
            at = Index.var(lane) + whole * self.how.lanes
            body.append(_vector(lane, rest, self._element(name, box, panel, (*map(Index.var, outer), at))))
        for var, extent in reversed(list(zip(outer, rows, strict=True))):
            body = [Loop(var, Limit.of(0), Limit.of(extent), "each", "serial", tuple(body))]
        yield from body

    def _element(self, name: str, box: _Box, panel: str, at: tuple[Index, ...]) -> Body:
        """Statements that compute an element of a part of a value."""
        found = self.definitions[name]
        index = {v: i + begin for v, i, begin in zip(found.vars, at, box.begin, strict=True)}
        names = {old: claimed(old, self.names) for old in sorted(defined_names(found.body))}
        store = Store(panel, tuple(map(Index.var, found.vars)), found.stores[0].value)
        *body, last = rename_values((*found.body, store), names)
        return (*substitute(tuple(body), index), replace(last, index=at))

    def _prefetches(self, stmt: Prefetch) -> Iterator[Prefetch]:
        """Prefetches of what an element is computed from, one for each line."""
        found = self.definitions[stmt.buffer]
        index = dict(zip(found.vars, stmt.index, strict=True))
        rows: set[object] = set()
        for load in found.body:
            if isinstance(load, Load):
                *row, place = (i.substitute(index) for i in load.index)
                if (load.buffer, *row, place.terms) not in rows:
                    rows.add((load.buffer, *row, place.terms))
                    yield replace(stmt, buffer=load.buffer, index=(*row, place))


def _vector(lane: str, lanes: int, body: Body) -> Loop:
    return Loop(lane, Limit.of(0), Limit.of(lanes), "each", "vector", body)


def _span(use: Use) -> list[tuple[Index, int, int]]:
    """Along each axis, the part of an index that the loops around a body give, and the range of the rest."""
    inner = {x.var: constant_range(x, "make_panels") for x in use.loops}
    axes: list[tuple[Index, int, int]] = []
    for i in use.index:
        lo = i.const + sum(c * (inner[v][0] if c > 0 else inner[v][1] - 1) for v, c in i.terms if v in inner)
        hi = i.const + sum(c * (inner[v][1] - 1 if c > 0 else inner[v][0]) for v, c in i.terms if v in inner)
        axes.append((Index.make({v: c for v, c in i.terms if v not in inner}, 0), lo, hi + 1))
    return axes


def _redirected(body: Body, name: str, panel: str, box: _Box) -> Body:
    """A body that reads a panel in place of a value."""
    out: list[Stmt] = []
    for s in body:
        if isinstance(s, (Loop, If)):
            s = s.with_body(_redirected(s.body, name, panel, box))
        elif isinstance(s, Load) and s.buffer == name:
            s = Load(s.name, panel, tuple(i - begin for i, begin in zip(s.index, box.begin, strict=True)))
        out.append(s)
    return tuple(out)
