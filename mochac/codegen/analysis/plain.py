"""Kernels in a plain form: loops without strides and phases, and one part of a sum over parts.

groups     filter = each*group + within: the sum over groups reduces to the one group of the filter
    strides    row = s*u + phase - p: of the sum over outputs oh = u - j the few taps s*j + phase remain

In both cases conditions restrict a sum to a few terms, which an outer loop divided by a stride determines. Such sums
are recognized by these conditions, whatever the operation and its loops are called. A loop X becomes X_u and X_p, and
the remaining sum runs over X_j.

Parted sum: a sum over the samples of each part of a batch, and the sum of these.

    each o { each f {                                       each o { each f {
      each part in 0..4 {
        acc = 0                                               acc = 0
        sum n in 0..25 { acc += x[25*part + n, f] .. }        sum n in 0..25 { acc += x[n, f] .. }
        sums[part] = acc                              ->      t = acc
      }
      t0 = sums[0]; t1 = sums[1]; ..
      y[o, f] = (t0 + t1) + (t2 + t3)                         y[o, f] = (t + t) + (t + t)
    } }                                                     } }

Rules see the kernel on the right, and choose a schedule for the sum of one part. Its steps also fit the kernel on the
left, where the sums of a tile wait in near memory. So every part is added up in the same order as by a kernel of its
own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import reduce

from mochac.base.records import record
from mochac.codegen.analysis.nests import accesses, each_loops
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Accum, Buffer, If, Kernel, Let, Load, Loop, Operand, Stmt, Store, rewrite, substitute, walk
from mochac.ir.nest import band, loops
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


def of_one_part(kernel: Kernel) -> Kernel:
    """The kernel with sums over one part only; the kernel itself if it has no sums of parts."""
    stores = {loop.var: store for loop in loops(kernel).values() for store in _kept_sums(kernel, loop)}
    sums = {store.buffer: store.value for store in stores.values()}
    if not sums:
        return kernel
    loaded = {s.name: sums[s.buffer] for s in walk(kernel.body) if isinstance(s, Load) and s.buffer in sums}

    def one(stmt: Stmt) -> Stmt | tuple[Stmt, ...] | None:
        if isinstance(stmt, Loop) and stmt.var in stores:
            return substitute(stmt.body, {stmt.var: Index.of(0)})
        if isinstance(stmt, (Load, Store)) and stmt.buffer in sums:
            return ()
        return _with_operands(stmt, loaded)

    rest = tuple(b for b in kernel.locals if b.name not in sums)
    return kernel.with_(body=rewrite(kernel.body, one), locals=rest)


def rows_of_one_part(kernel: Kernel) -> Kernel:
    """The kernel with the rows of one part of a batch; the kernel itself if it computes one part."""
    parts = kernel.parts
    if parts == 1:
        return kernel
    found = {(b, index[0]) for b, index, _ in accesses(kernel) if b.type.batch}
    if any(index != Index.var(v) or b.type.shape[0] % parts for b, index in found for v in index.vars or ("",)):
        return kernel
    rows = {v for _, index in found for v in index.vars}

    def shorter(b: Buffer) -> Buffer:
        shape = b.type.shape
        return replace(b, type=b.type.with_(shape=(shape[0] // parts, *shape[1:]))) if b.type.batch else b

    def one(stmt: Stmt) -> Stmt | None:
        if not isinstance(stmt, Loop) or stmt.var not in rows:
            return None
        return replace(stmt, hi=Limit.of((stmt.extent or 0) // parts))

    buffers = {name: tuple(map(shorter, getattr(kernel, name))) for name in ("inputs", "outputs", "locals")}
    return kernel.with_(body=rewrite(kernel.body, one), parts=1, **buffers)


def _with_operands(stmt: Stmt, instead: Mapping[str, Operand]) -> Stmt | None:
    """The statement with some of the values that it reads replaced."""

    def operand(x: Operand) -> Operand:
        return instead.get(x, x) if isinstance(x, str) else x

    match stmt:
        case Let(name, fn, args):
            return Let(name, fn, tuple(map(operand, args)))
        case Store(buffer, index, value):
            return Store(buffer, index, operand(value))
        case Accum(buffer, index, fn, args):
            return Accum(buffer, index, fn, tuple(map(operand, args)))
        case _:
            return None


def _kept_sums(kernel: Kernel, loop: Loop) -> Iterator[Store]:
    """The end of a loop over parts: each part keeps its sum in a local, from which all are read one by one."""
    last = loop.body[-1]
    if loop.kind != "each" or not isinstance(last, Store) or last.index != (Index.var(loop.var),):
        return
    sums = any(isinstance(s, Loop) and s.kind == "sum" for s in loop.body)
    reads = sorted(str(s.index[0]) for s in walk(kernel.body) if isinstance(s, Load) and s.buffer == last.buffer)
    if sums and reads == sorted(map(str, range(loop.extent or 0))):
        yield last
