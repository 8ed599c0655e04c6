"""RandomNormalLayer: random numbers from the standard normal distribution, new in every step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.blob_fields import names
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import BATCH, Example, breaks, fits
from mochac.nets.layers.fields import FLOAT_TYPES, float_type, option, text
from mochac.nets.layers.shape_fields import shape, sizes


@layer
class RandomNormalLayer(Layer):
    """Independent N(0, 1) numbers, new in every step, also in test mode.

    Args:
        tops: one or more names; required.
        output_dims: extents of a sample in NumPy order, for all tops.
        batch_sizes: samples per step, a number per top, all equal to the batch size of the net; optional if there is a
            data layer.
        eltype: "float32" or "float64", the type in which numbers are generated, before conversion to the dtype of the
            program; "": the dtype of the program. With eltype="float32", a float64 program gets the same numbers as a
            float32 program.

    The numbers depend on the seed of the program, the name of the layer, the iteration, and the position of the sample
    in the batch. evaluate() and predict() generate the same numbers in every call, and never those of training. A net
    without a data layer has no epochs; evaluate() then runs one batch, and predict(n) computes n samples of blobs that
    need no data. Shapes: (batch, *output_dims), in the dtype of the program. Source: Mocha.jl
    src/layers/random-normal.jl.

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
        """Samples per step, if given."""
        return self.batch_sizes[0] if self.batch_sizes else None

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [self._drawn(ctx, draw) for draw in range(len(self.tops))]

    def _drawn(self, ctx: TraceContext, draw: int) -> Value:
        step, key = ctx.stream(draw)
        shape, dtype = (ctx.batch, *self.output_dims), FLOAT_TYPES.get(self.eltype, ctx.dtype)
        drawn = ctx.op("random_normal", step, key=key, shape=shape, dtype=dtype, batch=True)
        return drawn if dtype == ctx.dtype else ctx.op("cast", drawn, dtype=ctx.dtype)
