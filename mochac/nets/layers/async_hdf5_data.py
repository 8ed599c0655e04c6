"""AsyncHDF5DataLayer: batches from HDF5 files, shuffled within chunks of a given size."""

from __future__ import annotations

from typing import ClassVar

from mochac.nets.layers.base import FileLayer, layer
from mochac.nets.layers.fields import boolean, integer, option, text


@layer
class AsyncHDF5DataLayer(FileLayer):
    """Like HDF5DataLayer, but shuffles within chunks of a given size.

    Args:
        source: text file with one HDF5 path per line, relative to the current folder.
        batch_size: samples per step, >= 1. Training batches wrap around at the end of the data.
        chunk_size: samples in a chunk, >= 1. With `shuffle`, one chunk is in memory at a time, in the number type of
            the file; without, it has no effect.
        tops: datasets to read; ["data", "label"] by default.
        shuffle: in every epoch, permute the files, the chunks of a file and the samples of a chunk, depending on the
            seed of the program. Batches consist of neighbours in that order.
        external: read datasets whose numbers are in other files: external links, external storage, virtual datasets.
            Refused by default, since a file from an unknown source could name any file that you can read.
        shapes: shape of a sample by top, as in HDF5DataLayer.

    Like every data layer it reads ahead in a thread of its own. HDF5DataLayer chooses the size of chunks itself.
    Source: Mocha.jl src/layers/async-hdf5-data.jl.
    """

    reader: ClassVar[str] = "async_hdf5"

    name: str = option(text(), default="hdf5-data")
    chunk_size: int = option(integer(1), default=2**20)
    external: bool = option(boolean(), default=False)
