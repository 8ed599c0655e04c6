"""Ctrl-C, SIGTERM and kill -9: what was trained is kept, and a new process goes on from it bit for bit."""

import os
import pty
import random
import signal
import sys
import time

import pytest
from saved_states import assert_same_state
from script_kit import environment, finished, script, start, wait_for

from mochac.training.loop.lounge import load_statistics
from mochac.training.loop.snapshot import newest_snapshot, read_snapshot

TRAIN = """
import signal
import sys
import mochac
from mochac import Snapshot, TrainingSummary
from net_kit import lenet, lenet_solver, weights

signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may ignore signals, as nohup does
signal.signal(signal.SIGHUP, signal.SIG_DFL)
folder, stop, every = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
solver = lenet_solver(stop, load_from=folder)
solver.setup_coffee_lounge(save_into=folder + "/statistics.h5", every_n_iter=every)
solver.add_coffee_break(TrainingSummary(), every_n_iter=every)
solver.add_coffee_break(Snapshot(folder), every_n_iter=every)
program = mochac.compile(lenet(batch=33), threads=2)
lounge = program.train(solver)
print("returned", max(lounge.statistics["obj_val"]), flush=True)
"""


def saved(folder):
    return {path.name: read_snapshot(path) for path in folder.glob("snapshot-*.h5")}


def uninterrupted(folder, stop):
    """The snapshot at `stop` of a training that nothing disturbed."""
    script(TRAIN, folder, stop, stop)
    return saved(folder)[f"snapshot-{stop:06d}.h5"]


@pytest.mark.slow
def test_ctrl_c_takes_a_last_snapshot_and_returns(tmp_path):
    """train() returns normally; the same command goes on where it stopped."""
    folder = tmp_path / "run"
    process = start(TRAIN, folder, 10**9, 1000)
    wait_for(process, "iter=002000")
    process.send_signal(signal.SIGINT)
    status, out, err = finished(process)
    assert (status, err) == (0, ""), err
    assert "interrupted after iteration" in out
    assert "returned" in out
    last = newest_snapshot(folder)
    assert last is not None
    assert f"interrupted after iteration {last.iteration}" in out
    stop = last.iteration + 500
    assert f"resumed from {folder}/snapshot-{last.iteration:06d}.h5" in script(TRAIN, folder, stop, stop)
    assert_same_state(saved(folder)[f"snapshot-{stop:06d}.h5"], uninterrupted(tmp_path / "plain", stop))


@pytest.mark.sampled(0, test=2)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_sigterm_and_sighup_take_a_last_snapshot_and_end_the_process(tmp_path, number):
    """As a batch system or a closed terminal does; the same command goes on where it stopped, bit for bit."""
    folder = tmp_path / "run"
    process = start(TRAIN, folder, 10**9, 1000)
    wait_for(process, "iter=002000")
    process.send_signal(number)
    status, out, err = finished(process)
    assert (status, err) == (-number, ""), err
    assert "returned" not in out
    last = newest_snapshot(folder)
    assert last is not None
    assert f"interrupted after iteration {last.iteration}" in out
    assert not list(folder.glob(".*"))
    stop = last.iteration + 500
    script(TRAIN, folder, stop, stop)
    assert_same_state(saved(folder)[f"snapshot-{stop:06d}.h5"], uninterrupted(tmp_path / "plain", stop))


@pytest.mark.slow
def test_nohup_is_respected(tmp_path):
    process = start(TRAIN.replace("SIG_DFL", "SIG_IGN"), tmp_path, 3000, 1000)
    wait_for(process, "iter=001000")
    process.send_signal(signal.SIGHUP)
    status, out, err = finished(process)
    assert (status, err) == (0, ""), err
    assert "returned 3000" in out


@pytest.mark.slow
def test_a_terminal_that_is_closed(tmp_path):
    """The signal comes, and from then on nothing can be printed any more."""
    code = TRAIN.replace("program = ", "solver.progress = False\nprogram = ")
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(sys.executable, [sys.executable, "-c", code, str(tmp_path), str(10**9), "1000"], environment())
    seen = b""
    while b"iter=002000" not in seen:
        seen += os.read(terminal, 4096)
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGHUP
    last = newest_snapshot(tmp_path)
    assert last is not None
    assert last.iteration >= 2000
    rows = sorted(load_statistics(tmp_path / "statistics.h5")["obj_val"])
    assert rows == list(range(1000, last.iteration + 1, 1000))


KILLED = TRAIN.replace("every_n_iter=every)", "every_n_iter=7)", 1).replace(
    "TrainingSummary(), every_n_iter=every", "TrainingSummary(), every_n_iter=1"
)
"""Statistics of every iteration, saved now and then, between snapshots."""


@pytest.mark.sampled(0, test=2)
@pytest.mark.parametrize("which", [3, 1])
def test_killed_between_a_snapshot_and_the_statistics(tmp_path, which):
    """The snapshot is there, its iteration's rows are not in the file yet; the next run has them all the same."""
    code = KILLED.replace(
        "program = ",
        f"""
import os
from mochac.training.loop import lounge
real, calls = lounge.save_statistics, []
def save(path, table):
    calls.append(path)
    if len(calls) == {which}:
        os.kill(os.getpid(), 9)
    real(path, table)
lounge.save_statistics = save
program = """,
    )
    process = start(code, tmp_path, 100, 7)
    status, _, _ = finished(process)
    assert status == -signal.SIGKILL
    assert newest_snapshot(tmp_path).iteration == 7 * which
    script(KILLED, tmp_path, 40, 7)
    assert sorted(load_statistics(tmp_path / "statistics.h5")["obj_val"]) == list(range(1, 41))


