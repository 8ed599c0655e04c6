"""transform_param of a Caffe data layer, applied to the layer of the user that replaces it.

The order of subtracting the mean, scaling, cropping and mirroring is equivalent to Caffe's. Source: Caffe's
src/caffe/data_transformer.cpp.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mochac.base.files.caffe.binary import read_mean
from mochac.formats.caffe.builder import Builder, CaffeLayer, number
from mochac.nets.layers.base import DataLayer
from mochac.nets.layers.config import made_at
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
    with made_at(*source.origin):
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
