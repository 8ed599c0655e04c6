"""Losses of embeddings: distances between samples, and transport between batches.

WassersteinLossLayer is the cost of transporting the predicted distribution to that of the label, with entropy
smoothing. The op sinkhorn computes the dual potentials. The objective is linear in the distributions, so autodiff
derives its gradient.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from mochac.base.records import option
from mochac.base.rules import boolean, integer, real, text
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers._losses import Loss, distance, matched, one_each, per_sample
from mochac.nets.layers.base import features, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, TWICE, Blob, Example, breaks, fits
from mochac.nets.layers.fields import Table, table


@layer
class ContrastiveLossLayer(Loss):
    """weight * mean over the batch of y d^2 / 2 + (1 - y) max(0, margin - d)^2 / 2, where d = |a - b|.

    Args:
        margin: > 0; dissimilar pairs farther apart do not count.
        legacy: (1 - y) max(0, margin - d^2) / 2 instead, Caffe's legacy_version.
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [a (batch, ...), b (batch, ...), y (batch,)]; a and b have equal numbers of features; y is 1 for
    similar pairs and 0 for others; optional top: the loss, ().
    Gradient to a, its opposite to b: weight / batch * (a - b) * (y - (1 - y) max(0, margin - d) / d), 0 where a = b.
    Source: Hadsell et al. 2006; Caffe's src/caffe/layers/contrastive_loss_layer.cpp.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (3, 3)
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), (3,), Blob((1,), classes=2)),
        fits((2, 2), (4,), Blob((1,), 0.0, 1.0), margin=3.0, weight=0.3, tops=["value"]),
        fits((3,), (3,), Blob((1,), classes=2), legacy=True, margin=9.0),
        fits(
            (3,), (3,), Blob((1,), classes=2), Blob((1,), 0.0, 2.0),
            bottoms=["b0", "b1", "b2"], sample_weights="b3",
        ),
        breaks("a and b differ in size", (3,), (4,), Blob((1,), classes=2)),
        breaks("y must be one number per sample", (3,), (3,), Blob((2,), classes=2)),
        breaks("no samples", (1,), LOSS, (1,)),
        breaks("differ in their number of samples", (3,), (3,), (1,), near=TWICE, bottoms=["twice", "b1", "b2"]),
    )  # fmt: skip

    name: str = option(text(), default="contrastive-loss")
    margin: float = option(real(above=0), default=1.0)
    legacy: bool = option(boolean(), default=False)

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        a, b = matched(ctx, bottoms[:2], names=("a", "b"))
        ctx.target(bottoms[2], "probability")
        squares = per_sample(ctx, ctx.op("square", ctx.op("sub", a, b)))
        similar = one_each(ctx, "y", bottoms[2], like=squares)
        margin = ctx.constant(self.margin, squares)
        if self.legacy:
            short = ctx.op("relu", ctx.op("sub", margin, squares))
        else:
            short = ctx.op("square", ctx.op("relu", ctx.op("sub", margin, distance(ctx, squares))))
        others = ctx.op("mul", ctx.op("sub", ctx.constant(1.0, similar), similar), short)
        return ctx.scaled(ctx.op("add", ctx.op("mul", similar, squares), others), 0.5)


SHIFT = 1e-6
"""PyTorch's eps, which is added to every difference."""


