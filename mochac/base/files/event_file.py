"""Event files of TensorBoard: numbers by name and iteration, appended as records.

A record is its length (8 bytes, little endian), a masked CRC-32C of the length, the bytes, a masked CRC-32C of them.
The bytes are a message `Event` of TensorFlow's event.proto in protobuf's encoding; of its fields and those of
summary.proto, only what scalars need is written.
"""

from __future__ import annotations

import os
import socket
import struct
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import BinaryIO

from mochac.base.errors import SnapshotError
from mochac.base.files.atomic import reason

WALL_TIME, STEP, FILE_VERSION, SUMMARY = 1, 2, 3, 5
"""Fields of Event."""
VALUE, TAG, SIMPLE_VALUE = 1, 1, 2
"""Fields of Summary, and of Summary.Value."""
VERSION = "brain.Event:2"
_MASK = 0xA282EAD8
_POLYNOMIAL = 0x82F63B78
"""Castagnoli's, with its bits reversed."""


class EventFile:
    """A new event file in a folder, which is made if it does not exist.

    Raises:
        SnapshotError: the file cannot be written; also of `add`.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        now = time.time()
        host = socket.gethostname() or "localhost"
        self.path = Path(folder) / f"events.out.tfevents.{now:.6f}.{host}.{os.getpid()}"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file: BinaryIO = open(self.path, "xb")
        except (OSError, ValueError) as error:  # a name with a zero byte
            raise SnapshotError(f"cannot write {self.path}", got=reason(error)) from None
        self._append(_double(WALL_TIME, now) + _bytes(FILE_VERSION, VERSION.encode()))

    def add(self, iteration: int, values: Mapping[str, float]) -> None:
        """Append the numbers of an iteration, and hand them to the system."""
        summary = b"".join(_bytes(VALUE, _bytes(TAG, k.encode()) + _float(SIMPLE_VALUE, v)) for k, v in values.items())
        self._append(_double(WALL_TIME, time.time()) + _integer(STEP, iteration) + _bytes(SUMMARY, summary))

    def close(self) -> None:
        """Close the file; a second close is harmless."""
        with self._writing():
            self._file.close()

    def _append(self, event: bytes) -> None:
        with self._writing():
            self._file.write(record(event))
            self._file.flush()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise SnapshotError(f"cannot write {self.path}", got=reason(error)) from None


def record(data: bytes) -> bytes:
    """Bytes with their length and checksums around them."""
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", masked(length)) + data + struct.pack("<I", masked(data))


def masked(data: bytes) -> int:
    """The masked CRC-32C that records store. Without the mask, bytes that end in their own checksum would all have one
    checksum."""
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + _MASK) & 0xFFFFFFFF


def crc32c(data: bytes) -> int:
    """Castagnoli's checksum (RFC 3720, B.4).

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    crc, table = 0xFFFFFFFF, _table()
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


@cache
def _table() -> tuple[int, ...]:
    """The remainder of each byte."""
    rows: list[int] = []
    for row in range(256):
        for _ in range(8):
            row = row >> 1 ^ (_POLYNOMIAL if row & 1 else 0)
        rows.append(row)
    return tuple(rows)


def _key(field: int, wire: int) -> bytes:
    return bytes([field << 3 | wire])


def _varint(number: int) -> bytes:
    digits: list[int] = []
    while number > 0x7F:
        digits.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*digits, number])


def _integer(field: int, number: int) -> bytes:
    return _key(field, 0) + _varint(number)


def _double(field: int, number: float) -> bytes:
    return _key(field, 1) + struct.pack("<d", number)


def _float(field: int, number: float) -> bytes:
    return _key(field, 5) + struct.pack("<f", number)


def _bytes(field: int, data: bytes) -> bytes:
    return _key(field, 2) + _varint(len(data)) + data
