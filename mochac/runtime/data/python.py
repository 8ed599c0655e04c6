"""Reader of PythonDataLayer: a data set with numbered samples, in this process or in worker processes, or a stream."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from mochac.base.errors import DataError
from mochac.runtime.data.loaded import LoadedSource
from mochac.runtime.data.order import key64
from mochac.runtime.data.samples import BadSample, SampleForm, described_error, users_traceback
from mochac.runtime.data.source import SOURCES, Arrays, DataSource, Reading, SampleShapes
from mochac.runtime.data.stream import StreamSource
from mochac.runtime.data.workers import seed_globals


class DataSetSource(LoadedSource):
    """Samples `layer.make.given[k]`."""

    runs_users_code: ClassVar[bool] = True
    in_bursts = False

    def __init__(self, layer: Any, reading: Reading) -> None:
        super().__init__(layer, reading)
        self._given = layer.make.given
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
