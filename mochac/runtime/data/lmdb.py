"""Reader of LMDBDataLayer: samples of an LMDB database, found by their keys, in this process or in worker processes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import numpy as np

from mochac.base.files.caffe.datum import BadDatum, read_datum
from mochac.base.files.caffe.schema import require_protobuf
from mochac.base.files.lmdb_file import BadLmdb, LmdbFile, ValuePlace
from mochac.runtime.data.images import decoded_bytes
from mochac.runtime.data.loaded import LoadedSource
from mochac.runtime.data.source import SOURCES, Arrays, Reading, SampleShapes


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
            self.look()
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

    def look(self) -> None:
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
