"""A folder with the Python files that commands are given, and a way to call `mochac`."""

from __future__ import annotations

import pytest

from mochac.__main__ import main

NET = """\
import numpy as np
from mochac import *

rng = np.random.default_rng(3)
x, y = rng.standard_normal((40, 1, 6, 6)), rng.integers(0, 3, 40)


def made(name, batch, *ends):
    data = MemoryDataLayer(name=name + "-data", data=[x, y], batch_size=batch, tops=["data", "label"])
    how = {"n_filter": 2, "kernel": (3, 3), "neuron": Neurons.ReLU()}
    conv = ConvolutionLayer(name="conv", bottoms=["data"], tops=["conv"], **how)
    ip = InnerProductLayer(name="ip", output_dim=3, bottoms=["conv"], tops=["ip"])
    return Net(name, [data, conv, ip, *ends])


net = made("train", 8, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]))
"""

SOLVED = (
    NET
    + """\
test_net = made("test", 10, AccuracyLayer(name="accuracy", bottoms=["ip", "label"]))
solver = Solver(SGD(lr_policy=LRPolicy.Fixed(0.05)), max_iter=6, load_from="snapshots")
solver.add_coffee_break(TrainingSummary(), every_n_iter=2)
solver.add_coffee_break(Snapshot("snapshots"), every_n_iter=3)
solver.setup_coffee_lounge(save_into="statistics.h5")
"""
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with net.py (only a net) and solved.py (also solver and test_net)."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.py").write_text(NET)
    (tmp_path / "solved.py").write_text(SOLVED)
    return tmp_path


@pytest.fixture
def mochac(capsys):
    """mochac(*arguments) -> (exit status, standard output, standard error)."""

    def call(*arguments: str) -> tuple[int, str, str]:
        try:
            status = main(list(arguments))
        except SystemExit as stop:
            status = int(stop.code or 0)
        out, err = capsys.readouterr()
        return status, out, err

    return call
