"""Reads LMDB databases (version 1 of the format, 64 bits, little endian): all keys, then values where they lie.

The library of the format maps a file and follows the page numbers in it, so that a damaged file ends the process. Here
every page and node is checked against the file before it is read. Source: LMDB's mdb.c.

    page      number u64, pad u16, flags u16, end of offsets u16, begin of nodes u16, then an offset u16 for each node
    overflow  the same header with the number of pages u32 in place of two u16, then a large value
    node      size or page, low u16, high u16, flags u16, size of the key u16, the key, a small value or a page u64
    meta      in pages 0 and 1, behind the header: magic, version, ..., two trees, last page, number of the transaction
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator

from mochac.base.records import record

MAGIC, VERSION = 0xBEEFC0DE, 1
HEADER, NODE = struct.Struct("<QHHHH"), struct.Struct("<HHHH")
META = struct.Struct("<II 8x8x I 44x 4xH 2x8x8x8x8x Q 8xQ")
"""Magic, version, bytes of a page (with the tree of free pages); flags and root of the tree of values; transaction."""
BRANCH, LEAF, OVERFLOW = 1, 2, 4
FAR, TREE, SEVERAL = 1, 2, 4
"""Flags of a node: its value is on pages of its own; it is a database; the key has several values."""
NONE = (1 << 64) - 1
PAGE_BYTES = (256, 65536)
DEEPEST = 32
DAMAGED = "it is no LMDB database, or damaged"


class BadLmdb(Exception):
    """A file that is no LMDB database, or one that cannot be read; the text says why."""


@record
class ValuePlace:
    """Where a value lies in the file, bytes."""

    start: int
    size: int


class LmdbFile:
    """An open database, as its last transaction left it.

    Raises:
        BadLmdb: it is damaged. OSError: it cannot be read.
    """

    def __init__(self, path: str) -> None:
        self._fd = os.open(os.path.join(path, "data.mdb") if os.path.isdir(path) else path, os.O_RDONLY)
        try:
            self._size = os.fstat(self._fd).st_size
            self._page_bytes, self._root = self._newest()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)

    def places(self) -> dict[bytes, ValuePlace]:
        """Where the value of each key lies, in the order of the keys."""
        return dict(self._walk(self._root, 0, set())) if self._root != NONE else {}

    def read(self, place: ValuePlace) -> bytes:
        """The value at a place."""
        return self._bytes(place.start, place.size)

    def _newest(self) -> tuple[int, int]:
        """Bytes of a page, and the root of the newer of the two metas."""
        page_bytes, root, transaction = self._meta(0)
        other_bytes, other_root, later = self._meta(page_bytes)
        if other_bytes != page_bytes:
            raise BadLmdb(DAMAGED)
        return page_bytes, other_root if later > transaction else root

    def _meta(self, at: int) -> tuple[int, int, int]:
        page = self._bytes(at + HEADER.size, META.size)
        magic, version, page_bytes, flags, root, transaction = META.unpack(page)
        if magic != MAGIC:
            raise BadLmdb(DAMAGED)
        if version != VERSION:
            raise BadLmdb(f"its format has version {version}, not {VERSION}")
        if not PAGE_BYTES[0] <= page_bytes <= PAGE_BYTES[1] or page_bytes & page_bytes - 1:
            raise BadLmdb(DAMAGED)
        if flags & SEVERAL:
            raise BadLmdb("its keys have several values")
        return page_bytes, root, transaction

    def _walk(self, number: int, depth: int, seen: set[int]) -> Iterator[tuple[bytes, ValuePlace]]:
        """The leaves below a page."""
        if number in seen or depth > DEEPEST:
            raise BadLmdb(DAMAGED)
        seen.add(number)
        start = number * self._page_bytes
        page = self._bytes(start, self._page_bytes)
        flags, end = HEADER.unpack_from(page)[2:4]
        count = (end - HEADER.size) // 2
        if flags & (BRANCH | LEAF | OVERFLOW) not in (BRANCH, LEAF) or count < 0 or end > len(page):
            raise BadLmdb(DAMAGED)
        for offset in struct.unpack_from(f"<{count}H", page, HEADER.size):
            if offset + NODE.size > len(page):
                raise BadLmdb(DAMAGED)
            low, high, node_flags, key_bytes = NODE.unpack_from(page, offset)
            key = offset + NODE.size
            if flags & BRANCH:
                yield from self._walk(low | high << 16 | node_flags << 32, depth + 1, seen)
            elif key + key_bytes > len(page) or node_flags & (TREE | SEVERAL):
                raise BadLmdb("it holds databases of its own" if node_flags & TREE else DAMAGED)
            else:
                value, size = key + key_bytes, low | high << 16
                yield page[key:value], self._place(page, start, value, size, bool(node_flags & FAR))

    def _place(self, page: bytes, start: int, value: int, size: int, far: bool) -> ValuePlace:
        """The place of a value in the page, or on pages of its own."""
        if not far:
            if value + size > len(page):
                raise BadLmdb(DAMAGED)
            return ValuePlace(start + value, size)
        if value + 8 > len(page):
            raise BadLmdb(DAMAGED)
        (number,) = struct.unpack_from("<Q", page, value)
        first = number * self._page_bytes
        if first + HEADER.size + size > self._size:
            raise BadLmdb(DAMAGED)
        return ValuePlace(first + HEADER.size, size)

    def _bytes(self, start: int, size: int) -> bytes:
        if start + size > self._size:
            raise BadLmdb(DAMAGED)
        found = os.pread(self._fd, size, start)
        if len(found) != size:
            raise BadLmdb(DAMAGED)
        return found
