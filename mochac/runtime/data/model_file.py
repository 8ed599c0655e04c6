"""Model files: parameters as HDF5 datasets `layer___param`, as Mocha's tools export them, as .npz archives or as
.safetensors. Caffe's files are read too.

Parameters are matched by layer name; as in Mocha, shapes are compared without ones at both ends.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base import rules
from mochac.base.errors import OptionError, SnapshotError
from mochac.base.files.array_files import (
    NPZ,
    SAFETENSORS,
    is_npz,
    is_safetensors,
    read_npz,
    read_safetensors,
    write_npz,
    write_safetensors,
)
from mochac.base.files.atomic import write_hdf5
from mochac.base.files.caffe_binary import DIVISOR, PLACES, SUMMED, averaged, is_caffemodel, read_caffemodel
from mochac.base.files.hdf5_file import Hdf5File, is_exact, naming, open_hdf5, refusal, refuse_jld
from mochac.base.files.reading import Fault
from mochac.base.registry import misspelt
from mochac.base.support.log import LOG, tell_once

Arrays = Mapping[str, np.ndarray]
"""Live arrays by "layer___param"."""

_HDF5 = (".h5", ".hdf5", "")
_PICKLES = (".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".bin")
_HINTS = {
    **dict.fromkeys(_PICKLES, "PyTorch reads .safetensors, too; .onnx has the net with its parameters"),
    ".caffemodel": "mochac.caffe.save_weights writes it",
    ".onnx": "program.save(path) writes a net with its parameters",
}
"""Hints about other endings: how to write such files, or which ending to use instead."""
_UNPICKLED = "safetensors.torch.save_file writes what is read; or program.load(torch.load(path, weights_only=True))"


def save_model(path: str | Path, parameters: Arrays) -> None:
    """Write parameters atomically, in the format that the file name's ending means.

    Raises:
        OptionError: an unknown ending. SnapshotError: the file cannot be written.
    """
    check_ending(path)
    if is_npz(target := Path(path)):
        write_npz(target, parameters)
    elif is_safetensors(target):
        write_safetensors(target, parameters)
    else:
        _write_hdf5(target, parameters)


def _write_hdf5(path: Path, arrays: Arrays) -> None:
    def write(file: Any) -> None:
        place = naming(file, arrays)
        for name, array in arrays.items():
            file.create_dataset(place(name), data=array)

    write_hdf5(path, write)


def check_ending(path: str | Path) -> None:
    """Raise OptionError unless save_model can write a file with this ending.

    >>> check_ending("net.pt")
    Traceback (most recent call last):
    mochac.base.errors.OptionError: save: cannot write '.pt' files
      expected  .h5, .hdf5, .npz, .safetensors or no ending,  got  net.pt
      hint: PyTorch reads .safetensors, too; .onnx has the net with its parameters
    """
    ending = _checked("save", path).suffix.lower()
    if ending in (*_HDF5, NPZ, SAFETENSORS) or Path(path).is_dir():
        return
    raise OptionError(
        f"save: cannot write {ending!r} files",
        expected=f"{', '.join([*_HDF5[:2], NPZ, SAFETENSORS])} or no ending",
        got=str(path),
        hint=_HINTS.get(ending, ""),
    )


def save_caffe_layout(path: str | Path, parameters: Arrays) -> None:
    """Write parameters atomically, in the layout of Caffe's HDF5 snapshots: data/<layer>/<number>.

    Raises:
        OptionError: another ending than HDF5's. SnapshotError: a parameter that Caffe does not have; the file cannot be
            written.
    """
    if _checked("save", path).suffix.lower() not in _HDF5:
        expected = f"{', '.join(_HDF5[:2])} or no ending"
        raise OptionError("save: Caffe's layout needs an HDF5 file", expected=expected, got=str(path))
    places = {name: name.rpartition("___") for name in parameters}
    for name, (_, _, param) in places.items():
        if param not in PLACES:
            raise SnapshotError(f"{name} has no place in a Caffe model", expected=", ".join(PLACES))
    named = {
        f"data/{layer}/{_written(layer, param, parameters)}": parameters[name]
        for name, (layer, _, param) in places.items()
    }
    divisors = {f"data/{layer}/{DIVISOR}": np.ones(1) for layer, _, param in places.values() if param in SUMMED}
    named |= divisors
    if not is_exact(list(named)):
        got = " ".join(dict.fromkeys(layer for layer, _, _ in places.values()))
        raise SnapshotError(f"{path}: Caffe's layout cannot hold the names of these layers", got=got)
    _write_hdf5(Path(path), named)


def _written(layer: str, param: str, parameters: Arrays) -> int:
    """The number of a parameter among the blobs of its layer: the last place that the other parameters leave it."""
    places = PLACES[param]
    return places[0] if len(places) == 1 or f"{layer}___scale" in parameters else places[-1]


def load_model(
    path: str | Path, parameters: Arrays, strict: bool = True, aliases: Mapping[str, Sequence[str]] | None = None
) -> dict[str, str]:
    """Read values into `parameters`, in place: all of them, or none if something is wrong. Returns where in the file
    each was found.

    Shapes are compared without ones at both ends; numbers are converted, with a warning if their type differs. A
    missing bias keeps its value, with a warning, and so does any other missing parameter unless `strict`. Datasets
    that no layer uses are ignored. If the file has no parameter of a name, the first of its `aliases` in the file is
    used: Mocha and Caffe name parameters after the layer, whatever its param_key. NaN and infinities are read, with a
    warning, so that a model that diverged can be inspected, though not trained. A snapshot is a model file too, and so
    are Caffe's .caffemodel and .caffemodel.h5.

    Raises:
        SnapshotError: no such file, damaged, another shape, or a parameter is missing.
    """
    if os.path.isdir(_checked("load", path)):
        raise SnapshotError(f"model file {path} is a folder")
    if Path(path).suffix.lower() in _PICKLES:
        rule = f"model file {path} is by its ending a pickle, a program that makes objects: it is not run"
        raise SnapshotError(rule, expected=".h5, .hdf5, .npz or .safetensors", hint=_UNPICKLED)
    shapes = {name: array.shape for name, array in parameters.items()}
    wanted = {name: [name, *(aliases or {}).get(name, ())] for name in parameters}
    read, places, known = _read_wanted(Path(path), wanted, shapes)
    for name in parameters:
        if name not in read:
            _missing(path, name, known, strict)
    values = {
        name: fitted(path, name, value, parameters[name].shape, parameters[name].dtype) for name, value in read.items()
    }
    for name, value in values.items():
        parameters[name][...] = value
    return {name: places[name] for name in read}


def read_model(path: str | Path) -> dict[str, np.ndarray]:
    """All parameters of a model file by "layer___param": HDF5 in Mocha's or Caffe's layout, .npz, .safetensors, or
    .caffemodel.

    Raises:
        SnapshotError: no such file, damaged, or without parameters.
    """
    if os.path.isdir(_checked("read", path)):
        raise SnapshotError(f"model file {path} is a folder")
    if is_caffemodel(Path(path)):
        return read_caffemodel(path)
    if is_archive(Path(path)):
        parameters = read_archive(path)
    else:
        refuse_jld(path)
        with _opened(path) as file:
            places = {name: _place(file, name) for name in _names(file)}
            _tell_unsealed(path, file, places.values())
            parameters = {name: _read(path, file, name, place) for name, place in places.items() if place}
    if not parameters:
        raise SnapshotError(f"model file {path} holds no parameters", expected="datasets layer___param")
    return parameters


def _read_wanted(
    path: Path, wanted: Mapping[str, Iterable[str]], shapes: Mapping[str, tuple[int, ...]]
) -> tuple[dict[str, np.ndarray], dict[str, str], list[str]]:
    """The wanted parameters that the file has under one of their names, their places in the file, and the names of all
    that it has."""
    if is_caffemodel(path):
        return _chosen(read_caffemodel(path), wanted)
    if is_archive(path):
        return _chosen(read_archive(path), wanted)
    refuse_jld(path)
    with _opened(path) as file:
        places = {name: next(filter(None, (_place(file, n) for n in names)), "") for name, names in wanted.items()}
        for name, place in places.items():
            if place:  # nothing is read if it does not fit
                _check_shape(path, name, file.dataset(place).shape or (), shapes[name])
        _tell_unsealed(path, file, places.values())
        found = {name: _read(path, file, name, place) for name, place in places.items() if place}
        return found, places, _names(file)


def is_archive(path: Path) -> bool:
    """Whether it is a file that is read as a whole."""
    return is_npz(path) or is_safetensors(path)


def read_archive(path: str | Path) -> dict[str, np.ndarray]:
    """All arrays of a .npz or .safetensors file.

    Raises:
        SnapshotError: no such file, or damaged.
    """
    if is_npz(Path(path)):
        return read_npz(path, lambda fault: _refused(path, fault, "an archive of arrays"))
    return read_safetensors(path, lambda fault: _refused(path, fault, "a safetensors file"))


def _chosen(
    arrays: Arrays, wanted: Mapping[str, Iterable[str]]
) -> tuple[dict[str, np.ndarray], dict[str, str], list[str]]:
    """As _read_wanted, for the arrays of a file that is read as a whole."""
    present = {name: next((n for n in names if n in arrays), "") for name, names in wanted.items()}
    return {name: arrays[n] for name, n in present.items() if n}, present, list(arrays)


def _opened(path: str | Path) -> AbstractContextManager[Hdf5File]:
    return open_hdf5(path, lambda fault: _refused(path, fault))


def _tell_unsealed(path: str | Path, file: Hdf5File, places: Iterable[str]) -> None:
    """Log that there is no checksum, except for files in Caffe's layout, which never have one."""
    if not file.sealed and any("___" in place for place in places):
        tell_once(f"model file {path} has no checksum: damage to it would not be noticed")


