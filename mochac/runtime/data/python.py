"""Reader of PythonDataLayer: a data set with numbered samples, read here or in workers, or an iterator per epoch.

How many samples an epoch of an iterator has is not known before it ends, and a sample can only be found again by
iterating from the start. So StreamSource records where epochs have ended. It reads one sample ahead: when the last
sample of an epoch is used, it is known to be the last.
"""

from __future__ import annotations

import logging
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from mochac.base.errors import DataError
from mochac.base.support.array_like import UsersData
from mochac.base.support.log import LOG, tell_once
from mochac.runtime.data.loaded import LoadedSource
from mochac.runtime.data.order import key64
from mochac.runtime.data.source import SOURCES, Arrays, DataSource, Reading, SampleShapes, warn_of_large_batch
from mochac.runtime.data.workers import BadSample, SampleForm, described_error, seed_globals, users_traceback

LONG_PASS = 1 << 20
"""Samples of a single pass after which a warning says that the iterator may have no end."""


class StreamSource(DataSource):
    """The samples that `layer.make` iterates over."""

    runs_users_code: ClassVar[bool] = True
    sequential: ClassVar[bool] = True
    in_bursts = False  # what was read cannot be read again

    def __init__(self, layer: Any, reading: Reading) -> None:
        super().__init__(layer, reading)
        self._data: UsersData = layer.make
        self._form = SampleForm(layer.tops, layer.batched)
        self._form.extents = dict(layer.declared or reading.shapes)
        self._first_epoch, self._starts = 0, [0]  # numbers at which epochs begin, as far as they are known
        self._items: Iterator[Any] | None = None
        self._rows: dict[str, np.ndarray] = {}  # the current item
        self._used = self._number = 0  # of its samples; the number of the next sample
        self._over = self._cancelled = False
        self._failure: DataError | None = None
        if not self._form.extents:
            self._look_at_first()
        self.shapes, self.floats = SampleShapes(dict(self._form.extents), 0), set(layer.tops)

    def read_on(self, start: int, out: Arrays) -> int:
        n, done = len(next(iter(out.values()))), 0
        if self._number != start or (self._items is None and self._failure is None):
            self._stand_at(start)
        while done < n and self._has_rows():
            count = min(n - done, self._left)
            for top, rows in out.items():
                rows[done : done + count] = self._rows[top][self._used : self._used + count]
            done += count
            self._used, self._number = self._used + count, self._number + count
        if self.reading.once and self._number >= LONG_PASS:
            self._tell_long_pass()
        try:
            self._has_rows()
        except DataError as error:
            self._failure = error  # the samples before it are good
        return done

    def _tell_long_pass(self) -> None:
        words = f"an evaluation has read {LONG_PASS:,} samples of an iterator so far"
        words = f"data layer {self.layer.name!r}: {words}; if it has no end, the evaluation has none"
        tell_once(words, logging.WARNING)

    def place(self, number: int) -> tuple[int, int]:
        k = max(0, bisect_right(self._starts, number) - 1)
        return self._first_epoch + k, number - self._starts[k]

    def number(self, epoch: int, position: int) -> int:
        self._first_epoch, self._starts = epoch, [0]
        return position

    def epoch_end(self, number: int) -> int | None:
        k = bisect_right(self._starts, number)
        return self._starts[k] if k < len(self._starts) else None

    def locate(self, epoch: int, position: int) -> str:
        return f"sample {position} of epoch {epoch}"

    def clone(self) -> DataSource:
        other = StreamSource(self.layer, self.reading)
        other._first_epoch, other._starts = self._first_epoch, self._starts[:]
        return other

    def prepare(self) -> None:
        self._cancelled = False

    def cancel(self) -> None:
        self._cancelled = True

    def close(self) -> None:
        self._items, self._failure = None, None

    @property
    def _left(self) -> int:
        """Samples of the current item that are not used."""
        return len(next(iter(self._rows.values()), ())) - self._used

    def _look_at_first(self) -> None:
        try:
            item, batched = self._data.first()
            self._form.batched = self.layer.batched or batched
            rows = self._form.samples(item)
        except StopIteration:
            raise self._empty(0) from None
        except Exception as error:
            raise self._failed(error) from error
        self._form.extents = {top: array.shape[1:] for top, array in rows.items()}

    def _stand_at(self, start: int) -> None:
        """Begin the epoch of sample number `start`, and drop the samples before it."""
        epoch, position = self.place(start)
        del self._starts[epoch - self._first_epoch + 1 :]
        self._begin(epoch)
        self._number = start - position
        if position:
            LOG.info("data layer %r: dropping the first %d samples of epoch %d", self.layer.name, position, epoch)
        while self._number < start:
            if self._over or not self._has_rows() or self.place(self._number)[0] != epoch:
                LOG.warning("data layer %r had more samples in epoch %d, which begins again", self.layer.name, epoch)
                self._first_epoch, self._starts, self._number = epoch, [start], start
                self._begin(epoch)
                return
            count = min(start - self._number, self._left)
            self._used, self._number = self._used + count, self._number + count

    def _begin(self, epoch: int) -> None:
        self._rows, self._used, self._over, self._failure = {}, 0, False, None
        try:
            begun = self._data.begin(epoch)
        except Exception as error:
            raise self._failed(error) from error
        self._items, self._form.batched = begun.items, self.layer.batched or begun.batched

    def _has_rows(self) -> bool:
        """Whether there is a sample left, in this epoch or the next; at the end of a single pass there is none."""
        if self._failure is not None:
            failure, self._failure, self._items = self._failure, None, None
            raise failure
        while not self._left and not self._over:
            self._next_item()
        return not self._over

    def _next_item(self) -> None:
        assert self._items is not None
        try:
            item = next(self._items)
            rows = self._form.samples(item)
        except StopIteration:
            self._end_epoch()
            return
        except Exception as error:
            self._items = None
            raise self._failed(error) from error
        if self._cancelled:
            raise self.error("reading was stopped")
        self._rows, self._used = rows, 0

    def _end_epoch(self) -> None:
        epoch, position = self.place(self._number)
        if not position:
            raise self._empty(epoch)
        if self.reading.once:
            self._over = True
            return
        warn_of_large_batch(self.layer, position)
        self._starts.append(self._number)
        self._begin(epoch + 1)

    def _empty(self, epoch: int) -> DataError:
        hint = "make is called once for each epoch, and returns a fresh iterable each time" if epoch else ""
        return self.error(f"there are no samples in epoch {epoch}", hint=hint)

    def _failed(self, error: Exception) -> DataError:
        place = self.locate(*self.place(self._number))
        if self._form.batched:
            place = f"the batch that begins with {place}"
        if isinstance(error, BadSample):
            return self.error(f"{place}: {error.rule}", **error.parts)
        return self.error(f"{place} could not be read", got=described_error(error), details=users_traceback(error))


