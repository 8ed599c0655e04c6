"""Images as arrays: files read, channels converted, sizes changed, a mean image subtracted.

An image is an array (height, width, channels) of float64 in [0, 1], RGB; images of a folder are uint8 instead, and
Pillow resizes them. Only reading files needs Pillow.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base import rules
from mochac.base.errors import DataError, OptionError, SnapshotError
from mochac.base.files.array_files import read_npy
from mochac.base.files.atomic import write_hdf5
from mochac.base.files.caffe_binary import read_mean
from mochac.base.files.class_folders import FORMATS
from mochac.base.files.hdf5_file import open_hdf5
from mochac.base.files.reading import DEFLATE_RATIO, Fault, Refuse, guarded, regular_size
from mochac.base.support.array_like import as_array
from mochac.base.support.memory import fits


def load_mean(path: str | os.PathLike[str]) -> np.ndarray:
    """A mean image from .binaryproto (which needs protobuf), .npy, or HDF5 with a dataset `mean`.

    Returns:
        (channels, height, width), without leading axes of extent 1.

    Raises:
        SnapshotError: it cannot be read. OptionError: protobuf is not installed.
    """
    file = Path(rules.path().check("path", path, "caffe.load_mean"))
    if file.suffix == ".binaryproto":
        return read_mean(file)
    npy = file.suffix == ".npy"
    mean = read_npy(file, lambda fault: _refused(file, fault, "a .npy file")) if npy else _hdf5(file)
    while mean.ndim > 3 and len(mean) == 1:
        mean = mean[0]
    return mean


def save_mean_hdf5(path: str | os.PathLike[str], mean: np.ndarray) -> None:
    """Write (channels, height, width) as the dataset `mean` (1, channels, height, width), as Mocha's tool does."""
    write_hdf5(Path(path), lambda file: file.create_dataset("mean", data=mean[None]))


def _hdf5(path: Path) -> np.ndarray:
    with open_hdf5(path, lambda fault: _refused(path, fault, "an HDF5 file")) as file:
        mean = file.array("mean", kinds="fiub")
        if mean is None:
            got = " ".join(file.names()) or "an empty file"
            raise SnapshotError(f"{path} has no dataset 'mean'", expected="numbers", got=got)
        return mean


def _refused(path: Path, fault: Fault, expected: str) -> SnapshotError:
    if fault.missing:
        return SnapshotError(f"no mean file {path}")
    return SnapshotError(f"cannot read the mean from {path}", expected=expected, got=str(fault))


BYTES_A_PIXEL = 4 * (1 + 8 + 8)
"""Memory needed to decode an image: as bytes, as floats, and scaled."""

SMALL_PIXELS, PIXELS_A_BYTE = 1 << 22, 2 * DEFLATE_RATIO
"""An image with more pixels than the first has at most the second per byte of its file; PNG and GIF compress no
better."""

LUMA = (0.299, 0.587, 0.114)
"""Weights of red, green and blue in grey (ITU-R BT.601, as in Pillow)."""


BEYOND = 0.25
"""How far floats may be outside of [0, 1], as some are after a bicubic resize."""


def read_image(source: Any) -> np.ndarray:
    """An image from a file, or from an array (height, width[, channels]) of uint8 in 0 .. 255, uint16 in 0 .. 65535, or
    floats in 0 .. 1.

    Raises:
        DataError: the file or the array is not an image. OptionError: Pillow is not installed.
    """
    if isinstance(source, (str, os.PathLike)):
        return _decoded(Path(source))
    try:
        array = as_array(source)
    except ValueError as error:
        raise DataError("not an image", got=str(error)) from None
    if array.ndim == 2:
        array = array[:, :, None]
    if array.ndim != 3 or not array.size or array.dtype.kind not in "fub":
        wanted = "a file name or an array (height, width[, channels]) of uint8, or of floats in [0, 1]"
        raise DataError("not an image", expected=wanted, got=f"{array.dtype} {array.shape}")
    pixels = array.astype(np.float64) / (np.iinfo(array.dtype).max if array.dtype.kind == "u" else 1)
    if not np.isfinite(pixels).all():
        raise DataError("the image has pixels that are not finite", got=f"{array.dtype} {array.shape}")
    least, most = float(pixels.min()), float(pixels.max())
    if least < -BEYOND or most > 1 + BEYOND:
        hint = "floats of 0 .. 255: image / 255, or image.astype(np.uint8)" if least >= 0 else ""
        rule = "an image of floats is not in [0, 1]"
        raise DataError(rule, expected="floats in [0, 1], or uint8", got=f"{least:g} .. {most:g}", hint=hint)
    return pixels


