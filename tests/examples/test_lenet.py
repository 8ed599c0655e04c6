"""examples/mnist/lenet.py on a small budget: trains, goes on where it stopped, predicts from its snapshot, explains."""

import re
import shutil
import subprocess
import sys

import h5py
import pytest
from examples.running import EXAMPLES, copied, run, write_digits


@pytest.fixture
def example(tmp_path):
    """A copy of the example with small files."""
    folder = copied("mnist", tmp_path)
    write_digits(folder / "data")
    return folder


def accuracy(text):
    return float(re.search(r"^test accuracy ([\d.]+)%$", text, re.MULTILINE)[1])


@pytest.mark.slow
def test_without_data_it_says_how_to_get_them(tmp_path):
    shutil.copy(EXAMPLES / "mnist" / "lenet.py", tmp_path)
    done = subprocess.run([sys.executable, "lenet.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"no MNIST in {tmp_path / 'data'}: python {tmp_path / 'get_mnist.py'} downloads it\n"


@pytest.mark.slow
def test_trains_goes_on_and_predicts(example, tmp_path):
    first = run("mnist/lenet.py", "--max-iter", "60", cwd=tmp_path)  # from another folder than its own
    assert accuracy(first) > 90
    again = run("lenet.py", "--max-iter", "90", cwd=example)
    assert "snapshot-000060.h5" in again
    assert "after 0 iterations" not in again
    assert accuracy(again) > 90
    said = re.search(r"snapshot-000090.h5 predicts (\[.*\]), the labels are (\[.*\])", again)
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
