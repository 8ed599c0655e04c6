"""Reader of idx files, the format of MNIST: a big-endian header with type and extents, then the numbers.

Source: http://yann.lecun.com/exdb/mnist, "The IDX file format".
"""

from __future__ import annotations

import gzip
import math
from pathlib import Path
from typing import IO

import numpy as np

from mochac.base.errors import DataError
from mochac.base.files.reading import DEFLATE_RATIO, guarded, regular_size
from mochac.base.support.memory import fits

MOST_AXES = 32
"""Maximum axes of an array."""

_TYPES = {0x08: "u1", 0x09: "i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}


def read_idx(path: Path) -> np.ndarray:
    """The array in an idx file, plain or gzipped.

    Raises:
        DataError: unreadable, damaged, not an idx file, or larger than memory.
    """
    with guarded(lambda fault: DataError(f"cannot read {path}", got=fault.reason)):
        n_bytes = regular_size(path)
        with path.open("rb") as plain:
            packed = plain.read(2) == b"\x1f\x8b"
        with gzip.open(path) if packed else path.open("rb") as file:
            return _array(path, file, n_bytes * (DEFLATE_RATIO if packed else 1))


def _array(path: Path, file: IO[bytes] | gzip.GzipFile, most: int) -> np.ndarray:
    """The array; `most` is the number of bytes that the file can hold."""
    head = file.read(4)
    n_axes = head[3] if len(head) == 4 else 0
    extents = file.read(4 * n_axes)
    if len(head) < 4 or head[:2] != b"\0\0" or head[2] not in _TYPES or len(extents) < 4 * n_axes:
        raise DataError(f"{path} is not an idx file")
    if n_axes > MOST_AXES:
        raise DataError(f"{path} is damaged", expected=f"at most {MOST_AXES} axes", got=str(n_axes))
    shape = tuple(int(n) for n in np.frombuffer(extents, ">u4"))
    dtype = np.dtype(_TYPES[head[2]])
    expected = math.prod(shape) * dtype.itemsize
    if expected > most:
        raise DataError(f"{path} is damaged", expected=f"{expected:,} bytes of numbers", got=f"at most {most:,}")
    if not fits(expected):
        raise DataError(f"{path} does not fit into memory", got=f"{expected:,} bytes")
    numbers = file.read(expected + 1)
    if len(numbers) != expected:
        got = "more" if len(numbers) > expected else str(len(numbers))
        raise DataError(f"{path} is damaged", expected=f"{expected} bytes of numbers", got=got)
    return np.frombuffer(numbers, dtype).reshape(shape)


def find_idx(folder: Path, stem: str) -> Path:
    """The file `stem` in a folder, perhaps gzipped, or with a dot before "idx", as some archives have it.

    Raises:
        DataError: there is no such file.
    """
    names = [name + ending for name in (stem, stem.replace("-idx", ".idx")) for ending in ("", ".gz")]
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise DataError(f"no {stem}(.gz) in {folder}", hint="MNIST's four idx files are needed")
