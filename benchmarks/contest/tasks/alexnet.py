"""Caffe's AlexNet (bvlc_alexnet): the filters of three convolutions are in two groups, as on the two GPUs of 2012."""

from contest.layers import LRN, Conv, Dense, Pool
from contest.task import SGD, Task

CHANNELS = {"kernel": 5, "scale": 1e-4, "power": 0.75, "within": False}

TASK = Task(
    "alexnet",
    "AlexNet, batch 16",
    batch=16,
    shape=(3, 227, 227),
    layers=(
        Conv("conv1", 96, kernel=11, stride=4, neuron="relu"),
        LRN("norm1", **CHANNELS),
        Pool("pool1", kernel=3, stride=2),
        Conv("conv2", 256, kernel=5, pad=2, group=2, neuron="relu"),
        LRN("norm2", **CHANNELS),
        Pool("pool2", kernel=3, stride=2),
        Conv("conv3", 384, kernel=3, pad=1, neuron="relu"),
        Conv("conv4", 384, kernel=3, pad=1, group=2, neuron="relu"),
        Conv("conv5", 256, kernel=3, pad=1, group=2, neuron="relu"),
        Pool("pool5", kernel=3, stride=2),
        Dense("fc6", 4096, neuron="relu"),
        Dense("fc7", 4096, neuron="relu"),
        Dense("fc8", 1000),
    ),
    sgd=SGD(lr=0.001, decay=0.0005),
)
