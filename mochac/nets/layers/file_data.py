"""Data layers that read files: HDF5, LMDB, and folders of images."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, ClassVar, NoReturn

from mochac.base.errors import DataError
from mochac.base.files.class_folders import class_folders
from mochac.base.records import option
from mochac.base.rules import boolean, choice_of, integer, path, text
from mochac.nets.layers.augmentations import Augmentation, augmentations
from mochac.nets.layers.base import DataLayer, FileLayer, layer
from mochac.nets.layers.config import at
from mochac.nets.layers.field_kinds import names, pair


@layer
class HDF5DataLayer(FileLayer):
    """Batches from datasets (num, ...) with the names of the tops, of any float or integer type.

    Args:
        source: text file with one HDF5 path per line, relative to the current folder.
        batch_size: samples per step, >= 1. Training batches wrap around at the end of the data.
        tops: datasets to read; ["data", "label"] by default.
        shuffle: permute files, chunks and samples in every epoch, depending on the seed of the program.
        external: read datasets whose numbers are in other files: external links, external storage, virtual datasets.
            Refused by default, since a file from an unknown source could name any file that you can read.
        shapes: shape of a sample by top, such as {"data": (1, 28, 28), "label": (1,)}. With it, the net can be built,
            drawn, explained, dumped and profiled without the files; if the files exist, their shapes must agree.

    Source: Mocha.jl src/layers/hdf5-data.jl, but with other shuffling.
    """

    reader: ClassVar[str] = "hdf5"

    name: str = option(text(), default="hdf5-data")
    external: bool = option(boolean(), default=False)


@layer
class AsyncHDF5DataLayer(FileLayer):
    """Like HDF5DataLayer, but shuffles within chunks of a given size.

    Args:
        source: text file with one HDF5 path per line, relative to the current folder.
        batch_size: samples per step, >= 1. Training batches wrap around at the end of the data.
        chunk_size: samples in a chunk, >= 1. With `shuffle`, one chunk is in memory at a time, in the number type of
            the file; without, it has no effect.
        tops: datasets to read; ["data", "label"] by default.
        shuffle: in every epoch, permute the files, the chunks of a file and the samples of a chunk, depending on the
            seed of the program. Batches consist of neighbours in that order.
        external: read datasets whose numbers are in other files: external links, external storage, virtual datasets.
            Refused by default, since a file from an unknown source could name any file that you can read.
        shapes: shape of a sample by top, as in HDF5DataLayer.

    Like every data layer it reads ahead in a thread of its own. HDF5DataLayer chooses the size of chunks itself.
    Source: Mocha.jl src/layers/async-hdf5-data.jl.
    """

    reader: ClassVar[str] = "async_hdf5"

    name: str = option(text(), default="hdf5-data")
    chunk_size: int = option(integer(1), default=2**20)
    external: bool = option(boolean(), default=False)


@layer
class LMDBDataLayer(FileLayer):
    """Batches from an LMDB database of Caffe's Datum messages, as convert_imageset writes it (`mochac[caffe]`).

    Args:
        source: the database: a folder with data.mdb, or that file.
        batch_size: samples per step, >= 1. Training batches wrap around at the end of the data.
        tops: images (batch, channels, height, width) and class indices (batch, 1), ["data", "label"] by default; or
            images alone.
        shuffle: permute the samples in every epoch, depending on the seed of the program; Caffe reads them in the order
            of their keys.
        workers: processes that read and decode samples at the same time; 0: one thread of this process.
        shapes: shape of a sample by top, such as {"data": (3, 32, 32), "label": (1,)}. With it, the net can be built,
            drawn, explained, dumped and profiled without the database; if that exists, its shapes must agree.

    Bytes are 0 .. 255; the transformers DataTransformers.SubMean and Scale do what Caffe's transform_param does.
    Encoded images (JPEG, PNG) are decoded by Pillow (`mochac[images]`), with their colours in Caffe's order, BGR.

    Raises:
        DataError: no such database, no samples, samples of different shapes. OptionError: a package is not installed.

    Source: Caffe's layer Data.
    """

    reader: ClassVar[str] = "lmdb"
    n_tops: ClassVar[tuple[int, int | None]] = (1, 2)

    name: str = option(text(), default="lmdb-data")
    workers: int = option(integer(0), default=0)


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
