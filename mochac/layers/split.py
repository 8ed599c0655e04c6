"""SplitLayer: one blob under several names.

A blob may feed any number of layers here, so the layer is only needed where nets of Mocha have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.layers.base import Layer, layer
from mochac.layers.context import TraceContext
from mochac.layers.examples import Example, fits
from mochac.layers.fields import boolean, names, option, text


@layer
class SplitLayer(Layer):
    """Every top is the bottom; the bottom's gradient is the sum of theirs.

    Args:
        tops: one or more names; must be given.
        no_copy: accepted for Mocha's sake; the compiler decides about storage.
    """

    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,), tops=["left"]),
        fits((2, 3), tops=["left", "right"]),
    )

    name: str = option(text(), default="split")
    tops: Sequence[str] = option(names())
    no_copy: bool = option(boolean(), default=False)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        return [x] * len(self.tops)
