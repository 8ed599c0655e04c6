"""PoolingLayer: maximum or mean over windows of images."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from mochac.ir.graph import Value
from mochac.layers.base import Layer, layer
from mochac.layers.config import Config, config
from mochac.layers.context import TraceContext
from mochac.layers.examples import LOSS, Example, breaks, fits
from mochac.layers.fields import choice, instance, option, pair, text
from mochac.layers.neurons import Identity, Neuron, Sigmoid, neuron
from mochac.registry import Namespace


class PoolingFunction(Config):
    """Base class of pooling functions."""

    def emit(self, ctx: TraceContext, x: Value, window: Mapping[str, Any], divisor: str) -> Value:
        """Append the pooling of `x` with the kernel, stride and pad of `window`."""
        raise NotImplementedError


@config
class Max(PoolingFunction):
    """The largest element of a window, without padding; the first of equal ones. NaN stays NaN."""

    def emit(self, ctx: TraceContext, x: Value, window: Mapping[str, Any], divisor: str) -> Value:
        return ctx.ops("max_pool", x, **window)[0]


@config
class Mean(PoolingFunction):
    """The sum over a window, divided according to `divisor` of the layer."""

    def emit(self, ctx: TraceContext, x: Value, window: Mapping[str, Any], divisor: str) -> Value:
        return ctx.op("mean_pool", x, divisor=divisor, **window)


class Pooling(metaclass=Namespace):
    """Namespace of the pooling functions, as in Mocha: `Pooling.Max()`."""

    Max = Max
    Mean = Mean


@layer
class PoolingLayer(Layer):
    """Pooling over windows. The output size is rounded up, as in Mocha:

        out = ceil((in + 2*pad - kernel) / stride) + 1, without a last window that would start beyond the image

    Args:
        kernel, stride: (height, width) or one integer for both, elements, >= 1.
        pad: (height, width) or one integer, >= 0.
        pooling: Pooling.Max() or Pooling.Mean().
        divisor: of the mean: "kernel" (height * width of the kernel, as in Mocha), "caffe" (size of the window within
            the padded image) or "valid" (number of elements within the image).
        neuron: activation of the tops.

    Shapes: (batch, channels, height, width) -> (batch, channels, out_height, out_width), for each bottom.
    Source: Mocha.jl src/layers/pooling.jl.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 4, 5), kernel=2, stride=2),
        fits((1, 5, 4), kernel=(3, 2), stride=2, pad=(1, 0), pooling=Mean()),
        fits((1, 5, 5), kernel=3, stride=2, pad=1, pooling=Mean(), divisor="valid", neuron=Sigmoid()),
        fits((1, 3, 3), (2, 4, 4), kernel=2, pooling=Mean(), divisor="caffe", tops=["left", "right"]),
        breaks("4 axes (batch, channels, height, width)", (3, 4)),
        breaks("4 axes (batch, channels, height, width)", LOSS),
        breaks("kernel does not fit its input", (1, 3, 3), kernel=(3, 4)),
        breaks("padding must be smaller than the pooling kernel", (1, 5, 5), kernel=2, pad=2),
    )

    name: str = option(text(), default="pooling")
    kernel: int | tuple[int, int] = option(pair(1), default=(1, 1))
    stride: int | tuple[int, int] = option(pair(1), default=(1, 1))
    pad: int | tuple[int, int] = option(pair(0), default=(0, 0))
    pooling: PoolingFunction = option(
        instance(PoolingFunction, "Pooling.Max() or Pooling.Mean()", Mean()), default=Max()
    )
    divisor: str = option(choice("kernel", "caffe", "valid"), default="kernel")
    neuron: Neuron = option(neuron(), default=Identity())

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        window = {"kernel": self.kernel, "stride": self.stride, "pad": self.pad}
        return [self.neuron.emit(ctx, self.pooling.emit(ctx, x, window, self.divisor)) for x in bottoms]
