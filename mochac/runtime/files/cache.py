"""Cache: a folder of checksummed byte strings under hashed keys, shared by any number of this user's processes.

All that is kept between runs lies in one: plans, objects, cubins, findings of searches. The command `mochac cache`
prints `stat` and calls `clear`. Damage, races, a read-only disk and a folder that others may write to cost a
recompilation, never an error. It knows nothing of what it keeps.
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
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from mochac.runtime.files import private
from mochac.runtime.files.private import NotPrivate
from mochac.runtime.support.log import tell_once

MAGIC = b"mochac\x00\x02"
"""First bytes of an entry; the last one is the format's version."""
_HEADER = struct.Struct("<8sQ16s")
SUFFIX = ".bin"
DEFAULT_LIMIT_BYTES = 512 << 20
_PART_LIFE_S = 3600
"""An unfinished file older than this belongs to nobody."""


def digest(*parts: str | bytes) -> str:
    """Key of a list of texts: 40 hex digits of BLAKE2b; parts are kept apart by their lengths.

    >>> digest("ab", "c") == digest("a", "bc")
    False
    """
    hasher = hashlib.blake2b(digest_size=20)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        hasher.update(struct.pack("<Q", len(data)))
        hasher.update(data)
    return hasher.hexdigest()


@dataclass(frozen=True, slots=True)
class CacheStat:
    """Size of a cache, and what this process has seen of it; why it is not used, if it is not."""

    folder: str
    entries: int
    total_bytes: int
    hits: int
    misses: int
    damaged: int
    refused: str = ""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A file of a cache: its folder's name and its own, bytes, and modification time."""

    room: str
    name: str
    size: int
    time_ns: int


class Cache:
    """Byte strings by key in `folder` (made when first written to), at most `limit_bytes` of them.

    An entry is one file, header (magic, length, BLAKE2b checksum of key and payload) and payload, written beside its
    place and renamed into it: a reader sees an old entry, a new one, or none. Folders and files are made for
    this user alone (private.py). A folder that another user owns or may write to is not used, which is logged once; an
    entry that another user owns or may write to counts as damaged.
    """

    def __init__(self, folder: str | Path, limit_bytes: int = DEFAULT_LIMIT_BYTES) -> None:
        self.folder = Path(folder)
        self.limit_bytes = limit_bytes
        self.hits = self.misses = self.damaged = 0
        self._writable = True
        self._bytes: int | None = None

    def get(self, key: str) -> bytes | None:
        """The payload of a key; None when absent, unreadable, damaged or not to be trusted."""
        payload = self._read(key)
        if payload is None:
            self.misses += 1
        else:
            self.hits += 1
        return payload

    def put(self, key: str, payload: bytes) -> None:
        """Keep a payload, replacing what was there. A folder that cannot be written is logged once, then left alone."""
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
        """Entries and bytes on disk now, and this process's hits and misses."""
        refused = ""
        found: list[_Entry] = []
        try:
            with private.opened(self.folder) as fd:
                found = _entries(fd)
        except NotPrivate as error:
            refused = str(error)
        except OSError:
            pass  # nothing was kept yet
        size = _total(found)
        return CacheStat(str(self.folder), len(found), size, self.hits, self.misses, self.damaged, refused)

    def clear(self) -> int:
        """Remove every entry; the number of bytes freed. A folder that is not used is left as it is."""
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
        found = _entries(fd)
        total = _total(found)
        for entry in sorted(found, key=lambda entry: entry.time_ns):
            if total <= self.limit_bytes * 9 // 10:
                break
            total -= entry.size if _remove(fd, entry) else 0
        self._bytes = total


def _total(entries: Iterable[_Entry]) -> int:
    return sum(entry.size for entry in entries)


def _replace(room: int, name: str, data: bytes) -> None:
    """Write an entry beside its place and rename it into it."""
    part = f".{name}.{os.getpid()}.{secrets.token_hex(4)}"
    try:
        private.write(room, part, data)
        os.replace(part, name, src_dir_fd=room, dst_dir_fd=room)
    except OSError:
        with suppress(OSError):
            os.unlink(part, dir_fd=room)
        raise


def _entries(fd: int) -> list[_Entry]:
    """Every entry of an opened cache, and parts that a killed process left."""
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
        return  # another process removed it, or it is none of the cache's


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
    """Of the key too: an entry under another's name is no entry."""
    return hashlib.blake2b(payload, digest_size=16, key=key.encode()).digest()


@lru_cache(maxsize=4)
def cache_in(folder: Path) -> Cache:
    """The cache in a folder, one object a process."""
    return Cache(folder)
