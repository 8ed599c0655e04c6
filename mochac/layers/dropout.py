"""DropoutLayer: random units are set to zero in training. In test mode the layer does nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.layers.base import Layer, layer
from mochac.layers.context import TraceContext
from mochac.layers.examples import Example, fits
from mochac.layers.fields import boolean, option, real, text


@layer
class DropoutLayer(Layer):
    """Sets each unit to 0 with probability `ratio`, independently in every step and for every sample.

    Args:
        ratio: 0 <= ratio < 1; 0 leaves the blob as it is.
        auto_scale: multiply the other units by 1 / (1 - ratio), so that the expectation is unchanged.

    Without `tops` the layer works in place, as in Mocha: later layers with the same bottom get its result, unless some
    layer has the name of this layer as a bottom. Source: Mocha.jl src/layers/dropout.jl.

    >>> DropoutLayer(name="drop1", bottoms=["ip1"], ratio=0.2).tops
    ()
    """

    in_place: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,)),
        fits((2, 3), ratio=0.2, auto_scale=False),
        fits((4,), tops=["dropped"]),
        fits((4,), ratio=0.0),
    )

    name: str = option(text(), default="dropout")
    ratio: float = option(real(0, below=1), default=0.5)
    auto_scale: bool = option(boolean(), default=True)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        if not ctx.training or not self.ratio:
            return [x]
        kept = ctx.op("select", ctx.dropout_mask(x, self.ratio), x, ctx.constant(0.0, x))
        return [ctx.scaled(kept, 1.0 / (1.0 - self.ratio)) if self.auto_scale else kept]
