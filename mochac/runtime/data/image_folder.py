"""Reader of ImageFolderLayer: threads decode, cut and augment images; Pillow works without Python's lock."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import numpy as np

from mochac.errors import DataError
from mochac.registry import did_you_mean
from mochac.runtime.data.images import as_bytes, covering, cut, opened, pixels_of
from mochac.runtime.data.loaded import LoadedSource
from mochac.runtime.data.rng import generator
from mochac.runtime.data.source import SOURCES, Arrays, DataSource, Reading, SampleShapes
from mochac.runtime.files.class_folders import class_folders, images_below
from mochac.runtime.files.reading import Fault
from mochac.runtime.support.cpu_count import default_threads
from mochac.runtime.support.memory import available_bytes

KEPT_SHARE = 4
"""Decoded images take at most one part in so many of the memory that is available."""


class ImageFolderSource(LoadedSource):
    """The images of the class folders, class by class, in the order of their paths."""

    def __init__(self, layer: Any, reading: Reading) -> None:
        super().__init__(layer, reading)
        self._files, self._labels = self._listed()
        self._augment = () if reading.once else layer.augment
        self._cuts = bool(self._augment) and self._augment[0].cuts
        self._kept = Kept() if layer.keep else None
        self._threads: ThreadPoolExecutor | None = None
        self.shapes, self.floats = SampleShapes(layer.declared, len(self._files)), set()

    def load(self, epoch: int, number: int, out: Arrays) -> None:
        images, *labels = self.layer.tops
        pixels = self._pixels(epoch, number)
        out[images][...] = pixels.transpose(2, 0, 1)
        for top in labels:
            out[top][...] = self._labels[number]

    def load_all(self, epoch: int, numbers: Sequence[int], out: Arrays) -> None:
        n = self.layer.threads or default_threads()
        if n == 1 or len(numbers) == 1:
            super().load_all(epoch, numbers, out)
            return
        if self._threads is None:
            self._threads = ThreadPoolExecutor(n, "mochac-images")
        size = max(1, len(numbers) // (4 * n))
        parts = [slice(k, k + size) for k in range(0, len(numbers), size)]

        def run(part: slice) -> None:
            super(ImageFolderSource, self).load_all(epoch, numbers[part], {top: a[part] for top, a in out.items()})

        running = [self._threads.submit(run, part) for part in parts]
        wait(running)  # all of them, before `out` can be used for something else
        for done in running:
            done.result()

    def locate(self, epoch: int, position: int) -> str:
        number = int(self.permuted(epoch)[position]) if self.shuffle else position
        return f"image {self._files[number]}"

    def again(self) -> DataSource:
        source = super().again()
        assert isinstance(source, ImageFolderSource)
        source._kept = self._kept
        return source

    def close(self) -> None:
        if self._threads is not None:
            self._threads.shutdown()
            self._threads = None

    def _pixels(self, epoch: int, number: int) -> np.ndarray:
        """The image of a batch, (height, width, channels), uint8."""
        if not self._augment:
            return self._whole(number)
        draw = generator(self.reading.seed, self.layer.name, "augment", epoch, number)
        pixels = self._part(number, draw) if self._cuts else self._whole(number)
        for augmentation in self._augment:
            pixels = augmentation.apply(pixels, draw)
        return pixels

    def _whole(self, number: int) -> np.ndarray:
        """The image at the layer's size."""
        kept = None if self._kept is None else self._kept.get((number, True))
        if kept is not None:
            return kept
        size, channels = self.layer.size, self.layer.channels
        path = self._files[number]
        with opened(path, lambda fault: self._unreadable(path, fault)) as file:
            file.draft("RGB" if channels == 3 else "L", (size[1], size[0]))  # JPEG: decoded at a smaller scale
            pixels = pixels_of(covering(as_bytes(file, channels), size))
        return pixels if self._kept is None else self._kept.add((number, True), pixels)

    def _part(self, number: int, draw: np.random.Generator) -> np.ndarray:
        """The part of the image that the first augmentation chooses, at the layer's size."""
        from PIL import Image

        pixels = None if self._kept is None else self._kept.get((number, False))
        if pixels is None:
            path = self._files[number]
            with opened(path, lambda fault: self._unreadable(path, fault)) as file:
                pixels = pixels_of(as_bytes(file, self.layer.channels))
            if self._kept is not None:
                self._kept.add((number, False), pixels)
        box = self._augment[0].box(*pixels.shape[:2], draw)
        picture = Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels)
        return pixels_of(cut(picture, box, self.layer.size))

    def _unreadable(self, path: Path, fault: Fault) -> DataError:
        hint = "remove it, or save it again" if not fault.missing else "it was there when the net was built"
        return self.error(f"cannot read image {path}", got=str(fault), hint=hint)

    def _listed(self) -> tuple[list[Path], list[int]]:
        """The files, and their class indices."""
        folder, classes = Path(self.layer.folder), list(self.layer.classes)
        if not folder.is_dir():
            raise self.error(f"no folder {folder}").as_missing()
        for name in class_folders(folder):
            if name not in classes:
                got = f"subfolder {name!r} of {folder}"
                hint = did_you_mean(name, classes).removeprefix("; ")
                raise self.error("a class that is not in classes", expected=" ".join(classes), got=got, hint=hint)
        by_class = [images_below(folder / name) for name in classes]
        if not any(by_class):
            hint = f"one subfolder for each class: {folder / 'cat' / '1.jpg'}"
            raise self.error(f"there are no images in {folder}", got=f"{len(classes)} subfolders", hint=hint)
        files = [file for found in by_class for file in found]
        return files, [index for index, found in enumerate(by_class) for _ in found]


class Kept:
    """Decoded images by key, as far as memory allows."""

    def __init__(self) -> None:
        self._images: dict[tuple[int, bool], np.ndarray] = {}
        self._left = available_bytes() // KEPT_SHARE
        self._lock = threading.Lock()

    def get(self, key: tuple[int, bool]) -> np.ndarray | None:
        """The image; None if it is not kept."""
        return self._images.get(key)

    def add(self, key: tuple[int, bool], image: np.ndarray) -> np.ndarray:
        """The image, kept if there is room."""
        with self._lock:
            if image.nbytes <= self._left and key not in self._images:
                self._left -= image.nbytes
                self._images[key] = image
        return image


SOURCES.add("image_folder", ImageFolderSource)
