"""PyTorch's layers and functions of drawn sizes, beside eager PyTorch: predictions, and what is slow.

Run `python benchmarks/drawn_layers.py [--layers 300] [--seed 1] [--kinds KIND ...] [--record]`. Nobody tuned anything
for these sizes, each drawn by its logarithm. Both run in turns on one thread; a time is the shortest of many, so that
other work on the machine matters little. Each layer is printed; the table has a row for each kind.
"""

from __future__ import annotations

import argparse
import copy
import logging
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from random import Random
from statistics import median, quantiles

import torch
from contest import report
from torch import nn
from torch_layers import Attention, Recurrent

import mochac

INTRO = """# Drawn layers: predictions of PyTorch's layers and functions of sizes that nobody tuned

Each on its own, on one thread, beside eager PyTorch: how many times as fast `from_torch` is, by kind of layer. Written
by `python benchmarks/drawn_layers.py --record`.
"""
HEAD = ("kind", "layers", "slowest", "a tenth below", "median", "the slowest one")
BUDGET_S = 0.6
MOST_ELEMENTS, MOST_WORK = 8_000_000, 2_000_000_000
"""Maximum elements of an input, and maximum multiply-adds."""
Drawn = tuple[nn.Module, tuple[int, ...], int]
"""A layer, the shape of its input, and about how many multiply-adds it takes."""


class Sizes(Random):
    """Draws sizes."""

    def size(self, least: int, most: int) -> int:
        """A number whose logarithm is evenly distributed."""
        return round(least * (most / least) ** self.random())


class Function(nn.Module):
    """A function as a module."""

    def __init__(self, name: str, function: Callable[[torch.Tensor], torch.Tensor]) -> None:
        super().__init__()
        self.name, self.function = name, function

    def forward(self, x):
        return self.function(x)

    def extra_repr(self) -> str:
        return self.name


