"""Parts: new content under a name of its own, until it is complete and takes a file's place.

Whatever must be there whole or not at all is written through one, by atomic.py, outputs.py and image_list.py; the
compile cache writes through private.py, which follows no name twice. A writer holds a lock on its part, so that the
next writer in the folder can tell the parts of the living from those that a kill left, and removes the latter. It knows
nothing of what is written.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import socket
import time
from functools import cache
from hashlib import blake2b
from io import FileIO
from pathlib import Path

from mochac.runtime.files.file_lock import is_named, try_lock

_NAME = re.compile(r"\.mochac-([0-9a-f]{8})-[0-9a-f]{16}\.part")
LIFE_S = 24 * 3600
"""A part that nobody has written to for so long is removed, where locks cannot tell."""


class Part:
    """A new file beside `target`, in a folder that is made where it is missing; finish() or discard() ends it.

    Attributes:
        file: open for reading and writing, unbuffered.

    Raises:
        OSError: the folder or disk refuses, or `target` is no regular file (root could replace /dev/null).
    """

    def __init__(self, target: Path) -> None:
        if target.exists() and not target.is_file():
            raise OSError(errno.EEXIST, "Is a directory" if target.is_dir() else "not a regular file")
        target.parent.mkdir(parents=True, exist_ok=True)
        _sweep_once(target.parent)
        self.target = target
        self._path, self.file = _made(target.parent)

    def finish(self) -> None:
        """Put it in the target's place; it is there after a power cut, too.

        Raises:
            OSError: the disk refuses, and the target is as it was.
        """
        os.fsync(self.file.fileno())
        os.replace(self._path, self.target)
        self.file.close()
        _sync(self.target.parent)

    def discard(self) -> None:
        """Remove it; after finish() there is nothing to remove."""
        try:
            self._path.unlink()
        except OSError:  # finished, or out of reach: nothing to tidy
            pass
        self.file.close()


_swept: set[tuple[int, int]] = set()
"""Folders by device and inode: a folder of many files takes long to look through."""


def _sweep_once(folder: Path) -> None:
    """Once a process: what others leave later is for the next one."""
    status = os.stat(folder)
    if (place := (status.st_dev, status.st_ino)) not in _swept:
        _swept.add(place)
        sweep(folder)


def sweep(folder: Path) -> None:
    """Remove parts whose writers are gone.

    A part that nobody has locked is abandoned, if this machine made it; the file systems of a network may keep
    locks to each machine, or have none, so a part of another machine's must be old, too.
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
    except OSError:  # finished or removed meanwhile, or another user's
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
    """A new file with a shared lock: HDF5 may open what it becomes for reading, which takes one, too."""
    while True:
        path = folder / f".mochac-{_machine()}-{secrets.token_hex(8)}.part"
        file = open(path, "x+b", buffering=0)
        if try_lock(file.fileno(), exclusive=False) is not False and is_named(file.fileno(), path):
            return path, file
        file.close()  # swept before it was locked


@cache
def _machine() -> str:
    """This boot of this machine, in 8 hex digits; containers have their machine's."""
    try:
        name = Path("/proc/sys/kernel/random/boot_id").read_bytes()
    except OSError:
        name = socket.gethostname().encode()
    return blake2b(name, digest_size=4).hexdigest()


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