def _refused(path: str | Path, fault: Fault, kind: str = "HDF5") -> SnapshotError:
    return refusal("model file", path, fault, f"is damaged or not {kind}")


def _place(file: Hdf5File, name: str) -> str:
    """The place of a parameter: `layer___param`, or data/<layer>/<number> as in Caffe's HDF5 snapshots; or ""."""
    layer, _, param = name.rpartition("___")
    places = (file.place_of(name), *(f"data/{layer}/{k}" for k in PLACES.get(param, ())))
    return next((place for place in places if file.dataset(place) is not None), "")


def _names(file: Hdf5File) -> list[str]:
    """Names of all parameters. Names of layers may contain slashes, which are groups to HDF5."""
    paths = file.names()
    flat = [file.name_of(path) for path in paths if "___" in path]
    kept = [path.split("/", 1)[1].rpartition("/") for path in paths if path.startswith("data/")]
    known = {layer: _blobs(file, layer) for layer, _, _ in kept}
    named = [(layer, known[layer][int(n)]) for layer, _, n in kept if n.isdigit() and int(n) < len(known[layer])]
    return flat or [f"{layer}___{param}" for layer, param in named]


def _blobs(file: Hdf5File, layer: str) -> tuple[str, ...]:
    """The parameters that the blobs of a layer hold in Caffe's layout, which does not state the type of the layer; ()
    if it is not clear."""
    first = file.dataset(f"data/{layer}/0")
    axes, count = 0 if first is None else first.ndim, sum(f"data/{layer}/{k}" in file.names() for k in range(3))
    if axes == 1:
        return {2: ("scale", "shift"), 3: SUMMED}.get(count, ())
    return {0: ()}.get(axes, ("weight" if axes == 2 else "filter", "bias"))


