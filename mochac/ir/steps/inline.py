"""Steps that change where a value is computed: where it is read, in a loop of the nest that reads it, or once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Body, Buffer, Kernel, Let, Load, Loop, Stmt, Store, rewrite, walk, written_buffers
from mochac.ir.kernel_rules import name_dtypes
from mochac.ir.names import fresh
from mochac.ir.nest import band, drop_unused, offset, store_after
from mochac.ir.nests import Definition, Repeat, StagedNest, ValueRead, nests_of, repeats
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.types import TensorType
from mochac.ir.weave import Weaver


@step
@record
class Inline(Step):
    """Replace every read of some values by their computation at that index; their nests vanish.

    each a0 in 0..9 { P[a0] = f(a0) }                each b in 0..4 { y[b] = g(f(2*b), f(2*b + 1)) }
    each b in 0..4 { y[b] = g(P[2*b], P[2*b + 1]) }  ->                                   (values=(P))

    The nest of a value must compute it element by element. An element that a scope reads twice is computed once.
    Outputs are still stored by their nest.
    """

    purpose = "it is computed where it is read, and never stored"

    values: tuple[str, ...]

    def apply(self, kernel: Kernel) -> Kernel:
        nests = nests_of(kernel)
        if not self.values:
            raise ScheduleError("inline: name at least one value")
        definitions = definitions_of(nests, self.values, "inline")
        outputs = {b.name for b in kernel.outputs}
        inlined = [n for n in nests if n.values and set(n.values) <= set(self.values) - outputs]
        changed = [n for n in nests if n not in inlined and n.reads & definitions.keys()]
        kept = [n for n in nests if n not in inlined and n not in changed]
        weaver = Weaver(kernel, nests, kept, definitions, "inline")
        body = [weaver.rewritten(n) if n in changed else n.body for n in nests if n not in inlined]
        return weaver.with_body(stmt for part in body for stmt in part)


def definitions_of(
    nests: tuple[StagedNest, ...], values: tuple[str, ...], step: str, several_places: bool = False
) -> dict[str, Definition]:
    """The definitions of values, by name; with `several_places`, also of values that are stored at several places.

    Raises:
        ScheduleError: no nest computes one of them, or not element by element.
    """
    found: dict[str, Definition] = {}
    for name in values:
        nest = nest_of(nests, name, step)
        if nest.definition is None or not (nest.definition.elementwise or several_places):
            raise ScheduleError(f"{step}: the nest of {name!r} does not compute it element by element")
        found[name] = nest.definition
    return found


def nest_of(nests: tuple[StagedNest, ...], value: str, step: str) -> StagedNest:
    """The nest that computes a value; ScheduleError if there is none."""
    for nest in nests:
        if value in nest.values:
            return nest
    known = " ".join(name for nest in nests for name in nest.values)
    raise ScheduleError(f"{step}: no nest computes a value {value!r} for others (values: {known})")


@step
@record
class ComputeAt(Step):
    """Move a value's nest to the start of `loop` in the nest that reads it, over what one iteration reads.

    local P[4, 9]                                             local P[9]
    each c in 0..4 { each i in 0..9 { P[c, i] = f(c, i) } }   each k in 0..4 {
    each k in 0..4 {                                            each i in 0..9 { P[i] = f(k, i) }
      each b in 0..8 { y[k, b] = g(P[k, b], P[k, b + 1]) }  ->  each b in 0..8 { y[k, b] = g(P[b], P[b + 1]) }
    }                                                         }                            (value=P, loop=k)

    Along an axis, an iteration reads a point (all reads have the same index there, made of `loop` and the loops around
    it, and the nest has a loop for the axis), several points at equal distances, or the whole axis. The local shrinks
    to the whole axes and to the numbers of the points:

    local P[12]                                         local P[3]
    each o in 0..12 { P[o] = f(o) }                     each u in 0..4 {
    each u in 0..4 {                                      each o in 0..3 { P[o] = f(4*o + u) }
      y[u] = g(P[u], P[u + 4], P[u + 8])          ->      y[u] = g(P[0], P[1], P[2])
    }                                                   }                                        (value=P, loop=u)

    A value that is an output, or that other nests read, too, keeps its size, and is read back: then every loop around
    must move the point, so that an element is stored once. Other values that the nest stores must be outputs, stored
    after the value and for the same points: they are stored in the first of the iterations that repeat them.
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
        points = self._points(reader, kernel.buffers()[self.value].type.shape)
        stays = self.value in outputs or sum(self.value in nest.reads for nest in nests if nest is not maker) > 1
        fixed = self._fixed(reader, points)
        if fixed and stays:
            raise ScheduleError(f"compute_at: {self.value!r} would be stored several times")
        loops, body = self._region(maker, points)
        first, rest = self._parts(body)
        weaver = Weaver(kernel, nests, [n for n in nests if n not in (maker, reader)], {}, "compute_at")
        lowest = {loop.var: loop.lo.const for loop in reader.uses({self.value})[0].loops}

        def at_start(var: str) -> None:
            if var == self.loop:
                weaver.on_loop = lambda var: None
                with ExitStack() as stack:
                    env = {v: stack.enter_context(_at(weaver, v, point)) for v, point in loops.items()}
                    weaver.replay(first, env)
                    if rest:
                        with weaver.where(*((lowest[v] or 0) - Index.var(v) for v in sorted(fixed))):
                            weaver.replay(rest, env)

        weaver.on_loop = at_start
        place = self._place(nests, maker, reader)
        merged = weaver.rewritten(reader)
        new = [merged if n is place else n.body for n in nests if n is place or n not in (maker, reader)]
        return self._shrunk(weaver.with_body(stmt for part in new for stmt in part), {} if stays else points)

    def _reader(self, nests: tuple[StagedNest, ...]) -> StagedNest:
        """The nest that reads the value; if there are several, the one that reads it in the loop."""
        readers = [nest for nest in nests if self.value in nest.reads and self.value not in nest.values]
        if len(readers) > 1:
            readers = [nest for nest in readers if self.loop in self._loops(nest)]
        if len(readers) != 1:
            raise ScheduleError(f"compute_at: {len(readers)} nests read {self.value!r}, not one")
        return readers[0]

    def _place(self, nests: tuple[StagedNest, ...], maker: StagedNest, reader: StagedNest) -> StagedNest:
        """The position, of the two nests, at which they become one: before other nests that read the value."""
        between = nests[nests.index(maker) + 1 : nests.index(reader)]
        if not any(self.value in nest.reads for nest in between):
            return reader
        if any(reader.reads & set(nest.values) for nest in between):
            raise ScheduleError(f"compute_at: {self.value!r} is read before all is there that its other reader needs")
        return maker

    def _loops(self, nest: StagedNest) -> set[str]:
        return {loop.var for read in nest.uses({self.value}) for loop in read.loops}

    def _parts(self, body: Body) -> tuple[Body, Body]:
        """The statements that compute the value, and those that follow."""
        last = max(k for k, s in enumerate(body) if self.value in written_buffers((s,)))
        return body[: last + 1], body[last + 1 :]

    def _points(self, reader: StagedNest, shape: tuple[int, ...]) -> dict[int, _Points]:
        """The axes along which one iteration of the loop reads points."""
        reads = reader.uses({self.value})
        for read in reads:
            if self.loop not in (loop.var for loop in read.loops):
                raise ScheduleError(f"compute_at: {self.value!r} is also read outside of a loop {self.loop!r}")
        around = _around(reads[0], self.loop)
        axes = zip(shape, zip(*(read.index for read in reads), strict=True), strict=True)
        found = {axis: _read_points(at, around, size) for axis, (size, at) in enumerate(axes)}
        return {axis: points for axis, points in found.items() if points is not None}

    def _fixed(self, reader: StagedNest, points: Mapping[int, _Points]) -> set[str]:
        """The loops, of the loop and those around it, that do not move the points."""
        moved = {var for point in points.values() for var in point.first.vars}
        return _around(reader.uses({self.value})[0], self.loop).keys() - moved

    def _region(self, maker: StagedNest, points: dict[int, _Points]) -> tuple[dict[str, _Points], Body]:
        """The nest without its loops over the points, and these loops."""
        top = {loop.var: loop for loop in band(maker.body, kind="each")}
        stores = [s for s in walk(maker.body) if isinstance(s, Store) and s.buffer == self.value]
        env: dict[str, _Points] = {}
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

    def _shrunk(self, kernel: Kernel, points: Mapping[int, _Points]) -> Kernel:
        """The kernel with the axes that are points removed from the value's local and all its accesses; an axis of
        several points keeps their numbers."""

        def shrink(s: Stmt) -> Stmt | None:
            if isinstance(s, (Load, Store, Accum)) and s.buffer == self.value:
                axes = ((i, points.get(axis)) for axis, i in enumerate(s.index))
                return replace(s, index=tuple(p.number(i) if p else i for i, p in axes if not (p and p.count == 1)))
            return None

        def smaller(b: Buffer) -> Buffer:
            if b.name != self.value:
                return b
            axes = ((n, points.get(axis)) for axis, n in enumerate(b.type.shape))
            shape = tuple(p.count if p else n for n, p in axes if not (p and p.count == 1))
            return replace(b, type=b.type.with_(shape=shape))

        return kernel.with_(body=rewrite(kernel.body, shrink), locals=tuple(map(smaller, kernel.locals)))


