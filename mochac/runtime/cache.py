"""Store: a folder of checksummed byte strings under hashed keys, shared by any number of processes.

The object cache and the whole-program cache are both Stores; the command `mochac cache` prints `stat` and calls
`clear`. Damage, races and a read-only disk cost a recompilation, never an error. It knows nothing of what it keeps.
"""

from __future__ import annotations

import hashlib
import struct
import warnings
from dataclasses import dataclass
from pathlib import Path

from mochac.runtime.atomic import reason, replace
from mochac.runtime.part import sweep

MAGIC = b"mochac\x00\x01"
"""First bytes of an entry; the last one is the format's version."""
_HEADER = struct.Struct("<8sQ16s")
SUFFIX = ".bin"
DEFAULT_LIMIT_BYTES = 512 << 20


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
class StoreStat:
    """Size of a store, and what this process has seen of it."""

    folder: str
    entries: int
    total_bytes: int
    hits: int
    misses: int
    damaged: int


class Store:
    """Byte strings by key in `folder` (made when first written to), at most `limit_bytes` of them.

    An entry is one file, header (magic, length, BLAKE2b checksum) and payload, written beside its place and renamed
    into it: a reader sees an old entry, a new one, or none.
    """

    def __init__(self, folder: str | Path, limit_bytes: int = DEFAULT_LIMIT_BYTES) -> None:
        self.folder = Path(folder)
        self.limit_bytes = limit_bytes
        self.hits = self.misses = self.damaged = 0
        self._writable = True
        self._bytes: int | None = None

    def get(self, key: str) -> bytes | None:
        """The payload of a key; None when absent, unreadable or damaged."""
        try:
            data = self._path(key).read_bytes()
        except OSError:
            self.misses += 1
            return None
        payload = _unpack(data)
        if payload is None:
            self.damaged += 1
            self.misses += 1
            return None
        self.hits += 1
        return payload

    def put(self, key: str, payload: bytes) -> None:
        """Keep a payload, replacing what was there. An unwritable folder warns once, then keeps nothing more."""
        if not self._writable:
            return
        try:
            replace(self._path(key), _pack(payload), durable=False)
        except FileNotFoundError:
            return  # another process removed the folder just now
        except OSError as error:
            self._give_up(error)
            return
        self._account(_HEADER.size + len(payload))

    def stat(self) -> StoreStat:
        """Entries and bytes on disk now, and this process's hits and misses."""
        found = self._entries()
        total = sum(size for _, size, _ in found)
        return StoreStat(str(self.folder), len(found), total, self.hits, self.misses, self.damaged)

    def clear(self) -> int:
        """Remove every entry, and what killed writers left; the number of bytes freed by entries."""
        for folder in self.folder.glob("??"):
            sweep(folder)
        freed = sum(size for path, size, _ in self._entries() if _remove(path))
        self._bytes = None
        return freed

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / (key + SUFFIX)

    def _give_up(self, error: OSError) -> None:
        self._writable = False
        warnings.warn(
            f"the compile cache {self.folder} cannot be written ({reason(error)}); going on without it", stacklevel=3
        )

    def _account(self, added: int) -> None:
        self._bytes = self.stat().total_bytes if self._bytes is None else self._bytes + added
        if self._bytes > self.limit_bytes:
            self._evict()

    def _evict(self) -> None:
        """Remove the oldest entries until a tenth of the limit is free."""
        found = self._entries()
        total = sum(size for _, size, _ in found)
        for path, size, _ in sorted(found, key=lambda entry: entry[2]):
            if total <= self.limit_bytes * 9 // 10:
                break
            total -= size if _remove(path) else 0
        self._bytes = total

    def _entries(self) -> list[tuple[Path, int, int]]:
        """(path, bytes, modification time in ns) of every entry."""
        found = []
        for path in self.folder.glob(f"??/*{SUFFIX}"):
            try:
                status = path.stat()
            except OSError:
                continue  # another process removed it
            found.append((path, status.st_size, status.st_mtime_ns))
        return found


def _remove(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True


def _pack(payload: bytes) -> bytes:
    return _HEADER.pack(MAGIC, len(payload), hashlib.blake2b(payload, digest_size=16).digest()) + payload


def _unpack(data: bytes) -> bytes | None:
    if len(data) < _HEADER.size:
        return None
    magic, length, checksum = _HEADER.unpack_from(data)
    payload = data[_HEADER.size :]
    if magic != MAGIC or length != len(payload):
        return None
    return payload if hashlib.blake2b(payload, digest_size=16).digest() == checksum else None
