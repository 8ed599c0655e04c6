"""The perceptron of particle physics' HIGGS data, batch 100: five narrow layers of tanh and one logit."""

from contest.layers import Dense
from contest.task import SGD, Task

TASK = Task(
    "tabular",
    "Tabular 28-300-300-300-300-300-1, tanh, batch 100",
    batch=100,
    shape=(28,),
    layers=(*(Dense(f"ip{k}", 300, neuron="tanh") for k in range(1, 6)), Dense("ip6", 1)),
    sgd=SGD(lr=0.05, decay=1e-5),
    loss="logistic",
)
