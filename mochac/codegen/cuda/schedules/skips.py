"""Terms that conditions skip, such as zeros around an image: how many are left for each place of a result.

    y[i] = sum k: x[i + k - p] * w[k]    where 0 <= i + k - p < n

Threads of a warp run the same instructions, so a term is only saved where all of them skip it: the places of a result
are either blocks of their own, whose loop over the term has limits, or all in the registers of a thread, where each
place and term is an instruction of its own.
"""

from __future__ import annotations

from functools import lru_cache

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.codegen.analysis.contraction import Contraction
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
