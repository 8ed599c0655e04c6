"""Normalization of channels: BatchNormLayer over the batch, LRNLayer over neighbouring channels or cells.

BatchNormLayer ends in a learnt scale and shift. Its parameters are `scale` and `shift`, its states `mean` and
`variance`, all (channels,).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

from mochac.base.errors import shown
from mochac.base.records import option
from mochac.base.registry import Namespace
from mochac.base.rules import boolean, integer, or_none, real, text
from mochac.ir.graph import Value
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import OpTypeError
from mochac.nets.layers._norms import CHANNELS_FIRST, INIT, Norm, channels
from mochac.nets.layers.axes import over
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.config import Config, config
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import FIVE, LOSS, ONE_ROW, Example, breaks, fits
from mochac.nets.layers.fields import axis, instance
from mochac.nets.layers.initializers import ConstantInitializer, Initializer
from mochac.nets.layers.neurons import Tanh


@layer
class BatchNormLayer(Norm):
    """y = scale * (x - mean) / sqrt(variance + epsilon) + shift, with a mean and a variance for each channel (axis 1).

    In training, these are the mean and the biased variance over the batch and all positions. After each training step,
    running <- (1 - momentum) * running + momentum * batch, where the variance is the unbiased one, as in PyTorch. In
    test mode, the running ones are used. They are `program.states[key]["mean"]` and `["variance"]`, and start at 0, 1.
    forward() and backward() do not change them, and neither does a step while the layer is frozen.

    Args:
        epsilon: > 0; added to the variance.
        momentum: weight of a batch in the running statistics, 0 to 1: 0.1 is Keras' 0.9. A net with
            more than 0.5 is warned of. None: the average of all batches, whose number is the state `batches`.
        affine: False: there are no `scale` and `shift`.
        frozen_statistics: normalize by the running statistics in training, too, and leave them as they are: PyTorch's
            `bn.eval()`, Caffe's use_global_stats. `scale` and `shift` are trained, unless program.freeze() says
            otherwise.
        scale_init, shift_init, scale_regu, shift_regu, scale_lr, shift_lr: settings of the parameters; the lr are
            factors of the learning rate, >= 0.
        mean_init, variance_init: where the running statistics start; variances >= 0.
        neuron: activation of the top.
        scale, shift: names of blobs, such as those of a ParameterLayer, to use instead of parameters of its own; False:
            there is none.

    Shapes: (batch, channels, ...) -> the same. A channel whose statistics are those of the batch must have two values
    or more. Source: Ioffe and Szegedy, Batch Normalization, 2015.

    >>> BatchNormLayer(name="bn1", bottoms=["conv1"]).tops
    ('bn1',)
    """

    absent: ClassVar[Mapping[str, str]] = {
        **CHANNELS_FIRST,
        "training": "train() normalizes by the batch, evaluate() and predict() by the running statistics; "
        "frozen_statistics=True does so in training, too",
        "trainable": "frozen_statistics=True keeps the running statistics, program.freeze(name) the parameters",
    }
    torch_names: ClassVar[Mapping[str, str]] = {
        **Norm.torch_names,
        "mean": "running_mean",
        "variance": "running_var",
        "batches": "num_batches_tracked",
    }
    torch_extras: ClassVar[tuple[str, ...]] = ("num_batches_tracked",)
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,)),
        fits((2, 3, 4), neuron=Tanh()),
        fits((2, 2, 2, 2), affine=False, momentum=1.0),
        fits((3, 2), momentum=None),
        fits((4, 1, 3), epsilon=0.1, shift=False),
        fits((5,), near=FIVE, scale="W", shift="V", neuron=Tanh()),
        breaks("scale 'W' has another shape", (3,), near=FIVE, scale="W"),
        fits((3, 2), frozen_statistics=True, mean_init=ConstantInitializer(0.5), neuron=Tanh()),
        breaks("no channels", LOSS),
        breaks("one value per channel", (1,), near=ONE_ROW, bottoms=["W"]),
    )

    momentum: float | None = option(or_none(real(0, most=1)), default=0.1)
    frozen_statistics: bool = option(boolean(), default=False)
    mean_init: Initializer = option(INIT, default=ConstantInitializer(0.0))
    variance_init: Initializer = option(INIT, default=ConstantInitializer(1.0))

    @property
    def doubt(self) -> str:
        """A momentum as in Keras and ONNX, where it is the weight of the old statistics."""
        if self.momentum is None or not 0.5 < self.momentum < 1:
            return ""
        return (
            f"momentum={self.momentum:g} is the weight of the new batch, as in PyTorch; "
            f"Keras' momentum={self.momentum:g} is {1 - self.momentum:g} here"
        )

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        shape = (channels(x),)
        running = [
            ctx.state("mean", shape, self.mean_init),
            ctx.state("variance", shape, self.variance_init),
        ]
        if self.momentum is None:
            running.append(ctx.state("batches", (1,), ConstantInitializer(0.0)))
        self._require_variances(shape)
        by_batch = ctx.training and not self.frozen_statistics
        mean, variance = self._of_batch(ctx, x, running) if by_batch else running[:2]
        factor = ctx.op("div", self._scale(ctx, variance), self.deviation(ctx, variance))
        y = ctx.op("mul", ctx.op("sub", x, over(ctx, mean, x, (1,))), over(ctx, factor, x, (1,)))
        if self.has("shift"):
            y = ctx.op("add", y, over(ctx, self.parameter(ctx, "shift", shape, decays=False), x, (1,)))
        return [self.neuron(ctx, y)]

    def onnx(self, w: OnnxWriter, bottoms: tuple[Value, ...]) -> Sequence[str] | None:
        (x,) = bottoms
        parameters = self.in_onnx(w, (channels(x),))
        if parameters is None:
            return None
        inputs = (*parameters, w.parameter("mean"), w.parameter("variance"))
        momentum = 0.1 if self.momentum is None else self.momentum
        old = 1 - momentum  # ONNX's momentum is the weight of the old statistics
        return [w.node("BatchNormalization", x.name, *inputs, epsilon=self.epsilon, momentum=old)]

    def _require_variances(self, shape: tuple[int, ...]) -> None:
        """Raise OptionError if the running variances may begin below 0, where they have no root."""
        how = self.variance_init.distribution(shape)
        if how is not None and how.lowest < 0:
            raise self.error("variance_init may be negative", expected="numbers >= 0", got=shown(self.variance_init))

    def _scale(self, ctx: TraceContext, like: Value) -> Value:
        return (
            self.parameter(ctx, "scale", like.type.shape, decays=False)
            if self.has("scale")
            else ctx.constant(1.0, like)
        )

    def _of_batch(self, ctx: TraceContext, x: Value, running: Sequence[Value]) -> tuple[Value, Value]:
        """Mean and variance of a batch, with which the running ones are updated."""
        axes = (0, *range(2, len(x.type.shape)))
        count = math.prod(x.type.shape[a] for a in axes)
        if count < 2:
            got = f"a batch of {x.type.shape[0]}"
            raise OpTypeError(
                "one value per channel has no variance", "2 or more in training", got, "a larger batch_size"
            )
        mean = ctx.batch_mean(x, axes)
        # The variance is minimal at the mean, so no gradient passes from one to the other.
        distance = ctx.op("sub", x, over(ctx, ctx.op("stop_gradient", mean), x, (1,)))
        variance = ctx.batch_mean(ctx.op("square", distance), axes)
        self._update(ctx, running, (mean, ctx.scaled(variance, count / (count - 1))))
        return mean, variance

    def _update(self, ctx: TraceContext, running: Sequence[Value], of_batch: Sequence[Value]) -> None:
        """The running statistics take a part of those of a batch."""
        if self.momentum is not None:
            for state, value in zip(running, of_batch, strict=True):
                kept, taken = ctx.scaled(state, 1 - self.momentum), ctx.scaled(value, self.momentum)
                ctx.update(state, ctx.op("add", kept, taken))
            return
        *statistics, batches = running
        count = ctx.op("add", batches, ctx.constant(1.0, batches))
        ctx.update(batches, count)
        number = ctx.op("broadcast", ctx.op("reshape", count, shape=()), shape=of_batch[0].type.shape, axes=())
        for state, value in zip(statistics, of_batch, strict=True):
            ctx.update(state, ctx.op("add", state, ctx.op("div", ctx.op("sub", value, state), number)))


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
