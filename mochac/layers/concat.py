"""ConcatLayer: blobs concatenated along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.layers.base import Layer, layer
from mochac.layers.context import TraceContext
from mochac.layers.examples import LOSS, PARAMETER, Example, breaks, fits
from mochac.layers.fields import integer, option, text


@layer
class ConcatLayer(Layer):
    """Concatenates its bottoms along `axis`.

    Args:
        axis: 1 (the channels) by default; negative numbers count from the end. With 0, samples are concatenated, so the
            top has more rows than a step has samples.

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
        breaks("bottoms may differ along axis 1 only", (2, 3), (2, 4)),
        breaks("bottoms may differ along axis 2 only", (2, 3), (3, 3), axis=2),
        breaks("bottoms may differ along axis 1 only", (2,), (2, 3)),
        breaks("bottoms may differ along axis 2 only", (1, 2), (1,), axis=2),
        breaks("axis 3 is not an axis", (2, 3), (2, 3), axis=3),
        breaks("only one of them holds samples", (2,), near=PARAMETER, bottoms=["b0", "W"]),
        breaks("not an axis", LOSS, (1,)),
    )

    name: str = option(text(), default="concat")
    axis: int = option(integer(), default=1)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        rank = len(bottoms[0].type.shape)
        axis = self.axis + rank if self.axis < 0 else self.axis
        if not 0 <= axis < rank:
            raise OpTypeError(f"axis {self.axis} is not an axis of its input", f"0 <= axis < {rank}", str(self.axis))
        self._check(bottoms, axis)
        if axis == 0:
            bottoms = tuple(ctx.op("relayout", x, lanes=0, batch=False) if x.type.batch else x for x in bottoms)
        return [ctx.op("concat", *bottoms, axis=axis)]

    def _check(self, bottoms: tuple[Value, ...], axis: int) -> None:
        """Refuse bottoms that do not fit."""
        first = bottoms[0].type
        for k, x in enumerate(bottoms[1:], 2):
            if axis and x.type.batch != first.batch:
                raise OpTypeError(
                    f"bottom {k} does not fit the first: only one of them holds samples",
                    "samples in both, or in none", f"{x.type.shape} and {first.shape}",
                )  # fmt: skip
            wanted = (*first.shape[:axis], *x.type.shape[axis : axis + 1], *first.shape[axis + 1 :])
            if x.type.shape != wanted or len(wanted) != len(first.shape):
                raise OpTypeError(f"bottoms may differ along axis {axis} only", str(wanted), str(x.type.shape))
