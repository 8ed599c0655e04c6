"""Loss, ClassLoss and LabelLoss: base classes of losses.

ClassLoss is a loss over classes, with class weights, ignored labels and normalization; subclasses compute the loss of
each position. Source: Mocha.jl src/layers/multinomial-logistic-loss.jl; Caffe's
src/caffe/layers/softmax_loss_layer.cpp.

LabelLoss is a sum over independent labels with a weight for each label. `weights` and `pos_weight` are those of
PyTorch's BCEWithLogitsLoss, which calls the former `weight`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from mochac.base.errors import shown
from mochac.base.records import option
from mochac.base.rules import Refusal, Rule, choice, integer, or_none, real, text
from mochac.base.support.array_like import is_array
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.ir.op_call import OpCallError, require_value
from mochac.nets.layers.base import Layer, features
from mochac.nets.layers.config import keyword_config
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.fields import Table, axis, sample_blob, table


def of_samples(ctx: TraceContext, field: str) -> Value:
    """The blob that a field of the current layer names.

    Raises:
        OpTypeError: it is a parameter, the same for all samples.
    """
    x = ctx.blob(field)
    if not x.type.batch:
        got = f"{x.type.shape}, the same for all samples"
        raise OpTypeError(f"{field} names a blob without samples", "a blob of a data layer, or computed from one", got)
    return x


TINY = 1e-30
"""Smallest sum of squares whose root is differentiated."""


def is_policy(weight: object) -> bool:
    """Whether a weight follows a policy of the iteration."""
    return callable(getattr(weight, "value", None)) and not isinstance(weight, type)


def _factor() -> Rule:
    """Field rule of `weight`: a number >= 0, or a policy. PyTorch's `weight` holds one for each class."""
    rule = real(0)

    def convert(value: Any) -> Any:
        if is_policy(value):
            return value
        if isinstance(value, (list, tuple)) or (is_array(value) and np.ndim(value)):
            raise Refusal("weight is one factor of the whole loss; weights=[...] of losses of classes has one for each")
        return rule.convert(value)

    text = f"{rule.text}, or a policy of the iteration such as LRPolicy.Linear(0.0, 1.0, 1000)"
    return Rule(text, convert, rule.good, rule.bad)


