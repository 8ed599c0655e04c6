"""Mean images from files of any kind: Caffe's .binaryproto, HDF5 with a data set `mean`, NumPy's .npy; HDF5 to write.

ImageClassifier, mochac.caffe and `mochac convert` call it. It knows files and arrays (channels, height, width).
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from mochac.errors import SnapshotError
from mochac.runtime.atomic import write_hdf5
from mochac.runtime.caffe.files import read_mean


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
    mean = _npy(file) if file.suffix == ".npy" else _hdf5(file)
    while mean.ndim > 3 and len(mean) == 1:
        mean = mean[0]
    return mean


def save_mean_hdf5(path: str | os.PathLike[str], mean: np.ndarray) -> None:
    """Write (channels, height, width) as the data set `mean` (1, channels, height, width), as Mocha's tool does."""
    write_hdf5(Path(path), lambda file: file.create_dataset("mean", data=mean[None]))


def _npy(path: Path) -> np.ndarray:
    try:
        return np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise SnapshotError(f"cannot read the mean from {path}", got=str(error)) from None


def _hdf5(path: Path) -> np.ndarray:
    import h5py

    try:
        with h5py.File(path, "r") as file:
            found = file.get("mean")
            if not isinstance(found, h5py.Dataset) or found.dtype.kind not in "fiu":
                raise SnapshotError(f"{path} has no data set 'mean'", got=" ".join(file) or "an empty file")
            return found[...]
    except OSError as error:
        raise SnapshotError(f"cannot read the mean from {path}", got=str(error)) from None
