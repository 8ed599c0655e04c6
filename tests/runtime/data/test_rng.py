"""Host streams: a generator that a thread uses again draws the numbers of a new one."""

import threading

import numpy as np

from mochac.runtime.data.order import generator, generators, successive


def test_successive_generators_draw_as_new_ones():
    own, other, none = (successive(0, *names) for names in (("a", 7), ("other",), ()))
    for k in range(3):
        other(k).integers(7, size=3, dtype=np.uint32)  # leaves half a word behind
        np.testing.assert_array_equal(own(k).permutation(97), generator(0, "a", 7, k).permutation(97))
        np.testing.assert_array_equal(own(k, 2, 3).normal(size=5), generator(0, "a", 7, k, 2, 3).normal(size=5))
        np.testing.assert_array_equal(own().normal(size=5), generator(0, "a", 7).normal(size=5))
        np.testing.assert_array_equal(none(k).normal(size=5), generator(0, k).normal(size=5))


def test_parts_of_a_stream_are_streams():
    draw = generators(3, "augment")
    first = draw(0, 0).normal(size=4)
    np.testing.assert_array_equal(first, generator(3, "augment").normal(size=4))
    assert not np.array_equal(draw(0, 1).normal(size=4), draw(1, 0).normal(size=4))


def test_threads_do_not_disturb_each_other():
    want, found = generator(0, "x").permutation(2000), {}

    def work(k):
        found[k] = [successive(0, "x")().permutation(2000) for _ in range(20)]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(order, want) for orders in found.values() for order in orders)
