"""examples/cifar10/cifar10.py on a small budget: trains, goes on from its snapshot, reads bytes and a mean image."""

import re

import h5py
import numpy as np
import pytest
from examples.running import copied, run, write_photographs


@pytest.fixture
def example(tmp_path):
    """A copy of the example with a few images."""
    folder = copied("cifar10", tmp_path)
    write_photographs(folder / "data")
    return folder


@pytest.mark.slow
def test_trains_and_goes_on(example):
    run("cifar10.py", "--max-iter", 20, "--every", 10, cwd=example)
    again = run("cifar10.py", "--max-iter", 90, "--every", 90, cwd=example)
    assert "snapshot-000020.h5" in again
    assert "iter=000000" not in again
    assert float(re.search(r"^test accuracy ([\d.]+)%$", again, re.MULTILINE)[1]) > 50
    with h5py.File(example / "snapshots/statistics.h5") as h5:
        assert "accuracy-accuracy" in h5


@pytest.mark.slow
def test_pytorchs_twin_learns_the_same(example):
    torch = pytest.importorskip("torch")
    run("cifar10.py", "--max-iter", 20, "--every", 20, cwd=example)
    run("torch_twin.py", "--max-iter", 20, cwd=example)
    twin = torch.load(example / "snapshots/torch-twin.pt")["net"]
    with h5py.File(example / "snapshots/snapshot-000020.h5") as h5:
        for layer, weight in {"conv1": "filter", "conv2": "filter", "conv3": "filter", "ip1": "weight"}.items():
            np.testing.assert_allclose(h5[f"{layer}___{weight}"][:], twin[f"{layer}.weight"].numpy(), atol=1e-4)
            np.testing.assert_allclose(h5[f"{layer}___bias"][:], twin[f"{layer}.bias"].numpy(), atol=1e-4)
