"""LRNLayer: local response normalization, across channels or within them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.base.records import option
from mochac.base.registry import Namespace
from mochac.base.rules import integer, real, text
from mochac.ir.graph import Value
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import OpTypeError
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.config import Config, config
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, Example, breaks, fits
from mochac.nets.layers.field_kinds import axis
from mochac.nets.layers.fields import instance

IMAGE_AXES = (2, 3)


class LRNModeType(Config):
    """Base class of the windows of local response normalization."""

    def axes(self, ctx: TraceContext, x: Value, axis: int) -> tuple[int, ...]:
        """The axes of the window, given the `axis` of the layer."""
        raise NotImplementedError


@config
class AcrossChannel(LRNModeType):
    """`kernel` neighbours along the `axis` of the layer, at the same place of the image."""

    def axes(self, ctx: TraceContext, x: Value, axis: int) -> tuple[int, ...]:
        return (ctx.axis(axis, x),)


@config
class WithinChannel(LRNModeType):
    """`kernel` x `kernel` neighbours in the image, in the same channel."""

    def axes(self, ctx: TraceContext, x: Value, axis: int) -> tuple[int, ...]:
        if len(x.type.shape) != 4:
            shape = "4 axes (batch, channels, height, width)"
            raise OpTypeError("normalization within channels needs images", shape, str(x.type.shape))
        return IMAGE_AXES


class LRNMode(metaclass=Namespace):
    """Namespace of the windows, as in Mocha: `LRNMode.WithinChannel()`."""

    AcrossChannel = AcrossChannel
    WithinChannel = WithinChannel


@layer
class LRNLayer(Layer):
    """Divides each element by a power of the mean square of its neighbourhood.

        y = x / (shift + scale / n * sum of squares over the window) ^ power

    n is `kernel` across channels and kernel^2 within a channel, also at the borders. The window starts
    (kernel - 1) // 2 elements before the element, so an even kernel extends one element further after it.

    Args:
        kernel: size of the window, elements, >= 1.
        scale, shift, power: any finite numbers; 1, 1 and 0.75 by default (alpha, k and beta of the paper).
        axis: of a window across channels; 1 (channels) by default, in NumPy order; not the batch.
        mode: LRNMode.AcrossChannel() or LRNMode.WithinChannel().

    Shapes: the top has the shape of the bottom, which within channels must be (batch, channels, height, width). Source:
    Krizhevsky et al. 2012, section 3.3; Mocha.jl src/layers/lrn.jl, which does not support even kernels within
    channels.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, 1)
    examples: ClassVar[tuple[Example, ...]] = (
        fits((5,), kernel=3),
        fits((5, 2, 2), kernel=4, scale=0.5, shift=2.0, power=0.5),
        fits((2, 3, 4), kernel=3, mode=WithinChannel()),
        fits((2, 3, 3), kernel=2, mode=WithinChannel(), power=1.0),
        fits((2, 5), axis=-1),
        breaks("normalization within channels needs images", (5,), mode=WithinChannel()),
        breaks("axis 2 is not an axis", (5,), axis=2),
        breaks("not an axis", LOSS),
    )

    name: str = option(text(), default="lrn")
    kernel: int = option(integer(1), default=5)
    scale: float = option(real(), default=1.0)
    shift: float = option(real(), default=1.0)
    power: float = option(real(), default=0.75)
    axis: int = option(axis(), default=1)
    mode: LRNModeType = option(
        instance(LRNModeType, "LRNMode.AcrossChannel() or LRNMode.WithinChannel()", WithinChannel()),
        default=AcrossChannel(),
    )

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        axes = self.mode.axes(ctx, x, self.axis)
        before = (self.kernel - 1) // 2
        window = {"before": before, "after": self.kernel - 1 - before}
        squares = ctx.op("lrn_sum", x, axes=axes, square=True, **window)
        mean = ctx.scaled(squares, self.scale / self.kernel ** len(axes))
        base = ctx.op("add", mean, ctx.constant(self.shift, x))
        return [ctx.op("power_times", x, base, exponent=-self.power)]

    def onnx(self, w: OnnxWriter, bottoms: tuple[Value, ...]) -> Sequence[str] | None:
        (x,) = bottoms
        rank = len(x.type.shape)
        if self.mode != AcrossChannel() or self.axis % rank != 1 or rank != 4 or self.kernel % 2 == 0:
            return None
        numbers = {"alpha": self.scale, "beta": self.power, "bias": self.shift}
        return [w.node("LRN", x.name, size=self.kernel, **numbers)]
