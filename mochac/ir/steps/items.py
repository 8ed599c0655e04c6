"""Steps that run kernels item by item or side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from mochac.base.records import record
from mochac.ir.applying import after
from mochac.ir.grids import bodies
from mochac.ir.index import Index, Limit
from mochac.ir.item_views import BEFORE, BEHIND, WITHIN, View, fills, views
from mochac.ir.items import OTHER, STRIP, ItemFrame, item_frame
from mochac.ir.kernel import (
    Body,
    Buffer,
    Kernel,
    Loop,
    Stmt,
    accessed_buffers,
    defined_names,
    substitute,
    walk,
    written_buffers,
)
from mochac.ir.names import claimed, rename_buffers, rename_loops, rename_values
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.strip_ends import END, Above, above_diagonal, ending


@step
@record
class ByItems(Step):
    """Compute all parts of a strip before the next strip, and all strips of an item before the next item.

    local S[4, 256, 99]                                           local S[64, 99]
    each b { each q in 0..256 { each k { S[b, q, k] = .. } } }    each b {
    each b { each q in 0..256 { y[b, q] = g(S[b, q, ..]) } }  ->    for q.strip in 0..4 {
                                                                      each q in 0..64 { each k { S[q, k] = .. } }
                                                                      each q in 0..64 { y[b, 64*q.strip + q] = .. }
                                                                  } }                                      (size=64)

    Values that the parts pass to each other are as large as a strip. Each part is scheduled on its own, for one strip
    of one item (ir/item_views.py): `schedules` are the steps for each view, in order, then those for the last strip, if
    that is shorter. With `below`, loops over columns end where the strip ends: what is above the diagonal of rows and
    columns is neither computed nor read (ir/strip_ends.py).
    """

    purpose = "values that its parts pass to each other are as large as a strip of an item, and are never stored"

    size: int
    schedules: tuple[tuple[Step, ...], ...]
    below: bool = False

    def apply(self, kernel: Kernel) -> Kernel:
        frame = item_frame(kernel)
        if frame is None or not kernel.members:
            raise ScheduleError("by_items: the parts of the kernel have no items in common")
        if not 1 <= self.size <= frame.length:
            raise ScheduleError(f"by_items: strips of {self.size} of {frame.length}")
        return _PlacingByItems(kernel, frame, self).placed()


def item_views(kernel: Kernel, frame: ItemFrame, size: int, above: Above | None = None) -> list[list[View]]:
    """The views of the parts, for each size of strips."""
    rest = frame.length % size
    whole = views(kernel, frame, size)
    before = fills(kernel, frame, whole, above.fills) if above else []
    last = [view for view in views(kernel, frame, rest) if view.place == WITHIN] if rest else []
    return [[*before, *whole], *([last] if last else [])]


class _PlacingByItems:
    def __init__(self, kernel: Kernel, frame: ItemFrame, by: ByItems) -> None:
        self.kernel, self.frame, self.size = kernel, frame, by.size
        above = above_diagonal(kernel, frame) if by.below else None
        if by.below and above is None:
            raise ScheduleError("by_items: more than zeros is above the diagonal")
        per_size = item_views(kernel, frame, by.size, above)
        if len(by.schedules) != sum(map(len, per_size)):
            raise ScheduleError(f"by_items: {len(by.schedules)} schedules for {sum(map(len, per_size))} views")
        columns = above.columns if above else {}
        schedules = iter(by.schedules)
        self.scheduled = [[(view, _scheduled(view, next(schedules), columns)) for view in found] for found in per_size]
        self.loops = {s.var for found in self.scheduled for _, k in found for s in walk(k.body) if isinstance(s, Loop)}
        self.strips = {b.name: b for b in kernel.locals if b.name in frame.passed}
        self.taken = {b.name for b in (*kernel.inputs, *kernel.outputs)} | set(self.strips)
        self.values: set[str] = set()
        self.locals = [self._strip(b) for b in self.strips.values()]

    def _strip(self, b: Buffer) -> Buffer:
        """The values that nests pass to each other, as large as a strip of an item."""
        axes = zip(b.type.shape, self.frame.passed[b.name], strict=True)
        shape = (min(self.size, n) if axis == STRIP else n for n, axis in axes if axis == STRIP or _is_kept(n, axis))
        return replace(b, type=b.type.with_(shape=tuple(shape)))

    def placed(self) -> Kernel:
        items = [claimed(f"item.{k}", self.loops) for k, _ in enumerate(self.frame.extents)]
        strip, count = claimed("strip", self.loops), self.frame.length // self.size
        whole, *rest = self.scheduled
        within = self._body(whole, WITHIN, items, Index.var(strip) * self.size)
        body: Body = (*self._body(whole, BEFORE, items, Index.of(0)),)
        kind = "each" if self._are_independent() else "for"
        body += (Loop(strip, Limit.of(0), Limit.of(count), kind, "serial", within),)
        for found in rest:
            body += self._body(found, WITHIN, items, Index.of(count * self.size))
        body += self._body(whole, BEHIND, items, Index.of(0))
        for var, extent in reversed(list(zip(items, self.frame.extents, strict=True))):
            body = (Loop(var, Limit.of(0), Limit.of(extent), "each", "serial", body),)
        used = accessed_buffers(body)
        locals_ = tuple(b for b in self.locals if b.name in used)
        threads = dict.fromkeys(scheduled.block for _, scheduled in whole if scheduled.block)
        if len(threads) > 1:
            raise ScheduleError(f"by_items: the parts have {' and '.join(map(str, threads))} threads")
        return self.kernel.with_(body=body, locals=locals_, threads=tuple(threads), members=())

    def _are_independent(self) -> bool:
        """Whether no strip needs what another one computes."""
        return all(view.place == WITHIN for view, _ in self.scheduled[0])

    def _body(self, found: Sequence[tuple[View, Kernel]], place: str, items: Sequence[str], first: Index) -> Body:
        out: list[Stmt] = []
        for view, scheduled in found:
            if view.place == place:
                at = [Index.var(item) for item in items]
                body = view.placed(scheduled, at, first, self.strips, self._renamed(scheduled))
                out += self._named(substitute(body, {END: first + self.size}))
        return tuple(out)

    def _named(self, body: Body) -> Body:
        """A body whose values have names of their own."""
        return rename_values(body, {name: claimed(name, self.values) for name in sorted(defined_names(body))})

    def _renamed(self, scheduled: Kernel) -> dict[str, str]:
        """New names for the locals of a view; notes them."""
        names = {b.name: claimed(b.name, self.taken) for b in scheduled.locals}
        self.locals += [replace(b, name=names[b.name]) for b in scheduled.locals]
        return names


def _is_kept(extent: int, axis: int) -> bool:
    """Whether views have an axis other than that of strips."""
    return axis == OTHER and extent > 1


def _scheduled(view: View, steps: Sequence[Step], columns: Mapping[str, int]) -> Kernel:
    """A view after its steps; with `columns`, its loops over columns end where the strip ends."""
    kernel = view.kernel
    if not columns or view.place != WITHIN:
        return reduce(lambda k, step: after(step, k), steps, kernel)
    return ending(kernel, steps, view.columns(columns))


@step
@record
class SideBySide(Step):
    """Schedule each member of a joined kernel on its own, and put their blocks side by side.

    each c in 0..20 { sum n { .. } y[c] = .. }        each c in 0..20 blocks { .. threads .. y[c] = .. }
    each o in 0..10 { sum n { .. } z[o] = .. }   ->   each o.1 in 0..10 blocks { .. threads .. z[o.1] = .. }

    `schedules` are the steps of each member, in order. All blocks have as many threads as the member with the most. A
    member without blocks is one block.
    """

    purpose = "independent kernels are launched together"

    schedules: tuple[tuple[Step, ...], ...]

    def apply(self, kernel: Kernel) -> Kernel:
        members = tuple(members_of(kernel))
        if len(self.schedules) != len(members):
            raise ScheduleError(f"side_by_side: {len(self.schedules)} schedules for {len(members)} members")
        scheduled = [
            reduce(lambda k, s: after(s, k), steps, member)
            for member, steps in zip(members, self.schedules, strict=True)
        ]
        placing = _PlacingSideBySide(kernel)
        body = tuple(placing.placed(member) for member in scheduled)
        threads = max(member.block for member in scheduled)
        return kernel.with_(body=body, locals=tuple(placing.locals), threads=(threads,), members=())


def members_of(kernel: Kernel) -> Iterator[Kernel]:
    """The kernels that a kernel was joined from, with the buffers that they access."""
    at = 0
    for root, count in kernel.members:
        body = kernel.body[at : at + count]
        at += count
        used = accessed_buffers(body)
        yield kernel.with_(
            inputs=tuple(b for b in kernel.inputs if b.name in used),
            outputs=tuple(b for b in kernel.outputs if b.name in written_buffers(body)),
            locals=tuple(b for b in kernel.locals if b.name in used),
            body=body,
            root=root,
            members=(),
        )


class _PlacingSideBySide:
    """Gives every member's loops, values and locals names of their own."""

    def __init__(self, kernel: Kernel) -> None:
        self.taken = {b.name for b in (*kernel.inputs, *kernel.outputs)}
        self.loops: set[str] = set()
        self.values: set[str] = set()
        self.locals: list[Buffer] = []

    def placed(self, member: Kernel) -> Loop:
        """The nest of blocks of a scheduled member."""
        if len(bodies(member)) != 1 or not member.block:
            raise ScheduleError("side_by_side: a member must be one grid of blocks")
        body = self._named(member)
        if len(body) == 1 and isinstance(body[0], Loop) and body[0].run == "blocks":
            return body[0]
        if any(isinstance(s, Loop) and s.run == "blocks" for s in walk(body)):
            raise ScheduleError("side_by_side: something is outside of a member's blocks")
        return Loop(claimed("one", self.loops), Limit.of(0), Limit.of(1), "each", "blocks", body)

    def _named(self, member: Kernel) -> Body:
        loops = {s.var: claimed(s.var, self.loops) for s in walk(member.body) if isinstance(s, Loop)}
        values = {name: claimed(name, self.values) for name in sorted(defined_names(member.body))}
        locals_ = {b.name: claimed(b.name, self.taken) for b in member.locals}
        self.locals += [replace(b, name=locals_[b.name]) for b in member.locals]
        return rename_values(rename_buffers(rename_loops(member.body, loops), locals_), values)
