"""Layers in Caffe's two older formats, converted to the current one.

Source: Caffe's src/caffe/util/upgrade_proto.cpp.
"""

from __future__ import annotations

from typing import Any

from mochac.base.files.caffe.schema import message_class

V1_TYPES = {
    "ABSVAL": "AbsVal", "ACCURACY": "Accuracy", "ARGMAX": "ArgMax", "BNLL": "BNLL", "CONCAT": "Concat",
    "CONTRASTIVE_LOSS": "ContrastiveLoss", "CONVOLUTION": "Convolution", "DATA": "Data",
    "DECONVOLUTION": "Deconvolution", "DROPOUT": "Dropout", "DUMMY_DATA": "DummyData",
    "EUCLIDEAN_LOSS": "EuclideanLoss", "ELTWISE": "Eltwise", "EXP": "Exp", "FLATTEN": "Flatten",
    "HDF5_DATA": "HDF5Data", "HDF5_OUTPUT": "HDF5Output", "HINGE_LOSS": "HingeLoss", "IM2COL": "Im2col",
    "IMAGE_DATA": "ImageData", "INFOGAIN_LOSS": "InfogainLoss", "INNER_PRODUCT": "InnerProduct", "LRN": "LRN",
    "MEMORY_DATA": "MemoryData", "MULTINOMIAL_LOGISTIC_LOSS": "MultinomialLogisticLoss", "MVN": "MVN",
    "POOLING": "Pooling", "POWER": "Power", "RELU": "ReLU", "SIGMOID": "Sigmoid",
    "SIGMOID_CROSS_ENTROPY_LOSS": "SigmoidCrossEntropyLoss", "SILENCE": "Silence", "SOFTMAX": "Softmax",
    "SOFTMAX_LOSS": "SoftmaxWithLoss", "SPLIT": "Split", "SLICE": "Slice", "TANH": "TanH",
    "WINDOW_DATA": "WindowData", "THRESHOLD": "Threshold",
}  # fmt: skip
V0_TYPES = {
    "accuracy": "Accuracy", "bnll": "BNLL", "concat": "Concat", "conv": "Convolution", "data": "Data",
    "dropout": "Dropout", "euclidean_loss": "EuclideanLoss", "flatten": "Flatten", "hdf5_data": "HDF5Data",
    "hdf5_output": "HDF5Output", "im2col": "Im2col", "images": "ImageData", "infogain_loss": "InfogainLoss",
    "innerproduct": "InnerProduct", "lrn": "LRN", "multinomial_logistic_loss": "MultinomialLogisticLoss",
    "pool": "Pooling", "relu": "ReLU", "sigmoid": "Sigmoid", "softmax": "Softmax", "softmax_loss": "SoftmaxWithLoss",
    "split": "Split", "tanh": "TanH", "window_data": "WindowData",
}  # fmt: skip
_V0_HOMES: dict[str, dict[str, str]] = {
    "conv": {
        "num_output": "num_output", "biasterm": "bias_term", "weight_filler": "weight_filler",
        "bias_filler": "bias_filler", "pad": "pad", "kernelsize": "kernel_size", "group": "group", "stride": "stride",
    },
    "innerproduct": {
        "num_output": "num_output", "biasterm": "bias_term", "weight_filler": "weight_filler",
        "bias_filler": "bias_filler",
    },
    "pool": {"pool": "pool", "kernelsize": "kernel_size", "stride": "stride", "pad": "pad"},
    "dropout": {"dropout_ratio": "dropout_ratio"},
    "lrn": {"local_size": "local_size", "alpha": "alpha", "beta": "beta", "k": "k"},
    "concat": {"concat_dim": "concat_dim"},
    "data": {"source": "source", "batchsize": "batch_size"},
    "hdf5_data": {"source": "source", "batchsize": "batch_size"},
    "images": {"source": "source", "batchsize": "batch_size"},
    "window_data": {"source": "source", "batchsize": "batch_size"},
}  # fmt: skip
_V0_PARAMS = {
    "conv": "convolution_param", "innerproduct": "inner_product_param", "pool": "pooling_param",
    "dropout": "dropout_param", "lrn": "lrn_param", "concat": "concat_param", "data": "data_param",
    "hdf5_data": "hdf5_data_param", "images": "image_data_param", "window_data": "window_data_param",
}  # fmt: skip


