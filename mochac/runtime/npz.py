"""Models as NumPy's .npz archives: one array a parameter, under the same names as in HDF5.

runtime/model_file.py calls it. Nothing in an archive is unpickled. It knows arrays by name and nothing of nets.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np

from mochac.errors import SnapshotError
from mochac.runtime.atomic import write_bytes

ENDING = ".npz"
_MEMBER = ".npy"


def is_npz(path: Path) -> bool:
    """Whether a file's name says that it is an archive of arrays."""
    return path.suffix.lower() == ENDING


def write_npz(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Create or replace `path`, whole or not at all; raises SnapshotError."""
    made = io.BytesIO()
    with ZipFile(made, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}{_MEMBER}", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)
    write_bytes(path, made.getvalue())


def names_in_npz(path: Path) -> list[str]:
    """The names of all arrays; raises SnapshotError."""
    with _Archive(path) as archive:
        return [name.removesuffix(_MEMBER) for name in archive.namelist() if name.endswith(_MEMBER)]


def read_npz(path: Path, names: Iterable[str]) -> dict[str, np.ndarray]:
    """These arrays, which are there.

    Raises:
        SnapshotError: no such file, or damaged: each array has a checksum.
    """
    with _Archive(path) as archive:
        return {name: _array(archive, name) for name in names}


class _Archive:
    """An open archive; whatever damage makes of zipfile's and NumPy's own errors is one SnapshotError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: ZipFile | None = None

    def __enter__(self) -> ZipFile:
        try:
            self._file = ZipFile(self._path)
        except Exception as error:
            raise self._error(error) from None
        return self._file

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if self._file is not None:
            self._file.close()
        if isinstance(error, Exception):
            raise self._error(error) from None

    def _error(self, error: Exception) -> SnapshotError:
        if isinstance(error, FileNotFoundError):
            return SnapshotError(f"no model file {self._path}")
        got = str(error) or type(error).__name__
        return SnapshotError(f"model file {self._path} is damaged or not an archive of arrays", got=got)


def _array(archive: ZipFile, name: str) -> np.ndarray:
    """One array. Its header is believed only where the archive has as many bytes as it says."""
    member = f"{name}{_MEMBER}"
    content = io.BytesIO(archive.read(member))
    version = np.lib.format.read_magic(content)
    header: Any = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, dtype = header(content)
    left = len(content.getbuffer()) - content.tell()
    wanted = dtype.itemsize
    for extent in shape:
        wanted *= extent
    if dtype.hasobject or wanted != left:
        raise ValueError(f"{name}: {left} bytes of {dtype} are no array of shape {shape}")
    content.seek(0)
    return np.lib.format.read_array(content, allow_pickle=False)
