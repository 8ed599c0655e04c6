"""Atomic writing: a file is complete or not there at all, and HDF5 files end in a checksum that reveals damage.

`write_hdf5` composes snapshots, models and statistics in memory, writes them to a TempFile, flushes it to disk, and
renames it over the old file. Writers of larger files (hdf5_stream.py, runtime/data/outputs.py) use a TempFile directly.
A writer locks its TempFile, so that the next writer in the folder can remove those of killed processes, and no others.
A training also locks its snapshot folders and its statistics file. Locks are advisory; the operating system releases
them when their owner ends, for whatever reason.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import re
import secrets
import socket
import stat
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from io import FileIO
from pathlib import Path
from typing import Any

from mochac.base.errors import SnapshotError
from mochac.base.files.reading import guarded, regular_size


def try_lock(descriptor: int, *, exclusive: bool) -> bool | None:
    """Lock an open file without waiting: True if it is now locked, False if another process holds the lock, None if the
    file system has no locks."""
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # NFS may say either
        return False
    except OSError:
        return None
    return True


def is_named(descriptor: int, path: Path) -> bool:
    """Whether `path` is still the open file, and has not been removed or replaced."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except OSError:
        return False


class FileLock:
    """A lock in a file of its own, held until release(), the end of the process, or the end of this object.

    A forked child does not hold it. On a file system without locks, nothing is locked and nothing refused.

    Args:
        path: the lock file, in a folder that exists. The file exists while the lock is held, or after a kill.
        what: what the holder does, for the message: "another training writes into snaps".

    Raises:
        SnapshotError: another process (named in the message, with its host) holds it, or the file cannot be created.
    """

    def __init__(self, path: Path, what: str) -> None:
        try:
            self._descriptor = _locked(path, what)
        except OSError as error:
            raise SnapshotError(f"cannot make {path}", got=error.strerror or str(error)) from None
        self.release = weakref.finalize(self, _release, self._descriptor, path)
        _locks.add(self)

    def __enter__(self) -> FileLock:
        return self

    def __exit__(self, *exc: object) -> None:
        self.release()

    def forget(self) -> None:
        """Close the descriptor, and leave the lock to the process that this one was forked from."""
        if self.release.detach():
            _close(self._descriptor)


_locks: weakref.WeakSet[FileLock] = weakref.WeakSet()


def _forget_all() -> None:
    for lock in list(_locks):
        lock.forget()


os.register_at_fork(after_in_child=_forget_all)


def _locked(path: Path, what: str) -> int:
    while True:
        descriptor = _opened(path)
        if try_lock(descriptor, exclusive=True) is False:
            owner = os.pread(descriptor, 200, 0).decode(errors="replace").strip()
            _close(descriptor)
            hint = "end the other training, or give each a folder of its own"
            if owner == _self():
                hint = "it is one of this process: solver.finalize() ends it; or give each a folder of its own"
            raise SnapshotError(what, got=owner, hint=hint)
        if is_named(descriptor, path):
            _sign(descriptor)
            return descriptor
        _close(descriptor)  # its holder has just released it and removed the file


def _opened(path: Path) -> int:
    """The lock file, but not a link to another file nor a pipe, which somebody may have put there."""
    plain = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | plain, 0o666)
    except PermissionError:  # it belongs to another user, but can be locked
        descriptor = os.open(path, os.O_RDONLY | plain)
    status = os.fstat(descriptor)
    if stat.S_ISREG(status.st_mode) and status.st_nlink <= 1:  # 0: its holder has just removed it
        return descriptor
    _close(descriptor)
    raise OSError(errno.EEXIST, "not a regular file, or one with other names")


def _sign(descriptor: int) -> None:
    """Write who holds the lock into the file; not possible on a full disk."""
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{_self()}\n".encode(), 0)
    except OSError:
        pass


def _self() -> str:
    return f"process {os.getpid()} on {socket.gethostname()}"


def _release(descriptor: int, path: Path) -> None:
    try:
        if is_named(descriptor, path):  # not a new one, created after the folder of this one was removed
            path.unlink()
    except OSError:  # it belongs to another user
        pass
    _close(descriptor)


