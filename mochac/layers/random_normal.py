"""RandomNormalLayer: numbers from the standard normal distribution, drawn anew in every step.

The op is random_normal, so the numbers are made where they are used; there is no reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.layers.base import Layer, layer
from mochac.layers.context import TraceContext
from mochac.layers.examples import BATCH, Example, breaks, fits
from mochac.layers.fields import FLOAT_TYPES, float_type, names, option, shape, sizes, text


@layer
class RandomNormalLayer(Layer):
    """Every top holds independent N(0, 1) numbers, other ones in every step, and in test mode too.

    Args:
        tops: one or more names; must be given.
        output_dims: extents of one sample, NumPy order, for all tops.
        batch_sizes: samples a step, one number per top; all are the net's batch size, which may be left out where there
            is a data layer.
        eltype: "float32" or "float64", the type that numbers are drawn in before they get the program's; "": that one.
            A float64 program draws the numbers of a float32 one with eltype="float32".

    The numbers follow from the program's seed, the layer's name, the iteration and the sample's place in the batch.
    evaluate() and predict() draw the same numbers in every call, none of which training sees. A net without a data
    layer has no epochs; evaluate() takes one batch then, and predict(n) makes n samples of what needs no data. Shapes:
    (batch, *output_dims), of the program's dtype. Source: Mocha.jl src/layers/random-normal.jl.

    >>> RandomNormalLayer(tops=["noise"], output_dims=[20], batch_sizes=[64]).fixed_batch
    64
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (0, 0)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    examples: ClassVar[tuple[Example, ...]] = (
        fits(tops=["noise"], output_dims=[3], batch_sizes=[BATCH]),
        fits(tops=["left", "right"], output_dims=(2, 2)),
        fits(tops=["noise"], output_dims=[3], eltype="float32"),
        breaks("needs one batch size per top", tops=["left", "right"], output_dims=[3], batch_sizes=[BATCH]),
        breaks("all tops have the net's batch size", tops=["a", "b"], output_dims=[3], batch_sizes=[BATCH, 3]),
        breaks("batch", tops=["noise"], output_dims=[3], batch_sizes=[BATCH + 1]),
    )

    name: str = option(text(), default="random-normal")
    tops: Sequence[str] = option(names())
    output_dims: tuple[int, ...] = option(shape())
    batch_sizes: tuple[int, ...] = option(sizes(), default=())
    eltype: str = option(float_type(), default="")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.batch_sizes and len(self.batch_sizes) != len(self.tops):
            raise self.error(
                "needs one batch size per top", expected=f"{len(self.tops)} numbers", got=str(len(self.batch_sizes))
            )
        if len(set(self.batch_sizes)) > 1:
            raise self.error("all tops have the net's batch size", got=" ".join(map(str, self.batch_sizes)))

    @property
    def fixed_batch(self) -> int | None:
        """Samples a step, where it says so."""
        return self.batch_sizes[0] if self.batch_sizes else None

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [self._drawn(ctx, draw) for draw in range(len(self.tops))]

    def _drawn(self, ctx: TraceContext, draw: int) -> Value:
        step, key = ctx.stream(draw)
        shape, dtype = (ctx.batch, *self.output_dims), FLOAT_TYPES.get(self.eltype, ctx.dtype)
        drawn = ctx.op("random_normal", step, key=key, shape=shape, dtype=dtype, batch=True)
        return drawn if dtype == ctx.dtype else ctx.op("cast", drawn, dtype=ctx.dtype)
