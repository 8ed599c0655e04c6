"""Layers that normalize each sample: GroupNorm, InstanceNorm, LayerNorm, RMSNorm.

    y = scale * (x - mean) / sqrt(variance + epsilon) + shift

GroupNorm takes the mean over every group of channels, InstanceNorm over every channel; their parameters `scale` and
`shift` are (channels,). LayerNorm takes it over every sample or every row of a sample, and its parameters have the
extents of `axes`; RMSNorm divides by the root of the mean square instead, and has no shift.

Variances are computed in two passes, as means of squared distances from the mean: the form mean(x^2) - mean(x)^2, which
needs one pass, loses all digits if the mean is much larger than the deviation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from mochac.base.errors import shown
from mochac.base.records import option
from mochac.base.rules import boolean, integer, real
from mochac.ir.graph import Value
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import OpTypeError
from mochac.nets.layers.axes import distinct_axes, over, that_divide, within
from mochac.nets.layers.base import Parametric, layer
from mochac.nets.layers.config import keyword_config
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import FIVE, LOSS, Example, breaks, fits
from mochac.nets.layers.fields import axes, bias_blob
from mochac.nets.layers.initializers import ConstantInitializer, Initializer, initializer
from mochac.nets.layers.neurons import Identity, Neuron, Tanh, neuron
from mochac.nets.layers.regularizers import NoRegu, Regularizer, regularizer

INIT = initializer(ConstantInitializer(1.0), "ConstantInitializer(1)")
CHANNELS_FIRST = {"axis": "the channels are always axis 1; PermuteLayer moves axes"}
"""Hint for a field `axis`, of layers that normalize channels."""
OPS = {"scale": "mul", "shift": "add"}
"""What is done with a parameter."""


@keyword_config
class Scaling(Parametric):
    """A layer that normalizes and then multiplies by `scale`, if it has one.

    Args:
        epsilon: > 0; added to what a root is taken of.
        affine: False: there are no parameters.
        scale: name of a blob to use instead of a parameter of its own; False: there is none.
        scale_init, scale_regu, scale_lr: settings of the parameter; the lr is a factor of the learning rate, >= 0.
        neuron: activation of the top.
    """

    torch_names: ClassVar[Mapping[str, str]] = {"scale": "weight", "shift": "bias"}
    blob_fields: ClassVar[tuple[str, ...]] = ("scale",)

    epsilon: float = option(real(above=0), default=1e-5)
    affine: bool = option(boolean(), default=True)
    scale_init: Initializer = option(INIT, default=ConstantInitializer(1.0))
    scale_regu: Regularizer = option(regularizer(), default=NoRegu())
    scale_lr: float = option(real(0), default=1.0)
    neuron: Neuron = option(neuron(), default=Identity())
    scale: str | bool = option(bias_blob("scale"), default="")

    def __post_init__(self) -> None:
        super().__post_init__()
        settings = [name + what for name in self.blob_fields for what in ("", "_init", "_regu", "_lr")]
        for name in settings if not self.affine else ():
            if getattr(self, name) != getattr(type(self), name):
                raise self.error(
                    f"{name} has no effect: affine is False", got=shown(getattr(self, name)), hint=f"leave out {name}"
                )

    def has(self, name: str) -> bool:
        """Whether there is a "scale", or a "shift"."""
        return self.affine and getattr(self, name) is not False

    def affinely(self, ctx: TraceContext, y: Value, axes: Sequence[int], shape: Sequence[int] = ()) -> Value:
        """The neuron of y * scale + shift, whose parameters lie along `axes` of y.

        Args:
            shape: of the parameters, if they are not shaped like these axes.
        """
        extents = tuple(y.type.shape[a] for a in axes)
        for name in filter(self.has, self.blob_fields):
            p = self.parameter(ctx, name, shape or extents, decays=False)
            p = p if p.type.shape == extents else ctx.op("reshape", p, shape=extents)
            y = ctx.op(OPS[name], y, over(ctx, p, y, axes))
        return self.neuron(ctx, y)

    def deviation(self, ctx: TraceContext, variance: Value) -> Value:
        """sqrt(variance + epsilon)."""
        return ctx.op("sqrt", ctx.op("add", variance, ctx.constant(self.epsilon, variance)))


@keyword_config
class Norm(Scaling):
    """A layer that normalizes and then multiplies by `scale` and adds `shift`, where it has them.

    Args:
        scale, shift: names of blobs to use instead of parameters of its own; False: there is none.
        scale_init, shift_init, scale_regu, shift_regu, scale_lr, shift_lr: settings of the parameters; the lr are
            factors of the learning rate, >= 0.
    """

    blob_fields: ClassVar[tuple[str, ...]] = ("scale", "shift")

    shift_init: Initializer = option(INIT, default=ConstantInitializer(0.0))
    shift_regu: Regularizer = option(regularizer(), default=NoRegu())
    shift_lr: float = option(real(0), default=1.0)
    shift: str | bool = option(bias_blob("shift"), default="")

    def in_onnx(self, w: OnnxWriter, shape: Sequence[int]) -> tuple[str, str] | None:
        """Scale and shift for ONNX operators that need both; ones and zeros where there are none. None: one is a
        blob."""
        if any(map(self.named, self.blob_fields)):
            return None
        scale = w.parameter("scale") if self.has("scale") else w.constant(np.ones(shape))
        return scale, w.parameter("shift") if self.has("shift") else w.constant(np.zeros(shape))


def centred(ctx: TraceContext, x: Value, axes: Sequence[int]) -> tuple[Value, Value]:
    """x minus its mean over axes other than the batch, and its variance over them.

    Raises:
        OpTypeError: there is one value to take the mean of.
    """
    if math.prod(x.type.shape[a] for a in axes) < 2:
        raise OpTypeError("one value has no variance", "2 or more to normalize together", f"1 in {x.type.shape}")
    rest = [a for a in range(len(x.type.shape)) if a not in axes]
    mean = within(ctx, x, axes)
    # The variance is minimal at the mean, so no gradient passes from one to the other.
    distance = ctx.op("sub", x, over(ctx, ctx.op("stop_gradient", mean), x, rest))
    return ctx.op("sub", x, over(ctx, mean, x, rest)), within(ctx, ctx.op("square", distance), axes)


def channels(x: Value) -> int:
    """Number of channels of x, along axis 1.

    Raises:
        OpTypeError: x has no such axis.
    """
    if len(x.type.shape) < 2:
        raise OpTypeError("a bottom has no channels", "(batch, channels, ...)", str(x.type.shape))
    return x.type.shape[1]


@layer
class GroupNormLayer(Norm):
    """y = scale * (x - mean) / sqrt(variance + epsilon) + shift, with mean and biased variance over groups of channels
    (axis 1) and all positions, for each sample.

    Args:
        groups: >= 1; divides the number of channels.
        epsilon: > 0; added to the variance.
        affine: False: there are no `scale` and `shift`.
        scale_init, shift_init, scale_regu, shift_regu, scale_lr, shift_lr: settings of the parameters; the lr are
            factors of the learning rate, >= 0.
        neuron: activation of the top.
        scale, shift: names of blobs, such as those of a ParameterLayer, to use instead of parameters of its own; False:
            there is none.

    Shapes: (batch, channels, ...) -> the same. Source: Wu and He, Group Normalization, 2018.

    >>> GroupNormLayer(name="gn", groups=8, bottoms=["conv1"]).groups
    8
    """

    absent: ClassVar[Mapping[str, str]] = CHANNELS_FIRST
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,), groups=2),
        fits((4, 3), groups=4, neuron=Tanh()),
        fits((6, 2, 2), groups=3, affine=False),
        fits((5, 2), groups=1, near=FIVE, scale="W", shift=False),
        breaks("groups do not divide the channels", (6, 2), groups=4),
        breaks("one value has no variance", (3,), groups=3),
        breaks("no channels", LOSS, groups=1),
    )

    groups: int = option(integer(1))

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        size, rest = divmod(channels(x), self.groups)
        if rest:
            got, hint = f"{channels(x)} channels", that_divide("groups", self.groups, channels(x))
            raise OpTypeError("groups do not divide the channels", f"a multiple of {self.groups}", got, hint)
        n, c, *image = shape = x.type.shape
        grouped = ctx.op("reshape", x, shape=(n, self.groups, size, *image))
        distance, variance = centred(ctx, grouped, range(2, len(shape) + 1))
        inverse = ctx.op("div", ctx.constant(1.0, variance), self.deviation(ctx, variance))
        y = ctx.op("mul", distance, over(ctx, inverse, grouped, (0, 1)))
        return [ctx.op("reshape", self.affinely(ctx, y, (1, 2), (c,)), shape=shape)]


@layer
class InstanceNormLayer(Norm):
    """y = scale * (x - mean) / sqrt(variance + epsilon) + shift, with mean and biased variance over the positions of
    each channel of each sample.

    Args:
        epsilon: > 0; added to the variance.
        affine: False: there are no `scale` and `shift`.
        scale_init, shift_init, scale_regu, shift_regu, scale_lr, shift_lr: settings of the parameters; the lr are
            factors of the learning rate, >= 0.
        neuron: activation of the top.
        scale, shift: names of blobs, such as those of a ParameterLayer, to use instead of parameters of its own; False:
            there is none.

    Shapes: (batch, channels, ...) -> the same, with two positions or more. There are no running statistics. Source:
    Ulyanov, Vedaldi and Lempitsky, Instance Normalization, 2016.

    >>> InstanceNormLayer(name="in1", bottoms=["conv1"]).tops
    ('in1',)
    """

    absent: ClassVar[Mapping[str, str]] = CHANNELS_FIRST
    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 4), neuron=Tanh()),
        fits((3, 2, 3), affine=False),
        fits((5, 3), near=FIVE, scale=False, shift="V"),
        breaks("one value has no variance", (4, 1)),
        breaks("no channels", LOSS),
    )

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        channels(x)
        distance, variance = centred(ctx, x, range(2, len(x.type.shape)))
        inverse = ctx.op("div", ctx.constant(1.0, variance), self.deviation(ctx, variance))
        return [self.affinely(ctx, ctx.op("mul", distance, over(ctx, inverse, x, (0, 1))), (1,))]

    def onnx(self, w: OnnxWriter, bottoms: tuple[Value, ...]) -> Sequence[str] | None:
        (x,) = bottoms
        parameters = self.in_onnx(w, (channels(x),))
        return parameters and [w.node("InstanceNormalization", x.name, *parameters, epsilon=self.epsilon)]


@layer
class LayerNormLayer(Norm):
    """y = scale * (x - mean) / sqrt(variance + epsilon) + shift, with mean and biased variance over `axes`.

    Args:
        axes: of the bottom, without the batch; negative ones count from the last.
        epsilon: > 0; added to the variance.
        affine: False: there are no `scale` and `shift`.
        scale_init, shift_init, scale_regu, shift_regu, scale_lr, shift_lr: settings of the parameters; the lr are
            factors of the learning rate, >= 0.
        neuron: activation of the top.
        scale, shift: names of blobs, such as those of a ParameterLayer, to use instead of parameters of its own; False:
            there is none.

    Shapes: (batch, ...) -> the same. Source: Ba, Kiros and Hinton, Layer Normalization, 2016; PyTorch's LayerNorm,
    whose normalized_shape are the extents of the last axes.

    >>> LayerNormLayer(name="ln", axes=(1, 2), bottoms=["data"]).axes
    (1, 2)
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((6,)),
        fits((3, 4), neuron=Tanh()),
        fits((2, 3, 2), axes=(1, 3), epsilon=0.1),
        fits((2, 4), axes=(1, 2), affine=False),
        fits((3, 4), shift=False),
        fits((3, 4), scale=False, neuron=Tanh()),
        fits((2, 5), near=FIVE, scale="W", shift="V"),
        breaks("shift 'V' has another shape", (2, 4), near=FIVE, shift="V"),
        breaks("axis 2 is not an axis", (4,), axes=(2,)),
        breaks("an axis is named twice", (4,), axes=(1, -1)),
        breaks("one value has no variance", (3, 1)),
        breaks("is not an axis", LOSS),
    )

    axes: tuple[int, ...] = option(axes(), default=(-1,))

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        along = distinct_axes(ctx, x, self.axes)
        distance, variance = centred(ctx, x, along)
        rest = [a for a in range(len(x.type.shape)) if a not in along]
        inverse = ctx.op("div", ctx.constant(1.0, variance), self.deviation(ctx, variance))
        return [self.affinely(ctx, ctx.op("mul", distance, over(ctx, inverse, x, rest)), along)]

    def onnx(self, w: OnnxWriter, bottoms: tuple[Value, ...]) -> Sequence[str] | None:
        (x,) = bottoms
        rank = len(x.type.shape)
        along = sorted(a % rank for a in self.axes)
        if along != list(range(along[0], rank)):
            return None  # LayerNormalization is over the last axes
        parameters = self.in_onnx(w, x.type.shape[along[0] :])
        if parameters is None:
            return None
        return [w.node("LayerNormalization", x.name, *parameters, axis=along[0] - rank, epsilon=self.epsilon)]


