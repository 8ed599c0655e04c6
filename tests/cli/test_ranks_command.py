"""`mochac train FILE --ranks N`: what is shown, what is refused, and what ends when a rank does."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from patience import HANG_S
from ranks_kit import begin, environment, mochac, needs_mpi

FILE = """
import os
import numpy as np
from mochac import *

rng = np.random.default_rng(0)
X = rng.normal(size=(320, 6)).astype(np.float32)
data = MemoryDataLayer(data=[X, (X[:, 0] > 0).astype(int)], batch_size={batch}, shuffle=True)
ip = InnerProductLayer(name="ip", output_dim={units}, bottoms=["data"])
net = Net("net", [data, ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])
solver = Solver(SGD(0.1, momentum=0.9), max_iter={iterations}, load_from="snapshots")
solver.add_coffee_break(Snapshot("snapshots"), every_n_iter=20)
"""
UNITS = 'int(os.environ.get("PMI_RANK", "0")) + 2'  # another net on every rank

pytestmark = [needs_mpi, pytest.mark.slow]


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(batch=64, units=2, iterations=40):
        (tmp_path / "net.py").write_text(FILE.format(batch=batch, units=units, iterations=iterations))

    return write


def test_rank_0_alone_shows_and_writes_and_another_number_resumes_with_the_same_bits(write):
    write()
    status, said = mochac("train", "net.py", "--ranks", 4, "--save", "four.npz")
    assert status == 0
    assert said.count("snapshot-000040.h5") == 1
    assert "rank 0 exchanged" in said
    write(iterations=60)
    status, said = mochac("train", "net.py", "--ranks", 2, "--save", "two.npz")
    assert status == 0
    assert "last bits" not in said  # it takes the number of parts from the snapshot
    for path in os.scandir("snapshots"):
        os.remove(path)
    assert mochac("train", "net.py", "--ranks", 1, "--parts", 4, "--save", "one.npz")[0] == 0
    two, one = np.load("two.npz"), np.load("one.npz")
    assert {name: two[name].tobytes() for name in two} == {name: one[name].tobytes() for name in one}


def test_resuming_with_other_parts_is_said(write):
    write()
    assert mochac("train", "net.py", "--ranks", 2)[0] == 0
    write(iterations=60)
    status, said = mochac("train", "net.py", "--ranks", 4)
    assert status == 0
    words = (
        "was written with batches in 2 parts, this training has 4 parts: last bits will differ; parts=2 continues it"
    )
    assert said.count(words) == 1


def test_a_rank_that_cannot_load_its_file_ends_all(write):
    write()
    with open("net.py", "a") as file:
        file.write('if os.environ.get("PMI_RANK") == "1": raise ValueError("no data here")\n')
    status, said = mochac("train", "net.py", "--ranks", 2)
    assert status
    assert said.count("ValueError: no data here") == 1 and said.count("rank 1 failed") == 1


def test_an_error_of_all_ranks_is_said_once(write):
    write()
    with open("net.py", "a") as file:
        file.write('raise ValueError("no data here")\n')
    status, said = mochac("train", "net.py", "--ranks", 4)
    assert status
    assert said.count("ValueError: no data here") == 1


def test_ranks_with_other_samples_say_so(write):
    write()
    text = Path("net.py").read_text()
    Path("net.py").write_text(text.replace("data = Mem", 'X[7, 3] += int(os.environ.get("PMI_RANK", "0"))\ndata = Mem'))
    status, said = mochac("train", "net.py", "--ranks", 2)
    assert status
    assert "the ranks differ in their data" in said and "320 samples, checksums data" in said


def test_ranks_with_different_nets_say_how_they_differ(write):
    write(units=UNITS)
    status, said = mochac("train", "net.py", "--ranks", 2)
    assert status
    assert "RankError: the ranks differ in their nets" in said
    assert said.count("RankError") == 1
    assert "layer 'ip' (InnerProduct): output_dim=2" in said
    assert "rank 1: layer 'ip' (InnerProduct): output_dim=3" in said


def test_a_batch_that_ranks_cannot_share_is_refused(write):
    write(batch=65)
    status, said = mochac("train", "net.py", "--ranks", 2)
    assert status
    assert "ranks cannot share its batches equally\n  got  batch_size 65 on 2 ranks\n  hint: batch_size=66" in said
    assert said.count("equally") == 1


def killed(running, number, mark):
    """Wait until a training has begun, and send a signal to its rank 1."""
    while "snapshot-000020" not in (line := running.stdout.readline()):
        assert line, "it ended"
    while running.poll() is None:
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                given = Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"PMI_RANK=1" in given and f"RANKS_TEST={mark}".encode() in given:
                os.kill(int(process), number)
                return
    raise AssertionError("it ended")


@pytest.mark.skipif(sys.platform != "linux", reason="it looks for ranks in /proc")
@pytest.mark.parametrize(
    ("number", "timeout", "words"),
    [(signal.SIGKILL, HANG_S, ") has died after iteration"), (signal.SIGSTOP, 10, "rank 0 waited 10 s for rank 1 ")],
)
def test_a_rank_that_dies_or_hangs_ends_all_with_its_name_and_the_last_snapshot_stays(write, number, timeout, words):
    write(iterations=10_000_000)
    mark = f"{os.getpid()}-{number}"
    with begin("train", "net.py", "--ranks", 2, MOCHAC_RANK_TIMEOUT=str(timeout), RANKS_TEST=mark) as running:
        try:
            killed(running, number, mark)
            said = "".join(running.stdout)  # to the end: all ranks have ended
        finally:
            running.kill()
    assert running.returncode
    assert words in said
    newest = sorted(os.listdir("snapshots"))[-1]
    write(iterations=20)
    assert "nothing left to train" in mochac("train", "net.py")[1] and newest.startswith("snapshot-")


def test_profile_says_what_each_rank_exchanges(write):
    write()
    status, said = mochac("profile", "net.py", "--ranks", 2, "--n-iter", 5)
    assert status == 0
    assert said.count("plan 'step'") == 1 and "loss.exchange_wait" in said
    for rank in (0, 1):  # weights, biases and the loss, 15 numbers, in halves there and back
        assert re.search(rf"rank {rank} exchanged 6\d B in 2 messages a step, .* of which the step waited", said)


def test_ranks_share_an_evaluation(write):
    write()
    assert mochac("train", "net.py", "--ranks", 2)[0] == 0
    alone, together = (mochac("evaluate", "net.py", *more)[1] for more in ((), ("--ranks", 2)))
    assert together.splitlines()[-2:] == alone.splitlines()[-2:] and together.count("loss") == 1


def test_an_evaluation_that_fails_on_one_rank_ends_on_all(write):
    write()
    with open("net.py", "a") as file:
        file.write('if os.environ.get("PMI_RANK") == "1": raise ValueError("no data here")\n')
    status, said = mochac("evaluate", "net.py", "--ranks", 2)
    assert status
    assert said.count("ValueError: no data here") == 1


def test_without_mpiexec_there_is_one_message(write, tmp_path):
    write()
    command = [sys.executable, "-c", PROGRAM, "train", "net.py", "--ranks", "2"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(PATH=str(tmp_path)), check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("OptionError: there is no mpiexec to start ranks with\n  hint: pip install")


PROGRAM = """
import sys
from mochac.runtime.ranks import processes
processes.sys = type("NoMpiexec", (), {"executable": "/nowhere/python", "stdout": sys.stdout})
from mochac.__main__ import main
sys.exit(main(sys.argv[1:]))
"""
