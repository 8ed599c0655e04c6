"""Training steps of PyTorch modules: from_torch beside the module itself, eager and by torch.compile.

Run `python benchmarks/from_torch.py [--models unet vit ...] [--threads 2] [--rounds 7] [--record]`. Each module returns
its loss and is trained by SGD with momentum. In turns, each contender takes as many steps as fill a burst; figures are
medians of ratios within a round. Models of torchvision are left out where it is not installed.
"""

from __future__ import annotations

import argparse
import copy
import importlib
import itertools
import logging
import time
import warnings
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

import numpy as np
import torch
from contest import report
from torch import nn
from torch.nn import functional

import mochac
from mochac import MemoryDataLayer

INTRO = """# PyTorch modules: training steps by from_torch beside PyTorch

Medians over rounds, in which each contender takes turns in one process: the time of a step of `program.train`, and how
many times as fast it is as PyTorch's eager mode and torch.compile. Modules in float32 with their loss, SGD with
momentum. Written by `python benchmarks/from_torch.py --record`.
"""
HEAD = ("module", "batch", "mochac, ms", "eager, ms", "torch.compile, ms", "times as fast as the faster")
BURST_S = 0.25


class Classified(nn.Module):
    """A module with a cross entropy."""

    def __init__(self, body: nn.Module) -> None:
        super().__init__()
        self.body = body

    def forward(self, x, label):
        y = self.body(x)
        return functional.cross_entropy(y.reshape(-1, y.shape[-1]) if y.ndim == 3 else y, label.reshape(-1))


class UNet(nn.Module):
    """Three levels with skip connections; a class for each pixel."""

    def __init__(self) -> None:
        super().__init__()
        sizes = [3, 16, 32, 64]
        self.down = nn.ModuleList(self.block(a, b) for a, b in itertools.pairwise(sizes))
        self.up = nn.ModuleList(nn.ConvTranspose2d(b, a, 2, stride=2) for a, b in ((32, 64), (16, 32)))
        self.join = nn.ModuleList(self.block(2 * a, a) for a in (32, 16))
        self.out = nn.Conv2d(16, 4, 1)

    @staticmethod
    def block(a: int, b: int) -> nn.Module:
        return nn.Sequential(
            nn.Conv2d(a, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU(), nn.Conv2d(b, b, 3, padding=1),
            nn.BatchNorm2d(b), nn.ReLU(),
        )  # fmt: skip

    def forward(self, x, label):
        kept = []
        for k, block in enumerate(self.down):
            x = block(functional.max_pool2d(x, 2) if k else x)
            kept.append(x)
        for up, join, skip in zip(self.up, self.join, kept[-2::-1], strict=True):
            x = join(torch.cat([skip, up(x)], 1))
        return functional.cross_entropy(self.out(x), label)


class ViT(nn.Module):
    """Patches, a class token and a transformer."""

    def __init__(self, width: int = 64, depth: int = 4) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, width, 4, stride=4)
        self.token = nn.Parameter(torch.zeros(1, 1, width))
        self.places = nn.Parameter(torch.randn(1, 65, width) * 0.02)
        layer = nn.TransformerEncoderLayer(width, 4, 4 * width, 0.0, "gelu", batch_first=True, norm_first=True)
        self.body = nn.TransformerEncoder(layer, depth, enable_nested_tensor=False)
        self.out = nn.Linear(width, 10)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.places
        return self.out(self.body(x)[:, 0])


class Words(nn.Module):
    """A table of words and a transformer or an LSTM; a class for each word, or for each text."""

    def __init__(self, body: nn.Module, width: int, words: int, classes: int, last: bool, causal: bool = False) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(64, width)
        self.body, self.out, self.last, self.causal = body, nn.Linear(width, classes), last, causal

    def forward(self, ids):
        x = self.words(ids) + self.places(torch.arange(ids.shape[1]))
        if isinstance(self.body, nn.LSTM):
            x = self.body(x)[0]
        elif self.causal:
            mask = nn.Transformer.generate_square_subsequent_mask(ids.shape[1])
            x = self.body(x, mask=mask, is_causal=True)
        else:
            x = self.body(x)
        return self.out(x.mean(1) if self.last else x)


class Generator(nn.Module):
    """DCGAN's, beside images that it should make."""

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for a, b, stride, pad in ((64, 128, 1, 0), (128, 64, 2, 1), (64, 32, 2, 1)):
            layers += [nn.ConvTranspose2d(a, b, 4, stride, pad, bias=False), nn.BatchNorm2d(b), nn.ReLU()]
        self.body = nn.Sequential(*layers, nn.ConvTranspose2d(32, 3, 4, 2, 1, bias=False), nn.Tanh())

    def forward(self, x, image):
        return functional.mse_loss(self.body(x), image)


def tcn() -> nn.Module:
    """Dilated convolutions over time."""
    layers: list[nn.Module] = []
    for k in range(4):
        layers += [nn.Conv1d(32 if k else 8, 32, 3, padding=2**k, dilation=2**k), nn.ReLU()]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(32, 10))


def encoder(width: int, depth: int) -> nn.Module:
    layer = nn.TransformerEncoderLayer(width, 4, 4 * width, 0.0, "gelu", batch_first=True, norm_first=True)
    return nn.TransformerEncoder(layer, depth, enable_nested_tensor=False)


