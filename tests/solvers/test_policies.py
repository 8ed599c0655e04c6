"""Policies against their formulas at t = completed updates."""

import math
from dataclasses import dataclass

import pytest

from mochac.base.errors import OptionError
from mochac.nets.solvers.policies import LRPolicy, MomPolicy
from mochac.nets.solvers.policy import Formula, choose, steady
from mochac.nets.solvers.sgd import SGD


@pytest.mark.parametrize("t", [0, 1, 9, 10, 11, 999])
def test_formulas(t):
    assert LRPolicy.Fixed(0.1).value(t) == 0.1
    assert LRPolicy.Step(0.1, 0.5, 10).value(t) == 0.1 * 0.5 ** (t // 10)
    assert LRPolicy.Exp(0.1, 0.99).value(t) == 0.1 * 0.99**t
    assert LRPolicy.Inv(0.01, 0.0001, 0.75).value(t) == 0.01 * (1 + 0.0001 * t) ** -0.75
    assert MomPolicy.Fixed(0.9).value(t) == 0.9
    assert MomPolicy.Step(0.5, 1.5, 10, 0.9).value(t) == min(0.5 * 1.5 ** (t // 10), 0.9)
    assert MomPolicy.Linear(0.5, 0.1, 10, 0.9).value(t) == min(0.5 + t // 10 * 0.1, 0.9)


def test_a_stage_of_n_iterations_covers_exactly_n_updates():
    staged = LRPolicy.Staged((3, LRPolicy.Fixed(1.0)), (2, LRPolicy.Exp(1.0, 0.5)), (1, LRPolicy.Fixed(7.0)))
    assert [staged.value(t) for t in range(8)] == [1, 1, 1, 0.5**3, 0.5**4, 7, 7, 7]
    assert MomPolicy.Staged((1, MomPolicy.Fixed(0.5)), (1, MomPolicy.Fixed(0.9))).value(1) == 0.9


def test_a_growing_policy_ends_in_infinity_not_in_a_traceback():
    assert LRPolicy.Exp(1.0, 10.0).value(10**6) == math.inf


def test_policies_compare_hash_and_print():
    make = lambda: LRPolicy.Staged((3, LRPolicy.Fixed(1.0)))  # noqa: E731
    assert make() == make()
    assert hash(make()) == hash(make())
    assert make() != MomPolicy.Staged((3, MomPolicy.Fixed(1.0)))
    assert repr(make()) == "LRPolicy.Staged((3, LRPolicy.Fixed(base_lr=1.0)))"


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (
            lambda: LRPolicy.Fixed(-1),
            "LRPolicy.Fixed: base_lr is out of range\n  expected  a finite number >= 0,  got  -1",
        ),
        (lambda: LRPolicy.Fixed(math.nan), "got  nan"),
        (lambda: LRPolicy.Fixed("0.1"), "got  '0.1'"),  # type: ignore[arg-type]
        (lambda: LRPolicy.Step(0.1, 0.5, 0), "stepsize is out of range\n  expected  an integer >= 1,  got  0"),
        (lambda: MomPolicy.Fixed(1.5), "expected  a finite number >= 0 and <= 1,  got  1.5"),
        (lambda: LRPolicy.Staged(), "LRPolicy.Staged: no stages"),
        (lambda: LRPolicy.Staged((0, LRPolicy.Fixed(1.0))), "n_iter of a stage is out of range"),
        (
            lambda: LRPolicy.Staged((1, "a")),
            "policy of a stage is out of range\n  expected  a number >= 0, or a policy such as LRPolicy.Inv"
            "(0.01, 0.0001, 0.75),  got  'a'",
        ),  # type: ignore
    ],
)
def test_bad_arguments(make, text):
    with pytest.raises(OptionError) as caught:
        make()
    assert text in str(caught.value)


STAGED = LRPolicy.Staged(
    (3, LRPolicy.Fixed(1.0)),
    (2, LRPolicy.Step(1.0, 0.5, 2)),
    (2, LRPolicy.Exp(1.0, 0.5)),
    (1, LRPolicy.Inv(1.0, 1.0, 1.0)),
)


def test_every_learning_rate_policy_at_its_borders():
    """Written out: update t uses value(t), t = completed updates."""
    of = lambda policy, n: [policy.value(t) for t in range(n)]  # noqa: E731
    assert of(LRPolicy.Fixed(0.3), 3) == [0.3, 0.3, 0.3]
    assert of(LRPolicy.Step(8.0, 0.5, 3), 10) == [8, 8, 8, 4, 4, 4, 2, 2, 2, 1]
    assert of(LRPolicy.Step(8.0, 0.5, 1), 4) == [8, 4, 2, 1]
    assert of(LRPolicy.Exp(8.0, 0.5), 4) == [8, 4, 2, 1]
    assert of(LRPolicy.Inv(8.0, 1.0, 1.0), 4) == [8, 4, 8 / 3, 2]
    assert of(LRPolicy.Inv(8.0, 0.0, 2.0), 2) == [8, 8]
    assert of(STAGED, 10) == [1, 1, 1, 0.5, 0.25, 2**-5, 2**-6, 1 / 8, 1 / 9, 1 / 10]
    assert of(LRPolicy.DecayOnValidation(0.3, "acc"), 3) == [0.3, 0.3, 0.3]


def test_every_momentum_policy_at_its_borders():
    of = lambda policy, n: [policy.value(t) for t in range(n)]  # noqa: E731
    assert of(MomPolicy.Fixed(0.9), 2) == [0.9, 0.9]
    assert of(MomPolicy.Step(0.25, 2.0, 2, 0.9), 7) == [0.25, 0.25, 0.5, 0.5, 0.9, 0.9, 0.9]
    assert of(MomPolicy.Step(0.5, 2.0, 1), 3) == [0.5, 1, 1]
    assert of(MomPolicy.Linear(0.5, 0.125, 2, 0.75), 8) == [0.5, 0.5, 0.625, 0.625, 0.75, 0.75, 0.75, 0.75]
    stages = MomPolicy.Staged((2, MomPolicy.Fixed(0.5)), (3, MomPolicy.Linear(0.5, 0.0625, 2)))
    assert of(stages, 8) == [0.5, 0.5, 0.5625, 0.5625, 0.625, 0.625, 0.6875, 0.6875]


def test_steady_policies_keep_their_value_and_say_when_it_ends():
    decaying = LRPolicy.DecayOnValidation(0.3, "acc").begin()
    momentum = MomPolicy.Staged((3, MomPolicy.Fixed(0.5)), (2, MomPolicy.Step(0.25, 2.0, 2)), (1, MomPolicy.Fixed(0.9)))
    linear = MomPolicy.Linear(0.5, 0.1, 4)
    for policy in (LRPolicy.Fixed(0.1), LRPolicy.Step(0.1, 0.5, 3), STAGED, decaying, momentum, linear):
        t = 0
        while t < 40:
            n = min(steady(policy, t), 40)
            assert n >= 1
            assert {policy.value(k) for k in range(t, t + n)} == {policy.value(t)}
            t += n
    assert steady(LRPolicy.Inv(0.1, 0.1, 0.5), 7) == steady(LRPolicy.Exp(0.1, 0.9), 7) == 1
    assert [steady(STAGED, t) for t in (0, 2, 3, 4, 5)] == [3, 1, 1, 1, 1]


def test_a_subclass_is_asked_for_every_update():
    """It may compute another value; so may a policy or a method that is no class of mochac's."""

    class Halved(LRPolicy.Fixed):
        def value(self, t):
            return self.base_lr / 2**t

    class Mine:
        def value(self, t):
            return float(t)

    @dataclass(frozen=True)
    class Wild(SGD):
        def hypers(self, t):
            return {"lr": 0.1 * t, "momentum": 0.0}

    assert steady(Halved(0.1), 0) == steady(Mine(), 0) == 1
    assert SGD(lr_policy=LRPolicy.Step(0.1, 0.5, 10)).steady(3) == 7
    assert SGD(lr_policy=Halved(0.1)).steady(0) == SGD(lr_policy=Mine()).steady(0) == Wild().steady(0) == 1


def test_policies_are_begun_one_by_one():
    """Those without a state stay themselves."""
    for policy in (LRPolicy.Fixed(1.0), MomPolicy.Linear(0.5, 0.1, 10), LRPolicy.Inv(1.0, 1.0, 1.0)):
        assert policy.begin() is policy
        assert policy.watching(None) == ()
    assert STAGED.begin() is STAGED
    decaying = LRPolicy.Staged(
        (2, LRPolicy.DecayOnValidation(0.1, "a")), (2, LRPolicy.DecayOnValidation(0.2, "b"))
    ).begin()
    one, two = decaying.watching(None)
    assert decaying.watching(0) == decaying.watching(1) == (one,)
    assert decaying.watching(2) == decaying.watching(99) == (two,)
    one.lr = 0.05
    assert [decaying.value(t) for t in (0, 1, 2)] == [0.05, 0.05, 0.2]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((0.1,), "LRPolicy.Cosine needs the parameter 'max_iter'\n  hint: in order: base, max_iter, least, periodic"),
        ((), "LRPolicy.Cosine needs the parameter 'base'\n  hint: in order: base, max_iter, least, periodic"),
        (
            (0.1, 9, 0.0, True, 3),
            "LRPolicy.Cosine got too many values\n  expected  at most 4,  got  5\n"
            "  hint: in order: base, max_iter, least, periodic",
        ),
    ],
)
def test_the_wrong_number_of_parameters(given, message):
    with pytest.raises(OptionError) as caught:
        LRPolicy.Cosine(*given)
    assert str(caught.value) == message


