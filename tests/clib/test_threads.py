"""Instances of a C library in several threads, which share a pool: they compute what one computes alone."""

import numpy as np
import pytest
from clib_kit import built, needs_cc
from nets import digits, lenet
from threads_kit import at_once

from mochac import SGD

pytestmark = [needs_cc, pytest.mark.slow]
STEPS, THREADS = 25, 4


def results(instance, seed):
    """Bits of predictions, evaluations and steps in an order that depends on the seed."""
    (x, y), rng, found = digits(), np.random.default_rng(seed), []
    for _ in range(STEPS):
        first = int(rng.integers(0, 100))
        n = int(rng.choice([1, 3, 16, 28]))
        found.append(instance.step(data=x[first : first + 16], label=y[first : first + 16]))
        found.append(instance.predict((10,), data=x[first : first + n])[0].tobytes())
        found.append(tuple(instance.evaluate(2, data=x[first : first + n], label=y[first : first + n])))
    return [*found, instance.save()]


@pytest.mark.parametrize("shared", [False, True])
def test_four_threads_with_an_instance_each(tmp_path, shared):
    library = built(tmp_path, lenet(), SGD(0.02, momentum=0.9))
    want = {k: results(library.instance(), k) for k in range(THREADS)}
    found = {}
    with library.pool(2) as pool:

        def work(k):
            instance = library.instance(2)
            if shared:
                instance.share(2, pool)
            found[k] = results(instance, k)

        assert at_once(work, THREADS) == []
    assert [k for k in want if found.get(k) != want[k]] == []
