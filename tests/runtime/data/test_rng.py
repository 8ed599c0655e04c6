"""Host streams: a generator that a thread uses again draws the numbers of a new one."""

import threading

import numpy as np

from mochac.runtime.data.rng import generator, generators, passing


def test_a_passing_generator_draws_as_a_new_one():
    for k in range(50):
        passing(k, "other").integers(7, size=3, dtype=np.uint32)  # leaves half a word behind
        np.testing.assert_array_equal(passing(k, "a", k).permutation(97), generator(k, "a", k).permutation(97))
        np.testing.assert_array_equal(passing(k, "b").normal(size=5), generator(k, "b").normal(size=5))


def test_parts_of_a_stream_are_streams():
    draw = generators(3, "augment")
    first = draw(0, 0).normal(size=4)
    np.testing.assert_array_equal(first, generator(3, "augment").normal(size=4))
    assert not np.array_equal(draw(0, 1).normal(size=4), draw(1, 0).normal(size=4))


def test_threads_do_not_disturb_each_other():
    want, found = generator(0, "x").permutation(2000), {}

    def work(k):
        found[k] = [passing(0, "x").permutation(2000) for _ in range(20)]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(order, want) for orders in found.values() for order in orders)
