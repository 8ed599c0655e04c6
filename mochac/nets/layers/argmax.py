"""ArgmaxLayer: the index of the largest element along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers.axis_fields import axis
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, Example, breaks, fits
from mochac.nets.layers.fields import option, text


@layer
class ArgmaxLayer(Layer):
    """The 0-based index of the largest element along `axis`; of the first, if there are equal ones. NaN
    counts as the largest, as in NumPy.

    Args:
        axis: 1 (the channels) by default; not the batch.

    Shapes: (batch, ..., n, ...) -> (batch, ..., 1, ...), in the dtype of the program. There is no gradient. Source:
    Mocha.jl src/layers/argmax.jl.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,)),
        fits((2, 3, 2), axis=2),
        fits((3,), (2, 3), axis=-1, tops=["left", "right"]),
        breaks("axis 3 is not an axis", (2, 3), axis=3),
        breaks("not an axis", LOSS),
    )

    name: str = option(text(), default="argmax")
    axis: int = option(axis(), default=1)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [ctx.op("argmax", x, axis=ctx.axis(self.axis, x)) for x in bottoms]