@layer
class RMSNormLayer(Scaling):
    """y = scale * x / sqrt(mean(x^2) + epsilon), with the mean over `axes`.

    Args:
        axes: of the bottom, without the batch; negative ones count from the last.
        epsilon: > 0; added to the mean square.
        affine: False: there is no `scale`.
        scale_init, scale_regu, scale_lr: settings of the parameter; the lr is a factor of the learning rate, >= 0.
        neuron: activation of the top.
        scale: name of a blob, such as that of a ParameterLayer, to use instead of a parameter of its own; False: there
            is none.

    Shapes: (batch, ...) -> the same. Source: Zhang and Sennrich, Root Mean Square Layer Normalization, 2019.

    >>> RMSNormLayer(name="rms", bottoms=["data"]).axes
    (-1,)
    """

    absent: ClassVar[Mapping[str, str]] = dict.fromkeys(
        ("shift", "shift_init", "shift_regu", "shift_lr", "bias", "center", "use_beta", "beta_initializer"),
        "RMSNorm has no shift: leave it out, or add a BiasLayer",
    )
    examples: ClassVar[tuple[Example, ...]] = (
        fits((6,)),
        fits((3, 1), neuron=Tanh()),
        fits((2, 3, 2), axes=(1, 3), affine=False),
        fits((2, 5), near=FIVE, scale="W"),
        fits((2, 5), scale=False),
        breaks("is not an axis", LOSS),
    )

    axes: tuple[int, ...] = option(axes(), default=(-1,))

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        along = distinct_axes(ctx, x, self.axes)
        mean = within(ctx, ctx.op("square", x), along)
        rest = [a for a in range(len(x.type.shape)) if a not in along]
        inverse = ctx.op("div", ctx.constant(1.0, mean), self.deviation(ctx, mean))
        return [self.affinely(ctx, ctx.op("mul", x, over(ctx, inverse, x, rest)), along)]
