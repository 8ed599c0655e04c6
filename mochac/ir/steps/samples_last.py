"""SamplesLast: make the samples of a buffer that has a single block its last dimension."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.kernel import Accum, Kernel, Load, Prefetch, Stmt, Store, rewrite
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class SamplesLast(Step):
    """Describe a blocked buffer, which has a single block of samples, as it lies in memory; nothing moves.

    x[n, c, w]: f32[b3,2,8] blocked(4)  ->  x[c, w, n]: f32[2,8,4] of f32[b3,2,8] blocked(4)
    """

    purpose = "samples are an axis like others, so that a vector may hold the samples of several columns"

    buffer: str

    def apply(self, kernel: Kernel) -> Kernel:
        found = next((b for b in (*kernel.inputs, *kernel.outputs) if b.name == self.buffer), None)
        if found is None or not found.type.lanes:
            raise ScheduleError(f"samples_last: kernel {kernel.name!r} has no blocked buffer {self.buffer!r}")
        samples, *others = found.type.shape
        if samples > found.type.lanes:
            raise ScheduleError(f"samples_last: the {samples} samples of {self.buffer!r} lie in several blocks")

        def change(stmt: Stmt) -> Stmt | None:
            if isinstance(stmt, (Load, Store, Accum, Prefetch)) and stmt.buffer == self.buffer:
                return replace(stmt, index=(*stmt.index[1:], stmt.index[0]))
            return None

        natural = found.type.with_(shape=(*others, found.type.lanes), batch=False, lanes=0)
        inputs, outputs = (
            tuple(replace(b, type=natural, passed=b.type) if b.name == self.buffer else b for b in buffers)
            for buffers in (kernel.inputs, kernel.outputs)
        )
        return kernel.with_(body=rewrite(kernel.body, change), inputs=inputs, outputs=outputs)
