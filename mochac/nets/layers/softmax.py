"""SoftmaxLayer: class probabilities along one axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, Example, breaks, fits
from mochac.nets.layers.fields import integer, option, text


@layer
class SoftmaxLayer(Layer):
    """y = exp(x - max(x)) / sum(exp(x - max(x))) along `axis`.

    Args:
        axis: 1 (channels) by default, in NumPy order; not the batch, but any axis of a blob without samples.

    Shapes: the top has the shape of the bottom. Source: Mocha.jl src/layers/softmax.jl.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,)),
        fits((2, 3, 2), axis=2),
        fits((3,), (2, 3), axis=-1, tops=["left", "right"]),
        fits(near=PARAMETER, bottoms=["W"], axis=0),
        breaks("axis 0 is not an axis", (2, 3), axis=0),
        breaks("axis 3 is not an axis", (2, 3), axis=3),
        breaks("not an axis", LOSS),
    )

    name: str = option(text(), default="softmax")
    axis: int = option(integer(), default=1)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [ctx.op("softmax", x, axis=ctx.axis(self.axis, x)) for x in bottoms]