@layer
class TripletLossLayer(Loss):
    """weight * mean over the batch of max(0, |anchor - positive| - |anchor - negative| + margin).

    Args:
        margin: > 0.
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [anchor (batch, ...), positive (batch, ...), negative (batch, ...)] with equal numbers of
    features; optional top: the loss, ().
    Gradient where the loss is positive, with the unit vectors u from positive and v from negative to anchor: weight /
    batch * (u - v) to anchor, -u to positive, v to negative. Source: Schroff et al. 2015 (arXiv:1503.03832); PyTorch's
    TripletMarginLoss, whose 1e-6 is added to every difference here too.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (3, 3)
    absent: ClassVar[Mapping[str, str]] = {"p": "the distance is Euclidean, PyTorch's p=2"}
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), (3,), (3,), margin=2.0),
        fits((2, 2), (4,), Blob((4,), learned=False), margin=5, weight=0.3, tops=["value"]),
        fits((3,), (3,), (3,), Blob((1,), 0.0, 2.0), margin=3, bottoms=["b0", "b1", "b2"], sample_weights="b3"),
        breaks("anchor and positive differ in size", (3,), (4,), (3,)),
        breaks("anchor and negative differ in size", (3,), (3,), (4,)),
        breaks("no samples", (1,), (1,), LOSS),
        breaks("differ in their number of samples", (3,), (3,), (3,), near=TWICE, bottoms=["twice", "b1", "b2"]),
    )

    name: str = option(text(), default="triplet-loss")
    margin: float = option(real(above=0), default=1.0)

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        anchor, positive, negative = bottoms
        near = self._distance(ctx, anchor, positive, "positive")
        far = self._distance(ctx, anchor, negative, "negative")
        return ctx.op("relu", ctx.op("add", ctx.op("sub", near, far), ctx.constant(self.margin, near)))

    def _distance(self, ctx: TraceContext, anchor: Value, other: Value, name: str) -> Value:
        a, b = matched(ctx, (anchor, other), names=("anchor", name))
        shifted = ctx.op("add", ctx.op("sub", a, b), ctx.constant(SHIFT, a))
        return distance(ctx, per_sample(ctx, ctx.op("square", shifted)))


EPSILON = 1e-12
"""PyTorch's epsilon, which is added to squared lengths."""


