"""Mean images from files of any kind: Caffe's .binaryproto, HDF5 with a data set `mean`, NumPy's .npy; HDF5 to write.

ImageClassifier, mochac.caffe and `mochac convert` call it. It knows files and arrays (channels, height, width).
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from mochac.caffe.files.binary import read_mean
from mochac.errors import SnapshotError
from mochac.runtime.files.atomic import write_hdf5
from mochac.runtime.files.hdf5_file import open_hdf5
from mochac.runtime.files.npy_file import read_npy
from mochac.runtime.files.reading import Fault


def load_mean(path: str | os.PathLike[str]) -> np.ndarray:
    """A mean image: .binaryproto (protobuf reads it), .npy, or HDF5 with a data set `mean`, as SubMean takes it.

    Returns:
        (channels, height, width) as stored, without ones in front.

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
    """Write (channels, height, width) as the data set `mean` (1, channels, height, width), as Mocha's tool does."""
    write_hdf5(Path(path), lambda file: file.create_dataset("mean", data=mean[None]))


def _hdf5(path: Path) -> np.ndarray:
    with open_hdf5(path, lambda fault: _refused(path, fault, "an HDF5 file")) as file:
        found = file.array("mean", kinds="fiub")
        if found is None:
            got = " ".join(file.names()) or "an empty file"
            raise SnapshotError(f"{path} has no data set 'mean'", expected="numbers", got=got)
        return found


def _refused(path: Path, fault: Fault, expected: str) -> SnapshotError:
    if fault.missing:
        return SnapshotError(f"no mean file {path}")
    return SnapshotError(f"cannot read the mean from {path}", expected=expected, got=str(fault))