def with_channels(image: np.ndarray, channels: int) -> np.ndarray:
    """The image with this many channels: grey to RGB, RGB to grey, or without a fourth channel (transparency).

    Raises:
        DataError: there is no such conversion.

    >>> with_channels(np.full((1, 1, 3), 0.5), 1).round(6).tolist()
    [[[0.5]]]
    """
    have = image.shape[2]
    if have == channels:
        return image
    if have == 1:
        return np.repeat(image, channels, axis=2)
    if have == 4 and channels in (1, 3):
        return with_channels(image[:, :, :3], channels)
    if have == 3 and channels == 1:
        return image @ np.array(LUMA)[:, None]
    raise _other_channels(image.shape, channels)


def _other_channels(shape: tuple[int, ...], channels: int) -> DataError:
    """The error for an image (height, width, channels) that does not have these channels, and cannot be converted to
    them."""
    expected = f"(height, width) or (height, width, {channels})"
    hint = "channels come last: image.transpose(1, 2, 0)" if shape[0] in (1, 3, 4, channels) else ""
    return DataError("the image has another number of channels", expected=expected, got=str(shape), hint=hint)


def resized(image: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """The image at another (height, width), by linear interpolation between centres of pixels, with a wider filter when
    shrinking. This is Pillow's BILINEAR filter, in floating point.

    >>> resized(np.array([[[0.0], [1.0]]]), (1, 4)).ravel().tolist()
    [0.0, 0.25, 0.75, 1.0]
    """
    rows, columns = (_weights(old, new) for old, new in zip(image.shape[:2], size, strict=True))
    return np.einsum("ph,hwc,qw->pqc", rows, image, columns, optimize=True)


def centre(image: np.ndarray, size: tuple[int, int], first_axis: int = 0) -> np.ndarray:
    """The centre of an image: `size` elements of the two axes from `first_axis` on, from floor((old - new) / 2)."""
    index: list[Any] = [slice(None)] * image.ndim
    for k, new in enumerate(size):
        start = (image.shape[first_axis + k] - new) // 2
        index[first_axis + k] = slice(start, start + new)
    return image[tuple(index)]


def _weights(old: int, new: int) -> np.ndarray:
    """(new, old): the weight of each old pixel in each new one."""
    scale = old / new
    reach = max(1.0, scale)
    centres = (np.arange(new)[:, None] + 0.5) * scale
    distance = np.abs(np.arange(old)[None, :] + 0.5 - centres) / reach
    weights = np.maximum(0.0, 1.0 - distance)
    return weights / weights.sum(axis=1, keepdims=True)


@contextmanager
def opened(path: str | Path | bytes, refuse: Refuse) -> Iterator[Any]:
    """An image file, or the bytes of one, opened by Pillow, in one of FORMATS and of a size that can be decoded; on
    failure, raise refuse(fault).

    Raises:
        OptionError: Pillow is not installed.
    """
    image = _pillow()
    with guarded(refuse):
        n_bytes = len(path) if isinstance(path, bytes) else regular_size(path)
        with image.open(BytesIO(path) if isinstance(path, bytes) else path, formats=tuple(FORMATS)) as file:
            n_pixels = file.width * file.height
            if n_pixels > max(SMALL_PIXELS, PIXELS_A_BYTE * n_bytes):
                raise ValueError(f"it states {n_pixels:,} pixels in a file of {n_bytes:,} bytes")
            if not fits(n_pixels * BYTES_A_PIXEL):
                raise MemoryError
            yield file


def _decoded(path: Path) -> np.ndarray:
    with opened(path, lambda fault: _unread(path, fault)) as file:
        grey = _is_grey(file)
        picture = file if file.mode.startswith(("I", "F")) else file.convert("L" if grey else "RGB")
        pixels = np.asarray(picture)
    return read_image(pixels if pixels.dtype.kind == "u" else pixels / 65535)  # older Pillows return int32 for 16 bits


def decoded_bytes(data: bytes, refuse: Refuse) -> np.ndarray:
    """The pixels of an image file's bytes, (height, width, 1 or 3), uint8; raises refuse(fault)."""
    with opened(data, refuse) as file:
        return pixels_of(as_bytes(file, 1 if _is_grey(file) else 3))


def _is_grey(file: Any) -> bool:
    return file.mode in ("1", "L", "I", "I;16", "F")


def as_bytes(file: Any, channels: int) -> Any:
    """An opened image as Pillow's RGB or grey image of bytes; transparency is dropped."""
    if file.mode.startswith(("I", "F")):  # 16 bits, which convert() would cut off at 255
        from PIL import Image

        pixels = np.asarray(file)
        file = Image.fromarray((pixels // 257 if pixels.dtype.kind in "iu" else pixels * 255).astype(np.uint8))
    if "transparency" in file.info:
        file = file.convert("RGBA")
    return file.convert("RGB" if channels == 3 else "L")


def covering(picture: Any, size: tuple[int, int]) -> Any:
    """A Pillow image at another (height, width): resized until it covers that, its centre cut out."""
    height, width = size
    if picture.size == (width, height):
        return picture
    scale = min(picture.width / width, picture.height / height)
    left, top = (picture.width - scale * width) / 2, (picture.height - scale * height) / 2
    return cut(picture, (top, left, scale * height, scale * width), size)


def cut(picture: Any, box: tuple[float, float, float, float], size: tuple[int, int]) -> Any:
    """The part (top, left, height, width) of a Pillow image at another (height, width)."""
    top, left, height, width = box
    edges = (left, top, min(left + width, picture.width), min(top + height, picture.height))
    return picture.resize((size[1], size[0]), resample=2, box=edges)  # 2: bilinear, over all pixels when it shrinks


def read_covering(file: Any, channels: int, size: tuple[int, int]) -> np.ndarray:
    """An opened image as ImageFolderLayer reads it, (height, width, channels), uint8."""
    if file.format == "JPEG":
        file.draft("RGB" if channels == 3 else "L", size[::-1])  # decoded at a smaller scale
    return pixels_of(covering(as_bytes(file, channels), size))


def as_in_folder(source: Any, channels: int, size: tuple[int, int]) -> np.ndarray:
    """An image from a file or an array, as read_image() takes them, read as ImageFolderLayer reads files.

    Raises:
        DataError: the file or the array is not an image. OptionError: Pillow is not installed.
    """
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        with opened(path, lambda fault: _unread(path, fault)) as file:
            return read_covering(file, channels, size)
    pixels = np.rint(read_image(source) * 255).clip(0, 255).astype(np.uint8)
    if pixels.shape[2] not in (1, 3, 4):
        raise _other_channels(pixels.shape, channels)
    picture = _pillow().fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels)
    return pixels_of(covering(as_bytes(picture, channels), size))


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError:
        hint = "install it: pip install 'mochac[images]'; arrays need nothing"
        raise OptionError("reading image files needs the package Pillow", hint=hint) from None
    return Image


def pixels_of(picture: Any) -> np.ndarray:
    """A Pillow image of bytes as (height, width, channels), uint8."""
    pixels = np.asarray(picture)
    return pixels[:, :, None] if pixels.ndim == 2 else pixels


def _unread(path: Path, fault: Fault) -> DataError:
    return (
        DataError(f"no image file {path}")
        if fault.missing
        else DataError(f"cannot read image {path}", details=[str(fault)])
    )
