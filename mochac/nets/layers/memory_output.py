"""MemoryOutputLayer: keeps its bottoms for the caller. It has no operations: see runtime/data/outputs.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import Blob, Example, fits
from mochac.nets.layers.fields import option, text


@layer
class MemoryOutputLayer(Layer):
    """Keeps its bottoms of every step: `program.outputs[name][k]` is the list of arrays of bottom k.

    Each forward(), training step and step of evaluate() adds one array per bottom; evaluate() adds each sample once.
    `program.reset_outputs()` empties the lists. A net with this layer runs only one training step per native call.
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
