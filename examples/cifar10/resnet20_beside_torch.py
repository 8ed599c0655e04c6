"""ResNet-20 in mochac and in PyTorch, from the same weights and on the same batches; draws both learning curves.

    python get_cifar10.py                               # once: creates data/
    python resnet20_beside_torch.py            # needs torch; stop it any time, run it again to continue

By turns, each trains for `--every` updates and is tested. The settings are resnet20.py's, but the learning rate drops
to a tenth after a half of the updates, and again after three quarters. Images are shuffled, cropped and mirrored in
NumPy, by (seed, epoch) and (seed, update), so that both get the same numbers. Where the trainings stand, their curves
(mochac.h5, torch.h5) and curve.svg are in `--folder`. The program makes itself nice: other processes go first.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Protocol

import h5py
import numpy as np
import torch
from cifar10_training import DATA, HERE, SEED, require_data
from resnet20 import BATCH, MARGIN, resnet
from resnet20_torch import Twin
from torch.nn import functional

import mochac
from mochac import *

REGU_COEF, MOMENTUM, RATE = 0.00005, 0.9, 0.1
EPOCH = 50000 // BATCH


class Images:
    """Images of a part, "train" or "test", without the mean and scaled as in resnet20.py."""

    def __init__(self, part: str) -> None:
        with h5py.File(DATA / f"{part}.hdf5") as h5, h5py.File(DATA / "mean.hdf5") as m:
            self.images = (h5["data"][:].astype(np.float32) - m["mean"][:]) / 64
            self.label = h5["label"][:, 0].astype(np.int64)

    def batch(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """The batch of update k: shuffled, cropped from a margin of zeros, mirrored."""
        per_epoch = len(self.images) // BATCH
        order = np.random.default_rng((SEED, k // per_epoch)).permutation(len(self.images))
        chosen = order[k % per_epoch * BATCH :][:BATCH]
        margins = np.pad(self.images[chosen], ((0, 0), (0, 0), (MARGIN, MARGIN), (MARGIN, MARGIN)))
        rng = np.random.default_rng((SEED, 1, k))
        corners, mirrored = rng.integers(0, 2 * MARGIN + 1, (BATCH, 2)), rng.random(BATCH) < 0.5
        crops = np.stack([x[:, i : i + 32, j : j + 32] for x, (i, j) in zip(margins, corners, strict=True)])
        crops[mirrored] = crops[mirrored, :, :, ::-1]
        return crops, self.label[chosen]


class Trainer(Protocol):
    """One of the two."""

    iteration: int

    def step(self, x: np.ndarray, y: np.ndarray) -> float:
        """Train on a batch; its loss before the update."""
        ...

    def scores(self, x: np.ndarray) -> np.ndarray:
        """Of test images."""
        ...

    def save(self) -> None:
        """Keep where the training stands."""
        ...


class Mochac:
    """resnet20.py's net, on batches that it is given."""

    def __init__(self, folder: Path, max_iter: int, every: int, threads: int | None) -> None:
        image = InputLayer(name="image", shape=(BATCH, 3, 32, 32))
        label = InputLayer(name="label", shape=(BATCH,))
        loss = SoftmaxLossLayer(name="softmax", bottoms=["ip", "label"])
        net = Net("ResNet20", [image, label, *resnet(3), loss])
        self.program = mochac.compile(net, seed=SEED, threads=threads)
        self.initial = self.program.parameters()
        rates = ((max_iter // 2, RATE), (max_iter // 4, RATE / 10), (max_iter, RATE / 100))
        method = SGD(LRPolicy.Staged(*rates), momentum=MOMENTUM)
        self.solver = Solver(method, max_iter=max_iter, regu_coef=REGU_COEF, load_from=folder / "mochac")
        self.solver.add_coffee_break(Snapshot(folder / "mochac", keep_last=2), every_n_iter=every)
        self.solver.init_solve(self.program)
        self.iteration = self.solver.state.iter

    def step(self, x: np.ndarray, y: np.ndarray) -> float:
        self.iteration += 1
        return self.solver.step(image=x, label=y)

    def scores(self, x: np.ndarray) -> np.ndarray:
        return self.program.predict(x, "ip")

    def save(self) -> None:
        """Its snapshots are taken by a coffee break."""


class Torch:
    """The same in PyTorch, with images in channels_last, which is faster on CPUs."""

    def __init__(self, folder: Path, max_iter: int, threads: int | None, initial: dict[str, np.ndarray]) -> None:
        torch.set_num_threads(threads or len(os.sched_getaffinity(0)))
        self.net, self.max_iter, self.iteration = Twin(3), max_iter, 0
        self.net.start_from(initial)
        self.net.to(memory_format=torch.channels_last)
        weights = [p for p in self.net.parameters() if p.ndim > 1]
        others = [p for p in self.net.parameters() if p.ndim == 1]
        groups = [{"params": weights, "weight_decay": 2 * REGU_COEF}, {"params": others}]
        self.optimizer = torch.optim.SGD(groups, lr=RATE, momentum=MOMENTUM)
        self.file = folder / "torch.pt"
        if self.file.exists():
            saved = torch.load(self.file)
            self.net.load_state_dict(saved["net"])
            self.optimizer.load_state_dict(saved["optimizer"])
            self.iteration = saved["iteration"]

    def _set_rate(self) -> None:
        """Mocha's momentum sums steps, PyTorch's sums gradients: rescale it when the rate changes."""
        drops = (self.iteration >= self.max_iter // 2) + (self.iteration >= self.max_iter // 2 + self.max_iter // 4)
        rate = RATE / 10**drops
        for group in self.optimizer.param_groups:
            old, group["lr"] = group["lr"], rate
            for p in group["params"] if old != rate else ():
                self.optimizer.state[p]["momentum_buffer"].mul_(old / rate)

    def step(self, x: np.ndarray, y: np.ndarray) -> float:
        self._set_rate()
        self.optimizer.zero_grad()
        batch = torch.from_numpy(x).contiguous(memory_format=torch.channels_last)
        loss = functional.cross_entropy(self.net(batch), torch.from_numpy(y))
        loss.backward()
        self.optimizer.step()
        self.iteration += 1
        return float(loss.detach())

    @torch.no_grad()
    def scores(self, x: np.ndarray) -> np.ndarray:
        self.net.eval()
        found = [self.net(part).numpy() for part in torch.from_numpy(x).split(1000)]
        self.net.train()
        return np.concatenate(found)

    def save(self) -> None:
        new = self.file.with_suffix(".new")
        kept = {"net": self.net.state_dict(), "optimizer": self.optimizer.state_dict(), "iteration": self.iteration}
        torch.save(kept, new)
        new.replace(self.file)


def train(trainer: Trainer, train_on: Images, until: int) -> dict[str, float]:
    """Train up to an update; the mean loss on the way, and the time of an update without making its batch."""
    losses, spent = [], 0.0
    while trainer.iteration < until:
        x, y = train_on.batch(trainer.iteration)
        begin = time.perf_counter()
        losses.append(trainer.step(x, y))
        spent += time.perf_counter() - begin
    return {"loss": float(np.mean(losses)), "ms per update": 1000 * spent / len(losses)} if losses else {}


def compare(trainers: dict[str, Trainer], folder: Path, max_iter: int, every: int) -> None:
    """Train by turns up to `max_iter`, and draw the curves after every turn."""
    train_on, test_on = Images("train"), Images("test")
    curves = {name: CoffeeLounge(save_into=str(folder / f"{name}.h5")) for name in trainers}
    for until in range(every, max_iter + 1, every):
        for name, trainer in trainers.items():
            if trainer.iteration > until or until in curves[name].statistics.get("accuracy", {}):
                continue
            found = train(trainer, train_on, until)
            found["accuracy"] = float((trainer.scores(test_on.images).argmax(1) == test_on.label).mean())
            for what, value in found.items():
                curves[name].record(what, until, value)
            curves[name].save()
            trainer.save()
            print(
                f"{until:6d} {name:6s}", ", ".join(f"{what} {value:.4f}" for what, value in found.items()), flush=True
            )
        draw = [sys.executable, "-m", "mochac", "plot", *(str(folder / f"{name}.h5") for name in trainers)]
        subprocess.run([*draw, "--out", str(folder / "curve.svg")], check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--max-iter", type=int, default=20 * EPOCH, help="updates, by default of 20 epochs")
    parser.add_argument("--every", type=int, default=EPOCH, help="updates between tests; divides --max-iter")
    parser.add_argument("--folder", type=Path, default=HERE / "beside-torch", help="curves, and where to continue")
    parser.add_argument("--threads", type=int, help="default: all")
    args = parser.parse_args()
    require_data()
    os.nice(10)
    ours = Mochac(args.folder, args.max_iter, args.every, args.threads)
    theirs = Torch(args.folder, args.max_iter, args.threads, ours.initial)
    compare({"mochac": ours, "torch": theirs}, args.folder, args.max_iter, args.every)


if __name__ == "__main__":
    main()
