"""SplitSum: sum the parts of a sum in one grid and add them up in a second one."""

from __future__ import annotations

from dataclasses import replace

from mochac.ir.fresh import fresh
from mochac.ir.index import Index
from mochac.ir.kernel import (
    Accum,
    Body,
    Buffer,
    Kernel,
    Let,
    Load,
    Loop,
    Store,
    access,
    accessed_buffers,
    defined_names,
    identity,
    used_names,
    walk,
)
from mochac.ir.names import rename_buffers
from mochac.ir.nest import band, offset
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.steps.detach import marked
from mochac.ir.types import TensorType
from mochac.records import record


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
    limits around one sum of `add` or `fma` in local `local`; split the sum first.
    """

    purpose = "there are too few results to fill the device, so blocks share their sums"

    local: str
    loop: str
    mark: str = ".s"

    def apply(self, kernel: Kernel) -> Kernel:
        return _SplitSum(kernel, self).kernel()


class _SplitSum:
    def __init__(self, kernel: Kernel, step: SplitSum) -> None:
        self.source, self.step = kernel, step
        self.band = band(kernel.body, kind="each")
        self.body = self.band[-1].body if self.band else kernel.body
        self.start, self.at = self._find()
        self.sum = self.body[self.at]
        assert isinstance(self.sum, Loop)
        self.acc = kernel.buffers()[step.local]
        self.loops = [self.sum, *self.band]
        buffers = kernel.buffers()
        shape = tuple(loop.extent or 0 for loop in self.loops)
        self.parts = Buffer(
            fresh(f"{kernel.outputs[0].name}.parts", buffers), TensorType(self.acc.type.dtype, shape), "device"
        )
        self.total = replace(self.acc, name=fresh(f"{step.local}.sum", buffers))
        self.value = fresh(f"{step.local}.part", defined_names(kernel.body))

    def kernel(self) -> Kernel:
        first, second = self._first(), marked(self._second(), self.step.mark)
        self._check_apart(first, second)
        return self.source.with_(body=(*first, *second), locals=(*self.source.locals, self.total, self.parts))

    def _find(self) -> tuple[int, int]:
        """The positions of the accumulator's start and of the sum."""
        step, local = self.step, next((b for b in self.source.locals if b.name == self.step.local), None)
        if local is None or local.type.shape or local.space != "register":
            raise ScheduleError(f"split_sum: kernel {self.source.name!r} has no local {step.local!r} of one element")
        uses = [k for k, s in enumerate(self.body) if any((a := access(x)) and a[0] == local.name for x in walk((s,)))]
        start, at = (self.body[k] for k in uses[:2]) if len(uses) > 1 else (None, None)
        if not isinstance(start, Store) or not isinstance(at, Loop) or (at.var, at.kind) != (step.loop, "sum"):
            raise ScheduleError(f"split_sum: {step.loop!r} is not the outermost loop of a sum in {step.local!r}")
        if any(loop.extent is None or loop.lo.const != 0 for loop in (at, *self.band)):
            raise ScheduleError("split_sum: all loops around the sum, and its own, need constant limits from 0")
        adds = [s for s in walk(at.body) if isinstance(s, (Accum, Store))]
        if len(adds) != 1 or not isinstance(adds[0], Accum) or adds[0].fn == "max":
            raise ScheduleError(f"split_sum: the sum over {step.loop!r} must add to {step.local!r} and do nothing else")
        return uses[0], uses[1]

    def _first(self) -> Body:
        """The partial sums."""
        assert isinstance(self.sum, Loop)
        zero = Store(self.acc.name, (), identity("add", self.acc.type.dtype))
        done = (Load(self.value, self.acc.name, ()), Store(self.parts.name, self._there(), self.value))
        body: Body = (*self._needed(self.sum.body), zero, *self.sum.body, *done)
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
        load = Load(self.value, self.parts.name, self._there())
        added = self.sum.with_body((load, Accum(self.total.name, (), "add", (self.value,))))
        total = {self.acc.name: self.total.name}
        before, after = (rename_buffers(part, total) for part in (self.body[: self.at], self.body[self.at + 1 :]))
        body = (*before, added, *after)
        for loop in reversed(self.band):
            body = (loop.with_body(body),)
        return body

    def _there(self) -> tuple[Index, ...]:
        return tuple(offset(loop) for loop in self.loops)

    def _check_apart(self, first: Body, second: Body) -> None:
        """Check that the nests share no local but the parts."""
        touched = (accessed_buffers(body) for body in (first, second))
        shared = set.intersection(*touched) & {b.name for b in self.source.locals}
        if shared:
            raise ScheduleError(f"split_sum: {', '.join(sorted(shared))} is used in the sum and after it")
