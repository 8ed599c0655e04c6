"""ConstantLayer: fixed numbers as a blob."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import Example, fits
from mochac.nets.layers.fields import option
from mochac.nets.layers.tables import Table, table


@layer
class ConstantLayer(Layer):
    """An array that is the same for all samples and never trained, such as positions or a mask.

    Args:
        values: the array, of one axis or more. Infinities are allowed.

    Shapes: -> the array's shape, without a batch. Layers that broadcast, such as FunctionLayer, take it beside blobs
    that hold samples.

    >>> ConstantLayer(name="steps", values=[0.0, 0.5, 1.0]).tops
    ('steps',)
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (0, 0)
    examples: ClassVar[tuple[Example, ...]] = (fits(values=[1.0, 2.0, 3.0]), fits(values=[[1.0], [-2.0]]))

    values: Table = option(table("an array of one axis or more", [0.0, 1.0], infinite=True))

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [ctx.table("values", self.values.values)]