def _close(descriptor: int) -> None:
    """Close a lock file. This releases the lock even if the disk fails; the file's content is not needed."""
    with suppress(OSError):
        os.close(descriptor)


_NAME = re.compile(r"\.mochac-([0-9a-f]{8})-[0-9a-f]{16}\.part")
LIFE_S = 24 * 3600
"""Where locks are not reliable, a temporary file is removed after this time without a write."""


class TempFile:
    """A new file in the folder of `target`, which is created if missing; finish() or discard() ends it.

    Attributes:
        file: open for reading and writing, unbuffered.

    Raises:
        OSError: it cannot be created, or `target` is not a regular file (root could replace /dev/null).
    """

    def __init__(self, target: Path) -> None:
        if target.exists() and not target.is_file():
            raise OSError(errno.EEXIST, "Is a directory" if target.is_dir() else "not a regular file")
        target.parent.mkdir(parents=True, exist_ok=True)
        _sweep_once(target.parent)
        self.target = target
        self._path, self.file = _new_file(target.parent)

    def finish(self) -> None:
        """Rename it to the target; the target survives a power failure from then on.

        Raises:
            OSError: that failed; the target is unchanged.
        """
        os.fsync(self.file.fileno())
        os.replace(self._path, self.target)
        self.file.close()
        _sync(self.target.parent)

    def discard(self) -> None:
        """Remove the file unless it is finished. Errors of the disk are ignored."""
        with suppress(OSError):  # finished, or the folder is gone
            self._path.unlink()
        with suppress(OSError):
            self.file.close()


_swept: set[tuple[int, int]] = set()
"""Folders already swept, by device and inode, since a folder with many files takes long to list."""


def _sweep_once(folder: Path) -> None:
    status = os.stat(folder)
    if (place := (status.st_dev, status.st_ino)) not in _swept:
        _swept.add(place)
        sweep(folder)


def sweep(folder: Path) -> None:
    """Remove temporary files whose writers have ended.

    One that is not locked is abandoned, if this machine created it. Network file systems may keep locks local to a
    machine, or have none, so one created on another machine must also be old.
    """
    try:
        with os.scandir(folder) as entries:
            found = [(Path(e.path), match[1]) for e in entries if (match := _NAME.fullmatch(e.name))]
    except OSError:
        return
    for path, machine in found:
        _remove_abandoned(path, machine)


def _remove_abandoned(path: Path, machine: str) -> None:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:  # finished or removed meanwhile, or owned by another user
        return
    try:
        free = try_lock(descriptor, exclusive=True)
        known = free is True and machine == _machine()
        old = time.time() - os.fstat(descriptor).st_mtime > LIFE_S
        if known or (old and free is not False):
            path.unlink()
    except OSError:
        pass
    finally:
        os.close(descriptor)


def _new_file(folder: Path) -> tuple[Path, FileIO]:
    """A new file with a shared lock, not an exclusive one: HDF5 takes a shared lock to read the finished file."""
    while True:
        path = folder / f".mochac-{_machine()}-{secrets.token_hex(8)}.part"
        file = open(path, "x+b", buffering=0)
        if try_lock(file.fileno(), exclusive=False) is not False and is_named(file.fileno(), path):
            return path, file
        file.close()  # another process swept it before it was locked


@cache
def _machine() -> str:
    """Identifies this boot of this machine, in 8 hex digits; the same in its containers."""
    try:
        name = Path("/proc/sys/kernel/random/boot_id").read_bytes()
    except OSError:
        name = socket.gethostname().encode()
    return blake2b(name, digest_size=4).hexdigest()


def _sync(folder: Path) -> None:
    """Make a rename durable, on systems where folders can be opened."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


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
        temp = TempFile(path)
        try:
            for piece in content:
                _write_all(temp.file, piece)
            temp.finish()
        finally:
            temp.discard()
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
        TempFile(Path(path)).discard()
    except (OSError, ValueError) as error:
        raise SnapshotError(f"cannot write {path}", got=reason(error)) from None


def check_writable(folder: Path) -> None:
    """Create `folder`, check that files can be created in it, and remove what killed writers left there; raises
    SnapshotError."""
    try:
        sweep(folder)
        TempFile(folder / ".mochac-probe").discard()
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
