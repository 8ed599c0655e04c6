"""NumPy's .npy and .npz files, read without pickles, and without allocating more than a file can hold.

Means, models and the inputs of dumps can be such files.
"""

from __future__ import annotations

import io
import math
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from mochac.base.files.atomic import write_bytes
from mochac.base.files.reading import DEFLATE_RATIO, Fault, Refuse, guarded, read_bytes
from mochac.base.support.memory import fits

ENDING = ".npz"


def is_npz(path: Path) -> bool:
    """Whether a file name ends in .npz."""
    return path.suffix.lower() == ENDING


def write_npz(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Create or replace `path` atomically; raises SnapshotError."""
    write_bytes(path, packed(arrays))


def packed(arrays: Mapping[str, np.ndarray]) -> memoryview:
    """The content of a .npz file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)
    return buffer.getbuffer()


def read_npy(path: str | os.PathLike[str], refuse: Refuse) -> np.ndarray:
    """The array in a .npy file.

    Raises:
        the error that refuse() makes: no such file, or it does not hold an array of numbers.
    """
    with guarded(refuse):
        return _array(read_bytes(path))


def read_npz(path: str | os.PathLike[str], refuse: Refuse) -> dict[str, np.ndarray]:
    """The arrays of a .npz file by name.

    Raises:
        the error that refuse() makes: no such file, not .npz, or something in it is not an array of numbers.
    """
    with guarded(refuse):
        content = read_bytes(path)
        archive = zipfile.ZipFile(io.BytesIO(content))
    members = archive.infolist()
    stated, most = sum(m.file_size for m in members), DEFLATE_RATIO * len(content)
    if stated > most or not fits(stated):
        raise refuse(Fault(f"it states {stated:,} bytes, more than the file can hold, or memory"))
    arrays: dict[str, np.ndarray] = {}
    for member in members:
        name = member.filename.removesuffix(".npy")
        with guarded(refuse, f"array {name!r}"):
            arrays[name] = _array(archive.read(member))
    return arrays


def _array(content: bytes) -> np.ndarray:
    """The array in a .npy file: exactly as many numbers as its header states; no objects, texts, records or complex."""
    file = io.BytesIO(content)
    version = np.lib.format.read_magic(file)
    header = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    if version not in header:
        raise ValueError(f"version {version[0]}.{version[1]} of the format is not known")
    shape, by_columns, dtype = header[version](file)
    if dtype.kind not in "fiub":
        raise ValueError(f"it holds {dtype}, not numbers")
    n_bytes, actual = math.prod(shape) * dtype.itemsize, len(content) - file.tell()
    if n_bytes != actual:
        raise ValueError(f"it states {n_bytes:,} bytes of numbers and has {actual:,}")
    flat = np.frombuffer(content, dtype, offset=file.tell())
    return flat.reshape(shape, order="F" if by_columns else "C").copy()
