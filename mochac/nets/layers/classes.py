"""Indices of classes: the largest element, one-hot rows, accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.base.records import option
from mochac.base.rules import boolean, integer, or_none, text
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers._losses import class_indices, counted
from mochac.nets.layers.base import Layer, Paired, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, Blob, Example, breaks, fits
from mochac.nets.layers.fields import axis


@layer
class ArgmaxLayer(Paired):
    """The 0-based index of the largest element along `axis`; of the first, if there are equal ones. NaN
    counts as the largest, as in NumPy.

    Args:
        axis: 1 (the channels) by default; not the batch.

    Shapes: (batch, ..., n, ...) -> (batch, ..., 1, ...), in the dtype of the program. There is no gradient. Source:
    Mocha.jl src/layers/argmax.jl.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,)),
        fits((2, 3, 2), axis=2),
        fits((3,), (2, 3), axis=-1, tops=["left", "right"]),
        breaks("axis 3 is not an axis", (2, 3), axis=3),
        breaks("not an axis", LOSS),
    )

    name: str = option(text(), default="argmax")
    axis: int = option(axis(), default=1)

    def each(self, ctx: TraceContext, x: Value) -> Value:
        return ctx.op("argmax", x, axis=ctx.axis(self.axis, x))


@layer
class Index2OnehotLayer(Paired):
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

    def each(self, ctx: TraceContext, x: Value) -> Value:
        ctx.label(x, self.n_class, self.ignore_label)
        if self.ignore_label is not None:  # -1 is no class
            ignored = ctx.op("eq", x, ctx.constant(float(self.ignore_label), x))
            x = ctx.op("select", ignored, ctx.constant(-1.0, x), x)
        return ctx.op("onehot", x, axis=ctx.axis(self.axis, x), classes=self.n_class)


@layer
class AccuracyLayer(Layer):
    """Statistic `<name>-accuracy`, and optionally `<name>-error` = 1 - accuracy.

    Args:
        axis: axis of the classes in pred, not the batch: 1 for images, -1 for sequences (batch, time, classes). None:
            1, but an error if the label fits the last axis, too.
        report_error: compute the error rate too.
        top_k: a position is correct if its label is among the top_k largest predictions; 1 to the number of classes.
        ignore_label: positions with this label are not counted; None: all are counted. It need not be a class index.

    Shapes: bottoms = [pred (batch, classes, ...), label (batch, 1, ...)]; labels are 0-based, and may lack axes of
    extent 1. Among equal predictions the first is the largest. With top_k > 1, a prediction equal to that of the label
    counts as larger, as in Caffe. Source: Mocha.jl src/layers/accuracy.jl, Caffe's src/caffe/layers/accuracy_layer.cpp.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (2, 2)
    n_tops: ClassVar[tuple[int, int | None]] = (0, 0)
    is_statistic: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,), Blob((1,), classes=4)),
        fits((3, 2, 2), Blob((1, 2, 2), classes=3), report_error=True),
        fits((2, 3), Blob((2, 1), classes=3), axis=-1),
        fits((4, 1, 1), Blob((1,), classes=4)),
        fits((4,), Blob((1,), classes=4), top_k=3, report_error=True),
        fits((3, 2, 2), Blob((1, 2, 2), classes=3), top_k=2, ignore_label=1),
        fits((4,), Blob((1,), classes=4), ignore_label=255, report_error=True),
        breaks("the classes may be along either of two axes", (2, 2), Blob((2,), classes=2)),
        breaks("top_k is more than there are classes", (4,), Blob((1,), classes=4), top_k=5),
        breaks("labels must be one class index per position", (4,), Blob((2,), classes=4)),
        breaks("labels must be one class index per position", (3, 2, 2), Blob((1, 2), classes=3)),
        breaks("axis 2 is not an axis", (4,), Blob((1,), classes=4), axis=2),
        breaks("not an axis", LOSS, Blob((1,), classes=4)),
    )

    name: str = option(text(), default="accuracy")
    axis: int | None = option(or_none(axis()), default=None)
    report_error: bool = option(boolean(), default=False)
    top_k: int = option(integer(1), default=1)
    ignore_label: int | None = option(or_none(integer()), default=None)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        pred, label = bottoms
        label, axis = class_indices(ctx, pred, label, self.axis)
        if self.top_k == 1:
            right = ctx.op("accuracy", pred, label, axis=axis)
        else:
            right = self._among_largest(ctx, pred, label, axis)
        ctx.label(label, pred.type.shape[axis], self.ignore_label)
        correct, valid = counted(ctx, right, label, self.ignore_label)
        ctx.statistic("accuracy", correct, valid)
        if self.report_error:
            every = ctx.constant(1.0, correct) if valid is None else valid
            ctx.statistic("error", ctx.op("sub", every, correct), valid)
        return []

    def _among_largest(self, ctx: TraceContext, pred: Value, label: Value, axis: int) -> Value:
        """1 if at most top_k predictions, and at least one, are >= that of the label (none is if it is NaN); else 0."""
        shape = pred.type.shape
        if self.top_k > shape[axis]:
            raise OpTypeError("top_k is more than there are classes", f"1 to {shape[axis]}", str(self.top_k))
        own = ctx.op("pick", pred, label, axis=axis)
        kept = tuple(a for a in range(len(shape)) if a != axis)
        spread = ctx.op("broadcast", own, shape=shape, axes=kept, batch=own.type.batch)
        one, zero = ctx.constant(1.0, pred), ctx.constant(0.0, pred)
        rank = ctx.op("reduce_sum", ctx.op("select", ctx.op("ge", pred, spread), one, zero), axes=(axis,))
        few = ctx.op("le", rank, ctx.constant(self.top_k, rank))
        some = ctx.op("ge", rank, ctx.constant(1.0, rank))
        return ctx.op("select", ctx.op("and", few, some), ctx.constant(1.0, rank), ctx.constant(0.0, rank))
