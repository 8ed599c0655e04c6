"""ScheduleBuilder: writes a schedule step by step. A step applies at once, and gives handles of the loops it makes.

    b = ScheduleBuilder(kernel)              each n in 0..100 { each c in 0..30 { y[n, c] = x[n, c] } }
    n, c = b.loops()
    q, lane = b.split(n, 16, "pad")    ->    each n_o in 0..7 { each n_i in 0..16 { each c in 0..30 { ... } } }
    b.add(Distribute(lane, ALL))       ->    each n_o in 0..7 { each c in 0..30 { each n_i in 0..16 { ... } } }
    b.add(Vector(lane), Parallel((q,)))
    schedule = b.schedule("batch")

Rules and combinators are written with it, so none of them spells the name of a loop. A handle stands for all loops of
one name, since most steps copy loops; it is a string, so steps can be made of handles. Handles of loops that a step
replaced are invalid: steps refuse them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from mochac.ir.applying import after, finished, remember
from mochac.ir.kernel import Kernel, Loop, walk
from mochac.ir.names import fresh
from mochac.ir.nest import band, extents
from mochac.ir.nest import loops as all_loops
from mochac.ir.schedule import Schedule, ScheduleError, Step
from mochac.ir.steps.merge import Detach, Merge
from mochac.ir.steps.pack import Pack
from mochac.ir.steps.run import Rename
from mochac.ir.steps.split import Cut, Fission, Split
from mochac.ir.steps.split_body import SplitBody
from mochac.ir.steps.split_sum import Partial
from mochac.ir.steps.stage import Stage

S = TypeVar("S", bound=str)
T = TypeVar("T")
PLAIN = "conditions on the terms of a sum become limits of its loops, so that no term is tested and dropped"
"""The reason for the steps that lead to a plain form."""
ALL = ("*",)
"""All loops, as `past` of Distribute."""


class Handle(str):
    """The name of a loop, of a local or of both, made by a step."""

    __slots__ = ()


class ScheduleBuilder:
    """A kernel, and the steps that have been applied to it.

    Args:
        kernel: the kernel to schedule.
        steps: steps to start with: they lead to the plain form of a sum.
        applied: the kernel after these steps, if it is known.

    Attributes:
        start: the kernel before all steps.
        kernel: the kernel after the steps so far.
        reason: why the next steps are there, for reports, until it is changed; not used for kinds of steps that have a
            purpose.

    Raises:
        ScheduleError: every method, if its step does not fit.

    >>> from mochac.ir.kernel_text import parse_kernel
    >>> b = ScheduleBuilder(parse_kernel('''kernel @copy(%x: f32[40]) -> (%y: f32[40]) {
    ...   each n in 0..40 {
    ...     %t = %x[n]
    ...     %y[n] = %t
    ...   }
    ... }'''))
    >>> outer, inner = b.split(*b.loops(), 16)
    >>> b.extent(outer), b.extent(inner)
    (3, 16)
    >>> print(b.schedule("vectors"), end="")
    schedule vectors
      split(loop=n, factor=16, outer=n_o, inner=n_i, tail=guard)
    """

    def __init__(self, kernel: Kernel, steps: Iterable[Step] = (), applied: Kernel | None = None) -> None:
        self.kernel = self.start = kernel
        self._steps: list[Step] = []
        self._reasons: dict[Step, str] = {}
        self.reason, self._because = PLAIN, ""
        if applied is None:
            self.add(*steps)
        else:
            self.kernel = applied
            for step in steps:
                self._note(step)
        self.reason = ""

    def schedule(self, name: str) -> Schedule:
        """The steps so far."""
        schedule = Schedule(name, tuple(self._steps), tuple(self._reasons.items()))
        remember(schedule, self.start, finished(self.kernel))
        return schedule

    def add(self, *steps: Step) -> None:
        """Apply steps that make no loops."""
        for step in steps:
            self.kernel = after(step, self.kernel)
            self._note(step)

    def take_over(self, schedule: Schedule) -> None:
        """Apply the steps of another schedule, with its reasons."""
        for step in schedule.steps:
            with self.because(schedule.reason_of(step)):
                self.add(step)

    def fits(self, *steps: Step) -> bool:
        """Apply steps if all of them fit, else none; return whether they did."""
        kernel = self.kernel
        try:
            for step in steps:
                kernel = step.apply(kernel)
        except ScheduleError:
            return False
        self.kernel = kernel
        for step in steps:
            self._note(step)
        return True

    def attempt(self, build: Callable[[], T]) -> T | None:
        """Call a function that adds steps; if one of them does not fit, take all of them back and return None."""
        kernel, steps, reasons, reason = self.kernel, [*self._steps], dict(self._reasons), self.reason
        try:
            return build()
        except ScheduleError:
            self.kernel, self._steps, self._reasons, self.reason = kernel, steps, reasons, reason
            return None

    @contextmanager
    def because(self, reason: str) -> Iterator[None]:
        """Give the reason for all steps inside, whatever their kind; the innermost reason counts."""
        outer, self._because = self._because, reason
        try:
            yield
        finally:
            self._because = outer

    def _note(self, step: Step) -> None:
        self._steps.append(step)
        reason = self._because or (not step.purpose and self.reason)
        if reason:
            self._reasons.setdefault(step, reason)

    # -- loops

    def loops(self) -> tuple[Handle, ...]:
        """The outermost perfectly nested `each` loops, outer first."""
        return tuple(Handle(loop.var) for loop in band(self.kernel.body, kind="each"))

    def all_loops(self) -> tuple[Handle, ...]:
        """All loops, outer first."""
        return tuple(Handle(name) for name in all_loops(self.kernel))

    def extent(self, loop: str) -> int:
        """How many values a loop with constant limits goes through, with the remainder that was cut off."""
        extent = extents(self.kernel).get(loop)
        if extent is None:
            raise ScheduleError(f"loop {loop!r} has no constant extent")
        return extent

    # -- steps that make loops

    def split(self, loop: str, factor: int, tail: str = "guard") -> tuple[Handle, Handle]:
        """Outer and inner loop."""
        outer, inner = self._fresh(f"{loop}_o"), self._fresh(f"{loop}_i")
        self.add(Split(loop, factor, outer, inner, tail))
        return outer, inner

    def merge(self, outer: str, inner: str) -> Handle:
        """The loop over the iterations of both."""
        merged = self._fresh(f"{outer}_{inner}")
        self.add(Merge(outer, inner, merged))
        return merged

    def fission(self, loop: str, after: int) -> Handle:
        """The second loop."""
        second = self._fresh(f"{loop}_2")
        self.add(Fission(loop, after, second))
        return second

    def cut(self, loop: str, at: int) -> Suffix:
        """Where to find the copies of loops, locals and values that belong to the iterations from `at` on."""
        suffix = self._suffix(".tail")
        self.add(Cut(loop, at, suffix))
        return Suffix(suffix)

    def detach(self, nest: tuple[str, ...], after: int, part: str) -> Suffix:
        """Where to find the loops of the part, "first" or "second", that becomes a nest of its own."""
        suffix = self._suffix(f".{part}")
        self.add(Detach(nest, after, part, suffix))
        return Suffix(suffix)

    def divided(self, loops: tuple[str, ...], around: str, parts: int) -> tuple[Handle, ...]:
        """The loop over the parts; none if there is one part, or if what `around` computes cannot be divided."""
        part = self._fresh(f"{loops[0]}_part")
        return (part,) if parts > 1 and self.fits(SplitBody(loops, around, parts, part)) else ()

    def rename(self, loop: str, inside: str) -> Handle:
        """The loop of another name inside of a loop."""
        name = self._fresh(f"{loop}_r")
        self.add(Rename(loop, name, inside))
        return name

    def partial(self, local: str, loop: str) -> tuple[Handle, Handle]:
        """The loop of the short sum that combines the parts, and the local that it sums into."""
        join = self._fresh(f"{loop}_s")
        return join, self._local(Partial(local, loop, join))

    # -- steps that make locals

    def stage(self, buffer: str, loop: str, space: str = "register", subtotal: bool = False) -> Handle:
        """The local that holds the copy."""
        return self._local(Stage(buffer, loop, space, subtotal))

    def pack(
        self,
        buffer: str,
        loop: str,
        order: tuple[int, ...],
        zeros: tuple[int, ...] = (),
        over: tuple[str, ...] = (),
        stride: int = 1,
    ) -> tuple[Handle, tuple[Handle, ...]]:
        """The local that holds the copy, and the loops along the buffer's axes that fill it."""
        local = self._local(Pack(buffer, loop, order, zeros, over, stride))
        return local, tuple(Handle(f"pack.{axis}") for axis in range(len(order)))

    def _local(self, step: Step) -> Handle:
        before = self.kernel.buffers()
        self.add(step)
        return next(Handle(name) for name in self.kernel.buffers() if name not in before)

    def _taken(self) -> set[str]:
        return {s.var for s in walk(self.kernel.body) if isinstance(s, Loop)} | {*self.kernel.buffers()}

    def _fresh(self, stem: str) -> Handle:
        return Handle(fresh(stem, self._taken()))

    def _suffix(self, stem: str) -> str:
        taken, suffix, n = self._taken(), stem, 1
        while any(name.endswith(suffix) for name in taken):
            suffix, n = f"{stem}{n}", n + 1
        return suffix


P = ParamSpec("P")
R = TypeVar("R")
Combinator = Callable[Concatenate[ScheduleBuilder, P], R]


def because(reason: str) -> Callable[[Combinator[P, R]], Combinator[P, R]]:
    """Decorator that gives the reason for the steps of a combinator."""

    def decorated(combinator: Combinator[P, R]) -> Combinator[P, R]:
        @wraps(combinator)
        def run(b: ScheduleBuilder, *args: P.args, **named: P.kwargs) -> R:
            with b.because(reason):
                return combinator(b, *args, **named)

        return run

    return decorated


class Suffix(str):
    """The suffix that a step has appended to the names of the loops and locals of a part.

    >>> Suffix(".tail")("n")
    'n.tail'
    """

    __slots__ = ()

    def __call__(self, name: S) -> S:
        """The part's copy of a loop or local."""
        return type(name)(f"{name}{self}")
