"""Initializers for Caffe's nets: sparse and asymmetric fillers, and values loaded from a model file."""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.base.records import record
from mochac.ir.op import OpTypeError
from mochac.nets.layers.config import config
from mochac.nets.layers.fields import instance, integer, option, real, text
from mochac.nets.layers.initializers import Initializer
from mochac.runtime.data.model_file import fitted, same_extents


@config
class SparseGaussian(Initializer):
    """Normally distributed numbers, of which about `nonzero` per output are kept, and the others set to zero.

    An element is kept with probability nonzero / (number of outputs), as in Caffe's filler.hpp.
    """

    mean: float = option(real(), default=0.0)
    std: float = option(real(0), default=1.0)
    nonzero: int = option(integer(0), default=1)

    def fill(self, shape: tuple[int, ...], dtype: np.dtype, generator: np.random.Generator) -> np.ndarray:
        kept = generator.uniform(size=shape) < self.nonzero / shape[0]
        return np.where(kept, self.mean + self.std * generator.standard_normal(shape), 0.0).astype(dtype)


@config
class UniformBetween(Initializer):
    """Uniform on [low, high)."""

    low: float = option(real(), default=0.0)
    high: float = option(real(), default=1.0)

    def fill(self, shape: tuple[int, ...], dtype: np.dtype, generator: np.random.Generator) -> np.ndarray:
        return generator.uniform(self.low, self.high, shape).astype(dtype)


@record(eq=False)
class Weights:
    """The parameters of a model file by "layer___param"."""

    path: str
    arrays: dict[str, np.ndarray]


@config
class Loaded(Initializer):
    """The parameter `name` of a model file."""

    weights: Any = option(instance(Weights, "a model file's weights", Weights("", {})), repr=False)
    name: str = option(text())

    def check(self, shape: tuple[int, ...]) -> None:
        """Refuse a parameter of another shape."""
        got = self.weights.arrays[self.name].shape
        if not same_extents(got, shape):
            raise OpTypeError(f"{self.weights.path}: {self.name} has another shape", str(shape), str(got))

    def fill(self, shape: tuple[int, ...], dtype: np.dtype, generator: np.random.Generator) -> np.ndarray:
        return fitted(self.weights.path, self.name, self.weights.arrays[self.name], shape, dtype).copy()
