"""Long sums of few results in parts: the grid has more blocks than results or tiles of them.

    for part (blocks):  for tile of results (blocks):  sum over a range of the terms, as in one grid
    for results (blocks, or the threads of the block that ends last):  sum of the parts in order;  epilogue

A convolution has few weights and long sums of gradients, a batch normalization few channels: a grid of their results
leaves most of a device idle. More parts keep more multiprocessors busy with shorter sums; but each part is stored and
loaded once. Products have so many results that a second grid adds up the parts, which must be launched; of other sums,
the last block does.
"""

from __future__ import annotations

import math
from dataclasses import replace

from mochac.codegen.analysis.contraction import Contraction
from mochac.codegen.cuda.schedules import contraction
from mochac.codegen.cuda.schedules import reduce as reductions
from mochac.codegen.cuda.schedules.block_tile import ContractionSizes, sizes
from mochac.codegen.cuda.schedules.generic import fitted_rule
from mochac.codegen.cuda.schedules.sectors import accesses
from mochac.codegen.cuda.schedules.tiles import EDGE, best_tile
from mochac.codegen.cuda.target import BYTES_PER_S, CLOCK_HZ, CudaTarget
from mochac.ir.applying import apply
from mochac.ir.grids import grids
from mochac.ir.kernel import Accum, Kernel, Loop, walk
from mochac.ir.nest import band, loops
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.split_sum import LastBlock, SplitSum
from mochac.ir.types import DTYPES

LAUNCH = 2500
"""Cycles until a grid that waited for another one starts."""
MOVED = 400
"""Elements per cycle that the device stores to its cache and loads again."""
GAIN = 1.2
"""How much faster parts must be by the model: it is not more exact, and they take memory and a launch."""
BLOCKS = 2
"""Blocks per multiprocessor that keep it busy with sums that are no products."""
WAITS = 3
"""Times that the last block waits for L2: for the fence, for its turn at the counter, and for the parts."""


def rule(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """The schedule, or None if one grid is faster."""
    form = contraction.large(kernel)
    if form and (form.window or not along(kernel, form)):
        return None
    terms = terms_of_part(kernel, form, target) if form else _terms_of_plain_part(kernel, target)
    return in_parts(kernel, form, terms, target) if terms else None


def in_parts(kernel: Kernel, form: Contraction | None, terms: int, target: CudaTarget) -> Schedule:
    """The schedule with that many iterations of the sum's outermost loop in a part; of products, by their form.

    reorder, split, split_sum: the kernel in two grids;  then the steps that the rules choose for each grid
    """
    b, nest = ScheduleBuilder(kernel), [v for v, loop in loops(kernel).items() if loop.kind == "sum"]
    b.reason = "there are too few results to fill the device: each block sums a part of the terms"
    if form:
        b.add(Reorder(_windows_outermost(kernel, form)[1]))
    first = along(kernel, form) if form else nest[0]
    part, inside = b.split(first, terms)
    added = dict.fromkeys(s.buffer for s in walk(loops(b.kernel)[part].body) if isinstance(s, Accum))
    b.add(Reorder((part, *(inside if v == first else v for v in nest))), SplitSum(tuple(added), part))
    sums, ends = grids(b.kernel)
    b.take_over(fitted_rule((contraction.rule, reductions.rule), sums, target)[1])
    b.take_over(fitted_rule((contraction.rule, reductions.rule) if form else (), ends, target)[1])
    if not form:
        b.add(LastBlock())
    return b.schedule(f"{'contraction' if form else 'reduce'}.split-sum")


# -- products


def least(target: CudaTarget) -> int:
    """Minimum cycles of a grid for which a second grid pays."""
    return 2 * (LAUNCH + EDGE + target.machine.l2_latency)


def along(kernel: Kernel, form: Contraction) -> str:
    """The outermost loop of the sum that no step of the form has cut; "" if there is none."""
    return next((v for v in form.terms if v in loops(kernel)), "")


def _windows_outermost(kernel: Kernel, form: Contraction) -> tuple[ContractionSizes, tuple[str, ...]]:
    """The sizes and the order of the result loops. If the factor of the columns is read through windows, its loops come
    first, with positions in windows outermost, so that neighbouring threads hold neighbours of the other side."""
    shape, results = sizes(form), tuple(loop.var for loop in band(kernel.body, kind="each"))
    if not shape.columns.slides:
        return shape, results
    terms = set(form.terms)
    slid = {v for s in form.factors[1].loads for i in s.index if terms & set(i.vars) for v in i.vars}
    first = tuple(sorted(form.columns, key=lambda v: v not in slid))
    swapped = replace(shape, rows=replace(shape.columns, dims=form.dims(first)), columns=shape.rows)
    return swapped, (*(v for v in first if v in results), *(v for v in results if v not in first))


def terms_of_part(kernel: Kernel, form: Contraction, target: CudaTarget) -> int:
    """Iterations of the sum's outermost loop that form a part; 0 if a single grid is faster.

    No more parts are tried once the products and the moves alone would take too long.
    """
    whole, first = best_tile(sizes(form), target)[0], along(kernel, form)
    if whole < least(target) or math.isinf(whole):
        return 0
    shape, _ = _windows_outermost(kernel, form)
    results, extent = form.size((*form.rows, *form.columns, *form.shared)), form.extent[first]
    products = results * form.size(form.terms) / (target.machine.products(shape.size) * target.multiprocessors)
    best, found = whole / GAIN, 0
    for parts in sorted({-(-extent // (1 << shift)) for shift in range(extent.bit_length())} - {1}):
        more, part = LAUNCH + parts * results / MOVED, -(-extent // parts)
        if EDGE + target.machine.l2_latency + products + more >= best:
            break
        terms = tuple((v, part if v == first else n) for v, n in shape.terms)
        cycles, _ = best_tile(replace(shape, terms=terms, others=shape.others * parts), target)
        if cycles + more < best:
            best, found = cycles + more, part
    return found


# -- other sums


def _terms_of_plain_part(kernel: Kernel, target: CudaTarget) -> int:
    """Like `terms_of_part`, for a sum that threads of blocks share."""
    outer = band(kernel.body, kind="each")
    sums = [s for s in (outer[-1].body if outer else kernel.body) if isinstance(s, Loop)]
    whole = reductions.rule(kernel, target) if len(sums) == 1 and sums[0].kind == "sum" else None
    if whole is None:
        return 0
    blocks = math.prod(loop.extent or 0 for loop in band(apply(whole, kernel).body, run="blocks"))
    parts = min(sums[0].extent or 0, -(-BLOCKS * target.multiprocessors // blocks))
    return -(-(sums[0].extent or 0) // parts) if parts >= 2 and pays(kernel, blocks, parts, target) else 0


def pays(kernel: Kernel, blocks: int, parts: int, target: CudaTarget) -> bool:
    """Whether sums are so much faster in parts that it outweighs what the last block adds up: what a multiprocessor
    loads in a given time is limited."""
    results = tuple(loop.var for loop in band(kernel.body, kind="each"))
    moved = sum(r.size * r.times for r in accesses(kernel, results) if set(r.index.vars) - set(results))
    count = math.prod(loops(kernel)[v].extent or 0 for v in results)
    seconds, size = moved * count / BYTES_PER_S, DTYPES[kernel.outputs[0].type.dtype].itemsize
    fill, filled = (min(1.0, n / target.multiprocessors) for n in (blocks, blocks * parts))
    cycles = WAITS * target.machine.l2_latency + size * count * parts / target.machine.l2_bytes_per_cycle
    return seconds / fill > GAIN * (seconds / filled + cycles / CLOCK_HZ)
