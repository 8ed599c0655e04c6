"""Subtotal: add up the terms of each iteration of a loop separately, before adding them to a sum."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.fresh import fresh
from mochac.ir.index import Index
from mochac.ir.kernel import (
    Accum,
    Body,
    If,
    Kernel,
    Load,
    Loop,
    Stmt,
    Store,
    access,
    accessed_buffers,
    defined_names,
    identity,
    walk,
)
from mochac.ir.nest import added_to, map_loops, require_loops
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.types import FLOATS
from mochac.ir.uses import uses


@step
@record
class Subtotal(Step):
    """Inside `loop`, a reduction, add to a new local that starts at 0; at the end of an iteration, add that to `local`.

    sum a in 0..256 {                     sum a in 0..256 {
      sum b in 0..256 {                     s.part[] = 0
        s[] = add(x[a, b], s[])       ->    sum b in 0..256 { s.part[] = add(x[a, b], s.part[]) }
      }                                     s[] = add(s.part[], s[])
    }                                     }

    A float32 number loses digits when it is added to a sum of many numbers; here, sums are of few numbers. The local
    may have dimensions, indexed by loops inside `loop` or around it. The loop must do nothing else with it.
    """

    purpose = "a sum of many numbers is a sum of sums of few, of similar size, so that fewer digits are lost"

    local: str
    loop: str

    def apply(self, kernel: Kernel) -> Kernel:
        require_loops(kernel, self.loop, "subtotal")
        buffer = next((b for b in kernel.locals if b.name == self.local), None)
        if buffer is None or buffer.type.dtype not in FLOATS:
            raise ScheduleError(f"subtotal: kernel {kernel.name!r} has no local {self.local!r} of floats")
        part = replace(buffer, name=fresh(f"{self.local}.part", kernel.buffers()))
        value = fresh(part.name, defined_names(kernel.body))
        found: list[Loop] = []

        def within(loop: Loop) -> Stmt:
            if self.local not in accessed_buffers(loop.body):
                return loop
            found.append(loop)
            return self._within(loop, part.name, value, part.type.dtype)

        body = map_loops(kernel.body, self.loop, within)
        if not found:
            raise ScheduleError(f"subtotal: no loop {self.loop!r} adds to {self.local!r}")
        return kernel.with_(body=body, locals=(*kernel.locals, part))

    def _within(self, loop: Loop, part: str, value: str, dtype: str) -> Loop:
        stmts = [s for s in walk(loop.body) if (a := access(s)) is not None and a[0] == self.local]
        (index, *others) = {access(s) for s in stmts}
        if loop.kind != "sum" or others or any(not isinstance(s, Accum) or s.fn == "max" for s in stmts):
            raise ScheduleError(f"subtotal: loop {self.loop!r} must be a sum that only adds to {self.local!r}")
        assert index is not None
        at = index[1]
        around = _indexing(loop.body, at)
        conds = _conditions(loop.body, self.local, {x.var for x in around})
        start = _nested(around, conds, (Store(part, at, identity("add", dtype)),))
        end = _nested(around, conds, (Load(value, part, at), Accum(self.local, at, "add", (value,))))
        return loop.with_body((*start, *added_to(loop.body, self.local, part), *end))


def _indexing(body: Body, index: tuple[Index, ...]) -> list[Loop]:
    """The loops in a body, one for each variable, that an index depends on, outer first."""
    vars = {v for i in index for v in i.vars}
    found: dict[str, Loop] = {}
    for s in walk(body):
        if isinstance(s, Loop) and s.var in vars:
            if s.extent is None or (s.var in found and (s.lo, s.hi) != (found[s.var].lo, found[s.var].hi)):
                raise ScheduleError(f"subtotal: loop {s.var!r} must have one constant range")
            found.setdefault(s.var, replace(s, kind="each"))
    return list(found.values())


def _conditions(body: Body, local: str, vars: set[str]) -> tuple[Index, ...]:
    """The conditions under which a body adds to a local, on these variables and on those of loops around the body.
    Elements for which they never hold have no subtotal, so the sums of lanes beyond the end are never read."""
    found = list(uses(body, local))
    own = {loop.var for use in found for loop in use.loops} - vars
    return tuple(c for c in found[0].conds if not own & set(c.vars) and all(c in use.conds for use in found))


def _nested(around: list[Loop], conds: tuple[Index, ...], body: Body) -> Body:
    body = (If(conds, body),) if conds else body
    for loop in reversed(around):
        body = (loop.with_body(body),)
    return body
