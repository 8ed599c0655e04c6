"""What layers that normalize share: fields and parameters.

    y = scale * (x - mean) / sqrt(variance + epsilon) + shift

Variances are computed in two passes, as means of squared distances from the mean: the form mean(x^2) - mean(x)^2, which
needs one pass, loses all digits where the mean is much larger than the deviation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from mochac.base.errors import shown
from mochac.ir.graph import Value
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import OpTypeError
from mochac.nets.layers._axes import over, within
from mochac.nets.layers.base import Parametric
from mochac.nets.layers.blob_fields import bias_blob
from mochac.nets.layers.config import keyword_config
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.fields import boolean, instance, option, real
from mochac.nets.layers.initializers import ConstantInitializer, Initializer
from mochac.nets.layers.neurons import Identity, Neuron, neuron
from mochac.nets.layers.regularizers import NoRegu, Regularizer

INIT = instance(Initializer, "an initializer such as ConstantInitializer(1)", ConstantInitializer(1.0))
CHANNELS_FIRST = {"axis": "the channels are always axis 1; PermuteLayer moves axes"}
"""Hint for a field `axis`, of layers that normalize channels."""
OPS = {"scale": "mul", "shift": "add"}
"""What is done with a parameter."""
REGU = instance(Regularizer, "a regularizer such as L2Regu(1)", NoRegu())


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
    scale_regu: Regularizer = option(REGU, default=NoRegu())
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

    def parameter(self, ctx: TraceContext, name: str, shape: Sequence[int]) -> Value:
        """The parameter `scale` or `shift`."""
        settings = (getattr(self, f"{name}_{what}") for what in ("init", "regu", "lr"))
        return ctx.param(name, shape, *settings, decays=False)

    def affinely(self, ctx: TraceContext, y: Value, axes: Sequence[int], shape: Sequence[int] = ()) -> Value:
        """The neuron of y * scale + shift, whose parameters lie along `axes` of y.

        Args:
            shape: of the parameters, if they are not shaped like these axes.
        """
        extents = tuple(y.type.shape[a] for a in axes)
        for name in filter(self.has, self.blob_fields):
            p = self.parameter(ctx, name, shape or extents)
            p = p if p.type.shape == extents else ctx.op("reshape", p, shape=extents)
            y = ctx.op(OPS[name], y, over(ctx, p, y, axes))
        return self.neuron.emit(ctx, y)

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
    shift_regu: Regularizer = option(REGU, default=NoRegu())
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
