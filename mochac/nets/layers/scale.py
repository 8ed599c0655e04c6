"""ScaleLayer: factors along some axes of a blob, learnt or given by a second blob; with a learnt shift if wanted.

The parameters are `scale` and `shift`, with the extents of the axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers._along import learnt_shape, spread
from mochac.nets.layers.base import Parametric, layer
from mochac.nets.layers.blob_fields import parameter_blob
from mochac.nets.layers.constraints import Constraint, NoCons, constraint
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, Example, breaks, fits
from mochac.nets.layers.fields import boolean, instance, integer, option, real, text
from mochac.nets.layers.initializers import ConstantInitializer, Initializer
from mochac.nets.layers.neurons import Identity, Neuron, Sigmoid, neuron
from mochac.nets.layers.regularizers import L2Regu, NoRegu, Regularizer

INIT = instance(Initializer, "an initializer such as ConstantInitializer(1)", ConstantInitializer(1.0))
REGU = instance(Regularizer, "a regularizer such as L2Regu(1)", L2Regu(1))


@layer
class ScaleLayer(Parametric):
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

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, 2)
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
    axis: int = option(integer(), default=1)
    num_axes: int = option(integer(-1), default=1)
    shifted: bool = option(boolean(), default=False)
    scale_init: Initializer = option(INIT, default=ConstantInitializer(1.0))
    shift_init: Initializer = option(INIT, default=ConstantInitializer(0.0))
    scale_regu: Regularizer = option(REGU, default=NoRegu())
    shift_regu: Regularizer = option(REGU, default=NoRegu())
    scale_cons: Constraint = option(constraint(), default=NoCons())
    shift_cons: Constraint = option(constraint(), default=NoCons())
    scale_lr: float = option(real(0), default=1.0)
    shift_lr: float = option(real(0), default=1.0)
    neuron: Neuron = option(neuron(), default=Identity())
    scale: str = option(parameter_blob(), default="")
    shift: str = option(parameter_blob(), default="")

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        x = bottoms[0]
        factors = bottoms[1] if len(bottoms) > 1 else self._scale(ctx, x)
        y = ctx.op("mul", x, spread(ctx, factors, x, self.axis))
        if self.shifted:
            y = ctx.op("add", y, spread(ctx, self._shift(ctx, x, factors), x, self.axis or 1))
        return [self.neuron.emit(ctx, y)]

    def _scale(self, ctx: TraceContext, x: Value) -> Value:
        shape = learnt_shape(ctx, x, self.axis, self.num_axes)
        return ctx.param("scale", shape, self.scale_init, self.scale_regu, self.scale_lr, self.scale_cons, decays=False)

    def _shift(self, ctx: TraceContext, x: Value, factors: Value) -> Value:
        """The learnt shift, which like the factors is the same for all samples."""
        shape = factors.type.shape[1:] if factors.type.batch else factors.type.shape
        return ctx.param("shift", shape, self.shift_init, self.shift_regu, self.shift_lr, self.shift_cons, decays=False)
