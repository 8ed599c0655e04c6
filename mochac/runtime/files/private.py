"""Private folders: files that no other user can have written, and the only way the cache reaches its own.

Entries of the cache become native code, so the cache opens everything through here. A folder is opened first and judged
then; what lies in it is opened relative to that descriptor and without following links, so that nothing can be
exchanged between the check and the use. It knows nothing of what the files hold.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK  # a pipe opens at once, and is refused
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class NotPrivate(Exception):
    """Others own a file or folder, or may write to it; the message says which, and what to do."""

    def __init__(self, reason: str, hint: str) -> None:
        super().__init__(f"{reason}; hint: {hint}")


def make_folder(folder: Path) -> None:
    """Make a folder and its missing parents, for this user alone; what is already there stays as it is.

    Raises:
        OSError: it cannot be made.
    """
    if folder.parent != folder and not folder.parent.exists():
        make_folder(folder.parent)
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)


@contextmanager
def opened(folder: Path) -> Iterator[int]:
    """A descriptor of a private folder. A link to one will do if this user made it.

    Raises:
        NotPrivate: it is not private. OSError: it is not there, or no folder.
    """
    link = os.lstat(folder)
    if stat.S_ISLNK(link.st_mode) and link.st_uid != os.geteuid():
        raise NotPrivate(f"it is a link that user {link.st_uid} made", f"rm {folder}")
    fd = os.open(folder, _FOLDER)
    try:
        _judge(fd, "it", folder)
        yield fd
    finally:
        os.close(fd)


@contextmanager
def opened_inside(fd: int, name: str, make: bool = False) -> Iterator[int]:
    """A descriptor of a folder in a private folder.

    Args:
        make: it is made where it is missing, and closed to others where it is this user's.

    Raises:
        NotPrivate: it is not private. OSError: it is not there, or no folder.
    """
    if make:
        with suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=fd)
    inside = os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=fd)
    try:
        if make and os.fstat(inside).st_uid == os.geteuid():
            os.fchmod(inside, 0o700)
        _judge(inside, f"its folder {name}", name)
        yield inside
    finally:
        os.close(inside)


def read(fd: int, name: str) -> bytes:
    """The bytes of a file in a private folder.

    Raises:
        NotPrivate: others may have written them. OSError: it is not there, or no file.
    """
    with open(os.open(name, _READ, dir_fd=fd), "rb", buffering=0) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise NotPrivate(f"{name} is no file", f"remove {name}")
        _judge(file.fileno(), name, name)
        return file.readall()


def write(fd: int, name: str, data: bytes) -> None:
    """A new file in a private folder, for this user alone.

    Raises:
        OSError: it is there already, or cannot be written.
    """
    with open(os.open(name, _WRITE, 0o600, dir_fd=fd), "wb", buffering=0) as file:
        rest = memoryview(data)
        while rest:
            rest = rest[file.write(rest) :]


def _judge(fd: int, what: str, path: str | Path) -> None:
    status = os.fstat(fd)
    if status.st_uid != os.geteuid():
        raise NotPrivate(f"{what} belongs to user {status.st_uid}", f"remove {path}")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        mode = f"{stat.S_IMODE(status.st_mode):04o}"
        raise NotPrivate(f"others may write to {what} (mode {mode})", f"chmod 700 {path}")
