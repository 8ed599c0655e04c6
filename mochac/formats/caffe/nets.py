"""Nets of Caffe: layers of older formats are upgraded, and those of one phase selected (include and exclude rules).

Source: Caffe's src/caffe/util/upgrade_proto.cpp; Net::FilterNet and Net::StateMeetsRule of src/caffe/net.cpp.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from mochac.base.errors import MochacError, OptionError, UnsupportedError, combined, shown
from mochac.base.files.caffe_schema import message_class
from mochac.base.records import option, record
from mochac.base.rules import check_fields, choice
from mochac.formats.caffe.builder import CONVERTERS, Builder, CaffeLayer, ImportOptions, Weights
from mochac.formats.caffe.layers.data import FOREIGN, cropped, states, time_first, transformed
from mochac.formats.caffe.params import shared_alone
from mochac.formats.caffe.text import NetText, read_net
from mochac.nets.layers.base import DataLayer, Layer, Source
from mochac.nets.net import Net
from mochac.runtime.data.model_file import read_model

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


_PHASES = {"train": 0, "test": 1}


@record
class State:
    """A NetState: phase "train" or "test", a level, and stages."""

    phase: str = option(choice("train", "test"))
    level: int = 0
    stages: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_fields(self)


def included(layer: Any, state: State, file_state: Any) -> bool:
    """Whether a layer belongs to the net; stages and level in the file are taken into account."""
    stages = {*state.stages, *file_state.stage}
    level = state.level or file_state.level
    if layer.include:
        return any(_meets(rule, _PHASES[state.phase], level, stages) for rule in layer.include)
    return not any(_meets(rule, _PHASES[state.phase], level, stages) for rule in layer.exclude)


def _meets(rule: Any, phase: int, level: int, stages: set[str]) -> bool:
    return (
        (not rule.HasField("phase") or rule.phase == phase)
        and (not rule.HasField("min_level") or level >= rule.min_level)
        and (not rule.HasField("max_level") or level <= rule.max_level)
        and stages.issuperset(rule.stage)
        and stages.isdisjoint(rule.not_stage)
    )


PathLike = str | os.PathLike[str]


def load_net(
    prototxt: PathLike,
    caffemodel: PathLike | None = None,
    *,
    phase: str = "test",
    data: Layer | Sequence[Layer] = (),
    batch_size: int | None = None,
    regularization: str = "L2",
    level: int = 0,
    stages: Sequence[str] = (),
) -> Net:
    """Load a net from Caffe's text format, current or older.

    Args:
        prototxt: the file. Deploy files with `input:` or Input layers become nets for predict().
        caffemodel: weights: a .caffemodel, its HDF5 export, or any model file. They become the initial values of the
            layers, so every program compiled from the net has them. Layers that are not in the file keep their fillers.
        phase: "train" or "test", which selects layers by their include and exclude rules; "test" leaves out dropout.
        data: data layers that replace those of the file; needed for Data, ImageData and other layers whose data mochac
            does not read. Mean, scale, crop and mirror of the replaced layer are applied, unless the new layer has
            transformers.
        batch_size: of Input and HDF5Data layers; None: as in the file.
        regularization: the regularization_type of the solver, "L2" or "L1".
        level, stages: the rest of Caffe's NetState.

    Raises:
        DataError: no such file, or not a prototxt. UnsupportedError: everything that mochac does not support, with
            lines. NetError, ShapeError: errors of the net, with lines of the prototxt. OptionError: a bad argument, or
            the package protobuf is not installed.
    """
    state = State(phase, level, tuple(stages))
    text = read_net(prototxt, known_types())
    return load_one(text, caffemodel, data, batch_size=batch_size, regularization=regularization, state=state)


def load_one(
    text: NetText,
    caffemodel: PathLike | None,
    data: Layer | Sequence[Layer],
    *,
    batch_size: int | None = None,
    regularization: str = "L2",
    state: State,
    argument: str = "data",
) -> Net:
    """load_net for a text that was read. `argument` is what messages call `data`."""
    weights = _weights(caffemodel)
    options = ImportOptions(state.phase, regularization, batch_size, _sources(data), weights, argument)
    return Net(name_of(text), layers_of(text, options, state))


def load_nets(
    prototxt: PathLike,
    caffemodel: PathLike | None = None,
    *,
    train_data: Layer | Sequence[Layer] = (),
    test_data: Layer | Sequence[Layer] = (),
    batch_size: int | None = None,
    regularization: str = "L2",
) -> tuple[Net, Net]:
    """Load the nets of both phases, (train, test); layers that are equal in both are the same objects.

    Args: as of load_net; `train_data` and `test_data` are `data` for each phase.
    """
    text, data = read_net(prototxt, known_types()), (train_data, test_data)
    return load_pair((text, text), caffemodel, data, batch_size=batch_size, regularization=regularization)


def load_pair(
    texts: tuple[NetText, NetText],
    caffemodel: PathLike | None,
    data: tuple[Layer | Sequence[Layer], Layer | Sequence[Layer]],
    *,
    batch_size: int | None = None,
    regularization: str = "L2",
    states: tuple[State, State] = (State("train"), State("test")),
) -> tuple[Net, Net]:
    """load_nets with a text, data and a state for each phase.

    Raises:
        MochacError: all problems of both nets.
    """
    weights, nets, problems = _weights(caffemodel), list[list[Layer]](), dict[str, MochacError]()
    for text, state, source in zip(texts, states, data, strict=True):
        argument = f"{state.phase}_data"
        options = ImportOptions(state.phase, regularization, batch_size, _sources(source), weights, argument)
        try:
            nets.append(layers_of(text, options, state))
        except MochacError as error:
            problems.update((problem.report, problem) for problem in error.problems or (error,))
    if problems:
        raise combined([*problems.values()], texts[0].path)
    names = [f"{name_of(text)}-{state.phase}" for text, state in zip(texts, states, strict=True)]
    return Net(names[0], nets[0]), Net(names[1], shared(*nets))


def shared(train: Sequence[Layer], test: Sequence[Layer]) -> list[Layer]:
    """The layers of `test`, replaced by those of `train` if they are equal."""
    known = {layer.name: layer for layer in train}
    return [known[layer.name] if known.get(layer.name) == layer else layer for layer in test]


def layers_of(text: NetText, options: ImportOptions, state: State) -> list[Layer]:
    """mochac's layers for the layers of a file that belong to a state.

    Raises:
        UnsupportedError: everything that mochac does not support.
    """
    layers = caffe_layers(text, state)
    own = {top for source in options.data for top in source.tops}
    replaced = [layer for layer in layers if is_source(layer) and set(layer.message.top) <= own]
    _refuse_unknown(text.path, [layer for layer in layers if layer not in replaced])
    wanted = frozenset(name for layer in layers for name in layer.message.bottom)
    names = {name for layer in layers for name in layer.message.top} | wanted
    builder = Builder(options, wanted, names, shared_alone(layers), time_first(layers), states(layers))
    _replace(builder, replaced)
    problems: list[MochacError] = []
    for layer in (layer for layer in layers if layer not in replaced):
        try:
            CONVERTERS[layer.type](builder, layer)
        except MochacError as error:
            problems.append(error)
            builder.pretend(layer)
    if problems:
        raise combined(problems, text.path)
    return builder.layers


def _replace(builder: Builder, replaced: Iterable[CaffeLayer]) -> None:
    """Add the user's data layers, with the transformations of the layers they replace."""
    sources = list(builder.options.data)
    for layer in replaced:
        for k, source in enumerate(sources):
            if isinstance(source, DataLayer) and layer.message.top[0] in source.tops:
                sources[k] = transformed(layer, source, builder.options.unread)
    builder.adopt(sources)
    for layer in replaced:
        cropped(builder, layer)


