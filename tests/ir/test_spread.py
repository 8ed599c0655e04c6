"""How the elements of a box are spread over threads, and how often banks of shared memory are read."""

from __future__ import annotations

import numpy as np
import pytest

from mochac.ir.index import Index
from mochac.ir.shared_copies import bank_accesses, spread

BOXES = [(("a", 7),), (("a", 2), ("b", 12), ("c", 12)), (("a", 50), ("b", 28)), (("a", 1),)]


@pytest.mark.parametrize(("box", "vector"), [(box, v) for box in BOXES for v in (1, 4) if box[-1][1] % v == 0])
@pytest.mark.parametrize("lanes", [32, 100, 256])
def test_every_element_is_copied_once(box, lanes, vector):
    axes = spread(box, lanes, vector)
    assert np.prod([a.across for a in axes]) <= lanes
    for axis, (var, extent) in zip(axes, box, strict=True):
        places = []
        for turn in range(axis.turns):
            for thread in range(axis.across):
                for element in range(axis.vector):
                    env = {f"{var}_r": turn, axis.thread: thread, f"{var}_v": element}
                    if axis.guard is None or axis.guard.evaluate(env) >= 0:
                        places.append(axis.index.evaluate(env))
        assert sorted(places) == list(range(extent))


def test_banks():
    row = Index.var("r") * 36
    assert bank_accesses(row, [("r", 32)]) == 4  # 32 vectors of 16 bytes: no fewer
    assert bank_accesses(Index.var("r") * 32, [("r", 32)]) == 32
    assert bank_accesses(Index.var("r") * 32, [("r", 4), ("c", 8)]) == 4  # the other threads read the same words
