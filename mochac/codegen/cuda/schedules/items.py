"""Kernels of which a block computes all parts for a strip of an item: attention.

    for each sample, head and strip of queries (block):
        scores = queries * keys;  barrier;  rows of softmax;  barrier;  rows * values

What the parts pass to each other, such as a strip of scores, is in shared memory. Each part is scheduled for the
threads of one block: a product by a tile that holds all of its results, rows by several threads each. Strips do not
wait for each other, so sums over all rows, such as the gradients of keys and values, stay kernels of their own.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from functools import lru_cache
from math import prod

from mochac.base.records import record
from mochac.codegen.cuda.schedules import contraction as tiled
from mochac.codegen.cuda.schedules.block_tile import sizes
from mochac.codegen.cuda.schedules.tiles import EDGE, best_tile, halves, whole_tile
from mochac.codegen.cuda.target import BYTES_PER_S, CLOCK_HZ, LAUNCH_S, CudaTarget
from mochac.codegen.cuda.vectors import misaligned
from mochac.codegen.nesting import Nested
from mochac.ir.item_views import View
from mochac.ir.items import EACH, ItemFrame, item_frame
from mochac.ir.kernel import Accum, Body, Buffer, Kernel, Let, Load, Loop, Store, walk, written_buffers
from mochac.ir.nest import loops
from mochac.ir.schedule import Schedule, ScheduleError, Step
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.items import ByItems, item_views
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.run import Blocks, Place, Threads, Unroll
from mochac.ir.steps.storage import Loosen
from mochac.ir.steps.threads import Exchange
from mochac.ir.types import DTYPES

SIZES = (64, 32, 16, 8)
"""Rows of a strip."""
THREADS = (128, 256)
UNROLLED = 16
"""Maximum terms of a thread whose loads are issued together."""
SHARED_BY = 16
"""Maximum threads of a row: the parts of more would lie in few banks."""
BANKS = 32
"""Banks of shared memory."""
CALL, ACCESS = 12, 4
"""Cycles of a scalar function, and of another statement, about."""


@record
class InStrips:
    """A joined kernel scheduled for blocks, and the cycles of the multiprocessor with the most of them."""

    schedule: Schedule
    cycles: float


def rule(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """The schedule of a joined kernel whose parts fit a block, None for others."""
    found = in_strips(kernel, target)
    return found.schedule if found else None


@lru_cache(maxsize=64)
def refuse(kernel: Kernel, target: CudaTarget) -> str:
    """Why blocks should not compute all parts of a joined kernel; "" if they should."""
    frame, found = item_frame(kernel), in_strips(kernel, target)
    if frame is None or found is None:
        return "a block does not hold a strip of what the parts pass to each other"
    (parts,), items = item_views(kernel, frame, frame.length), prod(frame.extents)
    separate = sum(_alone(part.kernel, items, target) for part in parts) + LAUNCH_S * (len(parts) - 1)
    return "" if found.cycles / CLOCK_HZ < separate else "each part is faster with tiles of its own"


@lru_cache(maxsize=64)
def in_strips(kernel: Kernel, target: CudaTarget) -> InStrips | None:
    """The fastest strips, None if no strip fits a block."""
    frame = item_frame(kernel) if kernel.members else None
    if frame is None or any(nest.kind != EACH for nest in frame.nests):
        return None
    sizes = [n for n in {*SIZES, frame.length} if n <= SIZES[0] and frame.length % n == 0]
    ways = [(size, threads) for size in sorted(sizes) for threads in THREADS if threads <= SHARED_BY * size]
    found = [way for size, threads in ways if (way := _strips(kernel, frame, size, threads, target)) is not None]
    return min(found, key=lambda way: way.cycles, default=None)


def _strips(kernel: Kernel, frame: ItemFrame, size: int, threads: int, target: CudaTarget) -> InStrips | None:
    (views,), blocks = item_views(kernel, frame, size), prod(frame.extents) * (frame.length // size)
    near, inputs = {x.name for x in kernel.locals}, {x.name for x in kernel.inputs}
    parts = [_part(view, near, inputs, threads, blocks, target) for view in views]
    if any(part is None for part in parts):
        return None
    b = ScheduleBuilder(kernel)
    try:
        b.add(ByItems(size, tuple(part.steps for part in parts if part is not None)))
        b.reason = "what the parts pass to each other is near the threads that read it"
        for local in [x for x in b.kernel.locals if x.space == "scratch"]:
            b.add(*_loosened(local, threads // size), Place(local.name, "shared"))
        b.add(Blocks(b.loops()[: len(frame.extents) + 1]))
    except ScheduleError:
        return None
    shared = sum(x.type.storage_bytes for x in b.kernel.locals if x.space == "shared")
    if shared > target.shared_bytes or misaligned(b.kernel) or _reads_vectors(b.kernel, frame.passed):
        return None
    spent = sum(part.cycles for part in parts if part is not None)
    return InStrips(b.schedule("items"), EDGE + target.machine.l2_latency + spent)


def _reads_vectors(kernel: Kernel, passed: Container[str]) -> bool:
    """Whether a part reads as vectors what another part has stored in shared memory as single elements. C++ does not
    allow reading an array of floats through another type."""
    strips = {x.name for x in kernel.locals if x.name in passed}
    vectors = (s for s in walk(kernel.body) if isinstance(s, Loop) and s.run == "vector")
    return any(isinstance(s, Load) and s.buffer in strips for loop in vectors for s in loop.body)


def _loosened(local: Buffer, parts: int) -> tuple[Step, ...]:
    """Rows begin `parts` banks apart, so that threads that share rows read different banks."""
    by = (parts - local.type.shape[-1]) % BANKS
    return (Loosen(local.name, len(local.type.shape) - 1, by),) if by and len(local.type.shape) > 1 else ()


# -- the parts of a strip


@record
class _Part:
    steps: tuple[Step, ...]
    cycles: float


def _part(
    view: View, near: Container[str], inputs: Container[str], threads: int, blocks: int, target: CudaTarget
) -> _Part | None:
    """Steps for the threads of one block, None if they do not fit.

    Args:
        near: the values that are in shared memory.
        inputs: those that no part computes.
    """
    nested = Nested.of(view.kernel)
    try:
        far = {name for name, pattern in view.patterns.items() if pattern.buffer not in near}
        read_only = {name for name, pattern in view.patterns.items() if pattern.buffer in inputs}
        found = _product(nested.kernel, read_only, threads, blocks, target) or _rows(
            nested.kernel, far, threads, blocks, target
        )
    except ScheduleError:
        return None
    return None if found is None else _Part((*nested.steps, *found.steps), found.cycles)


def _product(kernel: Kernel, read_only: Container[str], threads: int, blocks: int, target: CudaTarget) -> _Part | None:
    """A product by a tile that holds all of its results. Only what no part computes is copied past registers."""
    form = tiled.for_tiles(kernel)
    if form is None or form.shared or form.window:
        return None
    target = replace(target, panel_bytes=target.shared_bytes)
    spent, tile = whole_tile(replace(sizes(form), others=blocks), threads, target)
    if tile is None:
        return None
    b = ScheduleBuilder(kernel, form.steps, form.kernel)
    direct = target.copies_async and all(load.buffer in read_only for factor in form.factors for load in factor.loads)
    tiled.tile_block(b, form, tile, halves(tile, target) == 2, direct)
    return _Part(b.schedule("items.product").steps, spent - EDGE)


def _rows(kernel: Kernel, far: Container[str], threads: int, blocks: int, target: CudaTarget) -> _Part | None:
    """Rows, each of which some threads share; values that are `far` are not in shared memory.

    each q {                                    each q, g threads { part[q, g] = max of every so many terms }
      sum c { largest = max(..) }         ->    each q threads { largest[q] = max of the parts }
      each c { y[q, c] = f(.., largest) }       each q, c threads { y[q, c] = f(.., largest[q]) }
    }
    """
    b = ScheduleBuilder(kernel)
    rows = b.loops()
    inside = [s for row in rows[-1:] for s in loops(kernel)[row].body if isinstance(s, Loop)]
    if not inside:
        b.add(Threads(rows, threads))
    elif len(rows) != 1 or not all(map(_is_simple, inside)):
        return None
    else:
        _share(b, rows[0], inside, threads)
    return _Part(b.schedule("items.rows").steps, _cycles(b.kernel, far, blocks, target))


def _is_simple(loop: Loop) -> bool:
    """Whether a loop inside a row stores elements, or adds up one sum."""
    sums = {s.buffer for s in loop.body if isinstance(s, Accum)}
    kind = loop.kind == "each" or (loop.kind == "sum" and len(sums) == 1)
    return kind and not any(isinstance(s, Loop) for s in walk(loop.body))


def _share(b: ScheduleBuilder, row: str, inside: Sequence[Loop], threads: int) -> None:
    """Divide the sums of a row among threads, which read each other's parts."""
    exchanged: list[str] = []
    b.reason = "threads share each row"
    for nest in (s for s in inside if s.kind == "sum"):
        (accumulator,) = {s.buffer for s in nest.body if isinstance(s, Accum)}
        outer, part = b.split(nest.var, threads // b.extent(row))
        b.add(Reorder((part, outer)))
        b.partial(accumulator, part)
        if b.extent(outer) <= UNROLLED:
            b.add(Unroll(outer))
        exchanged.append(accumulator)
    for loop in _loops_over_rows(b, row):
        b.add(Threads(_together(loops(b.kernel)[loop]), threads))
    b.add(*map(Exchange, exchanged))
    of_rows = (x for x in b.kernel.locals if x.space == "register" and x.type.shape and x.name not in exchanged)
    b.add(*(Place(x.name, "shared") for x in of_rows))


def _loops_over_rows(b: ScheduleBuilder, row: str) -> list[str]:
    """Give each loop inside a row, with the scalars around it, a loop over rows of its own; return these."""
    found = [row]
    while len(inner := [k for k, s in enumerate(loops(b.kernel)[row].body) if isinstance(s, Loop)]) > 1:
        body, k = loops(b.kernel)[row].body, inner[-1]
        before = body[k - 1]
        starts = isinstance(before, Store) and before.buffer in written_buffers((body[k],))
        found.append(b.fission(row, k - starts))
    return found


def _together(row: Loop) -> tuple[str, ...]:
    """The loops of a nest of rows that threads can share: with its only inner loop, unless that is a sum."""
    inner = [s for s in row.body if not isinstance(s, (Let, Load))]
    alone = isinstance(inner[0], Loop) and inner[0].kind == "each" and len(inner) == 1
    return (row.var, inner[0].var) if alone and isinstance(inner[0], Loop) else (row.var,)


def _cycles(kernel: Kernel, far: Container[str], blocks: int, target: CudaTarget) -> float:
    """Cycles of a block, whose nests follow each other, and so do the instructions of a thread; or of all blocks, if
    their instructions or what they move takes longer."""
    machine, nests = target.machine, [s for s in kernel.body if isinstance(s, Loop)]
    reads_far = sum(any(isinstance(s, Load) and s.buffer in far for s in walk((nest,))) for nest in nests)
    waits = len(nests) * (machine.barrier + machine.shared_latency) + reads_far * machine.l2_latency
    alone = waits + sum(-(-_work((nest,)) // kernel.block) for nest in nests)
    issued = _work(kernel.body) / (machine.schedulers * machine.warp) * -(-blocks // target.multiprocessors)
    moved = sum(b.type.storage_bytes for b in (*kernel.inputs, *kernel.outputs) if b.name in far)
    return max(alone, issued, blocks * moved * CLOCK_HZ / BYTES_PER_S)


def _work(body: Body) -> int:
    """Cycles of all iterations, one after the other."""
    spent = 0
    for s in body:
        spent += (s.extent or 0) * _work(s.body) if isinstance(s, Loop) else CALL if isinstance(s, Let) else ACCESS
    return spent


def _alone(part: Kernel, items: int, target: CudaTarget) -> float:
    """Seconds of a part for all items, as a kernel of its own."""
    naive = Nested.of(part).kernel
    form = tiled.for_tiles(naive)
    if form is not None:
        return best_tile(replace(sizes(form), others=items), target)[0] / CLOCK_HZ
    moved = sum(DTYPES[b.type.dtype].itemsize * b.type.elems for b in (*naive.inputs, *naive.outputs))
    return items * moved / BYTES_PER_S
