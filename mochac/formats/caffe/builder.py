"""Builds a net from Caffe's layers, with their fillers and converters.

Builder: collects mochac's layers while the layers of a Caffe net are converted one by one.

Caffe runs layers in the order of the file, and a layer may overwrite its bottom; mochac orders layers by their blobs. A
blob that is overwritten after another layer has read it therefore becomes two blobs.

Converters: functions that add mochac's layers for a Caffe layer to the builder, registered by type.

They are in caffe/layers/.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.errors import MochacError, UnsupportedError
from mochac.base.records import option, record
from mochac.base.registry import Registry
from mochac.base.rules import check_fields, choice, integer, real, text
from mochac.formats.importing.layers import LayerBuilder
from mochac.ir.op import OpTypeError
from mochac.nets.layers.base import DataLayer, Layer, Parametric
from mochac.nets.layers.config import config
from mochac.nets.layers.fields import instance
from mochac.nets.layers.initializers import Initializer
from mochac.nets.layers.neurons import Identity, Neuron
from mochac.nets.net import Net
from mochac.runtime.data.model_file import fitted, same_extents


@record(eq=False)
class CaffeLayer:
    """A layer of a Caffe net.

    Attributes:
        message: a LayerParameter.
        path, line: its place in the file.
        stubbed: its type is unknown, and only its wiring was read.
    """

    message: Any
    path: str
    line: int
    stubbed: bool = False

    @property
    def name(self) -> str:
        """Its name, or its type if it has none."""
        return self.message.name or self.type.lower()

    @property
    def type(self) -> str:
        """The current name of its type."""
        return self.message.type

    @property
    def in_place(self) -> bool:
        """Whether its only top is its only bottom."""
        return len(self.message.bottom) == 1 and list(self.message.top) == list(self.message.bottom)

    def file(self, name: str) -> Path:
        """The path of a file that the layer names, relative to the current folder or else to that of the prototxt."""
        other = Path(self.path).parent / name
        return other if not os.path.exists(name) and os.path.exists(other) else Path(name)

    def refused(self, what: str, expected: str = "", got: object = "", hint: str = "") -> UnsupportedError:
        """An UnsupportedError about the layer, ready to raise."""
        at = f"{self.path}:{self.line}"
        return UnsupportedError(
            what, layer=self.name, type=self.type, expected=expected, got=str(got), hint=hint, at=at
        )

    def require(self, what: str, value: object, wanted: object) -> None:
        """Check a setting of which only one value is supported.

        Raises:
            UnsupportedError: it has another value.
        """
        if value != wanted:
            raise self.refused(f"{what} is not supported", expected=str(wanted), got=value)


def number(value: float) -> float:
    """The decimal number that a float32 of a message stands for.

    >>> number(0.009999999776482582)
    0.01
    """
    return float(str(np.float32(value)))


def per_axis(param: Any, name: str, default: int) -> int | tuple[int, ...]:
    """The field `name` (kernel, stride, pad or dilation): one number for all spatial axes, one for each, or `name`_h
    and `name`_w; otherwise the default."""
    value = getattr(param, "kernel_size" if name == "kernel" else name)
    values = (value,) if isinstance(value, int) else tuple(value)
    if name != "dilation" and (param.HasField(f"{name}_h") or param.HasField(f"{name}_w")):
        values = (getattr(param, f"{name}_h"), getattr(param, f"{name}_w"))
    return values if len(values) > 1 else (values or (default,))[0]


@config
class SparseGaussian(Initializer):
    """Normally distributed numbers, of which about `nonzero` per output are kept, and the others set to zero.

    An element is kept with probability nonzero / (number of outputs), as in Caffe's filler.hpp.
    """

    mean: float = option(real(), default=0.0)
    std: float = option(real(0), default=1.0)
    nonzero: int = option(integer(0), default=1)

    def fill(self, shape: tuple[int, ...], dtype: np.dtype, generator: np.random.Generator) -> np.ndarray:
        kept = generator.uniform(size=shape) < self.nonzero / shape[0]
        return np.where(kept, self.mean + self.std * generator.standard_normal(shape), 0.0).astype(dtype)


@config
class UniformBetween(Initializer):
    """Uniform on [low, high)."""

    low: float = option(real(), default=0.0)
    high: float = option(real(), default=1.0)

    def fill(self, shape: tuple[int, ...], dtype: np.dtype, generator: np.random.Generator) -> np.ndarray:
        return generator.uniform(self.low, self.high, shape).astype(dtype)


@record(eq=False)
class Weights:
    """The parameters of a model file by "layer___param"."""

    path: str
    arrays: dict[str, np.ndarray]


@config
class Loaded(Initializer):
    """The parameter `name` of a model file."""

    weights: Any = option(instance(Weights, "a model file's weights", Weights("", {})), repr=False)
    name: str = option(text())

    def check(self, shape: tuple[int, ...]) -> None:
        """Refuse a parameter of another shape."""
        got = self.weights.arrays[self.name].shape
        if not same_extents(got, shape):
            raise OpTypeError(f"{self.weights.path}: {self.name} has another shape", str(shape), str(got))

    def fill(self, shape: tuple[int, ...], dtype: np.dtype, generator: np.random.Generator) -> np.ndarray:
        return fitted(self.weights.path, self.name, self.weights.arrays[self.name], shape, dtype).copy()


_CARRIERS = ("BatchNorm", "Bias", "Convolution", "GlobalPooling", "InnerProduct", "Pooling", "Scale")


@record
class ImportOptions:
    """How a net is read.

    Attributes:
        phase: phase, "train" or "test".
        regularization: "L2" or "L1", the regularization_type of the solver.
        batch_size: batch size of Input layers; None: as in the file.
        data: data layers that replace those of the file.
        argument: what the caller's argument for `data` is called.
        unread: for source code: refer to files of means by name instead of reading them.
        weights: initial values from a model file; None: the fillers' values.
    """

    phase: str
    regularization: str = option(choice("L2", "L1"), default="L2")
    batch_size: int | None = None
    data: tuple[Layer, ...] = ()
    weights: Weights | None = None
    argument: str = "data"
    unread: bool = False

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass
class Builder(LayerBuilder):
    """Collects converted layers, in Caffe's order.

    Attributes:
        wanted: names of all blobs that are bottoms in the file.
        names: all names of blobs in the file; new names must differ.
        single: names of parameters that layers share without sharing their other parameters.
        time_first: the extents (time, batch) of blobs of sequences whose axes Input layers exchange, () for none.
        states: initial states of recurrent layers, whose axes Input layers exchange too.
    """

    options: ImportOptions
    wanted: frozenset[str]
    names: set[str]
    single: frozenset[str] = frozenset()
    time_first: tuple[int, ...] = ()
    states: frozenset[str] = frozenset()
    _now: dict[str, str] = field(default_factory=dict)
    _made: set[str] = field(default_factory=set)
    _read: set[str] = field(default_factory=set)
    _changed: set[str] = field(default_factory=set)
    _owners: dict[tuple[str, ...], str] = field(default_factory=dict)
    _parameters: dict[str, str] = field(default_factory=dict)

    def bottoms(self, layer: CaffeLayer) -> list[str]:
        """The current blobs of its bottoms' names."""
        names = [self._current(name) for name in layer.message.bottom]
        self._read.update(names)
        return names

    def _current(self, name: str) -> str:
        return self._now.get(name, name)

    def tops(self, layer: CaffeLayer) -> list[str]:
        """Names for its tops: those of the file, or new ones if blobs of these names exist."""
        return [self.top(name, layer) for name in layer.message.top]

    def top(self, name: str, layer: CaffeLayer) -> str:
        """A new blob to which Caffe's `name` refers from now on."""
        return self.rename(name, name if name not in self._made else self.unused(layer.name))

    def rename(self, name: str, new: str) -> str:
        """Let Caffe's `name` refer to the blob `new` from now on; returns `new`."""
        self._made.add(new)
        self._now[name] = new
        return new

    def pretend(self, layer: CaffeLayer) -> None:
        """Define the tops of a layer that could not be converted, so that later layers report no errors."""
        for name in layer.message.top:
            if name not in self._now:
                self.top(name, layer)

    def unused(self, name: str) -> str:
        """A name like `name` that no blob of the file has."""
        while name in self.names or name in self._made:
            name += "'"
        return name

    def add(self, kind: str, layer: CaffeLayer, **fields: Any) -> None:
        """Add a layer of that kind, with the name of Caffe's layer unless `fields` has a `name`.

        Caffe allows two layers of the same name; the second is renamed to name-2.
        """
        self.append(kind, (layer.path, layer.line), name=self.layer_name(fields.pop("name", layer.name)), **fields)

    def adopt(self, layers: Iterable[Layer]) -> None:
        """Add the user's layers."""
        for layer in layers:
            self.layers.append(layer)
            self._names.add(layer.name)
            self._made.update(layer.tops)

    def neuron(self, layer: CaffeLayer, neuron: Neuron) -> None:
        """Add an activation: to the layer before it if it overwrites the top of that, else as a layer of its own."""
        before = self._current(layer.message.bottom[0])
        maker = next((k for k, earlier in enumerate(self.layers) if before in earlier.tops), None)
        if layer.in_place and maker is not None and self._may_carry(self.layers[maker], before):
            self.replace(maker, neuron=neuron)
            return
        self.in_place("Activation", layer, neuron=neuron)

    def in_place(self, kind: str, layer: CaffeLayer, **fields: Any) -> None:
        """Add a layer that mochac can run in place. It does so if Caffe does, and no layer has read the old blob.

        Also, no blob may have the name of the layer, which is the name of the result in mochac.
        """
        before = self._current(layer.message.bottom[0])
        if layer.in_place and before not in self._read and layer.name not in self.names:
            self._changed.add(before)
            self.add(kind, layer, bottoms=[before], tops=[before], **fields)
            return
        bottoms = self.bottoms(layer)
        self.add(kind, layer, bottoms=bottoms, tops=self.tops(layer), **fields)

    def _may_carry(self, maker: Layer, blob: str) -> bool:
        untouched = blob not in self._read and blob not in self._changed
        alone = maker.kind in _CARRIERS and len(maker.tops) == 1
        return alone and untouched and getattr(maker, "neuron", None) == Identity()

    def parameter(self, name: str, layer: CaffeLayer, **fields: Any) -> str:
        """The blob of a parameter in `single`, made by a ParameterLayer, which is added at the first call."""
        if name not in self._parameters:
            self._parameters[name] = blob = self.unused(name)
            self._made.add(blob)
            self.add("Parameter", layer, name=blob, tops=[blob], **fields)
        return self._parameters[name]

    def key(self, names: tuple[str, ...], layer: CaffeLayer) -> str:
        """The param_key of a layer whose parameters have these names: the name of the first such layer, "" for
        itself."""
        owner = self._owners.setdefault(names, layer.name)
        return "" if owner == layer.name else owner

    def is_learned(self, name: str) -> bool:
        """Whether the current blob of `name` depends on parameters."""
        return any(isinstance(layer, Parametric) for layer in self.upstream([self._current(name)]))

    def shape(self, blob: str, layer: CaffeLayer) -> tuple[int, ...]:
        """Extents of a blob, batch first.

        Raises:
            UnsupportedError: they are not known, because of an error in an earlier layer.
        """
        try:
            return Net("so far", [_untransformed(earlier) for earlier in self.upstream([blob])]).blobs[blob].shape
        except MochacError as error:
            rule = f"the shape of its bottom {blob!r} is not known"
            raise layer.refused(rule, got=str(error).splitlines()[0]) from None


