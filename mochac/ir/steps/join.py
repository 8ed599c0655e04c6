"""Join: combine partial accumulators so that each lane holds a result instead of a part."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel import Body, Kernel, Let, Load, Loop, Stmt, substitute
from mochac.ir.nest import require_loops
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class Join(Step):
    """Unroll the `sum` loop `parts`; in `each` nests without it, move the loops `lanes` innermost and vectorize them.

    sum k in 0..4 {                                 sum k.out in 0..4 unroll {
      each r in 0..4 { each g { each b in 0..4 {      each g { each b.out in 0..4 vector { each r.out in 0..4 vector {
        s[r, g, b] = add(acc[k, r, g, b], s[..])  ->    s[r.out, g, b.out] = add(acc[k.out, r.out, g, b.out], s[..])
    } } } }                                         } } } }
    each r in 0..4 { t = bias[r]                    each g { each b.out in 0..4 vector { each r.out in 0..4 vector {
      each g { each b in 0..4 {                       t = bias[r.out]
        y[b, r] = add(s[r, g, b], t)                  y[b.out, r.out] = add(s[r.out, g, b.out], t)
    } } }                                           } } }

    Partial leaves such sums, in which lanes hold parts (k, and b after Vector(k), Vector(b)). After this step every
    lane holds a result: the parts of r results are transposed in registers and added vector by vector, and the code
    that follows works on whole vectors. Computations between the loops of a nest move inside.
    """

    purpose = "the parts of many sums are added up together, a vector at a time"

    parts: str
    lanes: tuple[str, ...]

    def apply(self, kernel: Kernel) -> Kernel:
        if all(loop.kind != "sum" for loop in require_loops(kernel, self.parts, "join")):
            raise ScheduleError(f"join: loop {self.parts!r} is not a 'sum' loop")
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
    """The nested `each` loops and the innermost body, into which computations between the loops are moved."""
    band, first, body = [top], (), top.body
    while top.kind == "each" and body and isinstance(inner := body[-1], Loop) and inner.kind == "each":
        if not all(isinstance(s, (Let, Load)) for s in body[:-1]):
            break
        band.append(inner)
        first, body = (*first, *body[:-1]), inner.body
    return band, (*first, *body)
