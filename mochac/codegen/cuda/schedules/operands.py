"""How a block of threads reads the two factors of a contraction, while it copies panels of them and from the panels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.codegen.analysis.contraction import Contraction, Dims, Factor
from mochac.codegen.cuda.schedules.skips import Skip, skips
from mochac.ir.index import Index


@record
class Operand:
    """One side of a contraction: its loops, and how products read its factor.

    Attributes:
        dims: the loops of results on which only this factor depends.
        vector: its terms are innermost in a panel, so one instruction reads several.
        adjacent: otherwise, the loop along which its elements are contiguous.
        slides: the loop of positions under a window of `taps`; neighbouring positions read the same elements.
        window: the loops over a window that is reduced afterwards; `sliding` of its cells are along `slides`.
        axes: for each axis along which results and terms move together, these loops and their steps.
        skips: terms that conditions on these loops skip.
    """

    dims: Dims
    vector: bool = True
    adjacent: str = ""
    slides: str = ""
    taps: int = 1
    window: Dims = ()
    sliding: int = 1
    axes: tuple[Dims, ...] = ()
    skips: tuple[Skip, ...] = ()

    @cached_property
    def cells(self) -> int:
        """Results for each combination of the loops."""
        return math.prod(n for _, n in self.window)

    def shared_part(self, held: Mapping[str, int]) -> float:
        """The number of different elements that products of these iterations read, as a share of all their reads.

        >>> Operand((("i", 12),), axes=((("i", 1), ("k", 1)),)).shared_part({"i": 4, "k": 5})
        0.4
        """
        part = 1.0
        for axis in self.axes:
            span = 1 + sum(step * (held[v] - 1) for v, step in axis)
            part *= min(1.0, span / math.prod(held[v] for v, _ in axis))
        return part


def operand(form: Contraction, factor: Factor, loops: tuple[str, ...], window: tuple[str, ...] = ()) -> Operand:
    """The side of a factor."""
    read = _read(form, factor, loops, window)
    return replace(read, skips=tuple(s for s in skips(form) if s.result in loops and not window))


def _read(form: Contraction, factor: Factor, loops: tuple[str, ...], window: tuple[str, ...]) -> Operand:
    """The side without its skips."""
    dims, cells = form.dims(loops), form.dims(window)
    if not factor.direct:
        return Operand(dims, False, window=cells)
    apart = form.phases | (set(form.shared) & {cut.block for cut in form.strided})
    index, terms = factor.loads[0].index, set(form.terms)
    axes = tuple(_axis(i, {*loops, *window}, terms) for i in index if terms & set(i.vars))
    axes = tuple(axis for axis in axes if axis)
    last = index[-1]
    taps = [v for v in last.vars if v in terms]
    places = [v for v, c in last.terms if v not in terms and v not in apart and c == 1]
    if len(taps) == len(places) == 1:
        sliding = form.size(set(window) & set(places))
        return Operand(dims, False, "", places[0], form.extent[taps[0]], cells, sliding, axes)
    vector = len(taps) == len(last.vars)
    adjacent = last.vars[0] if not vector and [c for _, c in last.terms] == [1] else ""
    return Operand(dims, vector, adjacent, window=cells, axes=axes)


def _axis(index: Index, results: set[str], terms: set[str]) -> Dims:
    """The loops that move an index, and how far; none if only results or only terms do."""
    moving = tuple((v, abs(step)) for v, step in index.terms if v in results | terms)
    return moving if results & {v for v, _ in moving} else ()
