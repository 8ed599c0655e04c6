"""Neurons: activations that layers with a `neuron` field apply to their result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from mochac.base.errors import shown
from mochac.base.records import option
from mochac.base.registry import Namespace
from mochac.base.rules import Rule, boolean, integer, real
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.ir.op_call import OpCallError, require_value
from mochac.nets.layers.config import Config, config
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.fields import instance

SELU_ALPHA, SELU_SCALE = 1.6732632423543772, 1.0507009873554805
"""With these, layers without a bias keep mean 0 and variance 1 (arXiv:1706.02515, appendix)."""


class Neuron(Config):
    """Base class of neurons: `emit` writes the function, and layers call the neuron."""

    def __call__(self, ctx: TraceContext, x: Value) -> Value:
        """The activation of `x`.

        Raises:
            OpCallError: what the `emit` of a user's class returns is not a value.
        """
        y = self.emit(ctx, x)
        what = f"what emit of neuron {type(self).__name__} returns"
        if isinstance(y, (list, tuple)):
            raise OpCallError(f"{what} is a list", "a value", shown(y), "return y, without brackets")
        require_value(what, y)
        return y

    def emit(self, ctx: TraceContext, x: Value) -> Value:
        """Append the activation of `x`."""
        raise NotImplementedError


@config
class Identity(Neuron):
    """y = x."""

    def emit(self, ctx: TraceContext, x: Value) -> Value:
        return x


@config
class ReLU(Neuron):
    """y = max(epsilon, x); the gradient is that of x if y > epsilon, else 0."""

    epsilon: float = option(real(), default=0.0)

    def emit(self, ctx: TraceContext, x: Value) -> Value:
        return ctx.op("relu_eps", x, ctx.constant(self.epsilon, x)) if self.epsilon else ctx.op("relu", x)


@config
class LReLU(Neuron):
    """y = x if x > 0, else slope * x. PReLULayer learns the slope."""

    slope: float = option(real(), default=0.01)

    def emit(self, ctx: TraceContext, x: Value) -> Value:
        # lrelu's gradient is computed from y, which has the sign of x; with a slope below 0 it would not.
        return ctx.op("lrelu" if self.slope >= 0 else "prelu", x, ctx.constant(self.slope, x))


@config
class Sigmoid(Neuron):
    """y = 1 / (1 + exp(-x))."""

    def emit(self, ctx: TraceContext, x: Value) -> Value:
        return ctx.op("sigmoid", x)


@config
class Tanh(Neuron):
    """y = tanh(x)."""

    def emit(self, ctx: TraceContext, x: Value) -> Value:
        return ctx.op("tanh", x)


@config
class Exponential(Neuron):
    """y = exp(x)."""

    def emit(self, ctx: TraceContext, x: Value) -> Value:
        return ctx.op("exp", x)


@config
class GELU(Neuron):
    """y = x * Phi(x), Phi(x) = (1 + erf(x / sqrt(2))) / 2; x * sigmoid(1.5958 x + 0.0714 x^3) if `approximate`.

    The latter is x/2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))), within 5e-4. Source: Hendrycks and Gimpel 2016
    (arXiv:1606.08415); PyTorch's approximate="none" and "tanh".
    """

    approximate: bool = option(boolean(tanh=True, none=False), default=False)

    def emit(self, ctx: TraceContext, x: Value) -> Value:
        return ctx.op("gelu_tanh" if self.approximate else "gelu", x)


@config
class SiLU(Neuron):
    """y = x / (1 + exp(-x)), also called swish."""

    def emit(self, ctx: TraceContext, x: Value) -> Value:
        return ctx.op("silu", x)


@config
class ELU(Neuron):
    """y = x if x > 0, else alpha * (exp(x) - 1). alpha >= 0."""

    alpha: float = option(real(0), default=1.0)

    def emit(self, ctx: TraceContext, x: Value) -> Value:
        return ctx.op("elu", x, ctx.constant(self.alpha, x), ctx.constant(1.0, x))


@config
class SELU(Neuron):
    """y = 1.0507 * (x if x > 0, else 1.6733 * (exp(x) - 1))."""

    def emit(self, ctx: TraceContext, x: Value) -> Value:
        return ctx.op("elu", x, ctx.constant(SELU_ALPHA, x), ctx.constant(SELU_SCALE, x))


@config
class Softplus(Neuron):
    """y = log(1 + exp(x)), without overflow."""

    def emit(self, ctx: TraceContext, x: Value) -> Value:
        return ctx.op("softplus", x)


@config
class Softsign(Neuron):
    """y = x / (1 + |x|)."""

    def emit(self, ctx: TraceContext, x: Value) -> Value:
        return ctx.op("softsign", x)


@config
class HardSigmoid(Neuron):
    """y = x / 6 + 1/2, at least 0 and at most 1. (Keras once had x / 5 + 1/2.)"""

    def emit(self, ctx: TraceContext, x: Value) -> Value:
        return ctx.op("hard_sigmoid", x)


@config
class HardSwish(Neuron):
    """y = x * HardSigmoid(x)."""

    def emit(self, ctx: TraceContext, x: Value) -> Value:
        return ctx.op("hard_swish", x)


@config
class Mish(Neuron):
    """y = x * tanh(log(1 + exp(x)))."""

    def emit(self, ctx: TraceContext, x: Value) -> Value:
        return ctx.op("mish", x)


@config
class GLU(Neuron):
    """y = a * sigmoid(b), where a and b are the halves of x along `axis`, 1 by default (the channels).

    The result has half the extent of x there: a layer before it needs twice as many outputs. Source: Dauphin et al.
    2017 (arXiv:1612.08083); PyTorch's `dim` is -1 by default.
    """

    axis: int = option(integer(), default=1)

    def emit(self, ctx: TraceContext, x: Value) -> Value:
        axis = ctx.axis(self.axis, x)
        shape = x.type.shape
        if shape[axis] % 2:
            hint = f"{shape[axis] + 1} or another even number of outputs before it"
            raise OpTypeError(f"GLU halves axis {axis}", "an even extent", str(shape[axis]), hint)
        half = shape[axis] // 2
        starts = (tuple(k * half if a == axis else 0 for a in range(len(shape))) for k in (0, 1))
        cut = tuple(half if a == axis else d for a, d in enumerate(shape))
        return ctx.op("gated", *(ctx.op("slice", x, start=start, shape=cut) for start in starts))


class Neurons(metaclass=Namespace):
    """Namespace of the neurons, as in Mocha: `Neurons.ReLU()`.

    >>> Neurons.ReLU(epsilon=0.1)
    ReLU(epsilon=0.1)
    """

    Identity = Identity
    ReLU = ReLU
    LReLU = LReLU
    Sigmoid = Sigmoid
    Tanh = Tanh
    Exponential = Exponential
    GELU = GELU
    SiLU = SiLU
    ELU = ELU
    SELU = SELU
    Softplus = Softplus
    Softsign = Softsign
    HardSigmoid = HardSigmoid
    HardSwish = HardSwish
    Mish = Mish
    GLU = GLU

    _also: ClassVar[Mapping[str, str]] = {"Swish": "SiLU", "swish": "SiLU"}


def neuron() -> Rule:
    """Field rule: a neuron."""
    return instance(Neuron, "a neuron such as Neurons.ReLU()", ReLU())
