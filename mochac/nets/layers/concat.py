"""ConcatLayer: blobs concatenated along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, ONE_ROW, PARAMETER, Example, breaks, fits
from mochac.nets.layers.fields import integer, option, text


@layer
class ConcatLayer(Layer):
    """Concatenates its bottoms along `axis`.

    Args:
        axis: 1 (the channels) by default; negative numbers count from the end. With 0, samples are concatenated, so the
            top has more rows than a step has samples.

    Beside bottoms that hold samples, a ParameterLayer's blob is the same for every sample, such as a class token in
    front of a sequence: its shape is that of a sample, or has a batch of 1 in front.

    Shapes: two or more bottoms that differ along `axis` only -> the sum of their extents there. Source: Mocha.jl
    src/layers/concat.jl, whose `dim` by default is axis 1 of four.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (2, None)
    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 3), (4, 3)),
        fits((2,), (3,), (1,)),
        fits((2, 1, 2), (2, 3, 2), axis=2),
        fits((2, 3), (2, 1), axis=-1),
        fits((3,), (3,), axis=0),
        fits((4, 3), near=ONE_ROW, bottoms=["W", "b0"]),
        fits((3,), near=ONE_ROW, bottoms=["b0", "W"]),
        fits((2, 1), near=PARAMETER, bottoms=["b0", "W", "b0"], axis=-1),
        breaks("bottoms may differ along axis 1 only", (2, 3), (2, 4)),
        breaks("bottoms may differ along axis 2 only", (2, 3), (3, 3), axis=2),
        breaks("bottoms may differ along axis 1 only", (2,), (2, 3)),
        breaks("bottoms may differ along axis 2 only", (1, 2), (1,), axis=2),
        breaks("axis 3 is not an axis", (2, 3), (2, 3), axis=3),
        breaks("bottoms may differ along axis 1 only", (3, 3), near=PARAMETER, bottoms=["b0", "W"]),
        breaks("a bottom without samples does not fit", (2,), near=PARAMETER, bottoms=["b0", "W"]),
        breaks("a bottom without samples does not fit", LOSS, (1,)),
    )

    name: str = option(text(), default="concat")
    axis: int = option(integer(), default=1)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        like = next((x for x in bottoms if x.type.batch), bottoms[0])
        rank = len(like.type.shape)
        axis = self.axis + rank if self.axis < 0 else self.axis
        if not 0 <= axis < rank:
            raise OpTypeError(f"axis {self.axis} is not an axis of its input", f"0 <= axis < {rank}", str(self.axis))
        if axis == 0:
            bottoms = tuple(ctx.op("all_samples", x) if x.type.batch else x for x in bottoms)
        elif like.type.batch:
            bottoms = tuple(x if x.type.batch else self._for_samples(ctx, x, like) for x in bottoms)
        self._check(bottoms, axis)
        return [ctx.op("concat", *bottoms, axis=axis)]

    def _for_samples(self, ctx: TraceContext, x: Value, like: Value) -> Value:
        """x, which holds no samples, repeated for each sample of `like`."""
        shape, batch = x.type.shape, like.type.shape[0]
        rank = len(like.type.shape)
        if len(shape) == rank and shape[0] == 1:
            x, shape = ctx.op("reshape", x, shape=shape[1:]), shape[1:]
        if len(shape) != rank - 1:
            wanted = "as many axes as a sample has, or a batch of 1 in front"
            raise OpTypeError("a bottom without samples does not fit beside samples", wanted, str(shape))
        return ctx.op("broadcast", x, shape=(batch, *shape), axes=tuple(range(1, rank)), batch=True)

    def _check(self, bottoms: tuple[Value, ...], axis: int) -> None:
        """Refuse bottoms that do not fit."""
        first = bottoms[0].type
        for x in bottoms[1:]:
            wanted = (*first.shape[:axis], *x.type.shape[axis : axis + 1], *first.shape[axis + 1 :])
            if x.type.shape != wanted or len(wanted) != len(first.shape):
                raise OpTypeError(f"bottoms may differ along axis {axis} only", str(wanted), str(x.type.shape))