@layer
class CosineLossLayer(Loss):
    """weight * mean over the batch of 1 - cos(a, b), or of max(0, cos(a, b) - margin) for pairs with y = -1.

    cos(a, b) = <a, b> / sqrt((|a|^2 + 1e-12) (|b|^2 + 1e-12)), over all features of a sample.

    Args:
        margin: of pairs with y = -1; -1 to 1.
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [a (batch, ...), b (batch, ...)] with equal numbers of features, and optionally y (batch,), 1 or
    -1; optional top: the loss, ().
    Gradient: weight / batch * (cos a / |a|^2 - b / |a| / |b|) to a, and likewise to b; for y = -1 its opposite, 0 below
    the margin. Source: PyTorch's CosineEmbeddingLoss; without y, 1 + Keras's CosineSimilarity.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (2, 3)
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), (3,)),
        fits((2, 2), (4,), Blob((1,), signs=True), margin=-0.9, weight=0.3, tops=["value"]),
        fits((3,), (3,), Blob((1,), 0.0, 2.0), bottoms=["b0", "b1"], sample_weights="b2"),
        breaks("a and b differ in size", (3,), (4,)),
        breaks("y must be one number per sample", (3,), (3,), Blob((2,), signs=True)),
        breaks("no samples", (1,), LOSS),
        breaks("differ in their number of samples", (3,), (3,), near=TWICE, bottoms=["twice", "b1"]),
    )

    name: str = option(text(), default="cosine-loss")
    margin: float = option(real(-1, most=1), default=0.0)

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        a, b = matched(ctx, bottoms[:2], names=("a", "b"))
        inner = per_sample(ctx, ctx.op("mul", a, b))
        lengths = ctx.op("mul", self._square(ctx, a), self._square(ctx, b))
        cosine = ctx.op("div", inner, ctx.op("sqrt", lengths))
        similar = ctx.op("sub", ctx.constant(1.0, cosine), cosine)
        if len(bottoms) == 2:
            return similar
        ctx.target(bottoms[2], "sign")
        y = one_each(ctx, "y", bottoms[2], like=cosine)
        unlike = ctx.op("relu", ctx.op("sub", cosine, ctx.constant(self.margin, cosine)))
        return ctx.op("select", ctx.op("gt", y, ctx.constant(0.0, y)), similar, unlike)

    def _square(self, ctx: TraceContext, x: Value) -> Value:
        """The squared length of each sample."""
        squares = per_sample(ctx, ctx.op("square", x))
        return ctx.op("add", squares, ctx.constant(EPSILON, squares))


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


@layer
class WassersteinLossLayer(Loss):
    """weight * min over T of <T, M> + 1/lambda_ * sum of T log(T), mean over the batch; T moves pred to label.

    T >= 0 has row sums pred and column sums label. Sinkhorn's iteration u = pred / (K v), v = label / (K' u) with
    K = exp(-lambda_ M) is computed in logarithms, starting from u = 1 / features. The loss is the dual objective
    (<pred, log u> + <label, log v>) / lambda_, which equals the minimum when the iteration has converged.

    Args:
        M: cost of moving a unit from a feature of pred (row) to a feature of the label (column), finite.
        lambda_: > 0, Mocha's `lambda`. The larger it is, the closer the loss is to <T, M>, and the slower it converges.
        sinkhorn_iter: iterations, >= 1.
        weight: factor of the loss in the objective, >= 0.
        sample_weights: a blob (batch,) that multiplies each sample's loss; "" for none. The divisor stays the same.

    Shapes: bottoms = [pred (batch, ...), label (batch, ...)], flattened; both are distributions: elements >= 0 with
    sum 1 per sample (as after SoftmaxLayer); optional top: the loss, ().
    Statistic: `<name>-transport-cost`, the mean of <T, M>, which Mocha reports as the loss.
    Gradient: weight / batch * log(u) / lambda_ to pred (by the envelope theorem, up to a constant per sample), none to
    the label. In logarithms zeros are replaced by 1e-20.
    Source: Mocha.jl src/layers/wasserstein-loss.jl; Frogner et al. 2015 (arXiv:1506.05439); Cuturi 2013
    (arXiv:1306.0895).
    """

    is_statistic: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits(
            Blob((2,), sum_over=1),
            Blob((2,), sum_over=1, learned=False),
            M=[[0, 1], [1, 0]],
            lambda_=2.0,
            sinkhorn_iter=200,
        ),
        fits(
            Blob((3,), sum_over=1),
            Blob((1, 2), sum_over=2, learned=False),
            M=[[0, 1], [1, 0], [2, 1]],
            lambda_=3,
            sinkhorn_iter=200,
            weight=0.3,
        ),
        breaks("M needs a row per feature of pred", (3,), (2,), M=[[0, 1], [1, 0]], lambda_=1),
        breaks("no samples", LOSS, (1,), M=[[1]], lambda_=1),
    )

    name: str = option(text(), default="wasserstein-loss")
    M: Table = option(table("a matrix of finite numbers", [[0.0, 1.0], [1.0, 0.0]], dims=2))
    lambda_: float = option(real(above=0))
    sinkhorn_iter: int = option(integer(1), default=50)

    def losses(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Value:
        pred, label = (ctx.op("reshape", x, shape=(*x.type.shape[:1], features(x))) for x in bottoms)
        if self.M.shape != (features(pred), features(label)):
            rule = "M needs a row per feature of pred and a column per feature of the label"
            raise OpTypeError(rule, f"({features(pred)}, {features(label)})", str(self.M.shape))
        ctx.target(bottoms[1], "distribution")
        label = ctx.op("stop_gradient", label)
        cost = ctx.table("M", self.M.values)
        *potentials, moved = ctx.ops("sinkhorn", pred, label, cost, lam=self.lambda_, iterations=self.sinkhorn_iter)
        parts = [
            per_sample(ctx, ctx.op("mul", x, ctx.op("stop_gradient", p)))
            for x, p in zip((pred, label), potentials, strict=True)
        ]
        ctx.statistic("transport-cost", moved)
        return ctx.op("add", *parts)
