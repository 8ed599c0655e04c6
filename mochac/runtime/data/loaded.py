"""LoadedSource: samples that have numbers and are loaded one by one, as from a data set or a folder of images."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from mochac.base.errors import DataError
from mochac.runtime.data.source import Arrays, DataSource, Reading
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

    def anew(self) -> DataSource:
        self.close()
        return super().anew()

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
