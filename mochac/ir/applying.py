"""apply: run the steps of a Schedule on a kernel, giving the scheduled Kernel.

Backends call it before they print a kernel. The kernel interpreter can run the result, too.

At the end, `simplify_guards` removes conditions, limits and loops that are decided at compile time. Conditions that
always hold are dropped, bodies that never run are dropped, and loops of one iteration are replaced by their body. It
uses interval arithmetic over the enclosing loops.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import replace
from operator import is_

from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Body, If, Kernel, Let, Load, Loop, Stmt, defined_names, substitute, walk
from mochac.ir.names import rename_values
from mochac.ir.nest import loop_range
from mochac.ir.schedule import Schedule, ScheduleError, Step


class Facts:
    """What is known at one point of a nest: ranges of variables, limits of loops, conditions that hold."""

    def __init__(self) -> None:
        self.ranges: dict[str, tuple[int, int]] = {}
        self.loops: dict[str, Loop] = {}
        self.holds: tuple[Index, ...] = ()

    def least(self, index: Index, limits: int = 1) -> int | None:
        """A lower bound of an index, substituting the limits of up to `limits` dynamic loops where this helps."""
        bounds = index.bounds(self.ranges)
        best = None if bounds is None else bounds[0]
        for var, coefficient in index.terms if limits else ():
            loop = self.loops.get(var)
            if loop is None:
                continue
            limit = loop.lo if coefficient > 0 else loop.hi
            for bound, divisor in limit.candidates:
                if coefficient % divisor == 0 and not bound.is_const:
                    edge = bound if coefficient > 0 else bound - 1  # divisor * var >= bound, divisor * var <= bound - 1
                    rest = index - Index.var(var) * coefficient
                    better = self.least(rest + edge * (coefficient // divisor), limits - 1)
                    if better is not None and (best is None or better > best):
                        best = better
        return best

    def always(self, cond: Index, together: int = 1, limits: int = 1) -> bool:
        """Whether `cond >= 0` is known to hold here, by itself or because of up to `together` enclosing conditions;
        `limits` as in `least`."""
        if cond.is_const:
            return cond.const >= 0
        least = self.least(cond, limits)
        if least is not None and least >= 0:
            return True
        return together > 0 and any(self.always(rest, together - 1, limits) for rest in self._rests(cond))

    def _rests(self, cond: Index) -> Iterator[Index]:
        """What remains to be shown after subtracting a multiple of one of the conditions that hold."""
        for fact in self.holds:
            times = {cond.coefficient(var) // c for var, c in fact.terms if cond.coefficient(var) % c == 0}
            yield from (cond - fact * n for n in times if n > 0)

    def never(self, cond: Index) -> bool:
        """Whether `cond >= 0` is known to fail here."""
        if cond.is_const:
            return cond.const < 0
        least = self.least(-cond)
        return least is not None and least > 0


def simplify_guards(kernel: Kernel) -> Kernel:
    """Remove redundant conditions, candidates of limits and loops of one iteration from a kernel.

    each i in 0..4 { if i + 1 >= 0, i - 9 >= 0 { A } B }  ->  each i in 0..4 { B }
    """
    body = _simplify(kernel.body, Facts())
    names = Counter(s.name for s in walk(body) if isinstance(s, (Let, Load)))
    return kernel.with_(body=_inline_single(body, names))


def _simplify(body: Body, facts: Facts) -> Body:
    out: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, Loop):
            new = _simplify_loop(stmt, facts)
            if new is not None:
                out.append(new)
        elif isinstance(stmt, If):
            out.extend(_simplify_if(stmt, facts))
        else:
            out.append(stmt)
    return body if len(out) == len(body) and all(map(is_, out, body)) else tuple(out)


def _simplify_if(stmt: If, facts: Facts) -> Body:
    if any(facts.never(c) for c in stmt.conds):
        return ()
    conds = tuple(c for c in dict.fromkeys(stmt.conds) if not facts.always(c))
    before = facts.holds
    facts.holds = (*before, *conds)
    body = _simplify(stmt.body, facts)
    facts.holds = before
    if not conds or not body:
        return body
    if len(body) == 1 and isinstance(body[0], If):
        return (If((*conds, *body[0].conds), body[0].body),)
    return (If(conds, body),)


def _simplify_loop(loop: Loop, facts: Facts) -> Loop | None:
    low, high = loop_range(loop, facts.ranges)
    if low > high:
        return None
    lo, hi = _pruned(loop.lo, facts, low, upper=False), _pruned(loop.hi, facts, high + 1, upper=True)
    if lo is not loop.lo or hi is not loop.hi:
        loop = replace(loop, lo=lo, hi=hi)
    facts.ranges[loop.var], facts.loops[loop.var] = (low, high), loop
    body = _simplify(loop.body, facts)
    del facts.ranges[loop.var], facts.loops[loop.var]
    if body is loop.body:
        return loop
    return loop.with_body(body) if body else None


def _pruned(limit: Limit, facts: Facts, edge: int, *, upper: bool) -> Limit:
    """Drop candidates that never matter, given the constant candidate `edge`."""
    if limit.const is not None:
        return limit if limit.candidates[0][1] == 1 else Limit.of(limit.const)
    kept: list[tuple[Index, int]] = []
    decided = False
    for index, divisor in limit.candidates:
        bounds = index.bounds(facts.ranges)
        low, high = (None, None) if bounds is None else (-(-b // divisor) for b in bounds)
        loosest, tightest = (high, low) if upper else (low, high)
        if tightest is None or loosest is None or (tightest < edge if upper else tightest > edge):
            kept.append((index, divisor))
            decided = decided or loosest == edge
    if not decided:
        kept.insert(0, (Index.of(edge), 1))
    return Limit(tuple(dict.fromkeys(kept)))


def _inline_single(body: Body, names: Counter[str]) -> Body:
    """Replace serial and unrolled loops of one iteration by their body, renaming values whose names would clash."""
    out: list[Stmt] = []
    for stmt in body:
        if not isinstance(stmt, (Loop, If)):
            out.append(stmt)
            continue
        inner = _inline_single(stmt.body, names)
        if isinstance(stmt, Loop) and stmt.extent == 1 and stmt.run in ("serial", "unroll"):
            lo = stmt.lo.const
            assert lo is not None
            inner = substitute(inner, {stmt.var: Index.of(lo)})
            twice = {n for n in defined_names(inner) if names[n] > 1}
            out.extend(rename_values(inner, _free_names(twice, names)) if twice else inner)
        else:
            out.append(stmt if inner is stmt.body else stmt.with_body(inner))
    return body if len(out) == len(body) and all(map(is_, out, body)) else tuple(out)


def _free_names(stems: set[str], names: Counter[str]) -> dict[str, str]:
    chosen = {}
    for stem in sorted(stems):
        n = 1
        while names[f"{stem}.{n}"]:
            n += 1
        chosen[stem] = f"{stem}.{n}"
        names[stem] -= 1
        names[chosen[stem]] += 1
    return chosen


_last: deque[tuple[Schedule, Kernel, Kernel]] = deque(maxlen=8)
"""The last schedules with their kernels and results: what is chosen by trying several schedules is applied next."""


def apply(schedule: Schedule, kernel: Kernel) -> Kernel:
    """Run the steps in order, then simplify conditions that are decided at compile time.

    Raises:
        ScheduleError: a step does not fit; the message names the schedule, the step and the rule, and shows the loops.
    """
    for known, of, scheduled in tuple(_last):
        if known == schedule and of == kernel:
            return scheduled
    scheduled = kernel
    for number, step in enumerate(schedule.steps, 1):
        try:
            scheduled = after(step, scheduled)
        except ScheduleError as error:
            raise ScheduleError(f"schedule {schedule.name!r}, step {number} {error}") from None
    scheduled = finished(scheduled)
    remember(schedule, kernel, scheduled)
    return scheduled


def after(step: Step, kernel: Kernel) -> Kernel:
    """The kernel after one step.

    Raises:
        ScheduleError: the step does not fit; the message names the step and the rule, and shows the loops.
    """
    try:
        return step.apply(kernel)
    except ScheduleError as error:
        raise ScheduleError(f"{step}: {error}\nthe loops before this step:\n{outline(kernel)}") from None


def outline(kernel: Kernel) -> str:
    """The loops and conditions of a kernel; other statements are counted.

    >>> from mochac.ir.kernel_text import parse_kernel
    >>> print(outline(parse_kernel("kernel @zero() -> (%y: f32[4]) {\\n each n in 0..4 {\\n %y[n] = 0.0:f32\\n }\\n}")))
    each n in 0..4 {
      (1 statement)
    }
    """
    return "\n".join(_outline(kernel.body, ""))


def _outline(body: tuple[Stmt, ...], indent: str) -> Iterator[str]:
    others = 0
    for stmt in (*body, None):
        if stmt is not None and not isinstance(stmt, (Loop, If)):
            others += 1
            continue
        if others:
            yield f"{indent}({others} statement{'s' if others > 1 else ''})"
            others = 0
        if stmt is not None:
            yield f"{indent}{stmt}"
            yield from _outline(stmt.body, indent + "  ")
            yield indent + "}"


def finished(kernel: Kernel) -> Kernel:
    """The rest of `apply` after the last step."""
    return simplify_guards(kernel)


def remember(schedule: Schedule, kernel: Kernel, scheduled: Kernel) -> None:
    """Note the result of a schedule, so that applying it next costs nothing."""
    _last.append((schedule, kernel, scheduled))


def misfit(schedule: Schedule, kernel: Kernel) -> str:
    """Why a schedule does not fit: the first line of the error of its first step that does not; "" if it fits."""
    try:
        apply(schedule, kernel)
    except ScheduleError as error:
        return str(error).partition("\n")[0]
    return ""


def fitted(schedule: Schedule, kernel: Kernel) -> Kernel | None:
    """The result of `apply`, or None if a step does not fit."""
    try:
        return apply(schedule, kernel)
    except ScheduleError:
        return None
