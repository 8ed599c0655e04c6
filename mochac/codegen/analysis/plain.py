"""The plain form of a kernel: each sum keeps only the terms that its conditions leave.

    groups     filter = each*group + within: the sum over groups reduces to the one group of the filter
    strides    row = s*u + phase - p: of the sum over outputs oh = u - j the few taps s*j + phase remain

In both cases conditions restrict a sum to a few terms, which an outer loop divided by a stride determines. Such sums
are recognized by these conditions, whatever the operation and its loops are called. A loop X becomes X_u and X_p, and
the remaining sum runs over X_j.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from mochac.base.records import record
from mochac.codegen.analysis.nests import each_loops
from mochac.ir.index import Index
from mochac.ir.kernel import If, Kernel, Load, Loop, walk
from mochac.ir.nest import band
from mochac.ir.schedule import ScheduleError, Step
from mochac.ir.steps.clip import Skew, Widen
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.split import Split


@record
class Strided:
    """A loop divided by a stride.

    Attributes:
        block, phase: the loops over quotients and over remainders.
        reached: how many of the phases have terms; the results of the others are zero.
    """

    block: str
    phase: str
    reached: int


@record
class Plain:
    """A kernel, the steps from the naive kernel to it, and the loops that they cut."""

    kernel: Kernel
    steps: tuple[Step, ...] = ()
    strided: tuple[Strided, ...] = ()


@record
class _StridedSum:
    """A `sum` loop that conditions restrict to 0 <= outer + pad - stride * sum < taps."""

    outer: str
    sum: str
    stride: int
    pad: int
    taps: int

    @property
    def cut(self) -> Strided:
        return Strided(f"{self.outer}_u", f"{self.outer}_p", min(self.stride, self.taps))

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that leave only the iterations that the conditions allow."""
        tap, cut, shift = f"{self.outer}_j", self.cut, self.pad % self.stride
        if self.stride == 1:
            return (Skew(self.sum, self.outer, tap),)
        widen = (Widen(self.outer, shift),) if shift else ()
        return (*widen, Split(self.outer, self.stride, cut.block, cut.phase), Skew(self.sum, cut.block, tap))


def plain(kernel: Kernel) -> Plain:
    """The kernel with such sums cut and its conditions innermost; unchanged if it has no such sums."""
    strided = tuple(_strided(kernel))
    if not strided:
        return Plain(kernel)
    steps = tuple(step for s in strided for step in s.steps)
    try:
        cut = reduce(lambda k, step: step.apply(k), steps, kernel)
        order = Reorder(tuple(loop.var for loop in each_loops(cut.body)))
        done = order.apply(cut)
    except ScheduleError:  # other statements are between the loops
        return Plain(kernel)
    return Plain(done, (*steps, order), tuple(s.cut for s in strided if s.stride > 1))


def _strided(kernel: Kernel) -> Iterator[_StridedSum]:
    """The sums that cutting does not make longer. With stride 1, these are only sums with a single term left, as with
    groups of one filter, but not windows as large as the image that they pad."""
    outer = {loop.var for loop in band(kernel.body, kind="each")}
    sums = {s.var: s.extent or 0 for s in walk(kernel.body) if isinstance(s, Loop) and s.kind == "sum"}
    conds = [c for s in walk(kernel.body) if isinstance(s, If) for c in s.conds]
    for low in conds:
        strided = _of(low, conds, outer, set(sums))
        if strided is None or -(-strided.taps // strided.stride) > sums[strided.sum]:
            continue
        if strided.stride > 1 or (strided.taps == 1 and not _pads(kernel, low, strided.sum)):
            yield strided


def _pads(kernel: Kernel, low: Index, var: str) -> bool:
    """Whether an operand moves over a loop only by `low`, so that its conditions just keep a window inside the
    operand."""
    moving = [[i for i in s.index if var in i.vars] for s in walk(kernel.body) if isinstance(s, Load)]
    return [low] in moving


def _of(low: Index, conds: list[Index], outer: set[str], sums: set[str]) -> _StridedSum | None:
    """The sum that is limited by a condition `low` and by its counterpart, which differs from it by a constant."""
    over, within = [v for v in low.vars if v in outer], [v for v in low.vars if v in sums]
    if len(low.vars) != 2 or len(over) != 1 or len(within) != 1 or low.coefficient(over[0]) != 1:
        return None
    stride = -low.coefficient(within[0])
    high = next((c for c in conds if not (c + low).vars and c != low), None)
    if stride < 1 or low.const < 0 or high is None:
        return None
    return _StridedSum(over[0], within[0], stride, low.const, (high + low).const + 1)
