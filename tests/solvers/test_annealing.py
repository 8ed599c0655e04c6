"""Polynomial, Cosine, OneCycle and WarmUp: their values written out, composed with others, and in a training."""

import math

import pytest
import small_net

import mochac
from mochac import SGD, LRPolicy, MomPolicy, OptionError, Snapshot, Solver
from mochac.nets.solvers.policy import FOR_EVER, steady
from mochac.training.loop.hypers import HyperRows, Hypers

COMPOSED = LRPolicy.Staged(
    (6, LRPolicy.WarmUp(4, LRPolicy.Cosine(0.4, 6, 0.1))), (2, 0.05), (1, LRPolicy.Polynomial(1.0, 2.0, 12))
)


@pytest.mark.parametrize("t", [0, 1, 2, 7, 49, 98, 99, 100, 101, 10**6])
def test_formulas(t):
    share = min(t / 100, 1)
    assert LRPolicy.Polynomial(0.3, 0.5, 100).value(t) == pytest.approx(0.3 * (1 - share) ** 0.5, rel=1e-14)
    cosine = 0.01 + 0.29 * (1 + math.cos(math.pi * share)) / 2
    assert LRPolicy.Cosine(0.3, 100, 0.01).value(t) == pytest.approx(cosine, rel=1e-14)
    warm = min((t + 1) / 50, 1) * 0.3 * 0.9**t
    assert LRPolicy.WarmUp(50, LRPolicy.Exp(0.3, 0.9)).value(t) == pytest.approx(warm, rel=1e-13)


def test_one_cycle_rises_and_falls():
    policy = LRPolicy.OneCycle(0.5, 100)
    values = [policy.value(t) for t in range(101)]
    assert values[0] == pytest.approx(0.5 / 25)
    assert values[29] == max(values) == 0.5
    assert values[99] == values[100] == pytest.approx(0.5 / 25 / 1e4)
    assert values[:30] == sorted(values[:30])
    assert values[29:] == sorted(values[29:], reverse=True)


@pytest.mark.parametrize("rise", [0.0, 0.001, 0.01, 0.5, 1.0])
@pytest.mark.parametrize("n", [1, 2, 3, 10])
def test_one_cycle_of_any_shape_stays_within_its_bounds(rise, n):
    policy = LRPolicy.OneCycle(2.0, n, rise=rise, divisor=4.0, final_divisor=10.0)
    assert all(0.05 - 1e-12 <= policy.value(t) <= 2.0 for t in range(n + 3))
    assert policy.value(n) == 0.05


def test_composed_policies_count_from_the_start_of_the_training():
    cosine = [0.1 + 0.3 * (1 + math.cos(math.pi * t / 6)) / 2 for t in range(6)]
    ramp = [min((t + 1) / 4, 1) * value for t, value in enumerate(cosine)]
    tail = [max(0.0, 1 - t / 12) ** 2 for t in (8, 9, 12, 99)]
    found = [COMPOSED.value(t) for t in (*range(8), 8, 9, 12, 99)]
    assert found == pytest.approx([*ramp, 0.05, 0.05, *tail], rel=1e-14)


@pytest.mark.parametrize("policy", [COMPOSED, LRPolicy.OneCycle(0.3, 9), LRPolicy.WarmUp(5, 0.1)])
def test_columns_of_a_call_hold_every_value(policy):
    columns, last = HyperRows(Hypers(SGD(policy))).of(1, 30, 0)
    assert columns["lr"].tolist() == [policy.value(t) for t in range(1, 31)]
    assert last["lr"] == policy.value(30)


def test_policies_that_count_for_themselves():
    """Sequence: from the start of each stage; Every: epochs. The columns of a call hold every value."""
    warm = LRPolicy.Sequence(
        (3, LRPolicy.Linear(0.1, 0.4, 3)), (4, LRPolicy.Step(0.4, 0.5, 2)), (1, LRPolicy.Exp(1.0, 0.5))
    )
    assert [warm.value(t) for t in range(10)] == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.4, 0.2, 0.2, 1.0, 0.5, 0.25])
    assert [LRPolicy.Every(3, warm).value(t) for t in (0, 2, 3, 8, 9)] == pytest.approx([0.1, 0.1, 0.2, 0.3, 0.4])
    up = LRPolicy.Cosine(0.4, 4, 0.1, periodic=True)
    assert [up.value(t) for t in range(9)] == pytest.approx(
        [0.1 + 0.3 * (1 + math.cos(math.pi * t / 4)) / 2 for t in range(9)], rel=1e-14
    )
    for policy in (warm, LRPolicy.Every(3, warm), up, LRPolicy.Every(4, LRPolicy.Fixed(0.5))):
        columns, _ = HyperRows(Hypers(SGD(policy))).of(1, 40, 0)
        assert columns["lr"].tolist() == [policy.value(t) for t in range(1, 41)]
    assert steady(warm, 3) == steady(warm, 5) == 2 and steady(LRPolicy.Every(3, warm), 10) == 5
    assert LRPolicy.Every(3, 0.5) == LRPolicy.Every(3, LRPolicy.Fixed(0.5)) and steady(up, 5) == 1
    nested = LRPolicy.Every(2, LRPolicy.Sequence((3, 0.1), (1, LRPolicy.DecayOnValidation(0.8, "acc")))).begin()
    assert [len(nested.watching(t)) for t in (None, 0, 5, 6, 99)] == [1, 0, 0, 1, 1]
    for make in (lambda: LRPolicy.Every(3, MomPolicy.Fixed(0.5)), lambda: LRPolicy.Every(3, "x")):
        with pytest.raises(OptionError, match="Every: policy is out of range"):
            make()


