"""A character LSTM on the text of gpt.py: two layers of 256, 64 characters at a time, batches of 32.

Each batch starts from a state of zeros. `--iterations`, `--threads` and `--sample` as for gpt.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from gpt import CONTEXT, characters, parts, run, windows

from mochac import *

BATCH = 32


def data(name: str, ids: np.ndarray, starts: Sequence[int] | np.ndarray) -> MemoryDataLayer:
    """Windows of a text as batches."""
    return MemoryDataLayer(name=name, data=windows(ids, starts, CONTEXT), batch_size=BATCH, tops=["ids", "next"])


layers = [
    EmbeddingLayer(name="characters", vocabulary=len(characters), output_dim=64, bottoms=["ids"]),
    LSTMLayer(name="read", output_dim=256, n_layers=2, weight_regu=NoRegu(), bottoms=["characters"]),
    InnerProductLayer(name="logits", output_dim=len(characters), axis=-1, weight_regu=NoRegu(), bottoms=["read"]),
    SoftmaxLossLayer(name="loss", axis=2, bottoms=["logits", "next"]),
]
starts = np.random.default_rng(1).integers(len(parts[0]) - CONTEXT, size=BATCH * 500)
net = Net("lstm", [data("train", parts[0], starts), *layers])
every = range(0, len(parts[1]) - CONTEXT - 1, CONTEXT)
test_net = Net("lstm-test", [data("test", parts[1], every), *layers])


def training(iterations: int) -> Solver:
    """Adam with half a cosine."""
    return Solver(Adam(LRPolicy.Cosine(2e-3, iterations, 2e-4)), max_iter=iterations, clip_norm=1.0)


if __name__ == "__main__":
    run(net, test_net, training, __doc__)
