"""LoadedSource: samples that have numbers and are loaded one by one, as from a data set or a folder of images."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from mochac.runtime.data.source import Arrays, DataSource


class LoadedSource(DataSource):
    """Subclasses implement `load`; they may also load several samples at the same time, in `load_all`."""

    @abstractmethod
    def load(self, epoch: int, number: int, out: Arrays) -> None:
        """Fill `out`, a sample's place in a batch, with sample `number`.

        Raises:
            DataError: it cannot be loaded.
        """

    def load_all(self, epoch: int, numbers: Sequence[int], out: Arrays) -> None:
        """Fill `out` with these samples; if several cannot be loaded, the first of them is the error."""
        for k, number in enumerate(numbers):
            self.load(epoch, number, {top: rows[k] for top, rows in out.items()})

    def read(self, epoch: int, position: int, out: Arrays) -> None:
        stop = position + len(next(iter(out.values())))
        order = self.permuted(epoch)[position:stop] if self.shuffle else np.arange(position, stop)
        self.load_all(epoch, order.tolist(), out)

    def locate(self, epoch: int, position: int) -> str:
        return f"sample {int(self.permuted(epoch)[position]) if self.shuffle else position}"
