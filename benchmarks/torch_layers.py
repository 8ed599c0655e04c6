"""PyTorch's layers by from_torch, beside eager PyTorch: training steps and predictions, of many kinds and sizes.

Run `python benchmarks/torch_layers.py [NAME ...] [--threads 2] [--rounds 5] [--record]`. A layer is trained by SGD with
momentum on a mean squared error. In turns, both take as many steps as fill a burst; figures are medians of ratios
within a round. Nets of torchvision predict one image of 224 x 224; they are left out where it is not installed.
"""

from __future__ import annotations

import argparse
import copy
import logging
import sys
import warnings
from collections.abc import Callable, Sequence
from statistics import median

import torch
from contest import report
from from_torch import by_mochac, by_torch, seconds, torchvision_model
from torch import nn
from torch.nn import functional

import mochac

INTRO = """# PyTorch's layers: training steps and predictions beside eager PyTorch

Medians over rounds, in which both take turns in one process: milliseconds of a training step (SGD with momentum, mean
squared error) and of a prediction, and how many times as fast as eager PyTorch they are, in float32. Written by
`python benchmarks/torch_layers.py --record`.
"""
HEAD = ("layer", "training, ms", "eager", "times as fast", "prediction, ms", "eager", "times as fast")
BURST_S = 0.1
Inputs = Callable[[], torch.Tensor]


class Recurrent(nn.Module):
    """The outputs of a recurrent layer at all steps."""

    def __init__(self, kind: type[nn.RNNBase], *sizes: int, **options: bool) -> None:
        super().__init__()
        self.body = kind(*sizes, batch_first=True, **options)

    def forward(self, x):
        return self.body(x)[0]


