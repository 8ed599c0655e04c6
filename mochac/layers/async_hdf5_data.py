"""AsyncHDF5DataLayer: batches from HDF5 files, shuffled within chunks of a given size.

The record only; runtime/data reads the files, by a thread of its own as for every data layer.
"""

from __future__ import annotations

from typing import ClassVar

from mochac.layers.base import FileLayer, layer
from mochac.layers.fields import boolean, integer, option, text


@layer
class AsyncHDF5DataLayer(FileLayer):
    """HDF5DataLayer with chunks of a size of your choice.

    Args:
        source: text file with one HDF5 path a line, relative to the current folder.
        batch_size: samples a step, >= 1. A training batch wraps around at the end of the data.
        chunk_size: samples of a chunk, >= 1. With `shuffle` one chunk is held in memory, in the file's own number type;
            without, it changes nothing.
        tops: datasets to read; ["data", "label"] by default.
        shuffle: permute the files, the chunks of a file and the samples of a chunk anew in every epoch, from the
            program's seed. Samples meet in a batch if they are neighbours in that order.
        external: read datasets whose numbers are in other files: external links, external storage, virtual datasets.
            Refused by default, as a file from elsewhere could name any file that you can read.
        shapes: shape of one sample by top, as of HDF5DataLayer.

    Every data layer reads ahead by a thread of its own; HDF5DataLayer chooses chunks by itself. Source: Mocha.jl
    src/layers/async-hdf5-data.jl.
    """

    reader: ClassVar[str] = "async_hdf5"

    name: str = option(text(), default="hdf5-data")
    chunk_size: int = option(integer(1), default=2**20)
    external: bool = option(boolean(), default=False)
