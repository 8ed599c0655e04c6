"""A perceptron of five tanh layers on a table of numbers: signal or background, as in particle physics' HIGGS data.

    python tabular.py                   # less than a minute; the data are drawn, nothing is downloaded
    python torch_twin.py                # samples per second beside PyTorch's, in turns
    mochac explain tabular.py           # what the compiler made of it

A sample has 28 columns, as in HIGGS: 21 measured ones, and 7 that a physicist would compute from them. The mochac
command looks for `net` and `solver` in a file.
"""

from __future__ import annotations

import argparse

import numpy as np

import mochac
from mochac import *

COLUMNS, WIDTH, BATCH = 28, 300, 100
SEED = 1


def drawn(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """`n` samples and their labels, 0 or 1: the momenta of seven particles, and masses of pairs, which decide."""
    rng = np.random.default_rng(seed)
    measured = rng.standard_normal((n, 7, 3))
    partners = measured[:, [1, 2, 3, 4, 5, 6, 0]]
    masses = np.sqrt(np.sum((measured + partners) ** 2, axis=2))
    signal = np.tanh(masses[:, 0] * masses[:, 2] - masses[:, 3] ** 2) + np.sin(2 * masses[:, 5]) - masses[:, 6] / 3
    label = signal + 0.3 * rng.standard_normal(n) > -0.5
    blurred = masses + 0.5 * rng.standard_normal(masses.shape)  # so that the measured columns say more
    return np.concatenate([measured.reshape(n, -1), blurred], axis=1).astype(np.float32), label.astype(np.int64)


def data(samples: int, seed: int = 0) -> MemoryDataLayer:
    """A data layer of drawn samples."""
    return MemoryDataLayer(name="table", data=list(drawn(samples, seed)), batch_size=BATCH, shuffle=True)


hidden = [
    InnerProductLayer(name=f"ip{k}", output_dim=WIDTH, neuron=Neurons.Tanh(), bottoms=[below])
    for k, below in enumerate(("data", "ip1", "ip2", "ip3", "ip4"), 1)
]
logit = InnerProductLayer(name="logit", output_dim=1, bottoms=["ip5"])
loss = BinaryCrossEntropyLossLayer(name="loss", bottoms=["logit", "label"], logits=True)
accuracy = BinaryAccuracyLayer(name="accuracy", bottoms=["logit", "label"])

net = Net("tabular", [data(10_000), *hidden, logit, loss])
method = SGD(LRPolicy.Exp(0.05, 0.9998), momentum=0.9)
solver = Solver(method, max_iter=10_000, regu_coef=1e-5)


def train(samples: int, max_iter: int, threads: int | None) -> tuple[float, float]:
    """Train on drawn samples; return the accuracy on others, and how many samples a second were trained."""
    solver.max_iter = max_iter
    train_net = Net("tabular-train", [data(samples), *hidden, logit, loss])
    test_net = Net("tabular-test", [data(20_000, seed=1).replace(shuffle=False), *hidden, logit, accuracy])
    with (
        mochac.compile(train_net, seed=SEED, threads=threads) as program,
        mochac.compile(test_net, params=program.params, threads=threads) as test,
    ):
        solver.add_coffee_break(TrainingSummary(), every_n_iter=max(1, max_iter // 10))
        lounge = program.train(solver)
        return test.evaluate()["accuracy-accuracy"], max_iter * BATCH / lounge.trained_s


def main() -> None:
    parser = argparse.ArgumentParser(description="Five layers of tanh on a table of numbers.")
    parser.add_argument("--samples", type=int, default=200_000, help="to train on")
    parser.add_argument("--max-iter", type=int, default=10_000, help="iteration to stop at")
    parser.add_argument("--threads", type=int, help="default: all")
    args = parser.parse_args()
    share, speed = train(args.samples, args.max_iter, args.threads)
    print(f"test accuracy {share:.2%}, {speed:,.0f} samples/s")


if __name__ == "__main__":
    main()