def test_momentum_of_one_cycle():
    policy = MomPolicy.OneCycle(0.95, 0.85, 100)
    values = [policy.value(t) for t in range(101)]
    assert values[0] == values[99] == values[100] == 0.95 and values[29] == min(values) == 0.85
    assert values[:30] == sorted(values[:30], reverse=True) and values[29:] == sorted(values[29:])
    assert all(0.85 <= MomPolicy.OneCycle(0.95, 0.85, n, rise).value(t) <= 0.95 + 1e-12
               for n in (1, 2, 3) for rise in (0.0, 0.5, 1.0) for t in range(5))  # fmt: skip


def test_they_say_when_they_no_longer_change():
    assert steady(LRPolicy.Cosine(1.0, 5), 4) == steady(LRPolicy.Polynomial(1.0, 1.0, 5), 4) == 1
    for policy in (LRPolicy.Cosine(1.0, 5), LRPolicy.Polynomial(1.0, 1.0, 5), LRPolicy.WarmUp(5, 0.1)):
        assert steady(policy, 5) == FOR_EVER
    assert steady(LRPolicy.WarmUp(3, LRPolicy.Step(1.0, 0.5, 10)), 4) == 6


def test_warm_up_takes_numbers_and_any_object_with_a_value():
    class Own:
        def value(self, t):
            return 2.0

    assert LRPolicy.WarmUp(2, 0.5) == LRPolicy.WarmUp(2, LRPolicy.Fixed(0.5))
    assert LRPolicy.WarmUp(2, Own()).value(0) == 1.0
    assert SGD(LRPolicy.WarmUp(2, 0.5)).begin() == SGD(LRPolicy.WarmUp(2, 0.5))


def test_warm_up_of_a_policy_that_watches_validations():
    policy = LRPolicy.WarmUp(4, LRPolicy.DecayOnValidation(0.8, "acc-accuracy"))
    begun = policy.begin()
    (watching,) = begun.watching(0)
    assert begun.value(1) == 0.4
    assert watching.judge(0.9)
    assert watching.judge(0.1) is False
    assert begun.value(10) == 0.4
    assert policy.value(10) == 0.8


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (
            lambda: LRPolicy.Cosine(-1, 5),
            "LRPolicy.Cosine: base is out of range\n  expected  a finite number >= 0,  got  -1",
        ),
        (lambda: LRPolicy.Cosine(1, 0), "LRPolicy.Cosine: max_iter is out of range\n  expected  an integer >= 1"),
        (lambda: LRPolicy.Cosine(1, 5, least="0"), "LRPolicy.Cosine: least is out of range"),  # type: ignore[arg-type]
        (lambda: LRPolicy.Cosine(1, 5, min=0), "LRPolicy.Cosine has no parameter 'min'"),  # type: ignore[call-arg]
        (lambda: LRPolicy.Polynomial(1, -1, 5), "LRPolicy.Polynomial: power is out of range"),
        (lambda: LRPolicy.Polynomial(1, 1, 2.5), "LRPolicy.Polynomial: max_iter is out of range"),  # type: ignore[arg-type]
        (
            lambda: LRPolicy.OneCycle(1, 5, rise=1.5),
            "rise is out of range\n  expected  a finite number >= 0 and <= 1,  got  1.5",
        ),
        (
            lambda: LRPolicy.OneCycle(1, 5, divisor=0.5),
            "divisor is out of range\n  expected  a finite number >= 1,  got  0.5",
        ),
        (lambda: LRPolicy.OneCycle(1, 5, final_divisor=0), "final_divisor is out of range"),
        (lambda: LRPolicy.WarmUp(0, 0.1), "LRPolicy.WarmUp: n_iter is out of range\n  expected  an integer >= 1"),
        (lambda: LRPolicy.WarmUp(3, "fast"), "LRPolicy.WarmUp: policy is out of range"),
        (lambda: LRPolicy.WarmUp(3, -0.1), "LRPolicy.WarmUp: policy is out of range"),
        (lambda: LRPolicy.WarmUp(3, LRPolicy.Fixed), "LRPolicy.WarmUp: policy is out of range"),
        (lambda: LRPolicy.WarmUp(3, MomPolicy.Fixed(0.9)), "LRPolicy.WarmUp: policy is out of range"),
    ],
)
def test_bad_arguments(make, text):
    with pytest.raises(OptionError) as caught:
        make()
    assert text in str(caught.value)


@pytest.mark.slow
def test_a_resumed_run_has_the_bits_of_the_whole(tmp_path):
    found = []
    for folder, stops in (("whole", (12,)), ("cut", (5, 12))):
        for stop in stops:
            with mochac.compile(small_net.net()) as program:
                solver = Solver(SGD(COMPOSED, momentum=0.9), max_iter=stop, load_from=tmp_path / folder)
                solver.add_coffee_break(Snapshot(tmp_path / folder), every_n_iter=5)
                program.train(solver)
                found.append(small_net.weights(program))
    whole, _, resumed = found
    assert all(whole[name].tobytes() == resumed[name].tobytes() for name in whole)
