"""Distribute: distribute an `each` loop over the statements of its body and move it inward past other loops."""

from __future__ import annotations

from collections import Counter

from mochac.base.records import record
from mochac.ir.index import Index
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
    defined_names,
    used_names,
    walk,
    written_buffers,
)
from mochac.ir.names import defined_once
from mochac.ir.nest import (
    contains_loop,
    depends_on,
    indices,
    loop_range,
    map_loops,
    mentions,
    pure_global_load,
    require_loops,
)
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.segments import Cutter


@step
@record
class Distribute(Step):
    """Distribute the `each` loop over the statements of its body, entering the loops named in `past`.

    each r in 0..4 {                    each r in 0..4 { acc[r] = 0 }
      acc[] = 0                         sum k in 0..9 {
      sum k in 0..9 {             ->      each r in 0..4 { acc[r] = fma(x[k], w[r, k], acc[r]) }
        acc[] = fma(x[k], w[r, k], acc[])
      }                                 }
      y[r] = acc[]                      each r in 0..4 { y[r] = acc[r] }
    }

    "*" names all loops but vector loops, which stay innermost. Loops that are not entered stay inside, so the order of
    steps determines the nesting: r past (k), then t past (k, r) gives k { r { t } }. Loads, calls, copies and whole
    nests that do not depend on the loop stay outside it; such nests must only fill locals of their own. A condition
    that contains the loop's variable moves inward with the loop; others stay outside. Locals that cross segments gain a
    dimension (in nesting order). Values that cross are recomputed if they depend only on parameters, else kept in a
    local. `sum` and `for` loops of the same name are left alone.
    """

    loop: str
    past: tuple[str, ...]

    def apply(self, kernel: Kernel) -> Kernel:
        loops = require_loops(kernel, self.loop, "distribute")
        if all(loop.kind != "each" for loop in loops):
            raise ScheduleError(
                f"distribute: loop {self.loop!r} is a {loops[0].kind!r} loop; only 'each' loops may be distributed"
            )
        for name in self.past:
            if name != "*":
                require_loops(kernel, name, "distribute")
        cutter = Cutter(kernel, self.loop, "distribute")
        body = map_loops(kernel.body, self.loop, lambda loop: self._distribute(loop, kernel, cutter))
        return cutter.finish(defined_once(body))

    def _distribute(self, loop: Loop, kernel: Kernel, cutter: Cutter) -> Stmt | Body:
        if loop.kind != "each":
            return loop
        distributor = _Distributor(kernel, loop, self.past)
        distributor.run(loop.body)
        linked = cutter.link(loop, distributor.segments)
        return distributor.run(loop.body, linked)


