"""Nets and data for tests of C libraries."""

import numpy as np

from mochac import (
    AccuracyLayer,
    ConvolutionLayer,
    DataTransformers,
    GaussianInitializer,
    InnerProductLayer,
    L2Regu,
    LRNLayer,
    LRNMode,
    MemoryDataLayer,
    Net,
    Neurons,
    Pooling,
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


def images(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    return rng.integers(0, 256, (n, 3, 32, 32)).astype(np.float32), rng.integers(0, 10, (n, 1)).astype(np.float32)


def cifar(batch: int) -> Net:
    """Caffe's full model for CIFAR-10, as in examples/cifar10, on made-up images."""
    x, y = images(5 * batch)
    lrn = {"kernel": 3, "scale": 5e-5, "power": 0.75, "mode": LRNMode.WithinChannel()}
    mean = [("data", DataTransformers.SubMean(mean_blob=np.full((3, 32, 32), 127.5)))]
    conv = {"kernel": 5, "pad": 2}
    layers = [
        MemoryDataLayer(name="d", data=[x, y], batch_size=batch, transformers=mean),
        ConvolutionLayer(
            name="conv1", n_filter=32, filter_init=GaussianInitializer(std=0.0001), bottoms=["data"], **conv
        ),
        PoolingLayer(name="pool1", kernel=3, stride=2, neuron=Neurons.ReLU(), bottoms=["conv1"]),
        LRNLayer(name="norm1", **lrn, bottoms=["pool1"]),
        ConvolutionLayer(name="conv2", n_filter=32, neuron=Neurons.ReLU(), bottoms=["norm1"], **conv),
        PoolingLayer(name="pool2", kernel=3, stride=2, pooling=Pooling.Mean(), bottoms=["conv2"]),
        LRNLayer(name="norm2", **lrn, bottoms=["pool2"]),
        ConvolutionLayer(name="conv3", n_filter=64, neuron=Neurons.ReLU(), bottoms=["norm2"], **conv),
        PoolingLayer(name="pool3", kernel=3, stride=2, pooling=Pooling.Mean(), bottoms=["conv3"]),
        InnerProductLayer(name="ip1", output_dim=10, weight_regu=L2Regu(250), bottoms=["pool3"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip1", "label"]),
    ]
    return Net("cifar", layers)