@pytest.mark.slow
def test_no_row_is_lost_by_kills(tmp_path):
    """kill -9 at random instants; in the end the statistics are those of a run nobody killed."""
    rng, folder = random.Random(21), tmp_path / "run"
    for _ in range(3):
        process = start(KILLED, folder, 10**9, 5)
        wait_for(process, "Snapshot saved")
        time.sleep(rng.uniform(0.0, 0.3))
        process.send_signal(signal.SIGKILL)
        finished(process)
    reached = newest_snapshot(folder)
    assert reached is not None
    seen = load_statistics(folder / "statistics.h5")["obj_val"]
    stop = max(reached.iteration, *seen) + 9
    for where in (folder, tmp_path / "plain"):
        script(KILLED, where, stop, 5)
    one, two = (load_statistics(where / "statistics.h5") for where in (folder, tmp_path / "plain"))
    assert one == two
    assert sorted(one["obj_val"]) == list(range(1, stop + 1))
    assert not list(folder.glob(".*"))


@pytest.mark.slow
def test_a_second_ctrl_c_is_a_keyboard_interrupt(tmp_path):
    """A break that hangs cannot hold the process."""
    code = TRAIN.replace(
        "program = ",
        """
import os, time
told, tell = os.pipe()
os.set_blocking(tell, False)
signal.set_wakeup_fd(tell)
class Hang:
    def enjoy(self, lounge, program, state):
        if state.iter == 200:
            print("hanging", flush=True)
            os.read(told, 1)
            print("heard", flush=True)
            time.sleep(10**6)
solver.add_coffee_break(Hang(), every_n_iter=every)
program = """,
    )
    process = start(code, tmp_path, 10**9, 100)
    wait_for(process, "hanging")
    process.send_signal(signal.SIGINT)
    wait_for(process, "heard")
    process.send_signal(signal.SIGINT)
    status, _, err = finished(process)
    assert status != 0
    assert err.rstrip().endswith("KeyboardInterrupt")
    newest = newest_snapshot(tmp_path)
    assert newest is not None
    assert newest.iteration == 100


@pytest.mark.slow
def test_ctrl_c_without_a_snapshot_break():
    code = """
import mochac
from net_kit import lenet, lenet_solver
program = mochac.compile(lenet(batch=33))
class Begun:
    def enjoy(self, lounge, program, state):
        if state.iter:
            print("begun", flush=True)
solver = lenet_solver(10**9)
solver.add_coffee_break(Begun(), every_n_iter=10**4)
lounge = program.train(solver)
print("returned", program.forward() > 0)
try:
    import signal; signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    print("usual again")
"""
    process = start(code)
    wait_for(process, "begun")
    process.send_signal(signal.SIGINT)
    status, out, err = finished(process)
    assert (status, err) == (0, ""), err
    assert "returned True" in out
    assert "usual again" in out


@pytest.mark.slow
def test_killed_while_it_saves_snapshots(tmp_path):
    """kill -9 at random instants of a training that saves all the time: every snapshot but parts is whole, each run
    goes on from the newest, and in the end the state is that of a run nobody killed."""
    seed = 20
    print(f"seed {seed}")
    rng = random.Random(seed)
    folder, reached = tmp_path / "run", -1
    for _ in range(3):
        process = start(TRAIN, folder, 10**9, 3)
        wait_for(process, "Snapshot saved")
        time.sleep(rng.uniform(0.0, 0.3))
        process.send_signal(signal.SIGKILL)
        finished(process)
        found = saved(folder)
        assert found, "no snapshot was left"
        newest = max(s.iteration for s in found.values())
        assert newest >= reached
        reached = newest
        for path in sorted(folder.glob("snapshot-*.h5"))[:-1]:
            path.unlink()
    assert reached > 0
    stop = reached + 30
    script(TRAIN, folder, stop, stop)
    assert_same_state(saved(folder)[f"snapshot-{stop:06d}.h5"], uninterrupted(tmp_path / "plain", stop))


@pytest.mark.slow
def test_killed_between_write_and_rename(tmp_path):
    """The worst instant: the temporary file is there, the name still means the old one."""
    code = TRAIN.replace(
        "program = ",
        """
import os
real = os.replace
def replace(source, target):
    if "000200" in str(target):
        print("killed", flush=True)
        os.kill(os.getpid(), 9)
    return real(source, target)
os.replace = replace
program = """,
    )
    process = start(code, tmp_path, 1000, 100)
    status, out, _ = finished(process)
    assert status == -signal.SIGKILL
    assert "killed" in out
    assert sorted(saved(tmp_path)) == ["snapshot-000000.h5", "snapshot-000100.h5"]
    assert list(tmp_path.glob(".*.part")), "the part is there"
    assert "snapshot-000100.h5 at iteration 100" in script(TRAIN, tmp_path, 300, 100)
    assert "snapshot-000300.h5" in saved(tmp_path)
    assert not list(tmp_path.glob(".*")), "neither part nor lock is left"
