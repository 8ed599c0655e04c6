"""Innermost: store a local so that one loop accesses it with stride 1."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Buffer, Kernel, Load, Prefetch, Stmt, Store, access, rewrite, walk
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class Innermost(Step):
    """Make the dimension of `local` that is indexed by `loop` the last one.

    acc[lane, r] = ...  ->  acc[r, lane] = ...     (local=acc, loop=lane)

    Vector loops then load and store whole registers. Every access must index the same dimension by the loop.
    """

    purpose = "vectors of the local are loaded and stored as whole registers"

    local: str
    loop: str

    def apply(self, kernel: Kernel) -> Kernel:
        buffer = next((b for b in kernel.locals if b.name == self.local), None)
        if buffer is None:
            raise ScheduleError(f"innermost: kernel {kernel.name!r} has no local {self.local!r}")
        axes = {self._axis(a[1]) for s in walk(kernel.body) if (a := access(s)) is not None and a[0] == self.local}
        if len(axes) != 1 or None in axes:
            raise ScheduleError(f"innermost: loop {self.loop!r} must index one dimension of {self.local!r} everywhere")
        (axis,) = axes
        assert axis is not None
        shape = (*buffer.type.shape[:axis], *buffer.type.shape[axis + 1 :], buffer.type.shape[axis])
        moved = replace(buffer, type=buffer.type.with_(shape=shape))
        body = rewrite(kernel.body, lambda stmt: self._permute(stmt, moved, axis))
        return kernel.with_(body=body, locals=tuple(moved if b.name == self.local else b for b in kernel.locals))

    def _axis(self, index: tuple[Index, ...]) -> int | None:
        axes = [k for k, i in enumerate(index) if i.coefficient(self.loop)]
        return axes[0] if len(axes) == 1 else None

    def _permute(self, stmt: Stmt, buffer: Buffer, axis: int) -> Stmt | None:
        if not isinstance(stmt, (Load, Store, Accum, Prefetch)) or stmt.buffer != buffer.name:
            return None
        index = stmt.index
        return replace(stmt, index=(*index[:axis], *index[axis + 1 :], index[axis]))
