"""ByRows: put nests that go over the same rows into one loop over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel import Body, Kernel, Load, Loop, Store, walk
from mochac.ir.nest import band, constant_range
from mochac.ir.nests import StagedNest, nests_of
from mochac.ir.row_totals import RowTotal, row_total
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.steps.inline import nest_of
from mochac.ir.weave import Env, Weaver


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

    `across` are those values that are added up over rows instead, element by element (ir/row_totals.py). They keep some
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

    def _check(self, body: Body, made: set[str], rows: tuple[Index, ...]) -> None:
        """Check that everything that is still loaded was stored before, in the same row."""
        stored: set[str] = set()
        for s in walk(body):
            if isinstance(s, Store):
                stored.add(s.buffer)
            elif isinstance(s, Load) and s.buffer in made:
                if s.buffer not in stored or tuple(s.index[a] for a in self.axes if a < len(s.index)) != rows:
                    raise ScheduleError(f"by_rows: {s.buffer!r} is read before it is there, or in another row")
