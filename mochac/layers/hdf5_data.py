"""HDF5DataLayer: batches from HDF5 files named in a text file.

The record only; runtime/data reads the files.
"""

from __future__ import annotations

from typing import ClassVar

from mochac.layers.base import FileLayer, layer
from mochac.layers.fields import boolean, option, text


@layer
class HDF5DataLayer(FileLayer):
    """Batches from datasets named after the tops, (num, ...) each, of any float or integer type.

    Args:
        source: text file with one HDF5 path a line, relative to the current folder.
        batch_size: samples a step, >= 1. A training batch wraps around at the end of the data.
        tops: datasets to read; ["data", "label"] by default.
        shuffle: permute files, chunks and samples anew in every epoch, from the program's seed.
        external: read datasets whose numbers are in other files: external links, external storage, virtual datasets.
            Refused by default, as a file from elsewhere could name any file that you can read.
        shapes: shape of one sample by top, such as {"data": (1, 28, 28), "label": (1,)}. With it the net can be built,
            drawn, explained, dumped and profiled where the files are not there; where they are, they must have them.

    Source: Mocha.jl src/layers/hdf5-data.jl; the shuffling is mochac's.
    """

    reader: ClassVar[str] = "hdf5"

    name: str = option(text(), default="hdf5-data")
    external: bool = option(boolean(), default=False)
