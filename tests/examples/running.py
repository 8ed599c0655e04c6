"""How the tests of examples run them: a copy in a folder of its own, as a program of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
from patience import HANG_S

EXAMPLES = Path(__file__).parents[2] / "examples"


def copied(name, folder):
    """A copy of examples/`name` in `folder`, without what runs leave behind."""
    left = shutil.ignore_patterns("data", "snapshots*", "beside-torch", "*.png", "*.svg", "__pycache__")
    return shutil.copytree(EXAMPLES / name, folder / name, ignore=left)


def run(*command, cwd, status=0):
    """What a script prints."""
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=cwd,
        capture_output=True,
        text=True,
        env=os.environ,
        timeout=HANG_S,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


def write_digits(folder):
    """Small files in get_mnist.py's layout; digits easy to tell apart: each class a bright square of its own."""
    folder.mkdir(parents=True)
    rng = np.random.default_rng(20)
    for part, n in {"train": 1000, "test": 300}.items():
        label = rng.integers(0, 10, n)
        pixels = rng.uniform(0, 0.3, (n, 1, 28, 28)).astype(np.float32)
        for k, digit in enumerate(label):
            pixels[k, 0, 2 + 5 * (digit % 5) :, 4 + 12 * (digit // 5) :][:5, :8] = 0.9
        with h5py.File(folder / f"{part}.hdf5", "w") as h5:
            h5["data"], h5["label"] = pixels, label[:, None].astype(np.float32)
        (folder / f"{part}.txt").write_text(f"{part}.hdf5\n")


def write_photographs(folder):
    """Small files in get_cifar10.py's layout; each class has a colour of its own."""
    folder.mkdir(parents=True)
    rng = np.random.default_rng(5)
    colours = rng.integers(0, 256, (10, 3))
    for part in ("train", "test"):
        label = np.arange(200) % 10
        images = np.clip(colours[label][:, :, None, None] + rng.normal(0, 10, (200, 3, 32, 32)), 0, 255)
        with h5py.File(folder / f"{part}.hdf5", "w") as h5:
            h5["data"], h5["label"] = images.astype(np.uint8), label[:, None].astype(np.uint8)
        (folder / f"{part}.txt").write_text(f"{part}.hdf5\n")
    with h5py.File(folder / "mean.hdf5", "w") as h5:
        h5["mean"] = np.full((1, 3, 32, 32), 120, np.float32)
