"""ResidentSets: which datasets a program keeps on its device.

Training and evaluation ask before a run whether its batches can be gathered there. That depends on the size of the
data, on transformers, and on how much of the data the run needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from mochac.errors import BackendError, DataError
from mochac.runtime.cuda import resident
from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.resident import Column
from mochac.runtime.cuda.resident_feed import Numbered
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.source import DataSource
from mochac.runtime.support.log import LOG

if TYPE_CHECKING:
    from mochac.runtime.cuda.device import Device

SHARE = 0.5
"""Of the device's free memory that datasets may take."""
AT_ONCE_BYTES = 256 << 20
"""A dataset up to this size is sent whole for the shortest run."""
LIVE_EPOCHS = 2
"""Samples that may have changed are sent again for a run of more epochs than this; streaming overlaps with steps."""
LIVE = "arrays that may be written to, in a run of no more than two epochs"
LARGE = "more than 256 MiB, in a run of less than an epoch"
FORBIDDEN = "MOCHAC_RESIDENT=0"
NONE = "no data layers"
NO_NEWS = (LIVE, LARGE, FORBIDDEN, NONE)
"""Reasons that need no line in the log."""


class ResidentSets:
    """The datasets of one program on one device.

    Args:
        dtype: of the blobs, float32 or float64.
        allowed: MOCHAC_RESIDENT.

    Attributes:
        words: what became of the datasets of the last run: "resident: 47 MB", "streamed: why".
    """

    def __init__(self, device: Device, dtype: str, *, allowed: bool = True) -> None:
        self._device, self._dtype, self._allowed = device, np.dtype(dtype), allowed
        self._held: dict[tuple[str, str], Column] = {}
        self._refused: set[object] = set()
        self._logged: set[str] = set()
        self.words = ""
        device.join(self)

    def likely(self, sources: Sequence[DataSource], epochs: float) -> bool:
        """Whether a run over so many epochs of the first source will find its data here, as far as is known before."""
        return not self._said(self._why_not(sources, epochs))

    def hold(self, sources: Sequence[DataSource], epochs: float) -> bool:
        """Have all samples of the sources on the device, as they are now, if they belong there; whether they are."""
        return not self._said(self._why_not(sources, epochs) or self._held_now(sources), self._bytes(sources))

    def _said(self, why: str, n_bytes: int = 0) -> str:
        """Keep in words what became of a run's data, and log it where it is news; gives back `why`."""
        if why or n_bytes:
            self.words = f"streamed: {why}" if why else f"resident: {_megabytes(n_bytes)}"
            if why not in NO_NEWS and self.words not in self._logged:
                self._logged.add(self.words)
                LOG.info("data %s", self.words)
        return why

    def given(self, feed: Feed, names: Mapping[str, str], n: int, batch: int | None = None) -> Numbered:
        """The next n batches of a feed whose sources are held.

        Args:
            names: graph input by top.
            batch: the first so many samples of each; None: all.

        Raises:
            DataError: they are held no more.
        """
        numbers = {names[top]: a[:, :batch] for top, a in feed.numbers(n).items() if top in names}
        sources = {top: source for source in feed.sources for top in source.shapes.tops}
        columns = {}
        for top, value in names.items():
            columns[value] = self._column(sources[top], top)
        return Numbered(numbers, columns, lambda: feed.foresee(n))

    def _column(self, source: DataSource, top: str) -> Column:
        """One that a run is using; an evaluation in between may have found bad samples."""
        column = self._held.get((source.layer.name, top))
        if column is None:
            expected, got = f"{source.n_samples:,} samples", "none that are as they must be"
            raise source.error("data changed during training", expected=expected, got=got)
        return column

    def close(self) -> None:
        """Let go of all of them; a second close is harmless."""
        while self._held:
            self._held.popitem()[1].release()

    def __del__(self) -> None:
        """A program nobody holds any more leaves nothing on the device."""
        with suppress(Exception):  # at the end of the process there may be no device any more
            self.close()

    def _why_not(self, sources: Sequence[DataSource], epochs: float) -> str:
        """Why a run is to stream its batches, in words; "" where nothing speaks against it so far."""
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

    def _held_now(self, sources: Sequence[DataSource]) -> str:
        """Take and fill the columns; why that cannot be done, or ""."""
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
        except DataError as error:  # the run comes to it, or does not
            self._let_go(sources)
            if not any(source.live for source in sources):
                self._refused.update(keys)
            return f"{error.rule}, in data layer {error.layer!r}"
        return ""

    def _taken(self, source: DataSource) -> dict[str, Column]:
        found = {}
        for top, (key, dtype) in self._columns(source).items():
            place = source.layer.name, top
            held = self._held.get(place)
            if held is None or held.key != key:
                self._held[place] = resident.take(self._device, key, source, top, dtype)
                if held is not None:
                    held.release()
            found[top] = self._held[place]
        return found

    def _let_go(self, sources: Sequence[DataSource]) -> None:
        names = {source.layer.name for source in sources}
        for place in [p for p in self._held if p[0] in names]:
            self._held.pop(place).release()

    def _columns(self, source: DataSource) -> dict[str, tuple[object, np.dtype]]:
        """By top the key and the type of its column."""
        kinds = {top: resident.stored_dtype(source, top, self._dtype) for top in source.shapes.tops}
        return {top: (resident.column_key(source, top, kind), kind) for top, kind in kinds.items()}

    def _bytes(self, sources: Sequence[DataSource]) -> int:
        return sum(c.n_bytes for (name, _), c in self._held.items() if name in {s.layer.name for s in sources})


def forecast(sources: Sequence[DataSource], dtype: np.dtype) -> str:
    """What is to be expected of datasets before any run, in words; "" without any."""
    for source in sources:
        if why := _unfit(source):
            return f"streamed: data layer {source.layer.name!r} {why}"
    tops = [
        (source, top, resident.stored_dtype(source, top, dtype)) for source in sources for top in source.shapes.tops
    ]
    n_bytes = sum(resident.column_bytes(*top) for top in tops)
    return f"{_megabytes(n_bytes)}, on the device where half of its free memory holds them" if tops else ""


def _unfit(source: DataSource) -> str:
    """Why samples of a source may not be kept, or ""."""
    if not source.numbered or source.n_samples >= 1 << 31:
        return "does not number its samples"
    other = [change for _, change in source.layer.transformers if not getattr(change, "steady", False)]
    return f"has the transformer {type(other[0]).__name__}, which may be different every time" if other else ""


def _megabytes(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:,.1f} MB"
