"""Pooling over windows of an image, along one axis (ChannelPoolingLayer), and over all cells (GlobalPoolingLayer).

The ops are max_pool and mean_pool. ChannelPoolingLayer views its bottom as images in which that axis is the height, or
the width if it is the last, since schedules favour long rows. The mean of GlobalPoolingLayer is a reduce_sum, whose
gradient costs nothing: it is read where it is needed. Its maximum is a max_pool of the channel as one row.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, ClassVar

from mochac.base.records import option
from mochac.base.registry import Namespace
from mochac.base.rules import choice, integer, or_none, text
from mochac.ir.graph import Value
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import OpTypeError
from mochac.nets.layers.axes import PerAxis, per_axis, within
from mochac.nets.layers.base import Paired, layer
from mochac.nets.layers.config import Config, config
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, Example, breaks, fits
from mochac.nets.layers.fields import axis, instance, pair, per_axis_field
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
class PoolingLayer(Paired):
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

    def each(self, ctx: TraceContext, x: Value) -> Value:
        return self.neuron(ctx, self.pooling.emit(ctx, x, self._window(x), self.divisor))

    def _window(self, x: Value) -> dict[str, object]:
        sizes = {name: per_axis(name, getattr(self, name), x) for name in ("kernel", "stride", "pad")}
        end = {} if self.pad_end is None else {"pad_end": per_axis("pad_end", self.pad_end, x)}
        return {**sizes, **end, **({"rounding": "down"} if self.rounding == "down" else {})}


@layer
class ChannelPoolingLayer(Paired):
    """Pooling along one axis, by default the channels. The output size is rounded up, as in Mocha:

        out = ceil((in + front + back - kernel) / stride) + 1, without a last window that would start beyond the end

    Args:
        kernel, stride: elements, >= 1.
        pad: (front, back), elements, >= 0 and smaller than the kernel; one integer means both.
        axis: 1 (channels) by default, in NumPy order; not the batch.
        pooling: Pooling.Max() (without padding; the first of equal elements; NaN stays NaN) or Pooling.Mean() (the sum
            of the elements, divided by `kernel` even at the borders).

    Shapes: the shape of the bottom, with `out` instead of `in` at `axis`. Source: Mocha.jl
    src/layers/channel-pooling.jl.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((5,), kernel=3, stride=2),
        fits((5, 2, 2), kernel=2, pad=(1, 0), pooling=Mean()),
        fits((2, 5), kernel=3, pad=1, axis=-1, stride=2),
        fits((5, 2), (4, 3), kernel=2, tops=["left", "right"]),
        breaks("the kernel does not fit its axis", (3, 2), kernel=5, pad=(1, 0)),
        breaks("padding must be smaller than the pooling kernel", (5,), kernel=2, pad=(0, 2)),
        breaks("axis 3 is not an axis", (5, 2), axis=3),
        breaks("not an axis", LOSS),
    )

    name: str = option(text(), default="channel-pooling")
    kernel: int = option(integer(1), default=1)
    stride: int = option(integer(1), default=1)
    pad: int | tuple[int, int] = option(pair(0, "front, back"), default=(0, 0))
    axis: int = option(axis(), default=1)
    pooling: PoolingFunction = option(
        instance(PoolingFunction, "Pooling.Max() or Pooling.Mean()", Mean()), default=Max()
    )

    def each(self, ctx: TraceContext, x: Value) -> Value:
        axis, shape = ctx.axis(self.axis, x), x.type.shape
        before, behind = prod(shape[1:axis]), prod(shape[axis + 1 :])
        height = behind > 1 or before == 1
        view = (before, shape[axis], behind) if height else (1, before, shape[axis])
        window = {name: v if height else v[::-1] for name, v in self._window(shape[axis]).items()}
        pooled = self.pooling.emit(ctx, ctx.op("reshape", x, shape=(shape[0], *view)), window, "kernel")
        out = pooled.type.shape[2 if height else 3]
        return ctx.op("reshape", pooled, shape=(*shape[:axis], out, *shape[axis + 1 :]))

    def _window(self, extent: int) -> dict[str, tuple[int, int]]:
        front, back = self.pad if isinstance(self.pad, tuple) else (self.pad, self.pad)
        if extent + front + back < self.kernel:
            wanted, got = "length + front + back >= kernel", f"{extent} + {front} + {back} < {self.kernel}"
            raise OpTypeError("the kernel does not fit its axis", wanted, got, f"kernel <= {extent + front + back}")
        if max(front, back) >= self.kernel:
            raise OpTypeError("padding must be smaller than the pooling kernel", f"pad < {self.kernel}", str(self.pad))
        window = {"kernel": (self.kernel, 1), "stride": (self.stride, 1), "pad": (front, 0)}
        return window if front == back else {**window, "pad_end": (back, 0)}


@layer
class GlobalPoolingLayer(Paired):
    """Pools every channel to one number.

    Args:
        pooling: Pooling.Mean() or Pooling.Max() (the first of equal elements; NaN stays NaN).
        neuron: activation of the tops.

    Shapes: (batch, channels, d1, d2, ...) -> (batch, channels, 1, 1, ...), for any number of axes. Source: Caffe's
    Pooling with global_pooling; PyTorch's AdaptiveAvgPool2d(1).
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 4, 5)),
        fits((3, 4), (2, 1), pooling=Max(), tops=["left", "right"]),
        fits((2, 3, 2, 2), pooling=Max(), neuron=Sigmoid()),
        breaks("pools channels", (3,)),
        breaks("pools channels", LOSS),
    )

    name: str = option(text(), default="global-pooling")
    pooling: PoolingFunction = option(
        instance(PoolingFunction, "Pooling.Mean() or Pooling.Max()", Mean()), default=Mean()
    )
    neuron: Neuron = option(neuron(), default=Identity())

    def each(self, ctx: TraceContext, x: Value) -> Value:
        return self.neuron(ctx, self._pooled(ctx, x))

    def onnx(self, w: OnnxWriter, bottoms: tuple[Value, ...]) -> Sequence[str]:
        operator = "GlobalAveragePool" if isinstance(self.pooling, Mean) else "GlobalMaxPool"
        return [w.node(operator, x.name) for x in bottoms]

    def _pooled(self, ctx: TraceContext, x: Value) -> Value:
        batch, *rest = x.type.shape or (0,)
        if len(rest) < 2:
            raise OpTypeError("pools channels", "(batch, channels, one or more axes)", str(x.type.shape))
        channels, cells = rest[0], math.prod(rest[1:])
        if isinstance(self.pooling, Mean):
            pooled = within(ctx, x, range(2, len(x.type.shape)))
        else:
            rows = ctx.op("reshape", x, shape=(batch, channels, 1, cells))
            pooled = self.pooling.emit(ctx, rows, {"kernel": (1, cells), "stride": (1, 1), "pad": (0, 0)}, "kernel")
        return ctx.op("reshape", pooled, shape=(batch, channels, *(1 for _ in rest[1:])))
