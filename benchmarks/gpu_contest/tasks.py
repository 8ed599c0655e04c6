"""The nets of the contest, and their random batches; each contender builds them in its own way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

LR, MOMENTUM = 0.01, 0.9


@dataclass(frozen=True)
class Task:
    """One net at one batch size. `kind`: "lenet", "cifar" or "mlp"; `hidden`: widths of an MLP's hidden layers."""

    name: str
    kind: str
    batch: int
    shape: tuple[int, ...]
    hidden: tuple[int, ...] = ()
    classes: int = 10

    def data(self, n_batches: int = 16) -> tuple[np.ndarray, np.ndarray]:
        """Images or features, and class indices."""
        rng = np.random.default_rng(3)
        n = n_batches * self.batch
        x = rng.standard_normal((n, *self.shape), np.float32)
        return x, rng.integers(0, self.classes, n)


TASKS = {
    task.name: task
    for task in (
        Task("lenet-64", "lenet", 64, (1, 28, 28)),
        Task("cifar-100", "cifar", 100, (3, 32, 32)),
        Task("mlp-64", "mlp", 64, (784,), (1200, 1200)),
        Task("tiny-mlp-16", "mlp", 16, (16,), (32,)),
        Task("lenet-1024", "lenet", 1024, (1, 28, 28)),
        Task("cifar-1024", "cifar", 1024, (3, 32, 32)),
    )
}
