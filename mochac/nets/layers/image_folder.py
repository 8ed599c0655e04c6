"""ImageFolderLayer: batches of images from a folder with a subfolder for each class."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, ClassVar, NoReturn

from mochac.base.errors import DataError
from mochac.base.files.class_folders import class_folders
from mochac.nets.layers.augmentations import Augmentation, augmentations
from mochac.nets.layers.axis_fields import pair
from mochac.nets.layers.base import DataLayer, layer
from mochac.nets.layers.blob_fields import names
from mochac.nets.layers.config import at
from mochac.nets.layers.fields import boolean, choice_of, integer, option, path, text


class UnknownClasses(tuple[str, ...]):
    """Classes of a folder that was not there when its layer was made: using them raises an error that says so."""

    def __new__(cls, layer: Any) -> UnknownClasses:
        made = super().__new__(cls)
        made._layer = layer
        return made

    _layer: Any

    def _missing(self, *_: Any) -> NoReturn:
        layer = self._layer
        hint = "make the layer when the folder is there, or name the subfolders: classes=[...]"
        place = {"layer": layer.name, "type": layer.kind, "at": at(layer.origin)}
        raise DataError(f"no folder {layer.folder}, so its classes are not known", hint=hint, **place).as_missing()

    __len__ = __iter__ = __getitem__ = __contains__ = _missing  # type: ignore[assignment]


@layer
class ImageFolderLayer(DataLayer):
    """Batches of images from a folder with a subfolder for each class, such as flowers/daisy/1.jpg.

    Args:
        folder: its subfolders, and theirs, hold JPEG, PNG, BMP, GIF, PPM, TIFF and WebP files, which Pillow reads
            (`mochac[images]`). Links are followed; a folder to which several lead is read once per class.
        size: (height, width) of the images in a batch; one integer for both. An image is resized until it covers the
            size, and its centre is cut out.
        batch_size: samples per step, >= 1. Training batches wrap around at the end of the data.
        shuffle: permute the images in every epoch, depending on the seed of the program.
        augment: random changes of each image in training, in order: Augment.RandomResizedCrop(), RandomCrop(pad=4),
            RandomFlip(), ColorJitter(...). evaluate() leaves them out.
        transformers: (top, transformer) pairs, applied in order when batches are read, after `augment`. Pixels are 0 ..
            255 before: DataTransformers.Scale(1 / 255), or Normalize(mean=..., std=...) per channel.
        classes: names of the subfolders, in the order of their class indices; by default all of them, sorted. Give
            those of the training data to the layer of the test data.
        channels: 3, RGB, or 1, grey. Images are converted; transparency is dropped.
        keep: keep images of this size as bytes in memory once they are decoded, in at most a quarter of the memory that
            is free. RandomResizedCrop needs the files again.
        threads: decode so many images at the same time; 0: one for each CPU, if an image takes long enough.
        workers: processes that do it instead of threads.
        tops: images (batch, channels, height, width) and class indices (batch, 1); or images alone.

    Random numbers depend on seed, layer, epoch and image only: batches are the same for any number of threads and
    workers, and after a resume.

    Raises:
        DataError: no folder, no images, a file that is no image. OptionError: Pillow is not installed.
    """

    reader: ClassVar[str] = "image_folder"
    n_tops: ClassVar[tuple[int, int | None]] = (1, 2)

    name: str = option(text(), default="images")
    folder: str = option(path())
    size: tuple[int, int] = option(pair(1))
    shuffle: bool = option(boolean(), default=True)
    augment: Sequence[Augmentation] = option(augmentations(), default=())
    classes: Sequence[str] = option(names(), default=())
    channels: int = option(choice_of(3, 1), default=3)
    keep: bool = option(boolean(), default=True)
    threads: int = option(integer(0), default=0)
    workers: int = option(integer(0), default=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.classes:
            found = class_folders(self.folder)
            there = found or os.path.isdir(self.folder)
            object.__setattr__(self, "classes", tuple(found) if there else UnknownClasses(self))

    @property
    def declared(self) -> dict[str, tuple[int, ...]]:
        """Known without the folder, so that a net can be built and inspected before it exists."""
        return dict(zip(self.tops, ((self.channels, *self.size), (1,)), strict=False))
