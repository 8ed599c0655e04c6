"""mochac's contenders on a device: the step plan by itself, and train() with its reader threads.

rounds.py times them. A step includes the way of its batch to the device.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import mochac
from gpu_contest.tasks import LR, MOMENTUM, Task
from mochac import (
    SGD,
    ConvolutionLayer,
    InnerProductLayer,
    LRNLayer,
    LRNMode,
    LRPolicy,
    MemoryDataLayer,
    MomPolicy,
    Net,
    Neurons,
    Pooling,
    PoolingLayer,
    SoftmaxLossLayer,
)

METHOD = SGD(lr_policy=LRPolicy.Fixed(LR), mom_policy=MomPolicy.Fixed(MOMENTUM))


def net(task: Task) -> Net:
    x, y = task.data()
    data = MemoryDataLayer(name="in", data=[x, y], batch_size=task.batch, tops=["data", "label"])
    layers = {"lenet": lenet, "cifar": cifar, "mlp": mlp}[task.kind](task)
    last = layers[-1].name
    return Net(task.name, [data, *layers, SoftmaxLossLayer(name="loss", bottoms=[last, "label"])])


def lenet(task: Task) -> list[Any]:
    return [
        ConvolutionLayer(name="conv1", n_filter=20, kernel=(5, 5), bottoms=["data"]),
        PoolingLayer(name="pool1", kernel=(2, 2), stride=(2, 2), bottoms=["conv1"]),
        ConvolutionLayer(name="conv2", n_filter=50, kernel=(5, 5), bottoms=["pool1"]),
        PoolingLayer(name="pool2", kernel=(2, 2), stride=(2, 2), bottoms=["conv2"]),
        InnerProductLayer(name="ip1", output_dim=500, neuron=Neurons.ReLU(), bottoms=["pool2"]),
        InnerProductLayer(name="ip2", output_dim=task.classes, bottoms=["ip1"]),
    ]


def cifar(task: Task) -> list[Any]:
    lrn = {"kernel": 3, "scale": 5e-5, "power": 0.75, "mode": LRNMode.WithinChannel()}
    mean, relu = Pooling.Mean(), Neurons.ReLU()
    return [
        ConvolutionLayer(name="conv1", n_filter=32, kernel=5, pad=2, bottoms=["data"]),
        PoolingLayer(name="pool1", kernel=3, stride=2, neuron=relu, bottoms=["conv1"]),
        LRNLayer(name="norm1", **lrn, bottoms=["pool1"]),
        ConvolutionLayer(name="conv2", n_filter=32, kernel=5, pad=2, neuron=relu, bottoms=["norm1"]),
        PoolingLayer(name="pool2", kernel=3, stride=2, pooling=mean, bottoms=["conv2"]),
        LRNLayer(name="norm2", **lrn, bottoms=["pool2"]),
        ConvolutionLayer(name="conv3", n_filter=64, kernel=5, pad=2, neuron=relu, bottoms=["norm2"]),
        PoolingLayer(name="pool3", kernel=3, stride=2, pooling=mean, bottoms=["conv3"]),
        InnerProductLayer(name="ip1", output_dim=task.classes, bottoms=["pool3"]),
    ]


def mlp(task: Task) -> list[Any]:
    found, last = [], "data"
    for k, width in enumerate(task.hidden):
        found.append(InnerProductLayer(name=f"ip{k}", output_dim=width, neuron=Neurons.ReLU(), bottoms=[last]))
        last = f"ip{k}"
    return [*found, InnerProductLayer(name="out", output_dim=task.classes, bottoms=[last])]


class Plan:
    """The step plan on batches that lie ready in memory."""

    name, libraries = "mochac plan", False

    def __init__(self, task: Task) -> None:
        self.program = mochac.compile(net(task), backend="cuda", libraries=self.libraries)
        self.program.prepare(METHOD, regu_coef=0.0, clip_norm=None)
        self.bound = self.program._step_plan()
        x, y = task.data()
        names = {f.top: f.value for f in self.bound.traced.feeds}
        shape = {t: self.program.net.blobs[t].shape for t in names}
        split = {"data": x, "label": y.astype(np.float32)}
        self.batches = [
            {names[t]: np.ascontiguousarray(a[k : k + task.batch].reshape(shape[t])) for t, a in split.items()}
            for k in range(0, len(x), task.batch)
        ]
        self.steps(3)

    def steps(self, n: int) -> None:
        turns = [self.batches[k % len(self.batches)] for k in range(n)]
        wanted = {s.key for s in self.bound.compiled.plan.slots if s.place == "hyper"}
        hyper = {"lr": LR, "momentum": MOMENTUM, "next_momentum": MOMENTUM, "step": np.arange(n)}
        self.bound.runner.run(n, turns, {k: v for k, v in hyper.items() if k in wanted})

    def close(self) -> None:
        self.program.close()


class PlanWithLibraries(Plan):
    """With cuDNN and cuBLAS where they serve."""

    name, libraries = "mochac plan, libraries", True


class Train:
    """program.train, as a user runs it."""

    name = "mochac train()"

    def __init__(self, task: Task) -> None:
        self.program = mochac.compile(net(task), backend="cuda")
        self.steps(3)

    def steps(self, n: int) -> None:
        self.program.train(METHOD, max_iter=n, regu_coef=0.0)

    def close(self) -> None:
        self.program.close()


CONTENDERS = (Plan, PlanWithLibraries, Train)
