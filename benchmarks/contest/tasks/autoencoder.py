"""An auto-encoder, batch 100: sigmoids, and the squared distance of its output from its input."""

from contest.layers import Dense
from contest.task import SGD, Task

TASK = Task(
    "autoencoder",
    "Auto-encoder 784-500-250-500-784, sigmoid, batch 100",
    batch=100,
    shape=(784,),
    layers=tuple(Dense(f"ip{k}", n, neuron="sigmoid") for k, n in enumerate((500, 250, 500, 784), 1)),
    sgd=SGD(lr=0.01, decay=0.001),
    loss="square",
)
