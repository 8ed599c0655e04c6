"""RandomMaskLayer: units switched off at random while training, in several blobs at once.

In train mode the op dropout_mask draws a mask per bottom; in test mode the layer is nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.layers.base import Layer, layer
from mochac.layers.context import TraceContext
from mochac.layers.examples import Example, fits
from mochac.layers.fields import option, real, text


@layer
class RandomMaskLayer(Layer):
    """Each element becomes 0 with probability `ratio`, anew in every step, for every sample and bottom; the others stay
    as they are: DropoutLayer without its scaling, as denoising auto-encoders corrupt their input.

    Args:
        ratio: 0 < ratio < 1.

    Without `tops` it works in place as in Mocha: later layers that take its bottoms get the masked blobs (a single one
    under the layer's name, where some layer takes that). In test mode it does nothing. Source: Mocha.jl
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
