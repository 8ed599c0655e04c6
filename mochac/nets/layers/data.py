"""Data layers: arrays, Python iterables, inputs of predictions; HDF5 and LMDB files, folders of images."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, ClassVar, NoReturn

import numpy as np

from mochac.base.errors import DataError
from mochac.base.files.class_folders import class_folders
from mochac.base.records import option
from mochac.base.rules import Refusal, Rule, boolean, choice_of, integer, path, text
from mochac.base.support.array_like import NotAnArray, NoUsersData, UsersData, as_array, is_array
from mochac.base.support.places import at
from mochac.nets.layers.augmentations import Augmentation, augmentations
from mochac.nets.layers.base import DataLayer, DeclaringLayer, FileLayer, Source, layer
from mochac.nets.layers.fields import names, pair, shape


def arrays() -> Rule:
    """Field rule: a non-empty list of numeric arrays, one per top; (N,) becomes (N, 1)."""

    def convert(value: Any) -> tuple[np.ndarray, ...]:
        if is_array(value):
            raise Refusal("write data=[X, y], one array per top")
        if not isinstance(value, (list, tuple)) or not value:
            raise TypeError
        return tuple(_array(v, f"array {k}") for k, v in enumerate(value))

    bad = ([], None, np.zeros((2, 2)), [["a"]], [np.zeros(2, complex)], [np.float32(1)], [[[1], [2, 3]]])
    return Rule("a list of numeric arrays, batch first", convert, [np.zeros((2, 3)), [0, 1]], bad)


OF_LABELS = "for class indices: names, y = np.unique(labels, return_inverse=True)"
OF_SENTENCES = "sentences become ids of words: docs/guide/recipes.md, A text classifier"


def _array(value: Any, which: str) -> np.ndarray:
    try:
        array = as_array(value, which)
    except NotAnArray as error:
        raise Refusal(f"{which}: {error.hint}" if error.hint else str(error)) from None
    if array.ndim == 0 and array.dtype.kind == "O":
        raise Refusal(f"{which} is of type {type(value).__name__}, not an array")
    if array.dtype.kind in "US" or (array.dtype.kind == "O" and any(isinstance(v, str) for v in array.flat)):
        sentences = any(isinstance(text, (str, np.str_)) and " " in text.strip() for text in array.flat)
        raise Refusal(f"{which} holds text; {OF_SENTENCES if sentences else OF_LABELS}")
    if array.dtype.kind not in "fiub":
        raise Refusal(f"{which} has dtype {array.dtype}; expected real numbers, such as np.asarray(a, np.float32)")
    if array.ndim == 0:
        raise Refusal(f"{which} is a single number")
    return array.reshape(-1, 1) if array.ndim == 1 else array


@layer
class MemoryDataLayer(DataLayer):
    """Batches from arrays of equal length, batch first; numbers are converted to the dtype of the program.

    Args:
        data: one array per top: (num, ...), or (num,), which means (num, 1). Also lists, and anything that NumPy can
            convert to an array: PyTorch tensors, pandas data frames, HDF5 datasets (which are read completely). Arrays
            are not copied: the next forward(), Solver.step(), evaluate() or train() sees changes to them; a running
            train() has read ahead, on a GPU perhaps the whole dataset.
        batch_size: samples per step, >= 1. Training batches wrap around at the end of the data.
        shuffle: permute the samples in every epoch, depending on the seed of the program.

    Raises:
        DataError: no samples, or arrays of different lengths.

    >>> [a.shape for a in MemoryDataLayer(data=[np.zeros((6, 3)), np.zeros(6, int)], batch_size=2).data]
    [(6, 3), (6, 1)]
    """

    reader: ClassVar[str] = "memory"

    name: str = option(text(), default="memory-data")
    data: Sequence[Any] = option(arrays(), repr=False)

    __hash__ = object.__hash__

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.data) != len(self.tops):
            raise self.error("needs one array per top", expected=f"{len(self.tops)} arrays", got=str(len(self.data)))
        counts = {top: len(a) for top, a in zip(self.tops, self.data, strict=True)}
        shown = ", ".join(f"{top!r}: {n}" for top, n in counts.items())
        if len(set(counts.values())) > 1:
            raise self._data_error("arrays differ in their number of samples", got=shown)
        if not all(len(a) for a in self.data):
            raise self._data_error("there are no samples", got=", ".join(f"{a.shape}" for a in self.data))
        for top, a in zip(self.tops, self.data, strict=True):
            if not a.size:
                raise self._data_error(f"samples of {top!r} are empty", got=f"{a.shape}")

    def _data_error(self, rule: str, got: str) -> DataError:
        return DataError(rule, layer=self.name, type=self.kind, got=got, at=at(self.origin))

    def __eq__(self, other: object) -> bool:
        return self is other


def users_data() -> Rule:
    """Field rule: a function that returns an iterable, an iterable, or a data set with numbered samples."""

    def convert(value: Any) -> UsersData:
        if isinstance(value, UsersData):
            return value
        try:
            return UsersData(value)
        except NoUsersData as error:
            raise Refusal(str(error)) from None

    bad = (None, 3, "train.txt", {"data": 1}, iter([1, 2]), lambda a, b: a)
    words = "a data set with __len__ and __getitem__, a function that returns an iterable, an iterable, or a DataLoader"
    return Rule(words, convert, [([0.0], 0)], bad)


@layer
class PythonDataLayer(DeclaringLayer):
    """Batches of samples that Python code makes.

    Args:
        make: one of

            - a data set with `__len__` and `__getitem__`: sample k is `make[k]`;
            - a function, such as a generator function, that returns a fresh iterable for each epoch. If it needs an
              argument, that is the number of the epoch, from 0 on;
            - an iterable that can be iterated over again and again;
            - a PyTorch DataLoader, whose batches may have any size.
        batch_size: samples per step, >= 1. Training batches wrap around at the end of an epoch.
        shapes: shape of a sample by top, such as {"data": (3, 32, 32), "label": (1,)}; else those of the first sample.
        batched: items are batches of samples; found out for a DataLoader.
        shuffle: permute the samples in every epoch, depending on the seed of the program; for data sets.
        workers: processes that load samples at the same time, for data sets; 0: one thread of this process, which
            works beside the training step.

    A sample is a tuple with a part for each top, a dict with the tops as keys, or, for one top, an array. Parts are
    numbers or anything that NumPy can read as an array; they are converted to the dtype of the program.

    A data set is resumed from a snapshot at the very sample. Iterables are made anew for the interrupted epoch, and the
    samples that were used are dropped. Each worker seeds `random`, `np.random` and PyTorch for every sample, so that
    their random numbers do not depend on the number of workers.

    Raises:
        DataError: no samples, or an error in the user's code, with its traceback and the sample; samples of different
            shapes; no numbers; a worker that was killed.

    >>> def squares():
    ...     for k in range(10):
    ...         yield [k, k * k], k % 2
    >>> PythonDataLayer(make=squares, batch_size=4).tops
    ('data', 'label')
    """

    reader: ClassVar[str] = "python"

    name: str = option(text(), default="python-data")
    make: Any = option(users_data())
    batched: bool = option(boolean(), default=False)
    workers: int = option(integer(0), default=0)

    __hash__ = object.__hash__

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.make.indexed and not self.batched:
            return
        if self.shuffle:
            hint = "shuffle in `make`, which may take the number of the epoch; or in the DataLoader: shuffle=True"
            raise self.error("cannot shuffle samples that have no numbers", hint=hint)
        if self.workers:
            hint = "a DataLoader has workers of its own: num_workers=...; an iterator is read in a thread"
            raise self.error("workers share the samples of a data set with __len__ and __getitem__", hint=hint)

    def __eq__(self, other: object) -> bool:
        return self is other


@layer
class InputLayer(Source):
    """Inputs of predict() and of steps on arrays. A net with InputLayers can be compiled, explained, drawn, dumped and
    profiled.

    It has no data: solver.step(data=x, label=y), forward(data=x, label=y), evaluate(data=x, label=y) and predict(x) run
    on the arrays that they are given, while train() raises an error that says how to replace it.

    Args:
        shape: of a batch, (batch, ...); (batch,) means (batch, 1), for labels. predict() takes any number of samples.
        tops: blobs of this shape, [name] by default. Their numbers are converted to the dtype of the program.

    Source: Caffe's layer Input.

    >>> InputLayer(name="data", shape=(64, 1, 28, 28)).declared
    {'data': (1, 28, 28)}
    """

    shape: tuple[int, ...] = option(shape(batch_first=True))

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.shape) == 1:
            object.__setattr__(self, "shape", (*self.shape, 1))

    @property
    def fixed_batch(self) -> int | None:
        """The first extent of `shape`."""
        return self.shape[0]

    @property
    def declared(self) -> dict[str, tuple[int, ...]]:
        """`shape` without the batch, for each top."""
        return dict.fromkeys(self.tops, self.shape[1:])


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
        data = super().__new__(cls)
        data._layer = layer
        return data

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
