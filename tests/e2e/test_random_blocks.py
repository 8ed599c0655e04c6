"""Random nets of blocks: trained as the interpreter does in float64, and with any number of threads."""

import random

import pytest
from net_kit import weights
from random_training import check
from test_bitwise import assert_same_bits

import mochac
from mochac import NumericError
from mochac.runtime.cpu.team import ThreadThrottle
from mochac.tools.fuzzing.blocks import BlockDrawer

pytestmark = pytest.mark.slow
COVERING = range(49, 57)
"""Seeds whose nets have every kind of block."""


def seeds(tested, most):
    """Those tested, and all others below `most` as soaks."""
    return [seed if seed in tested else pytest.param(seed, marks=pytest.mark.soak) for seed in range(most)]


@pytest.mark.parametrize("seed", seeds(COVERING, 200))
def test_trained_equals_interpreted(seed):
    check(seed, ("float32", "float64")[seed % 2], drawer=BlockDrawer)


@pytest.mark.parametrize("seed", seeds(range(2), 40))
@pytest.mark.parametrize("cpu", ["haswell", "x86-64"])
def test_trained_equals_interpreted_on_older_cpus(seed, cpu, monkeypatch):
    monkeypatch.setenv("MOCHAC_CPU", cpu)
    check(1000 + seed, "float32", drawer=BlockDrawer)


@pytest.mark.parametrize("seed", seeds(range(4), 60))
def test_bits_of_any_number_of_threads(seed, monkeypatch):
    """One, and two others; none is given up on a busy machine."""
    monkeypatch.setattr("mochac.runtime.cpu.executor.ThreadThrottle", lambda most: ThreadThrottle(1))
    alone, *others = [trained(2000 + seed, threads) for threads in (1, *random.Random(seed).sample((2, 3, 4, 5), 2))]
    for other in others:
        assert_same_bits(other, alone)


def trained(seed, threads):
    """Parameters after a few steps."""
    case = BlockDrawer(seed).draw(3)
    print(f"seed {seed}, batch {case.batch}, {threads} threads, {case.solver}\n{case.net}")
    with mochac.compile(case.net, seed=seed, threads=threads) as program:
        try:
            program.train(case.solver)
        except NumericError:
            pass  # with the same bits
        return weights(program)
