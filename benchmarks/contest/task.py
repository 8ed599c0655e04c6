"""The LeNet training step as plain numbers: initial weights, batches and settings that every contender gets.

Contenders read it. It knows no framework.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

BATCH = 64
LR, MOMENTUM, REGU_COEF = 0.01, 0.9, 0.0005
WEIGHT_DECAY = 2 * REGU_COEF
"""Mocha's L2: gradient += 2 * coefficient * regu_coef * w, on weights; biases have none, and twice the rate."""
BIAS_RATE = 2.0
SHAPES = {
    "conv1": (20, 1, 5, 5),
    "conv2": (50, 20, 5, 5),
    "ip1": (500, 800),
    "ip2": (10, 500),
}
STEP_FLOPS = 2 * BATCH * (2 * 20 * 24 * 24 * 25 + 3 * 50 * 8 * 8 * 500 + 3 * 500 * 800 + 3 * 10 * 500)
"""Multiplications and additions of a step's contractions: forward, and gradients that are needed (conv1 has no dx)."""

Weights = dict[str, np.ndarray]


@dataclass(frozen=True)
class Task:
    """Weights by "layer.weight" and "layer.bias"; images (N, 1, 28, 28) and class numbers (N,), N whole batches."""

    weights: Weights = field(default_factory=lambda: _weights())
    images: np.ndarray = field(default_factory=lambda: _images())
    labels: np.ndarray = field(default_factory=lambda: _labels())

    @property
    def n_batches(self) -> int:
        """Batches until the data begins anew."""
        return len(self.images) // BATCH

    def batch(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Images and class numbers of step k."""
        at = slice((k % self.n_batches) * BATCH, (k % self.n_batches + 1) * BATCH)
        return self.images[at], self.labels[at]


N_SAMPLES = 16 * BATCH


def _weights() -> Weights:
    """Uniform with variance 1 / fan-in, as Xavier's; zero biases would hide their gradients' mistakes."""
    rng = np.random.default_rng(1)
    found = {}
    for name, shape in SHAPES.items():
        limit = np.sqrt(3 / np.prod(shape[1:]))
        found[f"{name}.weight"] = rng.uniform(-limit, limit, shape).astype(np.float32)
        found[f"{name}.bias"] = rng.uniform(-0.1, 0.1, shape[:1]).astype(np.float32)
    return found


def _images() -> np.ndarray:
    return np.random.default_rng(2).random((N_SAMPLES, 1, 28, 28), np.float32)


def _labels() -> np.ndarray:
    return np.random.default_rng(3).integers(0, 10, N_SAMPLES)
