"""Threads are given up where a neighbour wants the CPUs, taken again when it is gone, and change no bit."""

from __future__ import annotations

import os

import numpy as np
from cpu_kit import N, kernels, mixing_plan

from mochac.base.support.memory import aligned_empty
from mochac.runtime.cpu.executor import CpuExecutor
from mochac.runtime.cpu.team import SHORT_BACKOFF, TRIAL_BACKOFF, WINDOW_S, ThreadThrottle, team

STEP_S = 0.004


def windows(throttle, n, busy=False, tired=0):
    """So many windows on a machine where every thread counts, unless a neighbour holds up all but one; what ran."""
    ran = []
    for _ in range(n):
        t = throttle.threads
        slow = busy and t > 1
        step_s = STEP_S * (1.3 if slow else 1 / t)
        ran.append(t)
        throttle.record(round(WINDOW_S / step_s) + 1, WINDOW_S + step_s, 100 if slow else tired, t)
    return ran


def test_a_quiet_machine_is_left_alone():
    assert windows(ThreadThrottle(2), 50) == [2] * 50


def test_threads_go_while_the_neighbour_is_there_and_come_back():
    throttle = ThreadThrottle(2)
    assert windows(throttle, 3) == [2, 2, 2]
    held_up = windows(throttle, 200, busy=True)
    assert held_up[:5] == [2, 2, 2, 1, 1]
    assert windows(ThreadThrottle(2), 50, busy=True)[-1] == 1  # though it was never quick
    assert held_up.count(2) <= 10 + 2 * 200 // TRIAL_BACKOFF[1][1]  # the neighbour is looked for now and then
    back = windows(throttle, TRIAL_BACKOFF[1][1] + 10)
    assert back[-1] == 2
    assert back.index(2) <= TRIAL_BACKOFF[1][1] + 1


def test_one_slow_window_is_no_neighbour():
    throttle = ThreadThrottle(2)
    for _ in range(3):
        assert set(windows(throttle, 8) + windows(throttle, 2, busy=True)) == {2}


def test_trials_in_vain_become_rare():
    """Sleeps without a neighbour: phases that cannot be shared evenly."""
    ran = windows(ThreadThrottle(2), 1000, tired=100)
    assert ran.count(1) <= 1000 // TRIAL_BACKOFF[-1][1]


def short_windows(throttle, n, step_s):
    """So many windows of steps that take `step_s` by the number of threads, in which nobody sleeps; what ran."""
    ran = []
    for _ in range(n):
        t = throttle.threads
        ran.append(t)
        throttle.record(round(WINDOW_S / step_s[t]) + 1, WINDOW_S + step_s[t], 0, t)
    return ran


def test_short_steps_run_on_one_thread_where_that_is_faster():
    ran = short_windows(ThreadThrottle(2), 300, {1: 90e-6, 2: 130e-6})
    assert ran[: SHORT_BACKOFF[0] + 1] == [2] * SHORT_BACKOFF[0] + [1]
    assert ran.count(2) <= SHORT_BACKOFF[0] + 2 * 300 // TRIAL_BACKOFF[1][1]


def test_short_steps_keep_their_threads_where_these_are_faster():
    ran = short_windows(ThreadThrottle(2), 3000, {1: 90e-6, 2: 60e-6})
    assert ran.count(1) <= 6


def test_long_steps_are_not_tried_with_fewer_threads():
    assert set(short_windows(ThreadThrottle(2), 3000, {1: 0.9 * STEP_S, 2: STEP_S})) == {2}


def test_only_as_many_threads_go_as_help():
    throttle = ThreadThrottle(4)
    for _ in range(300):
        t = throttle.threads
        step_s = STEP_S * (1.0 if t > 3 else 1 / t)
        throttle.record(round(WINDOW_S / step_s) + 1, WINDOW_S + step_s, 100 if t > 3 else 0, t)
    seen = []
    for _ in range(60):
        seen.append(throttle.threads)
        step_s = STEP_S * (1.0 if throttle.threads > 3 else 1 / throttle.threads)
        sleeps = 100 if throttle.threads > 3 else 0
        throttle.record(round(WINDOW_S / step_s) + 1, WINDOW_S + step_s, sleeps, throttle.threads)
    assert set(seen) == {3, 4}
    assert seen.count(4) <= 8


def test_long_runs_are_cut_into_windows():
    throttle = ThreadThrottle(2)
    assert throttle.steps(1000) == 1
    throttle.record(1, 0.002, 0, 2)
    assert (throttle.steps(1000), throttle.steps(3)) == (int(WINDOW_S / 0.002), 3)
    throttle.record(1, 1.0, 0, used=1)  # alone: another program held the team
    assert throttle.steps(1000) == 1


class Turning:
    """A throttle that changes its mind after every run, and looks often."""

    most, threads = 3, 3

    def steps(self, most):
        return min(most, self.threads)

    def record(self, n_steps, seconds, sleeps, used):
        self.threads = self.threads % 3 + 1


def test_bits_stay_when_threads_come_and_go():
    def trained(threads, turning):
        w = aligned_empty(N)
        w[...] = np.linspace(-1, 1, N)
        plan = CpuExecutor(mixing_plan(), [kernels()], {"w": w}, threads)
        used = []
        heads = []
        for k in range(12):
            feeds = [{"x": np.full(N, k + s, np.float32)} for s in range(5)]
            heads.append(plan.run(5, feeds, {"lr": 0.1 * np.arange(5)})["head"])
            used.append(plan.used_threads)
            if turning and k == 0:
                plan._throttle = Turning()
        plan.close()
        return used, w.tobytes() + np.concatenate(heads).tobytes()

    used, bits = trained(3, turning=True)
    assert len(set(used)) > 1
    assert trained(1, turning=False) == ([1] * 12, bits)


def test_sleeps_at_barriers_are_counted():
    """One thread more than CPUs: at each barrier one of them waits for a CPU, and the others sleep."""
    plan = CpuExecutor(mixing_plan(), [kernels()], {"w": aligned_empty(N)}, os.cpu_count() + 1)
    before = team().sleeps
    plan.run(200, [{"x": np.ones(N, np.float32)}] * 200, {"lr": 0.5})
    assert plan.used_threads > 1
    assert team().sleeps > before
    plan.close()
