"""Arrays by name in files: NumPy's .npy and .npz, and .safetensors, as Hugging Face's models have them.

NumPy's files are read without pickles, and without allocating more than a file can hold. Means, models and the inputs
of dumps can be such files.

The format .safetensors has the arrays behind a JSON header:


    8 bytes: length n of the header, little-endian; n bytes: JSON {name: {dtype, shape, data_offsets}}; then the numbers

Files written here have a checksum among the metadata of the header.

Nothing in a file is run, and every number of the header is checked before it is used. The package safetensors returns
no bfloat16 to NumPy, which has no such type; here half-precision and bfloat16 numbers are widened to float32.
"""

from __future__ import annotations

import io
import json
import math
import os
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.files.atomic import write_bytes
from mochac.base.files.reading import DEFLATE_RATIO, Fault, Refuse, guarded, read_bytes
from mochac.base.support.memory import fits

NPZ = ".npz"


def is_npz(path: Path) -> bool:
    """Whether a file name ends in .npz."""
    return path.suffix.lower() == NPZ


def write_npz(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Create or replace `path` atomically; raises SnapshotError."""
    write_bytes(path, packed(arrays))


def packed(arrays: Mapping[str, np.ndarray]) -> memoryview:
    """The content of a .npz file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)
    return buffer.getbuffer()


def read_npy(path: str | os.PathLike[str], refuse: Refuse) -> np.ndarray:
    """The array in a .npy file.

    Raises:
        the error that refuse() makes: no such file, or it does not hold an array of numbers.
    """
    with guarded(refuse):
        return _array(read_bytes(path))


def read_npz(path: str | os.PathLike[str], refuse: Refuse) -> dict[str, np.ndarray]:
    """The arrays of a .npz file by name.

    Raises:
        the error that refuse() makes: no such file, not .npz, or something in it is not an array of numbers.
    """
    with guarded(refuse):
        content = read_bytes(path)
        archive = zipfile.ZipFile(io.BytesIO(content))
    members = archive.infolist()
    stated, most = sum(m.file_size for m in members), DEFLATE_RATIO * len(content)
    if stated > most or not fits(stated):
        raise refuse(Fault(f"it states {stated:,} bytes, more than the file can hold, or memory"))
    arrays: dict[str, np.ndarray] = {}
    for member in members:
        name = member.filename.removesuffix(".npy")
        with guarded(refuse, f"array {name!r}"):
            arrays[name] = _array(archive.read(member))
    return arrays


def _array(content: bytes) -> np.ndarray:
    """The array in a .npy file: exactly as many numbers as its header states; no objects, texts, records or complex."""
    file = io.BytesIO(content)
    version = np.lib.format.read_magic(file)
    header = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    if version not in header:
        raise ValueError(f"version {version[0]}.{version[1]} of the format is not known")
    shape, by_columns, dtype = header[version](file)
    if dtype.kind not in "fiub":
        raise ValueError(f"it holds {dtype}, not numbers")
    n_bytes, actual = math.prod(shape) * dtype.itemsize, len(content) - file.tell()
    if n_bytes != actual:
        raise ValueError(f"it states {n_bytes:,} bytes of numbers and has {actual:,}")
    flat = np.frombuffer(content, dtype, offset=file.tell())
    return flat.reshape(shape, order="F" if by_columns else "C").copy()


SAFETENSORS = ".safetensors"
CHECKSUM = "crc32"
"""The name, among the metadata, of the CRC-32 of the whole file with zeros in its place, in 8 hexadecimal digits."""
_UNKNOWN = b'"%s":"00000000"' % CHECKSUM.encode()
_HEADER_BYTES = 100_000_000
"""Limit on the header, that of the package safetensors."""
_DTYPES = {
    "BOOL": "?", "U8": "u1", "I8": "i1", "U16": "<u2", "I16": "<i2", "U32": "<u4", "I32": "<i4", "U64": "<u8",
    "I64": "<i8", "F16": "<f2", "BF16": "<u2", "F32": "<f4", "F64": "<f8",
}  # fmt: skip
_NAMES = {np.dtype(code): name for name, code in _DTYPES.items() if name != "BF16"}


def is_safetensors(path: Path) -> bool:
    """Whether a file name ends in .safetensors."""
    return path.suffix.lower() == SAFETENSORS


def write_safetensors(path: Path, arrays: Mapping[str, np.ndarray], metadata: Mapping[str, str] | None = None) -> None:
    """Create or replace `path` atomically; raises SnapshotError.

    Args:
        metadata: further texts of the header, which readers of arrays ignore.
    """
    kept = {name: np.ascontiguousarray(a, a.dtype.newbyteorder("<")) for name, a in arrays.items()}
    header = header_of({name: (a.dtype, arrays[name].shape) for name, a in kept.items()}, metadata or {})
    parts = [memoryview(a.tobytes()) for a in kept.values()]
    write_bytes(path, with_checksum(header, parts), *parts)


