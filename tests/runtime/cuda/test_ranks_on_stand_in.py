"""Training on several ranks, each with a device of its own, on the stand-in driver and the stand-in NCCL."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import fake_driver
import pytest
from patience import HANG_S
from ranks_kit import environment, mpiexec, needs_mpi
from skips import needs_gxx

SCRIPT = Path(__file__).with_name("train_ranks_on_device.py")

pytestmark = [needs_gxx, needs_mpi, pytest.mark.slow]


def on_devices(n, *command, devices=4, nccl=True, **more):
    """Run Python on n ranks that see so many stand-in devices; returns the exit status and what they said."""
    seen = fake_driver.environment()
    if nccl:
        seen["LD_LIBRARY_PATH"] = f"{fake_driver.nccl()}:{seen['LD_LIBRARY_PATH']}"
    given = {**environment(), **seen, "MOCHAC_FAKE_CUDA_DEVICES": str(devices), **more}
    given["PYTHONPATH"] = f"{fake_driver.no_wheels()}:{environment()['PYTHONPATH']}:{seen['PYTHONPATH']}"
    done = subprocess.run(
        [mpiexec(), "-n", str(n), sys.executable, *map(str, command)],
        capture_output=True, text=True, timeout=HANG_S, env=given, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


@cache
def trained(n, early, *ways):
    """What ranks find. The stand-in driver stops at a kernel that is launched early and does not wait."""
    status, said = on_devices(n, SCRIPT, *ways, MOCHAC_CUDA_EARLY=early)
    assert status == 0, said
    return json.loads(next(line for line in said.splitlines() if line.startswith("{")))


@pytest.fixture(scope="module")
def alone():
    """What one rank finds, whose kernels do not begin early."""
    return trained(1, early="0")


@pytest.mark.parametrize(
    ("n", "early", "ways"),
    [
        pytest.param(2, "1", (), id="2"),
        pytest.param(4, "0", ("resident", "accumulated"), id="4"),
        pytest.param(4, "0", (), id="4 all", marks=pytest.mark.soak),
    ],
)
def test_the_number_of_devices_changes_no_bit(alone, n, early, ways):
    """Four ranks train in some of the ways."""
    found = trained(n, early, *ways)
    assert set(found) >= set(ways)
    for name, what in found.items():
        if name == "unordered":  # as NCCL adds them
            continue
        assert (what["weights"], what["losses"]) == (alone[name]["weights"], alone[name]["losses"]), name
        assert "messages" in what["exchanged"] and " 0 messages" not in what["exchanged"]
    assert ways or found["streamed"] == found["resident"]


def test_they_learn_what_a_process_without_mpi_and_a_cpu_do(alone):
    assert alone["resident"]["weights"] == alone["alone"]["weights"]
    for name in ("loss", "obj_val"):
        assert alone["cpu"]["losses"][name] == pytest.approx(alone["alone"]["losses"][name], rel=1e-5)


def test_sums_in_any_order_differ_in_last_bits_alone(alone):
    losses = trained(2, "1")["unordered"]["losses"]
    assert losses["obj_val"] == pytest.approx(alone["unordered"]["losses"]["obj_val"], rel=1e-4)


FILE = """
import numpy as np
from mochac import *

X = np.random.default_rng(0).normal(size=(320, 6)).astype(np.float32)
data = MemoryDataLayer(data=[X, (X[:, 0] > 0).astype(int)], batch_size=64)
ip = InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])
net = Net("net", [data, ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])


class Dies:
    every_rank = True

    def enjoy(self, lounge, program, state):
        import os, signal
        if state.iter == 4 and os.environ["PMI_RANK"] == "1":
            os.kill(os.getpid(), getattr(signal, os.environ["ENDS_BY"]))


solver = Solver(SGD(0.1), max_iter=8)
import os
if "ENDS_BY" in os.environ:
    solver.add_coffee_break(Dies(), every_n_iter=1)
"""


@pytest.fixture
def train(tmp_path):
    (tmp_path / "net.py").write_text(FILE)

    def train(n, *arguments, **how):
        return on_devices(n, "-m", "mochac", "train", tmp_path / "net.py", "--backend", "cuda", *arguments, **how)

    return train


def test_the_command_trains_and_says_what_was_exchanged(train):
    status, said = train(2)
    assert status == 0, said
    assert "rank 0 exchanged 0.0 MB in 16 messages" in said


def test_more_ranks_than_devices_are_refused(train):
    status, said = train(2, devices=1)
    assert status
    assert said.count("each rank needs a CUDA device of its own") == 1
    assert "ranks 0 and 1 of" in said and "have CUDA device 0" in said


def test_without_nccl_all_end(train):
    status, said = train(2, nccl=False)
    assert status
    assert said.count("training on several CUDA devices needs NCCL") == 1
    assert "libnccl.so.2: cannot open shared object file" in said


@pytest.mark.parametrize(("by", "words"), [("SIGKILL", ""), ("SIGSTOP", "rank 0 waited 5 s for rank 1")])
def test_a_rank_that_dies_or_stops_ends_all(train, by, words):
    status, said = train(2, ENDS_BY=by, MOCHAC_RANK_TIMEOUT="5")
    assert status
    assert words in said
