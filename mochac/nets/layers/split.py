"""SplitLayer: one blob under several names, for nets from Mocha. In mochac a blob can have any number of readers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.blob_fields import names
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import Example, fits
from mochac.nets.layers.fields import boolean, option, text


@layer
class SplitLayer(Layer):
    """Each top equals the bottom, whose gradient is the sum of theirs.

    Args:
        tops: one or more names; required.
        no_copy: accepted for compatibility with Mocha, and ignored.
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
