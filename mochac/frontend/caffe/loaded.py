"""Initial values from a model file, so that a net imported with its weights has them wherever it is compiled.

params.py puts Loaded where a filler would be. It knows arrays by "layer___param" and no net.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mochac.ir.op import OpTypeError
from mochac.layers.config import config
from mochac.layers.fields import instance, option, text
from mochac.layers.initializers import Initializer
from mochac.runtime.model_file import fitted, same_extents


@dataclass(frozen=True, eq=False)
class Weights:
    """A model file's parameters by "layer___param"."""

    path: str
    arrays: dict[str, np.ndarray]


@config
class Loaded(Initializer):
    """The parameter `name` of a model file."""

    weights: Any = option(instance(Weights, "a model file's weights", Weights("", {})), repr=False)
    name: str = option(text())

    def check(self, shape: tuple[int, ...]) -> None:
        """Refuse a net that the file does not fit."""
        got = self.weights.arrays[self.name].shape
        if not same_extents(got, shape):
            raise OpTypeError(f"{self.weights.path}: {self.name} has another shape", str(shape), str(got))

    def fill(self, shape: tuple[int, ...], dtype: np.dtype, generator: np.random.Generator) -> np.ndarray:
        return fitted(self.weights.path, self.name, self.weights.arrays[self.name], shape, dtype).copy()