class _Distributor:
    """Walks a loop's body twice: first to collect the segments, then to wrap them in loops."""

    def __init__(self, kernel: Kernel, loop: Loop, past: tuple[str, ...]) -> None:
        self.kernel, self.loop, self.past = kernel, loop, past
        self.written = written_buffers(kernel.body)
        self.segments: list[Body] = []
        self.linked: list[Body] | None = None
        self.locals = {b.name for b in kernel.locals}
        self.shapes = {b.name: b.type.shape for b in kernel.inputs}
        self.stores = Counter(s.buffer for s in walk(loop.body) if isinstance(s, (Store, Accum)))
        self.invariant: dict[int, bool] = {}
        self.outer = _outer_ranges(kernel, loop)

    def run(self, body: Body, linked: list[Body] | None = None) -> Body:
        self.segments, self.linked = [], linked
        self.varying: set[str] = set()
        self.ranges = dict(self.outer)
        return self._distribute(body, ())

    def _enters(self, loop: Loop) -> bool:
        return loop.var in self.past or ("*" in self.past and loop.run != "vector")

    def _distribute(self, body: Body, guards: tuple[Index, ...]) -> Body:
        out: list[Stmt] = []
        pending: list[Stmt] = []
        placed: set[str] = set()
        for stmt in body:
            if isinstance(stmt, Loop) and not guards and self._is_invariant(stmt):
                out.append(stmt)
            elif isinstance(stmt, Loop) and contains_loop(stmt, self._enters):
                if not self._enters(stmt):
                    raise ScheduleError(
                        f"distribute: loop {self.loop.var!r} must enter {stmt.var!r} on its way to {self.past}; name it"
                    )
                self._flush(pending, guards, out)
                out.append(self._enter(stmt, guards))
            elif isinstance(stmt, If) and (len(body) == 1 or contains_loop(stmt, self._enters)):
                self._flush(pending, guards, out)
                out.extend(self._push_condition(stmt, guards))
            elif isinstance(stmt, (Let, Load)) and self._invariant(stmt, guards) and stmt.name not in placed:
                out.append(stmt)
                placed.add(stmt.name)
            else:
                self._note_varying(stmt)
                pending.append(stmt)
        self._flush(pending, guards, out)
        return tuple(out)

    def _is_invariant(self, nest: Loop) -> bool:
        """`_is_invariant_nest`, which both walks ask."""
        if id(nest) not in self.invariant:
            self.invariant[id(nest)] = self._is_invariant_nest(nest)
        return self.invariant[id(nest)]

    def _is_invariant_nest(self, nest: Loop) -> bool:
        """Whether a nest is invariant: it fills locals that nothing else writes, from inputs only."""
        if depends_on((nest,), self.loop.var):
            return False
        inside = list(walk((nest,)))
        filled = Counter(s.buffer for s in inside if isinstance(s, (Store, Accum)))
        if not filled.keys() <= self.locals or used_names((nest,)) - defined_names((nest,)):
            return False
        first = {a[0]: s for s in reversed(inside) if (a := access(s)) is not None}
        if not all(isinstance(first[name], Store) and self.stores[name] == n for name, n in filled.items()):
            return False
        loads = (s for s in inside if isinstance(s, Load) and s.buffer not in filled)
        return all(pure_global_load(s, self.kernel, self.written) for s in loads)

    def _enter(self, stmt: Loop, guards: tuple[Index, ...]) -> Stmt:
        if any(mentions(i, self.loop.var) for i in indices(stmt)):
            raise ScheduleError(
                f"distribute: the range of {stmt.var!r} depends on {self.loop.var!r}, which cannot go inside it"
            )
        if stmt.at in self.varying:
            raise ScheduleError(f"distribute: %{stmt.at}, at which {stmt.var!r} runs, differs along {self.loop.var!r}")
        self.ranges[stmt.var] = loop_range(stmt, self.ranges)
        return stmt.with_body(self._distribute(stmt.body, guards))

    def _push_condition(self, stmt: If, guards: tuple[Index, ...]) -> Body:
        inner = tuple(c for c in stmt.conds if mentions(c, self.loop.var))
        outer = tuple(c for c in stmt.conds if not mentions(c, self.loop.var))
        body = self._distribute(stmt.body, (*guards, *inner))
        return (If(outer, body),) if outer else body

    def _note_varying(self, stmt: Stmt) -> None:
        if isinstance(stmt, (Let, Load)):
            self.varying.add(stmt.name)

    def _invariant(self, stmt: Let | Load, guards: tuple[Index, ...]) -> bool:
        """Whether a value is the same in every iteration, and safe to compute without conditions that move inward."""
        if any(mentions(i, self.loop.var) for i in indices(stmt)):
            return False
        if isinstance(stmt, Let):
            return not any(isinstance(a, str) and a in self.varying for a in stmt.args)
        if not pure_global_load(stmt, self.kernel, self.written):
            return False
        return not guards or self._in_range(stmt)

    def _in_range(self, stmt: Load) -> bool:
        for index, extent in zip(stmt.index, self.shapes[stmt.buffer], strict=True):
            bounds = index.bounds(self.ranges)
            if bounds is None or bounds[0] < 0 or bounds[1] >= extent:
                return False
        return True

    def _flush(self, pending: list[Stmt], guards: tuple[Index, ...], out: list[Stmt]) -> None:
        if not pending:
            return
        segment = (If(guards, tuple(pending)),) if guards else tuple(pending)
        pending.clear()
        if self.linked is not None:
            segment = self.linked[len(self.segments)]
        self.segments.append(segment)
        if segment:
            out.append(self.loop.with_body(segment))


def _outer_ranges(kernel: Kernel, target: Loop) -> dict[str, tuple[int, int]]:
    """Ranges of the variables of a loop and of the loops around it."""

    def search(body: Body, ranges: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]] | None:
        for stmt in body:
            if isinstance(stmt, If):
                found = search(stmt.body, ranges)
            elif isinstance(stmt, Loop):
                inside = {**ranges, stmt.var: loop_range(stmt, ranges)}
                found = inside if stmt is target else search(stmt.body, inside)
            else:
                continue
            if found is not None:
                return found
        return None

    return search(kernel.body, {}) or {}
