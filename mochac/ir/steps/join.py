"""Join: let lanes stand for results, not for parts, once parts of accumulators are added up."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mochac.ir.index import Index
from mochac.ir.kernel import Kernel, Let, Load, Loop, Stmt, substitute
from mochac.ir.nest import Body, require_loops
from mochac.ir.schedule import ScheduleError, Step, step


@step
@dataclass(frozen=True)
class Join(Step):
    """The `sum` loop `parts` is unrolled; nests of `each` loops without it get the loops `lanes` innermost, as vectors.

    sum k in 0..4 {                                 sum k.out in 0..4 unroll {
      each r in 0..4 { each g { each b in 0..4 {      each g { each b.out in 0..4 vector { each r.out in 0..4 vector {
        s[r, g, b] = add(acc[k, r, g, b], s[..])  ->    s[r.out, g, b.out] = add(acc[k.out, r.out, g, b.out], s[..])
    } } } }                                         } } } }
    each r in 0..4 { t = bias[r]                    each g { each b.out in 0..4 vector { each r.out in 0..4 vector {
      each g { each b in 0..4 {                       t = bias[r.out]
        y[b, r] = add(s[r, g, b], t)                  y[b.out, r.out] = add(s[r.out, g, b.out], t)
    } } }                                           } } }

    Partial leaves such sums, where lanes were parts (k, and b with Vector(k), Vector(b)). Here every lane is a result:
    the parts of r results are turned in registers and added vector by vector, and what follows works on whole vectors.
    What is computed between loops of a nest moves inside.
    """

    parts: str
    lanes: tuple[str, ...]

    def apply(self, kernel: Kernel) -> Kernel:
        if all(loop.kind != "sum" for loop in require_loops(kernel, self.parts, "join")):
            raise ScheduleError(f"join: loop {self.parts!r} adds nothing up")
        for var in self.lanes:
            if any(loop.kind != "each" or loop.extent is None for loop in require_loops(kernel, var, "join")):
                raise ScheduleError(f"join: loop {var!r} must be an 'each' loop with constant limits")
        return kernel.with_(body=tuple(self._rewrite(s) for s in kernel.body))

    def _rewrite(self, stmt: Stmt) -> Stmt:
        if not isinstance(stmt, Loop):
            return stmt.with_body(tuple(map(self._rewrite, stmt.body))) if hasattr(stmt, "body") else stmt  # type: ignore
        if stmt.var == self.parts and stmt.kind == "sum":
            new = f"{stmt.var}.out"
            body = substitute(stmt.body, {stmt.var: Index.var(new)})
            return replace(stmt, var=new, run="unroll", body=tuple(map(self._rewrite, body)))
        band, body = _band(stmt)
        names = {loop.var for loop in band}
        if set(self.lanes) <= names and self.parts not in names:
            return self._with_lanes(band, body)
        return stmt.with_body(tuple(map(self._rewrite, stmt.body)))

    def _with_lanes(self, band: list[Loop], body: Body) -> Stmt:
        body = substitute(body, {var: Index.var(f"{var}.out") for var in self.lanes})
        for var in reversed(self.lanes):
            loop = next(loop for loop in band if loop.var == var)
            body = (replace(loop, var=f"{var}.out", run="vector", body=body),)
        for loop in reversed(band):
            if loop.var not in self.lanes:
                body = (loop.with_body(body),)
        return body[0]


def _band(top: Loop) -> tuple[list[Loop], Body]:
    """Nested `each` loops, and the innermost body; what is computed between them goes there."""
    band, first, body = [top], (), top.body
    while top.kind == "each" and body and isinstance(inner := body[-1], Loop) and inner.kind == "each":
        if not all(isinstance(s, (Let, Load)) for s in body[:-1]):
            break
        band.append(inner)
        first, body = (*first, *body[:-1]), inner.body
    return band, (*first, *body)