@keyword_config
class Loss(Layer):
    """weight * mean over the batch of each sample's loss times its sample weight. Derive from it to write a loss.

    Args:
        weight: factor of the loss in the objective, >= 0; or a policy, by which it changes with the iteration. Then
            evaluation and statistics leave it out.
        sample_weights: name of a blob (batch,) or (batch, 1) that multiplies each sample's loss; "" for none. The
            divisor stays the same: without ignored labels, the number of samples (and positions).

    Attributes:
        unsuited: kinds of numbers that bottoms[0] is not meant to hold ("scores", which are any numbers, "softmax",
            "sigmoid"), and what to do then; a net is built with a warning.
        reported: suffix of the statistic that reports the loss, for classes with `is_statistic`; "" for none.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (2, 2)
    n_tops: ClassVar[tuple[int, int | None]] = (0, 1)
    is_loss: ClassVar[bool] = True
    blob_fields: ClassVar[tuple[str, ...]] = ("sample_weights",)
    reported: ClassVar[str] = ""

    @property
    def unsuited(self) -> Mapping[str, str]:
        """Empty by default."""
        return {}

    name: str = option(text(), default="loss")
    weight: float = option(_factor(), default=1.0)
    sample_weights: str = option(sample_blob(), default="")

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        each = self.losses(ctx, bottoms)
        if isinstance(each, (list, tuple)):
            raise OpCallError("losses returns a list", "a value", shown(each), "return y, without brackets")
        require_value("what losses returns", each)
        losses = self.weighed(ctx, each)
        if self.reported:
            ctx.statistic(self.reported, losses if is_policy(self.weight) else ctx.scaled(losses, self.weight))
        return [ctx.loss(losses, self.weight)][: len(self.tops)]

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        """The loss of each sample, (batch,), or of each position of each sample, (batch, ...).

        Raises:
            OpTypeError: the types of the bottoms do not fit; users get a ShapeError that names the layer.
        """
        raise OpCallError("its class has no losses", "def losses(self, ctx, bottoms), which returns a value")

    def weighed(self, ctx: TraceContext, losses: Value) -> Value:
        """The losses times the sample weights; `losses` itself if there are none."""
        if not self.sample_weights:
            return losses
        if not losses.type.shape:
            raise OpCallError("sample_weights need a loss of each sample", "(batch, ...)", "one number")
        blob = of_samples(ctx, "sample_weights")
        hint = "a mask of elements multiplies both bottoms, by ElementWiseLayer; losses of classes have ignore_label"
        weights = one_each(ctx, "sample_weights", blob, like=losses, hint=hint)
        shape = losses.type.shape
        return ctx.op("mul", losses, ctx.op("broadcast", weights, shape=shape, axes=(0,), batch=weights.type.batch))


def matched(ctx: TraceContext, bottoms: tuple[Value, ...], names: tuple[str, str] = ("pred", "label")) -> list[Value]:
    """Both bottoms in the shape of the first.

    As in Mocha, only the numbers of elements must agree, so the output of an inner product (batch, 784) can be compared
    with an image (batch, 1, 28, 28). If they do not agree, Mocha reads out of bounds.

    Raises:
        OpTypeError: the bottoms differ in their number of samples or of features.
    """
    first, second = bottoms
    n, m = features(first), features(second)
    rows, other = first.type.shape[0], second.type.shape[0]
    if rows != other:
        raise OpTypeError(f"{names[0]} and {names[1]} differ in their number of samples", str(rows), str(other))
    if n != m:
        expected, got = f"{names[1]} with {n} features, as {names[0]}", f"{m}"
        raise OpTypeError(f"{names[0]} and {names[1]} differ in size", expected, got)
    same = first.type.shape == second.type.shape
    return [first, second if same else ctx.op("reshape", second, shape=first.type.shape)]


def one_each(ctx: TraceContext, name: str, x: Value, like: Value, hint: str = "") -> Value:
    """`x` as (batch,), for the samples of `like`.

    Raises:
        OpTypeError: `x` does not have one number per sample. `name` is what the message calls it.
    """
    rows = like.type.shape[0]
    if not x.type.shape or x.type.shape[0] != rows or features(x) != 1:
        hint = hint if x.type.shape[:1] == (rows,) else ""
        raise OpTypeError(f"{name} must be one number per sample", f"({rows},) or ({rows}, 1)", str(x.type.shape), hint)
    return x if len(x.type.shape) == 1 else ctx.op("reshape", x, shape=(rows,))


def per_sample(ctx: TraceContext, x: Value) -> Value:
    """The sum over all features: (batch, ...) -> (batch,)."""
    axes = tuple(range(1, len(x.type.shape)))
    return ctx.op("reduce_sum", x, axes=axes) if axes else x


def averaged(ctx: TraceContext, x: Value) -> Value:
    """The mean over all features: (batch, ...) -> (batch,)."""
    return ctx.scaled(per_sample(ctx, x), 1 / features(x))


def distance(ctx: TraceContext, squares: Value) -> Value:
    """The roots of sums of squares. Where these are 0 the gradient is 0 instead of NaN."""
    return ctx.op("sqrt", ctx.op("max", squares, ctx.constant(TINY, squares)))


def counted(ctx: TraceContext, x: Value, label: Value, ignored: int | None) -> tuple[Value, Value | None]:
    """`x`, with 0 at positions whose label is `ignored`; and a mask of the other positions (1, else 0).

    If `ignored` is None: `x` itself, and None.
    """
    if ignored is None:
        return x, None
    flat = ctx.op("reshape", label, shape=x.type.shape)
    kept, zero = ctx.op("ne", flat, ctx.constant(float(ignored), flat)), ctx.constant(0.0, x)
    return ctx.op("select", kept, x, zero), ctx.op("select", kept, ctx.constant(1.0, x), zero)


def class_indices(ctx: TraceContext, pred: Value, label: Value, axis: int | None) -> tuple[Value, int]:
    """The label, and the axis of the classes, counted from 0. The label is reshaped to extent 1 at this axis and the
    extents of the prediction elsewhere, if it differs from these by axes of extent 1, or has all positions in one axis.

    As in Mocha, (batch, 1) is then a label for (batch, classes, 1, 1), and (batch, height, width) for a map of classes.
    A label that does not fit is returned unchanged, and refused by the op.

    Args:
        axis: None for 1, as in images. In sequences, the last axis has the classes.

    Raises:
        OpTypeError: it is None, and the label fits the last axis as well.
    """
    if axis is None and _fits_last(pred.type.shape, label.type.shape):
        got, last = f"label {label.type.shape} for {pred.type.shape}", len(pred.type.shape) - 1
        expected = f"axis=1 (batch, classes, positions) or axis={last} (batch, time, classes)"
        raise OpTypeError("the classes may be along either of two axes", expected, got)
    at = ctx.axis(1 if axis is None else axis, pred)
    own = label.type.shape[1:]
    rows, rest = pred.type.shape[0], _without(pred.type.shape, at)
    reshaped = own != rest and label.type.shape[:1] == (rows,) and _holds(own, rest)
    return (ctx.op("reshape", label, shape=(rows, *rest)) if reshaped else label), at


def _fits_last(pred: tuple[int, ...], label: tuple[int, ...]) -> bool:
    """Whether a label that fits classes along axis 1 fits the last axis, too, and has no axis for axis 1."""
    if len(pred) < 3 or not 1 < pred[1] == pred[-1] or label[1:] == _without(pred, 1):
        return False
    return _holds(label[1:], _without(pred, 1)) and _holds(label[1:], _without(pred, len(pred) - 1))


def _without(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    """The extents of a sample's labels."""
    return tuple(1 if a == axis else d for a, d in enumerate(shape))[1:]


