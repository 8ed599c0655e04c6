"""Reader of ImageFolderLayer: threads or worker processes decode, cut and augment images.

Pillow decodes without Python's lock, so threads do for large images. Small ones take about as long in Python.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Protocol

import numpy as np

from mochac.base.errors import DataError
from mochac.base.files.class_folders import class_folders, images_below
from mochac.base.files.reading import Fault
from mochac.base.registry import misspelt
from mochac.base.support.memory import available_bytes
from mochac.base.support.times import default_threads
from mochac.runtime.data.images import as_bytes, cut, opened, pixels_of, read_covering
from mochac.runtime.data.loaded import LoadedSource
from mochac.runtime.data.order import generators
from mochac.runtime.data.source import SOURCES, Arrays, DataSource, Reading, SampleShapes
from mochac.runtime.data.workers import described_error, shared_zeros, users_traceback

WORTH_S = 1e-3
"""Several threads decode if an image takes at least this long, seconds; for shorter times, handing over Python's lock
costs more than it gains."""
KEPT_SHARE = 4
"""Decoded images take at most 1 / KEPT_SHARE of the available memory."""


class Augmenter(Protocol):
    """The interface of augmentations (nets/layers/augmentations.py) that this reader uses."""

    cuts: ClassVar[bool]

    def apply(self, image: np.ndarray, draw: np.random.Generator) -> np.ndarray:
        """The changed image."""
        ...

    def box(self, height: int, width: int, draw: np.random.Generator) -> tuple[float, float, float, float]:
        """If it `cuts`: (top, left, height, width) of the part that is kept."""
        ...


class ImageFolderSource(LoadedSource):
    """The images of the class folders, class by class, in the order of their paths."""

    def __init__(self, layer: Any, reading: Reading) -> None:
        super().__init__(layer, reading)
        self._files, self._labels = self._listed()
        self._folders = sorted({layer.folder, *map(os.path.dirname, self._files)})
        self._written = _written(self._folders)
        self._augment: Sequence[Augmenter] = () if reading.once else layer.augment
        self._cuts = bool(self._augment) and self._augment[0].cuts
        kept = layer.keep and not self._cuts
        self._kept = Kept(len(self._files), (*layer.size, layer.channels)) if kept else None
        self._draw = generators(reading.seed, layer.name, "augment")
        self._seconds = 0.0  # time for an image, measured while one thread decodes all of them
        self._threads: ThreadPoolExecutor | None = None
        self.shapes, self.floats = SampleShapes(layer.declared, len(self._files)), set()

    def load(self, epoch: int, number: int, out: Arrays) -> None:
        images, *labels = self.layer.tops
        pixels = self._pixels(epoch, number)
        out[images][...] = pixels.transpose(2, 0, 1)
        for top in labels:
            out[top][...] = self._labels[number]

    def load_here(self, epoch: int, numbers: Sequence[int], out: Arrays) -> None:
        n = min(self._n_threads(), len(numbers))
        if n == 1:
            begin = time.perf_counter()
            super().load_here(epoch, numbers, out)
            self._seconds = (time.perf_counter() - begin) / len(numbers)
            return
        if self._threads is None:
            self._threads = ThreadPoolExecutor(n, "mochac-images")
        size = max(1, len(numbers) // (4 * n))
        parts = [slice(k, k + size) for k in range(0, len(numbers), size)]

        def run(part: slice) -> None:
            super(ImageFolderSource, self).load_here(epoch, numbers[part], {top: a[part] for top, a in out.items()})

        running = [self._threads.submit(run, part) for part in parts]
        wait(running)  # all of them, before `out` can be used for something else
        for done in running:
            done.result()

    def _n_threads(self) -> int:
        """Number of threads: several if images are known to take long enough."""
        return self.layer.threads or (default_threads() if self._seconds >= WORTH_S else 1)

    def locate(self, epoch: int, position: int) -> str:
        return f"image {self._files[self.number_at(epoch, position)]}"

    def changed(self) -> bool:
        return _written(self._folders) != self._written

    def reload(self) -> None:
        seen = _written(self._folders)
        self._check_known(self._listed()[0])
        self._written = seen

    def _check_known(self, files: Sequence[str]) -> None:
        """Check that the images are the same as before: cursors count them, and labels are listed with them."""
        if files == self._files:
            return
        missing, new = sorted({*self._files} - {*files}), sorted({*files} - {*self._files})
        got = ", ".join([*(f"without {path}" for path in missing[:1]), *(f"with {path}" for path in new[:1])])
        hint = "to use other data, build and compile the net again"
        n_before, n = f"its {len(self._files):,} images", f"{len(files):,} images, {got}"
        raise self.error(f"folder {self.layer.folder} has changed", expected=n_before, got=n, hint=hint)

    def unshuffled(self) -> DataSource:
        source = super().unshuffled()
        assert isinstance(source, ImageFolderSource)
        self._check_known(source._files)
        source._kept = self._kept
        return source

    def close(self) -> None:
        super().close()
        if self._threads is not None:
            self._threads.shutdown()
            self._threads = None

    def _pixels(self, epoch: int, number: int) -> np.ndarray:
        """The image of a batch, (height, width, channels), uint8."""
        if not self._augment:
            return self._whole(number)
        draw = self._draw(epoch, number)
        pixels = self._part(number, draw) if self._cuts else self._whole(number)
        for augmentation in self._augment:
            pixels = self._applied(augmentation, pixels, draw)
        return pixels

    def _applied(self, augmentation: Augmenter, pixels: np.ndarray, draw: np.random.Generator) -> np.ndarray:
        name = type(augmentation).__name__
        try:
            changed = augmentation.apply(pixels, draw)
        except Exception as error:
            got, details = described_error(error), users_traceback(error)
            raise self.error(f"{name}.apply() failed", got=got, details=details) from error
        if getattr(changed, "shape", None) != pixels.shape or changed.dtype != np.uint8:
            kind = f"{changed.dtype} {changed.shape}" if isinstance(changed, np.ndarray) else type(changed).__name__
            hint = "numbers of another type, such as pixels / 255, are made by transformers, afterwards"
            raise self.error(
                f"{name}.apply() returned another kind of image", expected=f"uint8 {pixels.shape}", got=kind, hint=hint
            )
        return changed

    def _whole(self, number: int) -> np.ndarray:
        """The image at the layer's size."""
        kept = self._kept.get(number) if self._kept else None
        if kept is not None:
            return kept
        with self._opened(number) as file:
            pixels = read_covering(file, self.layer.channels, self.layer.size)
        if self._kept:
            self._kept.add(number, pixels)
        return pixels

    def _part(self, number: int, draw: np.random.Generator) -> np.ndarray:
        """The part of the image that the first augmentation chooses, at the layer's size."""
        with self._opened(number) as file:
            picture = as_bytes(file, self.layer.channels)
            box = self._augment[0].box(picture.height, picture.width, draw)
            return pixels_of(cut(picture, box, self.layer.size))

    def _opened(self, number: int) -> AbstractContextManager[Any]:
        path = self._files[number]
        return opened(path, lambda fault: self._unreadable(path, fault))

    def _unreadable(self, path: str, fault: Fault) -> DataError:
        hint = "remove it, or save it again" if not fault.missing else "it was there when the net was built"
        return self.error(f"cannot read image {path}", details=[str(fault)], hint=hint)

    def _listed(self) -> tuple[list[str], list[int]]:
        """The files, and their class indices."""
        folder = self.layer.folder
        if not os.path.isdir(folder):
            raise self.error(f"no folder {folder}").as_missing()
        classes = list(self.layer.classes)
        for name in class_folders(folder):
            if name not in classes:
                got = f"subfolder {name!r} of {folder}"
                hint = misspelt(name, classes)
                raise self.error("a class that is not in classes", expected=" ".join(classes), got=got, hint=hint)
        by_class = [images_below(os.path.join(folder, name)) for name in classes]
        empty = [name for name, found in zip(classes, by_class, strict=True) if not found]
        if 0 < len(empty) < len(classes) and classes == class_folders(folder):
            hint = "remove the subfolder; classes=[...] names classes that have none"
            raise self.error("a class without images", got=f"subfolder {empty[0]!r} of {folder}", hint=hint)
        if len(empty) == len(classes):
            hint = f"one subfolder for each class: {os.path.join(folder, 'cat', '1.jpg')}"
            raise self.error(f"there are no images in {folder}", got=f"{len(classes)} subfolders", hint=hint)
        files = [file for found in by_class for file in found]
        return files, [index for index, found in enumerate(by_class) for _ in found]


def _written(folders: Sequence[str]) -> list[int]:
    """Modification times of folders in ns; 0 for a missing one."""
    return [os.stat(folder).st_mtime_ns if os.path.isdir(folder) else 0 for folder in folders]


class Kept:
    """Images at the layer's size, as far as memory allows; threads and worker processes share them.

    Args:
        n: number of images.
        shape: shape of an image, (height, width, channels).
    """

    def __init__(self, n: int, shape: tuple[int, ...]) -> None:
        self._n = min(n, available_bytes() // KEPT_SHARE // int(np.prod(shape)))
        self._there = shared_zeros(self._n)
        self._images = shared_zeros(self._n * int(np.prod(shape))).reshape(self._n, *shape)

    def get(self, number: int) -> np.ndarray | None:
        """The image; None if it is not kept."""
        return self._images[number] if number < self._n and self._there[number] else None

    def add(self, number: int, image: np.ndarray) -> None:
        """Keep an image if there is room."""
        if number < self._n:
            self._images[number] = image
            self._there[number] = 1


SOURCES.add("image_folder", ImageFolderSource)
