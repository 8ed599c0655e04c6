"""Parts: files under temporary names, until they are complete and renamed.

atomic.py, outputs.py and image_list.py write through parts. A writer holds a lock on its part, so that the next writer
in the folder can remove the parts of killed processes, and only those.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import socket
import time
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from io import FileIO
from pathlib import Path

from mochac.base.files.file_lock import is_named, try_lock

_NAME = re.compile(r"\.mochac-([0-9a-f]{8})-[0-9a-f]{16}\.part")
LIFE_S = 24 * 3600
"""Where locks are not reliable, a part is removed after this time without a write."""


class Part:
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
        self._path, self.file = _made(target.parent)

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
    """Sweep a folder once per process."""
    status = os.stat(folder)
    if (place := (status.st_dev, status.st_ino)) not in _swept:
        _swept.add(place)
        sweep(folder)


def sweep(folder: Path) -> None:
    """Remove parts whose writers have ended.

    A part that is not locked is abandoned, if this machine created it. Network file systems may keep locks local to a
    machine, or have none, so a part created on another machine must also be old.
    """
    try:
        with os.scandir(folder) as entries:
            parts = [(Path(e.path), match[1]) for e in entries if (match := _NAME.fullmatch(e.name))]
    except OSError:
        return
    for path, machine in parts:
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


def _made(folder: Path) -> tuple[Path, FileIO]:
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
