"""Learning rates in C: powers, roots, cosines of the frame are rounded as Python's, or nearly always."""

import ctypes
import math
import subprocess
from decimal import Decimal, getcontext
from pathlib import Path

import numpy as np
import pytest
from clib_kit import needs_cc

from mochac.base.errors import UnsupportedError
from mochac.base.escaping import template
from mochac.formats.clib.tables import scalars_of
from mochac.nets.solvers.adam import Adam
from mochac.nets.solvers.policies import LRPolicy, MomPolicy
from mochac.nets.solvers.sgd import SGD

FRAME = """#include <stdint.h>
#include <string.h>
#define MAY_BE_UNUSED __attribute__((unused))
{}
double c_power(double x, double y) {{ return power(x, y); }}
double c_cosine(double x) {{ return cosine(x); }}
double c_exp(double x) {{ return power_of_e(x); }}
double c_sqrt(double x) {{ return square_root(x); }}
"""


@pytest.fixture(scope="module")
def frame(tmp_path_factory) -> ctypes.CDLL:
    folder: Path = tmp_path_factory.mktemp("arithmetic")
    (folder / "a.c").write_text(FRAME.format(template("c/arithmetic.c.j2").render()))
    command = [
        "cc",
        "-std=c99",
        "-O2",
        "-Wall",
        "-Wextra",
        "-ffp-contract=off",
        "-shared",
        "-fPIC",
        "a.c",
        "-o",
        "a.so",
    ]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    assert done.stderr == ""
    dll = ctypes.CDLL(str(folder / "a.so"))
    for name, n in (("power", 2), ("cosine", 1), ("exp", 1), ("sqrt", 1)):
        function = getattr(dll, f"c_{name}")
        function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double] * n
    return dll


@needs_cc
def test_powers_are_rounded_correctly(frame):
    getcontext().prec = 50
    rng = np.random.default_rng(0)
    xs = [*rng.uniform(0.5, 1.5, 300), *(1 - 10.0 ** rng.uniform(-9, 0, 300)), *(10.0 ** rng.uniform(-300, 300, 100))]
    ys = [*rng.uniform(-3, 3, 300), *rng.integers(1, 100000, 300), *rng.uniform(-1, 1, 100)]
    for x, y in zip(map(float, xs), map(float, ys), strict=True):
        exact = (Decimal(x).ln() * Decimal(y)).exp()
        if Decimal("1e-300") < exact < Decimal("1e300"):
            assert frame.c_power(x, y) == float(exact), (x, y)
            assert abs(frame.c_power(x, y) / x**y - 1) < 4e-16
    for x in map(float, rng.uniform(0, 4, 300)):
        assert frame.c_sqrt(x) == math.sqrt(x)
        assert frame.c_exp(-x) == float(Decimal(-x).exp())


@needs_cc
def test_powers_at_the_ends(frame):
    cases = [
        *((0.0, 2.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.5, 0.0), (0.5, 1e9, 0.0), (1.0, 1e300, 1.0), (3.0, 1.0, 3.0)),
        *((2.0, 1e9, math.inf), (10.0, 400.0, math.inf)),
    ]
    assert [frame.c_power(x, y) for x, y, _ in cases] == [z for _, _, z in cases]
    assert math.isnan(frame.c_power(-1.0, 0.5))


@needs_cc
def test_cosines(frame):
    rng = np.random.default_rng(1)
    xs = [
        0.0,
        math.pi,
        math.pi / 2,
        *map(float, rng.uniform(-999, 999, 500)),
        *(math.pi * k / 1000 for k in range(1000)),
    ]
    ours, theirs = [frame.c_cosine(x) for x in xs], [math.cos(x) for x in xs]
    assert np.allclose(ours, theirs, rtol=3e-16, atol=0)
    assert np.mean(np.array(ours) == theirs) > 0.99
    assert math.isnan(frame.c_cosine(1e6))


def test_a_method_as_statements():
    scalars = scalars_of(Adam(LRPolicy.Step(0.5, 0.1, 10)))
    assert scalars.settable == ("lr",)
    assert scalars.names == ("lr", "step_size")
    assert scalars.lines[:3] == (
        "const int64_t v0 = t / INT64_C(10);",
        "const double v1 = power(0.1, (double)v0);",
        "const double v2 = 0.5 * v1;",
    )


