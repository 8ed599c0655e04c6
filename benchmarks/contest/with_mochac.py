"""mochac's two contenders: program.train() as users call it, and the native step plan alone.

contender.py finds them. The first has the reader thread that fills batches, the loop and the checks of the loss; the
second is handed finished batches, as the peers are.
"""

from __future__ import annotations

import logging

import mochac
from contest.contender import PLAN, TRAIN
from contest.task import BATCH, LR, MOMENTUM, REGU_COEF, Task, Weights
from mochac.runtime.params import Parameter


def net(task: Task) -> mochac.Net:
    """The net of the manual's first program."""
    m = mochac
    two = {"kernel": (2, 2), "stride": (2, 2)}
    layers = [
        m.MemoryDataLayer(name="data", data=[task.images, task.labels], batch_size=BATCH, tops=["data", "label"]),
        m.ConvolutionLayer(name="conv1", n_filter=20, kernel=(5, 5), bottoms=["data"], tops=["conv1"]),
        m.PoolingLayer(name="pool1", **two, bottoms=["conv1"], tops=["pool1"]),
        m.ConvolutionLayer(name="conv2", n_filter=50, kernel=(5, 5), bottoms=["pool1"], tops=["conv2"]),
        m.PoolingLayer(name="pool2", **two, bottoms=["conv2"], tops=["pool2"]),
        m.InnerProductLayer(name="ip1", output_dim=500, neuron=m.Neurons.ReLU(), bottoms=["pool2"], tops=["ip1"]),
        m.InnerProductLayer(name="ip2", output_dim=10, bottoms=["ip1"], tops=["ip2"]),
        m.SoftmaxLossLayer(name="loss", bottoms=["ip2", "label"]),
    ]
    return m.Net("LeNet", layers)


def sgd() -> mochac.SGD:
    """The task's solver."""
    return mochac.SGD(lr_policy=mochac.LRPolicy.Fixed(LR), mom_policy=mochac.MomPolicy.Fixed(MOMENTUM))


class _Trainer:
    """A compiled program, trained one step so that its step plan exists."""

    def __init__(self, task: Task, threads: int) -> None:
        logging.getLogger("mochac").setLevel(logging.WARNING)
        self.task = task
        self.program = mochac.compile(net(task), backend="cpu", threads=threads)
        self.start = self.program.cursor()
        self.program.train(sgd(), max_iter=1, regu_coef=REGU_COEF)

    def reset(self) -> None:
        for name, value in self.task.weights.items():
            self._param(name)[...] = value
        self.program.set_cursor(self.start)

    def weights(self) -> Weights:
        return {name: self._param(name)[...] for name in self.task.weights}

    def _param(self, name: str) -> Parameter:
        """Mocha calls a convolution's weights its filter."""
        layer, param = name.split(".")
        return self.program.params[layer]["filter" if layer.startswith("conv") and param == "weight" else param]


class Train(_Trainer):
    """program.train(SGD(...), max_iter=n)."""

    name = TRAIN

    def steps(self, n: int) -> None:
        self.program.train(sgd(), max_iter=n, regu_coef=REGU_COEF)


class Plan(_Trainer):
    """The step plan on batches in memory: one native call, no reader thread."""

    name = PLAN

    def __init__(self, task: Task, threads: int) -> None:
        super().__init__(task, threads)
        bound = self.program.bank.step(sgd(), REGU_COEF, None, frozenset(), ())
        values = {feed.top: feed.value for feed in bound.traced.feeds}
        labels = task.labels.astype("float32").reshape(-1, 1)
        self.feeds = [
            {values["data"]: task.batch(k)[0], values["label"]: labels[k * BATCH : (k + 1) * BATCH]}
            for k in range(task.n_batches)
        ]
        self.run = bound.runner.run
        self.reset()

    def reset(self) -> None:
        super().reset()
        self.program.bank.reset_slots()
        self.done = 0

    def steps(self, n: int) -> None:
        feeds = [self.feeds[k % len(self.feeds)] for k in range(self.done, self.done + n)]
        self.run(n, feeds, {"lr": LR, "momentum": MOMENTUM})
        self.done += n


CONTENDERS = (Plan, Train)
