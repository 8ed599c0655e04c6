"""BiasLayer: numbers that are added along some axes of a blob, learnt or given by a second blob.

The parameter is `shift`, with the extents of the axes.
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
from mochac.nets.layers.fields import instance, integer, option, real, text
from mochac.nets.layers.initializers import ConstantInitializer, Initializer
from mochac.nets.layers.neurons import Identity, Neuron, Sigmoid, neuron
from mochac.nets.layers.regularizers import L2Regu, NoRegu, Regularizer

INIT = instance(Initializer, "an initializer such as ConstantInitializer(0)", ConstantInitializer(0.0))
REGU = instance(Regularizer, "a regularizer such as L2Regu(1)", L2Regu(1))


@layer
class BiasLayer(Parametric):
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

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, 2)
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
    axis: int = option(integer(), default=1)
    num_axes: int = option(integer(-1), default=1)
    shift_init: Initializer = option(INIT, default=ConstantInitializer(0.0))
    shift_regu: Regularizer = option(REGU, default=NoRegu())
    shift_cons: Constraint = option(constraint(), default=NoCons())
    shift_lr: float = option(real(0), default=1.0)
    neuron: Neuron = option(neuron(), default=Identity())
    shift: str = option(parameter_blob(), default="")

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        x = bottoms[0]
        shift = bottoms[1] if len(bottoms) > 1 else self._shift(ctx, x)
        return [self.neuron.emit(ctx, ctx.op("add", x, spread(ctx, shift, x, self.axis)))]

    def _shift(self, ctx: TraceContext, x: Value) -> Value:
        shape = learnt_shape(ctx, x, self.axis, self.num_axes)
        return ctx.param("shift", shape, self.shift_init, self.shift_regu, self.shift_lr, self.shift_cons, decays=False)
