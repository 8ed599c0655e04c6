"""Neurons: activations that layers with a `neuron` field apply to their result."""

from __future__ import annotations

from mochac.ir.graph import Value
from mochac.layers.config import Config, config
from mochac.layers.context import TraceContext
from mochac.layers.fields import Rule, instance, option, real
from mochac.registry import Namespace


class Neuron(Config):
    """Base class of neurons."""

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
    """y = x if x > 0, else 0.01 * x."""

    def emit(self, ctx: TraceContext, x: Value) -> Value:
        return ctx.op("lrelu", x)


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


def neuron() -> Rule:
    """Field rule: a neuron."""
    return instance(Neuron, "a neuron such as Neurons.ReLU()", ReLU())
