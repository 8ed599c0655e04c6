"""InstanceNormLayer: every channel of every sample with mean 0 and variance 1; then a learnt scale and shift.

The parameters are `scale` and `shift` (channels,).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.onnx_writer import OnnxWriter
from mochac.nets.layers._axes import over
from mochac.nets.layers._norms import CHANNELS_FIRST, Norm, centred, channels
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import FIVE, LOSS, Example, breaks, fits
from mochac.nets.layers.neurons import Tanh


@layer
class InstanceNormLayer(Norm):
    """y = scale * (x - mean) / sqrt(variance + epsilon) + shift, with mean and biased variance over the positions of
    each channel of each sample.

    Args:
        epsilon: > 0; added to the variance.
        affine: False: there are no `scale` and `shift`.
        scale_init, shift_init, scale_regu, shift_regu, scale_lr, shift_lr: settings of the parameters; the lr are
            factors of the learning rate, >= 0.
        neuron: activation of the top.
        scale, shift: names of blobs, such as those of a ParameterLayer, to use instead of parameters of its own; False:
            there is none.

    Shapes: (batch, channels, ...) -> the same, with two positions or more. There are no running statistics. Source:
    Ulyanov, Vedaldi and Lempitsky, Instance Normalization, 2016.

    >>> InstanceNormLayer(name="in1", bottoms=["conv1"]).tops
    ('in1',)
    """

    absent: ClassVar[Mapping[str, str]] = CHANNELS_FIRST
    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 4), neuron=Tanh()),
        fits((3, 2, 3), affine=False),
        fits((5, 3), near=FIVE, scale=False, shift="V"),
        breaks("one value has no variance", (4, 1)),
        breaks("no channels", LOSS),
    )

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        channels(x)
        distance, variance = centred(ctx, x, range(2, len(x.type.shape)))
        inverse = ctx.op("div", ctx.constant(1.0, variance), self.deviation(ctx, variance))
        return [self.affinely(ctx, ctx.op("mul", distance, over(ctx, inverse, x, (0, 1))), (1,))]

    def onnx(self, w: OnnxWriter, bottoms: tuple[Value, ...]) -> Sequence[str] | None:
        (x,) = bottoms
        parameters = self.in_onnx(w, (channels(x),))
        return parameters and [w.node("InstanceNormalization", x.name, *parameters, epsilon=self.epsilon)]
