"""Random masks and numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from mochac.base.records import option
from mochac.base.rules import FLOAT_TYPES, boolean, float_type, real, text
from mochac.ir.graph import Value
from mochac.nets.layers.axes import distinct_axes
from mochac.nets.layers.base import Layer, Paired, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import BATCH, PARAMETER, Example, breaks, fits
from mochac.nets.layers.fields import axes, names, shape, sizes

SELU_LIMIT = -1.7580993408473766
"""What SELU approaches for large negative numbers."""


@layer
class DropoutLayer(Layer):
    """Sets each unit to 0 with probability `ratio`, independently in every step and for every sample.

    Args:
        ratio: 0 <= ratio < 1; 0 leaves the blob as it is.
        auto_scale: multiply the other units by 1 / (1 - ratio), so that the expectation is unchanged.
        shared_axes: axes, not the batch, along which units are dropped together. For images, (2, 3) drops whole
            channels; of sequences 1 drops a feature at all times. (1, 2, 3) drops whole samples of images: as the last
            layer of a branch that is added to another, this is stochastic depth. For a blob without samples, such as a
            weight, any axes.
        alpha: alpha dropout: units become SELU's limit for large negative numbers instead of 0, and the blob is then
            scaled and shifted, so that mean 0 and variance 1 stay. `auto_scale` has no effect.

    Without `tops` the layer works in place, as in Mocha: other layers with the same bottom get its result, unless some
    layer has the name of this layer as a bottom. Source: Mocha.jl src/layers/dropout.jl; PyTorch's Dropout2d;
    stochastic depth is that of Huang et al. 2016 (arXiv:1603.09382); alpha dropout of Klambauer et al. 2017
    (arXiv:1706.02515), PyTorch's AlphaDropout and, with shared axes, FeatureAlphaDropout.

    >>> DropoutLayer(name="drop1", bottoms=["ip1"], ratio=0.2).tops
    ()
    """

    in_place: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,)),
        fits((2, 3), ratio=0.2, auto_scale=False),
        fits((4,), tops=["dropped"]),
        fits((4,), ratio=0.0),
        fits((3, 2, 5), shared_axes=(2, 3)),
        fits((3, 2), shared_axes=(1, -1), auto_scale=False),
        fits((3, 4), shared_axes=1),
        fits((3, 4), ratio=0.3, alpha=True),
        fits((3, 2, 2), ratio=0.3, alpha=True, shared_axes=(2, 3)),
        fits(near=PARAMETER, bottoms=["W"], shared_axes=0, tops=["dropped"]),
        breaks("axis 2 is not an axis", (4,), shared_axes=(1, 2)),
        breaks("axis 0 is not an axis", (4,), shared_axes=0),
        breaks("an axis is named twice", (2, 3), shared_axes=(2, -1)),
    )

    name: str = option(text(), default="dropout")
    ratio: float = option(real(0, below=1), default=0.5)
    auto_scale: bool = option(boolean(), default=True)
    shared_axes: tuple[int, ...] = option(axes(empty=True), default=())
    alpha: bool = option(boolean(), default=False)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        shared = distinct_axes(ctx, x, self.shared_axes)
        if not ctx.training or not self.ratio:
            return [x]
        mask = ctx.dropout_mask(x, self.ratio, shared_axes=shared)
        dropped = SELU_LIMIT if self.alpha else 0.0
        kept = ctx.op("select", mask, x, ctx.constant(dropped, x))
        if self.alpha:
            factor = 1 / math.sqrt((1 - self.ratio) * (1 + self.ratio * dropped**2))
            scaled = ctx.scaled(kept, factor)
            return [ctx.op("add", scaled, ctx.constant(-factor * self.ratio * dropped, scaled))]
        return [ctx.scaled(kept, 1.0 / (1.0 - self.ratio)) if self.auto_scale else kept]


@layer
class RandomMaskLayer(Paired):
    """Sets each element to 0 with probability `ratio`, independently in every step, for every sample and bottom. This
    is DropoutLayer without scaling, for the corrupted input of denoising auto-encoders.

    Args:
        ratio: 0 < ratio < 1.

    Without `tops` it works in place, as in Mocha: other layers with the same bottoms get the masked blobs (or with the
    name of this layer, if it has a single bottom). In test mode it does nothing. Source: Mocha.jl
    src/layers/random-mask.jl.

    >>> RandomMaskLayer(name="corrupt", bottoms=["a", "b"], ratio=0.3).tops
    ()
    """

    in_place: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,)),
        fits((2, 3), (3,), ratio=0.3, tops=["left", "right"]),
    )

    name: str = option(text(), default="random-mask")
    ratio: float = option(real(above=0, below=1), default=0.5)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        if not ctx.training:
            return list(bottoms)
        return [
            ctx.op("select", ctx.dropout_mask(x, self.ratio, k), x, ctx.constant(0.0, x)) for k, x in enumerate(bottoms)
        ]


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
    eltype: str = option(float_type(empty=True), default="")

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