def _holds(own: tuple[int, ...], rest: tuple[int, ...]) -> bool:
    """Whether extents differ by axes of extent 1, or are all positions in one axis."""
    return [d for d in own if d != 1] == [d for d in rest if d != 1] or own == (math.prod(rest),)


def weights() -> Rule:
    """Field rule of `weights`."""
    return table("[] or an array of finite numbers >= 0", [1.0, 2.0, 0.5], low=0.0, empty=True)


def normalize() -> Rule:
    """Field rule of `normalize`."""
    return choice("local", "global", "no")


def normalization() -> Rule:
    """Field rule of `normalization`."""
    return choice("valid", "full", "batch_size")


@keyword_config
class ClassLoss(Loss):
    """A loss of predictions over classes and class indices. The losses document its fields."""

    axis: int | None = option(or_none(axis()), default=None)
    weights: Table = option(weights(), default=Table([]))
    normalize: str = option(normalize(), default="local")
    ignore_label: int | None = option(or_none(integer()), default=None)
    normalization: str = option(normalization(), default="valid")

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        pred, label = bottoms
        label, axis = class_indices(ctx, pred, label, self.axis)
        losses = self.position_losses(ctx, pred, label, axis)
        ctx.label(label, pred.type.shape[axis], self.ignore_label)
        losses = weighted(ctx, losses, pred, label, axis, self.weights, self.normalize)
        losses = self.weighed(ctx, losses)
        losses, valid = counted(ctx, losses, label, self.ignore_label)
        return [self._total(ctx, losses, valid)][: len(self.tops)]

    def _total(self, ctx: TraceContext, losses: Value, valid: Value | None) -> Value:
        """The sum of the losses of all positions, divided according to `normalization`."""
        if self.normalization == "valid":
            return ctx.loss(losses, self.weight, valid)
        if self.normalization == "full":
            return ctx.loss(losses, self.weight)
        return ctx.loss(per_sample(ctx, losses), self.weight)

    def position_losses(self, ctx: TraceContext, pred: Value, label: Value, axis: int) -> Value:
        """The loss of each position, before class weights."""
        raise NotImplementedError


def weighted(
    ctx: TraceContext, losses: Value, pred: Value, label: Value, axis: int, weights: Table, normalize: str
) -> Value:
    """The losses of all positions times the weights of their labels; `losses` itself if there are no weights.

    Raises:
        OpTypeError: the weights do not fit `pred`, or sum to 0 and are to be normalized.
    """
    if not weights:
        return losses
    values = _normalized(_fitted(weights.values, pred.type.shape, axis), pred.type.shape, axis, normalize)
    kept = _axes(values.ndim, pred.type.shape, axis)
    table = ctx.table("weights", values)
    spread = ctx.op("broadcast", table, shape=pred.type.shape, axes=kept, batch=pred.type.batch)
    return ctx.op("mul", losses, ctx.op("pick", spread, label, axis=axis))


