"""The rate of the team's clock comes out right although the thread loses its CPU between two looks."""

from __future__ import annotations

import time

import pytest

from mochac.runtime.cpu.ticks import TickRate
from mochac.runtime.support.rates import confirmed


class Held:
    """A clock of 1e9 ticks a second whose reader is held up after some readings."""

    def __init__(self, every):
        self.every, self.n = every, 0

    def __call__(self):
        now = time.perf_counter_ns()
        self.n += 1
        if self.n % self.every == 0:
            time.sleep(0.005)
        return now


@pytest.mark.parametrize("every", [1000, 3, 2])
def test_rate(every):
    rate = TickRate(Held(every))
    assert rate.seconds() == pytest.approx(1e-9, rel=0.02)
    assert rate.seconds() == rate.seconds()


def test_one_wild_rate_is_no_peak():
    assert confirmed([500.0, 3764.0, 490.0]) == 500.0
    assert confirmed([7.0]) == 7.0
    assert confirmed([1.0, 4.0]) == 1.0