def test_what_is_no_formula():
    class Floor:
        def value(self, t):
            return math.floor(t / 3)

    with pytest.raises(UnsupportedError, match="a scalar of SGD is not a formula of t"):
        scalars_of(SGD(Floor()))


POLICIES = {
    LRPolicy: {
        "Fixed": (LRPolicy.Fixed(0.1),),
        "Step": (LRPolicy.Step(0.5, 0.9, 7),),
        "Exp": (LRPolicy.Exp(0.1, 0.999),),
        "Inv": (LRPolicy.Inv(0.01, 0.0001, 0.75), LRPolicy.Inv(0.1, 0.3, 0.5)),
        "Polynomial": (LRPolicy.Polynomial(0.1, 2, 60), LRPolicy.Polynomial(0.1, 0.5, 99)),
        "Cosine": (LRPolicy.Cosine(0.1, 80), LRPolicy.Cosine(0.1, 21, 0.01, periodic=True)),
        "Linear": (LRPolicy.Linear(0.01, 0.1, 33),),
        "Every": (LRPolicy.Every(7, LRPolicy.Exp(0.1, 0.9)),),
        "Sequence": (LRPolicy.Sequence((9, LRPolicy.Linear(0.01, 0.1, 9)), (1, LRPolicy.Cosine(0.1, 30))),),
        "OneCycle": (LRPolicy.OneCycle(0.1, 90),),
        "WarmUp": (LRPolicy.WarmUp(9, LRPolicy.Exp(0.1, 0.9)),),
        "Staged": (LRPolicy.Staged((9, 0.1), (20, LRPolicy.Step(0.2, 0.5, 3)), (1, LRPolicy.Cosine(0.1, 30))),),
        "DecayOnValidation": (),
    },
    MomPolicy: {
        "Fixed": (MomPolicy.Fixed(0.9),),
        "Step": (MomPolicy.Step(0.5, 1.1, 9, 0.9),),
        "Linear": (MomPolicy.Linear(0.5, 0.1, 9, 0.9),),
        "OneCycle": (MomPolicy.OneCycle(0.95, 0.85, 90),),
        "Staged": (MomPolicy.Staged((9, 0.5), (1, MomPolicy.Linear(0.5, 0.05, 5, 0.8))),),
    },
}
UNTIL = 130
POLICY = """
void policy{k}(double *values) {{
    static const struct {{ double set[2]; unsigned char is_set[2]; }} none = {{{{0}}, {{0}}}}, *net = &none;
    int64_t t;
    for (t = 0; t < {until}; t++) {{
        {lines}
        values[t] = {value};
    }}
    (void)net;
}}
"""


@needs_cc
@pytest.mark.parametrize("namespace", POLICIES, ids=lambda namespace: namespace.__name__)
def test_every_policy(namespace, tmp_path):
    known = {name for name, value in vars(namespace).items() if isinstance(value, type)}
    assert known == set(POLICIES[namespace])
    policies = [policy for given in POLICIES[namespace].values() for policy in given]
    text = FRAME.format(template("c/arithmetic.c.j2").render())
    for k, policy in enumerate(policies):
        scalars = scalars_of(SGD(policy) if namespace is LRPolicy else SGD(0.1, momentum=policy))
        value = scalars.values[scalars.names.index("lr" if namespace is LRPolicy else "momentum")]
        text += POLICY.format(k=k, until=UNTIL, lines="\n        ".join(scalars.lines), value=value)
    (tmp_path / "p.c").write_text(text)
    command = ["cc", "-std=c99", "-O1", "-ffp-contract=off", "-shared", "-fPIC", "p.c", "-o", "p.so"]
    subprocess.run(command, cwd=tmp_path, check=True)
    dll = ctypes.CDLL(str(tmp_path / "p.so"))
    for k, policy in enumerate(policies):
        values = np.zeros(UNTIL)
        dll[f"policy{k}"](ctypes.c_void_p(values.ctypes.data))
        np.testing.assert_array_max_ulp(values, np.array([policy.value(t) for t in range(UNTIL)]), 2)
