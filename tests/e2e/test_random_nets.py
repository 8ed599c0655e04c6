"""Random small nets trained through the public API, against the interpreter on the same step graph in float64.

Every case is drawn from its seed, which is printed with the net when it fails.
"""

import pytest
from random_training import LONG, check

QUICK = 3
"""Cases of the quick suite."""

CASES = [
    pytest.param(seed, dtype, id=f"{seed}-{dtype}", marks=[] if seed < QUICK and dtype == kind else [pytest.mark.slow])
    for seed in range(100)
    for dtype, kind in (("float32", "float32"), ("float64", "float64" if seed % 4 == 2 else ""))
]


@pytest.mark.parametrize(("seed", "dtype"), CASES)
def test_trained_equals_interpreted(seed, dtype):
    check(seed, dtype)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("seed", range(100, 115))
def test_fifty_steps(seed, dtype):
    check(seed, dtype, LONG)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("cpu", ["haswell", "x86-64"])
def test_trained_equals_interpreted_on_older_cpus(seed, cpu, monkeypatch):
    """32-byte vectors and 16 registers; 16-byte vectors without fused multiply-add."""
    monkeypatch.setenv("MOCHAC_CPU", cpu)
    check(seed, "float32" if seed % 5 else "float64")
