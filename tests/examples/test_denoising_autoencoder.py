"""examples/denoising-autoencoder on a small budget: stages share and freeze what they say, resume, are plotted."""

import re

import h5py
import numpy as np
import pytest
from examples.running import copied, run, write_digits


@pytest.fixture
def example(tmp_path):
    write_digits(tmp_path / "mnist/data")
    return copied("denoising-autoencoder", tmp_path)


def weights(example, stage, i):
    with h5py.File(example / f"snapshots/{stage}/snapshot-000005.h5") as h5:
        return h5[f"ip-layer-{i}___weight"][:]


@pytest.mark.slow
def test_stages_hand_on_their_layers(example):
    text = run("denoising_autoencoder.py", "--max-iter", 5, cwd=example)
    said = re.findall(r"^test accuracy .*%$", text, re.MULTILINE)
    assert [line.rpartition(" ")[0] for line in said] == [
        "test accuracy with pre-training",
        "test accuracy from random weights",
    ]
    np.testing.assert_array_equal(weights(example, "pretrain-1", 1), weights(example, "pretrain-2", 1))
    np.testing.assert_array_equal(weights(example, "pretrain-2", 2), weights(example, "pretrain-3", 2))
    assert not np.array_equal(weights(example, "pretrain-3", 3), weights(example, "finetune", 3))
    with h5py.File(example / "snapshots/finetune/snapshot-000000.h5") as h5:
        np.testing.assert_array_equal(h5["ip-layer-3___weight"][:], weights(example, "pretrain-3", 3))
    with h5py.File(example / "snapshots/randinit/snapshot-000000.h5") as h5:
        assert not np.array_equal(h5["ip-layer-1___weight"][:], weights(example, "pretrain-1", 1))
    again = run("denoising_autoencoder.py", "--max-iter", 5, cwd=example)
    assert "TRAIN iter" not in again
    assert re.findall(r"^test accuracy .*%$", again, re.MULTILINE) == said


@pytest.mark.slow
def test_plots(example):
    run("denoising_autoencoder.py", "--max-iter", 5, cwd=example)
    run("plot_all.py", cwd=example)
    assert (example / "snapshots/loss.svg").exists()
    assert (example / "snapshots/accuracy.svg").exists()