def _checked(what: str, path: str | Path) -> Path:
    return Path(rules.path().check("path", path, what))


def _read(path: str | Path, file: Hdf5File, name: str, place: str) -> np.ndarray:
    """An array; for statistics that Caffe's layout holds as a sum, their mean."""
    array = file.array(place)
    if array is None:
        raise SnapshotError(f"model file {path}: {place} is not an array of numbers")
    divisor = f"{place.rpartition('/')[0]}/{DIVISOR}"
    summed = name.rpartition("___")[2] in SUMMED and place.startswith("data/") and file.dataset(divisor) is not None
    return averaged(array, _read(path, file, "", divisor)) if summed else array


def _missing(path: str | Path, name: str, known: list[str], strict: bool) -> None:
    layer, _, parameter = name.rpartition("___")
    if strict and parameter != "bias":
        hint = misspelt(name, known) or "load(path, strict=False) keeps what is missing"
        raise SnapshotError(f"model file {path} has no parameter {parameter!r} for layer {layer!r}", hint=hint)
    LOG.warning("model file %s has no parameter %r for layer %r: its value is kept", path, parameter, layer)


def fitted(path: str | Path, name: str, value: np.ndarray, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """A parameter from a model file, with the shape of the net's; ones at both ends of a shape do not count.

    Raises:
        SnapshotError: it has another shape.
    """
    _check_shape(path, name, value.shape, shape)
    if not np.isfinite(value).all():
        LOG.warning("model file %s: %s holds NaN or infinities", path, name)
    if value.dtype != dtype:
        LOG.warning("model file %s: %s is converted from %s to %s", path, name, value.dtype, dtype)
    return value.reshape(shape)


def _check_shape(path: str | Path, name: str, shape: tuple[int, ...], wanted: tuple[int, ...]) -> None:
    if not same_extents(shape, wanted):
        raise SnapshotError(f"model file {path}: {name} has another shape", expected=str(wanted), got=str(shape))


def same_extents(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Whether two shapes are equal apart from ones at both ends.

    >>> same_extents((1, 1, 500, 800), (500, 800)), same_extents((800, 500), (500, 800))
    (True, False)
    """
    return _stripped(a) == _stripped(b)


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
