"""How a block of threads reads the two factors of a contraction, while it copies panels of them and from the panels;
and which terms conditions skip, such as zeros around an image.

    y[i] = sum k: x[i + k - p] * w[k]    where 0 <= i + k - p < n

Threads of a warp run the same instructions, so a term is only saved where all of them skip it: the places of a result
are either blocks of their own, whose loop over the term has limits, or all in the registers of a thread, where each
place and term is an instruction of its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.codegen.analysis.contraction import Contraction, Dims, Factor
from mochac.ir.index import Index
from mochac.ir.kernel import If, walk

FULL_WAVES = 8
"""From this many blocks per multiprocessor on, it does not matter which of them are long."""


@record
class Skip:
    """A loop of results and a loop of terms that conditions join.

    Attributes:
        result, term: the loops.
        extent: iterations of the loop of terms.
        left: for each iteration of the result's loop, how many terms conditions leave.
    """

    result: str
    term: str
    extent: int
    left: tuple[int, ...]

    @cached_property
    def share(self) -> float:
        """Part of all terms of all places that are left."""
        return sum(self.left) / (len(self.left) * self.extent)


@record
class Operand:
    """One side of a contraction: its loops, and how products read its factor.

    Attributes:
        dims: the loops of results on which only this factor depends.
        vector: its terms are innermost in a panel, so one instruction reads several.
        slides: otherwise, the loop of results along which its elements are contiguous.
        tap, step: the loop of terms that moves along the same axis, and how far, so that neighbours read the same
            elements; "" if there is none.
        row: elements of the operand along its last axis.
        window: the loops over a window that is reduced afterwards; `sliding` of its cells are along `slides`.
        axes: for each axis along which results and terms move together, these loops and their steps.
        skips: terms that conditions on these loops skip.
    """

    dims: Dims
    vector: bool = True
    slides: str = ""
    tap: str = ""
    step: int = 1
    row: int = 0
    window: Dims = ()
    sliding: int = 1
    axes: tuple[Dims, ...] = ()
    skips: tuple[Skip, ...] = ()

    @cached_property
    def cells(self) -> int:
        """Results for each combination of the loops."""
        return math.prod(n for _, n in self.window)

    def shared_part(self, iterations: Mapping[str, int]) -> float:
        """The number of different elements that products of these iterations read, as a share of all their reads.

        >>> Operand((("i", 12),), axes=((("i", 1), ("k", 1)),)).shared_part({"i": 4, "k": 5})
        0.4
        """
        part = 1.0
        for axis in self.axes:
            span = 1 + sum(step * (iterations[v] - 1) for v, step in axis)
            part *= min(1.0, span / math.prod(iterations[v] for v, _ in axis))
        return part


def operand(form: Contraction, factor: Factor, loops: tuple[str, ...], window: tuple[str, ...] = ()) -> Operand:
    """The side of a factor."""
    dims, cells = form.dims(loops), form.dims(window)
    skipped = () if window else tuple(s for s in skips(form) if s.result in loops)
    if not factor.direct:
        return Operand(dims, False, window=cells, skips=skipped)
    phases = form.phases | (set(form.shared) & {cut.block for cut in form.strided})
    index, terms = factor.loads[0].index, set(form.terms)
    axes = tuple(_axis(i, {*loops, *window}, terms) for i in index if terms & set(i.vars))
    axes = tuple(axis for axis in axes if axis)
    last = [(v, c) for v, c in index[-1].terms if form.extent[v] > 1]
    taps = [(v, c) for v, c in last if v in terms]
    places = [v for v, c in last if v not in terms and v not in phases and c == 1]
    if len(places) != 1 or len(taps) > 1:
        return Operand(dims, len(taps) == len(last), window=cells, axes=axes, skips=skipped)
    (slides,), (tap, step) = places, taps[0] if taps else ("", 1)
    row, sliding = form.kernel.buffers()[factor.loads[0].buffer].type.shape[-1], form.size({*window} & {slides})
    return Operand(dims, False, slides, tap, step, row, cells, sliding, axes, skipped)


def _axis(index: Index, results: set[str], terms: set[str]) -> Dims:
    """The loops that move an index, and how far; none if only results or only terms do."""
    moving = tuple((v, abs(step)) for v, step in index.terms if v in results | terms)
    return moving if results & {v for v, _ in moving} else ()


def skips(form: Contraction) -> tuple[Skip, ...]:
    """What conditions on a single result and a single term skip."""
    conds = dict.fromkeys(c for s in walk(form.kernel.body) if isinstance(s, If) for c in s.conds)
    results = {*form.rows, *form.columns}
    found: list[Skip] = []
    for term in form.terms:
        mine = [c for c in conds if term in c.vars]
        joined = {v for c in mine for v in c.vars} - {term}
        if len(joined) != 1 or not joined <= results:
            continue
        (result,) = joined
        places = ([{result: i, term: k} for k in range(form.extent[term])] for i in range(form.extent[result]))
        left = tuple(sum(all(c.evaluate(at) >= 0 for c in mine) for at in place) for place in places)
        if min(left) < form.extent[term]:
            found.append(Skip(result, term, form.extent[term], left))
    return tuple(found)


@lru_cache(maxsize=4096)
def busiest(shares: tuple[float, ...], each: int, multiprocessors: int) -> float:
    """The mean share of terms that are left for the blocks of the busiest multiprocessor; blocks go to them in turn.

    Args:
        shares: of the blocks, `each` in a row have one of these.

    >>> busiest((0.5, 1.0), 4, 4), busiest((0.5, 1.0), 4, 8)
    (0.75, 1.0)
    """
    blocks = len(shares) * each
    if blocks >= FULL_WAVES * multiprocessors:
        return sum(shares) / len(shares)
    turns = -(-blocks // multiprocessors)
    loads = (sum(shares[k // each] for k in range(s, blocks, multiprocessors)) for s in range(multiprocessors))
    return max(loads) / turns
