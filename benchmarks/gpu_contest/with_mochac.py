"""mochac's contenders on a device: steps in a row with and without libraries, with batches that travel, and train().

rounds.py times them.
"""

from __future__ import annotations

import os
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
from mochac.nets.solvers.update import Update
from mochac.training.session.training_step import TrainingStep

AT_ONCE = 512
"""Steps of one call at most."""

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


class Steps:
    """Steps in a row, every kernel generated; the data lie on the device, as the peers' do."""

    name, libraries, resident, streams = "mochac", False, True, 4

    def __init__(self, task: Task) -> None:
        os.environ["MOCHAC_RESIDENT"] = "1" if self.resident else "0"
        os.environ["MOCHAC_CUDA_STREAMS"] = str(self.streams)
        self.program = mochac.compile(net(task), backend="cuda", libraries=self.libraries)
        if self.libraries and not self.program.session.plans.backend.generator.libraries:
            raise RuntimeError("neither cuBLAS nor cuDNN is installed")
        self.program.session.batches.expect(None, None)
        self.program.session.begin(Update(METHOD, 0.0))
        self.step = TrainingStep(self.program.session)
        self.done = 0
        self.steps(3)

    def steps(self, n: int) -> None:
        end = self.done + n
        while self.done < end:
            ready = self.step.ready(min(end - self.done, AT_ONCE))
            hypers = {name: np.full(ready, value) for name, value in METHOD.hypers(self.done).items()}
            self.step.advance(ready, hypers, self.done)
            self.done += ready

    def close(self) -> None:
        self.program.close()


class WithLibraries(Steps):
    """With cuDNN and cuBLAS where they serve."""

    name, libraries = "mochac, libraries", True


class Streamed(Steps):
    """Every batch travels to the device."""

    name, resident = "mochac, batches streamed", False


class InARow(Steps):
    """Kernels of a graph follow each other."""

    name, streams = "mochac, no branches", 1


class Train:
    """program.train, as a user runs it."""

    name = "mochac train()"

    def __init__(self, task: Task) -> None:
        os.environ.update(MOCHAC_RESIDENT="1", MOCHAC_CUDA_STREAMS="4")
        self.program = mochac.compile(net(task), backend="cuda")
        self.steps(3)

    def steps(self, n: int) -> None:
        self.program.train(METHOD, max_iter=n, regu_coef=0.0, verbose=0)

    def close(self) -> None:
        self.program.close()


CONTENDERS = (Steps, WithLibraries, Streamed, InARow, Train)
