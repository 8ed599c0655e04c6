"""DropoutLayer: random units are set to zero in training. In test mode the layer does nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers._axes import distinct_axes
from mochac.nets.layers.axis_fields import axes
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import PARAMETER, Example, breaks, fits
from mochac.nets.layers.fields import boolean, option, real, text

SELU_LIMIT = -1.7580993408473766
"""What SELU approaches for large negative numbers."""


@layer
class DropoutLayer(Layer):
    """Sets each unit to 0 with probability `ratio`, independently in every step and for every sample.

    Args:
        ratio: 0 <= ratio < 1; 0 leaves the blob as it is.
        auto_scale: multiply the other units by 1 / (1 - ratio), so that the expectation is unchanged.
        shared_axes: axes, not the batch, along which units are dropped together. Of images (2, 3) drops whole channels;
            of sequences 1 drops a feature at all times. (1, 2, 3) drops whole samples of images: as the last layer of a
            branch that is added to another, this is stochastic depth. Of a blob without samples, such as a weight, any
            axes.
        alpha: alpha dropout: units become SELU's limit for large negative numbers instead of 0, and the blob is then
            scaled and shifted, so that mean 0 and variance 1 stay. `auto_scale` has no effect.

    Without `tops` the layer works in place, as in Mocha: other layers with the same bottom get its result, unless some
    layer has the name of this layer as a bottom. Source: Mocha.jl src/layers/dropout.jl; PyTorch's Dropout2d;
    stochastic depth is that of Huang et al. 2016 (arXiv:1603.09382); alpha dropout of Klambauer et al. 2017
    (arXiv:1706.02515), PyTorch's AlphaDropout and, with shared axes, FeatureAlphaDropout.

    >>> DropoutLayer(name="drop1", bottoms=["ip1"], ratio=0.2).tops
    ()
    """

    in_place: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,)),
        fits((2, 3), ratio=0.2, auto_scale=False),
        fits((4,), tops=["dropped"]),
        fits((4,), ratio=0.0),
        fits((3, 2, 5), shared_axes=(2, 3)),
        fits((3, 2), shared_axes=(1, -1), auto_scale=False),
        fits((3, 4), shared_axes=1),
        fits((3, 4), ratio=0.3, alpha=True),
        fits((3, 2, 2), ratio=0.3, alpha=True, shared_axes=(2, 3)),
        fits(near=PARAMETER, bottoms=["W"], shared_axes=0, tops=["dropped"]),
        breaks("axis 2 is not an axis", (4,), shared_axes=(1, 2)),
        breaks("axis 0 is not an axis", (4,), shared_axes=0),
        breaks("an axis is named twice", (2, 3), shared_axes=(2, -1)),
    )

    name: str = option(text(), default="dropout")
    ratio: float = option(real(0, below=1), default=0.5)
    auto_scale: bool = option(boolean(), default=True)
    shared_axes: tuple[int, ...] = option(axes(empty=True), default=())
    alpha: bool = option(boolean(), default=False)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        shared = distinct_axes(ctx, x, self.shared_axes)
        if not ctx.training or not self.ratio:
            return [x]
        mask = ctx.dropout_mask(x, self.ratio, shared_axes=shared)
        dropped = SELU_LIMIT if self.alpha else 0.0
        kept = ctx.op("select", mask, x, ctx.constant(dropped, x))
        if self.alpha:
            factor = 1 / math.sqrt((1 - self.ratio) * (1 + self.ratio * dropped**2))
            scaled = ctx.scaled(kept, factor)
            return [ctx.op("add", scaled, ctx.constant(-factor * self.ratio * dropped, scaled))]
        return [ctx.scaled(kept, 1.0 / (1.0 - self.ratio)) if self.auto_scale else kept]
