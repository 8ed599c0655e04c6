"""Lists of images, converted to HDF5 files for HDF5DataLayer: one file for each part, such as train and test.

This is `mochac convert LIST.csv FOLDER`, after Mocha's tools/examples/imglist-to-hdf5.jl. Images are read and written
one by one, so the images of a list need not fit into memory.
"""

from __future__ import annotations

import csv
import io
import os
import textwrap
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from mochac.base.errors import DataError
from mochac.base.files.atomic import reason
from mochac.base.files.hdf5_stream import Hdf5Stream
from mochac.base.files.reading import guarded, read_text
from mochac.base.records import record
from mochac.runtime.data.images import read_image, resized, with_channels

MAX_NAME, MAX_PATH = 200, 4096
"""Limits: bytes in a label, and in the name of a part, which becomes a file name; characters in the path of an
image."""

COLUMNS = ("ImageName", "Label", "TrainTest")


@record
class ListedImage:
    """A line of a list: file, label as written, part, and line number."""

    image: Path
    label: str
    part: str
    line: int


@record
class ImageFormat:
    """How images are stored.

    Attributes:
        size: (height, width) to resize to; None: all must have the size of the first.
        channels: 1 or 3.
        channel_order: which of R, G, B comes first, second and third.
        scale: factor of the pixels, which are in [0, 1].
    """

    size: tuple[int, int] | None = None
    channels: int = 3
    channel_order: tuple[int, ...] = (0, 1, 2)
    scale: float = 1.0


def read_list(path: Path) -> list[ListedImage]:
    """The rows of a CSV file ImageName,Label,TrainTest, with or without that header; paths are relative to its folder.

    Raises:
        DataError: it cannot be read, a row does not have three columns, or there are no rows.
    """
    with guarded(lambda fault: DataError(f"cannot read {path}", got=fault.reason)):
        lines = csv.reader(io.StringIO(read_text(path)))
        rows = [(k, [cell.strip() for cell in row]) for k, row in enumerate(lines, 1) if row]
    if rows and [cell.lower() for cell in rows[0][1]] == [name.lower() for name in COLUMNS]:
        rows = rows[1:]
    for line, cells in rows:
        if not _is_row(cells):
            got = textwrap.shorten(",".join(cells), 200, placeholder="...")
            raise DataError("not a row of an image list", expected=",".join(COLUMNS), got=got, at=f"{path}:{line}")
    if not rows:
        raise DataError(f"{path} lists no images", expected=",".join(COLUMNS))
    return [ListedImage(path.parent / image, label, part, line) for line, (image, label, part) in rows]


def label_numbers(rows: Sequence[ListedImage]) -> tuple[list[int], list[str]]:
    """The label of every row as a number, and the names of the classes in that order. Labels that are whole numbers are
    kept, and have no names; others are numbered in alphabetical order.

    >>> label_numbers([ListedImage(Path("a"), "dog", "train", 1), ListedImage(Path("b"), "cat", "train", 2)])
    ([1, 0], ['cat', 'dog'])
    """
    labels = [row.label for row in rows]
    if all(label.isascii() and label.isdigit() for label in labels):
        return [int(label) for label in labels], []
    names = sorted(set(labels))
    return [names.index(label) for label in labels], names


def _is_row(cells: Sequence[str]) -> bool:
    """Whether these are the path of an image, a label, and a part that can be used as a file name."""
    if len(cells) != len(COLUMNS) or not all(cells):
        return False
    image, label, part = cells
    short = len(image) <= MAX_PATH and len(label) <= MAX_NAME and len(part.encode()) <= MAX_NAME
    return short and "/" not in part and os.sep not in part


def write_parts(rows: Sequence[ListedImage], folder: Path, form: ImageFormat) -> list[Path]:
    """For each part write `<part>.hdf5`, with data (num, channels, height, width) and label (num, 1) in float32, and
    the list file `<part>.txt` for HDF5DataLayer; write `classes.txt` if labels are names.

    Returns:
        Paths of the HDF5 files.

    Raises:
        DataError: an image cannot be read or has another size than the first.
    """
    folder.mkdir(parents=True, exist_ok=True)
    numbers, names = label_numbers(rows)
    if names:
        (folder / "classes.txt").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    written: list[Path] = []
    for part in dict.fromkeys(row.part for row in rows):
        chosen = [(row, number) for row, number in zip(rows, numbers, strict=True) if row.part == part]
        path = folder / f"{part}.hdf5"
        _write_part(path, chosen, form)
        (folder / f"{part}.txt").write_text(f"{path.name}\n", encoding="utf-8")
        written.append(path)
    return written


def _write_part(path: Path, rows: Sequence[tuple[ListedImage, int]], form: ImageFormat) -> None:
    first = _pixels(rows[0][0], form)
    try:
        stream = Hdf5Stream(path)
        try:
            _fill(stream, first, rows, form)
        except BaseException:
            stream.discard()
            raise
        stream.finish()
    except OSError as error:
        raise DataError(f"cannot write {path}", got=reason(error)) from None


def _fill(stream: Hdf5Stream, first: np.ndarray, rows: Sequence[tuple[ListedImage, int]], form: ImageFormat) -> None:
    data = stream.file.create_dataset("data", (len(rows), *first.shape), "f4")
    stream.file["label"] = np.array([[number] for _, number in rows], np.float32)
    for k, (row, _) in enumerate(rows):
        pixels = first if k == 0 else _pixels(row, form)
        if pixels.shape != first.shape:
            size, other = str(first.shape[1:]), str(pixels.shape[1:])
            raise DataError(f"image {row.image} has another size", expected=size, got=other, hint="--size H,W")
        data[k] = pixels
        stream.check()


def _pixels(row: ListedImage, form: ImageFormat) -> np.ndarray:
    """An image as (channels, height, width), float32."""
    image = with_channels(read_image(row.image), form.channels)
    if form.size is not None:
        image = resized(image, form.size)
    order = list(form.channel_order) if form.channels == 3 else [0]
    return (image.transpose(2, 0, 1)[order] * form.scale).astype(np.float32)
