"""The worker team across forks, exits and shortage of threads."""

from __future__ import annotations

import errno
import os
import signal
import sys
import time

import numpy as np
import pytest
from cpu_kit import N, kernels, mixing_plan, run_python, train_mixing
from patience import HANG_S

from mochac.base.support.memory import aligned_zeros
from mochac.codegen.cpu.worker_team import SlotWord
from mochac.runtime.cpu import team as team_module
from mochac.runtime.cpu.executor import CpuExecutor
from mochac.runtime.cpu.team import Team, team

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def exit_status(pid: int, timeout_s: float = HANG_S) -> int:
    """Wait for a child; a hanging one is killed and counts as -1."""
    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return -1


@forks
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_makes_its_own_team():
    expected = train_mixing(2)
    pid = os.fork()
    if pid == 0:
        os._exit(0 if train_mixing(2) == expected else 1)
    assert exit_status(pid) == 0
    assert train_mixing(2) == expected  # and the parent's still works


@pytest.mark.slow
@forks
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_plan_made_before_the_fork_runs_in_the_child():
    code = """
import os, numpy as np
from cpu_kit import *
w = aligned_empty(N); w[:] = 1
cpu = CpuExecutor(mixing_plan(), [kernels()], {"w": w}, 3)
feed = [{"x": np.ones(N, np.float32)}]
cpu.run(1, feed, {"lr": 0.5})
pid = os.fork()
cpu.run(1, feed, {"lr": 0.5})
assert cpu.used_threads == 3
if pid:
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    print("ok", end="")
"""
    done = run_python(code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok", "")


BUSY = "import threading; threading.Thread(target=train_mixing, args=(3, 4000, 50), daemon=True).start()"


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["raise SystemExit(0)", BUSY])
def test_exit_with_workers_parked_spinning_or_busy(ending):
    done = run_python(f"from cpu_kit import train_mixing\nhold = train_mixing(3)\nprint('ok', flush=True)\n{ending}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


def test_too_few_threads_are_a_warning(monkeypatch):
    small = Team(team().code)
    monkeypatch.setattr(team_module, "start_thread", lambda function, argument: errno.EAGAIN)
    with pytest.warns(UserWarning, match="could not start worker thread 1"):
        assert small.ensure(4) == 1


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_the_team_grows_on_demand_and_leaves_signals_to_python():
    code = """
import os, signal
from cpu_kit import train_mixing
tasks = lambda: set(os.listdir("/proc/self/task"))
before = tasks()
train_mixing(1); alone = tasks()
train_mixing(2); train_mixing(2); two = tasks()
train_mixing(5); train_mixing(3); five = tasks()
print(len(alone - before), len(two - before), len(five - before), end=" ")
for task in five - before:
    with open(f"/proc/self/task/{task}/status") as file:
        blocked = int(next(line for line in file if line.startswith("SigBlk")).split()[1], 16)
    assert blocked >> (signal.SIGINT - 1) & 1 and not blocked >> (signal.SIGSEGV - 1) & 1
caught = []
signal.signal(signal.SIGUSR1, lambda *_: caught.append(1))
os.kill(os.getpid(), signal.SIGUSR1)
print(len(caught), end="")
"""
    done = run_python(code)
    assert (done.stdout, done.stderr) == ("0 1 4 1", "")


@pytest.mark.slow
def test_nobody_touches_a_job_after_it_returned():
    """Its owner may free the memory at once: workers that wake late must not look into it, nor write."""
    w = aligned_zeros(N)
    x = np.ones(N, np.float32)
    cpu = CpuExecutor(mixing_plan(2), [kernels()], {"w": w}, 8)
    cpu.run(1, [{"x": x}], {"lr": 0.0})
    slots = cpu._item_slots[8].reshape(-1, int(SlotWord.WORDS))
    for _ in range(400):
        cpu.run(1, [{"x": x}], {"lr": 0.0})
        kept = slots.copy()
        slots[:, SlotWord.LEFT] = -1
        time.sleep(0.0003)
        assert (slots[:, SlotWord.LEFT] == -1).all()
        slots[...] = kept
    cpu.close()
