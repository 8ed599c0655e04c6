"""examples/mnist/dropout_fc.py on a small budget: trains, keeps its constraint, goes on where it stopped."""

import re

import h5py
import numpy as np
import pytest
from examples.running import copied, run, write_digits


@pytest.mark.slow
def test_trains_and_goes_on(tmp_path):
    folder = copied("mnist", tmp_path)
    write_digits(folder / "data")
    run("dropout_fc.py", "--max-iter", 20, cwd=folder)
    again = run("dropout_fc.py", "--max-iter", 60, cwd=folder)
    assert "snapshot-000020.h5" in again
    assert float(re.search(r"^test accuracy ([\d.]+)%$", again, re.MULTILINE)[1]) > 90
    with h5py.File(folder / "snapshots-dropout/snapshot-000060.h5") as h5:
        for layer in ("fc1", "fc2", "out"):
            assert np.linalg.norm(h5[f"{layer}___weight"][:], axis=1).max() <= 4.5001
