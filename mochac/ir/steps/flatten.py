"""Flatten: merge two neighbouring dimensions of a buffer."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Kernel, Load, Prefetch, Stmt, Store, rewrite
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class Flatten(Step):
    """Merge dimensions `axis` and `axis` + 1 of a buffer; nothing moves in memory.

    row[c, w, n]: f32[3,8,4]  ->  row[c, n + 4*w]: f32[3,32]     (local=row, axis=1)
    """

    purpose = "neighbours in memory become one axis, so that one loop can run over them"

    local: str
    axis: int

    def apply(self, kernel: Kernel) -> Kernel:
        buffer = kernel.buffers().get(self.local)
        if buffer is None:
            raise ScheduleError(f"flatten: kernel {kernel.name!r} has no buffer {self.local!r}")
        shape, k = buffer.type.shape, self.axis
        if k == 0 and buffer.type.lanes:
            raise ScheduleError(f"flatten: dimension 0 of {self.local!r} is stored in blocks")
        if not 0 <= k < len(shape) - 1:
            raise ScheduleError(f"flatten: {self.local!r} has {len(shape)} dimensions, none after {k}")

        def merged(index: tuple[Index, ...]) -> tuple[Index, ...]:
            return (*index[:k], index[k] * shape[k + 1] + index[k + 1], *index[k + 2 :])

        def change(stmt: Stmt) -> Stmt | None:
            if isinstance(stmt, (Load, Store, Accum, Prefetch)) and stmt.buffer == self.local:
                return replace(stmt, index=merged(stmt.index))
            return None

        flat = buffer.type.with_(shape=(*shape[:k], shape[k] * shape[k + 1], *shape[k + 2 :]))
        inputs, outputs, locals_ = (
            tuple(replace(b, type=flat) if b.name == self.local else b for b in buffers)
            for buffers in (kernel.inputs, kernel.outputs, kernel.locals)
        )
        return kernel.with_(body=rewrite(kernel.body, change), inputs=inputs, outputs=outputs, locals=locals_)
