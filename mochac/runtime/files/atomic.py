"""Writing a file so that it is there whole or not at all, and HDF5 files with a seal by which damage is noticed.

Snapshots, models and statistics are written through `write_hdf5`: composed in memory, written to a part (part.py),
flushed to the disk, then renamed over the old one. It knows nothing of what is written.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Any

from mochac.errors import SnapshotError
from mochac.runtime.files.part import Part, sweep
from mochac.runtime.files.reading import regular_size

SEALED = "mochac_sealed"
"""Attribute of the files that write_hdf5 has made: one without a seal has lost its end."""

_SEAL = b"\nmochac seal "
_DIGEST_BYTES = 16
_BLOCK_BYTES = 1 << 20


def write_hdf5(path: Path, write: Callable[[Any], None]) -> None:
    """Create or replace `path` by what `write(file)` puts into a new HDF5 file.

    Whatever happens (no space, no permission, a kill at any instant), an older file at `path` stays as it was until the
    new one is complete on disk. HDF5 itself never meets a full disk: it composes the file in memory. A checksum follows
    the file's own end, where HDF5 does not look (see `is_intact`), and the attribute SEALED says that there is one.

    Raises:
        SnapshotError: the folder or the disk refuses; the part is removed.
    """
    image = _compose(write)
    write_bytes(path, image, _SEAL + _digest(image))


def write_bytes(path: Path, *content: bytes | memoryview) -> None:
    """Create or replace `path` by `content`, one piece after the other; see write_hdf5.

    Raises:
        SnapshotError: the folder or the disk refuses; the part is removed.
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
    """Whether every byte of a sealed file is as it was written; None for a file without a seal (or cut short).

    Only as much is read at a time as fits into a buffer, and nothing but the end where there is no seal.

    Raises:
        OSError: it cannot be read, or is no regular file.
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
        found = hashlib.blake2b(digest_size=_DIGEST_BYTES)
        while n_body > 0 and (block := file.read(min(n_body, _BLOCK_BYTES))):
            found.update(block)
            n_body -= len(block)
    return seal.endswith(found.digest())


def check_writable(folder: Path) -> None:
    """Make `folder`, see that files can be created there, and remove what killed writers left; raises SnapshotError."""
    try:
        sweep(folder)
        Part(folder / ".mochac-probe").discard()
    except (OSError, ValueError) as error:
        raise SnapshotError(f"cannot write into folder {folder}", got=reason(error)) from None


def reason(error: Exception) -> str:
    """Why the system refused, in its words."""
    return getattr(error, "strerror", None) or str(error)


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES).digest()


def _compose(write: Callable[[Any], None]) -> bytes:
    import h5py

    name = secrets.token_hex(8)  # two open files of one name are one file to HDF5, even where there is none on disk
    with h5py.File(name, "w", driver="core", backing_store=False) as file:
        write(file)
        file.attrs[SEALED] = 1
        file.flush()
        return file.id.get_file_image()


def _write_all(file: FileIO, content: bytes | memoryview) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[file.write(rest) :]
