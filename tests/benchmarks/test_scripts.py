"""The benchmark scripts run with whatever peers are installed. No timings."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import h5py
import numpy as np
import pytest
from bench_kit import FOLDER, module

PEERS = ["--without", "PyTorch", "JAX"]
"""To import them takes longer than everything else; test_tasks.py runs them."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "script",
    [
        ["training.py", "tiny", "--threads", "1", "--seconds", "0", *PEERS],
        ["prediction.py", "lenet", "--threads", "1", "--seconds", "0", *PEERS],
        ["startup.py", "lenet", "--runs", "1", "--only", "mochac"],
        ["image_input.py", "--rounds", "1", "--workers", "1", "--share", "0.1"],
        ["neighbour.py", "lenet", "--seconds", "0", "--turns", "1", *PEERS],
    ],
    ids=lambda script: script[0],
)
def test_scripts_run(script, tmp_path):
    command = [sys.executable, str(FOLDER / script[0]), *script[1:]]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    assert done.returncode == 0, done.stderr
    assert "| mochac" in done.stdout


def test_starts_of_no_contender_are_an_error(capsys):
    assert module("startup").main(["tiny", "--runs", "1", "--only"]) == 1
    assert "tiny: there is no contender that runs, and nothing to record" in capsys.readouterr().err


@pytest.mark.slow
def test_starts_of_a_checkout_are_timed():
    command = [sys.executable, str(FOLDER / "start_cpu.py"), "--runs", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (row,) = done.stdout.splitlines()[2:]
    cold, warm, user, median, ratio = (float(cell) for cell in row.split("|")[2:-1])
    assert cold > warm == median >= user > 0 and ratio == 1


@pytest.mark.slow
def test_compilations_of_deep_nets_are_timed():
    command = [sys.executable, str(FOLDER / "deep_nets.py"), "--runs", "1", "--nets", "1", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = [line.split("|") for line in done.stdout.splitlines()[4:]]
    assert [row[1].strip() for row in rows] == ["1", "2"]
    assert all(float(cell.strip("()")) > 0 for row in rows for cell in row[2].split())


@pytest.mark.slow
def test_products_are_timed():
    command = [sys.executable, str(FOLDER / "products.py"), "few-2", "--threads", "1", "--seconds", "0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [line.split()[:3] for line in done.stdout.splitlines()] == [["few-2", p, "1"] for p in ("fwd", "dx", "dw")]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="NO C COMPILER HERE")
def test_c_libraries_compute_the_bits_of_train():
    command = [sys.executable, str(FOLDER / "c_library.py"), "tiny", "--threads", "1", "--seconds", "0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "| tiny | 1 | " in done.stdout


@pytest.mark.slow
def test_the_price_of_parts_is_measured(capsys):
    assert module("parts").main(["mlp", "--parts", "2", "--rounds", "1"]) == 0
    assert "| mlp | 100 | 1 | 2 | 50 | " in capsys.readouterr().out


@pytest.mark.slow
def test_a_tile_that_does_not_fit_is_measured(capsys, monkeypatch):
    monkeypatch.setenv("MOCHAC_CPU", "")
    assert module("spills").main(["25", "--rounds", "1"]) == 0
    rule, tile = capsys.readouterr().out.splitlines()[2:]
    assert rule.startswith("| host | rule | ") and tile.startswith("| host | 25 | ")


@pytest.mark.slow
def test_mnist_from_files_to_exit(tmp_path):
    rng = np.random.default_rng(0)
    for part, n in (("train", 128), ("test", 200)):
        with h5py.File(tmp_path / f"{part}.hdf5", "w") as h5:
            h5["data"] = rng.random((n, 1, 28, 28), np.float32)
            h5["label"] = rng.integers(0, 10, (n, 1)).astype(np.float32)
        (tmp_path / f"{part}.txt").write_text(f"{part}.hdf5\n")
    command = [sys.executable, FOLDER / "mnist.py", "--data", tmp_path, "--iterations", "3", "--runs", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "| 3 | 2 | " in done.stdout and " % |" in done.stdout


def test_a_trainings_own_account_is_read():
    said = " 10000 iterations in 21.9 s (0.0 s waiting for data)\ntest accuracy 99.11%\n"
    run = module("mnist").read(f"... {said}", 24.0, 0.05)
    assert (run.trained_s, run.waited_s, run.accuracy) == (21.9, 0.0, 99.11)
    assert np.isnan(module("mnist").read("test accuracy 11.00%", 1.0, 0.0).trained_s)
