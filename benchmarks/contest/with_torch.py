"""PyTorch's contenders: eager, channels_last, and torch.compile of both the net and its loss.

contender.py finds them. All have their batches as tensors beforehand; training uses the fused SGD where this PyTorch
has it, prediction eval() and inference_mode().
"""

from __future__ import annotations

from math import prod
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from contest.layers import (
    IMAGE,
    LRN,
    Add,
    Attend,
    Conv,
    Dense,
    Embed,
    Layer,
    Norm,
    Pool,
    Recurrent,
    RowNorm,
    Rows,
    Shape,
)
from contest.task import SGD, Arrays, Data, Task

NEURONS = {"relu": torch.relu, "sigmoid": torch.sigmoid, "tanh": torch.tanh, "gelu": F.gelu}


class Net(nn.Module):
    """The task's layers one after the other; with labels the loss, without them the last layer's output."""

    def __init__(self, task: Task) -> None:
        super().__init__()
        self.parts, self.loss = task.layers, task.loss
        self.shortcuts = {part.other for part in task.layers if isinstance(part, Add)}
        for part, x in zip(task.layers, task.shapes, strict=False):
            if (made := _module(part, x)) is not None:
                self.add_module(part.name, made)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        kept: dict[str, torch.Tensor] = {}
        for part in self.parts:
            x = x + _short(kept[part.other], x) if isinstance(part, Add) else self._through(part, x)
            if neuron := getattr(part, "neuron", ""):
                x = NEURONS[neuron](x)
            if part.name in self.shortcuts:
                kept[part.name] = x
        return x

    def _through(self, part: Layer, x: torch.Tensor) -> torch.Tensor:
        match part:
            case Rows() if part.tied:
                return F.linear(x, getattr(self, part.tied).weight)
            case Conv() | Norm() | Rows() | RowNorm() | Embed():
                return getattr(self, part.name)(x)
            case Dense():
                return getattr(self, part.name)(x.flatten(1))
            case Recurrent():
                return getattr(self, part.name)(x)[0][:, -1]
            case Attend():
                return _attend(x, part.heads)
            case Pool() if part.how == "max":
                return F.max_pool2d(x, part.kernel, part.stride, ceil_mode=True)
            case Pool():
                return F.avg_pool2d(x, part.kernel, part.stride, ceil_mode=True, divisor_override=part.kernel**2)
            case LRN() if part.within:
                mean = F.avg_pool2d(x * x, part.kernel, stride=1, padding=part.kernel // 2)
                return x / (1 + part.scale * mean) ** part.power
            case LRN():
                return F.local_response_norm(x, part.kernel, part.scale, part.power)
        raise TypeError(part)


class PixelNorm(nn.LayerNorm):
    """Of the channels of every pixel."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class Vectors(nn.Module):
    """The vectors of ids, and of their places."""

    def __init__(self, vocabulary: int, places: int, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(vocabulary, width))
        self.bias = nn.Parameter(torch.empty(places, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.embedding(x, self.weight) + self.bias


def _attend(x: torch.Tensor, heads: int) -> torch.Tensor:
    batch, time, width = x.shape
    q, k, v = (p.view(batch, time, heads, -1).transpose(1, 2) for p in x.split(width // 3, dim=2))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(batch, time, -1)


class WithLoss(nn.Module):
    """What a training step differentiates; `rounded`: with CPU autocast to bfloat16."""

    def __init__(self, net: Net, rounded: bool = False) -> None:
        super().__init__()
        self.net, self.rounded = net, rounded

    def forward(self, x: torch.Tensor, y: torch.Tensor | None) -> torch.Tensor:
        with torch.autocast("cpu", torch.bfloat16, enabled=self.rounded):
            out = self.net(x)
        out = out.float() if self.rounded else out
        if self.net.loss == "square":
            return 0.5 * ((out - x) ** 2).sum() / len(x)
        if self.net.loss == "logistic":
            return F.binary_cross_entropy_with_logits(out[:, 0], y.to(out.dtype))
        return F.cross_entropy(out.flatten(0, -2), y.flatten())


def _short(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """x with y's shape."""
    stride, more = x.shape[2] // y.shape[2], (y.shape[1] - x.shape[1]) // 2
    return x if x.shape == y.shape else F.pad(x[:, :, ::stride, ::stride], (0, 0, 0, 0, more, more))


def _module(part: Layer, x: Shape) -> nn.Module | None:
    match part:
        case Conv():
            how = {"groups": part.group, "bias": part.bias}
            return nn.Conv2d(x[0], part.filters, part.kernel, part.stride, part.pad, **how)
        case Norm():
            return nn.BatchNorm2d(x[0])
        case Dense():
            return nn.Linear(prod(x), part.units)
        case Rows():
            return None if part.tied else nn.Linear(x[-1], part.units)
        case RowNorm():
            return PixelNorm(x[0]) if len(x) == IMAGE else nn.LayerNorm(x[-1])
        case Recurrent():
            made = {"lstm": nn.LSTM, "gru": nn.GRU}[part.cell]
            return made(x[-1], part.units, batch_first=True)
        case Embed():
            return Vectors(part.vocabulary, x[0], part.width)
    return None


class _Eager:
    """A net with the data's weights."""

    layout: Any = torch.contiguous_format
    rounded = False

    def __init__(self, task: Task, data: Data, threads: int) -> None:
        torch.set_num_threads(threads)
        self.task, self.data = task, data
        dtype = torch.from_numpy(data.inputs[:0]).dtype
        self.net = Net(task).to(memory_format=self.layout, dtype=dtype)
        self.params = {_task_name(name): param for name, param in self.net.named_parameters()}

    @staticmethod
    def suits(task: Task) -> bool:
        return True

    def _compiled(self, module: nn.Module) -> Any:
        return module

    def _set_weights(self) -> None:
        with torch.no_grad():
            for name, param in self.params.items():
                param.copy_(torch.from_numpy(self.data.weights[name]))

    def _tensor(self, x: Any) -> torch.Tensor:
        made = torch.from_numpy(x.copy())
        if self.task.vocabulary:
            return made.long()
        return made.contiguous(memory_format=self.layout) if self.task.images else made

    def close(self) -> None:
        pass


class Eager(_Eager):
    """As one writes it."""

    name = "PyTorch eager"

    def __init__(self, task: Task, data: Data, threads: int, warm_up: int = 2) -> None:
        super().__init__(task, data, threads)
        self.sgd = _sgd(task, self.params)
        self.loss = self._compiled(WithLoss(self.net, self.rounded))
        self.batches = [self._tensors(k) for k in range(data.n_batches)]
        self.reset()
        self.steps(warm_up)

    def _tensors(self, k: int) -> tuple[torch.Tensor, torch.Tensor | None]:
        x, y = self.data.batch(k)
        return self._tensor(x), None if y is None else torch.from_numpy(y.copy())

    def reset(self) -> None:
        self.done = 0
        self._set_weights()
        for state in self.sgd.state.values():
            state["momentum_buffer"].zero_()

    def steps(self, n: int) -> None:
        for k in range(self.done, self.done + n):
            x, y = self.batches[k % len(self.batches)]
            self.sgd.zero_grad(set_to_none=True)
            self.loss(x, y).backward()
            self.sgd.step()
        self.done += n

    def values(self) -> Arrays:
        return {name: param.detach().numpy().copy() for name, param in self.params.items()}


class Predict(_Eager):
    """As one writes it."""

    name = "PyTorch eager"

    def __init__(self, task: Task, data: Data, threads: int) -> None:
        super().__init__(task, data, threads)
        self._set_weights()
        self.run = self._compiled(self.net.eval())
        self.x = self._tensor(data.batch(0)[0])
        self.steps(3)

    def reset(self) -> None:
        pass

    def steps(self, n: int) -> None:
        with torch.inference_mode():
            for _ in range(n):
                self.y = self.run(self.x)

    def values(self) -> Arrays:
        return {"prediction": self.y.numpy().copy()}


class _ChannelsLast(_Eager):
    """Channels innermost, which its convolutions like best."""

    name = "PyTorch channels_last"
    layout = torch.channels_last

    @staticmethod
    def suits(task: Task) -> bool:
        return task.images


class _Compiled(_Eager):
    """torch.compile with its default mode; it needs a C++ compiler."""

    name = "torch.compile"

    def _compiled(self, module: nn.Module) -> Any:
        return torch.compile(module, dynamic=False)  # or a second batch size would be compiled as one of any size


class _CompiledChannelsLast(_Compiled, _ChannelsLast):
    """torch.compile of the channels_last net."""

    name = "torch.compile channels_last"


class ChannelsLast(_ChannelsLast, Eager): ...


class Compiled(_Compiled, Eager): ...


class CompiledChannelsLast(_CompiledChannelsLast, Eager): ...


class PredictChannelsLast(_ChannelsLast, Predict): ...


class PredictCompiled(_Compiled, Predict): ...


class PredictCompiledChannelsLast(_CompiledChannelsLast, Predict): ...


def _task_name(name: str) -> str:
    """read.weight_x for read.weight_ih_l0."""
    return name.replace("_ih_l0", "_x").replace("_hh_l0", "_h")


def _sgd(task: Task, params: dict[str, nn.Parameter]) -> torch.optim.SGD:
    how: SGD = task.sgd
    decays = {part.name: how.decay * getattr(part, "decay", 0.0) for part in task.layers}
    biases = {name for name in params if name.partition(".")[2].startswith("bias")}
    decay = {name: decays[name.partition(".")[0]] for name in params if name not in biases}
    groups: list[dict[str, Any]] = [
        {"params": [p for name, p in params.items() if name in biases], "lr": how.lr * how.bias_rate},
        *(
            {"params": [p for name, p in params.items() if decay.get(name) == d], "weight_decay": d}
            for d in sorted(set(decay.values()))
        ),
    ]
    try:
        return torch.optim.SGD(groups, lr=how.lr, momentum=how.momentum, fused=True)
    except (RuntimeError, TypeError):
        return torch.optim.SGD(groups, lr=how.lr, momentum=how.momentum)


def _rounded(make: type[Eager]) -> type[Eager]:
    """With autocast to bfloat16."""
    return type(f"{make.__name__}Rounded", (make,), {"rounded": True})


EXACT = (Eager,)
TRAINERS = (Eager, ChannelsLast, Compiled, CompiledChannelsLast)
ROUNDED_TRAINERS = tuple(map(_rounded, TRAINERS))
"""With CPU autocast, for benchmarks/bfloat16.py."""
PREDICTORS = (Predict, PredictChannelsLast, PredictCompiled, PredictCompiledChannelsLast)
