"""InfoNCELossLayer: each sample should be nearer to its partner than to the other samples of the batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers._losses import Loss, distance, matched, one_each, per_sample
from mochac.nets.layers.base import features, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, TWICE, Blob, Example, breaks, fits
from mochac.nets.layers.fields import boolean, option, real, text

FAR = -1e30
"""The score of a sample with itself, which takes no part in a softmax."""


@layer
class InfoNCELossLayer(Loss):
    """Cross entropy of the similarities between samples, with which a sample should find its partner in the batch.

    The similarity of two samples is the cosine of their features, divided by `temperature`. With two blobs a and b,
    such as two views of each image, or images and texts, the partner of a row of a is the same row of b. With labels,
    the partners are the other samples with the same label, whose cross entropies are averaged; a sample without a
    partner counts 0.

    Args:
        temperature: > 0; the smaller, the more the nearest samples count.
        symmetric: the mean of this loss and that of b, which looks for its partners in a. Two blobs only.
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    The samples of a batch meet, so its size belongs to the loss. Parts and ranks compare their samples with those of
    the whole batch, `accumulate` with those of each batch; the last batch of an evaluation has only what is left.

    Shapes: bottoms = [a (batch, ...), b (batch, ...)] with equal numbers of features, or [a (batch, ...), label
    (batch,) or (batch, 1)]; optional top: the loss, (). A second bottom of one number holds labels, unless a has one
    feature.
    Source: van den Oord et al. 2018 (arXiv:1807.03748); symmetric: CLIP (arXiv:2103.00020); labels: the supervised
    contrastive loss of Khosla et al. 2020 (arXiv:2004.11362).
    """

    absent: ClassVar[Mapping[str, str]] = {
        "normalize": "rows are normalised: a loss of your own may use other similarities",
        "base_temperature": "it is the temperature: weight=temperature / base_temperature",
    }
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), (3,), temperature=0.7),
        fits((2, 2), (4,), symmetric=True, weight=0.3, tops=["value"]),
        fits((3,), (3,), Blob((1,), 0.0, 2.0), bottoms=["b0", "b1"], sample_weights="b2"),
        fits((3,), Blob((1,), classes=2), temperature=0.5),
        breaks("a and b differ in size", (3,), (4,)),
        breaks("symmetric is of two blobs", (3,), Blob((1,), classes=2), symmetric=True),
        breaks("no samples", (3,), LOSS),
        breaks("differ in their number of samples", (3,), (3,), near=TWICE, bottoms=["twice", "b1"]),
    )

    name: str = option(text(), default="info-nce-loss")
    temperature: float = option(real(above=0), default=0.1)
    symmetric: bool = option(boolean(), default=False)

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        first, second = bottoms
        if features(second) == 1 < features(first):
            return self._supervised(ctx, _directions(ctx, first), second)
        a, b = (_directions(ctx, x) for x in matched(ctx, bottoms, names=("a", "b")))
        partners = ctx.op("cast", ctx.eye(), dtype=ctx.dtype)
        losses = _cross_entropy(ctx, self._scores(ctx, a, b), partners)
        if not self.symmetric:
            return losses
        return ctx.scaled(ctx.op("add", losses, _cross_entropy(ctx, self._scores(ctx, b, a), partners)), 0.5)

    def _supervised(self, ctx: TraceContext, a: Value, label: Value) -> Value:
        if self.symmetric:
            raise OpTypeError("symmetric is of two blobs", "symmetric=False with labels", "symmetric=True")
        own = one_each(ctx, "label", label, like=a)
        shape = (ctx.batch, ctx.batch)
        row = ctx.op("broadcast", own, shape=shape, axes=(0,), batch=True)
        column = ctx.op("broadcast", ctx.all_samples(own), shape=shape, axes=(1,), batch=True)
        itself = ctx.eye()
        scores = self._scores(ctx, a, a)
        scores = ctx.op("select", itself, ctx.constant(FAR, scores), scores)
        partners = ctx.op("cast", ctx.op("and", ctx.op("eq", row, column), ctx.op("not", itself)), dtype=ctx.dtype)
        count = ctx.op("reduce_sum", partners, axes=(1,))
        count = ctx.op("max", count, ctx.constant(1.0, count))
        share = ctx.op("div", partners, ctx.op("broadcast", count, shape=shape, axes=(0,), batch=True))
        return _cross_entropy(ctx, scores, share)

    def _scores(self, ctx: TraceContext, a: Value, b: Value) -> Value:
        """The similarities of a sample with all samples of b, (batch, batch)."""
        return ctx.scaled(ctx.op("einsum", a, ctx.all_samples(b), spec="nk,mk->nm"), 1 / self.temperature)


def _directions(ctx: TraceContext, x: Value) -> Value:
    """The features of each sample as a vector of length 1."""
    if not x.type.batch:
        raise OpTypeError("a bottom has no samples", "(batch, ...)", str(x.type.shape))
    flat = ctx.op("reshape", x, shape=(x.type.shape[0], features(x)))
    length = distance(ctx, per_sample(ctx, ctx.op("square", flat)))
    return ctx.op("div", flat, ctx.op("broadcast", length, shape=flat.type.shape, axes=(0,), batch=True))


def _cross_entropy(ctx: TraceContext, scores: Value, partners: Value) -> Value:
    return ctx.ops("softlabel_softmax_loss", scores, partners, axis=1)[0]
