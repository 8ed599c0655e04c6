"""MemoryOutputLayer: keeps its bottoms for the caller.

It writes no operation: the program reads its bottoms after every step (runtime/data/outputs.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.layers.base import Layer, layer
from mochac.layers.context import TraceContext
from mochac.layers.examples import Blob, Example, fits
from mochac.layers.fields import option, text


@layer
class MemoryOutputLayer(Layer):
    """Every step's bottoms, kept: `program.outputs[name][k]` is the list of arrays of bottom k.

    Each forward(), training step and step of evaluate() adds one array per bottom; evaluate() adds real samples only.
    `program.reset_outputs()` empties the lists. A net with such a layer trains one step a native call.
    Source: Mocha.jl src/layers/memory-output.jl.

    >>> MemoryOutputLayer(name="out", bottoms=["ip2", "label"]).tops
    ()
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (0, 0)
    is_collector: ClassVar[bool] = True
    collector: ClassVar[str] = "memory"
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,)),
        fits((2, 3), Blob((1,), classes=3)),
    )

    name: str = option(text(), default="mem-output")

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        ctx.output(bottoms)
        return []
