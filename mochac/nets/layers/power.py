"""PowerLayer: a power of a linear function of each element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import Blob, Example, fits
from mochac.nets.layers.fields import option, real, text


@layer
class PowerLayer(Layer):
    """y = (scale * x + shift) ^ power, for each element.

        dx = dy * power * scale * (scale * x + shift) ^ (power - 1)

    y and its gradient are finite wherever the formulas are, also if scale * x + shift is 0, where Mocha gives NaN. A
    negative base with a fractional power gives NaN. x ^ 0 is 1.

    Args:
        power: any finite number; 1 by default.
        scale, shift: any finite numbers; 1 and 0 by default. With scale=0 the top is constant.

    Shapes: the top has the shape of the bottom. Source: Mocha.jl src/layers/power.jl.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,), power=2.0, scale=0.5, shift=1.0),
        fits(Blob((2, 3), 0.5, 2.0), power=-0.7),
        fits((2,), (3, 1), power=3.0, tops=["left", "right"]),
        fits((3,), scale=0.0, shift=2.0),
        fits((3,)),
        fits((3,), (3,), power=0.0, tops=["left", "right"]),
    )

    name: str = option(text(), default="power")
    power: float = option(real(), default=1.0)
    scale: float = option(real(), default=1.0)
    shift: float = option(real(), default=0.0)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [self._raised(ctx, self._base(ctx, x)) for x in bottoms]

    def _base(self, ctx: TraceContext, x: Value) -> Value:
        if self.scale == 0.0:
            return ctx.constant(self.shift, x)
        scaled = ctx.scaled(x, self.scale)
        return ctx.op("add", scaled, ctx.constant(self.shift, x)) if self.shift else scaled

    def _raised(self, ctx: TraceContext, x: Value) -> Value:
        if self.power == 0.0:
            return ctx.constant(1.0, x)
        if self.power == 1.0:
            return x
        return ctx.op("square", x) if self.power == 2.0 else ctx.op("power", x, exponent=self.power)
