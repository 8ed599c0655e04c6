"""Model files: parameters as HDF5 data sets `layer___param`, the format that Caffe and Mocha export.

program.save and program.load end here. Values are matched by layer name, extents by ignoring ones at both ends, as
Mocha does. It knows parameters as arrays and nothing of nets.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mochac.errors import OptionError, SnapshotError
from mochac.registry import did_you_mean
from mochac.runtime.atomic import write_hdf5
from mochac.runtime.log import LOG

Arrays = Mapping[str, np.ndarray]
"""Live arrays by "layer___param"."""


def save_model(path: str | Path, parameters: Arrays) -> None:
    """Write parameters atomically; raises SnapshotError."""

    def write(file: Any) -> None:
        for name, array in parameters.items():
            file.create_dataset(name, data=array)

    write_hdf5(_checked("save", path), write)


def load_model(path: str | Path, parameters: Arrays, strict: bool = True) -> None:
    """Read values into `parameters`, in place; all of them, or none when something is wrong.

    Extents are compared without ones at both ends; numbers are converted (with a warning when their type differs). A
    missing bias keeps its value with a warning, and so does any other missing parameter unless `strict`. Data sets that
    no layer asks for are ignored. A snapshot is a model file too.

    Raises:
        SnapshotError: no such file, damaged, another shape, or a parameter missing.
    """
    import h5py

    if _checked("load", path).is_dir():
        raise SnapshotError(f"model file {path} is a folder")
    try:
        with h5py.File(path, "r") as file:
            found = {name: _read(file, name) for name in parameters if name in file}
            known = list(file)
    except FileNotFoundError:
        raise SnapshotError(f"no model file {path}") from None
    except (OSError, RuntimeError) as error:
        raise SnapshotError(f"model file {path} is damaged or not HDF5", got=str(error)) from None
    for name in parameters:
        if name not in found:
            _missing(path, name, known, strict)
    fitted = {name: _fitted(path, name, value, parameters[name]) for name, value in found.items()}
    for name, value in fitted.items():
        parameters[name][...] = value


def _checked(what: str, path: str | Path) -> Path:
    if not isinstance(path, (str, os.PathLike)):
        raise OptionError(f"{what}: not a path", expected="a file name", got=repr(path))
    return Path(path)


def _read(file: Any, name: str) -> np.ndarray:
    item = file[name]
    if not hasattr(item, "dtype") or item.dtype.kind not in "fiu":
        raise SnapshotError(f"model file {file.filename}: {name} is not an array of numbers")
    return item[...]


def _missing(path: str | Path, name: str, known: list[str], strict: bool) -> None:
    layer, _, parameter = name.rpartition("___")
    if strict and parameter != "bias":
        hint = did_you_mean(name, known).removeprefix("; ") or "load(path, strict=False) keeps what is missing"
        raise SnapshotError(f"model file {path} has no parameter {parameter!r} for layer {layer!r}", hint=hint)
    LOG.warning("model file %s has no parameter %r for layer %r: kept as it is", path, parameter, layer)


def _fitted(path: str | Path, name: str, value: np.ndarray, target: np.ndarray) -> np.ndarray:
    if _stripped(value.shape) != _stripped(target.shape):
        raise SnapshotError(
            f"model file {path}: {name} has another shape", expected=str(target.shape), got=str(value.shape)
        )
    if value.dtype != target.dtype:
        LOG.warning("model file %s: %s is converted from %s to %s", path, name, value.dtype, target.dtype)
    return value.reshape(target.shape)


def _stripped(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Without ones at both ends.

    >>> _stripped((1, 1, 500, 1, 800, 1))
    (500, 1, 800)
    """
    extents = list(shape)
    while extents and extents[0] == 1:
        extents.pop(0)
    while extents and extents[-1] == 1:
        extents.pop()
    return tuple(extents)
