"""StopGradientLayer: a blob that no gradient passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import Example, fits


@layer
class StopGradientLayer(Layer):
    """The bottom as it is; the layers below get no gradient from the top.

    Source: PyTorch's detach, JAX's stop_gradient.

    >>> StopGradientLayer(name="target", bottoms=["teacher"]).tops
    ('target',)
    """

    examples: ClassVar[tuple[Example, ...]] = (fits((3,)), fits((2, 3, 4)))

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [ctx.op("stop_gradient", bottoms[0])]
