"""LoadedSource: samples that worker processes load, from Python data sets and LMDB."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import numpy as np

from mochac.base.errors import DataError
from mochac.base.files.caffe_binary import BadDatum, read_datum
from mochac.base.files.caffe_schema import require_protobuf
from mochac.base.files.lmdb_file import BadLmdb, LmdbFile, ValuePlace
from mochac.runtime.data.images import decoded_bytes
from mochac.runtime.data.source import SOURCES, Arrays, DataSource, Reading, SampleShapes
from mochac.runtime.data.workers import Workers


class LoadedSource(DataSource):
    """Subclasses implement `load`. `layer.workers` processes run `load` for several samples at the same time; without
    workers a subclass may do so in `load_here`."""

    def __init__(self, layer: Any, reading: Reading) -> None:
        super().__init__(layer, reading)
        self._workers = Workers(layer.workers, self._load_in_worker) if layer.workers else None
        self._cancelled = False
        if self._workers:
            self.in_bursts = False  # several batches may have gaps between them, which shared memory does not have

    @abstractmethod
    def load(self, epoch: int, number: int, out: Arrays) -> None:
        """Fill `out`, a sample's place in a batch, with sample `number`.

        Raises:
            DataError: it cannot be loaded.
        """

    def load_here(self, epoch: int, numbers: Sequence[int], out: Arrays) -> None:
        """Fill `out` with these samples, in this process; if several cannot be loaded, the first is the error."""
        for k, number in enumerate(numbers):
            self.load(epoch, number, {top: rows[k] for top, rows in out.items()})

    def read(self, epoch: int, position: int, out: Arrays) -> None:
        stop = position + len(next(iter(out.values())))
        numbers = (self.permuted(epoch)[position:stop] if self.shuffle else np.arange(position, stop)).tolist()
        if self._workers is None or not self._workers.reach(out):
            self.load_here(epoch, numbers, out)
            return
        failure = self._workers.load_all(epoch, numbers, out, lambda: self._cancelled)
        if isinstance(failure, DataError):
            raise failure
        if failure:
            hint = "it was killed, perhaps for lack of memory, or crashed; workers=0 reads without processes"
            raise self.error("a worker process has ended", got=failure, hint=hint)

    def number_at(self, epoch: int, position: int) -> int:
        """The number of the sample at a position."""
        return int(self.permuted(epoch)[position]) if self.shuffle else position

    def locate(self, epoch: int, position: int) -> str:
        return f"sample {self.number_at(epoch, position)}"

    def memory(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        return self._workers.memory(shape, dtype) if self._workers else super().memory(shape, dtype)

    def prepare(self) -> None:
        self._cancelled = False
        if self._workers:
            self._workers.start()

    def cancel(self) -> None:
        self._cancelled = True

    def clone(self) -> DataSource:
        self.close()
        return super().clone()

    def close(self) -> None:
        if self._workers:
            self._workers.stop()

    def seed(self, epoch: int, number: int) -> None:
        """Called in a worker before each sample."""

    def _load_in_worker(self, epoch: int, number: int, out: Arrays) -> DataError | None:
        self.seed(epoch, number)
        try:
            with np.errstate(all="ignore"):
                self.load(epoch, number, out)
        except DataError as error:
            return error
        return None


class LmdbSource(LoadedSource):
    """The values of the database in the order of their keys."""

    def __init__(self, layer: Any, reading: Reading) -> None:
        super().__init__(layer, reading)
        require_protobuf("reading an LMDB database")
        self._places, self._written = self._listed()
        self._keys = list(self._places)
        with self._values() as values:
            data, _ = self._sample(values, 0)
        extents = dict(zip(layer.tops, (data.shape, (1,)), strict=False))
        self.shapes = SampleShapes(extents, len(self._keys))
        self.floats = {layer.tops[0]} if data.dtype.kind == "f" else set()

    def load(self, epoch: int, number: int, out: Arrays) -> None:
        self.load_here(epoch, [number], {top: array[None] for top, array in out.items()})

    def load_here(self, epoch: int, numbers: Sequence[int], out: Arrays) -> None:
        images, *labels = self.layer.tops
        if self.changed():  # values may lie elsewhere
            self.reload()
        with self._values() as values:
            for k, number in enumerate(numbers):
                data, label = self._sample(values, number)
                if data.shape != (expected := self.shapes.tops[images]):
                    rule = f"{self._name(number)} has another shape"
                    raise self.error(rule, expected=str(expected), got=str(data.shape))
                if images in out:
                    out[images][k] = data
                for top in labels:
                    if top in out:
                        out[top][k] = label

    def locate(self, epoch: int, position: int) -> str:
        return self._name(self.number_at(epoch, position))

    def changed(self) -> bool:
        return _state(self.layer.source) != self._written

    def reload(self) -> None:
        places, written = self._listed()
        if list(places) != self._keys:
            hint = "to use other data, build and compile the net again"
            counts = {"expected": f"its {len(self._keys):,} samples", "got": f"{len(places):,} samples"}
            raise self.error(f"database {self.layer.source} has changed", hint=hint, **counts)
        self._places, self._written = places, written

    def _listed(self) -> tuple[dict[bytes, ValuePlace], tuple[int, ...]]:
        """Where the value of each key lies, and when the database was written."""
        source = self.layer.source
        written = _state(source)
        with self._values() as values:
            places = values.places()
        if not places:
            raise self.error(f"the LMDB database {source} has no samples")
        return places, written

    @contextmanager
    def _values(self) -> Iterator[LmdbFile]:
        """The database, open for a batch: a writer may replace the file."""
        source = self.layer.source
        try:
            with closing(LmdbFile(source)) as values:
                yield values
        except (BadLmdb, OSError) as error:
            unread = self.error(f"cannot read the LMDB database {source}", got=str(error))
            raise unread if _state(source) else unread.as_missing() from None

    def _sample(self, values: LmdbFile, number: int) -> tuple[np.ndarray, int]:
        """A sample, (channels, height, width), and its label."""
        name = self._name(number)
        try:
            data, label = read_datum(values.read(self._places[self._keys[number]]))
        except BadDatum as bad:
            raise self.error(f"{name} cannot be read", got=str(bad)) from None
        if isinstance(data, np.ndarray):
            return data, label
        pixels = decoded_bytes(data, lambda fault: self.error(f"{name} is no image", got=fault.reason))
        return pixels[..., ::-1].transpose(2, 0, 1), label

    def _name(self, number: int) -> str:
        key = self._keys[number].decode(errors="replace")
        return f"sample {number} of {self.layer.source} (key {key!r})"


def _state(source: str) -> tuple[int, ...]:
    """Changes when the database is written; () if it does not exist."""
    try:
        found = os.stat(os.path.join(source, "data.mdb") if os.path.isdir(source) else source)
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns


SOURCES.add("lmdb", LmdbSource)
