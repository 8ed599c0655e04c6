"""Rotary: positions of queries and keys, as turns of pairs of their features.

    turned[t, k]        = x[t, k] * cos(t * f[k]) - x[t, k + half] * sin(t * f[k])        f[k] = base^(-k / half)
    turned[t, k + half] = x[t, k + half] * cos(t * f[k]) + x[t, k] * sin(t * f[k])

So the scalar product of a query and a key depends on how far apart they are. The cosines and sines are tables, computed
when the net is compiled.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers._axes import over
from mochac.nets.layers.config import Config, config
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.fields import Rule, boolean, instance, integer, option, or_none, real


@config
class Rotary(Config):
    """Rotary positions (RoPE) of attention: queries and keys are turned, pair by pair of features, by angles that grow
    with the position.

    Args:
        base: > 0; pair k of a head turns by position * base^(-2 k / width).
        interleaved: whether a pair are neighbours, features 2 k and 2 k + 1, as in the paper; otherwise features k and
            k + width / 2, as in Llama, Mistral and Hugging Face's models.
        width: how many features of a head turn, the first ones; an even number, None for all.

    Source: Su et al., RoFormer, 2021; ONNX's RotaryEmbedding.
    """

    base: float = option(real(above=0), default=10000.0)
    interleaved: bool = option(boolean(), default=False)
    width: int | None = option(or_none(integer(2)), default=None)

    def turned(self, ctx: TraceContext, x: Value, scale: float, before: int = 0, lengths: Value | None = None) -> Value:
        """Queries or keys (batch, time, .., heads, features), turned and scaled.

        Args:
            before: the first position.
            lengths: (batch,); the first position of each sample, at most `before`; None if it is `before`.

        Raises:
            OpTypeError: no even number of features, or fewer than `width`.
        """
        *kept, features = x.type.shape
        width = features if self.width is None else self.width
        if width % 2:
            rule = "rotary positions turn pairs of features"
            raise OpTypeError(rule, "an even number of features of a head, or Rotary(width=...)", str(width))
        if width > features:
            raise OpTypeError("more features turn than a head has", f"width <= {features}", str(width))
        half = width // 2
        turning = x if width == features else _part(ctx, x, 0, width)
        if self.interleaved:
            turning = ctx.op("reshape", turning, shape=(*kept, half, 2))
        size = 1 if self.interleaved else half
        first, second = _part(ctx, turning, 0, size), _part(ctx, turning, size, size)
        frequencies = self.base ** (-np.arange(half) / half)
        angles = np.outer(np.arange(0 if lengths is not None else before, before + kept[1]), frequencies)
        cos, sin = ctx.table("cos", scale * np.cos(angles)), ctx.table("sin", scale * np.sin(angles))
        along = (1, len(kept))
        if lengths is not None:
            at = _positions(ctx, x, lengths)
            cos, sin, along = ctx.op("gather", cos, at), ctx.op("gather", sin, at), (0, *along)
        cos, sin = over(ctx, cos, first, along), over(ctx, sin, first, along)
        turned = [
            ctx.op("sub", ctx.op("mul", first, cos), ctx.op("mul", second, sin)),
            ctx.op("add", ctx.op("mul", second, cos), ctx.op("mul", first, sin)),
        ]
        if self.interleaved:
            pairs = ctx.op("concat", *turned, axis=len(kept) + 1)
            turned = [ctx.op("reshape", pairs, shape=(*kept, width))]
        if width < features:
            turned.append(ctx.scaled(_part(ctx, x, width, features - width), scale))
        return turned[0] if len(turned) == 1 else ctx.op("concat", *turned, axis=len(kept))


def _part(ctx: TraceContext, x: Value, start: int, size: int) -> Value:
    """Some elements along the last axis."""
    *kept, _ = x.type.shape
    return ctx.op("slice", x, start=(*(0 for _ in kept), start), shape=(*kept, size))


def _positions(ctx: TraceContext, x: Value, lengths: Value) -> Value:
    """The position of every entry of `x`, (batch, time), where a sample begins at its length."""
    shape, t = x.type.shape[:2], lengths.type
    first = ctx.op("broadcast", lengths, shape=shape, axes=(0,), batch=t.batch)
    return ctx.op("add", first, ctx.op("position", axis=1, dtype=t.dtype, shape=shape, batch=t.batch))


def rotary() -> Rule:
    """Field rule: rotary positions, or None."""
    return or_none(instance(Rotary, "rotary positions such as Rotary()", Rotary()))
