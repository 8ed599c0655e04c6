"""Outputs: collectors of a net store blobs of every step, in lists in memory or as rows of an HDF5 file."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.errors import DataError, OptionError, shown
from mochac.base.files.atomic import reason
from mochac.base.files.hdf5_file import naming
from mochac.base.files.hdf5_stream import Hdf5Stream
from mochac.base.registry import misspelt
from mochac.base.support.log import LOG
from mochac.runtime.data.source import place_of


class Collector(ABC):
    """Collects the bottoms of one layer.

    Attributes:
        place: the real path of the file it writes; "" for none.
    """

    place = ""

    def __init__(self, layer: Any) -> None:
        self.layer = layer

    @abstractmethod
    def append(self, arrays: Sequence[np.ndarray]) -> None:
        """Collect the results of one step, one array per bottom."""

    def check(self) -> None:  # noqa: B027
        """Raise the DataError that append() would raise at its first call."""

    def close(self) -> None:  # noqa: B027
        """End a run of steps; more may follow."""

    def refused(self, rule: str, **parts: Any) -> DataError:
        """A DataError about the layer, ready to raise."""
        return DataError(rule, **{**place_of(self.layer), **parts})


class MemoryCollector(Collector):
    """For each bottom, a list of the arrays of all steps."""

    def __init__(self, layer: Any) -> None:
        super().__init__(layer)
        self.arrays: list[list[np.ndarray]] = [[] for _ in layer.bottoms]

    def append(self, arrays: Sequence[np.ndarray]) -> None:
        for kept, array in zip(self.arrays, arrays, strict=True):
            kept.append(array)

    def reset(self) -> None:
        """Start new lists; lists returned before are not changed."""
        self.arrays = [[] for _ in self.layer.bottoms]


class Hdf5Collector(Collector):
    """For each bottom, a dataset that grows by the rows of every step.

    The file is complete at any time: the first run of steps creates it at its end, later runs append to it at their
    end. It is closed between runs.
    """

    def __init__(self, layer: Any) -> None:
        super().__init__(layer)
        self.path, self.place = Path(layer.filename), os.path.realpath(layer.filename)
        self._names: Sequence[str] = layer.datasets or layer.bottoms
        self._places: Sequence[str] = ()
        self._stream: Hdf5Stream | None = None
        self._begun = False

    def check(self) -> None:
        if self._begun or not self.path.exists():
            return
        if not self.layer.force_overwrite or not self.path.is_file():
            hint = "" if self.layer.force_overwrite else "another filename, or force_overwrite=True"
            raise self.refused(f"output file {self.path} already exists", hint=hint)

    def append(self, arrays: Sequence[np.ndarray]) -> None:
        try:
            if self._stream is None:
                self._stream = self._opened()
                named = naming(self._stream.file, self._names)
                self._places = [named(name) for name in self._names]
            for place, array in zip(self._places, arrays, strict=True):
                self._grow(self._stream.file, place, array if array.ndim else array.reshape(1))
            self._stream.check()
        except OSError as error:
            self._discard()
            raise self._failed(error) from None

    def _opened(self) -> Hdf5Stream:
        if self._begun:
            return Hdf5Stream(self.path, append=True)
        self.check()
        if self.path.exists():
            LOG.warning("%s is overwritten (layer %r)", self.path, self.layer.name)
        return Hdf5Stream(self.path)

    def _grow(self, file: Any, name: str, rows: np.ndarray) -> None:
        dataset = file.get(name)
        if dataset is None:
            shape, most = (0, *rows.shape[1:]), (None, *rows.shape[1:])
            dataset = file.create_dataset(name, shape, rows.dtype, maxshape=most, chunks=rows.shape)
        before = len(dataset)
        dataset.resize(before + len(rows), axis=0)
        dataset[before:] = rows

    def close(self) -> None:
        if self._stream is None:
            return
        stream, self._stream = self._stream, None
        try:
            stream.finish()
            self._begun = True
        except OSError as error:
            raise self._failed(error) from None

    def _discard(self) -> None:
        if self._stream is not None:
            stream, self._stream = self._stream, None
            stream.discard()

    def _failed(self, error: OSError) -> DataError:
        kept = "it keeps the rows of earlier runs" if self._begun else ""
        return self.refused(f"cannot write {self.path}", got=reason(error), hint=kept)


COLLECTORS = {"memory": MemoryCollector, "hdf5": Hdf5Collector}


class Outputs(Mapping[str, "list[list[np.ndarray]]"]):
    """What MemoryOutput layers collected, by layer name: for each bottom a list of arrays, one per step.

    Args:
        layers: the collectors of a net.
    """

    def __init__(self, layers: Sequence[Any]) -> None:
        self._collectors: dict[str, Collector] = {layer.name: COLLECTORS[layer.collector](layer) for layer in layers}
        self._runs = 0

    def append(self, name: str, arrays: Sequence[np.ndarray]) -> None:
        """Collect the bottoms of layer `name` in a step."""
        self._collectors[name].append(arrays)

    @contextmanager
    def run(self) -> Iterator[None]:
        """Groups steps; files are completed when the outermost run ends.

        Raises:
            DataError: before any step, if an output file exists or two layers write the same one.
        """
        owners: dict[str, str] = {}
        for name, collector in self._collectors.items():
            collector.check()
            if collector.place and (owner := owners.setdefault(collector.place, name)) != name:
                raise collector.refused(
                    f"output file {collector.place} is layer {owner!r}'s too", hint="another filename"
                )
        self._runs += 1
        try:
            yield
        finally:
            self._runs -= 1
            if not self._runs:
                self.close()

    def close(self) -> None:
        """Complete all files; if some fail, raise the first error after trying all."""
        failed: list[DataError] = []
        for collector in self._collectors.values():
            try:
                collector.close()
            except DataError as error:
                failed.append(error)
        if failed:
            raise failed[0]

    def reset(self, *names: str) -> None:
        """Empty the lists of these layers, by default of all layers."""
        for name in names or tuple(self):
            self._memory(name).reset()

    def _memory(self, name: str) -> MemoryCollector:
        collector = self._collectors.get(name) if isinstance(name, str) else None
        if isinstance(collector, MemoryCollector):
            return collector
        hint = f"it writes {collector.path}" if isinstance(collector, Hdf5Collector) else misspelt(name, self)
        raise OptionError(
            f"no MemoryOutputLayer {shown(name)}", details=[f"there are: {' '.join(self) or 'none'}"], hint=hint
        )

    def __getitem__(self, name: str) -> list[list[np.ndarray]]:
        return self._memory(name).arrays

    def __iter__(self) -> Iterator[str]:
        return (name for name, collector in self._collectors.items() if isinstance(collector, MemoryCollector))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"<outputs: {' '.join(self) or 'none'}>"
