"""Cut: give the last iterations of a loop their own loop, under another name."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import (
    Buffer,
    Kernel,
    Loop,
    accessed_buffers,
    defined_names,
    substitute,
    walk,
)
from mochac.ir.names import rename_buffers, rename_loops, rename_values
from mochac.ir.nest import constant_range, map_loops, require_loops
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class Cut(Step):
    """Iterations from `at` on get their own loop, counted from 0. Its loops, values and locals get `suffix`.

    each n in 0..9 {                     each n in 0..8 { each c in 0..3 { y[n, c] = 0 } }
      each c in 0..3 { y[n, c] = 0 }  ->
    }                                    each n.tail in 0..1 { each c.tail in 0..3 { y[n.tail + 8, c.tail] = 0 } }

    (at=8, suffix=.tail) Unlike after Peel, later steps can treat the two parts differently.
    """

    loop: str
    at: int
    suffix: str

    def apply(self, kernel: Kernel) -> Kernel:
        loops = require_loops(kernel, self.loop, "cut")
        if len(loops) > 1:
            raise ScheduleError(f"cut: kernel {kernel.name!r} has {len(loops)} loops {self.loop!r}")
        (loop,) = loops
        lo, hi = constant_range(loop, "cut")
        if not lo < self.at < hi:
            raise ScheduleError(f"cut: loop {self.loop!r} runs over {lo}..{hi}, cannot be cut at {self.at}")
        own = _own(kernel, loop)
        parts = (replace(loop, hi=Limit.of(self.at)), self._second(loop, hi, {b.name for b in own}))
        taken = {s.var for s in walk(kernel.body) if isinstance(s, Loop)} | set(kernel.buffers())
        clash = taken & {s.var for s in walk(parts[1:]) if isinstance(s, Loop)}
        clash |= taken & {f"{b.name}{self.suffix}" for b in own}
        if clash:
            raise ScheduleError(f"cut: the kernel already has {', '.join(sorted(clash))}")
        copies = tuple(replace(b, name=f"{b.name}{self.suffix}") for b in own)
        body = map_loops(kernel.body, self.loop, lambda _: parts)
        return kernel.with_(body=body, locals=(*kernel.locals, *copies))

    def _second(self, loop: Loop, hi: int, own: set[str]) -> Loop:
        """The second part with new names."""
        names = {s.var: f"{s.var}{self.suffix}" for s in walk((loop,)) if isinstance(s, Loop)}
        values = {name: f"{name}{self.suffix}" for name in defined_names(loop.body)}
        buffers = {name: f"{name}{self.suffix}" for name in own}
        moved = loop.with_body(substitute(loop.body, {loop.var: Index.var(loop.var) + self.at}))
        (part,) = rename_values(rename_buffers(rename_loops((moved,), names), buffers), values)
        assert isinstance(part, Loop)
        return replace(part, lo=Limit.of(0), hi=Limit.of(hi - self.at))


def _own(kernel: Kernel, loop: Loop) -> list[Buffer]:
    """Locals that are not accessed outside the loop."""
    outside = accessed_buffers(map_loops(kernel.body, loop.var, lambda _: ()))
    inside = accessed_buffers(loop.body)
    return [b for b in kernel.locals if b.name in inside - outside]
