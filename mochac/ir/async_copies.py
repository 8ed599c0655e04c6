"""Async copies: a thread starts a copy into shared memory and goes on; it waits for all its copies at a later barrier.

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

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Body, Buffer, Const, If, Load, Loop, Store, identity
from mochac.ir.kernel_rules import KernelProblem, Problems, Subject
from mochac.ir.types import DTYPES

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
