"""Steps that compute a part of the results at a time, and what all parts need again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import (
    Accum,
    Body,
    Buffer,
    Kernel,
    Load,
    Loop,
    Prefetch,
    Stmt,
    Store,
    access,
    accessed_buffers,
    rewrite,
    substitute,
    walk,
    written_buffers,
)
from mochac.ir.nest import band, constant_range, map_loops, require_loops
from mochac.ir.nests import RowTotal, StagedNest, nests_of, row_total
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.starts_fresh import starts_fresh
from mochac.ir.steps.inline import nest_of
from mochac.ir.weave import Env, Weaver


@step
@record
class SplitBody(Step):
    """Run the body of `around` in several parts, each with as many iterations of `loops`; the loop over them is `part`.

    local P[8] T[2]                                   local P[4] T[2]
    each n in 0..9 {                                  each n in 0..9 { each b in 0..2 {
      each i in 0..2 { T[i] = f(n, i) }                 each i in 0..2 { T[i] = f(n, i) }
      each r in 0..8 { P[r] = g(T[0], T[1], r) }  ->    each r in 0..4 { P[r] = g(T[0], T[1], r + 4*b) }
      each s in 0..8 { y[n, s] = P[s] }                 each s in 0..4 { y[n, s + 4*b] = P[s] }
    }                                                 } }        (loops=(r, s), around=n, parts=2, part=b)

    What is beside `loops` runs again in each part: it may only store to locals that start fresh there. Locals to which
    `loops` store, each along one axis, are theirs alone and shrink; those that start fresh in an iteration stay.
    """

    purpose = "threads share the results of an item, and each computes for itself what all of them need"

    loops: tuple[str, ...]
    around: str
    parts: int
    part: str

    def apply(self, kernel: Kernel) -> Kernel:
        named = [loop for name in self.loops for loop in require_loops(kernel, name, "split_body")]
        around = [loop for loop in require_loops(kernel, self.around, "split_body") if self._named(loop)]
        (first, extent), *others = {constant_range(loop, "split_body") for loop in named}
        if others or first or self.parts < 2 or extent % self.parts or any(loop.kind != "each" for loop in named):
            raise ScheduleError(f"split_body: {' '.join(self.loops)} must be 'each' loops of {self.parts} equal parts")
        own = {name for loop in named for name in written_buffers(loop.body)} & {b.name for b in kernel.locals}
        own -= {name for name in own if all(_private(name, loop) for loop in named)}
        self._check(kernel, around, named, own)
        axes = {name: self._axis(name, named) for name in own}
        size = extent // self.parts
        start = Index.var(self.part) * size

        def shorter(loop: Loop) -> Loop:
            var = Index.var(loop.var)

            def back(s: Stmt) -> Stmt | None:
                if not isinstance(s, (Load, Store, Accum, Prefetch)) or s.buffer not in own:
                    return None
                return replace(s, index=tuple(var if i == var + start else i for i in s.index))

            body = rewrite(substitute(loop.body, {loop.var: var + start}), back)
            return replace(loop, hi=Limit.of(size), body=body)

        def divided(loop: Loop) -> Loop:
            if not self._named(loop):
                return loop
            body = loop.body
            for name in self.loops:
                body = map_loops(body, name, shorter)
            return loop.with_body((Loop(self.part, Limit.of(0), Limit.of(self.parts), "each", "serial", body),))

        def smaller(b: Buffer) -> Buffer:
            if b.name not in own:
                return b
            shape = tuple(size if axis == axes[b.name] else n for axis, n in enumerate(b.type.shape))
            return replace(b, type=b.type.with_(shape=shape))

        body = map_loops(kernel.body, self.around, divided)
        return kernel.with_(body=body, locals=tuple(map(smaller, kernel.locals)))

    def _named(self, around: Loop) -> int:
        """How many of the loops are inside of a loop."""
        return sum(isinstance(s, Loop) and s.var in self.loops for s in walk(around.body))

    def _check(self, kernel: Kernel, around: list[Loop], named: list[Loop], own: set[str]) -> None:
        if sum(map(self._named, around)) != len(named):
            raise ScheduleError(
                f"split_body: {' '.join(self.loops)} must be inside of {self.around!r}, none in another"
            )
        outside = rewrite(kernel.body, lambda s: () if any(s is loop for loop in around) else None)
        for loop in around:
            beside = rewrite(loop.body, lambda s: () if isinstance(s, Loop) and s.var in self.loops else None)
            again = written_buffers(beside)
            wrong = sorted(again - {b.name for b in kernel.locals})
            if wrong:
                raise ScheduleError(f"split_body: {wrong[0]!r} would be stored in every part")
            wrong = sorted(accessed_buffers(beside) & own | accessed_buffers(outside) & (own | again))
            if wrong:
                raise ScheduleError(f"split_body: {wrong[0]!r} is also used where it is not divided")
            wrong = sorted(name for name in again if not starts_fresh(loop.body, name))
            if wrong:
                raise ScheduleError(f"split_body: {wrong[0]!r} does not start fresh in every part")

    def _axis(self, name: str, named: list[Loop]) -> int:
        """The axis along which the loops move a local."""
        found: set[tuple[int, ...]] = set()
        for loop in named:
            for s in walk(loop.body):
                if (at := access(s)) is not None and at[0] == name:
                    moved = tuple(axis for axis, i in enumerate(at[1]) if loop.var in i.vars)
                    found.add(moved if all(at[1][axis] == Index.var(loop.var) for axis in moved) else ())
        if len(found) != 1 or len(axes := found.pop()) != 1:
            raise ScheduleError(f"split_body: {' '.join(self.loops)} must move {name!r} along one axis")
        return axes[0]


def _private(name: str, loop: Loop) -> bool:
    """Whether each iteration of a loop, if it uses a local, has a whole one of its own."""
    moved = any(loop.var in i.vars for s in walk(loop.body) if (at := access(s)) and at[0] == name for i in at[1])
    return not moved and starts_fresh(loop.body, name)


@step
@record
class OwnRows(Step):
    """Divide the rows of tables, which data name, among the iterations of a new loop.

    each v in 0..V { w[v] = 0 }               each own in 0..ceil(V / rows) {
    for n {                                     each v in rows*own..min(rows*own + rows, V) { w[v] = 0 }
      %id = ids[n]                              for n {
      each u in 0..V at %id { w[u] += x[n] } ->   %id = ids[n]
    }                                             each u in rows*own..min(rows*own + rows, V) at %id { w[u] += x[n] }
                                                }
                                              }

    Every iteration goes through all numbers, and adds in their order. Whatever the kernel writes must be an element
    whose index along one axis, the same for each buffer, is the variable of one of `loops`, and so must what it reads
    of these buffers.
    """

    purpose = "iterations with rows of their own are independent, whatever rows the data name"

    loops: tuple[str, ...]
    rows: int
    own: str

    def apply(self, kernel: Kernel) -> Kernel:
        found = [s for s in walk(kernel.body) if isinstance(s, Loop) and s.var in self.loops]
        if self.rows < 1 or {loop.var for loop in found} != set(self.loops):
            raise ScheduleError(f"own_rows: there must be loops {', '.join(self.loops)}, and at least one row each")
        if any(isinstance(s, Loop) and s.var == self.own for s in walk(kernel.body)):
            raise ScheduleError(f"own_rows: the kernel already has a loop {self.own!r}")
        ranges = {(loop.lo.const, loop.hi.const) for loop in found}
        if len(ranges) != 1 or any(loop.kind != "each" for loop in found):
            raise ScheduleError("own_rows: the loops must be 'each' loops over one constant range")
        self._check_writes(kernel)
        lo, hi = constant_range(replace(found[0], at=""), "own_rows")
        if lo:
            raise ScheduleError("own_rows: the loops must begin at 0")
        return kernel.with_(body=self._owned(kernel.body, hi))

    def _owned(self, body: Body, extent: int) -> Body:
        first = Index.var(self.own) * self.rows
        end = Limit.of(first + self.rows)
        if extent % self.rows:
            end = Limit((*end.candidates, (Index.of(extent), 1)))

        def limited(stmt: object) -> Loop | None:
            if not isinstance(stmt, Loop) or stmt.var not in self.loops:
                return None
            return replace(stmt, lo=Limit.of(first), hi=end)

        count = Limit.of(-(-extent // self.rows))
        return (Loop(self.own, Limit.of(0), count, "each", "serial", rewrite(body, limited)),)

    def _check_writes(self, kernel: Kernel) -> None:
        """Check that iterations share no element of what is written."""
        every = [s for s in walk(kernel.body) if isinstance(s, (Load, Store, Accum))]
        written = {s.buffer for s in every if not isinstance(s, Load)}
        own = {Index.var(loop) for loop in self.loops}
        for name in written:
            axes = [{a for a, i in enumerate(s.index) if i in own} for s in every if s.buffer == name]
            if not set.intersection(*axes):
                raise ScheduleError(f"own_rows: %{name} is not accessed by rows of {', '.join(self.loops)} alone")


@step
@record
class ByRows(Step):
    """Compute everything that belongs to a row in one iteration of common loops over the rows.

    each a in 0..4 { acc = 0; sum i { .. }; M[a] = acc }      each a in 0..4 {
    each a in 0..4 { acc1 = 0; sum i { .. }; Q[a] = acc1 }      acc = 0; acc1 = 0
    each a in 0..4 { each b in 0..9 {                    ->     sum i { .. .. }
      y[a, b] = f(x[a, b], M[a], Q[a])                          each b in 0..9 { y[a, b] = f(x[a, b], acc, acc1) }
    } }                                                       }                      (values=((M, Q), (y)), axes=(0))

    `values` names the nests in their new order; those of one inner tuple share their inner loops, too, and read an
    element once. `axes` are the axes of y along which the rows lie: of a value with as many axes, all are. The results
    of a row's sums stay in registers; they are stored only if they are outputs of the kernel. No nest may read another
    row, or values that are computed later.

    `across` are those values that are added up over rows instead, element by element (ir/nests.py). They keep some
    leading axes of the rows; for each place of these, they start at 0, and every row adds to them:

    each a { each b { M[a, b] = sum i { .. } } }                 each a in 0..4 { each i { T[a, i] = 0 }
    each a { each i { T[a, i] = sum b { x[a, b, i] * M[a, b] } } ->  sum b in 0..9 { acc = sum i { .. }
                                                                       each i { T[a, i] += x[a, b, i] * acc } } }
    """

    purpose = "a row is loaded from memory once, however many passes go over it"

    values: tuple[tuple[str, ...], ...]
    axes: tuple[int, ...]
    across: tuple[str, ...] = ()

    def apply(self, kernel: Kernel) -> Kernel:
        nests = nests_of(kernel)
        groups = [[nest_of(nests, value, "by_rows") for value in group] for group in self.values]
        members = [nest for group in groups for nest in group]
        if not members or len(members) != len(nests) or len(set(map(id, members))) != len(nests):
            raise ScheduleError("by_rows: name one value of every nest, once")
        totals = {name: self._total(nest_of(nests, name, "by_rows")) for name in self.across}
        rows = self._rows([nest for nest in members if totals.keys().isdisjoint(nest.values)], list(totals.values()))
        shapes = {name: b.type.shape for name, b in kernel.buffers().items()}
        weaver = Weaver(kernel, nests, [], {}, "by_rows")
        outputs = {b.name for b in kernel.outputs}

        def keep(stores: list[Store]) -> None:
            for s in stores:
                weaver.know(s.buffer, s.index, s.value)
            for s in stores:
                if s.buffer in outputs or len(shapes[s.buffer]) > len(self.axes):
                    weaver.store(s.buffer, s.index, s.value)

        weaver.on_stores = keep
        with weaver.nest() as written:
            at = self._write(weaver, groups, rows, totals)
            body = tuple(written)
        self._check(body, {name for nest in members for name in nest.values}, at)
        return weaver.with_body(body)

    def _total(self, nest: StagedNest) -> RowTotal:
        found = row_total(nest, self.axes, inlined=True)
        if found is None:
            raise ScheduleError(f"by_rows: {' '.join(nest.values)} does not add up rows, element by element")
        return found

    def _rows(self, members: Iterable[StagedNest], totals: list[RowTotal]) -> list[Loop]:
        """The loops over the rows, as the first nest has them; all nests must have them."""
        every = [[self._around(nest)[axis] for axis in self._own_axes(nest)] for nest in members]
        ranges = [[constant_range(loop, "by_rows") for loop in found] for found in every]
        ranges += [[constant_range(loop, "by_rows") for loop in total.rows] for total in totals]
        if not every or not every[0] or any(found != ranges[0] for found in ranges):
            raise ScheduleError("by_rows: the nests have other numbers of rows")
        if len({total.kept for total in totals}) > 1:
            raise ScheduleError("by_rows: what is added up over rows keeps different axes of them")
        return every[0]

    def _around(self, nest: StagedNest) -> list[Loop]:
        found = nest.definition
        if found is None or not found.elementwise or any(axis >= len(found.vars) for axis in self._own_axes(nest)):
            raise ScheduleError(f"by_rows: the nest of {' '.join(nest.values)} does not compute it row by row")
        return band(nest.body, kind="each")[: len(found.vars)]

    def _own_axes(self, nest: StagedNest) -> tuple[int, ...]:
        """The axes of a nest's values along which the rows lie."""
        count = len(nest.definition.vars) if nest.definition else 0
        return tuple(range(count)) if count == len(self.axes) else self.axes

    def _write(
        self,
        weaver: Weaver,
        groups: list[list[StagedNest]],
        rows: list[Loop],
        totals: Mapping[str, RowTotal],
        env: tuple[Index, ...] = (),
    ) -> tuple[Index, ...]:
        """Write the loops over the rows with their bodies; return the row's place."""
        kept = next((total.kept for total in totals.values()), len(rows))
        if len(env) == kept:
            weaver.values = frozenset()
            for total in totals.values():
                weaver.replay(total.start, total.places(env))
        if len(env) < len(rows):
            loop = rows[len(env)]
            with weaver.range("each" if len(env) < kept else "sum", loop.var, loop.lo, loop.hi) as index:
                return self._write(weaver, groups, rows, totals, (*env, index))
        for group in groups:
            weaver.values = frozenset(name for nest in group for name in nest.values)
            found = [(nest, next((totals[name] for name in nest.values if name in totals), None)) for nest in group]
            parts = [(total.body, total.places(env)) if total else self._row(nest, env) for nest, total in found]
            weaver.replay_together(parts)
        return env

    def _row(self, nest: StagedNest, at: tuple[Index, ...]) -> tuple[Body, Env]:
        """The part of a nest that computes one row, and the values of the variables of the rows there."""
        around = self._around(nest)
        body = around[-1].body
        for axis in reversed(range(len(around))):
            if axis not in self._own_axes(nest):
                body = (around[axis].with_body(body),)
        vars = (around[axis].var for axis in self._own_axes(nest))
        return body, dict(zip(vars, at, strict=True))

    def _check(self, body: Body, totals: set[str], rows: tuple[Index, ...]) -> None:
        """Check that everything that is still loaded was stored before, in the same row."""
        stored: set[str] = set()
        for s in walk(body):
            if isinstance(s, Store):
                stored.add(s.buffer)
            elif isinstance(s, Load) and s.buffer in totals:
                if s.buffer not in stored or tuple(s.index[a] for a in self.axes if a < len(s.index)) != rows:
                    raise ScheduleError(f"by_rows: {s.buffer!r} is read before it is there, or in another row")