def caffe_layers(text: NetText, state: State) -> list[CaffeLayer]:
    """The layers of a file that belong to a state, in the current format."""
    layers = [CaffeLayer(message, text.path, 1) for message in _inputs(text.message)]
    for entry in text.entries:
        layers.append(CaffeLayer(upgraded(entry.message, entry.type), text.path, entry.line, entry.stubbed))
    return [layer for layer in layers if included(layer.message, state, text.message.state)]


def _inputs(net: Any) -> list[Any]:
    """The `input:` of older deploy files, as an Input layer."""
    if not net.input:
        return []
    layer = message_class("LayerParameter")(name="input", type="Input", top=net.input)
    dims = list(net.input_dim)
    shapes = [list(s.dim) for s in net.input_shape] or [dims[k : k + 4] for k in range(0, len(dims), 4)]
    for shape in shapes:
        layer.input_param.shape.add(dim=shape)
    return [layer]


def is_source(layer: CaffeLayer) -> bool:
    """Whether it has tops and no bottoms."""
    return bool(layer.message.top) and not layer.message.bottom


def _refuse_unknown(path: str, layers: Sequence[CaffeLayer]) -> None:
    unknown: dict[str, list[str]] = {}
    for layer in layers:
        if layer.type not in CONVERTERS:
            unknown.setdefault(layer.type, []).append(f"{layer.name!r} at {path}:{layer.line}")
    if not unknown:
        return
    count = f"{len(unknown)} types of layers" if len(unknown) > 1 else "a type of layer"
    details = [f"{name or 'no type'}: {', '.join(places)}" for name, places in unknown.items()]
    known = " ".join(name for name in CONVERTERS if name not in FOREIGN)
    raise UnsupportedError(f"{path}: no counterpart for {count}", details=details, hint=f"there is one for {known}")


def known_types() -> set[str]:
    """Types whose fields are read, with their older names."""
    older = {name for name in (*V0_TYPES, *V1_TYPES) if present_type(name) in CONVERTERS}
    return {*CONVERTERS, *older}


def name_of(text: NetText) -> str:
    """The name of the net, or of its file."""
    return text.message.name or Path(text.path).stem


def _sources(data: Layer | Sequence[Layer]) -> tuple[Layer, ...]:
    layers = (data,) if isinstance(data, Layer) else tuple(data)
    for layer in layers:
        if not isinstance(layer, Source):
            raise OptionError("data= needs data layers", expected="such as HDF5DataLayer(...)", got=shown(layer))
    return layers


def _weights(path: PathLike | None) -> Weights | None:
    return None if path is None else Weights(os.fspath(path), read_model(Path(path)))
