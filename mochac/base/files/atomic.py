"""Atomic writing: a file is complete or not there at all, and HDF5 files end in a checksum that reveals damage.

Snapshots, models and statistics are written by `write_hdf5`: composed in memory, written to a part (part.py), flushed
to disk, then renamed over the old file.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Any

from mochac.base.errors import SnapshotError
from mochac.base.files.part import Part, sweep
from mochac.base.files.reading import guarded, regular_size

SEALED = "mochac_sealed"
"""Attribute of files written by write_hdf5: if such a file has no checksum, its end is missing."""

_SEAL = b"\nmochac seal "
_DIGEST_BYTES = 16
_BLOCK_BYTES = 1 << 20


def write_hdf5(path: Path, write: Callable[[Any], None]) -> None:
    """Create or replace `path` with what `write(file)` puts into a new HDF5 file.

    Whatever happens (a full disk, missing permission, a kill at any time), an older file at `path` is unchanged until
    the new one is complete on disk. HDF5 composes the file in memory, so it never has to handle a full disk. A checksum
    is appended after the end of the HDF5 file, where HDF5 does not look (see `is_intact`); the attribute SEALED records
    that there is one.

    Raises:
        SnapshotError: the file cannot be written, or HDF5 has no form for what it should hold; nothing is left behind.
    """
    with guarded(lambda fault: SnapshotError(f"cannot write {path}", got=fault.reason)):
        image = _compose(write)
    write_bytes(path, image, _SEAL + _digest(image))


def write_bytes(path: Path, *content: bytes | memoryview) -> None:
    """Create or replace `path` with the pieces of `content`, one after the other; see write_hdf5.

    Raises:
        SnapshotError: the file cannot be written; nothing is left behind.
    """
    try:
        part = Part(path)
        try:
            for piece in content:
                _write_all(part.file, piece)
            part.finish()
        finally:
            part.discard()
    except (OSError, ValueError) as error:  # a name with a zero byte
        raise SnapshotError(f"cannot write {path}", got=reason(error)) from None


def is_intact(path: Path) -> bool | None:
    """Whether a file agrees with its checksum; None if it has none (or was cut short).

    The file is read block by block; without a checksum, only its end is read.

    Raises:
        OSError: it cannot be read, or is not a regular file.
    """
    n_seal = len(_SEAL) + _DIGEST_BYTES
    n_body = regular_size(path) - n_seal
    if n_body < 0:
        return None
    with path.open("rb") as file:
        file.seek(n_body)
        seal = file.read(n_seal)
        if not seal.startswith(_SEAL):
            return None
        file.seek(0)
        actual = hashlib.blake2b(digest_size=_DIGEST_BYTES)
        while n_body > 0 and (block := file.read(min(n_body, _BLOCK_BYTES))):
            actual.update(block)
            n_body -= len(block)
    return seal.endswith(actual.digest())


def check_output(path: str | os.PathLike[str]) -> None:
    """Check that a file can be written at `path`, before a long computation of what it will hold; creates its folder.

    Raises:
        SnapshotError: it cannot.
    """
    try:
        Part(Path(path)).discard()
    except (OSError, ValueError) as error:
        raise SnapshotError(f"cannot write {path}", got=reason(error)) from None


def check_writable(folder: Path) -> None:
    """Create `folder`, check that files can be created in it, and remove what killed writers left there; raises
    SnapshotError."""
    try:
        sweep(folder)
        Part(folder / ".mochac-probe").discard()
    except (OSError, ValueError) as error:
        raise SnapshotError(f"cannot write into folder {folder}", got=reason(error)) from None


def reason(error: Exception) -> str:
    """The reason that the operating system gives."""
    return getattr(error, "strerror", None) or str(error)


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES).digest()


def _compose(write: Callable[[Any], None]) -> bytes:
    import h5py

    name = secrets.token_hex(8)  # to HDF5, two open files of one name are one file, even in memory
    with h5py.File(name, "w", driver="core", backing_store=False) as file:
        write(file)
        file.attrs[SEALED] = 1
        file.flush()
        return file.id.get_file_image()


def _write_all(file: FileIO, content: bytes | memoryview) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[file.write(rest) :]
