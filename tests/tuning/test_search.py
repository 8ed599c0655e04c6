"""The search for one kernel's schedule, on a bench that knows what every schedule costs: nothing is compiled here."""

import math
from dataclasses import replace
from types import SimpleNamespace

import pytest
from codegen.kernels import case

from mochac.codegen.cpu import schedules
from mochac.codegen.cpu.generator import CpuGenerator
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.schedule import Schedule, parse_schedule
from mochac.ir.steps.run import Vector
from mochac.lowering.tuning.bench import Refused
from mochac.lowering.tuning.schedules import SearchLevel
from mochac.lowering.tuning.search import search

LEVEL = SearchLevel("full", 60.0, 1.0, 100, 0.0, rounds=1, confirming=4, burst_s=0.0, hops=1)
COSTS = {"ax": 10.0, "bx": 9.9, "cx": 8.0, "ay": 11.0, "az": 9.0, "cy": 8.5, "cz": 5.0, "bz": 8.9}


class Bench:
    """`costs` by schedule name; those without a cost are refused."""

    def __init__(self, costs=COSTS, spilling=(), moody=(), predictions=()):
        self.kernel = case("inner_product")
        self.backend = SimpleNamespace(generator=CpuGenerator(CpuTarget.of("skylake-avx512", 64)))
        self.predictions = dict(predictions)
        self.costs, self.spilling, self.moody, self.open = costs, spilling, moody, 0

    def candidate(self, schedule):
        if schedule.name not in self.costs:
            raise Refused("wrong result")
        self.open += 1
        return SimpleNamespace(schedule=schedule, runner=SimpleNamespace(close=self.closed))

    def closed(self):
        self.open -= 1

    def ratios(self, candidate, other, rounds, burst_s):
        ratio = self.costs[other.schedule.name] / self.costs[candidate.schedule.name]
        unsure = candidate.schedule.name in self.moody and rounds > 1
        return sorted([0.9, 0.9, ratio, ratio] if unsure else [ratio] * rounds)

    def predicted(self, schedule):
        return self.predictions.get(schedule.name, math.inf)

    def spills(self, candidate):
        return 3 if candidate.schedule.name in self.spilling else 1


@pytest.fixture(autouse=True)
def two_picks(monkeypatch):
    def rule(kernel, target):
        name = pick("a", "b", "c") + pick("x", "y", "z")
        return Schedule(name, (Vector(name),))

    monkeypatch.setattr(schedules, "RULES", (rule,))
    monkeypatch.setattr(schedules, "BLOCKINGS", 0)


def name_of(found) -> str:
    return parse_schedule(found.schedule).name if found.schedule else ""


@pytest.mark.parametrize(("hops", "name", "ratio"), [(1, "cx", 1.25), (2, "cz", 2.0), (9, "cz", 2.0)])
def test_it_goes_on_from_the_best(hops, name, ratio):
    bench = Bench()
    found = search(bench, replace(LEVEL, hops=hops), 60.0)
    assert (name_of(found), found.ratio) == (name, ratio)
    assert bench.open == 0


def test_nothing_is_tried_twice():
    assert search(Bench(), replace(LEVEL, hops=9), 60.0).candidates == 8 - 1  # "by" is nobody's neighbour


def test_less_than_two_percent_is_nothing():
    found = search(Bench({"ax": 10.0, "bx": 9.85}), LEVEL, 60.0)
    assert (found.schedule, found.ratio, found.candidates) == ("", 1.0, 4)
    assert found.refused == ("wrong result",) * 3


def test_what_is_predicted_to_be_fast_is_tried_first():
    """With one candidate, it is the one of the shortest prediction, and the result says how it did."""
    bench = Bench(predictions={"ax": 10.0, "bx": 9.0, "az": 7.0, "cx": 8.0})
    found = search(bench, replace(LEVEL, candidates=1), 60.0)
    assert (name_of(found), found.first) == ("az", 10.0 / 9.0)
    found = search(bench, LEVEL, 60.0)
    assert (name_of(found), found.first) == ("cx", 10.0 / 9.0)


def test_the_choice_of_the_model_may_be_that_of_the_rule():
    assert search(Bench(predictions={"ax": 1.0, "cx": 2.0}), LEVEL, 60.0).first == 1.0
    assert search(Bench(), LEVEL, 60.0).first == 1.0  # nothing is predicted


def test_a_win_must_be_repeated_in_most_rounds():
    assert name_of(search(Bench(moody=("cx",)), LEVEL, 60.0)) == "az"


def test_a_tile_must_stay_in_registers():
    found = search(Bench(spilling=("cx", "az")), LEVEL, 60.0)
    assert not found.schedule
    assert found.refused == ("spills vector registers",) * 2


def test_a_rule_that_spills_is_beaten_by_one_that_does_too():
    assert name_of(search(Bench(spilling=("ax", "cx")), LEVEL, 60.0)) == "cx"


def test_limits_of_candidates_and_time():
    assert search(Bench(), replace(LEVEL, candidates=2), 60.0).candidates == 2
    assert search(Bench(), LEVEL, 0.0).candidates == 0


def test_a_rule_whose_schedule_is_refused_stays():
    found = search(Bench({"bx": 1.0}), LEVEL, 60.0)
    assert str(found) == "by rule: its own schedule is refused (wrong result)"


def test_an_interrupted_search_leaves_nothing_open(monkeypatch):
    bench = Bench()
    monkeypatch.setattr(bench, "spills", lambda candidate: exec("raise KeyboardInterrupt"))
    with pytest.raises(KeyboardInterrupt):
        search(bench, LEVEL, 60.0)
    assert bench.open == 0
