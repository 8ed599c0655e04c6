"""Writing an HDF5 file so that it is there whole or not at all.

Snapshots, models and statistics are written through `write_hdf5`: composed in memory, written to a temporary file in
the same folder, flushed to the disk, then renamed over the old one. It knows nothing of what is written.
"""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mochac.errors import SnapshotError
from mochac.runtime.reading import regular_size

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
        SnapshotError: the folder or the disk refuses; the temporary file is removed.
    """
    if path.is_dir():
        raise SnapshotError(f"cannot write {path}", got="Is a directory")
    image = _compose(path.name, write)
    write_bytes(path, image + _SEAL + _digest(image))


def write_bytes(path: Path, content: bytes) -> None:
    """Create or replace `path` by `content`; see write_hdf5.

    Raises:
        SnapshotError: the folder or the disk refuses; the temporary file is removed.
    """
    if path.is_dir():
        raise SnapshotError(f"cannot write {path}", got="Is a directory")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        if path.exists() and not path.is_file():  # root could replace /dev/null
            raise OSError(errno.EEXIST, "not a regular file")
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_all(part, content)
        os.replace(part, path)
        _sync(path.parent)
    except OSError as error:
        raise SnapshotError(f"cannot write {path}", got=_reason(error)) from None
    finally:
        _remove(part)


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
    """Make `folder` and see that files can be created there; raises SnapshotError."""
    probe = folder / f".mochac-{os.getpid()}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write_all(probe, b"")
    except OSError as error:
        raise SnapshotError(f"cannot write into folder {folder}", got=_reason(error)) from None
    finally:
        _remove(probe)


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES).digest()


def _compose(name: str, write: Callable[[Any], None]) -> bytes:
    import h5py

    with h5py.File(name, "w", driver="core", backing_store=False) as file:
        write(file)
        file.attrs[SEALED] = 1
        file.flush()
        return file.id.get_file_image()


def _write_all(path: Path, content: bytes) -> None:
    with open(path, "wb", buffering=0) as file:
        rest = memoryview(content)
        while rest:
            rest = rest[file.write(rest) :]
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """Make the rename itself durable, where folders can be opened."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except OSError:  # renamed, never made, or out of reach: nothing to tidy
        pass


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
