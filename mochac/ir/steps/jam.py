"""Steps that run loops together: two in sequence, one with the one before it, nests over one domain."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import (
    Body,
    Buffer,
    If,
    Kernel,
    Load,
    Loop,
    Stmt,
    Store,
    access,
    accessed_buffers,
    loaded_buffers,
    rewrite,
    substitute,
    walk,
    written_buffers,
)
from mochac.ir.nest import Ranges, constant_range, loop_range, ranged_accesses, require_loops
from mochac.ir.nests import StagedNest, nests_of
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.steps.inline import definitions_of, nest_of
from mochac.ir.weave import Weaver


@step
@record
class Jam(Step):
    """Run each iteration of `loop` right after the same iteration of `producer`, the loop before it.

    local P[8]                                          local P[2]
    each a in 0..4 { each i in 0..2 {                   sum b in 0..4 {
      P[i + 2*a] = f(a, i)                                each i in 0..2 { P[i] = f(b, i) }
    } }                                           ->      sum j in 0..2 { acc[] += P[j] }
    sum b in 0..4 { sum j in 0..2 {                     }
      acc[] += P[j + 2*b]
    } }                                                 (loop=b, producer=a)

    The first loop may store only to locals that nothing but the second one reads, each along one axis. An iteration may
    only read what the same iteration of the first loop has stored, so the locals shrink to that.
    """

    purpose = "it is read as soon as it is computed, from memory small enough for the nearest cache"

    loop: str
    producer: str

    def apply(self, kernel: Kernel) -> Kernel:
        for var in (self.loop, self.producer):
            require_loops(kernel, var, "jam")
        work = _Jamming(self, kernel)
        body = work.rewritten(kernel.body, {})
        if not work.steps:
            raise ScheduleError(f"jam: no loop {self.loop!r} comes right after a loop {self.producer!r}")
        for stmt in walk(body):
            at = access(stmt)
            if at is not None and at[0] in work.steps and id(stmt) not in work.own:
                raise ScheduleError(f"jam: {at[0]!r} is also used outside of both loops")
        return kernel.with_(body=body, locals=tuple(map(work.shrunk, kernel.locals)))


class _Jamming:
    """One application: the axis of each local, and by how much the loops move along it."""

    def __init__(self, jam: Jam, kernel: Kernel) -> None:
        self.jam, self.kernel = jam, kernel
        self.steps: dict[str, tuple[int, int]] = {}
        self.own: set[int] = set()

    def rewritten(self, body: Body, ranges: Ranges) -> Body:
        """Jam every such pair of loops; `ranges` are those of the loops around."""
        out: list[Stmt] = []
        for stmt in body:
            before = out[-1] if out else None
            if isinstance(before, Loop) and isinstance(stmt, Loop):
                if (before.var, stmt.var) == (self.jam.producer, self.jam.loop):
                    out[-1] = self._jammed(before, stmt, ranges)
                    continue
            if isinstance(stmt, Loop):
                stmt = stmt.with_body(self.rewritten(stmt.body, {**ranges, stmt.var: loop_range(stmt, ranges)}))
            elif isinstance(stmt, If):
                stmt = stmt.with_body(self.rewritten(stmt.body, ranges))
            out.append(stmt)
        return tuple(out)

    def shrunk(self, buffer: Buffer) -> Buffer:
        """A local with what one iteration stores."""
        if buffer.name not in self.steps:
            return buffer
        axis, size = self.steps[buffer.name]
        shape = buffer.type.shape
        return replace(buffer, type=replace(buffer.type, shape=(*shape[:axis], size, *shape[axis + 1 :])))

    def _jammed(self, producer: Loop, loop: Loop, ranges: Ranges) -> Loop:
        same = constant_range(producer, "jam") == constant_range(loop, "jam")
        if not same or producer.kind != "each" or loop.kind == "for" or {producer.run, loop.run} != {"serial"}:
            raise ScheduleError(f"jam: {producer.var!r} and {loop.var!r} must run over the same range, in any order")
        stored = written_buffers(producer.body)
        written = written_buffers(loop.body) & accessed_buffers(producer.body)
        if written or stored - {b.name for b in self.kernel.locals}:
            raise ScheduleError(f"jam: {producer.var!r} must store only to locals, which {loop.var!r} only reads")
        passed = stored & loaded_buffers(loop.body)
        first = substitute(producer.body, {producer.var: Index.var(loop.var)})
        inside = {**ranges, loop.var: loop_range(loop, ranges)}
        for body in (first, loop.body):
            for s, around in ranged_accesses(body, inside):
                if isinstance(s, (Load, Store)) and s.buffer in passed:
                    self._note(s, loop.var, around)
        body = rewrite((*first, *loop.body), lambda s: self._moved(s, loop.var))
        self.own |= set(map(id, walk(body)))
        return loop.with_body(body)

    def _note(self, s: Load | Store, var: str, ranges: Ranges) -> None:
        """Check that an access stays inside the part of its iteration."""
        axes = [k for k, i in enumerate(s.index) if i.coefficient(var)]
        size = s.index[axes[0]].coefficient(var) if len(axes) == 1 else 0
        found = (axes[0], size) if axes else (0, 0)
        within = (s.index[found[0]] - Index.var(var) * size).bounds(ranges) if size > 0 else None
        if within is None or within[0] < 0 or within[1] >= size or self.steps.setdefault(s.buffer, found) != found:
            raise ScheduleError(f"jam: an iteration of {var!r} uses {s.buffer!r} beyond what it stores itself")

    def _moved(self, s: Stmt, var: str) -> Stmt | None:
        if not isinstance(s, (Load, Store)) or s.buffer not in self.steps:
            return None
        axis, size = self.steps[s.buffer]
        moved = s.index[axis] - Index.var(var) * size
        return replace(s, index=(*s.index[:axis], moved, *s.index[axis + 1 :]))


@step
@record
class Interleave(Step):
    """Run iteration b of `loop` right after the iterations below stride*b + reach of `producer`, the loop before it.

    each a in 0..9 { P[a] = f(a) }                  for b in 0..5 {
    each b in 0..4 { y[b] = g(P[2*b], P[2*b + 2]) }   each a in max(0, 2*b - 1)..min(9, 2*b + 1) { P[a] = f(a) }
                                              ->      if b - 1 >= 0 { y[b - 1] = g(P[2*b - 2], P[2*b]) }
                                                    }                          (loop=b, producer=a, stride=2, reach=3)

    Elements that were just stored are then still in the L1 or L2 cache. Both loops must have constant limits from 0.
    The second may only read what is stored by then, must not write what the first accesses, and must need all
    iterations of the first.
    """

    purpose = "it is read as soon as it is computed, while it is in the nearest cache"

    loop: str
    producer: str
    stride: int
    reach: int

    def apply(self, kernel: Kernel) -> Kernel:
        for var in (self.loop, self.producer):
            require_loops(kernel, var, "interleave")
        if self.stride < 1 or self.reach < 1:
            raise ScheduleError("interleave: stride and reach must be at least 1")
        body, found = self._rewrite(kernel.body)
        if not found:
            raise ScheduleError(f"interleave: no loop {self.loop!r} comes right after a loop {self.producer!r}")
        return kernel.with_(body=body)

    def _rewrite(self, body: Body) -> tuple[Body, bool]:
        out: list[Stmt] = []
        found = False
        for stmt in body:
            before = out[-1] if out else None
            if isinstance(before, Loop) and isinstance(stmt, Loop):
                if (before.var, stmt.var) == (self.producer, self.loop):
                    out[-1], found = self._interleave(before, stmt), True
                    continue
            if isinstance(stmt, (Loop, If)):
                inner, here = self._rewrite(stmt.body)
                stmt, found = stmt.with_body(inner), found or here
            out.append(stmt)
        return tuple(out), found

    def _interleave(self, producer: Loop, loop: Loop) -> Loop:
        (low, end), (first, count) = constant_range(producer, "interleave"), constant_range(loop, "interleave")
        if (low, first) != (0, 0) or producer.kind != "each" or loop.kind == "for":
            raise ScheduleError(f"interleave: {self.producer!r} and {self.loop!r} must run from 0, in any order")
        if self.stride * (count - 1) + self.reach < end:
            raise ScheduleError(f"interleave: the last iterations of {self.producer!r} would be left over")
        self._check(producer, loop)
        lead = -(-self.reach // self.stride) - 1
        now = Index.var(self.loop) - lead
        until = now * self.stride + self.reach
        lo, hi = Limit(((Index.of(0), 1), (until - self.stride, 1))), Limit(((Index.of(end), 1), (until, 1)))
        late: Body = substitute(loop.body, {self.loop: now}) if lead else loop.body
        body = (replace(producer, lo=lo, hi=hi), *((If((now,), late),) if lead else late))
        return Loop(self.loop, Limit.of(0), Limit.of(count + lead), "for", "serial", body)

    def _check(self, producer: Loop, loop: Loop) -> None:
        stored, touched = written_buffers(producer.body), accessed_buffers(producer.body)
        clash = sorted(written_buffers(loop.body) & touched)
        if clash:
            raise ScheduleError(f"interleave: {self.loop!r} writes {', '.join(clash)}, which {self.producer!r} uses")
        fronts = {
            s.buffer: self._front(s, ranges) for s, ranges in ranged_accesses((producer,), {}) if isinstance(s, Store)
        }
        for s, ranges in ranged_accesses((loop,), {}):
            if isinstance(s, Load) and s.buffer in stored and not self._stored(s, fronts[s.buffer], ranges):
                raise ScheduleError(f"interleave: {self.loop!r} reads {s.buffer!r} before it is stored")

    def _front(self, store: Store, ranges: Ranges) -> tuple[int, int, int] | None:
        """(axis, step, start) if iteration a stores elements start + step*a + (0 .. step-1) of one axis, or None."""
        axes = [k for k, i in enumerate(store.index) if i.coefficient(self.producer)]
        if len(axes) != 1:
            return None
        index = store.index[axes[0]]
        step = index.coefficient(self.producer)
        within = (index - Index.var(self.producer) * step - index.const).bounds(ranges)
        if step < 1 or within is None or within[0] < 0 or within[1] >= step:
            return None
        return axes[0], step, index.const

    def _stored(self, load: Load, front: tuple[int, int, int] | None, ranges: Ranges) -> bool:
        """Whether the element is stored before iteration stride*b + reach of `producer`."""
        if front is None:
            return False
        axis, step, start = front
        spare = (Index.var(self.loop) * self.stride + self.reach) * step + start - 1 - load.index[axis]
        bounds = spare.bounds(ranges)
        return bounds is not None and bounds[0] >= 0


@step
@record
class Fuse(Step):
    """Compute `values` where the nest of `root` stores their operands; their nests vanish.

    each n { each o { acc = 0; sum k { .. }; P[n, o] = acc } }
    each a0 { each a1 { y[a0, a1] = relu(P[a0, a1]) } }
                                             ->  each n { each o { acc = 0; sum k { .. }; y[n, o] = relu(acc) } }
                                                                                    (root=P, values=(y))

    So a contraction gets its epilogue, and elementwise work over one domain becomes one nest. At one place, all values
    are computed before the first is stored, because an output may share the storage of an input. Values that only fused
    nests read are not stored. Where one of `values` is read at another index, it is computed there, too.

    The nests of `values` must go over the shape of the result that they follow, element by element; each may store an
    element at several constant distances from its index (a concatenation). If `root` stores its results in several
    places (a row op), each value follows one of them; a value that follows none is computed with the first result of
    its shape.
    """

    purpose = "what follows runs on results while they are in registers, and they are never stored"

    root: str
    values: tuple[str, ...]

    def apply(self, kernel: Kernel) -> Kernel:
        nests = nests_of(kernel)
        if not self.values or self.root in self.values:
            raise ScheduleError(f"fuse: name at least one value, and not {self.root!r} itself")
        root = nest_of(nests, self.root, "fuse")
        if root.definition is not None and not root.definition.elementwise:
            raise ScheduleError(f"fuse: the nest of {self.root!r} does not compute it element by element")
        definitions = definitions_of(nests, self.values, "fuse", several_places=True)
        fused = [root, *(n for n in nests if n is not root and set(n.values) & definitions.keys())]
        others = [n for n in nests if n not in fused]
        last = max(map(nests.index, fused))
        _require_order(nests[nests.index(root) : last], fused)
        weaver = Weaver(kernel, nests, others, definitions, "fuse")
        places = _Places(kernel, weaver, fused, {name for nest in others for name in nest.reads})
        weaver.on_stores = places.store
        body = weaver.rewritten(root)
        places.check()
        new = [body if k == last else n.body for k, n in enumerate(nests) if k == last or n not in fused]
        return weaver.with_body(stmt for part in new for stmt in part)


def _require_order(between: tuple[StagedNest, ...], fused: list[StagedNest]) -> None:
    """Check that no remaining nest reads fused values before all of them are computed."""
    made = {name for nest in fused for name in nest.values}
    for nest in between:
        if nest not in fused and nest.reads & made:
            raise ScheduleError(f"fuse: the nest of {' '.join(nest.values)} between them reads what they compute")


class _Places:
    """The places where the root, the first of `fused`, stores, and the values that are computed at each."""

    def __init__(self, kernel: Kernel, weaver: Weaver, fused: list[StagedNest], read: set[str]) -> None:
        self.weaver, self.root = weaver, fused[0]
        self.shapes = {name: b.type.shape for name, b in kernel.buffers().items()}
        outputs = [b.name for b in kernel.outputs]
        made = [name for nest in fused for name in nest.values]
        self.wanted = [*(n for n in outputs if n in made), *(n for n in made if n in read and n not in outputs)]
        self.follows = {name: found or self._with_shape_of(name) for name, found in _followed(fused).items()}
        self.done: set[str] = set()

    def store(self, stores: list[Store]) -> None:
        """Compute the values that follow these results, then store what others need."""
        weaver, own = self.weaver, {s.buffer: s for s in stores}
        for s in stores:
            weaver.know(s.buffer, s.index, s.value)
        here = [name for name in self.wanted if name in own or self._belongs(name, own.keys())]
        self.done.update(here)
        for s in [s for name in here for s in ([own[name]] if name in own else self._computed(name, stores[0]))]:
            weaver.store(s.buffer, s.index, s.value)

    def _belongs(self, name: str, here: Set[str]) -> bool:
        follows = self.follows[name]
        return name not in self.root.values and follows <= here and bool(follows or self.root.definition)

    def _with_shape_of(self, name: str) -> set[str]:
        """The first result of a root with several places that has a value's shape; values that follow no result are
        computed with it."""
        same_shape = [r for r in self.root.values if self.shapes[r] == self.shapes[name]]
        return set() if self.root.definition else set(same_shape[:1])

    def _computed(self, name: str, beside: Store) -> list[Store]:
        if not self.weaver.definitions[name].elementwise:
            return [s for s in self.weaver.stores(name, beside.index) if s.buffer == name]
        if self.shapes[name] != self.shapes[beside.buffer]:
            raise ScheduleError(f"fuse: {name!r} and {beside.buffer!r} differ in shape")
        return [Store(name, beside.index, self.weaver.value(name, beside.index))]

    def check(self) -> None:
        """Check that every value has a place."""
        for name in self.wanted:
            if name not in self.done:
                results, followed = " ".join(self.root.values), " ".join(sorted(self.follows[name])) or "none"
                raise ScheduleError(f"fuse: {name!r} must follow exactly one result of {results}, not {followed}")


def _followed(fused: list[StagedNest]) -> dict[str, set[str]]:
    """The results of the root that each value is computed from."""
    follows = {name: {name} for name in fused[0].values}
    for nest in fused[1:]:
        reached = set[str]().union(*(follows.get(name, set()) for name in nest.reads))
        follows.update((name, reached) for name in nest.values)
    return follows
