"""Copies into shared memory: how threads divide the elements, and which loops copy asynchronously.

spread: divides the elements of a box among the threads of a block (step Panels). Each thread copies the same number of
elements at constant distances, so the loops over them can be unrolled and the values kept in registers.

async_copy: a thread starts a copy into shared memory and goes on; it waits for all its copies at a later barrier.

    each v in 0..4 async {
      %X.panel[t, 4*k + v] = 0.0:f32                  only if there is a condition
      if -t + 9 >= 0 {
        %x_ = %x[t, 4*k + v]
        %X.panel[t, 4*k + v] = %x_
      }
    }

The loop means what it would mean if it ran serially. Its elements take no registers, and a thread that computes
meanwhile does not wait for them. Printers wait where a barrier separates the copy from what reads it, so no step of a
schedule and no statement says when: codegen/cuda/barriers.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Body, Buffer, Const, If, Load, Loop, Stmt, Store, identity, substitute
from mochac.ir.kernel_rules import KernelProblem, Problems, Subject
from mochac.ir.types import DTYPES


@record
class Axis:
    """One axis of a box: index = (turn * across + thread) * vector + element."""

    var: str
    extent: int
    across: int
    turns: int
    vector: int = 1

    @property
    def index(self) -> Index:
        place = Index.var(self.thread) * self.vector if self.across > 1 else Index.of(0)
        if self.turns > 1:
            place = place + Index.var(f"{self.var}_r") * (self.across * self.vector)
        return place + Index.var(f"{self.var}_v") if self.vector > 1 else place

    @property
    def thread(self) -> str:
        """The loop over threads; it is the axis itself if the threads cover it."""
        return self.var if self.turns == self.vector == 1 else f"{self.var}_t"

    @property
    def guard(self) -> Index | None:
        """An index that is >= 0 inside the axis; None if no guard is needed."""
        if self.across * self.turns * self.vector == self.extent:
            return None
        first = self.index - Index.var(f"{self.var}_v") if self.vector > 1 else self.index
        return Index.of(self.extent - self.vector) - first


def spread(box: Sequence[tuple[str, int]], threads: int, vector: int = 1) -> tuple[Axis, ...]:
    """Divide a box, given as (variable, extent) per axis, slowest first, among `threads` threads, in as few turns as
    possible, with threads along the fastest axes first. Each thread copies `vector` neighbours along the last axis,
    whose extent must be divisible by it.

    >>> [(a.across, a.turns) for a in spread((("n", 2), ("h", 12), ("w", 12)), 128)]
    [(2, 1), (4, 3), (12, 1)]
    """
    extents = tuple(n for _, n in box)
    across = _best((*extents[:-1], extents[-1] // vector) if extents else (), threads)
    steps = (*(1 for _ in extents[1:]), vector)
    return tuple(Axis(var, n, t, -(-n // (t * v)), v) for (var, n), t, v in zip(box, across, steps, strict=True))


@lru_cache(maxsize=4096)
def _best(extents: tuple[int, ...], threads: int) -> tuple[int, ...]:
    def turns(across: tuple[int, ...]) -> tuple[int, ...]:
        each = tuple(-(-n // t) for n, t in zip(extents, across, strict=True))
        return (math.prod(each), *reversed(each))

    return min(_choices(extents, threads), key=turns)


def _choices(extents: tuple[int, ...], threads: int) -> Iterator[tuple[int, ...]]:
    """Numbers of threads along each axis, at most `threads` in all."""
    if not extents:
        yield ()
        return
    *outer, last = extents
    for across in sorted({-(-last // turns) for turns in range(1, last + 1)}, reverse=True):
        if across <= threads:
            yield from ((*rest, across) for rest in _choices(tuple(outer), threads // across))


@record
class BoxCopy:
    """The copy of one element of a box: `read` computes a value and `store` stores it. If there are conditions, `store`
    stores the local `register` instead, which is `zero` where a condition fails."""

    read: tuple[Stmt, ...]
    store: Store
    conds: tuple[Index, ...] = ()
    register: str = ""
    zero: Const | None = None


def nest(axes: Sequence[Axis], copy: BoxCopy) -> Stmt:
    """The loops of a copy: over threads, over turns (unrolled) and along a vector."""
    vector = next((a for a in axes if a.vector > 1), None)
    body: tuple[Stmt, ...] = (*copy.read, copy.store)
    if copy.conds and copy.zero is not None:
        body = _guarded(copy, vector)
    elif vector is not None:
        body = _along(vector, body)
    body = substitute(body, {a.var: a.index for a in axes})
    guards = tuple(a.guard for a in axes if a.guard is not None)
    if guards:
        body = (If(guards, body),)
    for a in reversed(axes):
        if a.turns > 1:
            body = (Loop(f"{a.var}_r", Limit.of(0), Limit.of(a.turns), "each", "unroll", body),)
    for a in reversed([a for a in axes if a.across > 1] or axes[:1]):
        body = (Loop(a.thread, Limit.of(0), Limit.of(a.across), "each", "threads", body),)
    return body[0]


def _guarded(copy: BoxCopy, vector: Axis | None) -> tuple[Stmt, ...]:
    """held = 0; if (inside) held = value; panel = held; each for a whole vector."""
    assert copy.zero is not None
    at = (Index.var(f"{vector.var}_v"),) if vector is not None else ()
    value = copy.store.value
    zero: tuple[Stmt, ...] = (Store(copy.register, at, copy.zero),)
    read: tuple[Stmt, ...] = (*copy.read, Store(copy.register, at, value))
    put: tuple[Stmt, ...] = (
        Load(f"{value}.or0", copy.register, at),
        Store(copy.store.buffer, copy.store.index, f"{value}.or0"),
    )
    if vector is not None:
        zero, read, put = _along(vector, zero), _along(vector, read), _along(vector, put)
    return (*zero, If(copy.conds, read), *put)


def _along(vector: Axis, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    return (Loop(f"{vector.var}_v", Limit.of(0), Limit.of(vector.vector), "each", "vector", body),)


BANKS = 32
"""Number of memory banks of shared memory; a warp can read one word of each at once."""


def bank_accesses(place: Index, threads: Sequence[tuple[str, int]]) -> int:
    """Number of accesses that shared memory needs to serve one read by a warp (1: no bank conflicts). The threads read
    words at `place`, an index over their loops `threads` (variable, extent), slowest first; or vectors of four words,
    if all coefficients are multiples of 4.

    >>> bank_accesses(Index.var("t") * 2, [("t", 32)]), bank_accesses(Index.var("t") * 33, [("t", 32)])
    (2, 1)
    """
    steps = [(place.coefficient(v), extent) for v, extent in threads]
    wide = 4 if all(c % 4 == 0 for c, _ in steps) else 1
    words: list[int] = []
    for thread in range(BANKS):
        word, rest = 0, thread
        for c, extent in reversed(steps):
            word, rest = word + c * (rest % extent), rest // extent
        words.append(word)
    total = 0
    for first in range(0, BANKS, BANKS // wide):
        banks: dict[int, set[int]] = {}
        for word in words[first : first + BANKS // wide]:
            banks.setdefault(word // wide % (BANKS // wide), set()).add(word)
        total += max(map(len, banks.values()))
    return total


BYTES = (4, 8, 16)
"""What one copy may have."""


@record
class AsyncCopy:
    """A copy of `count` neighbours: `load` where all of `conds` hold, else zeros, into `store`; None: zeros anyway."""

    load: Load | None
    store: Store
    count: int
    conds: tuple[Index, ...] = ()

    def n_bytes(self, source: Buffer) -> int:
        """Bytes of the copy, from a buffer."""
        return self.count * DTYPES[source.type.dtype].itemsize

    def loop(self, var: str, dtype: str) -> Loop:
        """The copy as a loop."""
        assert self.load is not None
        body: Body = (self.load, self.store)
        if self.conds:
            body = (replace(self.store, value=identity("add", dtype)), If(self.conds, body))
        return Loop(var, Limit.of(0), Limit.of(self.count), "each", "async", body)


def async_copy(loop: Loop) -> AsyncCopy | None:
    """The copy that a loop is; None if it is none.

    >>> copy = AsyncCopy(Load("t", "x", (Index.var("v"),)), Store("X", (Index.var("v"),), "t"), 4, (Index.var("k"),))
    >>> async_copy(copy.loop("v", "f32")) == copy
    True
    """
    conds: tuple[Index, ...] = ()
    match loop.body:
        case (Store(value=Const()) as store,):
            return AsyncCopy(None, store, loop.extent or 0)
        case (Load() as load, Store() as store):
            zero = store
        case (Store(value=Const()) as zero, Load() as load, Store() as store):
            pass
        case (Store(value=Const()) as zero, If(conds, (Load() as load, Store() as store))):
            pass
        case _:
            return None
    whole = store.value == load.name and replace(zero, value=store.value) == store
    return AsyncCopy(load, store, loop.extent or 0, conds) if whole and _uniform(conds, loop.var) else None


def _uniform(conds: tuple[Index, ...], var: str) -> bool:
    """Whether conditions hold for all elements of a copy or for none."""
    return all(var not in c.vars for c in conds)


def async_copies(s: Subject) -> Problems:
    """An async loop is in loops that run as threads, and is one copy of 4, 8 or 16 bytes from an input to a shared
    local, with zeros where conditions fail."""
    inputs = {b.name for b in s.kernel.inputs}
    for p in s.sites:
        if not isinstance(p.stmt, Loop) or p.stmt.run != "async":
            continue
        loop, copy = p.stmt, async_copy(p.stmt)
        if copy is None or loop.kind != "each" or loop.lo.const != 0 or all(x.run != "threads" for x in p.loops):
            yield KernelProblem("async-copies", f"async loop {loop.var!r} is not one copy of a thread", loop)
            continue
        target = s.buffers[copy.store.buffer]
        source = s.buffers[copy.load.buffer] if copy.load else target
        if (copy.load and source.name not in inputs) or target.space != "shared":
            yield KernelProblem("async-copies", f"async loop {loop.var!r} copies no input into shared memory", loop)
        if source.type.dtype != target.type.dtype or copy.n_bytes(source) not in BYTES:
            yield KernelProblem("async-copies", f"async loop {loop.var!r} does not copy 4, 8 or 16 bytes", loop)
