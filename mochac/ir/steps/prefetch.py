"""Steps that prefetch the next block, tile and iteration, and what an epilogue reads.

PrefetchEpilogue: prefetch the elements that an epilogue reads or writes, a few rows with each term of the sum before
it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel import Body, If, Kernel, Load, Loop, Prefetch, Stmt, Store, loops_named, substitute, walk
from mochac.ir.nest import Ranges, loop_range, map_loops, offset, require_loops, surely
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class PrefetchBlock(Step):
    """Every iteration of loop `inside` prefetches some rows of what the next iteration of loop `next` loads.

    sum b in 0..8 {                          sum b in 0..8 {
      each t in 0..10 {                        each t in 0..10 {
        sum g in 0..5 {                          sum g in 0..5 {
          sum k in 0..20 {                         if -b + 6 >= 0 {
            each r in 0..5 {             ->          prefetch w[5*t + g, 100*b + 100]
              .. = w[5*t + r, 100*b + 20*g + k]      prefetch w[5*t + g, 100*b + 116]  ..
            }                                      }
          }                                        sum k in 0..20 { each r in 0..5 { .. } }
        }                                        }
      }                                        }
    }                                        }                     (inside=g, next=b, turns=(t, g), line=16)

    One iteration of `next` reads a matrix: some rows (an axis) and columns (the last axis). Its rows are distributed in
    order, as evenly as possible, over the iterations of the loops `turns`, which lie inside of `next`, outer first;
    every `line`-th element of a row is prefetched. After the last iteration of `next` comes the first one in the next
    iteration of `wraps`, if given. The meaning does not change. A row lies in one page or two, so that few entries of
    the TLB are needed at a time; spread out, prefetches do not delay the loads of the current block.
    """

    purpose = "what the next block reads is prefetched while this one is computed"

    buffer: str
    inside: str
    next: str
    turns: tuple[str, ...]
    line: int
    wraps: str = ""
    write: bool = False

    def apply(self, kernel: Kernel) -> Kernel:
        for loop in (self.inside, self.next, *self.turns):
            require_loops(kernel, loop, "prefetch_block")
        buffer = next((b for b in kernel.inputs if b.name == self.buffer), None)
        if buffer is None:
            raise ScheduleError(f"prefetch_block: kernel {kernel.name!r} has no input {self.buffer!r}")
        if self.line < 1:
            raise ScheduleError(f"prefetch_block: line must be at least 1, not {self.line}")
        work = _Hints(kernel, self, buffer.type.shape)
        body = work.rewrite(kernel.body, {})
        if not work.found_any:
            raise ScheduleError(f"prefetch_block: no loop {self.inside!r} lies inside a loop {self.next!r}")
        return kernel.with_(body=body)


@record
class _Block:
    """The elements that an iteration reads: the index of the first one, and the extents."""

    first: tuple[Index, ...]
    spans: tuple[int, ...]

    @property
    def row(self) -> int:
        """The axis of the rows."""
        return next((a for a, n in enumerate(self.spans[:-1]) if n > 1), 0)

    @property
    def rows(self) -> int:
        return prod(self.spans[:-1])


class _Hints:
    """One application of the step."""

    def __init__(self, kernel: Kernel, step: PrefetchBlock, shape: tuple[int, ...]) -> None:
        self.step, self.shape = step, shape
        self.end = max(loop.hi.const or 0 for loop in loops_named(kernel.body, step.next))
        self.largest = self._largest(kernel)
        self.found_any = False

    def rewrite(self, body: Body, ranges: Ranges) -> Body:
        """The body with hints in all loops `next`."""
        out: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, Loop):
                inside = {**ranges, stmt.var: loop_range(stmt, ranges)}
                ours = stmt.var == self.step.next
                stmt = self._hinted(stmt, inside) if ours else stmt.with_body(self.rewrite(stmt.body, inside))
            elif isinstance(stmt, If):
                stmt = stmt.with_body(self.rewrite(stmt.body, ranges))
            out.append(stmt)
        return tuple(out)

    def _largest(self, kernel: Kernel) -> _Block:
        """The block of the largest iteration of `next`; the last one may be smaller."""
        blocks = [b for loop in loops_named(kernel.body, self.step.next) if (b := self._block(loop)) is not None]
        if not blocks:
            raise ScheduleError(f"prefetch_block: no loop {self.step.next!r} loads {self.step.buffer!r}")
        return max(blocks, key=lambda b: prod(b.spans))

    def _block(self, loop: Loop) -> _Block | None:
        """What one iteration of a loop reads; None if nothing, or nothing that starts at one index."""
        loads = self._loads(loop.body, {})
        first: list[Index] = []
        spans: list[int] = []
        for axis in zip(*(index for index, _ in loads), strict=True):
            moving = [
                Index(tuple(t for t in i.terms if t[0] in r), i.const) for i, (_, r) in zip(axis, loads, strict=True)
            ]
            fixed = {i - m for i, m in zip(axis, moving, strict=True)}
            bounds = [b for m, (_, ranges) in zip(moving, loads, strict=True) if (b := m.bounds(ranges)) is not None]
            if len(fixed) != 1:
                return None
            low = min(b[0] for b in bounds)
            first.append(fixed.pop() + low)
            spans.append(max(b[1] for b in bounds) - low + 1)
        return _Block(tuple(first), tuple(spans)) if loads else None

    def _loads(self, body: Body, ranges: Ranges) -> list[tuple[tuple[Index, ...], Ranges]]:
        """The indices of all loads of the buffer, each with the ranges of the loops around it."""
        found: list[tuple[tuple[Index, ...], Ranges]] = []
        for s in body:
            if isinstance(s, Loop):
                found += self._loads(s.body, {**ranges, s.var: loop_range(s, ranges)})
            elif isinstance(s, If):
                found += self._loads(s.body, ranges)
            elif isinstance(s, Load) and s.buffer == self.step.buffer:
                found.append((s.index, ranges))
        return found

    def _hinted(self, loop: Loop, ranges: Ranges) -> Loop:
        """The loop with hints in all loops `inside`."""
        step, block = self.step, self.largest
        if sum(n > 1 for n in block.spans[:-1]) > 1:
            raise ScheduleError(f"prefetch_block: what loop {step.next!r} reads of {step.buffer!r} is no matrix")
        slot, slots, extents = Index.of(0), 1, {}
        for turn in reversed(step.turns):
            extents[turn] = max((x.hi.const or 0 for x in loops_named(loop.body, turn)), default=0)
            slot, slots = slot + Index.var(turn) * slots, slots * extents[turn]
        if not slots:
            return loop
        turned = {**ranges, **{turn: (0, n - 1) for turn, n in extents.items()}}
        per = -(-block.rows // slots)
        hints = tuple(
            hint for moved, conds in self._next(loop) for hint in self._rows(moved, slot * per, per, conds, turned)
        )

        def add(inner: Loop) -> Loop:
            self.found_any = True
            return inner.with_body((*hints, *inner.body))

        return loop.with_body(map_loops(loop.body, step.inside, add))

    def _next(self, loop: Loop) -> Iterator[tuple[dict[str, Index], tuple[Index, ...]]]:
        """Where the next iteration is, with the conditions under which it is there."""
        var, last = Index.var(loop.var), self.end - 1
        goes_on = loop.hi.const != self.end
        if goes_on or loop.extent != 1:
            yield {loop.var: var + 1}, () if goes_on else (last - 1 - var,)
        if self.step.wraps and not goes_on:
            there = {loop.var: Index.of(0), self.step.wraps: Index.var(self.step.wraps) + 1}
            yield there, () if loop.extent == 1 else (var - last,)

    def _rows(
        self, moved: dict[str, Index], row: Index, per: int, conds: tuple[Index, ...], ranges: Ranges
    ) -> Iterator[Stmt]:
        """The hints of `per` rows from `row` on, if that row exists; columns that may not exist have a condition."""
        block = self.largest
        start = [i.substitute(moved) + (row if a == block.row else 0) for a, i in enumerate(block.first)]
        ends = [n - 1 - i for n, i in zip(self.shape, start, strict=True)]
        offsets = range(0, block.spans[-1], self.step.line)
        sure = [n for n in offsets if surely(ends[-1] - n, ranges)]
        hints: Body = self._hints_at(start, per, sure)
        if rest := [n for n in offsets if n not in sure]:
            hints = (*hints, If((ends[-1] - rest[-1],), self._hints_at(start, per, rest)))
        inside = [surely(end + row - block.rows + 1, ranges) for end in ends[:-1]]
        there = [end for end, sure in zip(ends, inside, strict=False) if not sure]
        needed = tuple(c for c in (*conds, block.rows - 1 - row, *there) if not surely(c, ranges))
        yield from (If(needed, hints),) if needed else hints

    def _hints_at(self, start: list[Index], per: int, offsets: list[int]) -> Body:
        row = self.largest.row
        rows = [[i + k if a == row else i for a, i in enumerate(start[:-1])] for k in range(per)]
        return tuple(Prefetch(self.step.buffer, (*at, start[-1] + n), self.step.write) for at in rows for n in offsets)


@step
@record
class PrefetchEpilogue(Step):
    """Every iteration of loop `inside` prefetches a row that statements after it load from `buffer`, or store to it.

    sum k in 0..9 { A }                         sum k in 0..9 { if -k + 5 >= 0 { each v { prefetch w[k, v] } }; A }
    each r in 0..6 { each v { each lane {   ->  each r in 0..6 { each v { each lane { w[r, v, lane] } } }
      w[r, v, lane]
    } } }

    There is one prefetch per vector, along which `lane` runs: its first element stands for all. Rows are those of the
    outermost loop around the access; each iteration takes several if the sum has fewer terms. The meaning does not
    change. If prefetched early, lines from a far cache arrive in time; if prefetched all at once, they would delay the
    sum's own loads. Prefetching results pays, too: a core must fetch a line before it stores to it, and has room for
    only a few waiting stores.
    """

    purpose = "what is read or stored after the sum is prefetched while the sum runs"

    buffer: str
    inside: str
    lane: str

    def apply(self, kernel: Kernel) -> Kernel:
        require_loops(kernel, self.inside, "prefetch_epilogue")
        if self.buffer not in {b.name for b in (*kernel.inputs, *kernel.outputs)}:
            raise ScheduleError(f"prefetch_epilogue: kernel {kernel.name!r} has no input or output {self.buffer!r}")
        body = self._body(kernel.body)
        if body == kernel.body:
            rule = f"prefetch_epilogue: no loop or condition behind loop {self.inside!r} accesses {self.buffer!r}"
            raise ScheduleError(rule)
        return kernel.with_(body=body)

    def _body(self, body: Body) -> Body:
        out: list[Stmt] = []
        for k, stmt in enumerate(body):
            if isinstance(stmt, Loop) and stmt.var == self.inside:
                hints = [hint for after in body[k + 1 :] if (hint := self._hints(after)) is not None]
                dealt = [part for hint in hints for part in _dealt(hint, stmt)]
                out.append(stmt.with_body((*dealt, *stmt.body)))
            elif isinstance(stmt, (Loop, If)):
                out.append(stmt.with_body(self._body(stmt.body)))
            else:
                out.append(stmt)
        return tuple(out)

    def _hints(self, stmt: Stmt) -> Stmt | None:
        """The loops and conditions of a statement around prefetches of what it accesses; None if it does not access the
        buffer."""
        if not isinstance(stmt, (Loop, If)):
            return None
        found = (s for s in walk((stmt,)) if isinstance(s, (Load, Store)) and s.buffer == self.buffer)
        accessed = next(found, None)
        if accessed is None:
            return None
        if isinstance(stmt, Loop) and stmt.var == self.lane:
            first = {self.lane: Index.of(stmt.lo.const or 0)}
            index = tuple(i.substitute(first) for i in accessed.index)
            return Prefetch(self.buffer, index, isinstance(accessed, Store))
        inner = tuple(h for s in stmt.body if (h := self._hints(s)) is not None)
        return replace(stmt, body=inner) if inner else None


def _dealt(hint: Stmt, loop: Loop) -> Body:
    """The part of a loop over prefetches that each iteration of another loop takes; the first takes a single one."""
    terms = loop.extent
    if not terms:
        raise ScheduleError(f"prefetch_epilogue: loop {loop.var!r} must have constant limits")
    if not isinstance(hint, Loop) or not hint.extent:
        return (If((-offset(loop),), (hint,)),)
    per = -(-hint.extent // terms)
    parts: list[Stmt] = []
    for k in range(per):
        row = offset(loop) * per + k
        body = substitute(hint.body, {hint.var: row + (hint.lo.const or 0)})
        parts += [If((hint.extent - 1 - row,), body)] if (terms - 1) * per + k >= hint.extent else body
    return tuple(parts)
