"""examples/mnist/lenet.py on a small budget: trains, goes on where it stopped, predicts from its snapshot, explains."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples/mnist"


@pytest.fixture
def example(tmp_path):
    """A copy of the example with digits that are easy to tell apart: each class a bright square of its own."""
    folder = tmp_path / "mnist"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("data", "snapshots", "__pycache__"))
    (folder / "data").mkdir()
    rng = np.random.default_rng(20)
    for part, n in {"train": 1000, "test": 300}.items():
        label = rng.integers(0, 10, n)
        pixels = rng.uniform(0, 0.3, (n, 1, 28, 28)).astype(np.float32)
        for k, digit in enumerate(label):
            pixels[k, 0, 2 + 5 * (digit % 5) :, 4 + 12 * (digit // 5) :][:5, :8] = 0.9
        with h5py.File(folder / f"data/{part}.hdf5", "w") as h5:
            h5["data"], h5["label"] = pixels, label[:, None].astype(np.float32)
        (folder / f"data/{part}.txt").write_text(f"{part}.hdf5\n")
    return folder


def run(*command, cwd):
    done = subprocess.run(
        [sys.executable, *command], cwd=cwd, capture_output=True, text=True, env=os.environ, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def accuracy(text):
    return float(re.search(r"^test accuracy ([\d.]+)%$", text, re.MULTILINE)[1])


def test_without_data_it_says_how_to_get_them(tmp_path):
    shutil.copy(EXAMPLE / "lenet.py", tmp_path)
    done = subprocess.run([sys.executable, "lenet.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"no MNIST in {tmp_path / 'data'}: python {tmp_path / 'get_mnist.py'} fetches it\n"


@pytest.mark.slow
def test_trains_goes_on_and_predicts(example, tmp_path):
    first = run("mnist/lenet.py", "--max-iter", "60", cwd=tmp_path)  # from another folder than its own
    assert accuracy(first) > 90
    again = run("lenet.py", "--max-iter", "90", cwd=example)
    assert "snapshot-000060.h5" in again
    assert "after 0 iterations" not in again
    assert accuracy(again) > 90
    said = re.search(r"snapshot-000090.h5 says (\[.*\]), the labels are (\[.*\])", again)
    with h5py.File(example / "data/test.hdf5") as h5:
        labels = h5["label"][:10, 0].astype(int)
    assert said[2] == str(labels)
    assert sum(a == b for a, b in zip(said[1], said[2], strict=True)) >= len(said[1]) - 2
    with h5py.File(example / "snapshots/statistics.h5") as h5:
        assert "test-accuracy-accuracy" in h5


@pytest.mark.slow
def test_the_command_line_reads_it(example):
    text = run("-m", "mochac", "explain", "lenet.py", cwd=example)
    assert "conv1" in text
    assert "MNIST-train" in text


@pytest.mark.slow
@pytest.mark.data
def test_one_epoch_of_mnist(example, mnist):
    shutil.rmtree(example / "data")
    run("get_mnist.py", "--from", str(mnist), cwd=example)
    assert accuracy(run("lenet.py", "--max-iter", "938", cwd=example)) > 97
