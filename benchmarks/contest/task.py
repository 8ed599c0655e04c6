"""Task: a net, its loss and its solver as plain data, and the numbers that every contender gets.

Files of tasks/ define one each under the name TASK; `task(name)` finds it. It knows no framework.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from math import prod

import numpy as np

from contest.layers import LRN, Layer, Norm, Shape

Arrays = dict[str, np.ndarray]
N_BATCHES = 16


@dataclass(frozen=True)
class SGD:
    """v <- momentum v - lr rate (g + decay w), w <- w + v; biases have `bias_rate` and no decay, as Mocha's."""

    lr: float
    momentum: float = 0.9
    decay: float = 0.0
    bias_rate: float = 2.0


@dataclass(frozen=True)
class Data:
    """Weights by "layer.weight" and "layer.bias"; samples (N, ...); class indices (N,) or None. N: whole batches."""

    weights: Arrays
    inputs: np.ndarray
    labels: np.ndarray | None
    batch_size: int

    @property
    def n_batches(self) -> int:
        """Batches until the data begins anew."""
        return len(self.inputs) // self.batch_size

    def batch(self, k: int) -> tuple[np.ndarray, np.ndarray | None]:
        """Samples and class indices of step k."""
        start = (k % self.n_batches) * self.batch_size
        at = slice(start, start + self.batch_size)
        return self.inputs[at], None if self.labels is None else self.labels[at]


@dataclass(frozen=True)
class Task:
    """One net.

    Attributes:
        name, title: of files and commands; of tables.
        shape: of one sample.
        loss: "softmax", cross entropy of class indices, of a sequence one for each position; "logistic", that of a
            single logit and labels 0 and 1; or "square", half the squared distance from the input. All are means over
            the batch.
        vocabulary: samples are ids, 0 .. vocabulary - 1; 0: they are real.
    """

    name: str
    title: str
    batch: int
    shape: Shape
    layers: tuple[Layer, ...]
    sgd: SGD
    loss: str = "softmax"
    vocabulary: int = 0

    @property
    def shapes(self) -> list[Shape]:
        """What each layer is given, and behind it what the last one gives."""
        found = [self.shape]
        for layer in self.layers:
            found.append(layer.output(found[-1]))
        return found

    @property
    def params(self) -> dict[str, Shape]:
        """Shapes by "layer.weight", "layer.bias"; of recurrent layers "layer.weight_x" and so on."""
        pairs = zip(self.layers, self.shapes, strict=False)
        return {f"{a.name}.{kind}": shape for a, x in pairs for kind, shape in a.params(x).items()}

    @property
    def images(self) -> bool:
        """Whether samples have channels, height and width."""
        return len(self.shape) == 3

    @property
    def sensitive(self) -> bool:
        """Whether rounding errors grow from step to step: normalized gradients are differences of nearly equal sums."""
        return any(isinstance(layer, (Norm, LRN)) for layer in self.layers)

    def forward_flops(self, batch: int | None = None) -> int:
        """Multiplications and additions of the contractions, forward."""
        return 2 * (batch or self.batch) * sum(a.macs(x) for a, x in zip(self.layers, self.shapes, strict=False))

    @property
    def step_flops(self) -> int:
        """Those of a training step: forward, and both gradients but for the first layer's input."""
        return 3 * self.forward_flops() - 2 * self.batch * self.layers[0].input_macs(self.shape)

    def data(self, dtype: str = "float32") -> Data:
        """The same numbers every time, of single precision in any dtype."""
        n = N_BATCHES * self.batch
        rng, last = np.random.default_rng(2), self.shapes[-1]
        inputs = rng.random((n, *self.shape), np.float32).astype(dtype)
        if self.vocabulary:
            inputs = rng.integers(0, self.vocabulary, inputs.shape).astype(dtype)
        classes = max(2, last[-1] if self.vocabulary else prod(last))
        each = (n, *last[:-1]) if self.vocabulary else n
        labels = None if self.loss == "square" else np.random.default_rng(3).integers(0, classes, each)
        weights = {name: w.astype(dtype) for name, w in _weights(self.params).items()}
        return Data(weights, inputs, labels, self.batch)


def _weights(shapes: dict[str, Shape]) -> Arrays:
    """Uniform with variance 1 / fan-in, as Xavier's; scales near 1; biases of zero would hide mistakes."""
    rng = np.random.default_rng(1)
    found = {}
    for name, shape in shapes.items():
        limit = float(np.sqrt(3 / prod(shape[1:]))) if len(shape) > 1 else 0.1
        scale = len(shape) == 1 and name.endswith("weight")
        found[name] = (rng.uniform(-limit, limit, shape) + scale).astype(np.float32)
    return found


def names() -> list[str]:
    """Of the files in tasks/."""
    from contest import tasks

    return sorted(found.name for found in pkgutil.iter_modules(tasks.__path__))


def task(name: str) -> Task:
    """The task of tasks/NAME.py."""
    return importlib.import_module(f"contest.tasks.{name}").TASK
