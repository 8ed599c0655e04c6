"""A character LSTM on the text of gpt.py: two layers of 256, 64 characters at a time, batches of 32.

Each batch starts from a state of zeros. Writing takes a net of one step, which gets the states and returns them: every
character costs one step, however long the text before it is. `--iterations`, `--threads` and `--sample` as for gpt.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from gpt import CONTEXT, characters, drawn, parts, run, windows

import mochac
from mochac import *

BATCH, WIDTH, SIZE, LEVELS = 32, 64, 256, 2


def data(name: str, ids: np.ndarray, starts: Sequence[int] | np.ndarray) -> MemoryDataLayer:
    """Windows of a text as batches."""
    return MemoryDataLayer(name=name, data=windows(ids, starts, CONTEXT), batch_size=BATCH, tops=["ids", "next"])


embedding = EmbeddingLayer(name="characters", vocabulary=len(characters), output_dim=WIDTH, bottoms=["ids"])
read = LSTMLayer(name="read", output_dim=SIZE, n_layers=LEVELS, weight_regu=NoRegu(), bottoms=["characters"])
logits = InnerProductLayer(
    name="logits", output_dim=len(characters), axis=-1, weight_regu=NoRegu(), bottoms=["read"]
)  # fmt: skip
layers = [embedding, read, logits, SoftmaxLossLayer(name="loss", axis=2, bottoms=["logits", "next"])]
starts = np.random.default_rng(1).integers(len(parts[0]) - CONTEXT, size=BATCH * 500)
net = Net("lstm", [data("train", parts[0], starts), *layers])
every = range(0, len(parts[1]) - CONTEXT - 1, CONTEXT)
test_net = Net("lstm-test", [data("test", parts[1], every), *layers])

one = Net("one character", [
    InputLayer(name="now", shape=(1, 1), tops=["ids"]),
    InputLayer(name="before", shape=(1, LEVELS, SIZE), tops=["h", "c"]),
    embedding,
    ReshapeLayer(name="step", shape=(1, WIDTH), bottoms=["characters"]),
    read.replace(bottoms=["step"], initial=["h", "c"], tops=["read", "h.after", "c.after"]),
    logits,
])  # fmt: skip


def sample(program: mochac.Program, ids: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """Characters after `ids`, read and written one at a time."""
    h = c = np.zeros((1, LEVELS, SIZE), np.float32)
    written = [int(n) for n in ids]
    with mochac.compile(one, params=program.params) as step:
        for k in range(len(ids) + count - 1):
            given = {"ids": np.array([[written[k]]]), "h": h, "c": c}
            scores, h, c = step.predict(given, blob=["logits", "h.after", "c.after"])
            if k + 1 == len(written):
                written.append(drawn(scores[0, 0], rng))
    return np.array(written[len(ids) :])


def training(iterations: int) -> Solver:
    """Adam with half a cosine."""
    return Solver(Adam(LRPolicy.Cosine(2e-3, iterations, 2e-4)), max_iter=iterations, clip_norm=1.0)


if __name__ == "__main__":
    run(net, test_net, training, __doc__, sample)
