"""Every parameter of every registered method and of every policy, with values that it cannot have."""

import dataclasses
import math

import pytest

from mochac import LRPolicy, MomPolicy, OptionError
from mochac.nets.solvers.method import METHODS

BAD = (math.nan, math.inf, "x", None, -1)
POLICIES = [c for ns in (LRPolicy, MomPolicy) for c in vars(ns).values() if dataclasses.is_dataclass(c)]
GOOD = {
    "base_lr": 0.1,
    "base_mom": 0.1,
    "gamma": 0.5,
    "stepsize": 2,
    "power": 0.75,
    "max_mom": 0.9,
    "key": "acc-accuracy",
    "base": 0.1,
    "least": 0.01,
    "highest": 0.1,
    "max_iter": 9,
    "n_iter": 3,
    "first": 0.1,
    "last": 0.1,
    "lowest": 0.1,
    "policy": LRPolicy.Fixed(0.1),
}
TAKEN = {("Inv", "power", -1), ("DecayOnValidation", "key", "x")}


@pytest.mark.parametrize("name", METHODS)
def test_methods_refuse_by_name(name):
    method = METHODS[name]
    assert str(method()) == str(method(**{f.name: getattr(method(), f.name) for f in dataclasses.fields(method)}))
    for field in dataclasses.fields(method):
        for bad in (b for b in BAD if b is not None or field.default is not None):
            with pytest.raises(OptionError) as caught:
                method(**{field.name: bad})
            assert str(caught.value).startswith(f"{name}: {field.name} is ")
            assert repr(bad) in str(caught.value)


@pytest.mark.parametrize("policy", POLICIES, ids=lambda c: c.__qualname__)
def test_policies_refuse_by_name(policy):
    names = [f.name for f in dataclasses.fields(policy)]
    given = {name: GOOD[name] for name in names if name in GOOD}
    assert policy(**given) == policy(*given.values())
    for name in names:
        for bad in (b for b in BAD if (policy.__name__, name, b) not in TAKEN):
            with pytest.raises(OptionError) as caught:
                policy(**{**given, name: bad})
            assert str(caught.value).startswith(f"{policy.__qualname__}: {name} is ")
            assert repr(bad) in str(caught.value)
