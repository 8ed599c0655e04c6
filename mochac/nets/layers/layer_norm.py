"""LayerNormLayer: every sample, or every row of a sample, with mean 0 and variance 1; then a learnt scale and shift.

The parameters `scale` and `shift` have the extents of `axes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.onnx_writer import OnnxWriter
from mochac.nets.layers._axes import distinct_axes, over
from mochac.nets.layers._norms import Norm, centred
from mochac.nets.layers.axis_fields import axes
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import FIVE, LOSS, Example, breaks, fits
from mochac.nets.layers.fields import option
from mochac.nets.layers.neurons import Tanh


@layer
class LayerNormLayer(Norm):
    """y = scale * (x - mean) / sqrt(variance + epsilon) + shift, with mean and biased variance over `axes`.

    Args:
        axes: of the bottom, without the batch; negative ones count from the last.
        epsilon: > 0; added to the variance.
        affine: False: there are no `scale` and `shift`.
        scale_init, shift_init, scale_regu, shift_regu, scale_lr, shift_lr: settings of the parameters; the lr are
            factors of the learning rate, >= 0.
        neuron: activation of the top.
        scale, shift: names of blobs, such as those of a ParameterLayer, to use instead of parameters of its own; False:
            there is none.

    Shapes: (batch, ...) -> the same. Source: Ba, Kiros and Hinton, Layer Normalization, 2016; PyTorch's LayerNorm,
    whose normalized_shape are the extents of the last axes.

    >>> LayerNormLayer(name="ln", axes=(1, 2), bottoms=["data"]).axes
    (1, 2)
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((6,)),
        fits((3, 4), neuron=Tanh()),
        fits((2, 3, 2), axes=(1, 3), epsilon=0.1),
        fits((2, 4), axes=(1, 2), affine=False),
        fits((3, 4), shift=False),
        fits((3, 4), scale=False, neuron=Tanh()),
        fits((2, 5), near=FIVE, scale="W", shift="V"),
        breaks("shift 'V' has another shape", (2, 4), near=FIVE, shift="V"),
        breaks("axis 2 is not an axis", (4,), axes=(2,)),
        breaks("an axis is named twice", (4,), axes=(1, -1)),
        breaks("one value has no variance", (3, 1)),
        breaks("is not an axis", LOSS),
    )

    axes: tuple[int, ...] = option(axes(), default=(-1,))

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        along = distinct_axes(ctx, x, self.axes)
        distance, variance = centred(ctx, x, along)
        rest = [a for a in range(len(x.type.shape)) if a not in along]
        inverse = ctx.op("div", ctx.constant(1.0, variance), self.deviation(ctx, variance))
        return [self.affinely(ctx, ctx.op("mul", distance, over(ctx, inverse, x, rest)), along)]

    def onnx(self, w: OnnxWriter, bottoms: tuple[Value, ...]) -> Sequence[str] | None:
        (x,) = bottoms
        rank = len(x.type.shape)
        along = sorted(a % rank for a in self.axes)
        if along != list(range(along[0], rank)):
            return None  # LayerNormalization is over the last axes
        parameters = self.in_onnx(w, x.type.shape[along[0] :])
        if parameters is None:
            return None
        return [w.node("LayerNormalization", x.name, *parameters, axis=along[0] - rank, epsilon=self.epsilon)]
