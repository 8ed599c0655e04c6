"""Products and convolutions: tiles of results in registers, panels of both factors in shared memory.

    for tile of rows x columns (block):  for panel of terms:  copy both panels;  acc[r][s] += X[r, k] * W[k, s]

contraction_form.py defines rows, columns and terms. The taps of a convolution are gathered from the image while its
panel is copied.
"""

from __future__ import annotations

import math

from mochac.codegen.cuda.schedules.contraction_form import Contraction, contraction
from mochac.codegen.cuda.schedules.sides import Dims, count
from mochac.codegen.cuda.schedules.tiled import steps
from mochac.codegen.cuda.schedules.tiles import (
    GROUPS,
    BlockTile,
    ContractionSizes,
    Estimate,
    Panel,
    best_tile,
    estimate,
    halves,
)
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule
from mochac.ir.types import DTYPES

MIN_TERMS = 8
LONG = 128
"""Terms of a sum for which a block of its own pays, if there are too few tiles to fill the device."""
MAX_SKIPPED = 3.0
"""Maximum ratio of all iterations to those that conditions leave; beyond it, running all of them is a waste."""
PANELS = (16, 32, 64, 128)
"""Approximate numbers of terms of a panel."""


def rule(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is a sum of products that is large enough for tiles."""
    form = contraction(kernel)
    if form is None or not form.rows or not form.columns or not worthwhile(kernel, form, MIN_TERMS):
        return None
    terms, others = math.prod(n for _, n in form.terms), math.prod(n for _, n in form.both)
    tile = best(kernel, form, target)
    if tile is None:
        return None
    blocks = others * count(tile.rows, form.rows) * count(tile.columns, form.columns)
    if 4 * blocks < target.multiprocessors and terms >= LONG:
        return None
    name = "contraction.pooled" if form.window else "contraction.tiled"
    return Schedule(name, (*form.before, *steps(form, tile, halves(tile, sizes(kernel, form), target))))


def worthwhile(kernel: Kernel, form: Contraction, least: int) -> bool:
    """Whether a sum has at least that many terms, and conditions skip only a part of its iterations."""
    terms = math.prod(n for _, n in form.terms)
    results = math.prod(n for _, n in (*form.rows, *form.columns, *form.window, *form.both))
    return terms >= least and 2 * results * terms <= MAX_SKIPPED * max(kernel.flops, 1)


def best(kernel: Kernel, form: Contraction, target: CudaTarget) -> BlockTile | None:
    """The best tile of a contraction, None if none fits."""
    return best_tile(sizes(kernel, form), target) if form.rows and form.columns else None


def cycles(kernel: Kernel, form: Contraction, target: CudaTarget) -> Estimate | None:
    """The model's estimate for the best tile."""
    tile = best(kernel, form, target)
    return None if tile is None else estimate(tile, sizes(kernel, form), target)


def sizes(kernel: Kernel, form: Contraction) -> ContractionSizes:
    """The sizes of a contraction that the model needs."""
    size = DTYPES[kernel.outputs[0].type.dtype].itemsize
    others = math.prod(n for _, n in form.both)
    cells = math.prod(n for _, n in form.window)
    cuts = panels(form.terms)
    slides = {v: n for v, n in form.window if v == form.reads[1].slides}
    return ContractionSizes(
        form.rows, form.columns, others, cells, cuts, form.reads, slides.get(form.reads[1].slides, 1), size
    )


def panels(terms: Dims) -> tuple[Panel, ...]:
    """Ways to cut a sum into panels: whole inner loops and a part of the next, about as long as PANELS.

    >>> [(p.terms, p.count, p.part) for p in panels((("ci", 20), ("kh", 5), ("kw", 5)))]
    [(25, 20, 1), (50, 10, 2), (100, 5, 4)]
    """
    cuts: dict[int, Panel] = {}
    for k in range(len(terms), 0, -1):
        whole, extent = math.prod(n for _, n in terms[k:]), terms[k - 1][1]
        for about in PANELS:
            part = _part(extent, about / whole)
            if part and (part < extent or k == 1):
                cuts.setdefault(about, _panel(part, whole, terms, k))
    if not cuts:
        return (_panel(terms[0][1], math.prod(n for _, n in terms[1:]), terms, 1),)
    least = min(panel.total for panel in cuts.values())
    return tuple(panel for panel in dict.fromkeys(cuts.values()) if panel.total <= 1.1 * least)


def _part(extent: int, about: float) -> int:
    """A length near `about` that divides an extent; 0 if there is none."""
    near = [n for n in range(1, extent + 1) if 0.6 * about <= n <= 1.3 * about]
    return min(near, key=lambda n: (extent % n != 0, n % 4 != 0, abs(n - about)), default=0)


def _panel(part: int, whole: int, terms: Dims, k: int) -> Panel:
    rounds, row = -(-terms[k - 1][1] // part), whole * part
    outer = math.prod(n for _, n in terms[: k - 1])
    shared = part if part > 1 or k == len(terms) else terms[k][1]
    groups = tuple(g for g in GROUPS if shared % g == 0)
    return Panel(row, outer * rounds, outer, groups, row + 4 if row >= 8 else row + 1, part, k, row // shared)
