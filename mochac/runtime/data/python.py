"""Reader of PythonDataLayer: a data set with numbered samples, in this process or in worker processes, or a stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from mochac.errors import DataError
from mochac.runtime.data.loaded import LoadedSource
from mochac.runtime.data.rng import key64
from mochac.runtime.data.samples import BadSample, SampleForm, described_error, users_traceback
from mochac.runtime.data.source import SOURCES, Arrays, DataSource, Reading, SampleShapes
from mochac.runtime.data.stream import StreamSource
from mochac.runtime.data.workers import Workers, seed_globals


class DataSetSource(LoadedSource):
    """Samples `layer.make.given[k]`."""

    runs_users_code: ClassVar[bool] = True

    def __init__(self, layer: Any, reading: Reading) -> None:
        super().__init__(layer, reading)
        self._given = layer.make.given
        self._form = SampleForm(layer.tops, batched=False)
        self._form.extents = dict(layer.declared or reading.shapes)
        self._workers = Workers(layer.workers, self._seed_and_load) if layer.workers else None
        self._cancelled = False
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

    def load_all(self, epoch: int, numbers: Sequence[int], out: Arrays) -> None:
        if self._workers is None or not self._workers.reach(out):
            super().load_all(epoch, numbers, out)
            return
        failure = self._workers.load_all(epoch, numbers, out, lambda: self._cancelled)
        if isinstance(failure, DataError):
            raise failure
        if failure:
            hint = "it was killed, perhaps for lack of memory, or crashed; workers=0 reads without processes"
            raise self.error("a worker process has ended", got=failure, hint=hint)

    def memory(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        return self._workers.memory(shape, dtype) if self._workers else super().memory(shape, dtype)

    def prepare(self) -> None:
        self._cancelled = False
        if self._workers:
            self._workers.start()

    def cancel(self) -> None:
        self._cancelled = True

    def anew(self) -> DataSource:
        self.close()
        return super().anew()

    def close(self) -> None:
        if self._workers:
            self._workers.stop()

    def _seed_and_load(self, epoch: int, number: int, out: Arrays) -> DataError | None:
        """In a worker: what the user's code draws depends on the sample, not on which worker loads it."""
        seed_globals(key64(self.reading.seed, self.layer.name, "sample", epoch, number))
        try:
            with np.errstate(all="ignore"):
                self.load(epoch, number, out)
        except DataError as error:
            return error
        return None

    def _counted(self) -> int:
        try:
            n = len(self._given)
        except Exception as error:
            raise self._failed("the number of samples", error) from error
        if not n:
            raise self.error("there are no samples", got="a data set of length 0")
        return n

    def _samples(self, number: int) -> dict[str, np.ndarray]:
        try:
            return self._form.samples(self._given[number])
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
