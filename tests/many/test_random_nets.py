"""Random nets trained at once, against train() in float64 and to the bit against each alone."""

import numpy as np
import pytest
from test_train_many import arrays, assert_equal

import mochac
from mochac import NumericError, train_many
from mochac.fuzzing.drawer import Drawer

STEPS = 5


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 16))])
def test_random_nets(seed):
    case = Drawer(seed).draw(STEPS)
    print(f"seed {seed}, batch {case.batch}, {case.solver}\n{case.net}")
    seeds = [seed, seed + 1, seed + 2]
    case.solver.breaks.clear()
    results = train_many(case.net, case.solver, seeds, dtype="float64", verbose=0)
    (alone,) = train_many(case.net, case.solver, seeds[1], dtype="float64", verbose=0)
    assert_equal(results[1], alone)
    for (params, lounge), own in zip(results, seeds, strict=True):
        with mochac.compile(case.net, seed=own, dtype="float64") as program:
            try:
                program.train(case.solver, verbose=0)
            except NumericError:
                assert lounge.stopped
                continue
            for name, array in arrays(program.params).items():
                scale = max(1.0, float(np.abs(array).max(initial=0)))
                np.testing.assert_allclose(
                    arrays(params)[name] / scale, array / scale, rtol=1e-8, atol=1e-8, err_msg=name
                )
