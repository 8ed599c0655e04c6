"""Stage: keep the part of a buffer that a loop's body works on in a local."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import (
    SPACES,
    Accum,
    Body,
    Buffer,
    If,
    Kernel,
    Load,
    Loop,
    Stmt,
    Store,
    access,
    defined_names,
    identity,
    walk,
)
from mochac.ir.names import fresh
from mochac.ir.nest import Ranges, constant_range, loop_range, require_loops
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.starts_fresh import Use, starts_fresh, uses
from mochac.ir.types import TensorType


@step
@record
class Stage(Step):
    """Inside every `loop`, use a local copy of the elements of `buffer` that the inner loops range over.

    each a in 0..9 {                      each a in 0..9 {
      for q in 0..4 {                       each r in 0..5 { P.reg[r] = P[a, r] }
        each r in 0..5 {              ->    for q in 0..4 { each r in 0..5 { P.reg[r] = add(x[q], P.reg[r]) } }
          P[a, r] = add(x[q], P[a, r])      each r in 0..5 { P[a, r] = P.reg[r] }
        }                                 }
      }
    }

    The copy loops have the names of the loops they copy, so later steps apply to them, too; the local's dimensions are
    in nesting order. Bodies without reuse (every inner loop is in the index) and locals that live inside the loop are
    left alone. Elements that a body sets before it reads them are not copied in. If the staged buffer is written, the
    `sum` loops around it become `for`, because their iterations now interact through stores.

    With `subtotal`, the loop only adds to the elements; the copy starts at 0, and is added to them at the end:

    each a in 0..9 {                      each a in 0..9 {
      sum q in 0..4 {                       each r in 0..5 { P.reg[r] = 0 }
        each r in 0..5 {              ->    sum q in 0..4 { each r in 0..5 { P.reg[r] = add(x[q], P.reg[r]) } }
          P[a, r] = add(x[q], P[a, r])      each r in 0..5 { P[a, r] = add(P.reg[r], P[a, r]) }
        }                                 }
      }
    }
    """

    buffer: str
    loop: str
    space: str = "register"
    subtotal: bool = False

    def apply(self, kernel: Kernel) -> Kernel:
        require_loops(kernel, self.loop, "stage")
        if self.buffer not in kernel.buffers():
            raise ScheduleError(f"stage: kernel {kernel.name!r} has no buffer {self.buffer!r}")
        if self.space not in SPACES:
            raise ScheduleError(f"stage: space must be one of {', '.join(SPACES)}, not {self.space!r}")
        if self.space == "shared":
            raise ScheduleError("stage: copies in shared memory are made by step panels")
        work = _Staging(kernel, self)
        body = work.rewrite(kernel.body, {})
        if work.shape is None:
            raise ScheduleError(f"stage: no loop {self.loop!r} uses an element of {self.buffer!r} more than once")
        dtype = kernel.buffers()[self.buffer].type.dtype
        local = Buffer(work.name, TensorType(dtype, work.shape), self.space)
        return kernel.with_(body=body, locals=(*kernel.locals, local))


class _Staging:
    def __init__(self, kernel: Kernel, stage: Stage) -> None:
        self.stage = stage
        buffers = kernel.buffers()
        self.buffer = buffers[stage.buffer]
        self.name = fresh(f"{stage.buffer}.{'reg' if stage.space == 'register' else 'copy'}", buffers)
        defined = defined_names(kernel.body)
        self.value = fresh("moved", defined)
        self.result = fresh("moved", {*defined, self.value})
        self.shape: tuple[int, ...] | None = None
        self.outside = _used_outside(kernel.body, stage.loop, stage.buffer)

    def rewrite(self, body: Body, ranges: Ranges) -> Body:
        """Stage in every loop of that name, outermost first; turn reductions around written copies into `for`."""
        out: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, If):
                stmt = stmt.with_body(self.rewrite(stmt.body, ranges))
            elif isinstance(stmt, Loop):
                inside = {**ranges, stmt.var: loop_range(stmt, ranges)}
                if stmt.var == self.stage.loop:
                    stmt = self._stage(stmt, inside)
                else:
                    stmt = stmt.with_body(self.rewrite(stmt.body, inside))
                stmt = self._ordered(stmt)
            out.append(stmt)
        return tuple(out)

    def _ordered(self, loop: Loop) -> Loop:
        stores = (s for s in walk(loop.body) if isinstance(s, Store) and s.value in (self.value, self.result))
        carried = any(s.buffer == self.buffer.name and all(loop.var not in i.vars for i in s.index) for s in stores)
        return replace(loop, kind="for") if loop.kind == "sum" and carried else loop

    def _stage(self, loop: Loop, ranges: Ranges) -> Loop:
        found = list(uses(loop.body, self.buffer.name))
        if not any({x.var for x in u.loops} - set(_vars(u.index)) for u in found):
            return loop
        if self.stage.subtotal and not all(isinstance(u.stmt, Accum) and u.stmt.fn != "max" for u in found):
            raise ScheduleError(f"stage: loop {loop.var!r} does more with {self.buffer.name!r} than add to it")
        starts_here = self.buffer.space != "global" and starts_fresh(loop.body, self.buffer.name)
        if starts_here and not self.outside:
            return loop
        first = found[0]
        if any(u.index != first.index for u in found):
            raise ScheduleError(f"stage: {self.buffer.name!r} is used at several indices inside loop {loop.var!r}")
        copied = [x for x in first.loops if x.var in _vars(first.index)]
        spans = [_span(x.var, found) for x in copied]
        local = tuple(Index.var(x.var) - lo for x, (lo, _) in zip(copied, spans, strict=True))
        written = any(not isinstance(u.stmt, Load) for u in found)
        if written:
            self._check_distinct(first.index, copied, spans)
        self._grow(spans)

        def copy(target: Body, uses: list[Use], spans: list[tuple[int, int]]) -> Body:
            spanned = {x.var: (lo, hi - 1) for x, (lo, hi) in zip(copied, spans, strict=True)}
            conds = self._guards(uses, set(spanned), {**ranges, **spanned})
            body = (If(conds, target),) if conds else target
            for x, (lo, hi) in reversed(list(zip(copied, spans, strict=True))):
                body = (Loop(x.var, Limit.of(lo), Limit.of(hi), "each", x.run, body),)
            return body

        read = (Load(self.value, self.buffer.name, first.index), Store(self.name, local, self.value))
        if self.stage.subtotal:
            load = copy((Store(self.name, local, identity("add", self.buffer.type.dtype)),), found, spans)
            add = Accum(self.buffer.name, first.index, "add", (self.value,))
            save = copy((Load(self.value, self.name, local), add), found, spans)
        elif written:
            load, value = copy(read, found, spans), self.value if copied else self.result  # without loops, one scope
            save = copy((Load(value, self.name, local), Store(self.buffer.name, first.index, value)), found, spans)
        else:
            load, save = tuple(s for part, own in _boxes(found, copied) for s in copy(read, part, own)), ()
        return loop.with_body((*(() if starts_here else load), *self._redirect(loop.body, local), *save))

    def _grow(self, spans: list[tuple[int, int]]) -> None:
        shape = tuple(hi - lo for lo, hi in spans)
        if self.shape is not None and len(shape) != len(self.shape):
            raise ScheduleError(f"stage: loops {self.stage.loop!r} use {self.buffer.name!r} in different ways")
        self.shape = shape if self.shape is None else tuple(map(max, shape, self.shape))

    def _guards(self, uses: list[Use], copied: set[str], ranges: Ranges) -> tuple[Index, ...]:
        """Conditions that the copy can keep (those free of inner loops that are not copied), and range conditions."""
        outer_conds = []
        for use in uses:
            inner = {x.var for x in use.loops} - copied
            outer_conds.append([c for c in use.conds if not inner & set(c.vars)])
        common = [c for c in outer_conds[0] if all(c in k for k in outer_conds)]
        return tuple(dict.fromkeys((*common, *self._range_conditions(uses[0].index, ranges))))

    def _range_conditions(self, index: tuple[Index, ...], ranges: Ranges) -> list[Index]:
        """Conditions that keep the copy inside the buffer, since copied loops may cover more than each use does."""
        conds = [c for i, d in zip(index, self.buffer.type.shape, strict=True) for c in (i, d - 1 - i)]
        bounds = [(c, c.bounds(ranges)) for c in conds]
        return [c for c, b in bounds if b is None or b[0] < 0]

    def _check_distinct(self, index: tuple[Index, ...], copied: list[Loop], spans: list[tuple[int, int]]) -> None:
        extents = {x.var: hi - lo for x, (lo, hi) in zip(copied, spans, strict=True)}
        distinct: set[str] = set()
        for axis in index:
            reach = 1
            terms = sorted((abs(c), v) for v, c in axis.terms if v in extents)
            for c, v in terms:
                if c < reach:
                    raise ScheduleError(f"stage: {self.buffer.name!r} is written and {axis} may reach an element twice")
                reach += c * (extents[v] - 1)
                distinct.add(v)
        assert distinct == set(extents)

    def _redirect(self, body: Body, local: tuple[Index, ...]) -> Body:
        out: list[Stmt] = []
        for s in body:
            accessed = access(s)
            if isinstance(s, (Loop, If)):
                s = s.with_body(self._redirect(s.body, local))
            elif accessed is not None and accessed[0] == self.buffer.name:
                s = replace(s, buffer=self.name, index=local)  # type: ignore[call-arg]
            out.append(s)
        return tuple(out)


def _vars(index: tuple[Index, ...]) -> tuple[str, ...]:
    return tuple(v for i in index for v in i.vars)


def _used_outside(body: Body, loop: str, buffer: str) -> bool:
    """Whether a buffer is used outside of all loops over `loop`."""
    for s in body:
        if isinstance(s, (Loop, If)):
            if not (isinstance(s, Loop) and s.var == loop) and _used_outside(s.body, loop, buffer):
                return True
        elif (accessed := access(s)) is not None and accessed[0] == buffer:
            return True
    return False


def _span(var: str, uses: list[Use]) -> tuple[int, int]:
    """The smallest range that covers every loop over `var` around the uses."""
    ranges = [constant_range(x, "stage") for u in uses for x in u.loops if x.var == var]
    return min(lo for lo, _ in ranges), max(hi for _, hi in ranges)


def _boxes(uses: list[Use], copied: list[Loop]) -> list[tuple[list[Use], list[tuple[int, int]]]]:
    """Groups of uses that range over the same part of a buffer, each with that part; each group gets its own copy."""
    boxes: dict[tuple[tuple[int, int], ...], list[Use]] = {}
    for u in uses:
        around = {x.var: constant_range(x, "stage") for x in u.loops}
        boxes.setdefault(tuple(around[x.var] for x in copied), []).append(u)
    return [(part, list(ranges)) for ranges, part in boxes.items()]
