"""A GRU of 64 that reads 100 steps of a series of eight and tells whether it will rise, batch 16."""

from contest.layers import Dense, Recurrent
from contest.task import SGD, Task

TASK = Task(
    "gru",
    "GRU 8-64, 100 steps, last output to 1, batch 16",
    batch=16,
    shape=(100, 8),
    layers=(Recurrent("read", 64, cell="gru"), Dense("out", 1)),
    sgd=SGD(lr=0.01),
    loss="logistic",
)
