"""Read a clock: the classes lie on a circle, and a near miss should cost less than a far one.

    python wasserstein.py
    python wasserstein.py --noise 0.5      # half of the labels moved by one to three places
    mochac explain wasserstein.py

Each image shows the hand of a clock with 24 places, with noise. The same net is trained twice: with the cross entropy,
for which all wrong places are equally wrong, and with WassersteinLossLayer, whose M holds the distance between any two
places. The script draws the data.
"""

from __future__ import annotations

import argparse

import numpy as np

import mochac
from mochac import *

PLACES, SIDE, GRAIN = 24, 12, 0.5
around = np.abs(np.arange(PLACES)[:, None] - np.arange(PLACES))
AROUND = np.minimum(around, PLACES - around)
"""Number of places between two places, the short way round."""


def clocks(n: int, noise: float, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Images (n, 1, SIDE, SIDE), labels as distributions (n, PLACES), and the true places (n,)."""
    rng = np.random.default_rng(seed)
    place = rng.integers(0, PLACES, n)
    angle = 2 * np.pi * (place + rng.uniform(-0.5, 0.5, n))[:, None, None] / PLACES
    y, x = np.mgrid[:SIDE, :SIDE] - (SIDE - 1) / 2
    along, across = x * np.sin(angle) - y * np.cos(angle), x * np.cos(angle) + y * np.sin(angle)
    hand = np.exp(-(across**2)) * (along > 0) * (along < SIDE / 2)
    moved = rng.choice([-3, -2, -1, 1, 2, 3], n) * (rng.random(n) < noise)
    images = hand + rng.normal(0, GRAIN, hand.shape)
    return images[:, None].astype(np.float32), np.eye(PLACES)[(place + moved) % PLACES], place


def nets(images: np.ndarray, label: np.ndarray, lambda_: float) -> dict[str, Net]:
    """Return one net per loss, with the same layers otherwise."""
    data = MemoryDataLayer(data=[images, label], batch_size=64, shuffle=True)
    hidden = InnerProductLayer(name="hidden", output_dim=64, neuron=Neurons.ReLU(), bottoms=["data"])
    scores = InnerProductLayer(name="scores", output_dim=PLACES, bottoms=["hidden"])
    belief = SoftmaxLayer(name="belief", bottoms=["scores"])
    cost = AROUND / AROUND.max()
    losses = {
        "cross entropy": SoftlabelSoftmaxLossLayer(name="loss", bottoms=["scores", "label"]),
        "Wasserstein": WassersteinLossLayer(name="loss", bottoms=["belief", "label"], M=cost, lambda_=lambda_),
    }
    return {name: Net(name.replace(" ", "-"), [data, hidden, scores, belief, loss]) for name, loss in losses.items()}


def judged(belief: np.ndarray, place: np.ndarray) -> tuple[float, float, float]:
    """Return the share of exact readings, the mean error in places, and the share of errors above three places."""
    off = AROUND[belief.argmax(axis=1), place]
    return float(np.mean(off == 0)), float(off.mean()), float(np.mean(off > 3))


net = nets(*clocks(64, 0.0, seed=0)[:2], lambda_=50.0)["Wasserstein"]


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare cross entropy and Wasserstein loss at reading a clock.")
    parser.add_argument("--max-iter", type=int, default=1500)
    parser.add_argument("--samples", type=int, default=600, help="training images")
    parser.add_argument(
        "--noise", type=float, default=0.0, help="share of training labels that are wrong by 1 to 3 places"
    )
    parser.add_argument("--lambda", type=float, default=50.0, dest="lambda_")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    images, label, _ = clocks(args.samples, args.noise, seed=2 * args.seed + 1)
    unseen, _, place = clocks(4000, 0.0, seed=2 * args.seed + 2)
    print(f"{'trained with':13}  exact  places off  off by > 3")
    for name, made in nets(images, label, args.lambda_).items():
        with mochac.compile(made, seed=args.seed) as program:
            program.train(Adam(0.002), max_iter=args.max_iter, regu_coef=0.0)
            exact, off, far = judged(program.predict(unseen, "belief"), place)
        print(f"{name:13}  {exact:5.1%}  {off:10.2f}  {far:10.1%}")


if __name__ == "__main__":
    main()
