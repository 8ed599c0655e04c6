"""Advisory locks on files: which of several writers may go on, and whether a file's writer still lives.

Parts (part.py) are locked while they are written; a training locks its snapshot folder and its statistics file. The
system drops a lock with its owner, however that ends. It knows nothing of trainings.
"""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import stat
import weakref
from pathlib import Path

from mochac.errors import SnapshotError


def try_lock(descriptor: int, *, exclusive: bool) -> bool | None:
    """Lock an open file without waiting: True if it is locked now, False if somebody else holds it, None where the file
    system has no locks."""
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # NFS may say either
        return False
    except OSError:
        return None
    return True


def is_named(descriptor: int, path: Path) -> bool:
    """Whether `path` still is the open file: somebody may have removed or replaced it."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except OSError:
        return False


class FileLock:
    """A lock in a file of its own, held until release(), the end of this process or the object's own.

    A forked child does not hold it. Where the file system has no locks, nothing is held and nothing refused.

    Args:
        path: the lock's file; its folder exists. It is there while the lock is held, or after a kill.
        what: what the holder does, for the message: "another training writes into snaps".

    Raises:
        SnapshotError: somebody else holds it (with process and host), or the file cannot be made.
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
        """Let the descriptor go and leave the lock to the process that this one was forked from."""
        if self.release.detach():
            os.close(self._descriptor)


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
            os.close(descriptor)
            hint = "end the other training, or give each a folder of its own"
            if owner == _self():
                hint = "it is one of this process: solver.finalize() ends it; or give each a folder of its own"
            raise SnapshotError(what, got=owner, hint=hint)
        if is_named(descriptor, path):
            _sign(descriptor)
            return descriptor
        os.close(descriptor)  # its holder released it in between, and the file is gone


def _opened(path: Path) -> int:
    """The lock's file: no link to a file that is something else, and no pipe, which somebody may have put there."""
    plain = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | plain, 0o666)
    except PermissionError:  # another user's, which can be locked all the same
        descriptor = os.open(path, os.O_RDONLY | plain)
    status = os.fstat(descriptor)
    if stat.S_ISREG(status.st_mode) and status.st_nlink <= 1:  # 0: its holder released it in between
        return descriptor
    os.close(descriptor)
    raise OSError(errno.EEXIST, "not a regular file, or one with other names")


def _sign(descriptor: int) -> None:
    """Write down who holds the lock; on a full disk it is held without."""
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{_self()}\n".encode(), 0)
    except OSError:
        pass


def _self() -> str:
    return f"process {os.getpid()} on {socket.gethostname()}"


def _release(descriptor: int, path: Path) -> None:
    try:
        if is_named(descriptor, path):  # not one that was made after this one's folder was removed
            path.unlink()
    except OSError:  # another user's
        pass
    os.close(descriptor)
