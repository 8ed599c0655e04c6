"""Caffe's data layers: Input, HDF5Data, and others, which the user has to replace; HDF5Output."""

from __future__ import annotations

from collections.abc import Iterable

from mochac.caffe.builder import Builder
from mochac.caffe.converters import converter
from mochac.caffe.layer import CaffeLayer
from mochac.caffe.recurrent_wiring import STATES


@converter("Input", bottoms=(0, 0), tops=(1, None))
def input_layer(b: Builder, layer: CaffeLayer) -> None:
    """An InputLayer for each top, for predict() and ImageClassifier."""
    shapes = [tuple(shape.dim) for shape in layer.message.input_param.shape]
    if len(shapes) == 1:
        shapes *= len(layer.message.top)
    if len(shapes) != len(layer.message.top) or any(min(shape, default=0) < 1 for shape in shapes):
        got = ", ".join(map(str, shapes)) or "none"
        raise layer.refused("each of its tops needs a shape", expected="extents >= 1, batch first", got=got)
    names = list(layer.message.top)
    shapes = [_batch_first(b, name, shape) for name, shape in zip(names, shapes, strict=True)]
    batch = b.options.batch_size or shapes[0][0]
    for top, shape in zip(b.tops(layer), shapes, strict=True):
        b.add("Input", layer, shape=(batch, *shape[1:]), tops=[top])


def _batch_first(b: Builder, name: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of an Input's top; of sequences and states with the batch in front."""
    turned = (b.time_first and shape[:2] == b.time_first) or (name in b.states and len(shape) > 1)
    return (*reversed(shape[:2]), *shape[2:]) if turned else shape


def states(layers: Iterable[CaffeLayer]) -> frozenset[str]:
    """The blobs that recurrent layers start from, whose batch is axis 1 in Caffe."""
    found: set[str] = set()
    for layer in layers:
        if layer.type in STATES and layer.message.recurrent_param.expose_hidden:
            found.update(list(layer.message.bottom)[-STATES[layer.type] :])
    return frozenset(found)


def time_first(layers: Iterable[CaffeLayer]) -> tuple[int, ...]:
    """The extents (time, batch) of the markers of a recurrent layer that come from an Input layer; () for none."""
    markers = {layer.message.bottom[1] for layer in layers if layer.type in STATES and len(layer.message.bottom) > 1}
    inputs = [layer.message for layer in layers if layer.type == "Input" and layer.message.input_param.shape]
    for message in inputs:
        shapes = list(message.input_param.shape)
        for top, shape in zip(message.top, shapes * (len(message.top) if len(shapes) == 1 else 1), strict=False):
            if top in markers:
                return tuple(shape.dim[:2])
    return ()


@converter("HDF5Data", bottoms=(0, 0), tops=(1, None))
def hdf5_data(b: Builder, layer: CaffeLayer) -> None:
    """HDF5DataLayer."""
    param = layer.message.hdf5_data_param
    if not param.source or not param.batch_size:
        raise layer.refused("source and batch_size must be given")
    b.add(
        "HDF5Data",
        layer,
        source=param.source if b.options.unread else str(layer.file(param.source)),
        batch_size=b.options.batch_size or param.batch_size,
        shuffle=param.shuffle,
        tops=b.tops(layer),
    )


FOREIGN = ("Data", "DummyData", "ImageData", "MemoryData", "WindowData")
"""Types that the user has to replace."""


@converter(*FOREIGN, bottoms=(0, 0), tops=(1, None))
def foreign_data(b: Builder, layer: CaffeLayer) -> None:
    """Refuse databases and lists of images, which have to be converted to HDF5 and read by another layer."""
    b.tops(layer)
    tops = list(layer.message.top)
    made = f"HDF5DataLayer(source=..., batch_size={batch_size(layer) or '...'}, tops={tops})"
    hint = f"replace it: data={made}"
    raise layer.refused("mochac does not read its data", expected="HDF5Data or Input", got=layer.type, hint=hint)


def batch_size(layer: CaffeLayer) -> int | None:
    """The batch_size of a data layer of any type."""
    for name in ("data_param", "image_data_param", "memory_data_param", "window_data_param"):
        if layer.message.HasField(name):
            return int(getattr(layer.message, name).batch_size) or None
    dummy = layer.message.dummy_data_param
    extents = [*(shape.dim[0] for shape in dummy.shape if shape.dim), *dummy.num]
    return int(extents[0]) if extents else None


@converter("HDF5Output", bottoms=(1, None), tops=(0, 0))
def hdf5_output(b: Builder, layer: CaffeLayer) -> None:
    """HDF5OutputLayer with the datasets of Caffe, data and label."""
    bottoms = b.bottoms(layer)
    datasets = ["data", "label"] if len(bottoms) == 2 else []
    b.add("HDF5Output", layer, bottoms=bottoms, filename=layer.message.hdf5_output_param.file_name, datasets=datasets)
