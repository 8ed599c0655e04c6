"""Initial values of parameters: constants, Xavier and similar, Gaussian, orthogonal, none.

`fill` takes a random generator that depends on the seed of the program and the key of the parameter, so adding a layer
does not change the initial values of other layers.
"""

from __future__ import annotations

import math
from functools import reduce
from typing import NamedTuple

import numpy as np

from mochac.base.records import option
from mochac.base.rules import Rule, real
from mochac.ir.op import OpTypeError
from mochac.nets.layers.config import Config, config
from mochac.nets.layers.fields import instance

WIDTH = 32
"""Columns that stay in cache while their components along earlier columns are subtracted."""


def orthonormal(matrix: np.ndarray) -> np.ndarray:
    """The factor Q of matrix = Q R for which R has a positive diagonal, by the modified Gram-Schmidt process.

    Every sum goes from the first row to the last, which neither LAPACK nor BLAS promises: C libraries (clib) compute
    the same numbers in two loops.

    Args:
        matrix: (m, n) of rank n, float64.

    Source: Björck 1967, "Solving linear least squares problems by Gram-Schmidt orthogonalization".

    >>> q = orthonormal(np.array([[3.0, 1.0], [4.0, 2.0]]))
    >>> q[:, 0].tolist(), bool(np.allclose(q.T @ q, np.eye(2)))
    ([0.6, 0.8], True)
    """
    m, n = matrix.shape
    done = np.empty((n, m))  # a column of Q in each row
    for first in range(0, n, WIDTH):
        width = min(WIDTH, n - first)
        panel = np.zeros((m, WIDTH))
        panel[:, :width] = matrix[:, first : first + width]
        for column in done[:first]:
            _take_away(column, panel)
        for k in range(width):
            length = np.sqrt(np.add.accumulate(panel[:, k] * panel[:, k])[-1])
            done[first + k] = panel[:, k] / length
            _take_away(done[first + k], panel)
    return done.T


def _take_away(column: np.ndarray, panel: np.ndarray) -> None:
    """Subtract from the columns of a panel their components along a column of length 1."""
    products = column[:, None] * panel
    shares = np.add.reduce(products, axis=0)  # row by row, since a row holds more than one number
    panel -= np.multiply(column[:, None], shares, out=products)


class Distribution(NamedTuple):
    """How a parameter is drawn: as independent numbers, "uniform" on [-scale, scale) or "normal" with this mean and
    standard deviation `scale`; as `scale` times an "orthogonal" matrix (out, fan_in); or not at random, all "constant"
    `mean`, or "given" `values`, the same for all leading axes that these lack."""

    kind: str
    mean: float = 0.0
    scale: float = 0.0
    values: np.ndarray | None = None

    @property
    def lowest(self) -> float:
        """The smallest number that may be drawn."""
        match self.kind:
            case "uniform" | "orthogonal":
                return -abs(self.scale)
            case "normal":
                return -math.inf if self.scale else self.mean
            case "given" if self.values is not None:
                return float(np.min(self.values, initial=math.inf))
            case _:
                return self.mean

    def drawn(self, shape: tuple[int, ...], dtype: np.dtype, generator: np.random.Generator) -> np.ndarray:
        """An array of random numbers, drawn in float64 and rounded."""
        match self.kind:
            case "uniform":
                return generator.uniform(-self.scale, self.scale, shape).astype(dtype)
            case "normal":
                return (self.mean + self.scale * generator.standard_normal(shape)).astype(dtype)
            case "orthogonal":
                rows, columns = shape[0], math.prod(shape[1:])
                q = orthonormal(generator.standard_normal((max(rows, columns), min(rows, columns))))
                return (self.scale * (q if rows >= columns else q.T)).reshape(shape).astype(dtype)
            case "given" if self.values is not None:
                return np.broadcast_to(self.values, shape).astype(dtype)
            case _:
                return np.full(shape, self.mean, dtype)


