"""The rate of the team's clock comes out right although the thread loses its CPU between two looks."""

from __future__ import annotations

import pytest

from mochac.base.support.times import confirmed
from mochac.runtime.cpu import team as ticks
from mochac.runtime.cpu.team import TickRate

READING_NS, HELD_NS = 100, 5_000_000


class Held:
    """A machine with a clock of 1e9 ticks a second whose reader is held up after some readings."""

    def __init__(self, every):
        self.every, self.n, self.now_ns = every, 0, 0

    def ticks(self):
        self.now_ns += READING_NS
        read = self.now_ns
        self.n += 1
        if self.n % self.every == 0:
            self.now_ns += HELD_NS
        return read

    def perf_counter(self):
        self.now_ns += READING_NS
        return self.now_ns / 1e9

    def sleep(self, seconds):
        self.now_ns += round(seconds * 1e9)


@pytest.mark.parametrize("every", [1000, 3, 2])
def test_rate(every, monkeypatch):
    machine = Held(every)
    monkeypatch.setattr(ticks, "time", machine)
    rate = TickRate(machine.ticks)
    assert rate.seconds() == pytest.approx(1e-9, rel=1e-4)
    assert rate.seconds() == rate.seconds()


@pytest.mark.parametrize("every", [1])
def test_a_reader_that_is_always_held_up_gets_a_rate_too(every, monkeypatch):
    machine = Held(every)
    monkeypatch.setattr(ticks, "time", machine)
    assert TickRate(machine.ticks).seconds() == pytest.approx(1e-9, rel=0.5)


def test_one_wild_rate_is_no_peak():
    assert confirmed([500.0, 3764.0, 490.0]) == 500.0
    assert confirmed([7.0]) == 7.0
    assert confirmed([1.0, 4.0]) == 1.0
