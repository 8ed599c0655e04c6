"""Download CIFAR-10's official binary version, check it, and convert it to HDF5 as Mocha's convert.jl does.

    python get_cifar10.py                  download into data/, then convert
    python get_cifar10.py --from DIR       read data_batch_1.bin .. data_batch_5.bin and test_batch.bin from a folder
    python get_cifar10.py --to DIR         write to another folder than data/ beside this script

A download resumes where it stopped, and its checksum is compared. Your own files are checked by their layout instead
(size, labels 0 to 9, as many images of each class as CIFAR-10 has), so that a truncated or shifted file is refused.
Pixels stay bytes. The mean image of the training set is written to mean.hdf5, for DataTransformers.SubMean.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import sys
import tarfile
import urllib.error
import urllib.request
from pathlib import Path

import h5py
import numpy as np

HERE = Path(__file__).resolve().parent

MIRRORS = ("https://www.cs.toronto.edu/~kriz/",)
ARCHIVE = "cifar-10-binary.tar.gz"
MD5 = "c32a1d4ab5d03f1284b67883e8d87530"  # as www.cs.toronto.edu/~kriz/cifar.html gives it

PARTS = {"train": tuple(f"data_batch_{k}.bin" for k in range(1, 6)), "test": ("test_batch.bin",)}
IMAGE = (3, 32, 32)  # planes R, G, B, row by row
RECORD_BYTES = 1 + 3 * 32 * 32  # the label, then the image
RECORDS = 10000  # a file
CLASSES = 10
TIMEOUT_S = 30
CHUNK_BYTES = 1 << 16


class Failure(Exception):
    """A message for the user."""


def fetch(folder: Path, mirrors: tuple[str, ...]) -> Path:
    """Return the archive in `folder`, downloading it unless a good copy is there.

    Raises:
        Failure: it could not be downloaded from any mirror.
    """
    path = folder / ARCHIVE
    if path.exists() and good(path):
        return path
    partial = folder / f"{ARCHIVE}.part"
    problems = []
    for mirror in mirrors:
        try:
            download(mirror + ARCHIVE, partial)
        except (OSError, http.client.HTTPException) as error:  # URLError is an OSError
            problems.append(f"{mirror}: {getattr(error, 'reason', error)}")
            continue
        if good(partial):
            return partial.replace(path)
        problems.append(f"{mirror}: wrong checksum")
        partial.unlink()
    lines = "\n  ".join(problems)
    raise Failure(
        f"cannot download {ARCHIVE}\n  {lines}\n"
        "  the part downloaded so far is kept: run this again to continue.\n"
        "  offline? unpack it into a folder and run: get_cifar10.py --from FOLDER"
    )


def download(url: str, partial: Path) -> None:
    """Append the missing part of `url` to `partial`."""
    have = partial.stat().st_size if partial.exists() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        response = urllib.request.urlopen(request, timeout=TIMEOUT_S)
    except urllib.error.HTTPError as error:
        if have and error.code == 416:  # nothing is missing
            return
        raise
    with response, partial.open("ab" if response.status == 206 else "wb") as file:
        expected = response.headers.get("Content-Length")
        got = 0
        while block := response.read(CHUNK_BYTES):
            got += file.write(block)
    if expected is not None and got < int(expected):
        raise http.client.IncompleteRead(b"", int(expected) - got)
    print(f"  {url}")


def good(path: Path) -> bool:
    """Whether a file is the official archive."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "md5").hexdigest() == MD5


def unpack(archive: Path, folder: Path) -> None:
    """Extract the binary files of the archive directly into `folder`."""
    wanted = {name for names in PARTS.values() for name in names}
    with tarfile.open(archive) as tar:
        for member in tar:
            name = Path(member.name).name
            if name in wanted and (file := tar.extractfile(member)):
                (folder / name).write_bytes(file.read())


def read(part: str, folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return the images (N, 3, 32, 32) and labels (N,) of "train" or "test", as bytes.

    Raises:
        Failure: a file is missing or is not CIFAR-10.
    """
    records = np.concatenate([read_file(folder / name) for name in PARTS[part]])
    labels, images = records[:, 0], records[:, 1:].reshape(-1, *IMAGE)
    counts = np.bincount(labels, minlength=CLASSES)
    if (counts != len(labels) // CLASSES).any():
        raise Failure(f"the {part} images in {folder} are not CIFAR-10: the classes have {counts.tolist()} images")
    return images, labels


def read_file(path: Path) -> np.ndarray:
    """Return the records of a file, one per row."""
    if not path.exists():
        raise Failure(f"no {path.name} in {path.parent}")
    size, expected = path.stat().st_size, RECORDS * RECORD_BYTES
    if size != expected:
        raise Failure(f"{path} is damaged: it has {size} bytes, not {expected}")
    records = np.fromfile(path, np.uint8).reshape(-1, RECORD_BYTES)
    wrong = np.flatnonzero(records[:, 0] >= CLASSES)
    if len(wrong):
        raise Failure(f"{path} is damaged: record {wrong[0]} has the label {records[wrong[0], 0]}, not 0 to 9")
    return records


def convert(source: Path, folder: Path) -> None:
    """Write train.hdf5 and test.hdf5 with their list files, and mean.hdf5: `mean` (1, 3, 32, 32), float32."""
    parts = {part: read(part, source) for part in PARTS}  # nothing is written unless both are good
    for part, (images, labels) in parts.items():
        with h5py.File(folder / f"{part}.hdf5", "w") as h5:
            h5["data"], h5["label"] = images, labels[:, None]
        (folder / f"{part}.txt").write_text(f"{part}.hdf5\n")
        print(f"  {folder / part}.hdf5: {len(images)} images")
    with h5py.File(folder / "mean.hdf5", "w") as h5:
        h5["mean"] = parts["train"][0].mean(axis=0, dtype=np.float64)[None].astype(np.float32)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="CIFAR-10 as HDF5 files for mochac.")
    parser.add_argument("--from", dest="source", type=Path, metavar="DIR", help="folder with the six binary files")
    parser.add_argument("--to", type=Path, default=HERE / "data", metavar="DIR", help="folder to write to")
    args = parser.parse_args(argv)
    args.to.mkdir(parents=True, exist_ok=True)
    try:
        if not args.source:
            unpack(fetch(args.to, MIRRORS), args.to)
        convert(args.source or args.to, args.to)
    except Failure as failure:
        print(f"get_cifar10: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
