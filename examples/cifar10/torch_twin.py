"""The net, settings, data order and initial weights of cifar10.py in PyTorch, to compare accuracies with.

    python cifar10.py --max-iter 0          # writes snapshots/snapshot-000000.h5, the weights that both start from
    python torch_twin.py                    # needs torch; run it again to resume from torch-twin.pt

Where the two libraries differ, this script does what mochac (and Mocha) do: pooling windows that overhang the image
are padded with zeros and have the divisor 9, local response normalization within a channel averages x^2 over 3 x 3,
biases learn twice as fast and are not regularized, and L2 adds 2 * regu_coef * coefficient * w. It does not import
mochac.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import h5py
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("CIFAR10_DATA") or HERE / "data")
BATCH = 100
REGU_COEF = 0.004
WEIGHT_REGU = {"conv1": 1, "conv2": 1, "conv3": 1, "ip1": 250}
STAGES = ((60000, 1e-3), (65000, 1e-4), (70000, 1e-5))


def mean_pool(x: torch.Tensor) -> torch.Tensor:
    return F.avg_pool2d(F.pad(x, (0, 1, 0, 1)), 3, stride=2)  # even sizes: the last window overhangs by one


def lrn(x: torch.Tensor) -> torch.Tensor:
    return x / (1 + 5e-5 * F.avg_pool2d(x * x, 3, stride=1, padding=1)) ** 0.75


class Twin(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 32, 5, padding=2)
        self.conv2 = nn.Conv2d(32, 32, 5, padding=2)
        self.conv3 = nn.Conv2d(32, 64, 5, padding=2)
        self.ip1 = nn.Linear(64 * 4 * 4, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = lrn(F.relu(F.max_pool2d(self.conv1(x), 3, stride=2, ceil_mode=True)))
        x = lrn(mean_pool(F.relu(self.conv2(x))))
        x = mean_pool(F.relu(self.conv3(x)))
        return self.ip1(x.flatten(1))

    def start_from(self, snapshot: Path) -> None:
        """Load the initial weights of cifar10.py from a snapshot or a model file."""
        with h5py.File(snapshot) as h5, torch.no_grad():
            for name in WEIGHT_REGU:
                layer = getattr(self, name)
                layer.weight.copy_(torch.from_numpy(h5[f"{name}___{'weight' if name == 'ip1' else 'filter'}"][:]))
                layer.bias.copy_(torch.from_numpy(h5[f"{name}___bias"][:]))


def optimizer_of(net: Twin) -> torch.optim.SGD:
    groups = []
    for name, coefficient in WEIGHT_REGU.items():
        layer = getattr(net, name)
        groups.append({"params": [layer.weight], "weight_decay": 2 * REGU_COEF * coefficient, "factor": 1.0})
        groups.append({"params": [layer.bias], "weight_decay": 0.0, "factor": 2.0})
    return torch.optim.SGD(groups, lr=STAGES[0][1], momentum=0.9)


def set_rate(optimizer: torch.optim.SGD, t: int) -> None:
    """Set the stage's rate. Mocha's momentum sums steps, PyTorch's sums gradients: rescale it when the rate changes."""
    rate = next(rate for end, rate in STAGES if t < end or end == STAGES[-1][0])
    for group in optimizer.param_groups:
        old, group["lr"] = group["lr"], rate * group["factor"]
        for p in group["params"]:
            momentum = optimizer.state[p].get("momentum_buffer")
            if momentum is not None and old != group["lr"]:
                momentum.mul_(old / group["lr"])


def load(part: str) -> tuple[torch.Tensor, torch.Tensor]:
    with h5py.File(DATA / f"{part}.hdf5") as h5, h5py.File(DATA / "mean.hdf5") as m:
        images, mean = h5["data"][:], m["mean"][:]
        pixels = torch.from_numpy(images.astype(np.float32) - mean).contiguous(memory_format=torch.channels_last)
        return pixels, torch.from_numpy(h5["label"][:, 0].astype(np.int64))


@torch.no_grad()
def accuracy(net: Twin, images: torch.Tensor, labels: torch.Tensor) -> float:
    right = [(net(x).argmax(1) == y).sum() for x, y in zip(images.split(1000), labels.split(1000), strict=True)]
    return float(sum(right)) / len(labels)


def train(max_iter: int, start: Path, checkpoint: Path, every: int) -> float:
    net = Twin().to(memory_format=torch.channels_last)  # takes six tenths of the time on a CPU
    optimizer = optimizer_of(net)
    t = 0
    if checkpoint.exists():
        saved = torch.load(checkpoint)
        net.load_state_dict(saved["net"])
        optimizer.load_state_dict(saved["optimizer"])
        t = saved["iteration"]
    else:
        net.start_from(start)
    images, labels = load("train")
    test = load("test")
    while t < max_iter:
        at = t * BATCH % len(images)
        set_rate(optimizer, t)
        optimizer.zero_grad()
        loss = F.cross_entropy(net(images[at : at + BATCH]), labels[at : at + BATCH])
        loss.backward()
        optimizer.step()
        t += 1
        if t % every == 0 or t == max_iter:
            torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict(), "iteration": t}, checkpoint)
        if t % 1000 == 0:
            print(f"iter={t:06d} loss={loss.item():.8f} test accuracy {accuracy(net, *test):.2%}", flush=True)
    return accuracy(net, *test)


def main() -> None:
    parser = argparse.ArgumentParser(description="cifar10.py in PyTorch.")
    parser.add_argument("--max-iter", type=int, default=70000, help="iteration to stop at")
    parser.add_argument("--start", type=Path, default=HERE / "snapshots/snapshot-000000.h5", help="initial weights")
    parser.add_argument("--checkpoint", type=Path, default=HERE / "snapshots/torch-twin.pt", help="file to resume from")
    parser.add_argument("--every", type=int, default=2000, help="iterations between checkpoints")
    parser.add_argument("--threads", type=int, help="default: PyTorch's")
    args = parser.parse_args()
    if args.threads:
        torch.set_num_threads(args.threads)
    print(f"test accuracy {train(args.max_iter, args.start, args.checkpoint, args.every):.2%}")


if __name__ == "__main__":
    main()
