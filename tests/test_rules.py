"""Rules of fields and arguments: limits of methods, policies and options, violated and met; words of the errors."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from mochac.base import rules
from mochac.base.errors import OptionError
from mochac.base.options import CompileOptions, Options
from mochac.nets.solvers.method import METHODS
from mochac.nets.solvers.policies import LRPolicy, MomPolicy
from mochac.nets.solvers.policy import Policy

POLICIES = [
    cls
    for namespace in (LRPolicy, MomPolicy)
    for cls in vars(namespace).values()
    if isinstance(cls, type) and issubclass(cls, Policy) and dataclasses.is_dataclass(cls)
]
RECORDS: list[type[Any]] = [*(method for _, method in METHODS.items()), *POLICIES, CompileOptions]
OWNER = {cls: cls.__qualname__ for cls in RECORDS} | {CompileOptions: ""}


def rules_of(cls: type[Any]) -> dict[str, rules.Rule]:
    return {f.name: f.metadata["rule"] for f in dataclasses.fields(cls) if "rule" in f.metadata}


def minimal(cls: type[Any]) -> dict[str, Any]:
    """The least a constructor needs."""
    required = (f for f in dataclasses.fields(cls) if f.default is f.default_factory is dataclasses.MISSING)
    return {f.name: f.metadata["rule"].good for f in required}


@pytest.mark.parametrize("cls", RECORDS, ids=OWNER.get)
def test_good_values_are_taken(cls):
    for name, rule in rules_of(cls).items():
        if (cls.__name__, name) == ("SGD", "dampening"):
            continue  # which a history of steps has not
        rule.check(name, rule.good)
        cls(**{**minimal(cls), name: rule.good})


@pytest.mark.parametrize("cls", RECORDS, ids=OWNER.get)
def test_bad_values_are_refused_by_owner_name_and_range(cls):
    owner = f"{OWNER[cls]}: " if OWNER[cls] else ""
    for name, rule in rules_of(cls).items():
        for bad in rule.bad:
            with pytest.raises(OptionError) as caught:
                cls(**{**minimal(cls), name: bad})
            assert str(caught.value).startswith(f"{owner}{name} is out of range\n  expected  {rule.text},  got  "), bad


@pytest.mark.parametrize(
    ("rule", "given", "canonical"),
    [
        (rules.integer(), np.int32(-3), -3),
        (rules.integer(0, 2**64 - 1), 2**64 - 1, 2**64 - 1),
        (rules.decimal(1), "12", 12),
        (rules.real(), np.float32(0.5), 0.5),
        (rules.boolean(), np.True_, True),
        (rules.switch(), 1, True),
        (rules.float_type(), np.dtype("float64"), "float64"),
        (rules.or_none(rules.integer(1)), None, None),
        (rules.multiple(rules.integer(1)), 3, (3,)),
        (rules.names_of("blobs"), ["a", "b"], ("a", "b")),
    ],
)
def test_canonical_values(rule, given, canonical):
    found = rule.check("x", given)
    assert (found, type(found)) == (canonical, type(canonical))


@pytest.mark.parametrize(
    ("rule", "given"),
    [
        (rules.integer(), 2**53 + 1),
        (rules.integer(0, 5), 6),
        (rules.integer(), np.True_),
        (rules.decimal(1), "0"),
        (rules.real(), 10**400),
        (rules.real(most=1), np.nan),
        (rules.switch(), 2),
        (rules.float_type(), ""),
        (rules.choice("a"), np.arange(2)),
        (rules.path(), ""),
        (rules.multiple(rules.integer(1)), (1, 0)),
    ],
)
def test_values_out_of_range(rule, given):
    with pytest.raises(OptionError, match="x is out of range"):
        rule.check("x", given)


def test_a_hint_of_the_rule_comes_before_that_of_the_caller():
    with pytest.raises(OptionError, match="hint: did you mean 'full'"):
        rules.choice("full").check("tune", "fll", hint="read the manual")
    with pytest.raises(OptionError, match=r"f: n is out of range(?s:.*)hint: read the manual"):
        rules.integer(1).check("n", 0, "f", hint="read the manual")


def test_every_variable_has_a_rule():
    known = {f.metadata["variable"] for f in dataclasses.fields(Options) if "variable" in f.metadata}
    assert "MOCHAC_THREADS" in known
    assert Options.from_env({}) == dataclasses.replace(Options(), cache_dir=Options.from_env({}).cache_dir)
