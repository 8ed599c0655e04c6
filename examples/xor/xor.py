"""XOR, the smallest problem that no linear model can solve, as in Slugnet's tests.

    python xor.py

Two hidden units would be enough; with eight, training finds the solution from almost any start. The four points are the
whole dataset, so nothing is held out for validation.
"""

from __future__ import annotations

import argparse

import numpy as np

from mochac import *

POINTS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.float32)
XOR = np.array([[0], [1], [1], [0]])


def trained(n_epoch: int, seed: int) -> Model:
    """Train a net with one hidden layer; its last layer is a sigmoid that outputs a probability."""
    model = Model(lr=0.5, n_epoch=n_epoch, batch_size=4, validation_split=0, progress=False, seed=seed)
    model.add_layer(InnerProductLayer(name="hidden", output_dim=8, neuron=Neurons.Tanh()))
    model.add_layer(InnerProductLayer(name="probability", output_dim=1, neuron=Neurons.Sigmoid()))
    metrics = model.fit(POINTS, XOR)
    print(f"after {n_epoch} epochs: loss {metrics['train']['loss']:.4f}, accuracy {metrics['train']['accuracy']:.0%}")
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description="XOR with Slugnet's Model.")
    parser.add_argument("--epochs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    model = trained(args.epochs, args.seed)
    for point, p in zip(POINTS.astype(int).tolist(), model.transform(POINTS)[:, 0], strict=True):
        print(f"{point[0]} xor {point[1]}: {p:.3f}")


if __name__ == "__main__":
    main()
