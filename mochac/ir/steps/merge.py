"""Steps that change the order of loops: two as one, perfectly nested ones permuted, one moved in front or inward."""

from __future__ import annotations

from collections import Counter
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
    Prefetch,
    Stmt,
    Store,
    access,
    accessed_buffers,
    defined_names,
    rewrite,
    used_names,
    walk,
    written_buffers,
)
from mochac.ir.names import defined_once, rename_loops
from mochac.ir.nest import (
    constant_range,
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
from mochac.ir.starts_fresh import starts_fresh
from mochac.ir.steps.split import Fission


@step
@record
class Merge(Step):
    """Replace loops `outer` and `inner` by one loop `name` over their iterations, in row-major order.

    each w in 0..8 { each n in 0..4 { y[n + 4*w] = x[n + 4*w + 12] } }  ->  each p in 0..32 { y[p] = x[p + 12] }

    Every index must be affine in the merged variable. A condition on `outer` alone, with coefficient 1 or -1, becomes a
    condition on the merged variable: w - 1 >= 0 becomes p - 4 >= 0.
    """

    purpose = "one loop over both has fewer loop ends, and fewer vectors that are not full"

    outer: str
    inner: str
    name: str

    def apply(self, kernel: Kernel) -> Kernel:
        require_loops(kernel, self.outer, "merge")
        if any(isinstance(s, Loop) and s.var == self.name for s in walk(kernel.body)):
            raise ScheduleError(f"merge: the kernel already has a loop {self.name!r}")
        return kernel.with_(body=map_loops(kernel.body, self.outer, self._merge))

    def _merge(self, outer: Loop) -> Loop:
        inner = outer.body[0] if len(outer.body) == 1 else None
        if not isinstance(inner, Loop) or inner.var != self.inner or inner.kind != outer.kind or inner.kind == "for":
            raise ScheduleError(
                f"merge: {self.inner!r} must be the only thing inside {self.outer!r}, both 'each' or both 'sum'"
            )
        (low, high), (lo, hi) = constant_range(outer, "merge"), constant_range(inner, "merge")
        rows = _MergedIndex(self, low, lo, hi - lo)
        body = rewrite(inner.body, rows.change)
        return Loop(self.name, Limit.of(0), Limit.of((high - low) * (hi - lo)), inner.kind, inner.run, body)


@record
class _MergedIndex:
    """name = (outer - low) * extent + (inner - lo)."""

    merge: Merge
    low: int
    lo: int
    extent: int

    def index(self, index: Index) -> Index:
        """An index as an affine form of the merged variable."""
        rows, step = index.coefficient(self.merge.outer), index.coefficient(self.merge.inner)
        if rows != step * self.extent:
            raise ScheduleError(
                f"merge: {index} is not affine in {self.merge.name!r} = {self.extent}*{self.merge.outer} + "
                f"{self.merge.inner}"
            )
        rest = index - Index.var(self.merge.outer) * rows - Index.var(self.merge.inner) * step
        return rest + Index.var(self.merge.name) * step + (rows * self.low + step * self.lo)

    def condition(self, cond: Index) -> Index:
        """A condition: w >= k becomes p >= extent*k, and w <= k becomes p <= extent*k + extent - 1."""
        rows, step = cond.coefficient(self.merge.outer), cond.coefficient(self.merge.inner)
        if step or rows not in (1, -1):
            return self.index(cond)
        rest = cond - Index.var(self.merge.outer) * rows + rows * self.low
        return rest * self.extent + Index.var(self.merge.name) * rows + (0 if rows > 0 else self.extent - 1)

    def change(self, stmt: Stmt) -> Stmt | None:
        """A statement in terms of the merged variable."""
        match stmt:
            case If(conds, body):
                return If(tuple(map(self.condition, conds)), body)
            case Loop():
                if any(i.coefficient(v) for i in indices(stmt) for v in (self.merge.outer, self.merge.inner)):
                    raise ScheduleError(f"merge: the range of {stmt.var!r} depends on the loops to be merged")
                return None
            case Load() | Prefetch():
                return replace(stmt, index=tuple(map(self.index, stmt.index)))
            case Store():
                value = self.index(stmt.value) if isinstance(stmt.value, Index) else stmt.value
                return replace(stmt, index=tuple(map(self.index, stmt.index)), value=value)
            case Let() | Accum():
                args = tuple(self.index(a) if isinstance(a, Index) else a for a in stmt.args)
                stmt = replace(stmt, args=args)
                return replace(stmt, index=tuple(map(self.index, stmt.index))) if isinstance(stmt, Accum) else stmt


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


@step
@record
class Advance(Step):
    """Move a loop up past the statements before it in its body.

    best[] = 0                        each i { x[i] = f(i) }
    each i { x[i] = f(i) }      ->    best[] = 0
    for j { best[] = max(x[j]) }      for j { best[] = max(x[j]) }        (loop=i)

    The loop may neither use values that these statements define, nor access what they write, nor write what they read.
    Fission can then cut right after the loop.
    """

    purpose = "a loop that does not depend on the statements before it runs first, in a nest of its own"

    loop: str

    def apply(self, kernel: Kernel) -> Kernel:
        require_loops(kernel, self.loop, "advance")
        return kernel.with_(body=self._body(kernel.body))

    def _body(self, body: Body) -> Body:
        out: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, Loop) and stmt.var == self.loop:
                self._check(tuple(out), stmt)
                out.insert(0, stmt)
            elif isinstance(stmt, (Loop, If)):
                out.append(stmt.with_body(self._body(stmt.body)))
            else:
                out.append(stmt)
        return tuple(out)

    def _check(self, before: Body, loop: Loop) -> None:
        defined = {s.name for s in before if isinstance(s, (Let, Load))}
        clash = defined & used_names(loop.body)
        clash |= written_buffers(before) & accessed_buffers((loop,))
        clash |= accessed_buffers(before) & written_buffers((loop,))
        if clash:
            raise ScheduleError(
                f"advance: loop {loop.var!r} shares {', '.join(sorted(clash))} with statements it would pass"
            )


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