def convolution(d: Sizes) -> Drawn:
    kernel, group, batch = d.choice((1, 2, 3, 3, 4, 5, 7)), d.choice((1, 1, 1, 2, 4)), d.size(1, 32)
    inputs, outputs, side = group * d.size(1, 128), group * d.size(4, 128), d.size(kernel, 96)
    stride, pad = d.choice((1, 1, 2)), d.choice((0, kernel // 2))
    layer = nn.Conv2d(inputs, outputs, kernel, stride, pad, groups=group)
    work = batch * inputs * outputs // group * (side * kernel // stride) ** 2
    return nn.Sequential(layer, d.choice((nn.ReLU(), nn.SiLU()))), (batch, inputs, side, side), work


def depthwise(d: Sizes) -> Drawn:
    channels, kernel, side, batch = d.size(8, 512), d.choice((3, 5, 7)), d.size(7, 112), d.size(1, 16)
    layer = nn.Conv2d(channels, channels, kernel, d.choice((1, 2)), kernel // 2, groups=channels)
    return layer, (batch, channels, side, side), batch * channels * (side * kernel) ** 2


def linear(d: Sizes) -> Drawn:
    batch, inputs, outputs = d.size(1, 512), d.size(2, 4096), d.size(2, 4096)
    return nn.Linear(inputs, outputs), (batch, inputs), batch * inputs * outputs


def block(d: Sizes) -> Drawn:
    batch, rows, width = d.size(1, 32), d.size(4, 256), d.size(16, 512)
    layers = (nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
    return nn.Sequential(*layers), (batch, rows, width), 8 * batch * rows * width**2


def recurrent(d: Sizes) -> Drawn:
    batch, steps, inputs, units = d.size(1, 64), d.size(4, 64), d.size(8, 512), d.size(8, 512)
    layer = Recurrent(d.choice((nn.LSTM, nn.GRU)), inputs, units, d.choice((1, 2)))
    return layer, (batch, steps, inputs), 8 * batch * steps * (inputs + units) * units


def attention(d: Sizes) -> Drawn:
    heads, batch, rows = d.choice((1, 2, 4, 8, 12)), d.size(1, 16), d.size(8, 1024)
    width = heads * d.choice((8, 16, 32, 64))
    return Attention(width, heads), (batch, rows, width), 2 * batch * rows * width * (rows + 2 * width)


def product(d: Sizes) -> Drawn:
    batch, rows, width = d.size(1, 64), d.size(8, 256), d.size(8, 256)
    return Function("x @ x.mT", lambda x: x @ x.mT), (batch, rows, width), batch * rows**2 * width


def norm(d: Sizes) -> Drawn:
    if d.random() < 0.5:
        width = d.size(8, 1024)
        return nn.LayerNorm(width), (d.size(1, 64), d.size(4, 512), width), 0
    channels, side = 8 * d.size(1, 32), d.size(4, 112)
    layer = d.choice((nn.BatchNorm2d(channels), nn.GroupNorm(8, channels), nn.InstanceNorm2d(channels)))
    return layer, (d.size(2, 64), channels, side, side), 0


def softmax(d: Sizes) -> Drawn:
    layer = d.choice((nn.Softmax(-1), nn.LogSoftmax(-1), nn.Softmax(1)))
    return layer, (d.size(1, 32), d.size(1, 256), d.size(4, 4096)), 0


FUNCTIONS = {
    "exp(-x * x)": lambda x: torch.exp(-x * x),
    "erf": torch.erf,
    "sin": torch.sin,
    "log1p": lambda x: torch.log1p(x.abs()),
    "pow": lambda x: (x.abs() + 1) ** 0.7,
}


def function(d: Sizes) -> Drawn:
    layers = [nn.GELU(), nn.SiLU(), nn.Tanh(), nn.Sigmoid(), nn.Softplus(), nn.Mish(), nn.ELU(), nn.Hardswish()]
    layers += [Function(name, f) for name, f in FUNCTIONS.items()]
    return d.choice(layers), (d.size(1, 512), d.size(16, 8192)), 0


REDUCTIONS = {
    "mean": torch.mean,
    "sum": torch.sum,
    "amax": torch.amax,
    "std": torch.std,
    "norm": lambda x, dim: x.norm(dim=dim),
    "logsumexp": torch.logsumexp,
    "cumsum": torch.cumsum,
}


def reduction(d: Sizes) -> Drawn:
    name, dim = d.choice([*REDUCTIONS]), d.choice((1, 2))
    layer = Function(f"{name} {dim}", lambda x, reduce=REDUCTIONS[name]: reduce(x, dim=dim))
    return layer, (d.size(1, 64), d.size(4, 512), d.size(4, 512)), 0


MOVES = {
    "permute": lambda x: x.permute(0, 2, 3, 1) * 2,
    "flip": lambda x: x.flip(3) + x,
    "roll": lambda x: x.roll((1, 2), (2, 3)),
    "cat": lambda x: torch.cat([x, x * 2], 1),
    "unfold": lambda x: x.unfold(2, 3, 1) * 2,
    "shuffled": lambda x: x[:, torch.randperm(x.shape[1], generator=torch.Generator().manual_seed(1))],
}


def move(d: Sizes) -> Drawn:
    layers = [nn.PixelUnshuffle(2), nn.ReflectionPad2d(2), nn.ZeroPad2d(1), nn.PixelShuffle(2)]
    layers += [Function(name, f) for name, f in MOVES.items()]
    side = 2 * d.size(2, 24)
    return d.choice(layers), (d.size(1, 16), 4 * d.size(1, 32), side, side), 0


def resizing(d: Sizes) -> Drawn:
    mode, side = d.choice(("nearest", "bilinear", "bicubic")), d.size(8, 64)
    corners = {} if mode == "nearest" else {"align_corners": d.choice((False, True))}
    wanted = (
        {"scale_factor": d.choice((2, 2, 3, 1.5))} if d.random() < 0.5 else {"size": (d.size(8, 128), d.size(8, 128))}
    )
    return nn.Upsample(mode=mode, **wanted, **corners), (d.size(1, 8), d.size(3, 64), side, side), 0


def pool(d: Sizes) -> Drawn:
    kernel, side = d.choice((2, 3)), d.size(8, 112)
    layers = (nn.MaxPool2d(kernel, d.choice((1, 2))), nn.AvgPool2d(kernel, 2, 1), nn.AdaptiveAvgPool2d(1),
              nn.AdaptiveAvgPool2d(5))  # fmt: skip
    return d.choice(layers), (d.size(1, 64), d.size(3, 256), side, side), 0


KINDS: dict[str, Callable[[Sizes], Drawn]] = {
    draw.__name__: draw
    for draw in (convolution, depthwise, linear, block, recurrent, attention, product, norm, softmax, function,
                 reduction, move, resizing, pool)
}  # fmt: skip


def drawn(draw: Callable[[Sizes], Drawn], sizes: Sizes) -> Drawn:
    """A layer that takes neither too much memory nor too much time."""
    while True:
        layer, shape, work = draw(sizes)
        if torch.Size(shape).numel() <= MOST_ELEMENTS and work <= MOST_WORK:
            return nn.Sequential(layer).eval(), shape, work


def quickest(*calls: Callable[[], object]) -> list[float]:
    """The shortest time of each call, in turns."""
    found, begin = [float("inf")] * len(calls), time.perf_counter()
    while time.perf_counter() - begin < BUDGET_S or max(found) == float("inf"):
        for k, call in enumerate(calls):
            start = time.perf_counter()
            call()
            found[k] = min(found[k], time.perf_counter() - start)
    return found


def measured(layer: nn.Module, shape: tuple[int, ...]) -> tuple[float, float]:
    """Seconds of a prediction by mochac and by PyTorch."""
    x = torch.randn(*shape)
    net, params = mochac.from_torch(copy.deepcopy(layer), (x,))
    program, array = mochac.compile(net, mode="test", params=params, threads=1), x.numpy()
    program.predict(array)
    with torch.inference_mode():
        own, theirs = quickest(lambda: program.predict(array), lambda: layer(x))
    return own, theirs


def main(argv: Sequence[str] | None = None) -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--layers", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=[*KINDS])
    parser.add_argument("--record", action="store_true", help="write results/drawn_layers.md")
    args = parser.parse_args(argv)
    logging.getLogger("mochac").setLevel(logging.ERROR)
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    found: dict[str, list[tuple[float, str]]] = {kind: [] for kind in args.kinds}
    for number in range(args.layers):
        kind, seed = args.kinds[number % len(args.kinds)], f"{args.seed} {number}"
        torch.manual_seed(number)
        layer, shape, _ = drawn(KINDS[kind], Sizes(seed))
        own, theirs = measured(layer, shape)
        text = f"{' '.join(str(layer).split())[:60]} of {' x '.join(map(str, shape))}"
        print(f"{theirs / own:7.2f} {1e3 * own:9.3f} {1e3 * theirs:9.3f}  {kind}: {text}", flush=True)
        found[kind].append((theirs / own, text))
    rows = [row(kind, layers) for kind, layers in found.items() if layers]
    text = f"{args.layers} layers, seed {args.seed}:\n\n{report.table(HEAD, rows)}"
    print(text)
    if args.record:
        report.record_measured("drawn_layers", INTRO, text)
    return 0


def row(kind: str, layers: Sequence[tuple[float, str]]) -> tuple[str, ...]:
    """A row of the table."""
    ratios, slowest = [ratio for ratio, _ in layers], min(layers)
    tenth = quantiles(ratios, n=10, method="inclusive")[0] if len(ratios) > 1 else ratios[0]
    return (kind, str(len(layers)), *(f"{n:.2f}" for n in (slowest[0], tenth, median(ratios))), slowest[1])


if __name__ == "__main__":
    sys.exit(main())
