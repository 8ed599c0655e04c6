"""A net small enough to read its whole dump: convolution, pooling, two inner products, a loss."""

import numpy as np

from mochac import (
    AccuracyLayer,
    ConvolutionLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    Neurons,
    PoolingLayer,
    SoftmaxLossLayer,
)

BATCH, SAMPLES, CLASSES = 4, 10, 3


def samples(seed: int = 5) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.standard_normal((SAMPLES, 1, 6, 6)).astype(np.float32), rng.integers(0, CLASSES, SAMPLES)


def layers() -> list:
    return [
        ConvolutionLayer(name="conv", n_filter=2, kernel=(3, 3), bottoms=["data"], tops=["conv"]),
        PoolingLayer(name="pool", kernel=(2, 2), stride=(2, 2), bottoms=["conv"], tops=["pool"]),
        InnerProductLayer(name="ip", output_dim=4, neuron=Neurons.ReLU(), bottoms=["pool"], tops=["ip"]),
        InnerProductLayer(name="out", output_dim=CLASSES, bottoms=["ip"], tops=["out"]),
    ]


def tiny(loss: bool = True) -> Net:
    data = MemoryDataLayer(name="in", data=samples(), batch_size=BATCH, tops=["data", "label"])
    judge = SoftmaxLossLayer if loss else AccuracyLayer
    return Net("tiny", [data, *layers(), judge(name="end", bottoms=["out", "label"])])
