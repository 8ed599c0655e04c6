"""Reorder: permute perfectly nested loops."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel import Body, If, Kernel, Loop, Stmt, Store, walk
from mochac.ir.nest import indices, require_loops
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.starts_fresh import starts_fresh


@step
@record
class Reorder(Step):
    """Nest perfectly nested loops in the given order, outermost first; conditions between them move innermost.

    each a { each b { A } }  ->  each b { each a { A } }

    The loops must be perfectly nested `each` or `sum` loops, and no range may depend on a loop that moves inside it.
    Two `sum` loops may only be exchanged around statements that accumulate, or that set locals of their own.
    """

    loops: tuple[str, ...]

    def apply(self, kernel: Kernel) -> Kernel:
        for name in self.loops:
            require_loops(kernel, name, "reorder")
        return kernel.with_(body=self._rewrite(kernel.body, {b.name for b in kernel.locals}))

    def _rewrite(self, body: Body, locals_: set[str]) -> Body:
        out: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, Loop) and stmt.var in self.loops:
                out.append(self._permute(stmt, locals_))
            elif isinstance(stmt, (Loop, If)):
                out.append(stmt.with_body(self._rewrite(stmt.body, locals_)))
            else:
                out.append(stmt)
        return tuple(out)

    def _permute(self, top: Loop, locals_: set[str]) -> Loop:
        band, conds, body = self._band(top)
        _check_order(self.loops, band, body, locals_)
        if conds:
            body = (If(tuple(conds), body),)
        for name in reversed(self.loops):
            body = (replace(band[name], body=body),)
        assert isinstance(body[0], Loop)
        return body[0]

    def _band(self, top: Loop) -> tuple[dict[str, Loop], list[Index], Body]:
        band: dict[str, Loop] = {}
        conds: list[Index] = []
        body: Body = (top,)
        while len(band) < len(self.loops):
            inner = body[0] if len(body) == 1 else None
            if isinstance(inner, If):
                conds += inner.conds
            elif isinstance(inner, Loop) and inner.var in self.loops and inner.kind != "for" and not inner.at:
                band[inner.var] = inner
            else:
                raise ScheduleError(
                    f"reorder: loops {self.loops} are not perfectly nested 'each' or 'sum' loops around {top.var!r}"
                )
            body = inner.body
        return band, conds, body


def _check_order(order: tuple[str, ...], band: dict[str, Loop], body: Body, locals_: set[str]) -> None:
    for position, name in enumerate(order):
        later = set(order[position + 1 :])
        if any(later & set(i.vars) for i in indices(band[name])):
            raise ScheduleError(f"reorder: the range of {name!r} depends on a loop that would move inside it")
    sums = [n for n in order if band[n].kind == "sum"]
    if sums != [n for n in band if n in sums] and not _accumulates(body, locals_):
        raise ScheduleError(f"reorder: 'sum' loops {sums} cannot be exchanged around statements that do not accumulate")


def _accumulates(body: Body, locals_: set[str]) -> bool:
    """Whether all that iterations leave is what they add to; each may set locals before it reads them."""
    stored = {s.buffer for s in walk(body) if isinstance(s, Store)}
    return stored <= locals_ and all(starts_fresh(body, name) for name in stored)
