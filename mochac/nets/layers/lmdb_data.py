"""LMDBDataLayer: batches from an LMDB database of Caffe's Datum messages."""

from __future__ import annotations

from typing import ClassVar

from mochac.nets.layers.base import FileLayer, layer
from mochac.nets.layers.fields import integer, option, text


@layer
class LMDBDataLayer(FileLayer):
    """Batches from an LMDB database of Caffe's Datum messages, as convert_imageset writes it (`mochac[caffe]`).

    Args:
        source: the database: a folder with data.mdb, or that file.
        batch_size: samples per step, >= 1. Training batches wrap around at the end of the data.
        tops: images (batch, channels, height, width) and class indices (batch, 1), ["data", "label"] by default; or
            images alone.
        shuffle: permute the samples in every epoch, depending on the seed of the program; Caffe reads them in the order
            of their keys.
        workers: processes that read and decode samples at the same time; 0: one thread of this process.
        shapes: shape of a sample by top, such as {"data": (3, 32, 32), "label": (1,)}. With it, the net can be built,
            drawn, explained, dumped and profiled without the database; if that exists, its shapes must agree.

    Bytes are 0 .. 255; the transformers DataTransformers.SubMean and Scale do what Caffe's transform_param does.
    Encoded images (JPEG, PNG) are decoded by Pillow (`mochac[images]`), with their colours in Caffe's order, BGR.

    Raises:
        DataError: no such database, no samples, samples of different shapes. OptionError: a package is not installed.

    Source: Caffe's layer Data.
    """

    reader: ClassVar[str] = "lmdb"
    n_tops: ClassVar[tuple[int, int | None]] = (1, 2)

    name: str = option(text(), default="lmdb-data")
    workers: int = option(integer(0), default=0)
