"""Parted sum: a sum over the samples of each part of a batch, and the sum of these.

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

from mochac.codegen.analysis.nests import accesses
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Accum, Buffer, Kernel, Let, Load, Loop, Operand, Stmt, Store, rewrite, substitute, walk
from mochac.ir.nest import loops


def of_one_part(kernel: Kernel) -> Kernel:
    """The kernel with sums over one part only; the kernel itself if it has no sums of parts."""
    kept = {loop.var: store for loop in loops(kernel).values() for store in _kept_sums(kernel, loop)}
    sums = {store.buffer: store.value for store in kept.values()}
    if not sums:
        return kernel
    loaded = {s.name: sums[s.buffer] for s in walk(kernel.body) if isinstance(s, Load) and s.buffer in sums}

    def one(stmt: Stmt) -> Stmt | tuple[Stmt, ...] | None:
        if isinstance(stmt, Loop) and stmt.var in kept:
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
