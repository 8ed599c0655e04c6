"""PyTorch's contenders on a device: eager, torch.compile, and the whole step of either as one CUDA graph. Batches lie
on the device, float32 without TF32."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from gpu_contest.tasks import LR, MOMENTUM, Task

if not torch.cuda.is_available():
    raise ImportError(f"PyTorch {torch.__version__} sees no GPU here")


def lrn(x: torch.Tensor) -> torch.Tensor:
    return x / (1 + 5e-5 * F.avg_pool2d(x * x, 3, stride=1, padding=1)) ** 0.75


def mean_pool(x: torch.Tensor) -> torch.Tensor:
    return F.avg_pool2d(F.pad(x, (0, 1, 0, 1)), 3, stride=2)


class LeNet(nn.Module):
    def __init__(self, task: Task) -> None:
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 20, 5), nn.Conv2d(20, 50, 5)
        self.ip1, self.ip2 = nn.Linear(800, 500), nn.Linear(500, task.classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.max_pool2d(self.conv2(F.max_pool2d(self.conv1(x), 2)), 2)
        return self.ip2(F.relu(self.ip1(x.flatten(1))))


class Cifar(nn.Module):
    def __init__(self, task: Task) -> None:
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(3, 32, 5, padding=2), nn.Conv2d(32, 32, 5, padding=2)
        self.conv3, self.ip1 = nn.Conv2d(32, 64, 5, padding=2), nn.Linear(1024, task.classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = lrn(F.relu(F.max_pool2d(self.conv1(x), 3, stride=2, ceil_mode=True)))
        x = lrn(mean_pool(F.relu(self.conv2(x))))
        return self.ip1(mean_pool(F.relu(self.conv3(x))).flatten(1))


def mlp(task: Task) -> nn.Module:
    widths = (task.shape[0], *task.hidden)
    hidden = [part for a, b in pairwise(widths) for part in (nn.Linear(a, b), nn.ReLU())]
    return nn.Sequential(*hidden, nn.Linear(widths[-1], task.classes))


class Eager:
    """As one writes it, with the fused optimizer."""

    name = "PyTorch eager"

    def __init__(self, task: Task) -> None:
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
        torch.backends.cudnn.benchmark = True
        makers: dict[str, Any] = {"lenet": LeNet, "cifar": Cifar, "mlp": mlp}
        self.net = makers[task.kind](task).cuda()
        self.sgd = torch.optim.SGD(self.net.parameters(), lr=LR, momentum=MOMENTUM, fused=True)
        x, y = task.data()
        xs, ys = torch.from_numpy(x).cuda().split(task.batch), torch.from_numpy(y).cuda().split(task.batch)
        self.batches = list(zip(xs, ys, strict=True))
        self.forward: Any = self.prepared()
        self.steps(5)

    def prepared(self) -> Any:
        return self.net

    def step(self, x: torch.Tensor, y: torch.Tensor) -> None:
        self.sgd.zero_grad(set_to_none=True)
        F.cross_entropy(self.forward(x), y).backward()
        self.sgd.step()

    def steps(self, n: int) -> None:
        for k in range(n):
            self.step(*self.batches[k % len(self.batches)])
        torch.cuda.synchronize()

    def close(self) -> None:
        del self.net, self.sgd, self.batches
        torch.cuda.empty_cache()


class Compiled(Eager):
    """torch.compile, reduce-overhead: forward and backward in CUDA graphs."""

    name = "torch.compile reduce-overhead"

    def prepared(self) -> Any:
        return torch.compile(self.net, mode="reduce-overhead")


class WholeStepGraph(Eager):
    """Forward, backward and update captured once and replayed; each batch is copied to where the graph reads it."""

    name = "PyTorch whole step in a graph"

    def steps(self, n: int) -> None:
        if not hasattr(self, "graph"):
            self.capture()
        for k in range(n):
            x, y = self.batches[k % len(self.batches)]
            self.x.copy_(x)
            self.y.copy_(y)
            self.graph.replay()
        torch.cuda.synchronize()

    def capture(self) -> None:
        self.x, self.y = (t.clone() for t in self.batches[0])
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self.step(self.x, self.y)
        torch.cuda.current_stream().wait_stream(side)
        self.graph = torch.cuda.CUDAGraph()
        self.sgd.zero_grad(set_to_none=True)
        with torch.cuda.graph(self.graph):
            self.step(self.x, self.y)


class CompiledGraph(WholeStepGraph):
    """The same with torch.compile's kernels."""

    name = "torch.compile, whole step in a graph"

    def prepared(self) -> Any:
        return torch.compile(self.net)


class GraphOfSteps(WholeStepGraph):
    """A step for each batch in one graph, read where the batches lie, as mochac's graphs hold several steps."""

    name = "PyTorch, a step for every batch in a graph"

    def steps(self, n: int) -> None:
        if not hasattr(self, "several"):
            super().steps(1)
            self.several = torch.cuda.CUDAGraph()
            self.sgd.zero_grad(set_to_none=True)
            with torch.cuda.graph(self.several):
                for x, y in self.batches:
                    self.step(x, y)
        whole, rest = divmod(n, len(self.batches))
        for _ in range(whole):
            self.several.replay()
        super().steps(rest)


CONTENDERS = (Eager, Compiled, WholeStepGraph, CompiledGraph, GraphOfSteps)