class Initializer(Config):
    """Base class of initializers, which have a `distribution` or a `fill` of their own."""

    def distribution(self, shape: tuple[int, ...]) -> Distribution | None:
        """How a parameter of this shape is drawn, in Python and in C libraries. None, the default: only `fill`
        knows."""
        return None

    def check(self, shape: tuple[int, ...]) -> None:
        """Raise OpTypeError if it cannot initialize a parameter of this shape."""

    def fill(self, shape: tuple[int, ...], dtype: np.dtype, generator: np.random.Generator) -> np.ndarray:
        """A new array of initial values.

        Args:
            shape: (out, ...), of the parameter.
            dtype: float32 or float64; random numbers are drawn in float64 and rounded.
            generator: of random numbers.
        """
        how = self.distribution(shape)
        if how is None:
            raise NotImplementedError
        return how.drawn(shape, dtype, generator)


@config
class NullInitializer(Initializer):
    """Zeros, for a parameter that is loaded or set before it is used."""

    def distribution(self, shape: tuple[int, ...]) -> Distribution:
        return Distribution("constant")


@config
class ConstantInitializer(Initializer):
    """All elements are `value`.

    >>> ConstantInitializer(0.5).fill((2,), np.dtype("f4"), np.random.default_rng(0))
    array([0.5, 0.5], dtype=float32)
    """

    value: float = option(real(), default=0.0)

    def distribution(self, shape: tuple[int, ...]) -> Distribution:
        return Distribution("constant", self.value)


@config
class XavierInitializer(Initializer):
    """Uniform on [-s, s) with s = sqrt(3 / fan_in), where fan_in is the product of all extents but the first (1 for
    vectors).

    Source: Glorot and Bengio 2010, in the form of Mocha.jl src/initializers.jl, which ignores fan_out.

    >>> w = XavierInitializer().fill((4, 3), np.dtype("f4"), np.random.default_rng(0))
    >>> w.shape, bool(abs(w).max() <= 1)
    ((4, 3), True)
    """

    def distribution(self, shape: tuple[int, ...]) -> Distribution:
        return Distribution("uniform", scale=math.sqrt(3.0 / max(1, math.prod(shape[1:]))))


@config
class GaussianInitializer(Initializer):
    """Normal with the given mean and standard deviation.

    >>> GaussianInitializer(mean=1, std=0).fill((2,), np.dtype("f8"), np.random.default_rng(0))
    array([1., 1.])
    """

    mean: float = option(real(), default=0.0)
    std: float = option(real(0), default=1.0)

    def distribution(self, shape: tuple[int, ...]) -> Distribution:
        return Distribution("normal", self.mean, self.std)


def fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """(fan_in, fan_out): the number of inputs of an output, and of outputs of an input.

    >>> fans((500, 800)), fans((20, 3, 5, 5)), fans((400,))
    ((800, 500), (75, 500), (1, 400))
    """
    return math.prod(shape[1:]), math.prod((*shape[:1], *shape[2:]))


@config
class BilinearInitializer(Initializer):
    """Weights of linear interpolation, for the filter of a DeconvolutionLayer that enlarges images.

        w[.., i] = 1 - |i / f - c|,  f = ceil(kernel / 2),  c = (2f - 1 - f mod 2) / (2f)

    along each spatial axis, multiplied; the same for all channels. To enlarge f times: kernel = 2f - f mod 2,
    stride = f, pad = ceil((f - 1) / 2), n_group = n_filter = channels. Source: Caffe's BilinearFiller (filler.hpp),
    here for any number of axes, which need not be equally long.

    >>> BilinearInitializer().fill((1, 1, 4), np.dtype("f4"), np.random.default_rng(0))
    array([[[0.25, 0.75, 0.75, 0.25]]], dtype=float32)
    """

    def check(self, shape: tuple[int, ...]) -> None:
        if len(shape) < 3:
            raise OpTypeError("BilinearInitializer is for filters", "(filters, channels, ...)", str(shape))

    def distribution(self, shape: tuple[int, ...]) -> Distribution:
        return Distribution("given", values=reduce(np.multiply.outer, map(_hat, shape[2:])))


