"""Private folders: access to files that no other user can have written.

Entries of the cache are executed, so the cache opens all its files here. A folder is opened before it is checked, and
its files are opened relative to that descriptor, without following links, so that nothing can be swapped between check
and use.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK  # opening a pipe must not block
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class NotPrivate(Exception):
    """Another user owns a file or folder, or may write to it; the message says which, and what to do."""

    def __init__(self, reason: str, hint: str) -> None:
        super().__init__(f"{reason}; hint: {hint}")


def make_folder(folder: Path) -> None:
    """Create a folder and its missing parents with access for this user only; existing folders are not changed.

    Raises:
        OSError: it cannot be created.
    """
    if folder.parent != folder and not folder.parent.exists():
        make_folder(folder.parent)
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)


@contextmanager
def opened(folder: Path) -> Iterator[int]:
    """A descriptor of a private folder, or of a link to one that this user made.

    Raises:
        NotPrivate: it is not private. OSError: it does not exist, or is not a folder.
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
        make: create it if it is missing, and deny others access if it belongs to this user.

    Raises:
        NotPrivate: it is not private. OSError: it does not exist, or is not a folder.
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
        NotPrivate: others may have written them. OSError: it does not exist, or is not a file.
    """
    with open(os.open(name, _READ, dir_fd=fd), "rb", buffering=0) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise NotPrivate(f"{name} is not a file", f"remove {name}")
        _judge(file.fileno(), name, name)
        return file.readall()


def write(fd: int, name: str, data: bytes) -> None:
    """Write a new file in a private folder, with access for this user only.

    Raises:
        OSError: it exists already, or cannot be written.
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
