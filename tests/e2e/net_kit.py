"""One small LeNet with data of its own, and what end-to-end tests do with programs.

They train it through the public API. It knows no graphs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import mochac
from mochac import (
    SGD,
    ConvolutionLayer,
    DropoutLayer,
    InnerProductLayer,
    LRPolicy,
    MemoryDataLayer,
    MomPolicy,
    Net,
    Neurons,
    PoolingLayer,
    SoftmaxLossLayer,
    Solver,
)


def digits(n: int, shape: tuple[int, ...], classes: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """n noisy pictures, one pattern a class, and their labels."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, classes, n)
    patterns = rng.standard_normal((classes, *shape))
    return patterns[labels] + 0.5 * rng.standard_normal((n, *shape)), labels


def lenet(
    data: Any = None, label: Any = None, *, batch: int = 10, side: int = 12, dropout: bool = True, seed: int = 5
) -> Net:
    """LeNet's shape on 60 pictures of `side` x `side`, with a dropout layer."""
    if data is None:
        data, label = digits(60, (1, side, side), 10, seed)
    drop = [DropoutLayer(name="drop", bottoms=["ip1"], ratio=0.4)] if dropout else []
    return Net(
        "small-lenet",
        [
            MemoryDataLayer(name="data", data=[data, label], batch_size=batch, shuffle=True),
            ConvolutionLayer(name="conv1", n_filter=6, kernel=3, bottoms=["data"], tops=["conv1"]),
            PoolingLayer(name="pool1", kernel=2, stride=2, bottoms=["conv1"], tops=["pool1"]),
            ConvolutionLayer(name="conv2", n_filter=8, kernel=2, bottoms=["pool1"], tops=["conv2"]),
            PoolingLayer(name="pool2", kernel=2, stride=2, bottoms=["conv2"], tops=["pool2"]),
            InnerProductLayer(name="ip1", output_dim=32, neuron=Neurons.ReLU(), bottoms=["pool2"], tops=["ip1"]),
            *drop,
            InnerProductLayer(name="ip2", output_dim=10, bottoms=["ip1"], tops=["ip2"]),
            SoftmaxLossLayer(name="loss", bottoms=["ip2", "label"]),
            mochac.AccuracyLayer(name="accuracy", bottoms=["ip2", "label"]),
        ],
    )


def lenet_solver(max_iter: int, **how: Any) -> Solver:
    """Mocha's settings for MNIST."""
    method = SGD(lr_policy=LRPolicy.Inv(0.01, 0.0001, 0.75), mom_policy=MomPolicy.Fixed(0.9))
    return Solver(method, max_iter=max_iter, regu_coef=0.0005, **how)


def weights(program: Any) -> dict[str, np.ndarray]:
    """Copies of all parameters."""
    return {name: array.copy() for name, array in program.parameters().items()}
