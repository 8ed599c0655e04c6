"""LeNet: the net of Mocha's and Caffe's MNIST example, batch 64."""

from contest.layers import Conv, Dense, Pool
from contest.task import SGD, Task

TASK = Task(
    "lenet",
    "LeNet, batch 64",
    batch=64,
    shape=(1, 28, 28),
    layers=(
        Conv("conv1", 20, kernel=5),
        Pool("pool1", kernel=2, stride=2),
        Conv("conv2", 50, kernel=5),
        Pool("pool2", kernel=2, stride=2),
        Dense("ip1", 500, neuron="relu"),
        Dense("ip2", 10),
    ),
    sgd=SGD(lr=0.01, decay=0.001),
)
