"""RandomMaskLayer: random elements of blobs are set to zero in training. In test mode the layer does nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import Example, fits
from mochac.nets.layers.fields import option, real, text


@layer
class RandomMaskLayer(Layer):
    """Sets each element to 0 with probability `ratio`, independently in every step, for every sample and bottom. This
    is DropoutLayer without scaling, for the corrupted input of denoising auto-encoders.

    Args:
        ratio: 0 < ratio < 1.

    Without `tops` it works in place, as in Mocha: other layers with the same bottoms get the masked blobs (or with the
    name of this layer, if it has a single bottom). In test mode it does nothing. Source: Mocha.jl
    src/layers/random-mask.jl.

    >>> RandomMaskLayer(name="corrupt", bottoms=["a", "b"], ratio=0.3).tops
    ()
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    in_place: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,)),
        fits((2, 3), (3,), ratio=0.3, tops=["left", "right"]),
    )

    name: str = option(text(), default="random-mask")
    ratio: float = option(real(above=0, below=1), default=0.5)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        if not ctx.training:
            return list(bottoms)
        return [
            ctx.op("select", ctx.dropout_mask(x, self.ratio, k), x, ctx.constant(0.0, x)) for k, x in enumerate(bottoms)
        ]
