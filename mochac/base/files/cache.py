"""Cache: a folder of checksummed byte strings under hashed keys, shared by all processes of this user.

It holds everything that is kept between runs: plans, object code, cubins, results of schedule searches. Damage, races,
a read-only disk or a folder that others may write to lead to a recompilation, never to an error.

Keys of plans, search results and native functions include `generator()`: versions, and a hash of the package's files
that generate code. Modification times do not count, because a checkout, a copy or an archive may restore them.
"""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
import struct
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from mochac import __version__
from mochac.base.files import private
from mochac.base.files.private import NotPrivate
from mochac.base.records import record
from mochac.base.support.log import tell_once

MAGIC = b"mochac\x00\x02"
"""First bytes of an entry; the last one is the version of the format."""
_HEADER = struct.Struct("<8sQ16s")
SUFFIX = ".bin"
DEFAULT_LIMIT_BYTES = 512 << 20
_PART_LIFE_S = 3600
"""An unfinished file older than this was left by a process that was killed."""


def digest(*parts: str | bytes) -> str:
    """Key of a list of texts: 40 hex digits of BLAKE2b. Lengths are hashed too, so that parts stay separate.

    >>> digest("ab", "c") == digest("a", "bc")
    False
    """
    hasher = hashlib.blake2b(digest_size=20)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        hasher.update(struct.pack("<Q", len(data)))
        hasher.update(data)
    return hasher.hexdigest()


@record(slots=True)
class CacheStat:
    """Size of a cache, this process's hits and misses, and the reason if it is not used."""

    folder: str
    entries: int
    total_bytes: int
    hits: int
    misses: int
    damaged: int
    refused: str = ""


@record(slots=True)
class _Entry:
    """A file of a cache: names of its folder and its own, size in bytes, time of modification."""

    room: str
    name: str
    size: int
    time_ns: int


class Cache:
    """Byte strings by key in `folder` (created at the first write), `limit_bytes` at most in total.

    An entry is one file: a header (magic, length, BLAKE2b checksum of key and payload) and the payload. It is written
    under another name and renamed, so a reader sees the old entry, the new one, or none. Only this user can access the
    folders and files (private.py). A folder that another user owns or may write to is not used, which is logged once;
    an entry that another user owns or may write to counts as damaged.
    """

    def __init__(self, folder: str | Path, limit_bytes: int = DEFAULT_LIMIT_BYTES) -> None:
        self.folder = Path(folder)
        self.limit_bytes = limit_bytes
        self.hits = self.misses = self.damaged = 0
        self._writable = True
        self._bytes: int | None = None

    def get(self, key: str) -> bytes | None:
        """The payload of a key; None if it is absent, unreadable, damaged or not to be trusted."""
        payload = self._read(key)
        if payload is None:
            self.misses += 1
        else:
            self.hits += 1
        return payload

    def put(self, key: str, payload: bytes) -> None:
        """Store a payload, replacing an older one. If the folder cannot be written, that is logged once, and nothing is
        stored from then on."""
        if not self._writable:
            return
        try:
            private.make_folder(self.folder)
            with private.opened(self.folder) as fd, private.opened_inside(fd, key[:2], make=True) as room:
                _replace(room, key + SUFFIX, _pack(key, payload))
                self._account(fd, _HEADER.size + len(payload))
        except FileNotFoundError:
            return  # another process cleared the cache just now
        except NotPrivate as error:
            self._refuse(error)
        except OSError as error:
            self._give_up(error)

    def stat(self) -> CacheStat:
        """Entries and bytes on disk, and hits and misses of this process."""
        refused = ""
        entries: list[_Entry] = []
        try:
            with private.opened(self.folder) as fd:
                entries = _entries(fd)
        except NotPrivate as error:
            refused = str(error)
        except OSError:
            pass  # nothing was kept yet
        size = _total(entries)
        return CacheStat(str(self.folder), len(entries), size, self.hits, self.misses, self.damaged, refused)

    def clear(self) -> int:
        """Remove every entry; the number of bytes freed. A folder that is not used is left alone."""
        self._bytes = None
        try:
            with private.opened(self.folder) as fd:
                return _total(entry for entry in _entries(fd) if _remove(fd, entry))
        except NotPrivate as error:
            self._refuse(error)
        except OSError:
            pass  # nothing was kept yet
        return 0

    def _read(self, key: str) -> bytes | None:
        try:
            with private.opened(self.folder) as fd:
                return self._read_inside(fd, key)
        except NotPrivate as error:
            self._refuse(error)
        except OSError:
            pass  # nothing was kept yet
        return None

    def _read_inside(self, fd: int, key: str) -> bytes | None:
        try:
            with private.opened_inside(fd, key[:2]) as room:
                payload = _unpack(key, private.read(room, key + SUFFIX))
        except FileNotFoundError:
            return None
        except (OSError, NotPrivate):
            payload = None
        self.damaged += payload is None
        return payload

    def _refuse(self, error: NotPrivate) -> None:
        tell_once(f"the compile cache {self.folder} is not used: {error}", logging.WARNING)

    def _give_up(self, error: OSError) -> None:
        self._writable = False
        reason = error.strerror or str(error)
        tell_once(f"the compile cache {self.folder} cannot be written ({reason}); going on without it", logging.WARNING)

    def _account(self, fd: int, added: int) -> None:
        self._bytes = _total(_entries(fd)) if self._bytes is None else self._bytes + added
        if self._bytes > self.limit_bytes:
            self._evict(fd)

    def _evict(self, fd: int) -> None:
        """Remove the oldest entries until a tenth of the limit is free."""
        entries = _entries(fd)
        total = _total(entries)
        for entry in sorted(entries, key=lambda entry: entry.time_ns):
            if total <= self.limit_bytes * 9 // 10:
                break
            total -= entry.size if _remove(fd, entry) else 0
        self._bytes = total


