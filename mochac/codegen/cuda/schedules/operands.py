"""How a block of threads reads the two factors of a contraction, while it copies panels of them and from the panels."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mochac.codegen.analysis.contraction import Contraction, Dims, Factor


@dataclass(frozen=True)
class Operand:
    """One side of a contraction: its loops, and how products read its factor.

    Attributes:
        dims: the loops of results on which only this factor depends.
        vector: its terms are innermost in a panel, so one instruction reads several.
        adjacent: otherwise, the loop along which its elements are contiguous.
        slides: the loop of positions under a window of `taps`; neighbouring positions read the same elements.
        share: the fraction of a panel's elements that a block copies.
        cells: results for each combination of the loops, the cells of a window that is reduced afterwards; `sliding` of
            them are along `slides`.
    """

    dims: Dims
    vector: bool = True
    adjacent: str = ""
    slides: str = ""
    taps: int = 1
    share: float = 1.0
    cells: int = 1
    sliding: int = 1


def operand(form: Contraction, factor: Factor, loops: tuple[str, ...], window: tuple[str, ...] = ()) -> Operand:
    """The side of a factor; windows over different blocks or phases of a strided loop never overlap."""
    dims, cells = form.dims(loops), form.size(window)
    if not factor.direct:
        return Operand(dims, False, cells=cells)
    apart = form.phases | (set(form.shared) & {cut.block for cut in form.strided})
    index, terms = factor.loads[0].index, set(form.terms)
    slid = (form.size(terms & set(i.vars)) for i in index if set(i.vars) - terms - apart)
    share = math.prod(2 / n for n in slid if n > 1)  # assuming as many positions as taps
    last = index[-1]
    taps = [v for v in last.vars if v in terms]
    places = [v for v, c in last.terms if v not in terms and v not in apart and c == 1]
    if len(taps) == len(places) == 1:
        sliding = form.size(set(window) & set(places))
        return Operand(dims, False, "", places[0], form.extent[taps[0]], share, cells, sliding)
    vector = len(taps) == len(last.vars)
    adjacent = last.vars[0] if not vector and [c for _, c in last.terms] == [1] else ""
    return Operand(dims, vector, adjacent, share=share, cells=cells)