def test_a_formula_has_an_absolute_value():
    shown = repr(abs(Formula.argument()))
    assert shown == repr(choose(Formula.argument() < 0, lambda: -Formula.argument(), Formula.argument))


class Reading:
    """A policy of a user, without a base class, whose values are a list."""

    def __init__(self, *values):
        self.values = values

    def value(self, t):
        return self.values[t]


@pytest.mark.parametrize("bad", [math.nan, math.inf, "fast", None, [0.1, 0.2]])
def test_a_value_that_is_no_finite_number_is_refused_by_name(bad):
    """Not as a loss that became NaN."""
    for policy in (Reading(0.1, bad), LRPolicy.Staged((9, Reading(0.1, bad))), LRPolicy.WarmUp(1, Reading(0.1, bad))):
        with pytest.raises(OptionError, match=r"^Reading: value\(1\) is not a finite number\n  got  "):
            SGD(policy).hypers(1)


def test_a_stage_takes_the_policies_that_a_method_takes():
    staged = LRPolicy.Staged((1, Reading(0.5)), (1, LRPolicy.Sequence((1, 0.25), (1, Reading(0.125)))))
    assert [staged.value(t) for t in range(2)] == [0.5, 0.125]
    for make in (lambda: LRPolicy.Staged((1, MomPolicy.Fixed(0.9))), lambda: MomPolicy.Staged((1, 1.5))):
        with pytest.raises(OptionError, match="policy of a stage is out of range"):
            make()


def test_a_function_is_told_apart_from_a_policy():
    with pytest.raises(OptionError, match=r"hint: a policy of your own is an object with a method value\(t\)"):
        SGD(lambda t: 0.1 / (1 + t))
