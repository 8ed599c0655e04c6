"""Simulates what a scheduled kernel moves between caches: a model of the caches, and the accesses of the kernel.

The kernel is printed as a function that computes nothing, but touches in the model what the kernel accesses:

    each o in 0..4 { sum f in 0..9 {                        for o { for f {
      %a = %x[f]                                              touch(x + 4*f, 4 bytes)
      each v in 0..16 vector {                                touch(w + 64*f + 576*o, 64 bytes)
        %b = %w[o, f, v]                              ->    } }
        %acc[v] = fma(%a, %b, %acc[v])
      }
    } }

Accesses come in the order of the printed code, on one thread: items of parallel loops run one after another. Loops are
never unrolled, since only addresses count; the lanes of a vector are touched as runs of neighbours. Values in registers
are not touched. A value that the printer keeps from an earlier load is touched again, which moves no line.

The model consists of native functions: set-associative levels with least-recently-used replacement. A level is an array
of i64, as `level_words` writes it: its sets and ways, the address of the next level (0: memory), the number of lines
written back to that level, the number of buffers, the number of lines that each buffer has fetched from it, and for
every set its lines, the last used first. A line is 2 * number + 1 if it has been written to, 2 * number if not.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from mochac.codegen.cpu.addresses import address_of
from mochac.codegen.cpu.emitter import TextEmitter
from mochac.codegen.cpu.environment import Environment
from mochac.codegen.machine import LINE, CacheLevel
from mochac.codegen.native.llvm_text import llvm_text
from mochac.codegen.native.values import Words, i64
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Buffer, If, Kernel, Load, Loop, Prefetch, Stmt, Store, access
from mochac.ir.scalar import Reg
from mochac.ir.types import DTYPES

SETS, WAYS, NEXT, WRITTEN, BUFFERS, FETCHED = 0, 1, 2, 3, 4, 5
"""Words of a level; from FETCHED on, one for each buffer, then the sets."""
EMPTY = -2
"""An entry without a line, which has not been written to."""


def level_words(level: CacheLevel, following: int, buffers: int) -> list[int]:
    """The array of an empty level; `following` is the address of the next one."""
    sets = level.n_bytes // (LINE * level.ways)
    return [sets, level.ways, following, 0, buffers, *[0] * buffers, *[EMPTY] * (sets * level.ways)]


def touch_line(level: Words, line: i64, dirty: i64, buffer: i64, fetch: bool) -> None:
    """Access a line: put it in front of its set; if it is not there, fetch it, and write back the one that leaves."""
    entries = level.at(FETCHED + level[BUFFERS] + line % level[SETS] * level[WAYS])
    entry = entries[0]
    if entry & -2 == line << 1:
        entries[0] = entry | dirty
        return
    for way in range(1, level[WAYS]):
        moved = entry
        entry = entries[way]
        entries[way] = moved
        if entry & -2 == line << 1:
            entries[0] = entry | dirty
            return
    entries[0] = line << 1 | dirty
    further = level[NEXT]
    if fetch:
        level.at(FETCHED)[buffer] += 1
        if further != 0:
            touch_line(Words(further), line, 0, buffer, True)
    if entry & 1 != 0:
        level[WRITTEN] += 1
        if further != 0:
            touch_line(Words(further), entry >> 1, 1, buffer, False)


def touch(level: Words, at: i64, n_bytes: i64, dirty: i64, buffer: i64) -> None:
    """Access all lines of some bytes on behalf of a buffer."""
    for line in range(at // LINE, (at + n_bytes - 1) // LINE + 1):
        touch_line(level, line, dirty, buffer, True)


def touch_if(level: Words, at: i64, n_bytes: i64, dirty: i64, buffer: i64, active: bool) -> None:
    """Access the bytes of an active lane."""
    if active:
        touch(level, at, n_bytes, dirty, buffer)


@cache
def cache_model_text() -> str:
    """LLVM text of `touch` and `touch_if`."""
    return llvm_text([touch, touch_if])


SYMBOL = "mochac_trace"


def memory_buffers(kernel: Kernel) -> tuple[Buffer, ...]:
    """The buffers that lie in memory, each once: parameters, then scratch."""
    buffers = (*kernel.inputs, *kernel.outputs, *(b for b in kernel.locals if b.space == "scratch"))
    return tuple({b.name: b for b in buffers}.values())


def trace_text(kernel: Kernel) -> str:
    """A module with the function `void @SYMBOL(ptr nearest level, ptr addresses)`; the addresses are those of
    `memory_buffers`, in order."""
    tracer = _Tracer(kernel)
    tracer.body(kernel.body)
    e = tracer.e
    lines = "\n".join(["entry:", *e.scopes[0].head, *e.scopes[0].lines, "  ret void"])
    function = f"define void @{SYMBOL}(ptr %level, ptr %addresses) nounwind {{\n{lines}\n}}\n"
    return "\n".join([*sorted(e.declares), cache_model_text(), function])


class _Tracer:
    """Prints the loops and conditions of a kernel, and a call for each of its accesses."""

    def __init__(self, kernel: Kernel) -> None:
        self.e = TextEmitter()
        self.env = Environment(self.e)
        self.buffers = kernel.buffers()
        self.bases: dict[str, tuple[int, Reg]] = {}
        for k, buffer in enumerate(memory_buffers(kernel)):
            where = self.e.at_head(0, ("arg", k), f"getelementptr i64, ptr %addresses, i64 {k}", "ptr")
            self.bases[buffer.name] = k, self.e.at_head(0, ("base", k), f"load i64, ptr {where.text}")
        self.masks: tuple[Index, ...] = ()

    def body(self, statements: tuple[Stmt, ...]) -> None:
        for stmt in statements:
            match stmt:
                case Load() | Store() | Accum() | Prefetch():
                    self.touch(stmt)
                case Loop():
                    self.loop(stmt)
                case If():
                    self.guard(stmt)
                case _:
                    pass

    # --- control

    def loop(self, loop: Loop) -> None:
        bounds = self.env.constant_range(loop)
        if bounds is None:
            self._counted(loop, self.env.limit(loop.lo, "smax"), self.env.limit(loop.hi, "smin"), True)
        elif bounds[1] == bounds[0] + 1:
            self.env.fix(loop.var, bounds[0])
            self.body(loop.body)
            del self.env.consts[loop.var]
        elif loop.run == "vector":
            outer, self.env.vector = self.env.vector, self.env.vector.inside(loop.var, bounds[1])
            self.env.ranges[loop.var] = (0, bounds[1] - 1)
            self.body(loop.body)
            self.env.vector = outer
        elif bounds[0] < bounds[1]:
            self._counted(loop, Reg(str(bounds[0]), "i64"), Reg(str(bounds[1]), "i64"), False)

    def _counted(self, loop: Loop, lo: Reg, hi: Reg, skip: bool) -> None:
        bounds = self.env.constant_range(loop)
        inclusive = (bounds[0], bounds[1] - 1) if bounds else self.env.dynamic_range(loop)
        with self.e.loop(loop.var, lo, hi, skip=skip) as inner:
            self.env.vars[loop.var] = (inner.counter, inner.depth)
            self.env.ranges[loop.var] = inclusive
            self.body(loop.body)
            del self.env.vars[loop.var]

    def guard(self, stmt: If) -> None:
        """Keep conditions on lanes for the accesses; the others become branches."""
        outer = self.masks
        lanes = self.env.vector.names
        self.masks = (*outer, *(c for c in stmt.conds if set(c.vars) & set(lanes)))
        uniform = [self.env.uniform(c)[0] for c in stmt.conds if not set(c.vars) & set(lanes)]
        if uniform:
            self._branch(uniform, stmt.body)
        else:
            self.body(stmt.body)
        self.masks = outer

    def _branch(self, uniform: list[Reg], body: tuple[Stmt, ...]) -> None:
        e, holds = self.e, None
        for value in uniform:
            one = e.compare("icmp", "sge", value, Reg("0", "i64"))
            holds = one if holds is None else e.binary("and", holds, one)
        assert holds is not None
        then, done = e.label("then"), e.label("endif")
        e.line(f"br i1 {holds.text}, label %{then}, label %{done}")
        e.start_block(then)
        with e.scope() as scope:
            self.body(body)
            e.line(f"br label %{done}")
        e.scopes[-1].lines.extend([*scope.head, *scope.lines])
        e.start_block(done)

    # --- access

    def touch(self, stmt: Load | Store | Accum | Prefetch) -> None:
        """Touch what a statement accesses, if it lies in memory."""
        accessed = access(stmt)
        assert accessed is not None
        if accessed[0] not in self.bases:
            return
        number, base = self.bases[accessed[0]]
        size = DTYPES[self.buffers[accessed[0]].type.dtype].itemsize
        first, offsets = self._element(*accessed)
        at = self.e.binary("add", base, self._times(first, size))
        dirty = int(isinstance(stmt, (Store, Accum)))
        for lane, offset, count in _runs(offsets or (0,)) if not self.masks else _single(offsets, self.env.lanes):
            place = self.e.binary("add", at, Reg(str(offset * size), "i64")) if offset else at
            args = f"ptr %level, i64 {place.text}, i64 {count * size}, i64 {dirty}, i64 {number}"
            if self.masks:
                self.e.line(f"call void @touch_if({args}, i1 {self._active(lane).text})")
            else:
                self.e.line(f"call void @touch({args})")

    def _element(self, buffer: str, index: tuple[Index, ...]) -> tuple[Reg, tuple[int, ...]]:
        """The element of lane 0, counted from the start of the buffer, and the offset of each lane from it."""
        where = address_of(self.buffers[buffer], index, self.env.ranges)
        element, offsets = self.env.uniform(Index(where.terms, where.const))
        if where.block_index is None:
            return element, offsets
        sample, lanes = self.env.uniform(where.block_index)
        assert not lanes, "a vector loop over an uncut batch index of blocked storage"
        block = self.e.binary("udiv", sample, Reg(str(where.lanes), "i64"))
        inside = self.e.binary("urem", sample, Reg(str(where.lanes), "i64"))
        extra = self.e.binary("add", self._times(block, where.block_stride), inside)
        return self.e.binary("add", element, extra), offsets

    def _times(self, value: Reg, factor: int) -> Reg:
        return self.e.binary("mul", value, Reg(str(factor), "i64"))

    def _active(self, lane: int) -> Reg:
        """Whether the conditions on lanes hold in one."""
        active = Reg("true", "bool")
        for condition in self.masks:
            value, offsets = self.env.uniform(condition)
            holds = self.e.compare("icmp", "sge", value, Reg(str(-(offsets or (0,) * self.env.lanes)[lane]), "i64"))
            active = self.e.binary("and", active, holds)
        return active


def _runs(offsets: tuple[int, ...]) -> Iterator[tuple[int, int, int]]:
    """Runs of lanes that access neighbours: the first lane, its offset, their number.

    >>> list(_runs((0, 1, 2, 9, 9, 10)))
    [(0, 0, 3), (3, 9, 1), (4, 9, 2)]
    """
    start = 0
    for lane in range(1, len(offsets) + 1):
        if lane == len(offsets) or offsets[lane] != offsets[lane - 1] + 1:
            yield start, offsets[start], lane - start
            start = lane


def _single(offsets: tuple[int, ...], lanes: int) -> Iterator[tuple[int, int, int]]:
    """Lanes one by one, as `_runs`."""
    return ((lane, offset, 1) for lane, offset in enumerate(offsets or (0,) * lanes))
