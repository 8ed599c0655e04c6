"""Random nets with any solver: a training that was cut short and resumed has the bits of one that was not."""

import numpy as np
import pytest

import mochac
from mochac import Snapshot, Solver
from mochac.tools.fuzzing.drawer import Drawer
from mochac.training.loop.snapshot import read_snapshot

HALF, WHOLE = 3, 7


SEEDS = [*range(400, 408), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(408, 420))]


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_resumed_bits(seed, tmp_path):
    check(seed, "float64" if seed % 3 else "float32", tmp_path)


def check(seed, dtype, folder):
    case = Drawer(seed).draw(WHOLE)
    print(f"seed {seed}, {dtype}, batch {case.batch}, {case.solver}\n{case.net}")
    for stop in (WHOLE, HALF):
        trained(case, dtype, folder / f"{stop}", stop, threads=1)
    trained(case, dtype, folder / f"{HALF}", WHOLE, threads=3, load_from=folder / f"{HALF}")
    one, two = (read_snapshot(folder / f"{stop}/snapshot-{WHOLE:06d}.h5") for stop in (WHOLE, HALF))
    assert (one.iteration, one.cursor, one.rng_step) == (two.iteration, two.cursor, two.rng_step)
    for left, right in ((one.parameters, two.parameters), (one.slots, two.slots)):
        assert sorted(left) == sorted(right)
        for name in left:
            np.testing.assert_array_equal(left[name], right[name], err_msg=name)


def trained(case, dtype, folder, stop, threads, **more):
    """A training to iteration `stop` by a program of its own, with a snapshot at its end."""
    given = case.solver
    how = Solver(given.method, max_iter=stop, regu_coef=given.regu_coef, clip_norm=given.clip_norm, **more)
    how.add_coffee_break(Snapshot(folder), every_n_iter=stop)
    with mochac.compile(case.net, dtype=dtype, seed=case.seed, threads=threads) as program:
        program.freeze(*case.frozen)
        program.train(how)
