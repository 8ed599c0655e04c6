"""Reader of LMDBDataLayer: samples of an LMDB database, found by their keys, in this process or in worker processes."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from mochac.caffe.files.datum import BadDatum, read_datum
from mochac.caffe.files.schema import require_protobuf
from mochac.errors import OptionError
from mochac.runtime.data.images import decoded_bytes
from mochac.runtime.data.loaded import LoadedSource
from mochac.runtime.data.source import SOURCES, Arrays, Reading, SampleShapes
from mochac.threads import fork_lock

_LOCK = fork_lock()


class LmdbSource(LoadedSource):
    """The values of the database in the order of their keys."""

    def __init__(self, layer: Any, reading: Reading) -> None:
        super().__init__(layer, reading)
        require_protobuf("reading an LMDB database")
        self._library = _lmdb()
        self._keys, self._written = self._listed()
        with self._values() as values:
            data, _ = self._sample(values, 0)
        extents = dict(zip(layer.tops, (data.shape, (1,)), strict=False))
        self.shapes = SampleShapes(extents, len(self._keys))
        self.floats = {layer.tops[0]} if data.dtype.kind == "f" else set()

    def load(self, epoch: int, number: int, out: Arrays) -> None:
        self.load_here(epoch, [number], {top: array[None] for top, array in out.items()})

    def load_here(self, epoch: int, numbers: Sequence[int], out: Arrays) -> None:
        images, *labels = self.layer.tops
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
        keys, written = self._listed()
        if keys != self._keys:
            hint = "to use other data, build and compile the net again"
            counts = {"expected": f"its {len(self._keys):,} samples", "got": f"{len(keys):,} samples"}
            raise self.error(f"database {self.layer.source} has changed", hint=hint, **counts)
        self._written = written

    def _listed(self) -> tuple[list[bytes], tuple[int, ...]]:
        """The keys, and when the database was written."""
        written = _state(self.layer.source)
        with self._values() as values:
            keys = [bytes(key) for key in values.cursor().iternext(keys=True, values=False)]
        if not keys:
            raise self.error(f"the LMDB database {self.layer.source} has no samples")
        return keys, written

    @contextmanager
    def _values(self) -> Iterator[Any]:
        """The database, open for a batch: a process may open it only once, and a fork must not copy it."""
        source = self.layer.source
        options = {"readonly": True, "lock": False, "readahead": False, "subdir": os.path.isdir(source)}
        try:
            with _LOCK, self._library.open(source, **options) as database, database.begin() as values:
                yield values
        except (self._library.Error, OSError) as error:
            unread = self.error(f"cannot read the LMDB database {source}", got=str(error))
            raise unread if _state(source) else unread.as_missing() from None

    def _sample(self, values: Any, number: int) -> tuple[np.ndarray, int]:
        """A sample, (channels, height, width), and its label."""
        name = self._name(number)
        value = values.get(self._keys[number])
        if value is None:
            raise self.error(f"{name} is gone", hint="the database was written while it was read")
        try:
            data, label = read_datum(value)
        except BadDatum as bad:
            raise self.error(f"{name} cannot be read", got=str(bad)) from None
        if isinstance(data, np.ndarray):
            return data, label
        pixels = decoded_bytes(data, lambda fault: self.error(f"{name} is no image", got=fault.reason))
        return pixels[..., ::-1].transpose(2, 0, 1), label

    def _name(self, number: int) -> str:
        return f"sample {number} (key {self._keys[number].decode(errors='replace')!r})"


def _state(source: str) -> tuple[int, ...]:
    """Changes when the database is written; () if it does not exist."""
    try:
        found = os.stat(os.path.join(source, "data.mdb") if os.path.isdir(source) else source)
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns


def _lmdb() -> Any:
    try:
        return importlib.import_module("lmdb")
    except ImportError:
        rule = "LMDBDataLayer needs the package lmdb, which is not installed"
        raise OptionError(rule, hint="pip install 'mochac[lmdb]'") from None


SOURCES.add("lmdb", LmdbSource)
