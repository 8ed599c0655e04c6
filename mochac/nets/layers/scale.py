"""ScaleLayer and BiasLayer: factors and terms along some axes of a blob, learnt or from a second blob.

The parameters are `scale` and `shift`, with the extents of the axes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mochac.base.records import option
from mochac.base.rules import boolean, integer, real, text
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers.axes import over
from mochac.nets.layers.base import Parametric, layer
from mochac.nets.layers.config import keyword_config
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import FIVE, LOSS, PARAMETER, Example, breaks, fits
from mochac.nets.layers.fields import parameter_blob
from mochac.nets.layers.initializers import ConstantInitializer, Initializer, initializer
from mochac.nets.layers.neurons import Identity, Neuron, Sigmoid, neuron
from mochac.nets.layers.regularizers import Constraint, L2Regu, NoCons, NoRegu, Regularizer, constraint, regularizer


def spread(ctx: TraceContext, numbers: Value, x: Value, axis: int) -> Value:
    """`numbers`, which have the axes of `x` from `axis` on, repeated to the shape of `x`.

    Raises:
        OpTypeError: their shape is not that of these axes.
    """
    shape, rank = x.type.shape, len(x.type.shape)
    first = axis + rank if axis < 0 else axis
    axes = tuple(range(first, first + len(numbers.type.shape)))
    have = shape[axes[0] : axes[-1] + 1] if axes else ()
    if first < 0 or numbers.type.shape != have:
        raise OpTypeError(
            f"the second bottom does not fit axis {axis} of the first", str(shape), str(numbers.type.shape)
        )
    if numbers.type.batch != (x.type.batch and 0 in axes):
        wanted = "axis=0 if the second bottom holds samples, else another"
        raise OpTypeError("samples and axis do not agree", wanted, f"axis={axis}")
    return over(ctx, numbers, x, axes)


INIT = initializer(ConstantInitializer(1.0), "ConstantInitializer(1)")


@keyword_config
class Along(Parametric):
    """A layer with numbers along `num_axes` axes of its first bottom from `axis` on: learnt, or its second bottom."""

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, 2)

    axis: int = option(integer(), default=1)
    num_axes: int = option(integer(-1), default=1)

    def numbers(self, ctx: TraceContext, name: str, bottoms: tuple[Value, ...]) -> Value:
        """The second bottom, or else the parameter `name`.

        Raises:
            OpTypeError: the first bottom does not have these axes.
        """
        x, *others = bottoms
        if others:
            return others[0]
        shape = x.type.shape
        first = ctx.axis(self.axis, x) if self.num_axes else 0
        end = len(shape) if self.num_axes < 0 else first + self.num_axes
        if end > len(shape):
            wanted = f"{self.num_axes} from axis {first} on"
            raise OpTypeError("the bottom has too few axes", wanted, f"{len(shape) - first}")
        return self.parameter(ctx, name, shape[first:end], decays=False)


@layer
class ScaleLayer(Along):
    """y = x * scale, or x * scale + shift with `shifted`, for numbers along `num_axes` axes from `axis` on.

    Args:
        axis: 1 (channels) by default, in NumPy order; negative numbers count from the end.
        num_axes: number of axes that the parameters have; -1: all from `axis` on; 0: one number for all elements.
        shifted: learn a shift, too.
        scale_init, shift_init, scale_regu, shift_regu, scale_cons, shift_cons, scale_lr, shift_lr: settings of the two
            parameters; the lr are factors of the learning rate, >= 0.
        neuron: activation of the top.
        scale, shift: names of blobs, such as those of a ParameterLayer, to use instead of parameters of its own.

    With a second bottom, that is the scale, and its shape is that of the axes of the first from `axis` on: with axis=0,
    every sample has factors of its own, such as (batch, channels) for images.

    Shapes: the top has the shape of the first bottom. Source: Caffe's Scale.

    >>> ScaleLayer(name="scale1", bottoms=["conv1"], shifted=True).axis
    1
    """

    blob_fields: ClassVar[tuple[str, ...]] = ("scale", "shift")
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3, 2, 2), shifted=True),
        fits((2, 3), num_axes=-1, neuron=Sigmoid()),
        fits((4,), num_axes=0, shifted=True),
        fits((3, 2, 2), (3,), axis=0),
        fits((2, 5), near=PARAMETER, bottoms=["b0", "W"]),
        breaks("the bottom has too few axes", (3, 2), axis=2, num_axes=2),
        breaks("axis 3 is not an axis", (3, 2), axis=3),
        breaks("not an axis", LOSS),
        breaks("the second bottom does not fit axis 1", (3, 2), (3,)),
        breaks("the second bottom does not fit axis -3", (3,), (3,), axis=-3),
        breaks("samples and axis do not agree", (5, 2), (2,), axis=1),
        breaks("scale 'W' has another shape", (3,), near=PARAMETER, scale="W"),
    )

    name: str = option(text(), default="scale")
    shifted: bool = option(boolean(), default=False)
    scale_init: Initializer = option(INIT, default=ConstantInitializer(1.0))
    shift_init: Initializer = option(INIT, default=ConstantInitializer(0.0))
    scale_regu: Regularizer = option(regularizer(), default=NoRegu())
    shift_regu: Regularizer = option(regularizer(), default=NoRegu())
    scale_cons: Constraint = option(constraint(), default=NoCons())
    shift_cons: Constraint = option(constraint(), default=NoCons())
    scale_lr: float = option(real(0), default=1.0)
    shift_lr: float = option(real(0), default=1.0)
    neuron: Neuron = option(neuron(), default=Identity())
    scale: str = option(parameter_blob(), default="")
    shift: str = option(parameter_blob(), default="")

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        x = bottoms[0]
        factors = self.numbers(ctx, "scale", bottoms)
        y = ctx.op("mul", x, spread(ctx, factors, x, self.axis))
        if self.shifted:
            shape = factors.type.shape[1:] if factors.type.batch else factors.type.shape  # the same for all samples
            shift = self.parameter(ctx, "shift", shape, decays=False)
            y = ctx.op("add", y, spread(ctx, shift, x, self.axis or 1))
        return [self.neuron(ctx, y)]


@layer
class BiasLayer(Along):
    """y = x + shift, for numbers along `num_axes` axes from `axis` on.

    Args:
        axis: 1 (channels) by default, in NumPy order; negative numbers count from the end.
        num_axes: number of axes that the parameter has; -1: all from `axis` on; 0: one number for all elements.
        shift_init, shift_regu, shift_cons, shift_lr: settings of the parameter; shift_lr is a factor of the learning
            rate, >= 0.
        neuron: activation of the top.
        shift: name of a blob, such as that of a ParameterLayer, to use instead of a parameter of its own.

    With a second bottom, that is the shift, and its shape is that of the axes of the first from `axis` on: with axis=0,
    every sample has a shift of its own.

    Shapes: the top has the shape of the first bottom. Source: Caffe's Bias.
    """

    blob_fields: ClassVar[tuple[str, ...]] = ("shift",)
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3, 2, 2)),
        fits((2, 3), num_axes=-1, neuron=Sigmoid()),
        fits((4,), num_axes=0),
        fits((3, 2), (3,), axis=0),
        fits((2, 5), near=PARAMETER, bottoms=["b0", "W"]),
        breaks("the bottom has too few axes", (3, 2), axis=2, num_axes=2),
        breaks("not an axis", LOSS),
        breaks("the second bottom does not fit axis 1", (3, 2), (3,)),
        breaks("samples and axis do not agree", (5, 2), (2,), axis=1),
        breaks("shift 'W' has another shape", (3,), near=PARAMETER, shift="W"),
    )

    name: str = option(text(), default="bias")
    shift_init: Initializer = option(
        initializer(ConstantInitializer(0.0), "ConstantInitializer(0)"), default=ConstantInitializer(0.0)
    )
    shift_regu: Regularizer = option(regularizer(), default=NoRegu())
    shift_cons: Constraint = option(constraint(), default=NoCons())
    shift_lr: float = option(real(0), default=1.0)
    neuron: Neuron = option(neuron(), default=Identity())
    shift: str = option(parameter_blob(), default="")

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        x, shift = bottoms[0], self.numbers(ctx, "shift", bottoms)
        return [self.neuron(ctx, ctx.op("add", x, spread(ctx, shift, x, self.axis)))]


@layer
class PReLULayer(Parametric):
    """top = bottom where it is > 0, else slope * bottom.

    Args:
        shared: one slope for all channels.
        slope_init, slope_regu, slope_cons, slope_lr: settings of the parameter; the lr is a factor of the learning
            rate, >= 0. By default slopes begin at 0.25 and are not regularized.
        slope: name of a blob, such as that of a ParameterLayer, to use instead of a parameter of its own.

    Shapes: (batch, channels, ...) -> the same; the parameter `slope` is (channels,), or (1,) if shared.
    Gradient: dy * (1 or slope) to the bottom; to a slope, the sum of dy * bottom over its elements <= 0.
    Source: He et al. 2015 (arXiv:1502.01852); Caffe's PReLU, PyTorch's PReLU.

    >>> PReLULayer(name="prelu1", bottoms=["conv1"]).slope_init
    ConstantInitializer(value=0.25)
    """

    blob_fields: ClassVar[tuple[str, ...]] = ("slope",)
    torch_names: ClassVar[Mapping[str, str]] = {"slope": "weight"}
    absent: ClassVar[Mapping[str, str]] = {
        "num_parameters": "one slope for each channel is the default; shared=True is num_parameters=1",
        "init": "write slope_init=ConstantInitializer(0.25)",
    }
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,)),
        fits((3, 2, 2), slope_init=ConstantInitializer(-0.5), slope_regu=L2Regu(1.0)),
        fits((3, 5), shared=True),
        fits((5, 2), near=FIVE, slope="W"),
        breaks("slope 'W' has another shape", (4,), near=FIVE, slope="W"),
        breaks("axis 1 is not an axis", LOSS),
    )

    name: str = option(text(), default="prelu")
    shared: bool = option(boolean(), default=False)
    slope_init: Initializer = option(
        initializer(ConstantInitializer(0.25), "ConstantInitializer(0.25)"), default=ConstantInitializer(0.25)
    )
    slope_regu: Regularizer = option(regularizer(), default=NoRegu())
    slope_cons: Constraint = option(constraint(), default=NoCons())
    slope_lr: float = option(real(0), default=1.0)
    slope: str = option(parameter_blob(), default="")

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        shape, channels = x.type.shape, ctx.axis(1, x)
        slope = self.parameter(ctx, "slope", (1,) if self.shared else (shape[channels],), decays=False)
        if self.shared:
            slope = ctx.op("reshape", slope, shape=())
        axes = () if self.shared else (channels,)
        return [ctx.op("prelu", x, ctx.op("broadcast", slope, shape=shape, axes=axes, batch=x.type.batch))]
