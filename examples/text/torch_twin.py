"""The net of gpt.py in PyTorch, as nanoGPT writes it: for comparing losses and times.

    python torch_twin.py                    # twenty steps
    python torch_twin.py --steps 2000       # the whole training; stop it any time, run it again to continue

Both train with gpt.py's settings from the same weights on the same batches, in turns, and are then tested on all of the
text that was kept apart. Where they stand is kept in `--folder` every 100 steps.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import gpt
import numpy as np
import torch
from torch import nn
from torch.nn import functional

import mochac
from mochac import *


class Block(nn.Module):
    """A layer of the transformer."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm_a, self.norm_b = nn.LayerNorm(width), nn.LayerNorm(width)
        self.project, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, context, width = x.shape
        parts = self.project(self.norm_a(x)).split(width, dim=2)
        q, k, v = (p.view(batch, context, self.heads, -1).transpose(1, 2) for p in parts)
        y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(batch, context, width))
        return x + self.narrow(functional.gelu(self.wide(self.norm_b(x))))


class Twin(nn.Module):
    """The whole net; `table` serves the embedding and the output."""

    def __init__(self, vocabulary: int, context: int, n_layers: int, width: int, heads: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.empty(vocabulary, width))
        self.places = nn.Parameter(torch.empty(context, width))
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(n_layers))
        self.norm = nn.LayerNorm(width)

    def forward(self, ids: torch.Tensor, following: torch.Tensor) -> torch.Tensor:
        x = functional.embedding(ids, self.table) + self.places
        for block in self.blocks:
            x = block(x)
        logits = functional.linear(self.norm(x), self.table)
        return functional.cross_entropy(logits.flatten(0, 1), following.flatten())

    def names(self) -> dict[str, nn.Parameter]:
        """The parameters by the names that they have in gpt.py."""
        names = {"table___value": self.table, "places___shift": self.places}
        names |= {"norm___scale": self.norm.weight, "norm___shift": self.norm.bias}
        for n, block in enumerate(self.blocks, 1):
            for part, norm in (("a", block.norm_a), ("b", block.norm_b)):
                names |= {f"norm{n}{part}___scale": norm.weight, f"norm{n}{part}___shift": norm.bias}
            for name, linear in (("wide", block.wide), ("narrow", block.narrow)):
                names |= {f"{name}{n}___weight": linear.weight, f"{name}{n}___bias": linear.bias}
            for name, linear in (("in", block.project), ("out", block.out)):
                names |= {
                    f"attention{n}___weight_{name}": linear.weight,
                    f"attention{n}___bias_{name}": linear.bias,
                }
        return names

    def start_from(self, arrays: Mapping[str, Any]) -> None:
        """Copy mochac's initial weights."""
        with torch.no_grad():
            for name, p in self.names().items():
                p.copy_(torch.from_numpy(np.array(arrays[name])))


class Training:
    """The training of a twin, with the settings of gpt.py."""

    def __init__(self, twin: Twin, policy: Any) -> None:
        self.twin, self.policy = twin, policy
        decayed = [p for name, p in twin.names().items() if "___weight" in name or "___value" in name]
        others = [p for p in twin.parameters() if all(p is not q for q in decayed)]
        groups = [{"params": decayed, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}]
        self.method = torch.optim.AdamW(groups, betas=(0.9, 0.99))

    def step(self, iteration: int, ids: np.ndarray, following: np.ndarray) -> float:
        for group in self.method.param_groups:
            group["lr"] = self.policy.value(iteration)
        self.method.zero_grad()
        loss = self.twin(torch.from_numpy(ids).long(), torch.from_numpy(following).long())
        loss.backward()
        nn.utils.clip_grad_norm_(self.twin.parameters(), 1.0)
        self.method.step()
        return loss.item()

    def save(self, path: Path) -> None:
        torch.save((self.twin.state_dict(), self.method.state_dict()), path)

    def load(self, path: Path) -> None:
        weights, state = torch.load(path)
        self.twin.load_state_dict(weights)
        self.method.load_state_dict(state)

    def tested(self, size: int = 120) -> float:
        """The loss over all windows of the text that was kept apart."""
        with torch.no_grad():
            losses = [
                self.twin(*(torch.from_numpy(a).long() for a in gpt.windows(gpt.parts[1], some, gpt.CONTEXT))).item()
                * len(some)
                for some in (gpt.every[k : k + size] for k in range(0, len(gpt.every), size))
            ]
        return sum(losses) / len(gpt.every)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("twins"))
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    args.folder.mkdir(exist_ok=True)
    program = mochac.compile(gpt.net, threads=args.threads)
    twin = Twin(len(gpt.characters), gpt.CONTEXT, 4, 128, 4)
    twin.start_from(program.parameters())
    solver = gpt.training(args.steps, load_from=args.folder)
    solver.add_coffee_break(Snapshot(args.folder), every_n_iter=100)
    theirs = Training(twin, gpt.policy(args.steps))
    solver.init_solve(program)
    first = solver.state.iter
    if first:
        theirs.load(args.folder / f"torch-{first:06d}.pt")
    times: dict[str, list[float]] = {"mochac": [], "PyTorch": []}
    for step in range(first, args.steps):
        batch = gpt.windows(gpt.parts[0], gpt.starts[step * gpt.BATCH :][: gpt.BATCH], gpt.CONTEXT)
        loss, seconds = _timed(lambda batch=batch, step=step: theirs.step(step, *batch))
        if (step + 1) % 100 == 0:  # before mochac's snapshot, which says where to continue
            theirs.save(args.folder / f"torch-{step + 1:06d}.pt")
        ours, own = _timed(lambda batch=batch: solver.step(ids=batch[0], next=batch[1]))
        times["mochac"].append(own)
        times["PyTorch"].append(seconds)
        if step < 20 or step % 100 == 99:
            print(f"step {step + 1}: loss {ours:.4f}, PyTorch {loss:.4f}", flush=True)
    for name, seconds in times.items():
        print(f"{name}: {1e3 * np.median(seconds[2:] or [0]):.1f} ms a step")
    test = mochac.compile(gpt.test_net, params=program.params, threads=args.threads)
    print(f"validation loss {test.evaluate()['loss']:.4f}, PyTorch {theirs.tested():.4f}")


def _timed(call: Callable[[], float]) -> tuple[float, float]:
    start = time.perf_counter()
    return call(), time.perf_counter() - start


if __name__ == "__main__":
    main()
