"""How a block of threads reads the factors of a contraction while it copies them into panels."""

from __future__ import annotations

from mochac.codegen.analysis.contraction import Contraction, Factor
from mochac.codegen.cuda.schedules.tiles import Read


def reads(form: Contraction) -> tuple[Read, Read]:
    """How the rows' and the columns' factors are read."""
    rows, columns = form.factors
    return _read(form, rows), _read(form, columns)


def _read(form: Contraction, factor: Factor) -> Read:
    """Windows over different blocks or phases of a strided loop never overlap."""
    if not factor.direct:
        return Read(False)
    apart = form.phases | (set(form.shared) & {cut.block for cut in form.strided})
    index, terms = factor.loads[0].index, set(form.terms)
    share = 1.0
    for i in index:
        along = form.size(terms & set(i.vars))
        if along > 1 and set(i.vars) - terms - apart:
            share *= 2 / along  # assuming as many positions as taps
    last = index[-1]
    if set(last.vars) <= terms:
        return Read(True, share=share)
    if len(last.terms) == 1 and last.terms[0][1] == 1:
        return Read(False, adjacent=last.vars[0], share=share)
    taps = [v for v in last.vars if v in terms]
    places = [v for v, c in last.terms if v not in terms and v not in apart and c == 1]
    if len(taps) == 1 and len(places) == 1:
        return Read(False, slides=places[0], taps=form.extent[taps[0]], share=share)
    return Read(False, share=share)
