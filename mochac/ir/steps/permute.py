"""Permute: reorder the dimensions of a local."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.kernel import Accum, Kernel, Load, Prefetch, Stmt, Store, rewrite
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class Permute(Step):
    """Dimension `order[k]` of `local` becomes dimension k.

    row[n, c, w]: f32[4,3,8]  ->  row[c, w, n]: f32[3,8,4]     (local=row, order=(1, 2, 0))

    Unlike Innermost, it does not depend on which loops index the dimensions.
    """

    purpose = "the local lies in the order in which it is read"

    local: str
    order: tuple[int, ...]

    def apply(self, kernel: Kernel) -> Kernel:
        buffer = next((b for b in kernel.locals if b.name == self.local), None)
        if buffer is None:
            raise ScheduleError(f"permute: kernel {kernel.name!r} has no local {self.local!r}")
        shape = buffer.type.shape
        if sorted(self.order) != list(range(len(shape))):
            raise ScheduleError(f"permute: order must name each of the {len(shape)} dimensions of {self.local!r} once")

        def change(stmt: Stmt) -> Stmt | None:
            if isinstance(stmt, (Load, Store, Accum, Prefetch)) and stmt.buffer == self.local:
                return replace(stmt, index=tuple(stmt.index[k] for k in self.order))
            return None

        turned = replace(buffer, type=buffer.type.with_(shape=tuple(shape[k] for k in self.order)))
        changed = tuple(turned if b.name == self.local else b for b in kernel.locals)
        return kernel.with_(body=rewrite(kernel.body, change), locals=changed)
