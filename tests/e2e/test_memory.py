"""Memory and time of a process from its start to the third step of LeNet, and memory of a long training.

Memory is bounded, time only shown.
"""

from __future__ import annotations

import time

import pytest
from script_kit import script

LIMIT_MIB = 200
SLACK_MIB = 60
"""Allocators, Python builds and page sizes differ; the limit is checked on the figure that is printed."""

CODE = """
import numpy as np
import h5py
import mochac
from mochac import *
with h5py.File("train.h5", "w") as file:
    file["data"] = np.zeros((256, 1, 28, 28), np.float32)
    file["label"] = np.arange(256, dtype=np.float32)[:, None] % 10
with open("train.txt", "w") as out:
    out.write("train.h5")
net = Net("lenet", [
    HDF5DataLayer(name="data", source="train.txt", batch_size=64, shuffle=True),
    ConvolutionLayer(name="conv1", n_filter=20, kernel=5, bottoms=["data"]),
    PoolingLayer(name="pool1", kernel=2, stride=2, bottoms=["conv1"]),
    ConvolutionLayer(name="conv2", n_filter=50, kernel=5, bottoms=["pool1"]),
    PoolingLayer(name="pool2", kernel=2, stride=2, bottoms=["conv2"]),
    InnerProductLayer(name="ip1", output_dim=500, neuron=Neurons.ReLU(), bottoms=["pool2"]),
    InnerProductLayer(name="ip2", output_dim=10, bottoms=["ip1"]),
    SoftmaxLossLayer(name="loss", bottoms=["ip2", "label"]),
])
mochac.compile(net, threads=2).train(SGD(), max_iter=3)
with open("/proc/self/status") as status:  # getrusage would count the process that started this one
    print("peak", next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) // 1024)
"""


def peak_mib(out: str) -> int:
    return int(out.split()[-1])


@pytest.mark.slow
def test_peak_memory_up_to_the_third_step(tmp_path):
    """Cold: passes, LLVM, cache and data included. A warm start takes no more."""
    figures = {}
    for start in ("cold", "warm"):
        begin = time.perf_counter()
        out = script(CODE, cwd=tmp_path, MOCHAC_CACHE_DIR=str(tmp_path / "cache"))
        figures[start] = (peak_mib(out), round(time.perf_counter() - begin, 2))
    print(f"(MiB, seconds of the process) {figures}")
    assert figures["cold"][0] <= LIMIT_MIB + SLACK_MIB
    assert figures["warm"][0] <= figures["cold"][0] + 10


@pytest.mark.slow
def test_memory_stays_level_while_training(tmp_path):
    """Thousands of steps, snapshots, evaluations: nothing piles up."""
    code = CODE.replace("np.zeros((256, 1, 28, 28)", "np.zeros((256, 1, 16, 16)").replace(
        "mochac.compile(net, threads=2).train(SGD(), max_iter=3)",
        """
program = mochac.compile(net, threads=2)
def level():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
class Look:
    seen = []
    def enjoy(self, lounge, program, state):
        self.seen.append(level())
solver = Solver(SGD(), max_iter=3000)
solver.add_coffee_break(Snapshot("snapshots"), every_n_iter=100)
solver.add_coffee_break(ValidationPerformance(program), every_n_iter=100)
solver.add_coffee_break(Look(), every_n_iter=100)
program.train(solver)
print("growth", Look.seen[-1] - Look.seen[5], Look.seen)
""",
    )
    out = script(code, cwd=tmp_path)
    growth = next(line for line in out.splitlines() if line.startswith("growth"))
    print(growth)
    assert int(growth.split()[1]) < 8 * 1024
