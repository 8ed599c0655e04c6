"""Converters of Caffe's data layers, their transform_param, and HDF5Output.

Input, HDF5Data and DummyData are converted; the user replaces the others, and transform_param is then applied to that
replacement. The order of subtracting the mean, scaling, cropping and mirroring is equivalent to Caffe's. Source:
Caffe's src/caffe/data_transformer.cpp.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.files.caffe_binary import read_mean
from mochac.base.files.caffe_schema import message_class
from mochac.formats.caffe.builder import Builder, CaffeLayer, converter, number
from mochac.formats.caffe.layers.recurrent import STATES
from mochac.nets.layers.base import DataLayer
from mochac.nets.layers.config import at_origin
from mochac.nets.layers.transformers import DataTransformer, DataTransformers


def transformed(layer: CaffeLayer, source: DataLayer, unread: bool = False) -> DataLayer:
    """The user's data layer with the mean and scale of Caffe's layer on its first top, unless it has transformers.

    Args:
        unread: instead of reading the mean, name an HDF5 file next to it.
    """
    param = layer.message.transform_param
    steps: list[DataTransformer] = []
    if param.mean_file and unread:
        steps.append(DataTransformers.SubMean(mean_file=str(Path(param.mean_file).with_suffix(".h5"))))
    elif param.mean_file:
        steps.append(DataTransformers.SubMean(mean_blob=read_mean(layer.file(param.mean_file))))
    elif param.mean_value:
        means = np.array([number(v) for v in param.mean_value]).reshape(-1, 1, 1)
        steps.append(DataTransformers.SubMean(mean_blob=means))
    if number(param.scale) != 1:
        steps.append(DataTransformers.Scale(number(param.scale)))
    if not steps or source.transformers:
        return source
    with at_origin(*source.origin):
        return source.replace(transformers=[(layer.message.top[0], step) for step in steps])


def cropped(b: Builder, layer: CaffeLayer) -> None:
    """Add a CropLayer after the data: at random places in training, else at the centre; with mirroring if asked for."""
    param, training = layer.message.transform_param, b.options.phase == "train"
    if not param.crop_size and not param.mirror:
        return
    name = layer.message.top[0]
    size = (param.crop_size,) * 2 if param.crop_size else b.shape(name, layer)[2:4]
    fields = {"crop_size": size, "random_crop": training and bool(param.crop_size), "random_mirror": param.mirror}
    cut = b.rename(name, b.unused(f"{layer.name}-crop"))
    b.add("Crop", layer, name=cut, bottoms=[name], **fields, tops=[cut])


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


FOREIGN = ("Data", "ImageData", "MemoryData", "WindowData")
"""Types that the user has to replace."""


@converter(*FOREIGN, bottoms=(0, 0), tops=(1, None))
def foreign_data(b: Builder, layer: CaffeLayer) -> None:
    """Refuse databases and lists of images, which are read by a layer that the user makes."""
    b.tops(layer)
    tops = list(layer.message.top)
    source, kind = "...", "HDF5Data"
    if layer.message.data_param.backend == message_class("DataParameter").LMDB:
        source, kind = repr(layer.message.data_param.source), "LMDBData"
    replacement = f"{kind}Layer(source={source}, batch_size={batch_size(layer) or '...'}, tops={tops})"
    hint = f"replace it: {b.options.argument}={replacement}"
    raise layer.refused("mochac does not read its data", expected="HDF5Data or Input", got=layer.type, hint=hint)


def batch_size(layer: CaffeLayer) -> int | None:
    """The batch_size of a data layer of any type."""
    for name in ("data_param", "image_data_param", "memory_data_param", "window_data_param"):
        if layer.message.HasField(name):
            return int(getattr(layer.message, name).batch_size) or None
    return None


@converter("DummyData", bottoms=(0, 0), tops=(1, None))
def dummy_data(b: Builder, layer: CaffeLayer) -> None:
    """A MemoryDataLayer for constant tops, and a RandomNormalLayer for each other top, whose numbers are new in every
    step, as in Caffe. Uniform numbers are computed from normal ones by (1 + erf(z / sqrt(2))) / 2.
    """
    param, names = layer.message.dummy_data_param, list(layer.message.top)
    fillers = list(param.data_filler) or [message_class("FillerParameter")()]
    fillers = fillers * (len(names) if len(fillers) == 1 else 1)
    if len(fillers) != len(names):
        raise layer.refused("wrong number of data fillers", expected=f"0, 1 or {len(names)}", got=len(fillers))
    constants: dict[str, np.ndarray] = {}
    for top, shape, filler in zip(b.tops(layer), _dummy_shapes(b, layer), fillers, strict=True):
        if filler.type == "constant":
            constants[top] = np.full(shape, number(filler.value), np.float32)
        else:
            _random(b, layer, top, shape, filler)
    if constants:
        batch = len(next(iter(constants.values())))
        b.add("MemoryData", layer, data=list(constants.values()), tops=list(constants), batch_size=batch)


def _dummy_shapes(b: Builder, layer: CaffeLayer) -> list[tuple[int, ...]]:
    """The shape of each top, batch first."""
    param, count = layer.message.dummy_data_param, len(layer.message.top)
    older = [list(getattr(param, name)) for name in ("num", "channels", "height", "width")]
    shapes = [tuple(shape.dim) for shape in param.shape]
    if any(older) and not shapes and all(len(extents) in (1, count) for extents in older):
        shapes = list(zip(*(extents * (count if len(extents) == 1 else 1) for extents in older), strict=True))
    shapes = shapes * (count if len(shapes) == 1 else 1)
    if len(shapes) != count or any(min(shape, default=0) < 1 for shape in shapes):
        got = ", ".join(map(str, shapes)) or "none"
        raise layer.refused("each of its tops needs a shape", expected="extents >= 1, batch first", got=got)
    if len({shape[0] for shape in shapes}) > 1:
        raise layer.refused("its tops differ in samples", got=", ".join(map(str, shapes)))
    batch = b.options.batch_size or shapes[0][0]
    return [(batch, *(shape[1:] or (1,))) for shape in shapes]


def _random(b: Builder, layer: CaffeLayer, top: str, shape: tuple[int, ...], filler: Any) -> None:
    """Random numbers of a filler, new in every step."""
    steps: list[tuple[str, dict[str, Any]]] = []
    if filler.type == "gaussian" and filler.sparse < 0:
        steps = [("Power", {"scale": number(filler.std), "shift": number(filler.mean)})]
    elif filler.type == "uniform":
        low, high = number(filler.min), number(filler.max)
        steps = [("Power", {"scale": math.sqrt(0.5)}), ("Function", {"function": "erf"})]
        steps += [("Power", {"scale": (high - low) / 2, "shift": (high + low) / 2})]
    else:
        what = "sparse gaussian" if filler.type == "gaussian" else filler.type
        raise layer.refused("its filler is not supported", expected="constant, gaussian or uniform", got=what)
    if steps[0][1] == {"scale": 1.0, "shift": 0.0}:
        steps = []
    blobs = [b.unused(f"{top}-{k}") for k, _ in enumerate(steps)] + [top]
    b.add("RandomNormal", layer, name=blobs[0], output_dims=shape[1:], batch_sizes=[shape[0]], tops=blobs[:1])
    for (kind, fields), bottom, blob in zip(steps, blobs, blobs[1:], strict=False):
        b.add(kind, layer, name=blob, bottoms=[bottom], tops=[blob], **fields)


@converter("HDF5Output", bottoms=(1, None), tops=(0, 0))
def hdf5_output(b: Builder, layer: CaffeLayer) -> None:
    """HDF5OutputLayer with the datasets of Caffe, data and label."""
    bottoms = b.bottoms(layer)
    datasets = ["data", "label"] if len(bottoms) == 2 else []
    b.add("HDF5Output", layer, bottoms=bottoms, filename=layer.message.hdf5_output_param.file_name, datasets=datasets)
