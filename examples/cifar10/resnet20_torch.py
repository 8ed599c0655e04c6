"""resnet20.py's net in PyTorch, with the same initial weights; resnet20_beside_torch.py and tests train both."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import nn
from torch.nn import functional


class Norm(nn.Module):
    """A convolution without a bias, and batch normalization."""

    def __init__(self, name: str, inside: int, channels: int, stride: int) -> None:
        super().__init__()
        self.name = name
        self.conv = nn.Conv2d(inside, channels, 3, stride, 1, bias=False)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(self.conv(x))


class Twin(nn.Module):
    """ResNet with shortcuts of option A, of 6 * blocks + 2 layers with weights."""

    def __init__(self, blocks: int) -> None:
        super().__init__()
        self.stem = Norm("stem", 3, 16, 1)
        self.parts, inside = nn.ModuleList(), 16
        for stage, channels in enumerate((16, 32, 64)):
            for k in range(blocks):
                name, stride = f"block{stage + 1}{k + 1}", 2 if stage and not k else 1
                self.parts.append(Norm(f"{name}a", inside, channels, stride))
                self.parts.append(Norm(f"{name}b", channels, channels, 1))
                inside = channels
        self.ip = nn.Linear(64, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = functional.relu(self.stem(x))
        for a, b in zip(self.parts[::2], self.parts[1::2], strict=True):
            short = x
            if a.conv.stride != (1, 1):
                more = (a.conv.out_channels - a.conv.in_channels) // 2
                short = functional.pad(x[:, :, ::2, ::2], (0, 0, 0, 0, more, more))
            x = functional.relu(b(functional.relu(a(x))) + short)
        return self.ip(x.mean((2, 3)))

    def start_from(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Copy mochac's initial weights, as program.parameters() names them."""
        with torch.no_grad():
            for part in (self.stem, *self.parts):
                part.conv.weight.copy_(torch.from_numpy(arrays[f"{part.name}-conv___filter"]))
            self.ip.weight.copy_(torch.from_numpy(arrays["ip___weight"]))
            self.ip.bias.copy_(torch.from_numpy(arrays["ip___bias"]))
