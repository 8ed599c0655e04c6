"""Nets and methods of test_stand_in_driver.py, by name; its child processes import them."""

import numpy as np
from tiny_net import tiny

import mochac
from mochac import (
    AccuracyLayer,
    ConvolutionLayer,
    DropoutLayer,
    InnerProductLayer,
    LRNLayer,
    LRNMode,
    LRPolicy,
    MemoryDataLayer,
    MomPolicy,
    Net,
    Neurons,
    Pooling,
    PoolingLayer,
    SoftmaxLossLayer,
)


def mlp() -> Net:
    rng = np.random.default_rng(8)
    x, y = rng.standard_normal((24, 7)).astype(np.float32), rng.integers(0, 3, 24)
    return Net("mlp", [
        MemoryDataLayer(name="in", data=[x, y], batch_size=5, tops=["data", "label"], shuffle=True),
        InnerProductLayer(name="a", output_dim=9, neuron=Neurons.Tanh(), bottoms=["data"]),
        DropoutLayer(name="drop", ratio=0.4, bottoms=["a"]),
        InnerProductLayer(name="b", output_dim=3, bottoms=["a"]),
        SoftmaxLossLayer(name="loss", bottoms=["b", "label"]),
    ])  # fmt: skip


def images() -> Net:
    """Mocha's CIFAR-10 net in small: both ways of pooling, normalisation, dropout."""
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((12, 3, 14, 14)).astype(np.float32), rng.integers(0, 10, 12)
    pool = {"kernel": (3, 3), "stride": (2, 2)}
    return Net("images", [
        MemoryDataLayer(name="in", data=[x, y], batch_size=6, tops=["data", "label"]),
        ConvolutionLayer(name="c1", n_filter=8, kernel=(5, 5), pad=(2, 2), bottoms=["data"], tops=["c1"]),
        PoolingLayer(name="p1", **pool, neuron=Neurons.ReLU(), bottoms=["c1"], tops=["p1"]),
        LRNLayer(name="n1", kernel=3, mode=LRNMode.WithinChannel(), bottoms=["p1"], tops=["n1"]),
        ConvolutionLayer(name="c2", n_filter=10, kernel=(3, 3), neuron=Neurons.ReLU(), bottoms=["n1"], tops=["c2"]),
        PoolingLayer(name="p2", **pool, pooling=Pooling.Mean(), bottoms=["c2"], tops=["p2"]),
        DropoutLayer(name="d", ratio=0.5, bottoms=["p2"]),
        InnerProductLayer(name="ip", output_dim=10, bottoms=["p2"], tops=["ip"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
        AccuracyLayer(name="acc", bottoms=["ip", "label"]),
    ])  # fmt: skip


SGD = mochac.SGD(lr_policy=LRPolicy.Inv(0.1, 0.1, 0.75), mom_policy=MomPolicy.Fixed(0.9))
NETS = {"tiny": (tiny, SGD), "mlp": (mlp, mochac.Adam()), "images": (images, SGD)}