def _hat(kernel: int) -> np.ndarray:
    """Weights of linear interpolation along one axis."""
    factor = -(-kernel // 2)
    centre = (2 * factor - 1 - factor % 2) / (2 * factor)
    return 1 - np.abs(np.arange(kernel) / factor - centre)


@config
class ZeroInitializer(Initializer):
    """Zeros, as in Slugnet's Zero."""

    def distribution(self, shape: tuple[int, ...]) -> Distribution:
        return Distribution("constant")


@config
class OneInitializer(Initializer):
    """Ones, as in Slugnet's One."""

    def distribution(self, shape: tuple[int, ...]) -> Distribution:
        return Distribution("constant", 1.0)


@config
class UniformInitializer(Initializer):
    """Uniform on [-scale, scale), as in Slugnet's Uniform."""

    scale: float = option(real(0), default=0.05)

    def distribution(self, shape: tuple[int, ...]) -> Distribution:
        return Distribution("uniform", scale=self.scale)


@config
class NormalInitializer(Initializer):
    """Normal with mean 0 and standard deviation `scale`, as in Slugnet's Normal."""

    scale: float = option(real(0), default=0.01)

    def distribution(self, shape: tuple[int, ...]) -> Distribution:
        return Distribution("normal", scale=self.scale)


def uniform(variance: float) -> Distribution:
    """Uniform random numbers around 0."""
    return Distribution("uniform", scale=math.sqrt(3.0 * variance))


def normal(variance: float) -> Distribution:
    """Normal random numbers around 0."""
    return Distribution("normal", scale=math.sqrt(variance))


@config
class LeCunUniformInitializer(Initializer):
    """Uniform on [-s, s), s = sqrt(3 / fan_in). Source: LeCun et al. 1998, "Efficient BackProp", section 4.6."""

    def distribution(self, shape: tuple[int, ...]) -> Distribution:
        return uniform(1.0 / fans(shape)[0])


@config
class LeCunNormalInitializer(Initializer):
    """Normal with variance 1 / fan_in. Source: LeCun et al. 1998, "Efficient BackProp", section 4.6."""

    def distribution(self, shape: tuple[int, ...]) -> Distribution:
        return normal(1.0 / fans(shape)[0])


@config
class GlorotUniformInitializer(Initializer):
    """Uniform on [-s, s), s = sqrt(6 / (fan_in + fan_out)). Source: Glorot and Bengio 2010, equation 16.

    The fans of a filter (filters, channels, height, width) are channels * height * width and filters * height * width.
    """

    def distribution(self, shape: tuple[int, ...]) -> Distribution:
        return uniform(2.0 / sum(fans(shape)))


@config
class GlorotNormalInitializer(Initializer):
    """Normal with variance 2 / (fan_in + fan_out). Source: Glorot and Bengio 2010, equation 12."""

    def distribution(self, shape: tuple[int, ...]) -> Distribution:
        return normal(2.0 / sum(fans(shape)))


@config
class HeUniformInitializer(Initializer):
    """Uniform on [-s, s), s = sqrt(6 / fan_in), for ReLU. Source: He et al. 2015, arXiv:1502.01852."""

    def distribution(self, shape: tuple[int, ...]) -> Distribution:
        return uniform(2.0 / fans(shape)[0])


@config
class HeNormalInitializer(Initializer):
    """Normal with variance 2 / fan_in, for ReLU. Source: He et al. 2015, arXiv:1502.01852, equation 10."""

    def distribution(self, shape: tuple[int, ...]) -> Distribution:
        return normal(2.0 / fans(shape)[0])


@config
class OrthogonalInitializer(Initializer):
    """gain times a random matrix with orthonormal rows or columns, whichever are fewer.

    The parameter is flattened to (out, fan_in): W W^T = gain^2 I if out <= fan_in, else W^T W = gain^2 I. It must have
    at least 2 axes. Every rotation is equally likely (Mezzadri 2007). Source: Saxe, McClelland and Ganguli 2014
    (arXiv:1312.6120); Mocha.jl src/initializers.jl supports only tall matrices.

    >>> w = OrthogonalInitializer(2.0).fill((3, 2, 2, 2), np.dtype("f8"), np.random.default_rng(0)).reshape(3, 8)
    >>> bool(np.allclose(w @ w.T, 4 * np.eye(3)))
    True
    """

    gain: float = option(real(), default=1.0)

    def check(self, shape: tuple[int, ...]) -> None:
        if len(shape) < 2:
            raise OpTypeError("OrthogonalInitializer is for parameters of 2 axes or more", "2 axes", str(shape))

    def distribution(self, shape: tuple[int, ...]) -> Distribution:
        return Distribution("orthogonal", scale=self.gain)


def initializer(example: Initializer | None = None, text: str = "XavierInitializer()") -> Rule:
    """Field rule: an initializer; `text` is `example` as messages show it."""
    return instance(Initializer, f"an initializer such as {text}", example or XavierInitializer())
