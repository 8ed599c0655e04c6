"""--precision: `mochac train` and `mochac build` round factors to bfloat16 as the programs of `compile` do."""

from __future__ import annotations

import runpy

import numpy as np
import pytest

import mochac

WIDE = """\
import numpy as np
from mochac import *

rng = np.random.default_rng(0)
data = MemoryDataLayer(name="in", data=[rng.normal(size=(64, 48)), rng.integers(0, 24, 64)], batch_size=16)
hidden = InnerProductLayer(name="hidden", output_dim=40, bottoms=["data"], neuron=Neurons.ReLU())
last = InnerProductLayer(name="last", output_dim=24, bottoms=["hidden"])
net = Net("wide", [data, hidden, last, SoftmaxLossLayer(name="loss", bottoms=["last", "label"])])
solver = Solver(SGD(lr_policy=LRPolicy.Fixed(0.1)), max_iter=6)
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A net whose products are large enough to be rounded."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "wide.py"
    path.write_text(WIDE)
    return path


def trained(precision):
    found = runpy.run_path("wide.py")
    with mochac.compile(found["net"], precision=precision, seed=3, backend="cpu") as program:
        program.train(found["solver"])
        return {name: program.params[name]["weight"][...].copy() for name in ("hidden", "last")}


@pytest.mark.slow
def test_train(mochac, file, tmp_path):
    how = ("--backend", "cpu", "--seed", "3", "--precision", "bfloat16", "--save", "wide.npz")
    assert mochac("train", "wide.py", *how)[0] == 0
    saved, rounded, plain = np.load(tmp_path / "wide.npz"), trained("bfloat16"), trained("float32")
    for name, weight in rounded.items():
        np.testing.assert_array_equal(saved[f"{name}___weight"], weight)
        assert not np.array_equal(weight, plain[name])


@pytest.mark.slow
@pytest.mark.parametrize("command", ["explain", "profile"])
def test_commands_that_show_a_step(mochac, file, command):
    status, out, _ = mochac(command, "wide.py", "--backend", "cpu", "--precision", "bfloat16")
    assert status == 0 and "pairs" in out


@pytest.mark.slow
def test_build(mochac, file, tmp_path):
    how = ("--train", "--target", "znver4", "--precision", "bfloat16")
    assert mochac("build", "wide.py", "-o", "c", *how)[0] == 0
    text = (tmp_path / "c" / "explain.txt").read_text()
    assert "float32, factors rounded to bfloat16" in text and "pairs" in text


@pytest.mark.parametrize("command", [("train", "wide.py"), ("build", "wide.py", "-o", "c")])
def test_no_such_precision(mochac, file, command):
    status, out, err = mochac(*command, "--precision", "bf16")
    assert (status, out) == (1, "")
    assert "OptionError: " in err and "'float32'" in err and "got  'bf16'" in err
