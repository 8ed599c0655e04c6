"""Times from hand-written starts and ends: parts add up to the step, whoever is slow."""

from __future__ import annotations

import numpy as np
import pytest

from mochac.base.support.times import from_spans, typical


def spans(*steps):
    """Steps of threads of launches of (start, end)."""
    return np.array(steps, np.int64)


def test_one_thread():
    first = [[(0, 10), (10, 40)]]
    later = [[(100, 112), (112, 142)]]
    times = from_spans(spans(first, later), [False, False], 0.5, 60.0)
    assert times.launches.tolist() == times.parts.tolist() == [5.0, 15.0]
    assert (times.barriers, times.between, times.step, times.wall) == (0.0, 30.0, 50.0, 60.0)
    assert times.attributed == 1.0


def test_a_single_step_ends_with_its_last_launch():
    times = from_spans(spans([[(5, 10), (10, 25)]]), [False, False], 1.0, 30.0)
    assert (times.step, times.between, times.attributed) == (20.0, 0.0, 1.0)


def test_launches_side_by_side_share_their_time():
    """Thread 0 takes the first launch alone while thread 1 takes the second; both meet before the third."""
    step = [[(0, 80), (80, 80), (90, 100)], [(0, 0), (0, 80), (84, 98)]]
    times = from_spans(spans(step), [False, False, True], 1.0, 100.0)
    assert times.launches.tolist() == [80.0, 80.0, 14.0]
    assert times.parts.tolist() == [40.0, 40.0, 14.0]
    assert times.barriers == 4.0  # of thread 1, which came last


def test_steps_out_of_the_ordinary_do_not_count():
    starts = np.cumsum([0, 10, 10, 10, 10, 10, 500, 10, 10, 10, 10])
    steps = [[[(s, s + 8)]] for s in starts]
    steps[5][0][0] = (starts[5], starts[5] + 490)
    times = from_spans(spans(*steps), [False], 1.0, 1.0)
    assert (times.step, times.launches.tolist(), times.between) == (10.0, [8.0], 2.0)


@pytest.mark.parametrize("seed", range(5))
def test_parts_add_up(seed):
    """Whatever the threads do, with a barrier before every launch."""
    rng = np.random.default_rng(seed)
    threads, launches = 3, 4
    steps, now = [], 0
    for _ in range(20):
        rows = np.zeros((threads, launches, 2), np.int64)
        for r in range(launches):
            rows[:, r, 0] = now + rng.integers(0, 5, threads)
            rows[:, r, 1] = rows[:, r, 0] + rng.integers(1, 1000, threads)
            now = rows[:, r, 1].max()
        steps.append(rows)
    times = from_spans(np.array(steps), [False, True, True, True], 1.0, 1.0)
    assert times.attributed == pytest.approx(1.0, abs=0.01)


def test_the_typical_run():
    runs = [from_spans(spans([[(0, n)]]), [False], 1.0, 1.0) for n in (30, 10, 20)]
    assert typical(runs).step == 20.0