def torchvision_model(name: str) -> nn.Module:
    """A model of torchvision."""
    return importlib.import_module("torchvision").models.get_model(name, weights=None, num_classes=10)


def images(n: int, size: int) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.randn(n, 3, size, size), torch.randint(0, 10, (n,))


def words(n: int, time: int, count: int, per_word: bool) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.randint(0, count, (n, time)), torch.randint(0, 10, (n, time) if per_word else (n,))


MODELS: dict[str, Callable[[], tuple[nn.Module, tuple[torch.Tensor, ...]]]] = {
    "unet": lambda: (UNet(), (torch.randn(4, 3, 64, 64), torch.randint(0, 4, (4, 64, 64)))),
    "vit": lambda: (Classified(ViT()), images(16, 32)),
    "bert-tiny": lambda: (Classified(Words(encoder(128, 2), 128, 1000, 10, True)), words(16, 64, 1000, False)),
    "nanogpt": lambda: (Classified(Words(encoder(96, 3), 96, 65, 65, False, True)), words(16, 64, 65, True)),
    "char-lstm": lambda: (
        Classified(Words(nn.LSTM(64, 64, 2, batch_first=True), 64, 65, 65, False)), words(32, 50, 65, True)
    ),
    "tcn": lambda: (Classified(tcn()), (torch.randn(32, 8, 128), torch.randint(0, 10, (32,)))),
    "dcgan": lambda: (Generator(), (torch.randn(16, 64, 1, 1), torch.randn(16, 3, 32, 32))),
    "resnet18": lambda: (Classified(torchvision_model("resnet18")), images(16, 32)),
    "mobilenet_v2": lambda: (Classified(torchvision_model("mobilenet_v2")), images(8, 64)),
    "densenet121": lambda: (Classified(torchvision_model("densenet121")), images(8, 32)),
    "convnext_tiny": lambda: (Classified(torchvision_model("convnext_tiny")), images(4, 64)),
}  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", nargs="*", default=list(MODELS))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--record", action="store_true", help="write results/from_torch.md")
    args = parser.parse_args(argv)
    logging.getLogger("mochac").setLevel(logging.ERROR)
    warnings.simplefilter("ignore")
    torch.set_num_threads(args.threads)
    rows = []
    for name in args.models:
        try:
            torch.manual_seed(0)
            module, inputs = MODELS[name]()
        except ImportError as error:
            print(f"{name}: left out, {error}")
            continue
        rows.append(measured(name, module, inputs, args.threads, args.rounds))
        print(*rows[-1], sep="  ", flush=True)
    text = table(rows, args.threads)
    if args.record:
        report.record_measured("from_torch", INTRO, text)
    return 0


def measured(
    name: str, module: nn.Module, inputs: tuple[torch.Tensor, ...], threads: int, rounds: int
) -> tuple[str, ...]:
    """A row of the table."""
    contenders = {
        "mochac": by_mochac(copy.deepcopy(module), inputs, threads),
        "eager": by_torch(copy.deepcopy(module), inputs),
        "compile": by_torch(copy.deepcopy(module), inputs, torch.compile),
    }
    counts = {who: max(1, round(BURST_S / seconds(step, 3))) for who, step in contenders.items()}
    found: list[dict[str, float]] = []
    for _ in range(rounds):
        found.append({who: seconds(step, counts[who]) for who, step in contenders.items()})
    ms = {who: 1e3 * median(r[who] for r in found) for who in contenders}
    ratio = median(min(r["eager"], r["compile"]) / r["mochac"] for r in found)
    figures = [f"{ms[who]:.2f}" for who in ("mochac", "eager", "compile")]
    return (name, str(len(inputs[0])), *figures, f"{ratio:.2f}")


def seconds(steps: Callable[[int], Any], count: int) -> float:
    """Of one step, as the mean of `count`, after an untimed one."""
    steps(1)
    begin = time.perf_counter()
    steps(count)
    return (time.perf_counter() - begin) / count


def by_torch(module: nn.Module, inputs: tuple[torch.Tensor, ...], how: Any = None) -> Callable[[int], None]:
    """Steps of the module in PyTorch."""
    optimizer = torch.optim.SGD(module.parameters(), 0.001, momentum=0.9)
    called = module if how is None else how(module)

    def steps(count: int) -> None:
        for _ in range(count):
            optimizer.zero_grad()
            called(*inputs).backward()
            optimizer.step()

    return steps


def by_mochac(module: nn.Module, inputs: tuple[torch.Tensor, ...], threads: int) -> Callable[[int], None]:
    """Steps of the program."""
    optimizer = torch.optim.SGD(module.parameters(), 0.001, momentum=0.9)
    net, params = mochac.from_torch(module, inputs)
    names = [layer.tops[0] for layer in net.layers if layer.kind == "Input"]
    data = MemoryDataLayer(data=[np.asarray(x) for x in inputs], batch_size=len(inputs[0]), tops=names)
    program = mochac.compile(net.to_train(data), params=params, threads=threads)

    def steps(count: int) -> None:
        solver = mochac.solver_from_torch(optimizer, module=module, max_iter=count)
        program.train(solver, verbose=0)

    return steps


def table(rows: Sequence[tuple[str, ...]], threads: int) -> str:
    """The rows in Markdown."""
    lines = [HEAD, ("---",) * len(HEAD), *rows]
    return f"{threads} threads:\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    raise SystemExit(main())