def _fitted(values: np.ndarray, shape: tuple[int, ...], axis: int) -> np.ndarray:
    """`values` per class, per feature or per element; the latter are repeated if their batch is smaller."""
    if values.shape in ((shape[axis],), shape[1:]):
        return values
    if values.shape[1:] == shape[1:]:
        return np.take(values, np.arange(shape[0]) % len(values), axis=0)
    known = dict.fromkeys([f"({shape[axis]},)", str(shape[1:]), f"(batch, {', '.join(map(str, shape[1:]))})"])
    raise OpTypeError("weights do not fit the prediction", " or ".join(known), str(values.shape))


def _axes(ndim: int, shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    """The axes of pred to which weights with this many axes belong."""
    if ndim == len(shape):
        return tuple(range(ndim))
    return (axis,) if ndim == 1 else tuple(range(1, len(shape)))


def _normalized(values: np.ndarray, shape: tuple[int, ...], axis: int, how: str) -> np.ndarray:
    """Scale weights to mean 1 over the classes of each position (local) or over each sample (global), or not (no)."""
    if how == "no":
        return values
    kept = _axes(values.ndim, shape, axis)
    over = kept.index(axis) if how == "local" else tuple(k for k, a in enumerate(kept) if a)
    mean = values.mean(axis=over, keepdims=True)
    if not mean.all():
        what = "the classes of a position" if how == "local" else "a sample"
        raise OpTypeError(
            f"weights of {what} sum to 0", "a positive sum to divide by", "0", 'normalize="no" uses them as they are'
        )
    return values / mean


_ARRAY = table("[], a number or an array of finite numbers >= 0", [1.0, 2.0, 0.5], low=0.0, empty=True)


def _convert(value: Any) -> Table:
    number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    return _ARRAY.convert([value] if number else value)


def label_weights() -> Rule:
    """Field rule: a number for all labels, an array with one for each, or [] for none.

    >>> label_weights().convert(2), label_weights().convert([])
    (Table([2.0]), [])
    """
    return Rule(_ARRAY.text, _convert, _ARRAY.good, (-1, np.nan, *(bad for bad in _ARRAY.bad if bad != 3)))


@keyword_config
class LabelLoss(Loss):
    """A loss of labels that are independent of each other. The losses document its fields."""

    weights: Table = option(label_weights(), default=Table([]))
    pos_weight: Table = option(label_weights(), default=Table([]))

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        pred, label = matched(ctx, bottoms)
        losses = self.label_losses(ctx, pred, label)
        if self.weights:
            losses = ctx.op("mul", losses, spread(ctx, "weights", self.weights, pred, 1))
        return per_sample(ctx, losses)

    def label_losses(self, ctx: TraceContext, pred: Value, label: Value) -> Value:
        """The loss of each label, in the shape of pred."""
        raise NotImplementedError

    def positive(self, ctx: TraceContext, pred: Value) -> Value | None:
        """`pos_weight` in the shape of pred; None if there is none."""
        return spread(ctx, "pos_weight", self.pos_weight, pred, 1) if self.pos_weight else None


def spread(ctx: TraceContext, name: str, weights: Table, pred: Value, axis: int) -> Value:
    """Weights in the shape of pred: one number, one for each entry of `axis`, or one for each feature.

    Raises:
        OpTypeError: they have another shape.
    """
    values, shape = weights.values, pred.type.shape
    if values.size == 1:
        return ctx.constant(float(values.item()), pred)
    if values.shape not in (shape[axis : axis + 1], shape[1:]):
        known = " or ".join(dict.fromkeys([str(shape[axis : axis + 1]), str(shape[1:])]))
        raise OpTypeError(f"{name} do{'es' * (name == 'pos_weight')} not fit the prediction", known, str(values.shape))
    axes = (axis,) if values.ndim == 1 and shape[axis] == len(values) else tuple(range(1, len(shape)))
    return ctx.op("broadcast", ctx.table(name, values), shape=shape, axes=axes, batch=pred.type.batch)
