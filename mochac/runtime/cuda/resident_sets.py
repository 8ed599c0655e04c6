"""ResidentSets: decides which datasets a program keeps on its device.

A program has one; before a run it decides whether batches can be gathered on the device: by the size of the datasets,
by whether their samples may change, and by how much of them the run needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from mochac.base.errors import BackendError, DataError
from mochac.base.support.log import LOG
from mochac.runtime.cuda import resident
from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.resident import Column, Numbered
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.source import DataSource

if TYPE_CHECKING:
    from mochac.runtime.cuda.device import Device

SHARE = 0.5
"""Fraction of the device's free memory that datasets may take."""
AT_ONCE_BYTES = 256 << 20
"""A dataset up to this size is copied whole even for the shortest run."""
LIVE_EPOCHS = 2
"""Samples that may have changed are copied again only for a run of more epochs; streaming overlaps with steps."""
LIVE = "arrays that may be written to, in a run of no more than two epochs"
LARGE = "more than 256 MiB, in a run of less than an epoch"
FORBIDDEN = "MOCHAC_RESIDENT=0"
NONE = "no data layers"
NO_NEWS = (LIVE, LARGE, FORBIDDEN, NONE)
"""Reasons that are not logged."""


class ResidentSets:
    """The datasets of one program on one device.

    Args:
        dtype: of the blobs, float32 or float64.
        allowed: MOCHAC_RESIDENT.

    Attributes:
        words: where the datasets of the last run were kept: "resident: 47 MB", "streamed: why".
    """

    def __init__(self, device: Device, dtype: str, *, allowed: bool = True) -> None:
        self._device, self._dtype, self._allowed = device, np.dtype(dtype), allowed
        self._on_device: dict[tuple[str, str], Column] = {}
        self._refused: set[object] = set()
        self._logged: set[str] = set()
        self.words = ""
        device.join(self)

    def likely(self, sources: Sequence[DataSource], epochs: float) -> bool:
        """Whether a run over this many epochs of the first source will probably find its data here."""
        return not self._log_change(self._why_not(sources, epochs))

    def hold(self, sources: Sequence[DataSource], epochs: float) -> bool:
        """Keep the current samples of the sources on the device if that pays; returns whether they are there."""
        return not self._log_change(self._why_not(sources, epochs) or self._fill_columns(sources), self._bytes(sources))

    def _log_change(self, why: str, n_bytes: int = 0) -> str:
        """Remember where a run's data is, log it if that is new, and return `why`."""
        if why or n_bytes:
            self.words = f"streamed: {why}" if why else f"resident: {_megabytes(n_bytes)}"
            if why not in NO_NEWS and self.words not in self._logged:
                self._logged.add(self.words)
                LOG.info("data %s", self.words)
        return why

    def next_batches(self, feed: Feed, names: Mapping[str, str], n: int, batch: int | None = None) -> Numbered:
        """The next n batches of a feed whose sources are kept.

        Args:
            names: graph input by top.
            batch: use only this many samples of each batch; None: all.

        Raises:
            DataError: the samples are no longer kept.
        """
        numbers = {names[top]: a[:, :batch] for top, a in feed.numbers(n).items() if top in names}
        sources = {top: source for source in feed.sources for top in source.shapes.tops}
        columns = {}
        for top, value in names.items():
            columns[value] = self._column(sources[top], top)
        return Numbered(numbers, columns, lambda: feed.prepare_numbers(n))

    def _column(self, source: DataSource, top: str) -> Column:
        """A column that a run is using; an evaluation in between may have found invalid samples."""
        column = self._on_device.get((source.layer.name, top))
        if column is None:
            expected, got = f"{source.n_samples:,} samples", "none that are as they must be"
            raise source.error("data changed during training", expected=expected, got=got)
        return column

    def close(self) -> None:
        """Release all datasets; closing twice is harmless."""
        while self._on_device:
            self._on_device.popitem()[1].release()

    def __del__(self) -> None:
        """Release the memory of a program that nobody refers to any more."""
        with suppress(Exception):  # at the end of the process the device may be gone
            self.close()

    def _why_not(self, sources: Sequence[DataSource], epochs: float) -> str:
        """Why a run must stream its batches, or "" if no reason is known yet."""
        if not self._allowed:
            return FORBIDDEN
        if not sources:
            return NONE
        for source in sources:
            why = _unfit(source)
            if why:
                return f"data layer {source.layer.name!r} {why}"
        absent = {}
        for source in sources:
            for top, (key, dtype) in self._columns(source).items():
                if key in self._refused:
                    return "it could not be sent before"
                if resident.find(self._device, key) is None:
                    absent[key] = resident.column_bytes(source, top, dtype)
        n_bytes = sum(absent.values())
        if epochs <= LIVE_EPOCHS and any(source.live for source in sources):
            return LIVE
        if epochs < 1 and n_bytes > AT_ONCE_BYTES:
            return LARGE
        return self._too_large(n_bytes) if n_bytes else ""

    def _too_large(self, n_bytes: int) -> str:
        with self._device.use() as driver:
            room = int(SHARE * driver.memory()[0])
        if n_bytes <= room:
            return ""
        return f"it takes {_megabytes(n_bytes)}, half of the free memory is {_megabytes(room)}"

    def _fill_columns(self, sources: Sequence[DataSource]) -> str:
        """Allocate and fill the columns; returns why that is impossible, or ""."""
        keys = [key for source in sources for key, _ in self._columns(source).values()]
        try:
            for source in sources:
                columns = self._taken(source)
                absent = {top: column for top, column in columns.items() if source.live or not column.sent}
                if absent:
                    n_bytes = sum(column.n_bytes for column in absent.values())
                    if n_bytes > AT_ONCE_BYTES:
                        LOG.info("sending the %s of data layer %r", _megabytes(n_bytes), source.layer.name)
                    resident.send(source, absent)
        except (BackendError, DeviceError) as error:
            self._let_go(sources)
            return getattr(error, "rule", str(error))
        except DataError as error:  # the run reports it if it reaches the sample
            self._let_go(sources)
            if not any(source.live for source in sources):
                self._refused.update(keys)
            return f"{error.rule}, in data layer {error.layer!r}"
        return ""

    def _taken(self, source: DataSource) -> dict[str, Column]:
        found = {}
        for top, (key, dtype) in self._columns(source).items():
            place = source.layer.name, top
            column = self._on_device.get(place)
            if column is None or column.key != key:
                self._on_device[place] = resident.take(self._device, key, source, top, dtype)
                if column is not None:
                    column.release()
            found[top] = self._on_device[place]
        return found

    def _let_go(self, sources: Sequence[DataSource]) -> None:
        names = {source.layer.name for source in sources}
        for place in [p for p in self._on_device if p[0] in names]:
            self._on_device.pop(place).release()

    def _columns(self, source: DataSource) -> dict[str, tuple[object, np.dtype]]:
        """Key and type of each top's column."""
        kinds = {top: resident.stored_dtype(source, top, self._dtype) for top in source.shapes.tops}
        return {top: (resident.column_key(source, top, kind), kind) for top, kind in kinds.items()}

    def _bytes(self, sources: Sequence[DataSource]) -> int:
        return sum(c.n_bytes for (name, _), c in self._on_device.items() if name in {s.layer.name for s in sources})


def forecast(sources: Sequence[DataSource], dtype: np.dtype) -> str:
    """Where datasets will probably be kept, in words, before any run; "" without any."""
    for source in sources:
        if why := _unfit(source):
            return f"streamed: data layer {source.layer.name!r} {why}"
    tops = [
        (source, top, resident.stored_dtype(source, top, dtype)) for source in sources for top in source.shapes.tops
    ]
    n_bytes = sum(resident.column_bytes(*top) for top in tops)
    return f"{_megabytes(n_bytes)}, on the device where half of its free memory holds them" if tops else ""


def _unfit(source: DataSource) -> str:
    """Why samples of a source cannot be kept, or ""."""
    if not source.numbered or source.n_samples >= 1 << 31:
        return "does not number its samples"
    other = [change for _, change in source.layer.transformers if not getattr(change, "steady", False)]
    return f"has the transformer {type(other[0]).__name__}, which may be different every time" if other else ""


def _megabytes(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:,.1f} MB"
