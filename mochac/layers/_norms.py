"""What layers that normalize share: fields and parameters.

    y = scale * (x - mean) / sqrt(variance + epsilon) + shift

Variances are computed in two passes, as means of squared distances from the mean: the form mean(x^2) - mean(x)^2, which
needs one pass, loses all digits where the mean is large beside the deviation.
"""

from __future__ import annotations

from collections.abc import Sequence

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.layers.base import Parametric
from mochac.layers.config import keyword_config
from mochac.layers.context import TraceContext
from mochac.layers.fields import boolean, instance, option, real
from mochac.layers.initializers import ConstantInitializer, Initializer
from mochac.layers.neurons import Identity, Neuron, neuron
from mochac.layers.regularizers import NoRegu, Regularizer

INIT = instance(Initializer, "an initializer such as ConstantInitializer(1)", ConstantInitializer(1.0))
REGU = instance(Regularizer, "a regularizer such as L2Regu(1)", NoRegu())


@keyword_config
class Norm(Parametric):
    """A layer that normalizes and then, if `affine`, multiplies by `scale` and adds `shift`.

    Args:
        epsilon: > 0; added to variances.
        affine: whether there are the parameters.
        scale_init, shift_init, scale_regu, shift_regu, scale_lr, shift_lr: settings of the parameters; the lr are
            factors of the learning rate, >= 0.
        neuron: activation of the top.
    """

    epsilon: float = option(real(above=0), default=1e-5)
    affine: bool = option(boolean(), default=True)
    scale_init: Initializer = option(INIT, default=ConstantInitializer(1.0))
    shift_init: Initializer = option(INIT, default=ConstantInitializer(0.0))
    scale_regu: Regularizer = option(REGU, default=NoRegu())
    shift_regu: Regularizer = option(REGU, default=NoRegu())
    scale_lr: float = option(real(0), default=1.0)
    shift_lr: float = option(real(0), default=1.0)
    neuron: Neuron = option(neuron(), default=Identity())

    def scale(self, ctx: TraceContext, shape: Sequence[int]) -> Value:
        """The parameter `scale`."""
        return ctx.param("scale", shape, self.scale_init, self.scale_regu, self.scale_lr, decays=False)

    def shift(self, ctx: TraceContext, shape: Sequence[int]) -> Value:
        """The parameter `shift`."""
        return ctx.param("shift", shape, self.shift_init, self.shift_regu, self.shift_lr, decays=False)

    def deviation(self, ctx: TraceContext, variance: Value) -> Value:
        """sqrt(variance + epsilon)."""
        return ctx.op("sqrt", ctx.op("add", variance, ctx.constant(self.epsilon, variance)))


def over(ctx: TraceContext, value: Value, x: Value, axes: Sequence[int]) -> Value:
    """A tensor repeated to the shape of x; its axes become `axes` of x."""
    return ctx.op("broadcast", value, shape=x.type.shape, axes=tuple(axes), batch=x.type.batch)


def channels(x: Value) -> int:
    """Number of channels of x, along axis 1.

    Raises:
        OpTypeError: x has no such axis.
    """
    if len(x.type.shape) < 2:
        raise OpTypeError("a bottom has no channels", "(batch, channels, ...)", str(x.type.shape))
    return x.type.shape[1]
