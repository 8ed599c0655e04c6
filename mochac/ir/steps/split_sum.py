"""SplitSum: sum the parts of a sum in one grid and add them up in a second one."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from mochac.base.records import record
from mochac.ir.fresh import claimed
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
        self._check_apart(first, second)
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

    def _check_apart(self, first: Body, second: Body) -> None:
        """Check that the nests share no local but the parts."""
        touched = (accessed_buffers(body) for body in (first, second))
        shared = set.intersection(*touched) & {b.name for b in self.source.locals}
        if shared:
            raise ScheduleError(f"split_sum: {', '.join(sorted(shared))} is used in the sum and after it")
