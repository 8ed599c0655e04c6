"""Losses beside PyTorch's, over random shapes and settings, with and without sample weights."""

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from torch.nn import functional
from torch_kit import compare_loss

import mochac

SEEDS = range(6)


class Case:
    """One batch: its generator, blobs of the same shape, and whether samples are weighted."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.n, self.width = int(self.rng.integers(1, 20)), int(self.rng.integers(1, 6))
        self.weighted = seed % 2 == 1

    def floats(self):
        return self.rng.standard_normal((self.n, self.width)) * 2

    def signs(self):
        return self.rng.choice([-1, 1], (self.n, 1))

    def check(self, kind, blobs, each, **fields):
        """`each` gives the losses of samples, (batch,) or (batch, features)."""
        weights = {"w": self.rng.uniform(0, 2, (self.n, 1))} if self.weighted else {}
        fields.update({"sample_weights": "w"} if weights else {})
        layer = kind(name="loss", bottoms=list(blobs), tops=["loss"], **fields)

        def theirs(tensors):
            losses = each(*tensors[: len(blobs)])
            rows = losses.reshape(self.n, -1).mean(dim=1)
            return (rows * tensors[-1][:, 0]).mean() if weights else rows.mean()

        compare_loss(layer, {**blobs, **weights}, theirs)


@pytest.mark.parametrize("seed", SEEDS)
def test_l1(seed):
    case = Case(seed)
    case.check(mochac.L1LossLayer, {"a": case.floats(), "b": case.floats()}, lambda a, b: (a - b).abs())


@pytest.mark.parametrize("seed", SEEDS)
def test_huber(seed):
    case = Case(seed)
    delta = case.rng.uniform(0.1, 3)
    each = lambda a, b: functional.huber_loss(a, b, reduction="none", delta=delta)  # noqa: E731
    case.check(mochac.HuberLossLayer, {"a": case.floats(), "b": case.floats()}, each, delta=delta)


@pytest.mark.parametrize("log", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_poisson(seed, log):
    case = Case(seed)
    pred = case.floats() if log else np.exp(case.floats())
    counts = case.rng.poisson(2.0, case.floats().shape).astype(float)

    def each(a, b):
        return functional.poisson_nll_loss(a, b, log_input=log, reduction="none")

    case.check(mochac.PoissonLossLayer, {"a": pred, "b": counts}, each, log=log)


@pytest.mark.parametrize("seed", SEEDS)
def test_softmax_loss_with_label_smoothing(seed):
    case = Case(seed)
    smoothing = case.rng.uniform(0, 1)
    label = case.rng.integers(0, case.width, (case.n, 1))

    def each(x, y):
        return functional.cross_entropy(x, y[:, 0], reduction="none", label_smoothing=smoothing)

    case.check(mochac.SoftmaxLossLayer, {"x": case.floats(), "y": label}, each, label_smoothing=smoothing)


@pytest.mark.parametrize("seed", SEEDS)
def test_focal_loss(seed):
    """torchvision's is for two classes; this is Lin et al.'s formula on PyTorch's log_softmax."""
    case = Case(seed)
    gamma = [0.0, 1.0, 2.0, 0.5, 3.5, 5.0][seed]
    case.width += 1  # with a single class, 1 - p is 0
    label = case.rng.integers(0, case.width, (case.n, 1))

    def each(x, y):
        log_p = functional.log_softmax(x, dim=1).gather(1, y)
        return -((1 - log_p.exp()) ** gamma) * log_p

    case.check(mochac.FocalLossLayer, {"x": case.floats(), "y": label}, each, gamma=gamma)


@pytest.mark.parametrize("seed", SEEDS)
def test_triplet_loss(seed):
    case = Case(seed)
    margin = case.rng.uniform(0.1, 4)

    def each(a, p, n):
        return functional.triplet_margin_loss(a, p, n, margin=margin, reduction="none")

    blobs = {"a": case.floats(), "p": case.floats(), "n": case.floats()}
    case.check(mochac.TripletLossLayer, blobs, each, margin=margin)


@pytest.mark.parametrize("seed", SEEDS)
def test_cosine_loss(seed):
    case = Case(seed)
    margin = case.rng.uniform(-1, 1)

    def each(a, b, y):
        return functional.cosine_embedding_loss(a, b, y[:, 0], margin=margin, reduction="none")

    blobs = {"a": case.floats(), "b": case.floats(), "y": case.signs()}
    case.check(mochac.CosineLossLayer, blobs, each, margin=margin)
    del blobs["y"]
    case.check(mochac.CosineLossLayer, blobs, lambda a, b: each(a, b, torch.ones(case.n, 1)))


@pytest.mark.parametrize("seed", SEEDS)
def test_contrastive_loss(seed):
    """PyTorch has none: its pieces."""
    case = Case(seed)
    margin = case.rng.uniform(0.5, 6)

    def each(a, b, y):
        d = torch.linalg.vector_norm(a - b, dim=1)
        return (y[:, 0] * d**2 + (1 - y[:, 0]) * functional.relu(margin - d) ** 2) / 2

    blobs = {"a": case.floats(), "b": case.floats(), "y": case.rng.integers(0, 2, (case.n, 1))}
    case.check(mochac.ContrastiveLossLayer, blobs, each, margin=margin)


@pytest.mark.parametrize("seed", SEEDS)
def test_weights_of_labels(seed):
    """BCEWithLogitsLoss(weight=, pos_weight=), and cross_entropy(weight=) of probabilities."""
    case = Case(seed)
    weights, positive = case.rng.uniform(0, 3, (2, case.width))
    t = torch.tensor

    def each(x, y):
        both = {"weight": t(weights), "pos_weight": t(positive)}
        return functional.binary_cross_entropy_with_logits(x, y, reduction="none", **both).sum(dim=1)

    blobs = {"x": 10 * case.floats(), "y": case.rng.uniform(0, 1, (case.n, case.width))}
    fields = {"weights": weights, "pos_weight": positive}
    case.check(mochac.BinaryCrossEntropyLossLayer, blobs, each, logits=True, **fields)
    shares = {"x": case.floats(), "q": case.rng.dirichlet(np.ones(case.width), case.n)}
    soft = lambda x, q: functional.cross_entropy(x, q.detach(), weight=t(weights), reduction="none")  # noqa: E731
    case.check(mochac.SoftlabelSoftmaxLossLayer, shares, soft, weights=weights)


@pytest.mark.parametrize("seed", SEEDS)
def test_losses_that_mocha_has_take_sample_weights(seed):
    case = Case(seed)
    blobs = {"a": case.floats(), "b": case.floats()}
    case.check(mochac.SquareLossLayer, blobs, lambda a, b: (a - b).square().sum(dim=1) / 2)
    label = {"a": case.floats(), "y": case.rng.uniform(0, 1, (case.n, case.width))}
    each = functional.binary_cross_entropy_with_logits
    case.check(
        mochac.BinaryCrossEntropyLossLayer, label, lambda a, y: each(a, y, reduction="none").sum(dim=1), logits=True
    )
