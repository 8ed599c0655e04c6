"""ComputeAt: compute a value inside a loop of the nest that reads it."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from typing import TypeVar

from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Buffer, Kernel, Load, Loop, Stmt, Store, rewrite, walk, written_buffers
from mochac.ir.nest import Body, band
from mochac.ir.nests import StagedNest, ValueRead, nests_of
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.steps.inline import nest_of
from mochac.ir.weave import Weaver

T = TypeVar("T")


@step
@dataclass(frozen=True)
class ComputeAt(Step):
    """Move a value's nest to the start of `loop` in the nest that reads it, over what one iteration reads.

    local P[4, 9]                                             local P[9]
    each c in 0..4 { each i in 0..9 { P[c, i] = f(c, i) } }   each k in 0..4 {
    each k in 0..4 {                                            each i in 0..9 { P[i] = f(k, i) }
      each b in 0..8 { y[k, b] = g(P[k, b], P[k, b + 1]) }  ->  each b in 0..8 { y[k, b] = g(P[b], P[b + 1]) }
    }                                                         }                            (value=P, loop=k)

    Along an axis, an iteration reads a point (all reads have the same index there, made of `loop` and the loops around
    it, and the nest has a loop for the axis) or the whole axis. The local shrinks to the whole axes.

    A value that is an output, or that other nests read, too, stays as it is, and is read back: then every loop around
    must move the point, so that an element is stored once. What else the nest stores must be outputs, behind the value
    and made for the same points: they are stored in the first of the iterations that repeat them.
    """

    purpose = "it is computed just before it is read, while it is in a near cache"

    value: str
    loop: str

    def apply(self, kernel: Kernel) -> Kernel:
        nests = nests_of(kernel)
        maker, reader = nest_of(nests, self.value, "compute_at"), self._reader(nests)
        outputs = {b.name for b in kernel.outputs}
        beside = set(maker.values) - {self.value}
        if beside - outputs or any(beside & nest.reads for nest in nests):
            raise ScheduleError(f"compute_at: the nest of {self.value!r} also stores what others read")
        if self.value in maker.reads and not beside:
            raise ScheduleError(f"compute_at: the nest of {self.value!r} reads what it stores")
        points = self._points(reader)
        stays = self.value in outputs or sum(self.value in nest.reads for nest in nests if nest is not maker) > 1
        fixed = self._fixed(reader, points)
        if fixed and stays:
            raise ScheduleError(f"compute_at: {self.value!r} would be stored several times")
        env, body = self._region(maker, points)
        first, rest = self._parts(body)
        weaver = Weaver(kernel, nests, [n for n in nests if n not in (maker, reader)], {}, "compute_at")
        lowest = {loop.var: loop.lo.const for loop in reader.uses({self.value})[0].loops}

        def at_start(var: str) -> None:
            if var == self.loop:
                weaver.on_loop = lambda var: None
                weaver.replay(first, env)
                if rest:
                    with weaver.where(*((lowest[v] or 0) - Index.var(v) for v in sorted(fixed))):
                        weaver.replay(rest, env)

        weaver.on_loop = at_start
        place = self._place(nests, maker, reader)
        made = weaver.rewritten(reader)
        new = [made if n is place else n.body for n in nests if n is place or n not in (maker, reader)]
        return self._shrunk(weaver.with_body(stmt for part in new for stmt in part), () if stays else points)

    def _reader(self, nests: tuple[StagedNest, ...]) -> StagedNest:
        """The nest that reads the value; of several, the one that does so in the loop."""
        readers = [nest for nest in nests if self.value in nest.reads and self.value not in nest.values]
        if len(readers) > 1:
            readers = [nest for nest in readers if self.loop in self._loops(nest)]
        if len(readers) != 1:
            raise ScheduleError(f"compute_at: {len(readers)} nests read {self.value!r}, not one")
        return readers[0]

    def _place(self, nests: tuple[StagedNest, ...], maker: StagedNest, reader: StagedNest) -> StagedNest:
        """The one of two nests in whose place they become one: before others that read the value."""
        between = nests[nests.index(maker) + 1 : nests.index(reader)]
        if not any(self.value in nest.reads for nest in between):
            return reader
        if any(reader.reads & set(nest.values) for nest in between):
            raise ScheduleError(f"compute_at: {self.value!r} is read before all is there that its other reader needs")
        return maker

    def _loops(self, nest: StagedNest) -> set[str]:
        return {loop.var for read in nest.uses({self.value}) for loop in read.loops}

    def _parts(self, body: Body) -> tuple[Body, Body]:
        """What computes the value, and what follows."""
        last = max(k for k, s in enumerate(body) if self.value in written_buffers((s,)))
        return body[: last + 1], body[last + 1 :]

    def _points(self, reader: StagedNest) -> dict[int, Index]:
        """Axis -> index, for the axes along which one iteration of the loop reads a point."""
        reads = reader.uses({self.value})
        for read in reads:
            if self.loop not in (loop.var for loop in read.loops):
                raise ScheduleError(f"compute_at: {self.value!r} is also read outside of a loop {self.loop!r}")
        around = _around(reads[0], self.loop)
        axes = enumerate(zip(*(read.index for read in reads), strict=True))
        return {axis: at[0] for axis, at in axes if len(set(at)) == 1 and set(at[0].vars) <= around}

    def _fixed(self, reader: StagedNest, points: dict[int, Index]) -> set[str]:
        """Those of the loop and the loops around it that do not move the point."""
        moved = {var for point in points.values() for var in point.vars}
        return _around(reader.uses({self.value})[0], self.loop) - moved

    def _region(self, maker: StagedNest, points: dict[int, Index]) -> tuple[dict[str, Index], Body]:
        """The nest without its loops over the points, and what their variables are."""
        top = {loop.var: loop for loop in band(maker.body, kind="each")}
        stores = [s for s in walk(maker.body) if isinstance(s, Store) and s.buffer == self.value]
        env: dict[str, Index] = {}
        body = maker.body
        for axis, point in points.items():
            (index, *others) = {s.index[axis] for s in stores}
            var = index.vars[0] if index.vars else ""
            if others or index != Index.var(var) or var not in top:
                raise ScheduleError(f"compute_at: the nest of {self.value!r} has no loop for axis {axis}")
            env[var] = point
        while isinstance(loop := body[0], Loop) and loop.var in env:
            body = loop.body
        if any(isinstance(s, Loop) and s.var in env for s in walk(body)):
            raise ScheduleError(f"compute_at: loops {' '.join(env)} are not the outermost of {self.value!r}")
        return env, body

    def _shrunk(self, kernel: Kernel, points: Container[int]) -> Kernel:
        """The kernel with the value's local, and all its accesses, without the axes that are points."""

        def shrink(s: Stmt) -> Stmt | None:
            if isinstance(s, (Load, Store, Accum)) and s.buffer == self.value:
                return replace(s, index=_others(s.index, points))
            return None

        def smaller(b: Buffer) -> Buffer:
            return replace(b, type=b.type.with_(shape=_others(b.type.shape, points))) if b.name == self.value else b

        return kernel.with_(body=rewrite(kernel.body, shrink), locals=tuple(map(smaller, kernel.locals)))


def _others(axes: tuple[T, ...], points: Container[int]) -> tuple[T, ...]:
    return tuple(x for axis, x in enumerate(axes) if axis not in points)


def _around(read: ValueRead, var: str) -> set[str]:
    """The variables of a loop around a read and of the loops around that."""
    names = [loop.var for loop in read.loops]
    return set(names[: names.index(var) + 1])
