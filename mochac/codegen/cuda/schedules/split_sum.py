"""Sums of products in parts: more blocks than there are tiles of results, and a second grid that adds up the parts.

    for part (blocks):  for tile of results (blocks):  sum over a range of the terms, as any product
    for results (blocks):  sum of the parts in order;  epilogue

A convolution has few weights and long sums of gradients: a grid of their tiles leaves most of a device idle. More parts
keep more multiprocessors busy with shorter sums; but each part is stored and loaded once, and the second grid must be
launched. The tile model counts both.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import reduce

from mochac.codegen.cuda.schedules import contraction, generic, long_sum
from mochac.codegen.cuda.schedules import reduce as reductions
from mochac.codegen.cuda.schedules.contraction import MIN_TERMS, worthwhile
from mochac.codegen.cuda.schedules.contraction_form import Contraction
from mochac.codegen.cuda.schedules.contraction_form import contraction as analysed
from mochac.codegen.cuda.schedules.fitting import Rule, fitted_rule
from mochac.codegen.cuda.schedules.tiles import EDGE, MEMORY
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.grids import grids
from mochac.ir.kernel import Kernel, Load, walk
from mochac.ir.nest import band, loops
from mochac.ir.schedule import Schedule, ScheduleError
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.split import Split
from mochac.ir.steps.split_sum import SplitSum
from mochac.ir.types import DTYPES

LAUNCH = 2500
"""Cycles until a grid that waited for another one starts."""
MOVED = 400
"""Elements per cycle that the device stores to its cache and loads again."""
GAIN = 1.1
"""How much faster two grids must be by the model: it is not more exact, and the parts take memory."""
LEAST = 2 * (LAUNCH + EDGE + MEMORY)
"""Least cycles of a grid that is worth a second one."""
RULES: tuple[Rule, ...] = (long_sum.rule, contraction.rule, reductions.rule)
"""Rules for the grids."""


def rule(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """The schedule, or None if one grid is faster."""
    form = analysed(kernel)
    if form is None or not form.rows or not form.columns or form.window or not worthwhile(kernel, form, MIN_TERMS):
        return None
    terms = terms_of_part(kernel, form, target)
    return in_parts(kernel, form, terms, target) if terms else None


def in_parts(kernel: Kernel, form: Contraction, terms: int, target: CudaTarget) -> Schedule | None:
    """The schedule with that many iterations of the sum's outermost loop in a part; None if a step does not fit.

    reorder, split, split_sum: the kernel in two grids;  then the steps that the rules choose for each grid
    """
    order, var = _windows_outermost(kernel, form)[1], along(kernel, form)[0]
    part, sums = f"{var}_p", tuple(v for v, loop in loops(kernel).items() if loop.kind == "sum")
    steps = (Reorder(order), Split(var, terms, part, var), Reorder((part, *sums)), SplitSum(form.sum, part))
    try:
        apart = reduce(lambda done, step: step.apply(done), steps, kernel)
    except ScheduleError:
        return None
    chosen = (fitted_rule(RULES, grid, target) or (None, generic.rule(grid, target)) for grid in grids(apart))
    return Schedule("contraction.split-sum", (*steps, *(step for _, own in chosen for step in own.steps)))


def along(kernel: Kernel, form: Contraction) -> tuple[str, int]:
    """The outermost loop of the sum that no step of the form has cut, and its iterations; ("", 1) if there is none."""
    return next(((v, n) for v, n in form.terms if v in loops(kernel)), ("", 1))


def _windows_outermost(kernel: Kernel, form: Contraction) -> tuple[Contraction, tuple[str, ...]]:
    """The form and the order of the results' loops: if the columns' factor is read through windows, its loops come
    first, the positions in windows outermost, so that neighbouring threads hold neighbours of the other side."""
    results = tuple(loop.var for loop in band(kernel.body, kind="each"))
    if not form.reads[1].slides:
        return form, results
    summed = {var for var, _ in form.terms}
    read = (index for s in walk(kernel.body) if isinstance(s, Load) for index in s.index)
    slid = {v for index in read if summed & set(index.vars) for v in index.vars}
    rows = tuple(sorted(form.columns, key=lambda dim: dim[0] not in slid))
    first = tuple(var for var, _ in rows)
    swapped = replace(form, rows=rows, columns=form.rows, reads=(form.reads[1], form.reads[0]))
    return swapped, (*(v for v in first if v in results), *(v for v in results if v not in first))


def terms_of_part(kernel: Kernel, form: Contraction, target: CudaTarget) -> int:
    """Iterations of the sum's outermost loop that form a part; 0 if a single grid is faster.

    No more parts are tried once the products and the moves alone would take too long.
    """
    tiled, (var, extent) = contraction.cycles(kernel, form, target), along(kernel, form)
    whole = min(tiled.cycles, long_sum.cycles(kernel, form, target)) if tiled is not None else 0.0
    if whole < LEAST:
        return 0
    form, _ = _windows_outermost(kernel, form)
    results = math.prod(n for _, n in (*form.rows, *form.columns, *form.both))
    size = DTYPES[kernel.outputs[0].type.dtype].itemsize
    products = results * math.prod(n for _, n in form.terms) / (target.products(size) * target.multiprocessors)
    best, found = whole / GAIN, 0
    for parts in sorted({-(-extent // (1 << shift)) for shift in range(extent.bit_length())} - {1}):
        more, part = LAUNCH + parts * results / MOVED, -(-extent // parts)
        if EDGE + MEMORY + products + more >= best:
            break
        terms = tuple((v, part if v == var else n) for v, n in form.terms)
        model = contraction.cycles(kernel, replace(form, terms=terms, both=(*form.both, ("", parts))), target)
        if model is not None and model.cycles + more < best:
            best, found = model.cycles + more, part
    return found
