"""Download MNIST's four official files, check them, and convert them to HDF5 as Mocha's convert.jl does.

    python get_mnist.py                    download into data/, then convert
    python get_mnist.py --from DIR         read the four files (idx or idx.gz) from a folder instead
    python get_mnist.py --to DIR           write to another folder than data/ beside this script

Downloads resume where they stopped, and try the next mirror when one fails. Checksums are those of the unpacked files,
so a file that was compressed again is accepted too.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import http.client
import sys
import urllib.error
import urllib.request
import zlib
from pathlib import Path

import h5py
import numpy as np

HERE = Path(__file__).resolve().parent

MIRRORS = (
    "https://ossci-datasets.s3.amazonaws.com/mnist/",
    "https://storage.googleapis.com/cvdf-datasets/mnist/",
    "https://yann.lecun.com/exdb/mnist/",
)

SHA256 = {  # of the unpacked files
    "train-images-idx3-ubyte": "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
    "train-labels-idx1-ubyte": "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
    "t10k-images-idx3-ubyte": "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
    "t10k-labels-idx1-ubyte": "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
}

PARTS = {"train": "train", "test": "t10k"}
TIMEOUT_S = 30
MOST_BYTES = 64 << 20  # unpacked, the largest of the four has 47 million
CHUNK_BYTES = 1 << 16


class Failure(Exception):
    """A message for the user."""


def fetch(name: str, folder: Path, mirrors: tuple[str, ...]) -> Path:
    """Return `name`.gz in `folder`, downloading it unless a good copy is there.

    Raises:
        Failure: it could not be downloaded from any mirror.
    """
    path = folder / f"{name}.gz"
    if path.exists() and good(path):
        return path
    partial = path.with_suffix(".gz.part")
    problems = []
    for mirror in mirrors:
        try:
            download(f"{mirror}{name}.gz", partial)
        except (OSError, http.client.HTTPException) as error:  # URLError is an OSError
            problems.append(f"{mirror}: {getattr(error, 'reason', error)}")
            continue
        if good(partial, name):
            return partial.replace(path)
        problems.append(f"{mirror}: wrong checksum")
        partial.unlink()
    lines = "\n  ".join(problems)
    raise Failure(
        f"cannot download {name}.gz\n  {lines}\n"
        "  the part downloaded so far is kept: run this again to continue.\n"
        "  offline? put the four files into a folder and run: get_mnist.py --from FOLDER"
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


def good(path: Path, name: str = "") -> bool:
    """Whether a file, compressed or not, has the official content."""
    name = name or path.name.removesuffix(".gz")
    try:
        return hashlib.sha256(content(path)).hexdigest() == SHA256[name]
    except (OSError, EOFError, zlib.error):
        return False


def content(path: Path) -> bytes:
    """Return the bytes of a file, unpacked if it is gzip, up to a limit above the largest of the four."""
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    with gzip.open(path) if packed else path.open("rb") as file:
        return file.read(MOST_BYTES)


def find(name: str, folder: Path) -> Path:
    """Return `name` or `name`.gz in a user's folder, checked.

    Raises:
        Failure: it is missing, or is not the official file.
    """
    for path in (folder / f"{name}.gz", folder / name):
        if path.exists():
            if not good(path):
                raise Failure(f"{path} is not the official MNIST file (its checksum differs)")
            return path
    raise Failure(f"no {name} or {name}.gz in {folder}")


def read_idx(path: Path) -> np.ndarray:
    """Return the array in an idx file of unsigned bytes: magic 0 0 8 ndim, big-endian extents, data."""
    raw = content(path)
    ndim = raw[3]
    shape = np.frombuffer(raw, ">u4", ndim, offset=4)
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * ndim).reshape(shape)


def convert(part: str, images: Path, labels: Path, folder: Path) -> None:
    """Write `part`.hdf5 and its list file: data (N, 1, 28, 28) in [0, 1), label (N, 1), float32, as Mocha does."""
    pixels = read_idx(images)[:, None].astype(np.float32) / 256
    classes = read_idx(labels)[:, None].astype(np.float32)
    with h5py.File(folder / f"{part}.hdf5", "w") as h5:
        h5["data"], h5["label"] = pixels, classes
    (folder / f"{part}.txt").write_text(f"{part}.hdf5\n")
    print(f"  {folder / part}.hdf5: {len(pixels)} digits")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="MNIST as HDF5 files for mochac.")
    parser.add_argument("--from", dest="source", type=Path, metavar="DIR", help="folder with the four files")
    parser.add_argument("--to", type=Path, default=HERE / "data", metavar="DIR", help="folder to write to")
    args = parser.parse_args(argv)
    args.to.mkdir(parents=True, exist_ok=True)
    try:
        files = {name: find(name, args.source) if args.source else fetch(name, args.to, MIRRORS) for name in SHA256}
    except Failure as failure:
        print(f"get_mnist: {failure}", file=sys.stderr)
        return 1
    for part, stem in PARTS.items():
        convert(part, files[f"{stem}-images-idx3-ubyte"], files[f"{stem}-labels-idx1-ubyte"], args.to)
    return 0


if __name__ == "__main__":
    sys.exit(main())
