"""Handwritten digits for the demo: those of scikit-learn, which need no download, or MNIST from a folder of idx files.

Images are (num, 1, 28, 28) in 0..1, labels 0..9.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np

from mochac.base.errors import DataError, OptionError
from mochac.base.records import record
from mochac.tools.cli.idx import find_idx, read_idx

SIDE, CLASSES, TEST_SAMPLES, SPLIT_SEED = 28, 10, 297, 0


@record
class Digits:
    """A training set and a test set; `source` describes them."""

    source: str
    train: tuple[np.ndarray, np.ndarray]
    test: tuple[np.ndarray, np.ndarray]


def bundled_digits() -> Digits:
    """The 1797 digits of 8x8 pixels in scikit-learn, scaled to 28x28; 297 of them, chosen at random, are the test set.

    Raises:
        OptionError: scikit-learn is not installed.
    """
    try:
        load_digits = import_module("sklearn.datasets").load_digits
    except ImportError:
        hint = "pip install 'mochac[demo]', or --data DIR with MNIST's idx files"
        raise OptionError("the digits of the demo are in scikit-learn, which is not installed", hint=hint) from None
    digits = load_digits()
    images = scaled(digits.images / 16.0, SIDE)[:, None]
    labels = digits.target.astype(np.uint8)
    order = np.random.default_rng(SPLIT_SEED).permutation(len(images))
    test, train = order[:TEST_SAMPLES], order[TEST_SAMPLES:]
    source = f"{len(images)} handwritten digits of scikit-learn, scaled from 8x8 to {SIDE}x{SIDE}"
    return Digits(source, (images[train], labels[train]), (images[test], labels[test]))


def mnist_digits(folder: Path) -> Digits:
    """MNIST from its four idx files, plain or gzipped.

    Raises:
        DataError: a file is missing, damaged, or has unexpected content.
    """
    parts = [(_images(folder, f"{part}-images-idx3-ubyte"), _labels(folder, f"{part}-labels-idx1-ubyte"))
             for part in ("train", "t10k")]  # fmt: skip
    for images, labels in parts:
        if len(images) != len(labels):
            raise DataError(f"images and labels in {folder} differ in number", got=f"{len(images)} and {len(labels)}")
    return Digits(f"MNIST from {folder}", parts[0], parts[1])


def scaled(images: np.ndarray, side: int) -> np.ndarray:
    """(num, h, w) images scaled to (num, side, side), float32, by linear interpolation between centres of pixels.

    >>> scaled(np.array([[[0.0, 1.0], [0.0, 1.0]]]), 4)[0, 0].tolist()
    [0.0, 0.25, 0.75, 1.0]
    """
    rows, cols = _interpolation(images.shape[1], side), _interpolation(images.shape[2], side)
    return np.ascontiguousarray(rows @ images @ cols.T, np.float32)


def _interpolation(size: int, side: int) -> np.ndarray:
    """(side, size) weights of the pixels around each new centre; outside, pixels at the edge are repeated."""
    centre = np.clip((np.arange(side) + 0.5) * size / side - 0.5, 0, size - 1)
    return np.maximum(0.0, 1.0 - np.abs(centre[:, None] - np.arange(size)))


def _images(folder: Path, stem: str) -> np.ndarray:
    path = find_idx(folder, stem)
    images = read_idx(path)
    if images.shape[1:] != (SIDE, SIDE):
        raise DataError(f"{path} does not hold images", expected=f"(num, {SIDE}, {SIDE})", got=str(images.shape))
    return images[:, None].astype(np.float32) / np.float32(256)


def _labels(folder: Path, stem: str) -> np.ndarray:
    path = find_idx(folder, stem)
    labels = read_idx(path)
    if labels.ndim != 1 or (len(labels) and int(labels.max()) >= CLASSES):
        raise DataError(f"{path} does not hold labels", expected=f"numbers 0 to {CLASSES - 1}", got=str(labels.shape))
    return labels
