"""Steps that add up sums in parts: of a grid, of iterations, of accumulators."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from mochac.base.records import record
from mochac.ir.grids import bodies
from mochac.ir.index import Index
from mochac.ir.kernel import (
    Accum,
    Body,
    Buffer,
    If,
    Kernel,
    Let,
    Load,
    Loop,
    Operand,
    Stmt,
    Store,
    access,
    accessed_buffers,
    defined_names,
    identity,
    used_names,
    walk,
)
from mochac.ir.names import claimed, fresh, rename_buffers
from mochac.ir.nest import added_to, band, map_loops, offset, require_local, require_loops
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.starts_fresh import uses
from mochac.ir.steps.merge import marked
from mochac.ir.types import FLOATS, TensorType


@step
@record
class SplitSum(Step):
    """Make the outermost loop of a sum an `each` loop of partial sums, which a second nest adds up.

    each a {                                  each p { each a {
      acc[] = b                                 acc[] = 0
      sum p { sum k {                           sum k { acc[] = fma(x[p, k], w[a, p, k], acc[]) }
        acc[] = fma(x[p, k], w[a, p, k], acc[])   y.parts[p, a] = acc[]
      } }                                     } }
      y[a] = f(acc[])                   ->    each a.s {
    }                                           acc.sum[] = b
                                                sum p.s { acc.sum[] = add(y.parts[p.s, a.s], acc.sum[]) }
                                                y[a.s] = f(acc.sum[])
                                              }

    The parts are in the device's memory, so the nests are grids of a GPU (ir/grids.py); they are added in ascending
    order. `mark` ends the names of the second nest's loops. The kernel must be one band of `each` loops with constant
    limits around one sum of `add` or `fma`, which may add to several `locals`; split the sum first.
    """

    purpose = "there are too few results to fill the device, so blocks share their sums"

    locals: tuple[str, ...]
    loop: str
    mark: str = ".s"

    def apply(self, kernel: Kernel) -> Kernel:
        return _SplitSum(kernel, self).kernel()


@record
class _Partial:
    """An accumulator, its parts and their sum, and the name of a part that is being stored or added."""

    acc: Buffer
    parts: Buffer
    total: Buffer
    value: str


class _SplitSum:
    def __init__(self, kernel: Kernel, step: SplitSum) -> None:
        self.source, self.step = kernel, step
        self.band = band(kernel.body, kind="each")
        self.body = self.band[-1].body if self.band else kernel.body
        self.at = self._find()
        self.sum = self.body[self.at]
        assert isinstance(self.sum, Loop)
        self.loops = [self.sum, *self.band]
        self.shape = tuple(loop.extent or 0 for loop in self.loops)
        taken, names = set(kernel.buffers()), defined_names(kernel.body)
        self.sums = [self._partial(name, taken, names) for name in step.locals]

    def _partial(self, name: str, taken: set[str], names: set[str]) -> _Partial:
        acc = self.source.buffers()[name]
        kind = TensorType(acc.type.dtype, self.shape)
        parts = Buffer(claimed(f"{self.source.outputs[0].name}.parts", taken), kind, "device")
        total = replace(acc, name=claimed(f"{name}.sum", taken))
        return _Partial(acc, parts, total, claimed(f"{name}.part", names))

    def kernel(self) -> Kernel:
        first, second = self._first(), marked(self._second(), self.step.mark)
        self._check_locals(first, second)
        added = (*(s.total for s in self.sums), *(s.parts for s in self.sums))
        return self.source.with_(body=(*first, *second), locals=(*self.source.locals, *added))

    def _find(self) -> int:
        """The position of the sum, behind the starts of all locals."""
        step, found = self.step, {b.name: b for b in self.source.locals if b.name in self.step.locals}
        for name in step.locals:
            if name not in found or found[name].type.shape or found[name].space != "register":
                raise ScheduleError(f"split_sum: kernel {self.source.name!r} has no local {name!r} of one element")
        at = {self._sum_of(name) for name in step.locals}
        adds = [s for k in at for s in walk(self.body[k : k + 1]) if isinstance(s, (Accum, Store))]
        only = all(isinstance(s, Accum) and s.fn != "max" for s in adds)
        if len(at) != 1 or not only or sorted(s.buffer for s in adds) != sorted(step.locals):
            names = ", ".join(map(repr, step.locals))
            raise ScheduleError(f"split_sum: the sum over {step.loop!r} must add to {names} and do nothing else")
        outer = [self.body[k] for k in at]
        if any(loop.extent is None or loop.lo.const != 0 for loop in (*outer, *self.band) if isinstance(loop, Loop)):
            raise ScheduleError("split_sum: all loops around the sum, and its own, need constant limits from 0")
        return at.pop()

    def _sum_of(self, name: str) -> int:
        """The position of the sum in a local, which starts before it."""
        uses = [k for k, s in enumerate(self.body) if any((a := access(x)) and a[0] == name for x in walk((s,)))]
        start, at = (self.body[k] for k in uses[:2]) if len(uses) > 1 else (None, None)
        if not isinstance(start, Store) or not isinstance(at, Loop) or (at.var, at.kind) != (self.step.loop, "sum"):
            raise ScheduleError(f"split_sum: {self.step.loop!r} is not the outermost loop of a sum in {name!r}")
        return uses[1]

    def _first(self) -> Body:
        """The partial sums."""
        assert isinstance(self.sum, Loop)
        zeros = (Store(s.acc.name, (), identity("add", s.acc.type.dtype)) for s in self.sums)
        done = ((Load(s.value, s.acc.name, ()), Store(s.parts.name, self._there(), s.value)) for s in self.sums)
        body: Body = (*self._needed(self.sum.body), *zeros, *self.sum.body, *chain.from_iterable(done))
        for loop in reversed(self.loops):
            body = (replace(loop, kind="each", body=body),)
        return body

    def _needed(self, inside: Body) -> Body:
        """The values in front of the sum that it uses."""
        needed: list[Let | Load] = []
        used = used_names(inside)
        for s in reversed(self.body[: self.at]):
            if isinstance(s, (Let, Load)) and s.name in used:
                needed.insert(0, s)
                used |= used_names((s,))
        return tuple(needed)

    def _second(self) -> Body:
        """The sums of the parts, and what follows."""
        assert isinstance(self.sum, Loop)
        loads = (Load(s.value, s.parts.name, self._there()) for s in self.sums)
        adds = (Accum(s.total.name, (), "add", (s.value,)) for s in self.sums)
        added = self.sum.with_body((*loads, *adds))
        totals = {s.acc.name: s.total.name for s in self.sums}
        before, after = (rename_buffers(part, totals) for part in (self.body[: self.at], self.body[self.at + 1 :]))
        body = (*before, added, *after)
        for loop in reversed(self.band):
            body = (loop.with_body(body),)
        return body

    def _there(self) -> tuple[Index, ...]:
        return tuple(offset(loop) for loop in self.loops)

    def _check_locals(self, first: Body, second: Body) -> None:
        """Check that the nests share no local but the parts."""
        touched = (accessed_buffers(body) for body in (first, second))
        shared = set.intersection(*touched) & {b.name for b in self.source.locals}
        if shared:
            raise ScheduleError(f"split_sum: {', '.join(sorted(shared))} is used in the sum and after it")


@step
@record
class Subtotal(Step):
    """Inside `loop`, a reduction, add to a new local that starts at 0; at the end of an iteration, add that to `local`.

    sum a in 0..256 {                     sum a in 0..256 {
      sum b in 0..256 {                     s.part[] = 0
        s[] = add(x[a, b], s[])       ->    sum b in 0..256 { s.part[] = add(x[a, b], s.part[]) }
      }                                     s[] = add(s.part[], s[])
    }                                     }

    A float32 number loses digits when it is added to a sum of many numbers; here, sums are of few numbers. The local
    may have dimensions, indexed by loops inside `loop` or around it. The loop must do nothing else with it.
    """

    purpose = "a sum of many numbers is a sum of sums of few, of similar size, so that fewer digits are lost"

    local: str
    loop: str

    def apply(self, kernel: Kernel) -> Kernel:
        require_loops(kernel, self.loop, "subtotal")
        buffer = next((b for b in kernel.locals if b.name == self.local), None)
        if buffer is None or buffer.type.dtype not in FLOATS:
            raise ScheduleError(f"subtotal: kernel {kernel.name!r} has no local {self.local!r} of floats")
        part = replace(buffer, name=fresh(f"{self.local}.part", kernel.buffers()))
        value = fresh(part.name, defined_names(kernel.body))
        found: list[Loop] = []

        def within(loop: Loop) -> Stmt:
            if self.local not in accessed_buffers(loop.body):
                return loop
            found.append(loop)
            return self._within(loop, part.name, value, part.type.dtype)

        body = map_loops(kernel.body, self.loop, within)
        if not found:
            raise ScheduleError(f"subtotal: no loop {self.loop!r} adds to {self.local!r}")
        return kernel.with_(body=body, locals=(*kernel.locals, part))

    def _within(self, loop: Loop, part: str, value: str, dtype: str) -> Loop:
        stmts = [s for s in walk(loop.body) if (a := access(s)) is not None and a[0] == self.local]
        (index, *others) = {access(s) for s in stmts}
        if loop.kind != "sum" or others or any(not isinstance(s, Accum) or s.fn == "max" for s in stmts):
            raise ScheduleError(f"subtotal: loop {self.loop!r} must be a sum that only adds to {self.local!r}")
        assert index is not None
        at = index[1]
        around = _indexing(loop.body, at)
        conds = _conditions(loop.body, self.local, {x.var for x in around})
        start = _nested(around, conds, (Store(part, at, identity("add", dtype)),))
        end = _nested(around, conds, (Load(value, part, at), Accum(self.local, at, "add", (value,))))
        return loop.with_body((*start, *added_to(loop.body, self.local, part), *end))


def _indexing(body: Body, index: tuple[Index, ...]) -> list[Loop]:
    """The loops in a body, one for each variable, that an index depends on, outer first."""
    vars = {v for i in index for v in i.vars}
    found: dict[str, Loop] = {}
    for s in walk(body):
        if isinstance(s, Loop) and s.var in vars:
            if s.extent is None or (s.var in found and (s.lo, s.hi) != (found[s.var].lo, found[s.var].hi)):
                raise ScheduleError(f"subtotal: loop {s.var!r} must have one constant range")
            found.setdefault(s.var, replace(s, kind="each"))
    return list(found.values())


def _conditions(body: Body, local: str, vars: set[str]) -> tuple[Index, ...]:
    """The conditions under which a body adds to a local, on these variables and on those of loops around the body.
    Elements for which they never hold have no subtotal, so the sums of lanes beyond the end are never read."""
    found = list(uses(body, local))
    own = {loop.var for use in found for loop in use.loops} - vars
    return tuple(c for c in found[0].conds if not own & set(c.vars) and all(c in use.conds for use in found))


def _nested(around: list[Loop], conds: tuple[Index, ...], body: Body) -> Body:
    body = (If(conds, body),) if conds else body
    for loop in reversed(around):
        body = (loop.with_body(body),)
    return body


@step
@record
class Partial(Step):
    """Privatize accumulator `local` over the `sum` loop, which becomes `each`; a short sum then combines the parts.

    acc[] = b                              each v { acc[v] = 0 }
    sum k { sum v {                  ->    sum k { each v { acc[v] = add(x[k, v], acc[v]) } }
      acc[] = add(x[k, v], acc[])          acc.sum[] = b
    } }                                    sum v { acc.sum[] = add(acc[v], acc.sum[]) }
    y = acc[]                              y = acc.sum[]

    The loop must have one constant range, and the accumulator must not have dimensions yet. Several sums after the
    store that starts the accumulator, each containing such a loop, share the parts. Works for add, fma and max. `join`
    names the loop of the short sum; by default it keeps the name. A loop that other sums share is `each` after the
    first of them, and the step is applied for each.
    """

    purpose = "a long sum runs as several short ones, which need not wait for each other"

    local: str
    loop: str
    join: str = ""

    def apply(self, kernel: Kernel) -> Kernel:
        buffer = require_local(kernel, self.local, "partial")
        if buffer.type.shape:
            raise ScheduleError(
                f"partial: {self.local!r} already has dimensions {buffer.type.shape}; apply it before Distribute"
            )
        if any(isinstance(s, Loop) and s.var == self.join for s in walk(kernel.body)):
            raise ScheduleError(f"partial: the kernel already has a loop {self.join!r}")
        work = _Privatize(kernel, self, buffer.type.dtype)
        body = work.rewrite(kernel.body)
        if work.extent is None:
            raise ScheduleError(
                f"partial: no 'sum' loop {self.loop!r} accumulates in {self.local!r} after a store to it"
            )
        parts = replace(buffer, type=buffer.type.with_(shape=(work.extent,)))
        joined = Buffer(work.joined, TensorType(buffer.type.dtype, ()), "register")
        rest = tuple(parts if b.name == self.local else b for b in kernel.locals)
        return kernel.with_(body=body, locals=(*rest, joined))


class _Privatize:
    def __init__(self, kernel: Kernel, partial: Partial, dtype: str) -> None:
        self.local, self.var, self.join, self.dtype = partial.local, partial.loop, partial.join, dtype
        self.joined = fresh(f"{self.local}.sum", kernel.buffers())
        self.extent: int | None = None
        self.part = fresh(f"{self.local}.part", [s.name for s in walk(kernel.body) if isinstance(s, Load)])

    def rewrite(self, body: Body) -> Body:
        """Transform the statements that start, reduce and read the accumulator."""
        init = next((k for k, s in enumerate(body) if isinstance(s, Store) and s.buffer == self.local), None)
        if init is None:
            return tuple(s.with_body(self.rewrite(s.body)) if isinstance(s, (Loop, If)) else s for s in body)
        reductions = [self._reductions(s) for s in body[init + 1 :]]
        end = init + 2 + max((k for k, loops in enumerate(reductions) if loops), default=-2)
        sums = [s for s in body[init + 1 : end] if _touches(s, self.local)]
        if not sums or not all(map(self._reductions, sums)):
            raise ScheduleError(
                f"partial: the statement after {self.local!r} starts must contain 'sum' loop {self.var!r}"
            )
        return self._privatize(body, init, end, [loop for loops in reductions for loop in loops])

    def _reductions(self, stmt: Stmt) -> list[Loop]:
        return [
            s for s in walk((stmt,))
            if isinstance(s, Loop) and s.var == self.var and s.kind != "for" and _accumulates(s, self.local)
        ]  # fmt: skip

    def _privatize(self, body: Body, init: int, end: int, loops: list[Loop]) -> Body:
        loop = loops[0]
        if (
            loop.extent is None
            or any((s.lo, s.hi) != (loop.lo, loop.hi) for s in loops)
            or self.extent not in (None, loop.extent)
        ):
            raise ScheduleError(f"partial: loop {self.var!r} must have one constant range")
        self.extent = loop.extent
        sums = body[init + 1 : end]
        accums = [s for s in walk(sums) if isinstance(s, Accum) and s.buffer == self.local]
        fn = "max" if accums[0].fn == "max" else "add"
        if any((s.fn == "max") != (fn == "max") for s in accums):
            raise ScheduleError(f"partial: {self.local!r} accumulates with max and with add")
        start = body[init]
        assert isinstance(start, Store)
        each = replace(loop, kind="each", body=(Store(self.local, (offset(loop),), identity(fn, self.dtype)),))
        return (
            *body[:init],
            each,
            *(self._inside(s, False) if _touches(s, self.local) else s for s in sums),
            *self._join(loop, fn, start.value),
            *self._read_joined(body[end:]),
        )

    def _join(self, loop: Loop, fn: str, start: Operand) -> Body:
        loop = replace(loop, var=self.join or loop.var, kind="sum")
        load = Load(self.part, self.local, (offset(loop),))
        return (Store(self.joined, (), start), loop.with_body((load, Accum(self.joined, (), fn, (self.part,)))))

    def _inside(self, stmt: Stmt, entered: bool, index: tuple[Index, ...] = ()) -> Stmt:
        if isinstance(stmt, Loop) and stmt.var == self.var and stmt.kind != "for":
            stmt, entered, index = replace(stmt, kind="each"), True, (offset(stmt),)
        if isinstance(stmt, (Loop, If)):
            return stmt.with_body(tuple(self._inside(s, entered, index) for s in stmt.body))
        accessed = access(stmt)
        if accessed is None or accessed[0] != self.local:
            return stmt
        if not entered or not isinstance(stmt, Accum):
            raise ScheduleError(f"partial: {self.local!r} must only be accumulated, and only inside loop {self.var!r}")
        return replace(stmt, index=index)

    def _read_joined(self, body: Body) -> Body:
        out: list[Stmt] = []
        for s in body:
            if isinstance(s, (Loop, If)):
                s = s.with_body(self._read_joined(s.body))
            elif isinstance(s, (Load, Store, Accum)) and s.buffer == self.local:
                s = replace(s, buffer=self.joined)
            out.append(s)
        return tuple(out)


def _accumulates(loop: Loop, local: str) -> bool:
    return any(isinstance(s, Accum) and s.buffer == local for s in walk((loop,)))


def _touches(stmt: Stmt, local: str) -> bool:
    return local in accessed_buffers((stmt,))


@step
@record
class LastBlock(Step):
    """Let the block of the first grid that ends last run the second grid, instead of launching it.

    local %y.parts: f32[8,3] device   ->   local %y.parts: f32[8,3] device
                                           local %y.blocks: u32[] counter

    Blocks count in the counter, which is zero before and after a launch. The second grid must have an item for each
    thread, and little to do: one block runs it. Its results are those of two launches, in every bit.
    """

    purpose = "the block that ends last adds up the parts, which saves a launch"

    def apply(self, kernel: Kernel) -> Kernel:
        found = [{s.run if isinstance(s, Loop) else "" for s in body} for body in bodies(kernel)]
        if found != [{"blocks"}, {"parallel"}] or any(b.space == "counter" for b in kernel.locals):
            raise ScheduleError(f"last_block: kernel {kernel.name!r} is not a grid of blocks and one of items")
        name = fresh(f"{kernel.outputs[0].name}.blocks", kernel.buffers())
        return kernel.with_(locals=(*kernel.locals, Buffer(name, TensorType("u32", ()), "counter")))