@record
class _Points:
    """The points that an iteration reads along an axis: `count` points from `first` on, at this distance."""

    first: Index
    count: int = 1
    distance: int = 0

    def number(self, index: Index) -> Index:
        """The number of the point at an index."""
        over = index - self.first
        return Index.make({v: c // self.distance for v, c in over.terms}, over.const // self.distance)


def _read_points(at: Sequence[Index], around: Mapping[str, Loop], size: int) -> _Points | None:
    """The points at these indices of an axis; None if an iteration reads the whole axis."""
    if not set(at[0].vars) <= around.keys():
        return None
    if len(set(at)) == 1:
        return _Points(at[0])
    first = at[0] - at[0].const
    loop = around.get(str(first))
    if loop is None or loop.lo.const != 0 or not loop.extent or size % loop.extent:
        return None
    distance = loop.extent
    if any(i - i.const != first or i.const % distance for i in at):
        return None
    return _Points(first, size // distance, distance)


@contextmanager
def _at(weaver: Weaver, var: str, points: _Points) -> Iterator[Index]:
    """Open the loop over several points; yields the index of one."""
    if points.count == 1:
        yield points.first
        return
    with weaver.each(var, points.count) as number:
        yield number * points.distance + points.first


def _around(read: ValueRead, var: str) -> dict[str, Loop]:
    """A loop around a read, and the loops around that, by their variables."""
    names = [loop.var for loop in read.loops]
    return {loop.var: loop for loop in read.loops[: names.index(var) + 1]}


@step
@record
class Keep(Step):
    """Store `value` for a later loop with the same iterations that computes it as `again`.

    sum c in 0..9 {                             sum c in 0..9 {
      %e = exp(x[c])                              %e = exp(x[c])
      s = add(%e, s)                              kept[c] = %e
    }                                             s = add(%e, s)
    each d in 0..9 {                       ->   }
      %f = exp(x[d])                            each d in 0..9 {
      y[d] = div(%f, s)                           %f = kept[d]
    }                                             y[d] = div(%f, s)
                                                }                              (value=e, again=f)

    The loops, or nests of loops and conditions with only values beside them, must be in one body, and the operands of
    the value must not change in between.
    """

    purpose = "it takes longer to compute it again than to store it and read it back"

    value: str
    again: str

    def repeat(self, kernel: Kernel) -> Repeat:
        """The repeat: where the value is computed first and again.

        Raises:
            ScheduleError: nowhere.
        """
        for found in repeats(kernel):
            if (found.value, found.again) == (self.value, self.again):
                return found
        raise ScheduleError(f"keep: no loop computes {self.again!r} as a loop before it computes {self.value!r}")

    def apply(self, kernel: Kernel) -> Kernel:
        found = self.repeat(kernel)
        name = fresh("kept", kernel.buffers())
        first, second = found.loops
        store = Store(name, tuple(map(offset, first)), self.value)
        load = Load(self.again, name, tuple(map(offset, second)))

        def kept(stmt: Stmt) -> Body | None:
            if stmt is found.first:
                return store_after((found.first,), self.value, store)
            if stmt is found.second:
                return drop_unused(rewrite((found.second,), lambda s: load if _makes(s, self.again) else None))
            return None

        shape = tuple(loop.extent or 0 for loop in first)  # repeats have constant limits
        dtype = name_dtypes(kernel.body, kernel.buffers())[self.value]
        local = Buffer(name, TensorType(dtype, shape), "scratch")
        return kernel.with_(body=rewrite(kernel.body, kept), locals=(*kernel.locals, local))


def _makes(stmt: Stmt, name: str) -> bool:
    return isinstance(stmt, Let) and stmt.name == name
