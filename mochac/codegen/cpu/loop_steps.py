"""LoopSteps: what a printed loop counts, and the pointers that move with it.

    for k in 0..n { y[k] = x[k] + a[9 * k] }      offset = phi 0, offset + 4      x + offset, y + offset
                                                  p = phi a, p + 36               until offset == 4 * n

Pointers that move by the same number of bytes share an offset where addresses may have an index register; the others
are phi nodes. One of these ends the loop, unless something else reads the counter.

LLVM's loop strength reduction finds such forms too, but takes 40 % of the time of code generation. Each step is frozen,
which takes no instruction: LLVM then sees no arithmetic progression, and that pass does nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from mochac.base.records import record
from mochac.ir.scalar import Reg


@record
class Moving:
    """A pointer: `start` plus `n_bytes` times the loop's counter."""

    pointer: Reg
    start: Reg
    n_bytes: int


@dataclass
class LoopSteps:
    """The lines that count a loop.

    Args:
        name: makes names of values.
        lo, hi: the loop's range.
        word: the type of its counter.

    Attributes:
        before: lines ahead of the loop.
        phis: (value, before the first iteration, before the next one).
        head: lines at the start of the body.
        tail: lines at its end.
        again: the condition under which another iteration follows.
    """

    name: Callable[[], str]
    lo: Reg
    hi: Reg
    word: str = "i64"
    before: list[str] = field(default_factory=list)
    phis: list[tuple[Reg, Reg, Reg]] = field(default_factory=list)
    head: list[str] = field(default_factory=list)
    tail: list[str] = field(default_factory=list)
    again: str = ""

    def count(self, counter: Reg | None, moving: list[Moving], indexed: bool) -> None:
        """Write all lines.

        Args:
            counter: the loop variable, None if the body does not read it.
            moving: the pointers that the body reads.
            indexed: addresses may have an index register.
        """
        times = Counter(m.n_bytes for m in moving)
        shared = {n_bytes: Reg(self.name(), self.word) for n_bytes, n in times.items() if indexed and n > 1}
        if counter is not None or not moving:
            self._number(counter or Reg(self.name(), self.word), 1)
        for n_bytes, offset in shared.items():
            self._number(offset, n_bytes)
        for m in moving:
            if m.n_bytes in shared:
                self.head.append(f"  {m.pointer.text} = {_at(m.start, shared[m.n_bytes])}")
            else:
                self._pointer(m)

    def _number(self, value: Reg, by: int) -> None:
        """A number that starts at `by` times the lower limit and moves by `by`."""
        following = self._step(value, f"add nsw {self.word} {value.text}, {by}")
        self.phis.append((value, self._times(self.lo, by), following))
        self._end(following, lambda: self._times(self.hi, by))

    def _pointer(self, m: Moving) -> None:
        following = self._step(m.pointer, _at(m.pointer, Reg(str(m.n_bytes), self.word)))
        self.phis.append((m.pointer, self._moved(m, self.lo), following))
        self._end(following, lambda: self._moved(m, self.hi))

    def _step(self, value: Reg, instruction: str) -> Reg:
        plain, frozen = self.name(), Reg(self.name(), value.dtype)
        self.tail.append(f"  {plain} = {instruction}")
        self.tail.append(f"  {frozen.text} = freeze {value.dtype} {plain}")
        return frozen

    def _end(self, following: Reg, end: Callable[[], Reg]) -> None:
        """The first value that is stepped ends the loop, by a test for equality."""
        if not self.again:
            self.again = f"icmp ne {following.dtype} {following.text}, {end().text}"

    def _times(self, value: Reg, by: int) -> Reg:
        if not value.text.startswith("%"):
            return Reg(str(int(value.text) * by), self.word)
        return value if by == 1 else self._ahead(f"mul nsw {self.word} {value.text}, {by}", self.word)

    def _moved(self, m: Moving, count: Reg) -> Reg:
        n_bytes = self._times(count, m.n_bytes)
        return m.start if n_bytes.text == "0" else self._ahead(_at(m.start, n_bytes), "ptr")

    def _ahead(self, instruction: str, dtype: str) -> Reg:
        reg = Reg(self.name(), dtype)
        self.before.append(f"  {reg.text} = {instruction}")
        return reg


def _at(pointer: Reg, n_bytes: Reg) -> str:
    return f"getelementptr i8, ptr {pointer.text}, {n_bytes.dtype} {n_bytes.text}"
