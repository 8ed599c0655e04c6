"""Augmentations: random changes of the images of ImageFolderLayer in training, and the Augment namespace.

Users write `augment=(Augment.RandomCrop(pad=4), Augment.RandomFlip())`. Each image is changed in this order, with
random numbers that depend on the seed of the program, the name of the layer, the epoch and the number of the image
only: they are the same for any number of threads, and after a resume.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from mochac.base.records import option
from mochac.base.registry import Namespace
from mochac.base.rules import Refusal, Rule, integer, real
from mochac.nets.layers.config import Config, config

GREY = np.array((0.299, 0.587, 0.114), np.float32)
"""Weights of red, green and blue in grey (ITU-R BT.601, as in Pillow)."""

Draw = np.random.Generator


class Augmentation(Config):
    """Base class of augmentations. One of your own derives from it under `@config` and implements `apply`.

    Attributes:
        cuts: whether it chooses a part of the file's image, by `box`, instead of resizing the whole image; it comes
            first.
    """

    cuts: ClassVar[bool] = False

    def apply(self, image: np.ndarray, draw: Draw) -> np.ndarray:
        """The changed image.

        Args:
            image: (height, width, channels), uint8; not to be changed in place.
            draw: random numbers of this image.
        """
        raise NotImplementedError

    def box(self, height: int, width: int, draw: Draw) -> tuple[float, float, float, float]:
        """If it `cuts`: (top, left, height, width) of the part that is resized to the size of the layer."""
        raise NotImplementedError


@config
class RandomCrop(Augmentation):
    """Moves the image by up to `pad` pixels in each direction, as padding it and cropping it at a random place does.

    Args:
        pad: pixels on each side, >= 1; they are 0 (black).

    >>> image = np.ones((4, 4, 1), np.uint8)
    >>> RandomCrop(pad=1).apply(image, np.random.default_rng(3)).shape
    (4, 4, 1)
    """

    pad: int = option(integer(1), default=4)

    def apply(self, image: np.ndarray, draw: Draw) -> np.ndarray:
        (height, width, _), p = image.shape, self.pad
        down, right = (int(k) - p for k in draw.integers(2 * p + 1, size=2))
        moved = np.zeros_like(image)
        rows, columns = slice(max(0, down), height + min(0, down)), slice(max(0, right), width + min(0, right))
        source = image[max(0, -down) : height - max(0, down), max(0, -right) : width - max(0, right)]
        moved[rows, columns] = source
        return moved


@config
class RandomFlip(Augmentation):
    """Mirrors the image, left to right.

    Args:
        probability: 0 <= probability <= 1.
    """

    probability: float = option(real(0, most=1), default=0.5)

    def apply(self, image: np.ndarray, draw: Draw) -> np.ndarray:
        return image[:, ::-1] if draw.random() < self.probability else image


@config
class ColorJitter(Augmentation):
    """Changes brightness, contrast and saturation, in random order, by factors from [max(0, 1 - x), 1 + x].

    Args:
        brightness: x of the factor of all pixels, >= 0.
        contrast: x of the factor of the distance to the mean of the grey image, >= 0.
        saturation: x of the factor of the distance of each pixel to its grey, >= 0.

    Source: torchvision.transforms.ColorJitter, without hue.

    >>> ColorJitter(brightness=0.0).apply(np.full((1, 1, 3), 7, np.uint8), np.random.default_rng(0)).tolist()
    [[[7, 7, 7]]]
    """

    brightness: float = option(real(0), default=0.0)
    contrast: float = option(real(0), default=0.0)
    saturation: float = option(real(0), default=0.0)

    def apply(self, image: np.ndarray, draw: Draw) -> np.ndarray:
        reach = np.array([self.brightness, self.contrast, self.saturation])
        low = np.maximum(0, 1 - reach)
        factors = low + (1 + reach - low) * draw.random(3)
        pixels = image.astype(np.float32)
        for k in draw.permutation(3):
            if reach[k] > 0:
                pixels = _JITTERS[k](pixels, np.float32(factors[k]))
        return np.rint(pixels).astype(np.uint8)


def _brighter(pixels: np.ndarray, factor: np.float32) -> np.ndarray:
    return np.clip(pixels * factor, 0, 255)


def _towards_mean(pixels: np.ndarray, factor: np.float32) -> np.ndarray:
    return _blended(pixels, _grey(pixels).mean(), factor)


def _towards_grey(pixels: np.ndarray, factor: np.float32) -> np.ndarray:
    return _blended(pixels, _grey(pixels), factor)


def _blended(pixels: np.ndarray, other: np.ndarray | np.float32, factor: np.float32) -> np.ndarray:
    return np.clip(other + factor * (pixels - other), 0, 255)


def _grey(pixels: np.ndarray) -> np.ndarray:
    """(height, width, 1)."""
    return pixels if pixels.shape[2] == 1 else (pixels @ GREY)[:, :, None]


_JITTERS: tuple[Callable[[np.ndarray, np.float32], np.ndarray], ...] = (_brighter, _towards_mean, _towards_grey)


def _interval() -> Rule:
    one = real(above=0)

    def convert(value: Any) -> tuple[float, float]:
        low, high = value
        low, high = one.convert(low), one.convert(high)
        if low > high:
            raise ValueError
        return low, high

    bad = ((1.0,), (2.0, 1.0), (0.0, 1.0), "ab", 3)
    return Rule("two numbers > 0, the smaller one first", convert, (0.5, 1.0), bad)


@config
class RandomResizedCrop(Augmentation):
    """Cuts out a part of the image with random area and shape, and resizes it to the size of the layer. It comes first.

    Args:
        scale: least and largest share of the image's area.
        ratio: least and largest width / height.

    Source: torchvision.transforms.RandomResizedCrop (Inception): ten tries, then the centre.

    >>> RandomResizedCrop(scale=(1.0, 1.0), ratio=(1.0, 1.0)).box(4, 4, np.random.default_rng(0))
    (0.0, 0.0, 4.0, 4.0)
    """

    cuts: ClassVar[bool] = True
    scale: tuple[float, float] = option(_interval(), default=(0.08, 1.0))
    ratio: tuple[float, float] = option(_interval(), default=(3 / 4, 4 / 3))

    def apply(self, image: np.ndarray, draw: Draw) -> np.ndarray:
        """Nothing: `box` does it."""
        return image

    def box(self, height: int, width: int, draw: Draw) -> tuple[float, float, float, float]:
        for _ in range(10):
            area = height * width * draw.uniform(*self.scale)
            shape = math.exp(draw.uniform(math.log(self.ratio[0]), math.log(self.ratio[1])))
            w, h = round(math.sqrt(area * shape)), round(math.sqrt(area / shape))
            if 0 < w <= width and 0 < h <= height:
                top, left = draw.integers(height - h + 1), draw.integers(width - w + 1)
                return float(top), float(left), float(h), float(w)
        w, h = min(width, height * self.ratio[1]), min(height, width / self.ratio[0])
        return (height - h) / 2, (width - w) / 2, float(h), float(w)


class Augment(metaclass=Namespace):
    """Namespace of the augmentations: `Augment.RandomFlip()`."""

    RandomCrop = RandomCrop
    RandomFlip = RandomFlip
    ColorJitter = ColorJitter
    RandomResizedCrop = RandomResizedCrop
    _also: ClassVar[dict[str, str]] = {"RandomHorizontalFlip": "RandomFlip"}


def augmentations() -> Rule:
    """Field rule: a list of augmentations."""

    def convert(value: Any) -> tuple[Augmentation, ...]:
        augmentations = (value,) if isinstance(value, Augmentation) else tuple(value)
        for k, one in enumerate(augmentations):
            if isinstance(one, type) and issubclass(one, Augmentation):
                raise Refusal(f"write {one.__name__}(...) with parentheses")
            if not isinstance(one, Augmentation):
                raise TypeError
            if one.cuts and k:
                raise Refusal(
                    f"{type(one).__name__} comes first: it cuts its part out of the image as it is in the file"
                )
        return augmentations

    bad = (None, 3, "flip", (RandomFlip,), (1,), (RandomFlip(), RandomResizedCrop()))
    return Rule("a list of augmentations, such as (Augment.RandomFlip(),)", convert, (RandomFlip(),), bad)
