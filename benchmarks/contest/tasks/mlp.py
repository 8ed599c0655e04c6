"""A perceptron with three wide hidden layers, batch 100: little but products of matrices."""

from contest.layers import Dense
from contest.task import SGD, Task

TASK = Task(
    "mlp",
    "MLP 784-1000-1000-1000-10, sigmoid, batch 100",
    batch=100,
    shape=(784,),
    layers=(*(Dense(f"ip{k}", 1000, neuron="sigmoid") for k in (1, 2, 3)), Dense("ip4", 10)),
    sgd=SGD(lr=0.1, decay=0.001),
)
