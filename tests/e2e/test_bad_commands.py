"""The command line with a user's faults: exit status 1, one message on standard error, no traceback."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest
from script_kit import environment

from mochac.__main__ import main

pytestmark = pytest.mark.slow

GOOD = """
import numpy as np
from mochac import *
x, y = np.random.default_rng(0).standard_normal((20, 4)), np.arange(20) % 3
def data(**how):
    return MemoryDataLayer(**{"name": "data", "data": [x, y], "batch_size": 5, **how})
ip = InnerProductLayer(name="ip", output_dim=3, bottoms=["data"])
loss = SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])
net = Net("n", [data(), ip, loss])
solver = Solver(SGD(), max_iter=3)
"""
FAULTS = {
    "misspelt bottom": (
        "ip = ip.replace(bottoms=['dota'])\nnet = Net('n', [data(), ip, loss])",
        "no layer produces bottom",
    ),
    "unknown field": ("InnerProductLayer(name='a', output_dims=3)", "no field 'output_dims'"),
    "unknown solver parameter": ("solver = Solver(SGD(), max_itr=3)", "did you mean 'max_iter'?"),
    "missing list file": (
        "net = Net('n', [HDF5DataLayer(name='data', source='no.txt', batch_size=2), ip, loss])",
        "cannot read list file no.txt",
    ),
    "nan": ("bad = x.copy(); bad[3] = np.nan\nnet = Net('n', [data(data=[bad, y]), ip, loss])", "data holds NaN"),
    "label": ("net = Net('n', [data(data=[x, y * 5]), ip, loss])", "label out of range"),
    "missing snapshot": ("solver = Solver(SGD(), max_iter=3, load_from='no.h5')", "no snapshot or model no.h5"),
    "unwritable folder": (
        "open('file', 'w').close()\nsolver.add_coffee_break(Snapshot('file'), every_n_iter=1)",
        "cannot write into folder file",
    ),
    "no limit": ("solver = Solver(SGD())", "training has no stopping condition"),
    "no net": ("del net", "net"),
    "syntax": ("net = = 3", "net.py"),
    "exception": ("1 / 0", "ZeroDivisionError"),
}


def write(folder, extra):
    (folder / "net.py").write_text(GOOD + extra + "\n")


@pytest.mark.parametrize("fault", FAULTS)
def test_train_with_a_fault(fault, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    extra, words = FAULTS[fault]
    write(tmp_path, extra)
    assert main(["train", "net.py"]) == 1
    err = capsys.readouterr().err
    assert words in err
    assert "Traceback" not in err
    assert len(err.splitlines()) < 12


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["train", "gone.py"], "gone.py"),
        (["explain", "."], "."),
        (["train", "net.py", "--backend", "cuda"], "CUDA"),
        (["train", "net.py", "--backend", "cpy"], "did you mean 'cpu'?"),
        (["train", "net.py", "--dtype", "half"], "dtype is out of range"),
    ],
)
def test_commands_with_a_fault(command, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "")
    assert main(command) == 1
    err = capsys.readouterr().err
    assert words in err
    assert "Traceback" not in err


def test_in_a_process_of_its_own(tmp_path):
    """As a user meets it: status, streams, --debug."""
    write(tmp_path, FAULTS["misspelt bottom"][0])
    run = [sys.executable, "-m", "mochac"]
    how = {"cwd": tmp_path, "env": environment(), "capture_output": True, "text": True}
    done = subprocess.run([*run, "train", "net.py"], **how)
    assert done.returncode == 1
    assert done.stderr == textwrap.dedent("""\
        NetError: layer 'ip' (InnerProduct): no layer produces bottom 'dota'
          blobs: data label
          hint: did you mean 'data'?
          at net.py:11
        """)
    assert "Traceback" in subprocess.run([*run, "--debug", "train", "net.py"], **how).stderr
    assert subprocess.run([*run, "trian"], **how).returncode == 2
