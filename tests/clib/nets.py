"""Nets and data for tests of C libraries."""

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


def digits(n: int = 128) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    return rng.normal(size=(n, 1, 28, 28)).astype(np.float32), rng.integers(0, 10, (n, 1)).astype(np.float32)


def lenet(batch: int = 16, n: int = 128) -> Net:
    x, y = digits(n)
    layers = [
        MemoryDataLayer(name="d", data=[x, y], batch_size=batch),
        ConvolutionLayer(name="conv1", n_filter=8, kernel=(5, 5), bottoms=["data"]),
        PoolingLayer(name="pool1", kernel=(2, 2), stride=(2, 2), bottoms=["conv1"]),
        ConvolutionLayer(name="conv2", n_filter=12, kernel=(5, 5), bottoms=["pool1"]),
        PoolingLayer(name="pool2", kernel=(2, 2), stride=(2, 2), bottoms=["conv2"]),
        InnerProductLayer(name="ip1", output_dim=50, neuron=Neurons.ReLU(), bottoms=["pool2"]),
        InnerProductLayer(name="ip2", output_dim=10, bottoms=["ip1"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip2", "label"]),
        AccuracyLayer(name="accuracy", bottoms=["ip2", "label"]),
    ]
    return Net("LeNet small", layers)


def rows(n: int = 96) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(n, 6)).astype(np.float32)
    return x, (x[:, :1] * x[:, 1:2] > 0).astype(np.float32)


def mlp(batch: int = 8, shuffle: bool = False, extra: tuple = (), **data) -> Net:
    x, y = rows()
    layers = [
        MemoryDataLayer(name="d", data=[x, y], batch_size=batch, shuffle=shuffle, **data),
        InnerProductLayer(name="ip1", output_dim=20, neuron=Neurons.Tanh(), bottoms=["data"]),
        *extra,
        InnerProductLayer(name="ip2", output_dim=2, bottoms=[extra[-1].tops[0] if extra else "ip1"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip2", "label"]),
        AccuracyLayer(name="accuracy", bottoms=["ip2", "label"]),
    ]
    return Net("mlp", layers)
