"""Reader of AsyncHDF5DataLayer: that of HDF5DataLayer, shuffling within chunks of a size that the user chooses.

As in Mocha, one chunk is in memory at a time; files, chunks, and samples within the chunk are shuffled in every epoch.
Without shuffling it is the same reader as HDF5DataLayer's.
"""

from __future__ import annotations

from mochac.base.support.memory import available_bytes
from mochac.runtime.data.hdf5 import Hdf5Source
from mochac.runtime.data.source import SOURCES


class AsyncHdf5Source(Hdf5Source):
    """Rows file by file, chunk by chunk of `chunk_size` rows."""

    def _cut(self, n_rows: int, row_bytes: int, chunk_rows: int | None) -> tuple[int, int]:
        if not self.shuffle:
            return super()._cut(n_rows, row_bytes, chunk_rows)
        rows = min(self.layer.chunk_size, n_rows)
        if rows * row_bytes > (most := available_bytes()):
            fits = max(1, most // row_bytes)
            raise self.error(
                "a chunk does not fit into memory",
                expected=f"chunk_size * {row_bytes:,} bytes <= {most:,} bytes",
                got=f"{rows:,} * {row_bytes:,} bytes",
                hint=f"chunk_size={fits} at most",
            )
        return rows, rows


SOURCES.add("async_hdf5", AsyncHdf5Source)
