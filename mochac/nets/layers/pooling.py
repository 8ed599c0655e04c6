"""PoolingLayer: maximum or mean over windows of images."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from mochac.base.registry import Namespace
from mochac.ir.graph import Value
from mochac.nets.layers._spatial import PerAxis, per_axis
from mochac.nets.layers.axis_fields import per_axis_field
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.config import Config, config
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, Example, breaks, fits
from mochac.nets.layers.fields import choice, instance, option, or_none, text
from mochac.nets.layers.neurons import Identity, Neuron, Sigmoid, neuron


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
    """Pooling over windows. The output size is rounded up, as in Mocha, unless `rounding` is "down":

        out = ceil((in + 2*pad - kernel) / stride) + 1, without a last window that would start beyond the image

    Args:
        kernel, stride: elements, >= 1; one integer for all spatial axes, or a tuple with one for each, such as (height,
            width).
        pad: elements on each side, likewise, >= 0; smaller than the kernel.
        pad_end: elements behind the image if they are another number than in front of it, which is `pad` then.
        pooling: Pooling.Max() or Pooling.Mean().
        divisor: of the mean: "kernel" (size of the kernel, as in Mocha), "caffe" (size of the window within the padded
            image, as in Caffe; PyTorch's count_include_pad=True) or "valid" (number of elements within the image;
            count_include_pad=False).
        rounding: of output sizes: "up" (Mocha, Caffe; PyTorch's ceil_mode=True) or "down" (PyTorch and ONNX by
            default), which drops windows that overhang the padded image.
        neuron: activation of the tops.

    Shapes: (batch, channels, height, width) -> (batch, channels, out_height, out_width), for each bottom; likewise
    (batch, channels, length) and (batch, channels, depth, height, width). Source: Mocha.jl src/layers/pooling.jl.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 4, 5), kernel=2, stride=2),
        fits((1, 5, 4), kernel=(3, 2), stride=2, pad=(1, 0), pooling=Mean()),
        fits((1, 5, 5), kernel=3, stride=2, pad=1, pooling=Mean(), divisor="valid", neuron=Sigmoid()),
        fits((1, 3, 3), (2, 4, 4), kernel=2, pooling=Mean(), divisor="caffe", tops=["left", "right"]),
        fits((2, 4, 5), kernel=(2, 3), stride=(3, 2), rounding="down"),
        fits((1, 5, 4), kernel=3, stride=2, pad=1, rounding="down", pooling=Mean(), divisor="caffe"),
        fits((2, 7), kernel=3, stride=2, pad=1),
        fits((2, 4, 5), kernel=3, stride=2, pad_end=(1, 2), rounding="down"),
        fits((1, 4, 3), kernel=2, pad=1, pad_end=0, pooling=Mean(), divisor="valid"),
        fits((1, 3, 4, 5), kernel=(2, 2, 3), stride=2, pad=(0, 0, 1), pooling=Mean(), divisor="valid"),
        breaks("3 to 5 axes (batch, channels, then one to three spatial ones", (3,)),
        breaks("a bottom is not a batch of images", LOSS),
        breaks("stride needs one number per spatial axis", (3, 4), stride=(1, 2)),
        breaks("kernel does not fit its input", (1, 3, 3), kernel=(3, 4)),
        breaks("padding must be smaller than the pooling kernel", (1, 5, 5), kernel=2, pad=2),
    )

    name: str = option(text(), default="pooling")
    kernel: PerAxis = option(per_axis_field(1), default=1)
    stride: PerAxis = option(per_axis_field(1), default=1)
    pad: PerAxis = option(per_axis_field(0), default=0)
    pad_end: PerAxis | None = option(or_none(per_axis_field(0)), default=None)
    pooling: PoolingFunction = option(
        instance(PoolingFunction, "Pooling.Max() or Pooling.Mean()", Mean()), default=Max()
    )
    divisor: str = option(choice("kernel", "caffe", "valid"), default="kernel")
    rounding: str = option(choice("up", "down"), default="up")
    neuron: Neuron = option(neuron(), default=Identity())

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [self.neuron.emit(ctx, self.pooling.emit(ctx, x, self._window(x), self.divisor)) for x in bottoms]

    def _window(self, x: Value) -> dict[str, object]:
        sizes = {name: per_axis(name, getattr(self, name), x) for name in ("kernel", "stride", "pad")}
        end = {} if self.pad_end is None else {"pad_end": per_axis("pad_end", self.pad_end, x)}
        return {**sizes, **end, **({"rounding": "down"} if self.rounding == "down" else {})}