class Attention(nn.Module):
    """Self-attention."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.body = nn.MultiheadAttention(width, heads, batch_first=True)

    def forward(self, x):
        return self.body(x, x, x, need_weights=False)[0]


class WithLoss(nn.Module):
    """A layer and a mean squared error."""

    def __init__(self, body: nn.Module) -> None:
        super().__init__()
        self.body = body

    def forward(self, x, target):
        return functional.mse_loss(self.body(x), target)


def real(*shape: int) -> Inputs:
    return lambda: torch.randn(*shape)


def words(count: int, *shape: int) -> Inputs:
    return lambda: torch.randint(0, count, shape)


def chain(*layers: nn.Module) -> nn.Module:
    return nn.Sequential(*layers)


LAYERS: dict[str, tuple[Callable[[], nn.Module], Inputs]] = {
    "lstm 512": (lambda: Recurrent(nn.LSTM, 512, 512), real(32, 32, 512)),
    "lstm 512, two layers": (lambda: Recurrent(nn.LSTM, 256, 512, 2), real(16, 32, 256)),
    "lstm 128, both directions": (lambda: Recurrent(nn.LSTM, 64, 128, bidirectional=True), real(32, 50, 64)),
    "gru 1024, one sequence": (lambda: Recurrent(nn.GRU, 256, 1024), real(1, 32, 256)),
    "gru 256": (lambda: Recurrent(nn.GRU, 64, 256), real(64, 32, 64)),
    "rnn 128": (lambda: Recurrent(nn.RNN, 64, 128), real(32, 64, 64)),
    "attention, 512 tokens": (lambda: Attention(512, 8), real(4, 512, 512)),
    "attention, 2048 tokens": (lambda: Attention(256, 4), real(1, 2048, 256)),
    "attention, 64 tokens": (lambda: Attention(64, 4), real(64, 64, 64)),
    "encoder 256": (lambda: nn.TransformerEncoderLayer(256, 4, 1024, 0.0, batch_first=True), real(8, 128, 256)),
    "conv1d": (
        lambda: chain(nn.Conv1d(64, 128, 5, padding=2), nn.ReLU(), nn.Conv1d(128, 64, 3, padding=1)),
        real(32, 64, 256),
    ),
    "conv1d, long": (
        lambda: chain(nn.Conv1d(1, 32, 80, stride=4), nn.ReLU(), nn.MaxPool1d(4), nn.Conv1d(32, 64, 3)),
        real(16, 1, 8000),
    ),
    "conv3d": (
        lambda: chain(nn.Conv3d(3, 32, 3, padding=1), nn.ReLU(), nn.Conv3d(32, 32, 3, padding=1)),
        real(4, 3, 16, 32, 32),
    ),
    "dilated": (
        lambda: chain(nn.Conv2d(32, 64, 3, padding=4, dilation=4), nn.ReLU(), nn.Conv2d(64, 32, 3, 1, 2, 2)),
        real(8, 32, 40, 40),
    ),
    "transposed": (
        lambda: chain(nn.ConvTranspose2d(64, 32, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(32, 3, 4, 2, 1)),
        real(16, 64, 16, 16),
    ),
    "groups": (
        lambda: chain(nn.Conv2d(128, 128, 3, padding=1, groups=32), nn.Conv2d(128, 128, 3, padding=1, groups=4)),
        real(8, 128, 28, 28),
    ),
    "depthwise, GELU": (lambda: chain(nn.Conv2d(96, 96, 7, padding=3, groups=96), nn.GELU()), real(8, 96, 28, 28)),
    "group norm": (
        lambda: chain(nn.Conv2d(32, 64, 3, padding=1), nn.GroupNorm(8, 64), nn.SiLU(), nn.Conv2d(64, 64, 3)),
        real(8, 32, 32, 32),
    ),
    "instance norm": (
        lambda: chain(nn.Conv2d(16, 32, 7, padding=3, padding_mode="reflect"), nn.InstanceNorm2d(32), nn.ReLU()),
        real(4, 16, 64, 64),
    ),
    "upsampling": (
        lambda: chain(nn.Conv2d(16, 32, 3, padding=1), nn.Upsample(None, 2, "bilinear"), nn.Conv2d(32, 3, 3)),
        real(8, 16, 32, 32),
    ),
    "pixel shuffle": (
        lambda: chain(nn.Conv2d(64, 256, 3, padding=1), nn.PixelShuffle(2), nn.PReLU(), nn.Conv2d(64, 3, 9)),
        real(4, 64, 24, 24),
    ),
    "pools": (
        lambda: chain(nn.Conv2d(8, 32, 1), nn.AvgPool2d(3, 2, 1), nn.MaxPool2d(3, 1, 1), nn.AdaptiveAvgPool2d(4)),
        real(16, 8, 56, 56),
    ),
    "11 x 11": (
        lambda: chain(nn.Conv2d(3, 64, 11, 4, 2), nn.ReLU(), nn.MaxPool2d(3, 2), nn.Conv2d(64, 192, 5, padding=2)),
        real(8, 3, 224, 224),
    ),
    "odd channels": (
        lambda: chain(nn.Conv2d(13, 37, 3, padding=1), nn.ReLU(), nn.Conv2d(37, 19, 5, padding=2)),
        real(7, 13, 31, 27),
    ),
    "mlp 1024-4096": (lambda: chain(nn.Linear(1024, 4096), nn.ReLU(), nn.Linear(4096, 1024)), real(64, 1024)),
    "mlp 333-517": (lambda: chain(nn.Linear(333, 517), nn.ReLU(), nn.Linear(517, 71)), real(37, 333)),
    "mlp 20-64, one sample": (lambda: chain(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 2)), real(1, 20)),
    "embedding": (lambda: chain(nn.Embedding(50000, 128), nn.Linear(128, 64)), words(50000, 32, 64)),
    "softmax of 32000": (lambda: chain(nn.Linear(256, 32000), nn.LogSoftmax(-1)), real(64, 256)),
}
IMAGE_NETS = ("mobilenet_v2", "efficientnet_b0", "resnet18", "resnet50")


def main(argv: Sequence[str] | None = None) -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", default=[*LAYERS, *IMAGE_NETS])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--record", action="store_true", help="write results/torch_layers.md")
    args = parser.parse_args(argv)
    logging.getLogger("mochac").setLevel(logging.ERROR)
    warnings.simplefilter("ignore")
    torch.set_num_threads(args.threads)
    rows = []
    for name in args.names:
        try:
            rows.append(row(name, args.threads, args.rounds))
        except ImportError as error:
            print(f"{name}: left out, {error}")
            continue
        print(*rows[-1], sep="  ", flush=True)
    if args.record:
        report.record_measured("torch_layers", INTRO, f"{args.threads} threads:\n\n" + report.table(HEAD, rows))
    return 0


def row(name: str, threads: int, rounds: int) -> tuple[str, ...]:
    """A row of the table; nets only predict."""
    torch.manual_seed(0)
    make, inputs = LAYERS.get(name) or (lambda: torchvision_model(name), real(1, 3, 224, 224))
    body, x = make(), inputs()
    trained = training(body, x, threads, rounds) if name in LAYERS else ("", "", "")
    return (name, *trained, *prediction(body.eval(), x, threads, rounds))


def training(body: nn.Module, x: torch.Tensor, threads: int, rounds: int) -> tuple[str, ...]:
    with torch.no_grad():
        target = torch.randn_like(copy.deepcopy(body).eval()(x))
    module = WithLoss(body).train()
    mine = by_mochac(copy.deepcopy(module), (x, target), threads)
    return compared(mine, by_torch(copy.deepcopy(module), (x, target)), rounds)


def prediction(body: nn.Module, x: torch.Tensor, threads: int, rounds: int) -> tuple[str, ...]:
    net, params = mochac.from_torch(copy.deepcopy(body), (x,))
    program, array = mochac.compile(net, mode="test", params=params, threads=threads), x.numpy()

    def mine(count: int) -> None:
        for _ in range(count):
            program.predict(array)

    def eager(count: int) -> None:
        with torch.inference_mode():
            for _ in range(count):
                body(x)

    return compared(mine, eager, rounds)


def compared(mine: Callable[[int], None], eager: Callable[[int], None], rounds: int) -> tuple[str, ...]:
    """Milliseconds of both, and how many times as fast the first one is."""
    both = (mine, eager)
    counts = [max(1, round(BURST_S / seconds(steps, 2))) for steps in both]
    found = [[seconds(steps, n) for steps, n in zip(both, counts, strict=True)] for _ in range(rounds)]
    ms = [f"{1e3 * median(times):.3f}" for times in zip(*found, strict=True)]
    return (*ms, f"{median(theirs / own for own, theirs in found):.2f}")


if __name__ == "__main__":
    sys.exit(main())
