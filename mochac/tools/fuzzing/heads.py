"""Losses of random nets: predictions of the right range, data that suits them, and every loss layer there is.

Part of Drawer.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from mochac import (
    BinaryCrossEntropyLossLayer,
    ConcatLayer,
    ContrastiveLossLayer,
    ConvolutionLayer,
    CosineLossLayer,
    ElementWiseFunctors,
    ElementWiseLayer,
    FocalLossLayer,
    GaussianKLLossLayer,
    HingeLossLayer,
    HuberLossLayer,
    Index2OnehotLayer,
    InnerProductLayer,
    L1LossLayer,
    MultinomialLogisticLossLayer,
    Neurons,
    SoftlabelSoftmaxLossLayer,
    SoftmaxLayer,
    SoftmaxLossLayer,
    SquareLossLayer,
    TripletLossLayer,
    WassersteinLossLayer,
)

Shape = tuple[int, ...]
IDENTITY = Neurons.Identity()


class HeadDrawer:
    """Draws one head after the other onto the newest blobs."""

    rng: random.Random
    numbers: np.random.Generator
    layers: list[Any]
    arrays: dict[str, np.ndarray]
    blobs: dict[str, Shape]
    trained: list[str]
    samples: int

    def settings(self, weight: str) -> dict[str, Any]:
        raise NotImplementedError

    def head(self, k: int) -> None:
        """Predictions and their loss, on one of the newest blobs."""
        bottom = self.rng.choice(list(self.blobs)[-2:])
        kinds = ["softmax_loss"] * 3 + ["multinomial", "softlabel", "onehot", "square", "square", "hinge", "bce"]
        kinds += ["kl", "wasserstein", "product", "both_halves", "distance", "distance", "focal", "smoothed"]
        kinds += ["pixels"] * 3 if len(self.blobs[bottom]) == 3 else []
        getattr(self, self.rng.choice(kinds))(k, bottom)

    def weight(self) -> float:
        return self.rng.choice((1.0, 1.0, 0.3))

    def scores(self, name: str, bottom: str, outputs: int, neuron: Any = IDENTITY) -> str:
        """An inner product of its own parameters."""
        settings = self.settings("weight")
        self.layers.append(
            InnerProductLayer(name=name, output_dim=outputs, neuron=neuron, bottoms=[bottom], **settings)
        )
        self.trained.append(name)
        return name

    def classes(self, k: int | str, shape: Shape = (1,), classes: int = 0) -> tuple[str, int]:
        """A label of class indices, and how many classes there are: as many as are wanted, or any number."""
        n, top = classes or self.rng.choice((1, 2, 3, 10)), f"label{k}"
        self.arrays[top] = self.numbers.integers(0, n, (self.samples, *shape))
        return top, n

    def uniform(self, k: int | str, outputs: int, low: float, high: float) -> str:
        self.arrays[f"target{k}"] = self.numbers.uniform(low, high, (self.samples, outputs))
        return f"target{k}"

    def shares(self, k: int, outputs: int) -> str:
        """Distributions."""
        weights = self.numbers.uniform(0.1, 1.0, (self.samples, outputs))
        self.arrays[f"dist{k}"] = weights / weights.sum(axis=1, keepdims=True)
        return f"dist{k}"

    def class_weights(self, n: int) -> dict[str, Any]:
        """None, or one per class."""
        if self.rng.random() < 0.6:
            return {}
        weights = [self.rng.choice((0.5, 1.0, 2.0)) for _ in range(n)]
        return {"weights": weights, "normalize": self.rng.choice(("local", "global", "no"))}

    def softmax_loss(self, k: int, bottom: str) -> None:
        label, n = self.classes(k)
        pred = self.scores(f"head{k}", bottom, n)
        how = self.class_weights(n)
        self.layers.append(SoftmaxLossLayer(name=f"loss{k}", weight=self.weight(), bottoms=[pred, label], **how))

    def sample_weights(self, k: int) -> dict[str, Any]:
        """None, or one for every sample."""
        return {"sample_weights": self.uniform(f"{k}w", 1, 0, 2)} if self.rng.random() < 0.5 else {}

    def smoothed(self, k: int, bottom: str) -> None:
        label, n = self.classes(k)
        how: dict[str, Any] = {
            **self.class_weights(n),
            **self.sample_weights(k),
            "label_smoothing": self.rng.choice((0.1, 0.5)),
        }
        bottoms = [self.scores(f"head{k}", bottom, n), label]
        self.layers.append(SoftmaxLossLayer(name=f"loss{k}", weight=self.weight(), bottoms=bottoms, **how))

    def focal(self, k: int, bottom: str) -> None:
        label, n = self.classes(k)
        how: dict[str, Any] = {
            **self.class_weights(n),
            **self.sample_weights(k),
            "gamma": self.rng.choice((0.0, 1.0, 2.0, 2.5)),
        }
        bottoms = [self.scores(f"head{k}", bottom, n), label]
        self.layers.append(FocalLossLayer(name=f"loss{k}", weight=self.weight(), bottoms=bottoms, **how))

    def distance(self, k: int, bottom: str) -> None:
        """How far predictions are from targets, or from each other."""
        n, how = self.rng.choice((2, 5)), self.sample_weights(k)
        bottoms = [self.scores(f"head{k}", bottom, n), self.uniform(k, n, -1, 1)]
        kind = self.rng.choice((L1LossLayer, HuberLossLayer, CosineLossLayer, TripletLossLayer, ContrastiveLossLayer))
        if kind is TripletLossLayer:
            bottoms.append(self.uniform(f"{k}far", n, -1, 1))
        if kind is ContrastiveLossLayer:
            bottoms.append(self.classes(f"{k}alike", classes=2)[0])
        if kind is CosineLossLayer and self.rng.random() < 0.5:
            self.arrays[f"sign{k}"] = self.numbers.choice((-1.0, 1.0), (self.samples, 1))
            bottoms.append(f"sign{k}")
        self.layers.append(kind(name=f"loss{k}", weight=self.weight(), bottoms=bottoms, **how))

    def pixels(self, k: int, bottom: str) -> None:
        """A class at every place of an image."""
        label, n = self.classes(k, (1, *self.blobs[bottom][1:]))
        name = f"head{k}"
        self.layers.append(ConvolutionLayer(name=name, n_filter=n, bottoms=[bottom], **self.settings("filter")))
        self.trained.append(name)
        how = self.class_weights(n)
        self.layers.append(SoftmaxLossLayer(name=f"loss{k}", weight=self.weight(), bottoms=[name, label], **how))

    def multinomial(self, k: int, bottom: str) -> None:
        label, n = self.classes(k)
        self.layers.append(SoftmaxLayer(name=f"prob{k}", bottoms=[self.scores(f"head{k}", bottom, n)]))
        how: dict[str, Any] = {"weight": self.weight(), **self.class_weights(n)}
        self.layers.append(MultinomialLogisticLossLayer(name=f"loss{k}", bottoms=[f"prob{k}", label], **how))

    def softlabel(self, k: int, bottom: str) -> None:
        n = self.rng.choice((1, 2, 5))
        bottoms = [self.scores(f"head{k}", bottom, n), self.shares(k, n)]
        self.layers.append(SoftlabelSoftmaxLossLayer(name=f"loss{k}", weight=self.weight(), bottoms=bottoms))

    def onehot(self, k: int, bottom: str) -> None:
        label, n = self.classes(k)
        self.layers.append(Index2OnehotLayer(name=f"onehot{k}", n_class=n, bottoms=[label]))
        bottoms = [self.scores(f"head{k}", bottom, n), f"onehot{k}"]
        kind = self.rng.choice((SoftlabelSoftmaxLossLayer, SquareLossLayer))
        self.layers.append(kind(name=f"loss{k}", weight=self.weight(), bottoms=bottoms))

    def square(self, k: int, bottom: str) -> None:
        n = self.rng.choice((1, 3, 7))
        bottoms = [self.scores(f"head{k}", bottom, n), self.uniform(k, n, -1, 1)]
        self.layers.append(SquareLossLayer(name=f"loss{k}", weight=self.weight(), bottoms=bottoms))

    def hinge(self, k: int, bottom: str) -> None:
        n = self.rng.choice((1, 3))
        self.arrays[f"sign{k}"] = self.numbers.choice((-1.0, 1.0), (self.samples, n))
        bottoms = [self.scores(f"head{k}", bottom, n), f"sign{k}"]
        self.layers.append(HingeLossLayer(name=f"loss{k}", weight=self.weight(), bottoms=bottoms))

    def bce(self, k: int, bottom: str) -> None:
        """Logits of any size, or probabilities that are not close to 1, since 1 - p would amplify their rounding."""
        n, logits = self.rng.choice((1, 3)), self.rng.random() < 0.5
        if not logits:
            bottom = self.scores(f"small{k}", bottom, n, Neurons.Tanh())
        pred = self.scores(f"head{k}", bottom, n, IDENTITY if logits else Neurons.Sigmoid())
        how: dict[str, Any] = {"logits": logits, "weight": self.weight(), "bottoms": [pred, self.uniform(k, n, 0, 1)]}
        self.layers.append(BinaryCrossEntropyLossLayer(name=f"loss{k}", **how))

    def kl(self, k: int, bottom: str) -> None:
        n = self.rng.choice((1, 3))
        mu, sigma = self.scores(f"mu{k}", bottom, n), self.scores(f"sigma{k}", bottom, n, Neurons.Sigmoid())
        self.layers.append(GaussianKLLossLayer(name=f"loss{k}", weight=self.weight(), bottoms=[mu, sigma]))

    def wasserstein(self, k: int, bottom: str) -> None:
        n, m = self.rng.choice((2, 3)), self.rng.choice((2, 4))
        self.layers.append(SoftmaxLayer(name=f"prob{k}", bottoms=[self.scores(f"head{k}", bottom, n)]))
        cost = self.numbers.uniform(0, 2, (n, m))
        how: dict[str, Any] = {"M": cost, "lambda_": 2.0, "sinkhorn_iter": 20, "weight": self.weight()}
        self.layers.append(WassersteinLossLayer(name=f"loss{k}", bottoms=[f"prob{k}", self.shares(k, m)], **how))

    def product(self, k: int, bottom: str) -> None:
        """A loss multiplied by another one: both have tops."""
        for side in "ab":
            bottoms = [self.scores(f"head{k}{side}", bottom, 2), self.uniform(f"{k}{side}", 2, -1, 1)]
            self.layers.append(SquareLossLayer(name=f"loss{k}{side}", bottoms=bottoms, tops=[f"value{k}{side}"]))
        times = ElementWiseFunctors.Multiply()
        self.layers.append(ElementWiseLayer(name=f"both{k}", operation=times, bottoms=[f"value{k}a", f"value{k}b"]))

    def both_halves(self, k: int, bottom: str) -> None:
        """Samples behind samples: predictions of twice the batch against targets of twice the batch."""
        pred, target = self.scores(f"head{k}", bottom, 2), self.uniform(k, 2, -1, 1)
        other = self.scores(f"other{k}", bottom, 2)
        self.layers.append(ConcatLayer(name=f"preds{k}", axis=0, bottoms=[pred, other]))
        self.layers.append(ConcatLayer(name=f"targets{k}", axis=0, bottoms=[target, target]))
        bottoms = [f"preds{k}", f"targets{k}"]
        self.layers.append(SquareLossLayer(name=f"loss{k}", weight=self.weight(), bottoms=bottoms))