class DataSetSource(LoadedSource):
    """Samples `layer.make.source[k]`."""

    runs_users_code: ClassVar[bool] = True
    in_bursts = False

    def __init__(self, layer: Any, reading: Reading) -> None:
        super().__init__(layer, reading)
        self._source = layer.make.source
        self._form = SampleForm(layer.tops, batched=False)
        self._form.extents = dict(layer.declared or reading.shapes)
        n_samples = self._counted()
        if not self._form.extents:
            self._samples(0)
        self.shapes, self.floats = SampleShapes(dict(self._form.extents), n_samples), set(layer.tops)

    def load(self, epoch: int, number: int, out: Arrays) -> None:
        samples = self._samples(number)
        if self._cancelled:
            raise self.error("reading was stopped")
        for top, row in out.items():
            row[...] = samples[top][0]

    def seed(self, epoch: int, number: int) -> None:
        """What the user's code draws depends on the sample, not on which worker loads it."""
        seed_globals(key64(self.reading.seed, self.layer.name, "sample", epoch, number))

    def _counted(self) -> int:
        try:
            n = len(self._source)
        except Exception as error:
            raise self._failed("the number of samples", error) from error
        if not n:
            raise self.error("there are no samples", got="a data set of length 0")
        return n

    def _samples(self, number: int) -> dict[str, np.ndarray]:
        try:
            return self._form.samples(self._source[number])
        except BadSample as bad:
            raise self.error(f"sample {number}: {bad.rule}", **bad.parts) from None
        except Exception as error:
            raise self._failed(f"sample {number}", error) from error

    def _failed(self, what: str, error: Exception) -> DataError:
        return self.error(f"{what} could not be read", got=described_error(error), details=users_traceback(error))


def _reader(layer: Any, reading: Reading) -> DataSource:
    counted = layer.make.indexed and not layer.batched
    return DataSetSource(layer, reading) if counted else StreamSource(layer, reading)


SOURCES.add("python", _reader)