def _untransformed(layer: Layer) -> Layer:
    return layer.replace(transformers=[]) if isinstance(layer, DataLayer) else layer


Convert = Callable[[Builder, CaffeLayer], None]
Count = tuple[int, int | None]


@record
class Converter:
    """Converts layers of one type.

    Args:
        convert: adds the corresponding layers to the builder.
        bottoms, tops: (fewest, most), with None for no limit.
        is_loss: whether loss_weight is allowed.
    """

    convert: Convert
    bottoms: Count
    tops: Count
    is_loss: bool

    def __call__(self, b: Builder, layer: CaffeLayer) -> None:
        """Convert one layer.

        Raises:
            UnsupportedError, or an error of mochac's layers.
        """
        for what, (least, most) in (("bottom", self.bottoms), ("top", self.tops)):
            count = len(getattr(layer.message, what))
            if count < least or (most is not None and count > most):
                wanted = str(least) if least == most else f"{least} or more" if most is None else f"{least} to {most}"
                raise layer.refused(f"wrong number of {what}s", expected=wanted, got=count)
        if not self.is_loss and any(layer.message.loss_weight):
            raise layer.refused("loss_weight of a layer that is not a loss is not supported")
        if b.options.phase == "train":
            self._check_gradients(b, layer)
        self.convert(b, layer)

    def _check_gradients(self, b: Builder, layer: CaffeLayer) -> None:
        """propagate_down may be false where there is no gradient anyway: for data, and for the label of a loss."""
        for k, (blob, wanted) in enumerate(zip(layer.message.bottom, layer.message.propagate_down, strict=False)):
            if not wanted and not (self.is_loss and k) and b.is_learned(blob):
                hint = "program.freeze(...) keeps parameters as they are"
                raise layer.refused("propagate_down: false is not supported", hint=hint)


CONVERTERS: Registry[Converter] = Registry("Caffe layer", "mochac.formats.caffe.layers")


def converter(
    *types: str, bottoms: Count = (1, 1), tops: Count = (1, 1), is_loss: bool = False
) -> Callable[[Convert], Convert]:
    """Decorator: register a function that converts layers of these types; see Converter."""

    def add(function: Convert) -> Convert:
        for name in types:
            CONVERTERS.add(name, Converter(function, bottoms, tops, is_loss))
        return function

    return add
