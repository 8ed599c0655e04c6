"""Partial: give every iteration of a reduction loop its own accumulator."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.fresh import fresh
from mochac.ir.index import Index
from mochac.ir.kernel import (
    Accum,
    Body,
    Buffer,
    If,
    Kernel,
    Load,
    Loop,
    Operand,
    Stmt,
    Store,
    access,
    accessed_buffers,
    identity,
    walk,
)
from mochac.ir.nest import offset
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.types import TensorType


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
        buffer = next((b for b in kernel.locals if b.name == self.local), None)
        if buffer is None:
            raise ScheduleError(f"partial: kernel {kernel.name!r} has no local {self.local!r}")
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
