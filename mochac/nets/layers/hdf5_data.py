"""HDF5DataLayer: batches from HDF5 files, which a text file lists."""

from __future__ import annotations

from typing import ClassVar

from mochac.nets.layers.base import FileLayer, layer
from mochac.nets.layers.fields import boolean, option, text


@layer
class HDF5DataLayer(FileLayer):
    """Batches from datasets (num, ...) with the names of the tops, of any float or integer type.

    Args:
        source: text file with one HDF5 path per line, relative to the current folder.
        batch_size: samples per step, >= 1. Training batches wrap around at the end of the data.
        tops: datasets to read; ["data", "label"] by default.
        shuffle: permute files, chunks and samples in every epoch, depending on the seed of the program.
        external: read datasets whose numbers are in other files: external links, external storage, virtual datasets.
            Refused by default, since a file from an unknown source could name any file that you can read.
        shapes: shape of a sample by top, such as {"data": (1, 28, 28), "label": (1,)}. With it, the net can be built,
            drawn, explained, dumped and profiled without the files; if the files exist, their shapes must agree.

    Source: Mocha.jl src/layers/hdf5-data.jl, but with other shuffling.
    """

    reader: ClassVar[str] = "hdf5"

    name: str = option(text(), default="hdf5-data")
    external: bool = option(boolean(), default=False)
