"""Initial values of parameters: constant, Xavier, Gaussian, none.

Parameters name one; the parameter store calls `fill` with a generator derived from the program's seed and the
parameter's key, so that adding a layer changes no other layer's weights. It knows no store and no seed.
"""

from __future__ import annotations

import math

import numpy as np

from mochac.layers.config import Config, config
from mochac.layers.fields import option, real


class Initializer(Config):
    """Base of initializers."""

    def fill(self, shape: tuple[int, ...], dtype: np.dtype, generator: np.random.Generator) -> np.ndarray:
        """A new array of initial values.

        Args:
            shape: (out, ...) as the parameter is stored.
            dtype: float32 or float64; numbers are drawn in float64 and rounded.
            generator: source of random numbers; not used by constants.
        """
        raise NotImplementedError


@config
class NullInitializer(Initializer):
    """No initial value: the parameter is loaded or set before it is used; zeros until then."""

    def fill(self, shape: tuple[int, ...], dtype: np.dtype, generator: np.random.Generator) -> np.ndarray:
        return np.zeros(shape, dtype)


@config
class ConstantInitializer(Initializer):
    """Every element is `value`.

    >>> ConstantInitializer(0.5).fill((2,), np.dtype("f4"), np.random.default_rng(0))
    array([0.5, 0.5], dtype=float32)
    """

    value: float = option(real(), default=0.0)

    def fill(self, shape: tuple[int, ...], dtype: np.dtype, generator: np.random.Generator) -> np.ndarray:
        return np.full(shape, self.value, dtype)


@config
class XavierInitializer(Initializer):
    """Uniform on [-s, s) with s = sqrt(3 / fan_in), fan_in = product of all extents but the first (1 for vectors).

    Source: Glorot and Bengio 2010, in the form of Mocha.jl src/initializers.jl, which ignores fan_out.

    >>> w = XavierInitializer().fill((4, 3), np.dtype("f4"), np.random.default_rng(0))
    >>> w.shape, bool(abs(w).max() <= 1)
    ((4, 3), True)
    """

    def fill(self, shape: tuple[int, ...], dtype: np.dtype, generator: np.random.Generator) -> np.ndarray:
        scale = math.sqrt(3.0 / max(1, math.prod(shape[1:])))
        return generator.uniform(-scale, scale, shape).astype(dtype)


@config
class GaussianInitializer(Initializer):
    """Normal with the given mean and standard deviation.

    >>> GaussianInitializer(mean=1, std=0).fill((2,), np.dtype("f8"), np.random.default_rng(0))
    array([1., 1.])
    """

    mean: float = option(real(), default=0.0)
    std: float = option(real(0), default=1.0)

    def fill(self, shape: tuple[int, ...], dtype: np.dtype, generator: np.random.Generator) -> np.ndarray:
        return (self.mean + self.std * generator.standard_normal(shape)).astype(dtype)