def header_of(arrays: Mapping[str, tuple[np.dtype, tuple[int, ...]]], metadata: Mapping[str, str]) -> bytes:
    """What comes before the numbers of arrays with these dtypes and shapes; its checksum is still 0."""
    header: dict[str, Any] = {"__metadata__": {CHECKSUM: "00000000", **metadata}}
    end = 0
    for name, (dtype, shape) in arrays.items():
        start, end = end, end + math.prod(shape) * dtype.itemsize
        header[name] = {"dtype": _NAMES[dtype], "shape": list(shape), "data_offsets": [start, end]}
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text


def with_checksum(header: bytes, parts: Iterable[bytes | memoryview]) -> bytes:
    """The header with the CRC-32 of the whole file, computed with zeros in its place."""
    sum = zlib.crc32(header)
    for part in parts:
        sum = zlib.crc32(part, sum)
    return header.replace(_UNKNOWN, b'"%s":"%08x"' % (CHECKSUM.encode(), sum), 1)


def read_metadata(path: str | os.PathLike[str], refuse: Refuse) -> dict[str, str]:
    """The texts of a file's header that are no arrays; raises as read_safetensors."""
    with guarded(refuse):
        texts = _parsed(read_bytes(path))[0].get("__metadata__", {})
        if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
            raise ValueError("its metadata are not texts")
        return texts


def read_safetensors(path: str | os.PathLike[str], refuse: Refuse) -> dict[str, np.ndarray]:
    """The arrays of a file by name.

    Raises:
        the error that refuse() makes: no such file, or something in it does not fit the format.
    """
    with guarded(refuse):
        content = read_bytes(path)
        header, start = _header(content)
    arrays: dict[str, np.ndarray] = {}
    places: list[tuple[int, int]] = []
    for name, entry in header.items():
        with guarded(refuse, f"array {name!r}"):
            arrays[name], place = _tensor(memoryview(content)[start:], entry)
            places.append(place)
    if not _without_gaps(places, len(content) - start):
        raise refuse(Fault("its arrays overlap, or leave bytes out"))
    return arrays


def _header(content: bytes) -> tuple[dict[str, Any], int]:
    """The entries of the arrays, whose checksum has been compared, and where their numbers begin."""
    header, start = _parsed(content)
    _verify(content, start, header.pop("__metadata__", None))
    return header, start


def _parsed(content: bytes) -> tuple[dict[str, Any], int]:
    """The header, and where the numbers begin."""
    size = int.from_bytes(content[:8], "little")
    if len(content) < 8 or size > min(_HEADER_BYTES, len(content) - 8):
        raise ValueError(f"it states a header of {size:,} bytes and has {len(content):,} in all")
    header = json.loads(content[8 : 8 + size].decode("utf-8"), object_pairs_hook=_distinct)
    if not isinstance(header, dict):
        raise ValueError("its header is not an object of JSON")
    return header, 8 + size


def _verify(content: bytes, start: int, metadata: Any) -> None:
    """Compare the checksum, which files of other programs do not have."""
    stated = metadata.get(CHECKSUM) if isinstance(metadata, dict) else None
    if stated is None:
        return
    mark = b'"%s":"' % CHECKSUM.encode()
    at = content.find(mark, 8, start) + len(mark)
    body = memoryview(content)
    sum = zlib.crc32(body[at + 8 :], zlib.crc32(b"00000000", zlib.crc32(body[:at])))
    if stated != f"{sum:08x}":
        raise ValueError(f"its checksum is {sum:08x}, and it states {stated!r:.40}")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("its header has a name twice")
    return dict(pairs)


def _tensor(numbers: memoryview, entry: Any) -> tuple[np.ndarray, tuple[int, int]]:
    """The array of an entry, and the range of its bytes."""
    dtype, shape, (start, end) = entry["dtype"], entry["shape"], entry["data_offsets"]
    if dtype not in _DTYPES:
        raise ValueError(f"it holds {dtype}, expected {' '.join(_DTYPES)}")
    if not all(type(n) is int and n >= 0 for n in (*shape, start, end)):
        raise ValueError("its shape or its place is not made of integers >= 0")
    code = np.dtype(_DTYPES[dtype])
    n_bytes = math.prod(shape) * code.itemsize
    if end - start != n_bytes or end > len(numbers):
        raise ValueError(f"it states {n_bytes:,} bytes of numbers at {start:,} to {end:,} of {len(numbers):,}")
    flat = np.frombuffer(numbers[start:end], code).reshape(shape)
    if dtype == "BF16":
        return (flat.astype(np.uint32) << 16).view(np.float32), (start, end)
    return flat.astype(np.float32 if dtype == "F16" else code.newbyteorder("=")), (start, end)


def _without_gaps(places: list[tuple[int, int]], size: int) -> bool:
    """Whether ranges follow one another from 0 to `size`."""
    reached = 0
    for start, end in sorted(places):
        if start != reached:
            return False
        reached = end
    return reached == size