PARTS = ("first", "second")


@step
@record
class Detach(Step):
    """Cut the body of perfectly nested loops after statement `after`; append `mark` to the loop names of one part.

    each i { each k {                     each i { each k { acc[i, k] = f(i, k) } }
      acc[] = f(i, k)               ->    each i.j { each k.j { y[i.j, k.j] = acc[i.j, k.j] } }
      y[i, k] = acc[]
    } }                                   (loops=(i, k), after=1, part=second, mark=.j)

    Later steps can then treat each part differently. Locals that cross the cut gain dimensions, as in Fission.
    """

    purpose = "what follows the sums may run in another order than they do"

    loops: tuple[str, ...]
    after: int
    part: str
    mark: str

    def apply(self, kernel: Kernel) -> Kernel:
        if self.part not in PARTS:
            raise ScheduleError(f"detach: part must be first or second, not {self.part!r}")
        for position, var in enumerate(reversed(self.loops)):
            count = len(require_loops(kernel, var, "detach"))
            kernel = Fission(var, self.after if position == 0 else 1).apply(kernel)
            if len(require_loops(kernel, var, "detach")) != 2 * count:
                raise ScheduleError(f"detach: loops {self.loops} are not perfectly nested")
            kernel = kernel.with_(body=self._marked(kernel.body, var))
        return kernel

    def _marked(self, body: Body, var: str) -> Body:
        """Rename one loop of each pair that a cut has made."""
        out: list[Stmt] = []
        seen = 0
        for stmt in body:
            if isinstance(stmt, Loop) and stmt.var == var:
                if seen % 2 == PARTS.index(self.part):
                    (stmt,) = marked((stmt,), self.mark)
                seen += 1
            elif isinstance(stmt, (Loop, If)):
                stmt = stmt.with_body(self._marked(stmt.body, var))
            out.append(stmt)
        return tuple(out)


def marked(body: Body, mark: str) -> Body:
    """A body whose loops have a mark at the end of their names, except those that already have it."""
    names = {s.var for s in walk(body) if isinstance(s, Loop) and not s.var.endswith(mark)}
    return rename_loops(body, {name: name + mark for name in names})
