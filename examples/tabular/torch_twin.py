"""The net of tabular.py in mochac and in PyTorch, step by step in turns: samples per second.

    python torch_twin.py --threads 2

Both train with the same batch size, momentum and weight decay, PyTorch eagerly with its fused SGD.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import torch
from tabular import BATCH, COLUMNS, WIDTH, data, drawn, hidden, logit, loss, method

import mochac
from mochac import Net

STEPS, ROUNDS, BATCHES = 200, 7, 16


def theirs() -> Callable[[], None]:
    """STEPS steps of PyTorch."""
    x, y = drawn(BATCHES * BATCH)
    batches = [
        (torch.tensor(x[at : at + BATCH]), torch.tensor(y[at : at + BATCH]).float()) for at in range(0, len(x), BATCH)
    ]
    parts = [(torch.nn.Linear(a, b), torch.nn.Tanh()) for a, b in pairwise([COLUMNS, *[WIDTH] * 5])]
    model = torch.nn.Sequential(*(part for pair in parts for part in pair), torch.nn.Linear(WIDTH, 1))
    sgd = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=2e-5, fused=True)

    def run() -> None:
        for k in range(STEPS):
            inputs, labels = batches[k % BATCHES]
            sgd.zero_grad()
            torch.nn.functional.binary_cross_entropy_with_logits(model(inputs)[:, 0], labels).backward()
            sgd.step()

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description="Samples per second of mochac and PyTorch, in turns.")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    net = Net("peer", [data(BATCHES * BATCH), *hidden, logit, loss])
    times: dict[str, list[float]] = {"mochac": [], "PyTorch": []}
    with mochac.compile(net, threads=args.threads) as program:

        def ours() -> None:
            program.train(method, max_iter=STEPS, regu_coef=1e-5, verbose=0)

        runs = {"mochac": ours, "PyTorch": theirs()}
        for turn in range(args.rounds + 1):  # the first one warms up
            for name, run in runs.items():
                start = time.perf_counter()
                run()
                times[name] += [time.perf_counter() - start] if turn else []
    for name, found in times.items():
        print(f"{name}: {STEPS * BATCH / float(np.median(found)):,.0f} samples/s")


if __name__ == "__main__":
    main()
