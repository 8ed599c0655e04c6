"""Clip: turn conditions on a loop's variable into limits of the loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Body, If, Kernel, Let, Load, Loop, Stmt
from mochac.ir.nest import map_loops, mentions, require_loops
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
            kept = tuple(c for c in stmt.conds if c not in conds)
            inner = _remove(stmt.body, conds)
            out.extend((If(kept, inner),) if kept else inner)
        elif isinstance(stmt, Loop):
            out.append(stmt.with_body(_remove(stmt.body, conds)))
        else:
            out.append(stmt)
    return tuple(out)
