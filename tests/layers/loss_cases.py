"""Random cases of every loss: the layer, what it is fed, and what its formula says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from layers import loss_formulas as formula

from mochac import (
    BinaryCrossEntropyLossLayer,
    ContrastiveLossLayer,
    CosineLossLayer,
    FocalLossLayer,
    GaussianKLLossLayer,
    HingeLossLayer,
    HuberLossLayer,
    InfoNCELossLayer,
    L1LossLayer,
    Layer,
    MulticlassHingeLossLayer,
    MultinomialLogisticLossLayer,
    PoissonLossLayer,
    QuantileLossLayer,
    SoftlabelSoftmaxLossLayer,
    SoftmaxLossLayer,
    SquareLossLayer,
    TripletLossLayer,
    WassersteinLossLayer,
)

SHAPES = [(5, 3), (1, 1), (17, 4), (3, 4, 5), (6, 3, 2, 4), (2, 2, 3, 2, 3)]
COMMON = {"bottoms": ["pred", "label"], "tops": ["loss"]}


@dataclass
class Case:
    """One loss on one batch. `expected` gives (value, gradient to pred, gradient to label) of any such batch; `more`
    are its further bottoms, by name, which `expected` takes too where they are of another batch."""

    name: str
    layer: Layer
    pred: np.ndarray
    label: np.ndarray
    expected: Callable
    more: dict[str, np.ndarray] = field(default_factory=dict)


def elementwise(rng, shape, weight):
    """Losses that compare element by element; the label may have another shape of that size."""
    flat = (shape[0], int(np.prod(shape[1:])))
    x, p = rng.normal(size=shape) * 2, rng.uniform(0.02, 0.98, shape)
    yield Case("square", SquareLossLayer(**COMMON, weight=weight), x, rng.normal(size=flat), formula.square)
    signs = rng.choice([-1.0, 1.0], shape)
    yield Case("hinge", HingeLossLayer(**COMMON, weight=weight), x, signs, formula.hinge)
    y = rng.uniform(0, 1, flat)
    bce = BinaryCrossEntropyLossLayer(**COMMON, weight=weight)
    yield Case("binary_cross_entropy", bce, p, y, formula.binary_cross_entropy)
    logits = BinaryCrossEntropyLossLayer(**COMMON, weight=weight, logits=True)
    yield Case("logits", logits, 10 * x, y, formula.logits_cross_entropy)
    for weights, positive in _label_weights(rng, shape):
        fields, known = {"weights": weights, "pos_weight": positive}, {"weights": weights, "positive": positive}
        weighed = HingeLossLayer(**COMMON, weight=weight, **fields)
        yield Case("hinge_weighed", weighed, x, signs, _with(formula.hinge, known))
        weighed = BinaryCrossEntropyLossLayer(**COMMON, weight=weight, **fields)
        yield Case("binary_cross_entropy_weighed", weighed, p, y, _with(formula.binary_cross_entropy, known))
        weighed = BinaryCrossEntropyLossLayer(**COMMON, weight=weight, logits=True, **fields)
        yield Case("logits_weighed", weighed, 10 * x, y, _with(formula.logits_cross_entropy, known))
    kl = GaussianKLLossLayer(**COMMON, weight=weight)
    yield Case("gaussian_kl", kl, x, rng.uniform(0.1, 3, shape), formula.gaussian_kl)


def _label_weights(rng, shape):
    """weights and pos_weight: numbers, one per channel, one per feature."""
    channels, features = (rng.uniform(0.2, 3, s) for s in (shape[1:2], shape[1:]))
    channels[0] = 0
    return [(float(rng.uniform(0.2, 3)), channels), (features, float(rng.uniform(0.2, 3))), (channels, features)]


def distances(rng, shape, weight):
    """Losses of how far two or three blobs are apart."""
    a, b, c = (rng.normal(size=s) for s in (shape, (shape[0], int(np.prod(shape[1:]))), shape))
    yield Case("l1", L1LossLayer(**COMMON, weight=weight), a, b, formula.l1)
    delta = float(rng.uniform(0.2, 1.5))
    yield Case(
        "huber", HuberLossLayer(**COMMON, weight=weight, delta=delta), a, b, _with(formula.huber, {"delta": delta})
    )
    share = float(rng.uniform(0.05, 0.95))
    quantile = QuantileLossLayer(**COMMON, weight=weight, quantile=share)
    yield Case("quantile", quantile, a, b, _with(formula.quantile, {"share": share}))
    counts = rng.poisson(2.0, b.shape).astype(float)
    yield Case("poisson", PoissonLossLayer(**COMMON, weight=weight), a, counts, formula.poisson)
    means = PoissonLossLayer(**COMMON, weight=weight, log=False)
    yield Case("poisson_means", means, np.exp(a), counts, formula.poisson_means)
    if b.shape[1] > 1:
        yield Case("cosine", CosineLossLayer(**COMMON, weight=weight), a, b, formula.cosine)
        for how in ({"temperature": 0.5}, {"temperature": 0.2, "symmetric": True}):
            layer = InfoNCELossLayer(**COMMON, weight=weight, **how)
            yield Case(f"info_nce{len(how)}", layer, a, b, _with(formula.info_nce, how))
        label = rng.integers(0, 1 + shape[0] // 2, (shape[0], 1)).astype(float)
        layer, known = InfoNCELossLayer(**COMMON, weight=weight, temperature=0.5), {"temperature": 0.5}
        yield Case("supervised", layer, a, label, _with(formula.supervised, known))
    three = {"bottoms": ["pred", "label", "third"], "tops": ["loss"], "weight": weight}
    y, margin = rng.integers(0, 2, (shape[0], 1)).astype(float), float(rng.uniform(1, 2) * np.sqrt(b.shape[1]))
    for legacy in (False, True):
        layer = ContrastiveLossLayer(**three, margin=margin, legacy=legacy)
        known = {"margin": margin, "legacy": legacy}
        expected = _of_three(formula.contrastive, "similar", y, known)
        yield Case(f"contrastive_{legacy}", layer, a, b, expected, {"third": y})
    layer = TripletLossLayer(**three, margin=margin)
    yield Case("triplet", layer, a, b, _of_three(formula.triplet, "far", c, {"margin": margin}), {"third": c})


def multinomial(rng, shape, weight):
    """Losses over classes, along a random axis, with weights of a random shape under a random rule."""
    axis = int(rng.integers(1, len(shape)))
    classes, rows = shape[axis], tuple(1 if a == axis else d for a, d in enumerate(shape))
    label = rng.integers(0, classes, rows).astype(float)
    how = ["local", "global", "no"][rng.integers(3)]
    weights = [[], rng.uniform(0.2, 2, classes), rng.uniform(0.2, 2, shape[1:]), rng.uniform(0.2, 2, shape)]
    options = {"axis": axis if rng.integers(2) else axis - len(shape), "weight": weight}
    x = rng.normal(size=shape) * 3
    for given in weights:
        fields = {**options, "weights": given, "normalize": how}
        known = {"axis": axis, "weights": given, "normalize": how}
        yield Case("softmax", SoftmaxLossLayer(**COMMON, **fields), x, label, _with(formula.softmax_loss, known))
        layer = MultinomialLogisticLossLayer(**COMMON, **fields)
        yield Case("multinomial", layer, rng.uniform(0.01, 1, shape), label, _with(formula.multinomial, known))
    smooth = SoftmaxLossLayer(**COMMON, **options, label_smoothing=0.2)
    yield Case("smoothed", smooth, x, label, _with(formula.softmax_loss, {"axis": axis, "smoothing": 0.2}))
    for gamma in (0.5, 2.0, 3.5):
        layer = FocalLossLayer(**COMMON, **options, gamma=gamma)
        yield Case(f"focal_{gamma}", layer, x, label, _with(formula.focal, {"axis": axis, "gamma": gamma}))
    soft = SoftlabelSoftmaxLossLayer(**COMMON, **options)
    yield Case("softlabel", soft, x, rng.uniform(0, 1, shape), _with(formula.softlabel_softmax, {"axis": axis}))
    given = {"weights": rng.uniform(0.2, 2, classes)}
    soft = SoftlabelSoftmaxLossLayer(**COMMON, **options, **given)
    expected = _with(formula.softlabel_softmax, {"axis": axis, **given})
    yield Case("softlabel_weighed", soft, x, rng.uniform(0, 1, shape), expected)
    for norm in ("L1", "L2"):
        hinge = MulticlassHingeLossLayer(**COMMON, **options, norm=norm)
        yield Case(f"hinges_{norm}", hinge, x, label, _with(formula.multiclass_hinge, {"axis": axis, "norm": norm}))


def partly_ignored(rng, shape, weight):
    """Losses over the classes of axis 1, some of whose labels count for nothing: 255, -1, or one of the classes."""
    classes, rows = shape[1], (shape[0], 1, *shape[2:])
    x, label = rng.normal(size=shape) * 3, rng.integers(0, classes, rows).astype(float)
    for normalization, ignored in (("full", 0), ("batch_size", -1), ("valid", 0), ("valid", 255)):
        labels = np.where(rng.uniform(size=rows) < 0.4, ignored, label)
        known = {"ignored": ignored, "normalization": normalization}
        fields = {**COMMON, "weight": weight, "ignore_label": ignored, "normalization": normalization}
        yield Case("softmax", SoftmaxLossLayer(**fields), x, labels, _with(formula.softmax_loss, known))
    weights = rng.uniform(0.2, 2, classes)
    known = {"ignored": 0, "normalization": "valid", "weights": weights}
    layer = MultinomialLogisticLossLayer(**COMMON, weight=weight, ignore_label=0, weights=weights)
    yield Case("multinomial", layer, rng.uniform(0.01, 1, shape), label, _with(formula.multinomial, known))
    hinge = MulticlassHingeLossLayer(**COMMON, weight=weight, ignore_label=255, norm="L2")
    known = {"ignored": 255, "norm": "L2"}
    yield Case("hinges_L2", hinge, x, labels, _with(formula.multiclass_hinge, known))


def _with(function, options):
    return lambda p, y, weight=1.0: function(p, y, weight=weight, **options)


def _of_three(function, name, given, options):
    return lambda p, y, weight=1.0, third=given: function(p, y, weight=weight, **{name: third}, **options)


def transport(rng, shape, weight):
    """Wasserstein with as many iterations as converge."""
    width = int(rng.integers(1, 7))
    features = int(np.prod(shape[1:]))
    a = rng.dirichlet(np.ones(features) * 3, shape[0]).reshape(shape)
    b = rng.dirichlet(np.ones(width) * 3, shape[0])
    cost, lam = rng.uniform(0, 1, (features, width)), float(rng.uniform(1, 6))
    layer = WassersteinLossLayer(**COMMON, M=cost, lambda_=lam, sinkhorn_iter=200, weight=weight)
    yield Case(
        "wasserstein", layer, a, b, lambda p, y, weight=1.0: formula.wasserstein(p, y, cost, lam, 200, weight)[:3]
    )


def cases(rng: np.random.Generator, shape: tuple[int, ...], weight: float) -> list[Case]:
    """All losses on batches of one shape."""
    makers = elementwise, distances, multinomial, partly_ignored, transport
    return [case for make in makers for case in make(rng, shape, weight)]
