"""An LSTM that reads 25 steps and tells ten classes apart, 512 wide, batch 64."""

from contest.layers import Dense, Recurrent
from contest.task import SGD, Task

TASK = Task(
    "lstm",
    "LSTM 512-512, 25 steps, last output to 10, batch 64",
    batch=64,
    shape=(25, 512),
    layers=(Recurrent("read", 512), Dense("out", 10)),
    sgd=SGD(lr=0.01),
)
