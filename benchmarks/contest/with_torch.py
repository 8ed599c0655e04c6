"""PyTorch's contenders: eager, channels_last, and torch.compile of both the net and its loss.

contender.py finds them. All have their batches as tensors beforehand, and the fused SGD where this PyTorch has it.
"""

from __future__ import annotations

import torch
from torch import nn

from contest.task import BIAS_RATE, LR, MOMENTUM, WEIGHT_DECAY, Task, Weights


class LeNet(nn.Module):
    """The same net."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 20, 5), nn.Conv2d(20, 50, 5)
        self.ip1, self.ip2 = nn.Linear(800, 500), nn.Linear(500, 10)

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        x = nn.functional.max_pool2d(self.conv1(x), 2)
        x = nn.functional.max_pool2d(self.conv2(x), 2)
        x = self.ip2(torch.relu(self.ip1(x.flatten(1))))
        return nn.functional.cross_entropy(x, y)


class Eager:
    """As one writes it."""

    name = "PyTorch eager"
    layout = torch.contiguous_format

    def __init__(self, task: Task, threads: int, warm_up: int = 2) -> None:
        torch.set_num_threads(threads)
        self.task = task
        self.net = LeNet().to(memory_format=self.layout)  # type: ignore[call-overload]
        self.params = dict(self.net.named_parameters())
        self.sgd = _sgd(self.params)
        self.loss = self._compiled(self.net)
        self.batches = [self._tensors(k) for k in range(task.n_batches)]
        self.reset()
        self.steps(warm_up)

    def _compiled(self, net: nn.Module) -> nn.Module:
        return net

    def _tensors(self, k: int) -> tuple[torch.Tensor, torch.Tensor]:
        x, y = self.task.batch(k)
        return torch.from_numpy(x.copy()).contiguous(memory_format=self.layout), torch.from_numpy(y.copy())

    def reset(self) -> None:
        self.done = 0
        with torch.no_grad():
            for name, param in self.params.items():
                param.copy_(torch.from_numpy(self.task.weights[name]))
        for state in self.sgd.state.values():
            state["momentum_buffer"].zero_()

    def steps(self, n: int) -> None:
        for k in range(self.done, self.done + n):
            x, y = self.batches[k % len(self.batches)]
            self.sgd.zero_grad(set_to_none=True)
            self.loss(x, y).backward()
            self.sgd.step()
        self.done += n

    def weights(self) -> Weights:
        return {name: param.detach().numpy().copy() for name, param in self.params.items()}


class ChannelsLast(Eager):
    """Channels innermost, which its convolutions like best."""

    name = "PyTorch channels_last"
    layout = torch.channels_last


class Compiled(Eager):
    """torch.compile with its default mode; it needs a C++ compiler."""

    name = "torch.compile"

    def _compiled(self, net: nn.Module) -> nn.Module:
        return torch.compile(net)  # type: ignore[return-value]


class CompiledChannelsLast(Compiled):
    """torch.compile of the channels_last net."""

    name = "torch.compile channels_last"
    layout = torch.channels_last


def _sgd(params: dict[str, nn.Parameter]) -> torch.optim.SGD:
    groups = [
        {"params": [p for name, p in params.items() if name.endswith("weight")], "weight_decay": WEIGHT_DECAY},
        {"params": [p for name, p in params.items() if name.endswith("bias")], "lr": LR * BIAS_RATE},
    ]
    try:
        return torch.optim.SGD(groups, lr=LR, momentum=MOMENTUM, fused=True)
    except (RuntimeError, TypeError):
        return torch.optim.SGD(groups, lr=LR, momentum=MOMENTUM)


CONTENDERS = (Eager, ChannelsLast, Compiled, CompiledChannelsLast)
