"""Index2OnehotLayer: one-hot encoding of class indices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers.axis_fields import axis
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, Blob, Example, breaks, fits
from mochac.nets.layers.fields import integer, option, or_none, text


@layer
class Index2OnehotLayer(Layer):
    """The top is 1 at the index along `axis` that the bottom holds, 0 elsewhere.

    Args:
        n_class: number of classes. A label outside 0 .. n_class-1 is a DataError if it comes from data, and gives only
            zeros if the net computes it.
        axis: 1 by default; not the batch. The bottom has extent 1 there.
        ignore_label: where the bottom holds this number, which need not be a class index, the top holds only zeros;
            None: no number is ignored.

    Shapes: (batch, ..., 1, ...) -> (batch, ..., n_class, ...). There is no gradient. Source: Mocha.jl
    src/layers/index2onehot.jl.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits(Blob((1,), classes=4), n_class=4),
        fits(Blob((1, 3), classes=2), n_class=2),
        fits(Blob((3, 1), classes=2), n_class=2, axis=-1),
        fits(Blob((1, 3), classes=3), n_class=3, ignore_label=1),
        fits(Blob((1,), classes=4), n_class=4, ignore_label=-100),
        breaks("extent 1", (2,), n_class=2),
        breaks("axis 2 is not an axis", (1,), n_class=2, axis=2),
        breaks("not an axis", LOSS, n_class=2),
    )

    name: str = option(text(), default="index2onehot")
    n_class: int = option(integer(1))
    axis: int = option(axis(), default=1)
    ignore_label: int | None = option(or_none(integer()), default=None)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [self._rows(ctx, label) for label in bottoms]

    def _rows(self, ctx: TraceContext, label: Value) -> Value:
        ctx.label(label, self.n_class, self.ignore_label)
        if self.ignore_label is not None:  # -1 is no class
            ignored = ctx.op("eq", label, ctx.constant(float(self.ignore_label), label))
            label = ctx.op("select", ignored, ctx.constant(-1.0, label), label)
        return ctx.op("onehot", label, axis=ctx.axis(self.axis, label), classes=self.n_class)
