"""Mean images: read from Caffe's .binaryproto, from HDF5 with a dataset `mean`, or from .npy; written as HDF5."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from mochac.base.errors import SnapshotError
from mochac.base.files.atomic import write_hdf5
from mochac.base.files.caffe.binary import read_mean
from mochac.base.files.hdf5_file import open_hdf5
from mochac.base.files.npy_file import read_npy
from mochac.base.files.reading import Fault


def load_mean(path: str | os.PathLike[str]) -> np.ndarray:
    """A mean image from .binaryproto (which needs protobuf), .npy, or HDF5 with a dataset `mean`.

    Returns:
        (channels, height, width), without leading axes of extent 1.

    Raises:
        SnapshotError: it cannot be read. OptionError: protobuf is not installed.
    """
    file = Path(path)
    if file.suffix == ".binaryproto":
        return read_mean(file)
    npy = file.suffix == ".npy"
    mean = read_npy(file, lambda fault: _refused(file, fault, "a .npy file")) if npy else _hdf5(file)
    while mean.ndim > 3 and len(mean) == 1:
        mean = mean[0]
    return mean


def save_mean_hdf5(path: str | os.PathLike[str], mean: np.ndarray) -> None:
    """Write (channels, height, width) as the dataset `mean` (1, channels, height, width), as Mocha's tool does."""
    write_hdf5(Path(path), lambda file: file.create_dataset("mean", data=mean[None]))


def _hdf5(path: Path) -> np.ndarray:
    with open_hdf5(path, lambda fault: _refused(path, fault, "an HDF5 file")) as file:
        mean = file.array("mean", kinds="fiub")
        if mean is None:
            got = " ".join(file.names()) or "an empty file"
            raise SnapshotError(f"{path} has no dataset 'mean'", expected="numbers", got=got)
        return mean


def _refused(path: Path, fault: Fault, expected: str) -> SnapshotError:
    if fault.missing:
        return SnapshotError(f"no mean file {path}")
    return SnapshotError(f"cannot read the mean from {path}", expected=expected, got=str(fault))
