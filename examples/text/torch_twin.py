"""The net of gpt.py in PyTorch, as nanoGPT writes it: for comparing losses and times.

Both train from the same weights on the same batches, in turns; `--steps` of them on `--threads`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    program = mochac.compile(gpt.net, threads=args.threads)
    twin = Twin(len(gpt.characters), gpt.CONTEXT, 4, 128, 4)
    twin.start_from(program.parameters())
    method = torch.optim.AdamW(twin.parameters(), 1e-3, weight_decay=0.0)
    solver = Solver(AdamW(1e-3, decay=0.0), max_iter=args.steps)
    solver.init_solve(program)
    times: dict[str, list[float]] = {"mochac": [], "PyTorch": []}
    for step in range(args.steps):
        ids, following = gpt.windows(gpt.parts[0], gpt.starts[step * gpt.BATCH :][: gpt.BATCH], gpt.CONTEXT)
        start = time.perf_counter()
        ours = solver.step(ids=ids, next=following)
        middle = time.perf_counter()
        method.zero_grad()
        loss = twin(torch.from_numpy(ids).long(), torch.from_numpy(following).long())
        loss.backward()
        method.step()
        theirs = loss.item()
        times["mochac"].append(middle - start)
        times["PyTorch"].append(time.perf_counter() - middle)
        print(f"step {step}: loss {ours:.4f}, PyTorch {theirs:.4f}")
    for name, seconds in times.items():
        print(f"{name}: {1e3 * np.median(seconds[2:]):.1f} ms a step")


if __name__ == "__main__":
    main()
