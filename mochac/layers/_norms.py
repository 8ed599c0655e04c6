"""What layers that normalize share: fields and parameters.

    y = scale * (x - mean) / sqrt(variance + epsilon) + shift

Variances are computed in two passes, as means of squared distances from the mean: the form mean(x^2) - mean(x)^2, which
needs one pass, loses all digits where the mean is much larger than the deviation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

import numpy as np

from mochac.errors import shown
from mochac.ir.graph import Value
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import OpTypeError
from mochac.layers._axes import over, within
from mochac.layers.base import Parametric
from mochac.layers.config import keyword_config
from mochac.layers.context import TraceContext
from mochac.layers.fields import boolean, instance, option, real
from mochac.layers.initializers import ConstantInitializer, Initializer
from mochac.layers.neurons import Identity, Neuron, neuron
from mochac.layers.regularizers import NoRegu, Regularizer

INIT = instance(Initializer, "an initializer such as ConstantInitializer(1)", ConstantInitializer(1.0))
CHANNELS_FIRST = {"axis": "the channels are always axis 1; PermuteLayer moves axes"}
"""Hint for a field `axis`, of layers that normalize channels."""
Part = Callable[[TraceContext, Sequence[int]], Value]
REGU = instance(Regularizer, "a regularizer such as L2Regu(1)", NoRegu())


@keyword_config
class Scaling(Parametric):
    """A layer that normalizes and then, if `affine`, multiplies by `scale`.

    Args:
        epsilon: > 0; added to what a root is taken of.
        affine: whether there are parameters.
        scale_init, scale_regu, scale_lr: settings of the parameter; the lr is a factor of the learning rate, >= 0.
        neuron: activation of the top.
    """

    torch_names: ClassVar[Mapping[str, str]] = {"scale": "weight", "shift": "bias"}

    epsilon: float = option(real(above=0), default=1e-5)
    affine: bool = option(boolean(), default=True)
    scale_init: Initializer = option(INIT, default=ConstantInitializer(1.0))
    scale_regu: Regularizer = option(REGU, default=NoRegu())
    scale_lr: float = option(real(0), default=1.0)
    neuron: Neuron = option(neuron(), default=Identity())

    def __post_init__(self) -> None:
        super().__post_init__()
        settings = [f"{name}_{what}" for name in self.parts() for what in ("init", "regu", "lr")]
        for name in settings if not self.affine else ():
            if getattr(self, name) != getattr(type(self), name):
                raise self.error(
                    f"{name} has no effect: affine is False", got=shown(getattr(self, name)), hint=f"leave out {name}"
                )

    def scale(self, ctx: TraceContext, shape: Sequence[int]) -> Value:
        """The parameter `scale`."""
        return ctx.param("scale", shape, self.scale_init, self.scale_regu, self.scale_lr, decays=False)

    def parts(self) -> Mapping[str, tuple[str, Part]]:
        """The operations that follow if `affine`: for the name of a parameter, the op and a function that makes the
        parameter."""
        return {"scale": ("mul", self.scale)}

    def affinely(self, ctx: TraceContext, y: Value, axes: Sequence[int], shape: Sequence[int] = ()) -> Value:
        """The neuron of y * scale + shift, whose parameters lie along `axes` of y.

        Args:
            shape: of the parameters, if they are not shaped like these axes.
        """
        extents = tuple(y.type.shape[a] for a in axes)
        for op, make in self.parts().values() if self.affine else ():
            p = make(ctx, shape or extents)
            p = p if p.type.shape == extents else ctx.op("reshape", p, shape=extents)
            y = ctx.op(op, y, over(ctx, p, y, axes))
        return self.neuron.emit(ctx, y)

    def deviation(self, ctx: TraceContext, variance: Value) -> Value:
        """sqrt(variance + epsilon)."""
        return ctx.op("sqrt", ctx.op("add", variance, ctx.constant(self.epsilon, variance)))


@keyword_config
class Norm(Scaling):
    """A layer that normalizes and then, if `affine`, multiplies by `scale` and adds `shift`.

    Args:
        scale_init, shift_init, scale_regu, shift_regu, scale_lr, shift_lr: settings of the parameters; the lr are
            factors of the learning rate, >= 0.
    """

    shift_init: Initializer = option(INIT, default=ConstantInitializer(0.0))
    shift_regu: Regularizer = option(REGU, default=NoRegu())
    shift_lr: float = option(real(0), default=1.0)

    def shift(self, ctx: TraceContext, shape: Sequence[int]) -> Value:
        """The parameter `shift`."""
        return ctx.param("shift", shape, self.shift_init, self.shift_regu, self.shift_lr, decays=False)

    def in_onnx(self, w: OnnxWriter, shape: Sequence[int]) -> tuple[str, str]:
        """Scale and shift for ONNX operators that need both; ones and zeros unless `affine`."""
        if self.affine:
            return w.parameter("scale"), w.parameter("shift")
        return w.constant(np.ones(shape)), w.constant(np.zeros(shape))

    def parts(self) -> Mapping[str, tuple[str, Part]]:
        """Scale and shift."""
        return {**super().parts(), "shift": ("add", self.shift)}


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
