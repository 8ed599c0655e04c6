"""Steps that change limits and conditions of loops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import (
    Accum,
    Body,
    If,
    Kernel,
    Let,
    Load,
    Loop,
    Stmt,
    Store,
    access,
    loops_named,
    substitute,
    walk,
    written_buffers,
)
from mochac.ir.nest import Ranges, constant_range, loop_range, map_loops, mentions, require_loops
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class Clip(Step):
    """Turn conditions that guard everything in a loop and contain its variable into candidates of its limits.

    sum kh in 0..5 { if kh + oh - 2 >= 0 { A } }  ->  sum kh in max(0, -oh + 2)..5 { A }

    Conditions inside inner loops count, too, if they do not depend on these loops. Padded taps are then not executed.
    """

    purpose = "iterations that would only meet padding are not run"

    loop: str

    def apply(self, kernel: Kernel) -> Kernel:
        loops = require_loops(kernel, self.loop, "clip")
        clipped = [_clip(loop) for loop in loops]
        if all(a is b for a, b in zip(loops, clipped, strict=True)):
            raise ScheduleError(f"clip: no condition on {self.loop!r} guards the whole body of its loop")
        return kernel.with_(body=map_loops(kernel.body, self.loop, _clip))


def _clip(loop: Loop) -> Loop:
    conds = [c for c in common_conditions(loop.body) if mentions(c, loop.var)]
    if not conds:
        return loop
    lo, hi = list(loop.lo.candidates), list(loop.hi.candidates)
    for cond in conds:
        c = cond.coefficient(loop.var)
        rest = cond - Index.var(loop.var) * c
        if c > 0:
            lo.append((-rest, c))
        else:
            hi.append((rest + 1, -c))
    return replace(loop, lo=_limit(lo, max), hi=_limit(hi, min), body=_remove(loop.body, set(conds)))


def _limit(candidates: list[tuple[Index, int]], best: Callable[[list[int]], int]) -> Limit:
    """The limit with these candidates, of which constant ones are one."""
    known = [-(-index.const // divisor) for index, divisor in candidates if index.is_const]
    rest = [(index, divisor) for index, divisor in candidates if not index.is_const]
    return Limit(tuple(dict.fromkeys([*([(Index.of(best(known)), 1)] if known else []), *rest])))


def common_conditions(body: Body, inner: frozenset[str] = frozenset()) -> list[Index]:
    """Conditions that guard every statement with an effect and do not contain variables of inner loops."""
    common: list[Index] | None = None
    for stmt in body:
        if isinstance(stmt, (Let, Load)):
            continue
        here = _guards(stmt, inner)
        common = here if common is None else [c for c in common if c in here]
    return common or []


def _guards(stmt: Stmt, inner: frozenset[str]) -> list[Index]:
    if isinstance(stmt, If):
        own = [c for c in stmt.conds if not inner & set(c.vars)]
        return own + common_conditions(stmt.body, inner)
    if isinstance(stmt, Loop):
        return common_conditions(stmt.body, inner | {stmt.var})
    return []


def _remove(body: Body, conds: set[Index]) -> Body:
    out: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, If):
            remaining = tuple(c for c in stmt.conds if c not in conds)
            inner = _remove(stmt.body, conds)
            out.extend((If(remaining, inner),) if remaining else inner)
        elif isinstance(stmt, Loop):
            out.append(stmt.with_body(_remove(stmt.body, conds)))
        else:
            out.append(stmt)
    return tuple(out)


@step
@record
class Skew(Step):
    """`sum` loop v becomes by - inner; `inner` runs over the range that the conditions around its whole body allow.

    each u in 0..8 { each p in 0..2 {                     each u in 0..8 { each p in 0..2 {
      sum o in 0..8 {                                       sum j in 0..2 {
        if p + 2*u - 2*o >= 0, 2*o - p - 2*u + 2 >= 0 {  ->   if -p - 2*j + 2 >= 0, u - j >= 0 {
          acc[] = add(x[o], acc[])                              acc[] = add(x[u - j], acc[])
        }                                                     }
      }                                                     }
    } }                                                   } }

    If one iteration is left, the loop vanishes: for example in a sum over groups, one of which contains a given filter.
    """

    purpose = "a result adds up only the few terms that belong to it"

    loop: str
    by: str
    inner: str

    def apply(self, kernel: Kernel) -> Kernel:
        for loop in require_loops(kernel, self.loop, "skew"):
            if loop.kind != "sum":
                raise ScheduleError(f"skew: loop {self.loop!r} is a {loop.kind!r} loop, not a reduction")
        if any(isinstance(s, Loop) and s.var == self.inner for s in walk(kernel.body)):
            raise ScheduleError(f"skew: the kernel already has a loop {self.inner!r}")
        return kernel.with_(body=self._rewrite(kernel.body, {}))

    def _rewrite(self, body: Body, ranges: Ranges) -> Body:
        out: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, Loop) and stmt.var == self.loop:
                out.extend(self._skew(stmt, ranges))
            elif isinstance(stmt, Loop):
                inside = {**ranges, stmt.var: loop_range(stmt, ranges)}
                out.append(stmt.with_body(self._rewrite(stmt.body, inside)))
            elif isinstance(stmt, If):
                out.append(stmt.with_body(self._rewrite(stmt.body, ranges)))
            else:
                out.append(stmt)
        return tuple(out)

    def _skew(self, loop: Loop, ranges: Ranges) -> Body:
        if self.by not in ranges:
            raise ScheduleError(f"skew: no loop {self.by!r} is around loop {self.loop!r}")
        lo, hi = constant_range(loop, "skew")
        old = Index.var(self.by) - Index.var(self.inner)
        inside = (old - lo, hi - 1 - old)
        body: Body = (If(inside, substitute(loop.body, {loop.var: old})),)
        first, last = self._range([c for c in common_conditions(body) if mentions(c, self.inner)], ranges)
        if first == last:
            return _decided(substitute(body, {self.inner: Index.of(first)}), ranges)
        body = _decided(body, {**ranges, self.inner: (first, last)})
        return (replace(loop, var=self.inner, lo=Limit.of(first), hi=Limit.of(last + 1), body=body),)

    def _range(self, conds: list[Index], ranges: Ranges) -> tuple[int, int]:
        """The largest range of `inner` that each of the conditions allows."""
        lows, highs = [], []
        for cond in conds:
            c = cond.coefficient(self.inner)
            rest = (cond - Index.var(self.inner) * c).bounds(ranges)
            if rest is not None:
                (lows if c > 0 else highs).append(-(rest[1] // c) if c > 0 else rest[1] // -c)
        return max(lows), min(highs)


def _decided(body: Body, ranges: Ranges) -> Body:
    """The body without conditions that always hold."""
    out: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, Loop):
            stmt = stmt.with_body(_decided(stmt.body, {**ranges, stmt.var: loop_range(stmt, ranges)}))
        elif isinstance(stmt, If):
            inner = _decided(stmt.body, ranges)
            remaining = tuple(c for c in stmt.conds if (b := c.bounds(ranges)) is None or b[0] < 0)
            out.extend((If(remaining, inner),) if remaining else inner)
            continue
        out.append(stmt)
    return tuple(out)


@step
@record
class Widen(Step):
    """Start the loop `before` iterations earlier; a condition makes these iterations empty.

    each i in 0..9 { A }  ->  each i in -1..9 { if i >= 0 { A } }    (before=1)

    A later split then cuts at the places where an image with `before` rows of padding would be cut.
    """

    purpose = "tiles begin where whole windows begin, their padding included"

    loop: str
    before: int

    def apply(self, kernel: Kernel) -> Kernel:
        if self.before < 1:
            raise ScheduleError(f"widen: before must be at least 1, not {self.before}")
        require_loops(kernel, self.loop, "widen")
        return kernel.with_(body=map_loops(kernel.body, self.loop, self._widen))

    def _widen(self, loop: Loop) -> Loop:
        lo, _ = constant_range(loop, "widen")
        guarded = If((Index.var(loop.var) - lo,), loop.body)
        return replace(loop, lo=Limit.of(lo - self.before), body=(guarded,))


@step
@record
class Overrun(Step):
    """Drop the conditions on `loop` in a nest that fills locals.

    each w in 0..8 { each n in 0..4 {              each w in 0..8 { each n in 0..4 {
      if 2*w - 1 >= 0 {                              acc[] = 0
        acc[] = 0                             ->     sum k in 0..2 { acc[] += x[w + k] }
        sum k in 0..2 { acc[] += x[w + k] }          kept[w, n] = acc[]
        kept[w, n] = acc[]                         } }
      }
    } }

    The guarded statements must store only to locals, and to each of them before they read it; if other statements read
    a local, other than such nests, every iteration must store an element of its own. What they read must exist in all
    iterations.
    """

    purpose = "computing results that are never read costs nothing, but a condition would cost time"

    loop: str

    def apply(self, kernel: Kernel) -> Kernel:
        require_loops(kernel, self.loop, "overrun")
        ranges: dict[str, tuple[int, int]] = {}
        for s in walk(kernel.body):
            if isinstance(s, Loop) and s.extent is not None:
                low, high = loop_range(s, {})
                least, most = ranges.get(s.var, (low, high))
                ranges[s.var] = (min(least, low), max(most, high))
        body = map_loops(kernel.body, self.loop, lambda loop: loop.with_body(self._dropped(loop.body, kernel, ranges)))
        if body == kernel.body:
            raise ScheduleError(f"overrun: no condition on {self.loop!r} guards a nest that fills locals")
        return kernel.with_(body=body)

    def _dropped(self, body: Body, kernel: Kernel, ranges: Ranges) -> Body:
        """The body of perfectly nested loops without the conditions."""
        only = body[0] if len(body) == 1 else None
        if isinstance(only, Loop):
            return (only.with_body(self._dropped(only.body, kernel, ranges)),)
        if not isinstance(only, If):
            return body
        remaining = tuple(c for c in only.conds if not c.coefficient(self.loop))
        inner = self._dropped(only.body, kernel, ranges)
        if remaining != only.conds and not self._refused(only.body, kernel, ranges):
            return (If(remaining, inner),) if remaining else inner
        return (only.with_body(inner),)

    def _refused(self, body: Body, kernel: Kernel, ranges: Ranges) -> bool:
        """Whether the body does more than fill locals, or reads elements that do not exist."""
        written, shapes = written_buffers(body), {name: b.type.shape for name, b in kernel.buffers().items()}
        if written - {b.name for b in kernel.locals}:
            return True
        inside = list(walk(body))
        same_loops = [list(walk(_guarded(loop.body))) for loop in loops_named(kernel.body, self.loop)]
        for name in written:
            first = _first(inside, name)
            moves = isinstance(first, Store) and any(i.coefficient(self.loop) for i in first.index)
            own = {id(s) for part in (inside, *same_loops) if isinstance(_first(part, name), Store) for s in part}
            reads = (s for s in walk(kernel.body) if isinstance(s, (Load, Accum)) and s.buffer == name)
            if not isinstance(first, Store) or (not moves and any(id(s) not in own for s in reads)):
                return True
        uses = [a for s in inside if (a := access(s)) is not None]
        return not all(self._exists(index, shapes[name], ranges) for name, index in uses)

    def _exists(self, index: tuple[Index, ...], shape: tuple[int, ...], ranges: Ranges) -> bool:
        """Whether the element exists in every iteration, along the axes along which the loop moves it."""
        for i, extent in zip(index, shape, strict=True):
            bounds = i.bounds(ranges) if i.coefficient(self.loop) else (0, 0)
            if bounds is None or bounds[0] < 0 or bounds[1] >= extent:
                return False
        return True


def _guarded(body: Body) -> Body:
    """What perfectly nested loops and conditions guard."""
    while len(body) == 1 and isinstance(only := body[0], (Loop, If)):
        body = only.body
    return body


def _first(statements: list[Stmt], name: str) -> Stmt | None:
    """The first of these statements that accesses a buffer."""
    return next((s for s in statements if (a := access(s)) is not None and a[0] == name), None)


@step
@record
class Unguard(Step):
    """Move the nest over `loop` out of the condition around it, if the condition only excludes padding lanes.

    if -lane - 16*q + 99 >= 0 { each i { P[i] = x[lane + 16*q, i] } A }
    ->
    each i { P[i] = x[lane + 16*q, i] } if -lane - 16*q + 99 >= 0 { A }

    The nest must come first, store only to locals, and use variables of the condition only to index samples of blocked
    storage. Masked stores cost much more than the skipped lanes save.
    """

    purpose = "computing lanes that are never read costs nothing, but a condition would cost time"

    loop: str

    def apply(self, kernel: Kernel) -> Kernel:
        require_loops(kernel, self.loop, "unguard")
        body = self._rewrite(kernel.body, kernel, {})
        if body == kernel.body:
            raise ScheduleError(f"unguard: no condition guards a nest over {self.loop!r} and what follows it")
        return kernel.with_(body=body)

    def _rewrite(self, body: Body, kernel: Kernel, ranges: Ranges) -> Body:
        out: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, Loop):
                stmt = stmt.with_body(self._rewrite(stmt.body, kernel, {**ranges, stmt.var: loop_range(stmt, ranges)}))
            elif isinstance(stmt, If):
                first = stmt.body[0]
                if isinstance(first, Loop) and first.var == self.loop:
                    self._check(first, stmt.conds, kernel, ranges)
                    out.append(first)
                    stmt = stmt.with_body(stmt.body[1:])
                else:
                    stmt = stmt.with_body(self._rewrite(stmt.body, kernel, ranges))
            if not isinstance(stmt, If) or stmt.body:
                out.append(stmt)
        return tuple(out)

    def _check(self, nest: Loop, conds: tuple[Index, ...], kernel: Kernel, ranges: Ranges) -> None:
        local = {b.name for b in kernel.locals}
        if written_buffers((nest,)) - local:
            raise ScheduleError(f"unguard: the nest over {self.loop!r} must store only to locals")
        free = {v for c in conds for v in c.vars}
        buffers = kernel.buffers()
        for s in walk((nest,)):
            at = access(s)
            if at is None or at[0] in local or not free & {v for i in at[1] for v in i.vars}:
                continue
            type, sample = buffers[at[0]].type, at[1][0].bounds(ranges)
            room = -(-type.shape[0] // type.lanes) * type.lanes if type.lanes else 0
            inside = sample is not None and 0 <= sample[0] and sample[1] < room
            if not inside or free & {v for i in at[1][1:] for v in i.vars}:
                raise ScheduleError(f"unguard: {at[0]!r} would be read outside its padding lanes")
