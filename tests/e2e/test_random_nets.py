"""Random small nets trained through the public API, against the interpreter on the same step graph in float64.

Every case is drawn from its seed, which is printed with the net when it fails.
"""

import contextlib
import itertools

import numpy as np
import pytest
from net_kit import weights
from random_training import LONG, check, updated

import mochac
from mochac.ir.passes import join_products, pair_factors
from mochac.tools.fuzzing.drawer import Drawer

QUICK = {(1, "float32"), (1, "float64")}
"""Cases of the quick suite."""
COVERING = 30
"""Seeds whose nets have every kind of layer, loss and solver."""


def cases(seeds, dtypes, slow):
    """Every seed in every type: quick ones, those below the seed `slow`, and from there on a soak."""
    found = []
    for seed, dtype in itertools.product(seeds, dtypes):
        marks = [] if (seed, dtype) in QUICK else [pytest.mark.slow if seed < slow else pytest.mark.soak]
        found.append(pytest.param(seed, dtype, id=f"{seed}-{dtype}", marks=marks))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "dtype"), [*cases(range(100), ["float32"], COVERING), *cases(range(100), ["float64"], COVERING // 3)]
)
def test_trained_equals_interpreted(seed, dtype):
    check(seed, dtype)


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "dtype"), cases(range(1, 40), ["float32", "float64"], 3))
def test_updated_equals_interpreted(seed, dtype):
    check(seed, dtype, train=updated)


@pytest.mark.parametrize(("seed", "dtype"), cases(range(100, 115), ["float32", "float64"], 101))
def test_fifty_steps(seed, dtype):
    check(seed, dtype, LONG)


@pytest.mark.parametrize(
    ("seed", "dtype"), [*cases(range(3, 20), ["float32"], 5), *cases(range(30, 34), ["float64"], 31)]
)
@pytest.mark.parametrize("cpu", ["haswell", "x86-64"])
def test_trained_equals_interpreted_on_older_cpus(seed, dtype, cpu, monkeypatch):
    """32-byte vectors and 16 registers; 16-byte vectors without fused multiply-add."""
    monkeypatch.setenv("MOCHAC_CPU", cpu)
    check(seed, dtype)


VERIFIED = [pytest.param(s, marks=pytest.mark.slow if s < 202 else pytest.mark.soak) for s in range(200, 260)]


@pytest.mark.parametrize("seed", VERIFIED)
def test_every_kernel_is_verified(seed, monkeypatch):
    """MOCHAC_VERIFY=1 runs the code of each kernel beside the interpreter, and finds nothing."""
    monkeypatch.setenv("MOCHAC_VERIFY", "1")
    check(seed, ("float32", "float64")[seed % 2])


@pytest.mark.sampled(0, test=7)
@pytest.mark.parametrize("seed", range(300, 340))
def test_kernels_of_rounded_factors_are_verified(seed, monkeypatch):
    """In bfloat16, with pairs in every contraction that may have them, and weights of any size rounded by products that
    can: kernels compute what the interpreter does, and threads make no difference."""
    monkeypatch.setenv("MOCHAC_VERIFY", "1")
    monkeypatch.setattr(pair_factors, "MIN_TERMS", 1)
    monkeypatch.setattr(pair_factors, "MIN_PRODUCTS", 0)
    monkeypatch.setattr(join_products, "FAR", 0.0)
    found = []
    for threads in (1, 2):
        case = Drawer(seed).draw(2)
        print(f"seed {seed}, batch {case.batch}, {case.solver}\n{case.net}")
        with mochac.compile(case.net, seed=seed, threads=threads, precision="bfloat16", backend="cpu") as program:
            with contextlib.suppress(mochac.NumericError):
                program.train(case.solver)
            found.append(weights(program))
    for name, array in found[0].items():
        np.testing.assert_array_equal(array, found[1][name], err_msg=name)
