"""Your own layers, in your own file: a maxout layer with parameters, and a loss that is robust to outliers.

    python own_layer.py
    mochac explain own_layer.py

A layer is a frozen record of checked fields and a method `emit` that returns operations. Gradients, kernels, caching
and dumps follow from the operations: you write nothing else, and register nothing.
docs/guide/own-layers.md explains every line.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

import mochac
from mochac import *
from mochac.nets.layers import (
    Initializer,
    Layer,
    OpTypeError,
    Parametric,
    features,
    instance,
    integer,
    layer,
    option,
    real,
)


@layer
class MaxoutLayer(Parametric):
    """The largest of several linear maps of the input, unit by unit: max over k of (W_k x + b_k).

    Args:
        output_dim: number of units, >= 1.
        pieces: number of linear maps a unit chooses from, >= 1.
        weight_init: of every W_k.

    Shapes: (batch, ...) -> (batch, output_dim). Source: Goodfellow et al. 2013, "Maxout Networks".
    """

    output_dim: int = option(integer(1))
    pieces: int = option(integer(1), default=2)
    weight_init: Initializer = option(
        instance(Initializer, "an initializer such as XavierInitializer()", XavierInitializer()),
        default=XavierInitializer(),
    )

    def emit(self, ctx, bottoms):
        (x,) = bottoms
        width = features(x)
        x = x.reshape(x.shape[0], width)
        best = None
        for k in range(self.pieces):
            w = ctx.param(f"weight{k}", (self.output_dim, width), self.weight_init, L2Regu(1), 1.0)
            b = ctx.param(f"bias{k}", (self.output_dim,), ConstantInitializer(0), NoRegu(), 2.0, decays=False)
            piece = ctx.op("inner_product", x, w, b)
            best = piece if best is None else np.maximum(best, piece)
        return [best]


@layer
class SmoothAbsoluteLossLayer(Layer):
    """Mean over the batch of the sum over features of sqrt(1 + (pred - label)^2) - 1: square near 0, then linear.

    Args:
        weight: factor of the loss in the objective, >= 0.

    Shapes: bottoms = [pred, label], both of the same shape.
    """

    n_bottoms: ClassVar = (2, 2)
    n_tops: ClassVar = (0, 0)
    is_loss: ClassVar = True

    weight: float = option(real(0), default=1.0)

    def emit(self, ctx, bottoms):
        pred, label = bottoms
        if pred.shape != label.shape:
            raise OpTypeError("bottoms differ in shape", str(pred.shape), str(label.shape))
        per_element = np.sqrt(1 + np.square(pred - label)) - 1
        ctx.loss(per_element.reshape(pred.shape[0], -1).sum(axis=1), self.weight)
        return []


def rings(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return points on three concentric rings, and the ring of each point."""
    rng = np.random.default_rng(0)
    ring = rng.integers(0, 3, n)
    angle, radius = rng.uniform(0, 2 * np.pi, n), ring + 1 + rng.normal(0, 0.1, n)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).astype(np.float32), ring


points, ring = rings(1000)
data = MemoryDataLayer(data=[points, ring], batch_size=50, shuffle=True)
hidden = MaxoutLayer(name="maxout", output_dim=16, pieces=4, bottoms=["data"])
out = InnerProductLayer(name="out", output_dim=3, bottoms=["maxout"])
loss = SoftmaxLossLayer(name="loss", bottoms=["out", "label"])
accuracy = AccuracyLayer(name="accuracy", bottoms=["out", "label"])
net = Net("rings", [data, hidden, out, loss, accuracy])


def classify() -> float:
    """Return the accuracy of the maxout net on the rings, which no linear classifier can separate."""
    with mochac.compile(net) as program:
        program.train(SGD(0.1, momentum=0.9), max_iter=300, regu_coef=0.0)
        return program.evaluate()["accuracy-accuracy"]


def fit_line() -> float:
    """Fit a line to points of which one in ten is an outlier, and return its slope; the true slope is 2."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(500, 1))
    y = 2 * x + rng.normal(0, 0.1, x.shape) + 30 * (rng.uniform(size=x.shape) < 0.1)
    data = MemoryDataLayer(data=[x, y], batch_size=50, shuffle=True)
    line = InnerProductLayer(name="line", output_dim=1, bottoms=["data"])
    net = Net("line", [data, line, SmoothAbsoluteLossLayer(name="loss", bottoms=["line", "label"])])
    with mochac.compile(net) as program:
        program.train(SGD(0.1), max_iter=300, regu_coef=0.0)
        return float(program.params["line"]["weight"][0, 0])


if __name__ == "__main__":
    print(mochac.check_gradients(net))
    print(f"accuracy on the rings: {classify():.1%}")
    print(f"slope: {fit_line():.2f}")