def _total(entries: Iterable[_Entry]) -> int:
    return sum(entry.size for entry in entries)


def _replace(room: int, name: str, data: bytes) -> None:
    """Write an entry under another name, then rename it."""
    part = f".{name}.{os.getpid()}.{secrets.token_hex(4)}"
    try:
        private.write(room, part, data)
        os.replace(part, name, src_dir_fd=room, dst_dir_fd=room)
    except OSError:
        with suppress(OSError):
            os.unlink(part, dir_fd=room)
        raise


def _entries(fd: int) -> list[_Entry]:
    """Every entry of an opened cache, and unfinished files that a killed process left."""
    return [entry for room in os.listdir(fd) if len(room) == 2 for entry in _entries_inside(fd, room)]


def _entries_inside(fd: int, room: str) -> Iterator[_Entry]:
    try:
        with private.opened_inside(fd, room) as inside, os.scandir(inside) as files:
            for file in files:
                status = file.stat(follow_symlinks=False)
                abandoned = time.time() - status.st_mtime > _PART_LIFE_S
                if SUFFIX in file.name and (abandoned or not file.name.startswith(".")):
                    yield _Entry(room, file.name, status.st_size, status.st_mtime_ns)
    except (OSError, NotPrivate):
        return  # another process removed it, or it does not belong to the cache


def _remove(fd: int, entry: _Entry) -> bool:
    try:
        with private.opened_inside(fd, entry.room) as room:
            os.unlink(entry.name, dir_fd=room)
    except (OSError, NotPrivate):
        return False
    return True


def _pack(key: str, payload: bytes) -> bytes:
    return _HEADER.pack(MAGIC, len(payload), _checksum(key, payload)) + payload


def _unpack(key: str, data: bytes) -> bytes | None:
    if len(data) < _HEADER.size:
        return None
    magic, length, checksum = _HEADER.unpack_from(data)
    payload = data[_HEADER.size :]
    if magic != MAGIC or length != len(payload):
        return None
    return payload if _checksum(key, payload) == checksum else None


def _checksum(key: str, payload: bytes) -> bytes:
    """Includes the key, so that an entry under the name of another is refused."""
    return hashlib.blake2b(payload, digest_size=16, key=key.encode()).digest()


@lru_cache(maxsize=4)
def cache_in(folder: Path) -> Cache:
    """The cache in a folder, one object a process."""
    return Cache(folder)


PACKAGE = Path(__file__).resolve().parents[2]
ENDINGS = (".py", ".j2")
NO_SOURCES = "__pycache__"
GENERATE = ("base", "codegen", "ir", "lowering", "runtime", "templates")
"""Folders that turn graphs into code. The others write the graph, whose text is in a plan's key, or use its plan."""
NO_CODE = ("base/drawing", "base/hints", "templates/report")


@cache
def generator() -> tuple[str, ...]:
    """Versions of mochac and NumPy (which folds constants), and a hash of the files that turn graphs into code.

    Read once per process, since loaded code does not change. It takes 8 ms for 350 files in the page cache (Zen 5).
    """
    return (__version__, np.__version__, contents(PACKAGE))


def contents(package: Path) -> str:
    """A hash of the names and bytes of a package's Python files and templates in GENERATE, but not in NO_CODE."""
    parts: list[str | bytes] = []
    without = {f"{package}/{folder}" for folder in NO_CODE}
    for path in sorted(path for folder in GENERATE for path in _files(f"{package}/{folder}", without)):
        with open(path, "rb", buffering=0) as file:
            parts += [path[len(str(package)) :], file.readall()]
    return digest(*parts)


def _files(folder: str, without: set[str]) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(ENDINGS):
                yield entry.path
            elif entry.name != NO_SOURCES and entry.path not in without and entry.is_dir():
                yield from _files(entry.path, without)
