"""A perceptron so small that a step is mostly what surrounds its arithmetic, batch 32."""

from contest.layers import Dense
from contest.task import SGD, Task

TASK = Task(
    "tiny",
    "Tiny MLP 20-32-32-10, tanh, batch 32",
    batch=32,
    shape=(20,),
    layers=(Dense("ip1", 32, neuron="tanh"), Dense("ip2", 32, neuron="tanh"), Dense("ip3", 10)),
    sgd=SGD(lr=0.01, decay=0.001),
)
