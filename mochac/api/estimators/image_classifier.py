"""ImageClassifier: preprocesses images as in training, and predicts names of classes with a compiled net."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from mochac.api.compiler import compile
from mochac.api.program import Program
from mochac.base.errors import DataError, OptionError, ShapeError, shown
from mochac.base.files.reading import guarded, read_text
from mochac.base.rules import Rule, boolean, integer, or_none, real
from mochac.base.support.array_like import NotAnArray, as_array, is_array
from mochac.nets.layers.base import Source
from mochac.nets.layers.data import ImageFolderLayer
from mochac.nets.net import Net
from mochac.runtime.data.images import as_in_folder, centre, load_mean, read_image, resized, with_channels

Ranking = list[tuple[str, float]]
"""Classes with their probabilities, the most probable first."""


class ImageClassifier:
    """Classifies images with a net.

    An image is a file (which needs Pillow) or an array (height, width[, channels]) of uint8 or floats in [0, 1], RGB.
    It is converted to grey or RGB for the input of the net, resized to `image_size`, cropped at the centre to the size
    of the input, transposed to channels first with channels in `channel_order`, and scaled:

        (pixels * raw_scale - mean) * scale

    This is the order of Caffe's Python classifier. Transformers of the net's data layer are applied afterwards.
    Images of a net that was trained by ImageFolderLayer are read as that layer reads them, without `augment`: then
    `image_size`, `mean`, `raw_scale`, `scale`, `channel_order`, `sp_order` and `grayscale` must not be given.

    Args:
        net: a Net, which is compiled, or a Program, which close() leaves open.
        model: parameters to load: HDF5 model, snapshot or .caffemodel; "" for none.
        blob: the probabilities of the classes; None: the top of the only Softmax layer, or else the softmax of the
            output of predict().
        classes: names, or a text file with a name per line; by default those of ImageFolderLayer, or "0", "1", ...
        image_size: (height, width) to resize to before cropping; None: the size of the input.
        mean: a number, a number per channel, an array (channels, height, width) of the size of the input or
            `image_size`, or a file: .binaryproto, HDF5 with a dataset `mean`, .npy.
        raw_scale, scale: factors before and after subtracting the mean, by default 1; Caffe's nets need raw_scale=255.
        channel_order: the order of R, G and B, such as (2, 1, 0) for BGR, which Caffe's nets need.
        sp_order: (1, 0) exchanges rows and columns of images first, for a net that was trained so; (0, 1) does not.
        grayscale: True: colours become grey, in all channels of the net; None: if the net has one channel.
        options: for mochac.compile, if `net` is a Net.

    Raises:
        OptionError: a bad argument. SnapshotError, DataError: a file cannot be read. ShapeError: the mean does not fit.

    >>> from mochac.nets.layers.inner_product import InnerProductLayer
    >>> from mochac.nets.layers.data import MemoryDataLayer
    >>> data = MemoryDataLayer(data=[np.zeros((2, 1, 4, 4))], batch_size=2, tops=["data"])
    >>> net = Net("two", [data, InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])])
    >>> with ImageClassifier(net, classes=["cat", "dog"]) as classifier:
    ...     len(classifier.classify(np.zeros((8, 6)), k=1))
    1
    """

    def __init__(
        self,
        net: Net | Program,
        model: str | os.PathLike[str] = "",
        *,
        blob: str | None = None,
        classes: Sequence[str] | str | os.PathLike[str] = (),
        image_size: tuple[int, int] | int | None = None,
        mean: Any = None,
        raw_scale: float | None = None,
        scale: float | None = None,
        channel_order: Sequence[int] | None = None,
        sp_order: Sequence[int] | None = None,
        grayscale: bool | None = None,
        **options: Any,
    ) -> None:
        whole = net.net if isinstance(net, Program) else net
        if not isinstance(whole, Net):
            raise OptionError("ImageClassifier needs a net", expected="a Net or a Program", got=shown(net))
        layer, self._input, (self.channels, *size) = _image_input(whole)
        self._in_folder = isinstance(layer, ImageFolderLayer)
        if isinstance(layer, ImageFolderLayer):
            _refuse_options(
                layer, image_size=image_size, mean=mean, raw_scale=raw_scale, scale=scale, channel_order=channel_order,
                sp_order=sp_order, grayscale=grayscale,
            )  # fmt: skip
            classes = classes or layer.classes
        self.input_size: tuple[int, int] = (size[0], size[1])
        self.image_size = _size(image_size, self.input_size)
        self._blob, self._squash = _probabilities(whole, blob)
        self.classes = _names(classes, whole.blobs[self._blob].shape)
        self._order = _order("channel_order", channel_order, self.channels)
        self._axes = _order("sp_order", sp_order, 2)
        self._grey = _grey(grayscale, self.channels)
        self._raw_scale, self._scale = _factor("raw_scale", raw_scale), _factor("scale", scale)
        self._mean = _fitted_mean(mean, self.channels, self.image_size, self.input_size)
        self._own = not isinstance(net, Program)
        self.program = net if isinstance(net, Program) else compile(net, **options)
        if model:
            self.program.load(Path(model))

    def classify(self, images: Any, k: int = 5) -> Ranking | list[Ranking]:
        """The k most probable classes of an image, best first; for several images (a list, or an array with 4 axes), a
        list of these.

        Raises:
            OptionError: k is not an integer >= 1. DataError: an image cannot be read, is of floats beyond [0, 1], or
                has another number of channels.
        """
        k = integer(1).check("k", k)
        rankings = [self._ranking(row, k) for row in self.probabilities(images)]
        return rankings[0] if _is_one(images) else rankings

    def probabilities(self, images: Any) -> np.ndarray:
        """Probabilities (images, classes) of one or several images."""
        images = [images] if _is_one(images) else list(images)
        shape = (0, self.channels, *self.input_size)
        prepared = np.stack([self.preprocess(image) for image in images]) if images else np.zeros(shape, np.float32)
        out = self.program.predict({self._input: prepared}, blob=self._blob)
        rows = out.reshape(len(images), len(self.classes)).astype(np.float64)
        return _softmax(rows) if self._squash else rows

    def preprocess(self, image: Any) -> np.ndarray:
        """An image, preprocessed for the net: (channels, height, width), float32."""
        if self._in_folder:
            return as_in_folder(image, self.channels, self.input_size).transpose(2, 0, 1).astype(np.float32)
        pixels = read_image(image).transpose(*self._axes, 2)
        pixels = with_channels(pixels, 1) if self._grey else pixels
        pixels = resized(with_channels(pixels, self.channels), self.image_size)
        cut = centre(pixels, self.input_size).transpose(2, 0, 1)[list(self._order)]
        return ((cut * self._raw_scale - self._mean) * self._scale).astype(np.float32)

    def close(self) -> None:
        """Release the program, if it was compiled here."""
        if self._own:
            self.program.close()

    def __enter__(self) -> ImageClassifier:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ranking(self, row: np.ndarray, k: int) -> Ranking:
        return [(self.classes[c], float(row[c])) for c in np.argsort(-row, kind="stable")[:k]]


def _is_one(images: Any) -> bool:
    """Whether it is a single image: a file, or an array with two or three axes."""
    if isinstance(images, (str, os.PathLike)):
        return True
    of_objects = isinstance(images, np.ndarray) and images.dtype.kind == "O"  # such as an array of file names
    return is_array(images) and not of_objects and np.ndim(images) in (2, 3)


def _refuse_options(layer: ImageFolderLayer, **options: Any) -> None:
    for name, value in options.items():
        if value is not None:
            rule = f"{name} does not apply: ImageFolderLayer {layer.name!r} says how images are read"
            raise OptionError(rule, hint="its size, channels and transformers are those of training")


def _image_input(net: Net) -> tuple[Source, str, tuple[int, ...]]:
    """The data layer whose top holds images, that top, and its (channels, height, width)."""
    tops = net.data_tops
    of_images = [(source, top) for source in net.sources for top in source.tops if len(net.blobs[top].shape) == 4]
    if len(of_images) != 1:
        shapes = ", ".join(f"{top!r} {net.blobs[top].shape}" for top in tops) or "no data layer"
        wanted = "one top (batch, channels, height, width) of the data layers"
        raise OptionError(f"net {net.name!r} does not take images", expected=wanted, got=shapes)
    layer, top = of_images[0]
    return layer, top, net.blobs[top].shape[1:]


def _probabilities(net: Net, blob: str | None) -> tuple[str, bool]:
    """The blob to read, and whether to apply softmax to it."""
    if blob is not None:
        return net.checked_blob(blob), False
    blobs = [layer.tops[0] for layer in net.layers if layer.kind == "Softmax"]
    return (blobs[0], False) if len(blobs) == 1 else (net.prediction_blob(), True)


def _names(classes: Sequence[str] | str | os.PathLike[str], shape: tuple[int, ...]) -> list[str]:
    count = int(np.prod(shape[1:]))
    if isinstance(classes, (str, os.PathLike)):
        file = os.fspath(classes)
        with guarded(lambda fault: DataError(f"cannot read the classes from {file}", got=fault.reason)):
            lines = read_text(file).splitlines()
        classes = [line.strip() for line in lines if line.strip()]
    names = [str(name) for name in classes] or [str(k) for k in range(count)]
    if len(names) != count:
        raise OptionError("the net has another number of classes", expected=str(count), got=f"{len(names)} names")
    return names


def _size(size: tuple[int, int] | int | None, least: tuple[int, int]) -> tuple[int, int]:
    if size is None:
        return least

    def convert(value: Any) -> tuple[int, int]:
        height, width = value if isinstance(value, (tuple, list)) else (value, value)
        return integer(least[0]).convert(height), integer(least[1]).convert(width)

    return Rule(f"(height, width), at least the input size {least}", convert).check("image_size", size)


def _order(name: str, numbers: Sequence[int] | None, n: int) -> tuple[int, ...]:
    order = tuple(range(n)) if numbers is None else tuple(numbers)
    if sorted(order) != list(range(n)):
        hint = "Mocha counts from 1" if sorted(order) == list(range(1, n + 1)) else ""
        wanted = f"the numbers 0 to {n - 1} in some order"
        raise OptionError(f"{name} is out of range", expected=wanted, got=shown(numbers), hint=hint)
    return order


def _grey(grayscale: bool | None, channels: int) -> bool:
    """Whether images are made grey."""
    grayscale = or_none(boolean()).check("grayscale", grayscale)
    if grayscale is False and channels == 1:
        raise OptionError("grayscale=False does not fit the net", expected="True or None", got="a net of one channel")
    return channels == 1 if grayscale is None else bool(grayscale)


def _factor(name: str, value: Any) -> float:
    return real().check(name, 1.0 if value is None else value)


def _fitted_mean(mean: Any, channels: int, image_size: tuple[int, int], input_size: tuple[int, int]) -> np.ndarray:
    """The mean as an array that broadcasts to (channels, *input_size)."""
    try:
        array = load_mean(mean) if isinstance(mean, (str, os.PathLike)) else as_array(0.0 if mean is None else mean)
    except NotAnArray as error:
        raise OptionError("the mean is not an array of numbers", got=str(error)) from None
    if array.ndim in (0, 1) and array.size in (1, channels):
        return array.reshape(-1, 1, 1).astype(np.float64)
    kept = array.reshape(array.shape[-3:]) if array.ndim == 4 and len(array) == 1 else array
    if kept.shape in ((channels, *image_size), (channels, *input_size)):
        return centre(kept.astype(np.float64), input_size, first_axis=1)
    wanted = f"({channels},), {(channels, *input_size)} or {(channels, *image_size)}"
    raise ShapeError("the mean does not fit the images of the net", expected=wanted, got=str(array.shape))


def _softmax(rows: np.ndarray) -> np.ndarray:
    powers = np.exp(rows - rows.max(axis=1, keepdims=True, initial=-np.inf))
    return powers / powers.sum(axis=1, keepdims=True)