def present_type(written: str) -> str:
    """The current name of a type in any of the formats.

    >>> present_type("INNER_PRODUCT"), present_type("conv"), present_type("Pooling")
    ('InnerProduct', 'Convolution', 'Pooling')
    """
    return V1_TYPES.get(written) or V0_TYPES.get(written) or written


def upgraded(message: Any, written: str) -> Any:
    """A LayerParameter for a layer in any of the three formats; `written` is its type in the file."""
    if message.DESCRIPTOR.name == "LayerParameter":
        new = message_class("LayerParameter")()
        new.CopyFrom(message)
    else:
        new = _from_v0(message) if message.HasField("layer") else _from_v1(message)
    new.type = present_type(written)
    _move_transform(new)
    return new


def _from_v1(old: Any) -> Any:
    new = message_class("LayerParameter")(name=old.name, bottom=old.bottom, top=old.top, loss_weight=old.loss_weight)
    new.include.extend(old.include)
    new.exclude.extend(old.exclude)
    new.blobs.extend(old.blobs)
    for field, value in old.ListFields():
        if field.name.endswith("_param"):
            getattr(new, field.name).CopyFrom(value)
    _set_params(new, old.blobs_lr, old.weight_decay, old.param)
    return new


def _from_v0(old: Any) -> Any:
    inner = old.layer
    new = message_class("LayerParameter")(name=inner.name, bottom=old.bottom, top=old.top)
    new.blobs.extend(inner.blobs)
    _set_params(new, inner.blobs_lr, inner.weight_decay, ())
    if inner.type in _V0_PARAMS:
        target = getattr(new, _V0_PARAMS[inner.type])
        for field, value in inner.ListFields():
            if field.name in _V0_HOMES[inner.type]:
                _assign(target, _V0_HOMES[inner.type][field.name], value)
    if inner.HasField("hdf5_output_param"):
        new.hdf5_output_param.CopyFrom(inner.hdf5_output_param)
    transform = {"scale": inner.scale, "mirror": inner.mirror, "crop_size": inner.cropsize, "mean_file": inner.meanfile}
    if inner.type in ("data", "images", "window_data"):
        new.transform_param.MergeFrom(message_class("TransformationParameter")(**transform))
    return new


def _assign(target: Any, name: str, value: Any) -> None:
    field = target.DESCRIPTOR.fields_by_name[name]
    if field.message_type is not None:
        getattr(target, name).CopyFrom(value)
    elif hasattr(getattr(target, name), "append"):
        getattr(target, name).append(value)
    else:
        setattr(target, name, value)


def _set_params(new: Any, rates: Any, decays: Any, names: Any) -> None:
    """blobs_lr, weight_decay and param of the older formats, as a ParamSpec per blob."""
    for k in range(max(len(rates), len(decays), len(names))):
        spec = new.param.add()
        if k < len(rates):
            spec.lr_mult = rates[k]
        if k < len(decays):
            spec.decay_mult = decays[k]
        if k < len(names) and names[k]:
            spec.name = names[k]


def _move_transform(new: Any) -> None:
    """Scaling and cropping, once fields of data layers, as transform_param."""
    for param in ("data_param", "image_data_param", "window_data_param"):
        if not new.HasField(param):
            continue
        old = getattr(new, param)
        for name in ("scale", "mean_file", "crop_size", "mirror"):
            if old.HasField(name):
                setattr(new.transform_param, name, getattr(old, name))
