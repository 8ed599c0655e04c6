"""A small GPT on characters: nanoGPT's configuration for a CPU (4 layers, 128 wide, 4 heads, context 64, batch 12).

The text is Python's own documentation, as the module pydoc_data.topics of every installation holds it: nine tenths of
it to train, one to validate. Embedding and output share one table. `--iterations`, `--threads` and `--sample` say how
long to train, with how many threads, and how many characters to write at the end.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pydoc_data import topics
from typing import Any

import numpy as np

import mochac
from mochac import *
from mochac.nets.layers import Layer

CONTEXT, BATCH = 64, 12


def read() -> tuple[np.ndarray, str]:
    """The text as numbers of its characters, and the characters."""
    text = "\n\n".join(topics.topics.values())
    characters = "".join(sorted(set(text)))
    numbers = {c: n for n, c in enumerate(characters)}
    return np.array([numbers[c] for c in text], np.float32), characters


def windows(ids: np.ndarray, starts: Sequence[int] | np.ndarray, context: int) -> tuple[np.ndarray, np.ndarray]:
    """Pieces of the text, and the same pieces one character later: what is to be predicted."""
    at = np.add.outer(np.asarray(starts), np.arange(context))
    return ids[at], ids[at + 1]


def gpt(vocabulary: int, context: int, n_layers: int, width: int, heads: int) -> list[Layer]:
    """The layers behind the blobs `ids` and `next`, which are (batch, context)."""
    small = GaussianInitializer(std=0.02)
    last = GaussianInitializer(std=0.02 / np.sqrt(2 * n_layers))  # of what is added to the residual stream
    linear: dict[str, Any] = {"axis": -1, "weight_init": small, "bias_lr": 1.0, "weight_regu": NoRegu()}
    x = "x0"
    layers: list[Layer] = [
        ParameterLayer(name="table", shape=(vocabulary, width), init=small),
        EmbeddingLayer(name="characters", vocabulary=vocabulary, output_dim=width, weight="table", bottoms=["ids"]),
        BiasLayer(name="places", num_axes=2, shift_init=small, bottoms=["characters"], tops=[x]),
    ]
    for n in range(1, n_layers + 1):
        layers += [
            LayerNormLayer(name=f"norm{n}a", bottoms=[x]),
            MultiHeadAttentionLayer(
                name=f"attention{n}", heads=heads, causal=True, weight_init=small, weight_regu=NoRegu(),
                bottoms=[f"norm{n}a"],
            ),
            ElementWiseLayer(name=f"sum{n}a", operation=ElementWiseFunctors.Add(), bottoms=[x, f"attention{n}"]),
            LayerNormLayer(name=f"norm{n}b", bottoms=[f"sum{n}a"]),
            InnerProductLayer(
                name=f"wide{n}", output_dim=4 * width, neuron=Neurons.GELU(), bottoms=[f"norm{n}b"], **linear
            ),
            InnerProductLayer(
                name=f"narrow{n}", output_dim=width, bottoms=[f"wide{n}"], **{**linear, "weight_init": last}
            ),
            ElementWiseLayer(name=f"sum{n}b", operation=ElementWiseFunctors.Add(), bottoms=[f"sum{n}a", f"narrow{n}"]),
        ]  # fmt: skip
        x = f"sum{n}b"
    return [
        *layers,
        LayerNormLayer(name="norm", bottoms=[x]),
        InnerProductLayer(name="logits", output_dim=vocabulary, axis=-1, weight="table", bias=False, bottoms=["norm"]),
        SoftmaxLossLayer(name="loss", axis=2, bottoms=["logits", "next"]),
    ]


def sample(program: mochac.Program, ids: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """Characters after `ids` (context,), each drawn from what the net predicts."""
    written = list(ids)
    for _ in range(count):
        scores = program.predict(np.array([written[-CONTEXT:]], np.float32), blob="logits")[0, -1]
        written.append(drawn(scores, rng))
    return np.array(written[len(ids) :])


def drawn(scores: np.ndarray, rng: np.random.Generator) -> int:
    """A character, with the chances that the scores of all give it."""
    chances = np.exp(scores - scores.max())
    return int(rng.choice(len(chances), p=chances / chances.sum()))


def data(name: str, ids: np.ndarray, starts: Sequence[int] | np.ndarray) -> MemoryDataLayer:
    """Windows of a text as batches."""
    return MemoryDataLayer(name=name, data=windows(ids, starts, CONTEXT), batch_size=BATCH, tops=["ids", "next"])


ids, characters = read()
parts = np.split(ids, [len(ids) * 9 // 10])
layers = gpt(len(characters), CONTEXT, 4, 128, 4)
rng = np.random.default_rng(1)
starts = rng.integers(len(parts[0]) - CONTEXT, size=24_000)
net = Net("gpt", [data("train", parts[0], starts), *layers])
every = range(0, len(parts[1]) - CONTEXT - 1, CONTEXT)
test_net = Net("gpt-test", [data("test", parts[1], every), *layers])


def policy(iterations: int) -> Any:
    """A warm-up, then half a cosine."""
    return LRPolicy.WarmUp(100, LRPolicy.Cosine(1e-3, iterations, 1e-4))


def training(iterations: int, **settings: Any) -> Solver:
    """nanoGPT's."""
    method = AdamW(policy(iterations), beta2=0.99, decay=0.1)
    return Solver(method, max_iter=iterations, clip_norm=1.0, **settings)


def run(
    net: Net,
    test_net: Net,
    solver_of: Callable[[int], Solver],
    about: str | None,
    write: Callable[[mochac.Program, np.ndarray, int, np.random.Generator], np.ndarray] = sample,
) -> None:
    """Train by the command line's arguments, test, and write some text."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--sample", type=int, default=200)
    args = parser.parse_args()
    program = mochac.compile(net, threads=args.threads)
    test = mochac.compile(test_net, params=program.params, threads=args.threads)
    solver = solver_of(args.iterations)
    solver.add_coffee_break(TrainingSummary(), every_n_iter=100)
    solver.add_coffee_break(ValidationPerformance(test), every_n_iter=500)
    program.train(solver)
    print(f"validation loss {test.evaluate()['loss']:.4f}")
    text = write(program, parts[1][:CONTEXT], args.sample, np.random.default_rng(2))
    print("".join(characters[int(n)] for n in text))


if __name__ == "__main__":
    run(net, test_net, training, __doc__)
