"""Reader of idx files, the format MNIST comes in: a big-endian header of type and extents, then the numbers.

The demo reads `--data DIR` with it. It knows no network.

Source: http://yann.lecun.com/exdb/mnist, "The IDX file format".
"""

from __future__ import annotations

import gzip
import math
import zlib
from pathlib import Path

import numpy as np

from mochac.errors import DataError

_TYPES = {0x08: "u1", 0x09: "i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}


def read_idx(path: Path) -> np.ndarray:
    """The array in an idx file, plain or gzipped.

    Raises:
        DataError: unreadable, damaged, or not an idx file.
    """
    try:
        raw = path.read_bytes()
        raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"cannot read {path}", got=getattr(error, "strerror", None) or str(error)) from None
    if len(raw) < 4 or raw[:2] != b"\0\0" or raw[2] not in _TYPES or len(raw) < 4 + 4 * raw[3]:
        raise DataError(f"{path} is not an idx file")
    shape = tuple(int(n) for n in np.frombuffer(raw, ">u4", raw[3], 4))
    dtype, start = np.dtype(_TYPES[raw[2]]), 4 + 4 * raw[3]
    expected = math.prod(shape) * dtype.itemsize
    if len(raw) - start != expected:
        raise DataError(f"{path} is damaged", expected=f"{expected} bytes of numbers", got=str(len(raw) - start))
    return np.frombuffer(raw, dtype, offset=start).reshape(shape)


def find_idx(folder: Path, stem: str) -> Path:
    """`stem` in a folder, also gzipped, also with a dot before "idx" as some archives unpack it.

    Raises:
        DataError: there is none.
    """
    names = [name + ending for name in (stem, stem.replace("-idx", ".idx")) for ending in ("", ".gz")]
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise DataError(f"no {stem}(.gz) in {folder}", hint="MNIST's four idx files are needed")
