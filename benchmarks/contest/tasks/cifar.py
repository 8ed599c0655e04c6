"""Caffe's full CIFAR-10 model, batch 100, with Mocha's settings: examples/cifar10/cifar10.py."""

from contest.layers import LRN, Conv, Dense, Pool
from contest.task import SGD, Task

WINDOW = {"kernel": 3, "scale": 5e-5, "power": 0.75}

TASK = Task(
    "cifar",
    "CIFAR-10 full, batch 100",
    batch=100,
    shape=(3, 32, 32),
    layers=(
        Conv("conv1", 32, kernel=5, pad=2),
        Pool("pool1", kernel=3, stride=2, neuron="relu"),
        LRN("norm1", **WINDOW),
        Conv("conv2", 32, kernel=5, pad=2, neuron="relu"),
        Pool("pool2", kernel=3, stride=2, how="mean"),
        LRN("norm2", **WINDOW),
        Conv("conv3", 64, kernel=5, pad=2, neuron="relu"),
        Pool("pool3", kernel=3, stride=2, how="mean"),
        Dense("ip1", 10, decay=250),
    ),
    sgd=SGD(lr=0.001, decay=0.008),
)
