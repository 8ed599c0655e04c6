"""Sums of products in parts: the grid has more blocks than tiles of results, and a second grid adds up the parts.

    for part (blocks):  for tile of results (blocks):  sum over a range of the terms, as any product
    for results (blocks):  sum of the parts in order;  epilogue

A convolution has few weights and long sums of gradients: a grid of their tiles leaves most of a device idle. More parts
keep more multiprocessors busy with shorter sums; but each part is stored and loaded once, and the second grid must be
launched. The tile model counts both.
"""

from __future__ import annotations

import math
from dataclasses import replace

from mochac.codegen.analysis.contraction import Contraction
from mochac.codegen.cuda.schedules import contraction, long_sum
from mochac.codegen.cuda.schedules import reduce as reductions
from mochac.codegen.cuda.schedules.block_tile import ContractionSizes, sizes
from mochac.codegen.cuda.schedules.fitting import Rule, fitted_rule
from mochac.codegen.cuda.schedules.multiprocessor import EDGE
from mochac.codegen.cuda.schedules.tiles import best_tile
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.grids import grids
from mochac.ir.kernel import Kernel
from mochac.ir.nest import band, loops
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.split_sum import SplitSum

LAUNCH = 2500
"""Cycles until a grid that waited for another one starts."""
MOVED = 400
"""Elements per cycle that the device stores to its cache and loads again."""
GAIN = 1.2
"""How much faster two grids must be by the model: it is not more exact, and the parts take memory and a
launch."""
PRODUCTS: tuple[Rule, ...] = (long_sum.rule, contraction.rule)
"""Rules for products in one grid."""


def least(target: CudaTarget) -> int:
    """Minimum cycles of a grid for which a second grid pays."""
    return 2 * (LAUNCH + EDGE + target.machine.l2_latency)


def rule(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """The schedule, or None if one grid is faster."""
    form = contraction.large(kernel)
    terms = terms_of_part(kernel, form, target) if form and not form.window else 0
    return in_parts(kernel, form, terms, target) if form and terms else None


def in_parts(kernel: Kernel, form: Contraction, terms: int, target: CudaTarget) -> Schedule:
    """The schedule with that many iterations of the sum's outermost loop in a part.

    reorder, split, split_sum: the kernel in two grids;  then the steps that the rules choose for each grid
    """
    b, first = ScheduleBuilder(kernel), along(kernel, form)
    b.reason = "there are too few results to fill the device: each block sums a part of the terms"
    b.add(Reorder(_windows_outermost(kernel, form)[1]))
    part, inside = b.split(first, terms)
    sums = (v for v, loop in loops(kernel).items() if loop.kind == "sum")
    b.add(Reorder((part, *(inside if v == first else v for v in sums))), SplitSum((form.accumulator,), part))
    for grid in grids(b.kernel):
        b.take_over(fitted_rule((*PRODUCTS, reductions.rule), grid, target)[1])
    return b.schedule("contraction.split-sum")


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
    tiled, first = best_tile(sizes(form), target)[0], along(kernel, form)
    whole = min(tiled, long_sum.best_held(form, target)[0])
    if not first or whole < least(target) or math.isinf(tiled):
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
