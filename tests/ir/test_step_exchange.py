"""exchange: parts of a sum that groups of threads hold meet in shared memory; what it refuses."""

from __future__ import annotations

import pytest
from panel_kit import END, SHARED, TILED, product

from mochac.ir.kernel_verify import KernelVerifyError
from mochac.ir.schedule import ScheduleError


def test_groups_of_threads_share_a_sum():
    done = product(*SHARED, "exchange(local=acc)", "blocks(loops=(nb, ob))")
    text = str(done)
    assert {b.name: b.type.shape for b in done.locals if b.name == "acc.parts"} == {"acc.parts": (2, 8, 4)}
    put, read = text.index("%acc.parts[fg, ni, oi] = "), text.index("= %acc.parts[fs, ne, oe]")
    assert text.index("fma") < put < read
    assert "sum fs in 0..2 unroll {" in text


def test_without_an_exchange_threads_would_read_what_is_not_theirs():
    with pytest.raises(KernelVerifyError, match="threads-private: %acc is not private to each thread everywhere"):
        product(*SHARED, "blocks(loops=(nb, ob))")


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (("exchange(local=best)",), "has no local 'best' in registers"),
        (("exchange(local=acc)",), "no nest over threads sets 'acc' first"),
        ((*TILED, *END, "exchange(local=x.panel)"), "has no local 'x.panel' in registers"),
    ],
)
def test_exchange_refuses(steps, message):
    with pytest.raises(ScheduleError, match=message):
        product(*steps)
