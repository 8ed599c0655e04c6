"""Plain numbers stand for fixed policies, in every method and in stages; momentum= is mom_policy=."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import mochac
from mochac import SGD, LRPolicy, MomPolicy, Nesterov, OptionError
from mochac.nets.show import expression
from mochac.nets.solvers.method import METHODS, parameters_of

WITH_RATE = [cls for _, cls in METHODS.items() if next(iter(parameters_of(cls))) == "lr_policy"]
WITH_MOMENTUM = [cls for _, cls in METHODS.items() if "mom_policy" in parameters_of(cls)]


def test_the_short_form():
    assert SGD(0.1, momentum=0.9) == SGD(lr_policy=LRPolicy.Fixed(0.1), mom_policy=MomPolicy.Fixed(0.9))
    assert WITH_RATE
    assert {SGD, Nesterov} <= set(WITH_MOMENTUM)


@pytest.mark.parametrize("cls", WITH_RATE)
@pytest.mark.parametrize("number", [0.125, np.float32(0.125), 1])
def test_a_rate(cls, number):
    made = cls(number)
    assert made == cls(lr_policy=number) == cls(lr_policy=LRPolicy.Fixed(number))
    assert made.hypers(3)["lr"] == number


@pytest.mark.parametrize("cls", WITH_MOMENTUM)
def test_momentum(cls):
    ramp = MomPolicy.Linear(0.5, 0.1, 10, 0.9)
    assert cls(momentum=0.5).hypers(0)["momentum"] == 0.5
    assert cls(0.1, momentum=0.5).momentum == cls(0.1, 0.5).momentum == MomPolicy.Fixed(0.5)
    assert cls().momentum == MomPolicy.Fixed(0.0)
    assert (
        cls(0.1, 0.5) == cls(0.1, mom_policy=0.5) == cls(0.1, momentum=0.5) == cls(0.1, momentum=MomPolicy.Fixed(0.5))
    )
    assert cls(momentum=ramp) == cls(mom_policy=ramp)
    for twice in (lambda: cls(0.1, 0.5, momentum=0.5), lambda: cls(mom_policy=MomPolicy.Fixed(0.0), momentum=0.9)):
        with pytest.raises(OptionError, match="momentum and mom_policy mean the same, and both are given"):
            twice()


@pytest.mark.parametrize("cls", WITH_MOMENTUM)
def test_copies_and_texts_hold_policies(cls):
    made = cls(0.1, momentum=0.9)
    assert repr(made) == repr(cls(LRPolicy.Fixed(0.1), MomPolicy.Fixed(0.9)))
    assert dataclasses.replace(made, lr_policy=0.2) == cls(0.2, momentum=0.9)
    assert dataclasses.replace(made, mom_policy=0.5) == cls(0.1, momentum=0.5)
    assert dataclasses.replace(cls(0.1), momentum=0.9) == made
    assert eval(expression(made), vars(mochac) | {cls.__name__: cls}) == made
    assert made.begin() == made
    assert hash(made) == hash(cls(0.1, 0.9))


def test_a_subclass_with_fields_of_its_own_takes_numbers_too():
    @dataclasses.dataclass(frozen=True)
    class Own(SGD):
        decay: float = 0.5

    made = Own(0.1, 0.9, 0.25)
    assert (made.hypers(0), made.momentum, made.decay) == ({"lr": 0.1, "momentum": 0.9}, MomPolicy.Fixed(0.9), 0.25)


def test_stages():
    assert LRPolicy.Staged((2, 0.1), (3, LRPolicy.Fixed(0.01))).stages == (
        (2, LRPolicy.Fixed(0.1)),
        (3, LRPolicy.Fixed(0.01)),
    )
    assert MomPolicy.Staged((2, 0.5)).stages == ((2, MomPolicy.Fixed(0.5)),)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: SGD(-0.1), "SGD: lr_policy is out of range\n  expected  a number >= 0, or a policy"),
        (lambda: SGD(momentum=1.5), "SGD: mom_policy is out of range\n  expected  a number >= 0 and <= 1, or a policy"),
        (lambda: SGD(True), "SGD: lr_policy is out of range"),
        (lambda: mochac.Adam(0.1, momentum=0.9), "hint: beta1 is the momentum of Adam"),
        (lambda: mochac.Adam(1, 0.9, 0.999, 1e-8, 0), "got too many values\n  expected  at most 4,  got  5"),
        (lambda: mochac.Adam(betas=(0.9, 0.99)), "hint: write beta1=0.9, beta2=0.999"),
        (lambda: SGD(lr=0.1), "solver SGD has no parameter 'lr'\n  hint: write SGD(0.01) or lr_policy=0.01"),
        (lambda: mochac.Adagrad(lr=0.1), "hint: write gamma=0.01"),
        (lambda: mochac.Adadelta(lr=0.1), "hint: write lr_policy=0.1"),
        (lambda: SGD(0.1, nesterov=True), "hint: write Nesterov(...)"),
        (lambda: SGD(decay=1e-4), "hint: write weight_decay=..."),
        (lambda: mochac.Solver(SGD(), weight_decay=1e-4), "it belongs to the method: SGD(weight_decay=...)"),
        (lambda: mochac.Solver(mochac.AdamW(), weight_decay=1e-4), "it belongs to the method: write decay=0.1"),
        (lambda: SGD(dampening=0.1), "SGD: dampening acts on a history of gradients\n  got  history=\"steps\"\n"
         '  hint: SGD(..., history="gradients"), as in PyTorch'),
        (lambda: SGD(history="grads"), "SGD: history is out of range\n  expected  'steps' or 'gradients'"),
        (lambda: mochac.Adam(amsgrad=1), "Adam: amsgrad is out of range\n  expected  True or False,  got  1"),
        (lambda: mochac.RMSProp(momentum=LRPolicy.Fixed(0.1)), "RMSProp: momentum is out of range"),
        (lambda: SGD(0.1, max_iter=5), "hint: give it to training: program.train(SGD(...), max_iter=..."),
    ],
)  # fmt: skip
def test_messages(make, text):
    with pytest.raises(OptionError) as caught:
        make()
    assert text in str(caught.value)
