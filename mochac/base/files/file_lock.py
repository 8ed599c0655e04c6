"""Advisory file locks, which show which of several writers may continue, and whether the writer of a file is alive.

Parts (part.py) are locked while they are written; a training locks its snapshot folders and its statistics file. The
operating system releases a lock when its owner ends, for whatever reason.
"""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import stat
import weakref
from contextlib import suppress
from pathlib import Path

from mochac.base.errors import SnapshotError


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
        _held.add(self)

    def __enter__(self) -> FileLock:
        return self

    def __exit__(self, *exc: object) -> None:
        self.release()

    def forget(self) -> None:
        """Close the descriptor, and leave the lock to the process that this one was forked from."""
        if self.release.detach():
            _close(self._descriptor)


_held: weakref.WeakSet[FileLock] = weakref.WeakSet()


def _forget_all() -> None:
    for lock in list(_held):
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
