"""Winograd's minimal filtering: a correlation with r taps along an axis, m results at a time, by m + r - 1 products.

    F(m, r):  y = A' ((G w) * (B' x)),  with x of a = m + r - 1 cells, w of r taps, y of m results; * element by element

This is Toom and Cook's algorithm: B' and G evaluate polynomials at a - 1 points and at infinity, A' interpolates
(S. Winograd, "Arithmetic Complexity of Computations", 1980; A. Lavin and S. Gray, "Fast Algorithms for Convolutional
Neural Networks", 2015). Along several axes, the matrices are applied to one axis after another. Gradients use the
transposed matrices: of a data gradient, which is a correlation with flipped filters, B', G and A' again; of a weight
gradient, w' = G' ((A y') * (B' x)).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import gcd, prod

import numpy as np

from mochac.base.records import record
from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder
from mochac.ir.op import OpTypeError
from mochac.ir.ops._typing import integer
from mochac.ir.ops._window import Sizes, loop_names, per_axis
from mochac.ir.types import TensorType

Matrix = tuple[tuple[Fraction, ...], ...]
Combination = Mapping[int, Fraction]
"""Coefficients of a sum, by the number of the value."""
POINTS = tuple(map(Fraction, ("0", "1", "-1", "2", "-1/2", "-2", "1/2")))
"""Points of evaluation, the first a - 1 of them. Small points and their inverses keep rounding errors small. Of five
points, 2 and -1/2 are better than a pair of opposite points, both for data around 0 and for data with a large mean
(docs/guide/performance.md)."""
MAX_CELLS = len(POINTS) + 1


@record
class Tiling:
    """Tiles of `tile` results for filters of `kernel` taps, with one number per spatial axis. An axis of one tap has
    tiles of one result, and nothing is done along it."""

    tile: Sizes
    kernel: Sizes

    @classmethod
    def of(cls, attrs: Mapping[str, object], axes: int) -> Tiling:
        """The tiling that a node's attributes describe.

        Raises:
            OpTypeError: sizes are not positive, or need more points than there are.
        """
        tiling = cls(*(per_axis(name, attrs[name], axes, 1) for name in ("tile", "kernel")))
        for m, r in zip(tiling.tile, tiling.kernel, strict=True):
            if m + r - 1 > MAX_CELLS or (r == 1 and m > 1):
                raise OpTypeError("a tile does not suit its filter", f"tile + kernel <= {MAX_CELLS + 1}", f"{m} + {r}")
        return tiling

    @property
    def cells(self) -> Sizes:
        """Cells of the image that a tile reads."""
        return tuple(m + r - 1 for m, r in zip(self.tile, self.kernel, strict=True))

    @property
    def products(self) -> int:
        """Products for a tile, for each channel and filter."""
        return prod(self.cells)

    def counts(self, out: Sequence[int]) -> Sizes:
        """Tiles along each axis of an image of results; the last may reach beyond it."""
        return tuple(-(-n // m) for n, m in zip(out, self.tile, strict=True))

    def matrices(self, name: str) -> tuple[Matrix, ...]:
        """The matrix "A", "B" or "G" for each axis; with "'" at the end of its name, transposed."""
        pairs = zip(self.tile, self.kernel, strict=True)
        found = [toom_cook(m, r)[name[0]] for m, r in pairs]
        return tuple(transposed(x) if name.endswith("'") else x for x in found)


@lru_cache(maxsize=64)
def toom_cook(m: int, r: int) -> dict[str, Matrix]:
    """The exact matrices A (a x m), B (a x a) and G (a x r) of F(m, r).

    Row j of B' has the coefficients of the product of all (x - p) but that of point j; row j of G evaluates a filter
    there and divides by that product at the point.

    >>> [list(map(int, row)) for row in transposed(toom_cook(2, 3)["A"])]
    [[1, 1, 1, 0], [0, 1, -1, 1]]
    """
    points = POINTS[: m + r - 2]
    one = Fraction(1)
    bt, g = [], []
    for j, p in enumerate(points):
        others = [q for i, q in enumerate(points) if i != j]
        bt.append((*_product(others), one * 0))
        whole = prod((p - q for q in others), start=one)
        g.append(tuple(p**i / whole for i in range(r)))
    bt.append(tuple(_product(points)))
    g.append(tuple(one if i == r - 1 else one * 0 for i in range(r)))
    a = (*(tuple(p**i for i in range(m)) for p in points), tuple(one if i == m - 1 else one * 0 for i in range(m)))
    return {"A": a, "B": transposed(tuple(bt)), "G": tuple(g)}


def _product(roots: Sequence[Fraction]) -> list[Fraction]:
    """The coefficients of the polynomial with these roots, lowest first."""
    found = [Fraction(1)]
    for p in roots:
        found = [b - p * a for a, b in zip([*found, Fraction(0)], [Fraction(0), *found], strict=True)]
    return found


def transposed(matrix: Matrix) -> Matrix:
    return tuple(zip(*matrix, strict=True))


def applied(matrices: Sequence[Matrix], x: np.ndarray, axes: Sequence[int]) -> np.ndarray:
    """The matrices applied to axes of an array, one after another; the reference of all transforms."""
    for matrix, axis in zip(matrices, axes, strict=True):
        dense = np.array([[float(c) for c in row] for row in matrix], x.dtype)
        x = np.moveaxis(np.tensordot(dense, x, axes=(1, axis)), 0, axis)
    return x


# -- code ----------------------------------------------------------------------------------------------------------


def write_transform(
    k: KernelBuilder,
    dtype: str,
    matrices: Sequence[Matrix],
    read: Callable[[tuple[Index, ...]], Operand],
    write: Callable[[tuple[Index, ...], Operand], None],
) -> None:
    """Write the code that applies matrices to a tile: a pass per axis, whose loops go over the tile's other axes.

    Args:
        read: the cell of the tile at an index.
        write: takes the result at an index.
    """
    sizes = [len(matrix[0]) for matrix in matrices]
    passes = [axis for axis, matrix in enumerate(matrices) if matrix != ((1,),)]
    for axis in passes:
        matrix, last = matrices[axis], axis == passes[-1]
        after = [len(matrix) if a == axis else n for a, n in enumerate(sizes)]
        local = "" if last else k.local("tile", dtype, shape=tuple(after))
        with _each_other(k, sizes, axis) as at:
            values = [read(at(i)) for i in range(sizes[axis])]
            for i, value in enumerate(_combined(k, dtype, matrix, values)):
                if last:
                    write(at(i), value)
                else:
                    k.set(local, value, *at(i))
        sizes = after
        read = _reader(k, local)


def _reader(k: KernelBuilder, local: str) -> Callable[[tuple[Index, ...]], Operand]:
    return lambda at: k.get(local, *at)


@contextmanager
def _each_other(k: KernelBuilder, sizes: Sequence[int], axis: int) -> Iterator[Callable[[int], tuple[Index, ...]]]:
    """Loops over all axes of a tile but one; yields the index at a number along that one."""
    with ExitStack() as stack:
        names = ("line", "column", "layer")
        found = [
            Index.of(0) if a == axis or n == 1 else stack.enter_context(k.each(names[a], n))
            for a, n in enumerate(sizes)
        ]
        yield lambda i: tuple(Index.of(i) if a == axis else x for a, x in enumerate(found))


def _combined(k: KernelBuilder, dtype: str, matrix: Matrix, values: Sequence[Operand]) -> list[Operand]:
    """The product of a matrix and a vector of values. What several rows have in common is computed once."""
    rows, shared = common_sums(matrix)
    operands = list(values)
    for terms in shared:
        operands.append(_sum(k, dtype, terms, operands))
    return [_sum(k, dtype, row, operands) for row in rows]


@lru_cache(maxsize=256)
def common_sums(matrix: Matrix) -> tuple[list[Combination], list[Combination]]:
    """The rows of a matrix as sums of values, and the sums of two that several rows have in common, but for a factor.
    These are values, too, numbered on from those of a vector. As long as there is such a sum, the one that most rows
    have is taken out.

    >>> rows, shared = common_sums(transposed(toom_cook(4, 3)["A"]))
    >>> [{i: int(c) for i, c in terms.items()} for terms in shared]
    [{1: 1, 2: 1}, {1: 1, 2: -1}]
    """
    rows = [{i: c for i, c in enumerate(row) if c} for row in matrix]
    shared: list[Combination] = []
    while True:
        found = Counter((i, j, *_ratio(row[j], row[i])) for row in rows for i, j in combinations(sorted(row), 2))
        most = max(found.items(), key=lambda item: (item[1], abs(item[0][2]) == item[0][3]), default=None)
        if most is None or most[1] < 2:
            return list(rows), shared
        i, j, *ratio = most[0]
        number = len(matrix[0]) + len(shared)
        shared.append({i: Fraction(1), j: Fraction(*ratio)})
        for row in rows:
            if i in row and j in row and [*_ratio(row[j], row[i])] == ratio:
                row[number] = row.pop(i)
                del row[j]


def _ratio(a: Fraction, b: Fraction) -> tuple[int, int]:
    """Numerator and denominator of a / b, whose hash costs less than that of a Fraction."""
    above, below = a.numerator * b.denominator, a.denominator * b.numerator
    common = gcd(above, below) * (1 if below > 0 else -1)
    return above // common, below // common


def operations(matrix: Matrix) -> int:
    """Instructions of a product of a matrix and a vector of values.

    >>> operations(transposed(toom_cook(4, 3)["B"]))
    16
    """
    rows, shared = common_sums(matrix)
    return sum(max(0, len(terms) - any(abs(c) == 1 for c in terms.values())) for terms in (*rows, *shared))


def _sum(k: KernelBuilder, dtype: str, terms: Combination, values: Sequence[Operand]) -> Operand:
    """A combination of values: those with coefficient 1 or -1 are added, others multiplied and added."""
    order = sorted(terms, key=lambda i: (abs(terms[i]) != 1, terms[i] < 0, i))
    if not order:
        return k.const(0.0, dtype)
    first, *rest = order
    total = values[first] if terms[first] == 1 else k.call("mul", values[first], k.const(float(terms[first]), dtype))
    for i in rest:
        c, x = terms[i], values[i]
        if abs(c) == 1:
            total = k.call("add" if c == 1 else "sub", total, x)
        else:
            total = k.call("fma", x, k.const(float(c), dtype), total)
    return total


@contextmanager
def tile_loops(
    k: KernelBuilder, samples: int, counts: Sequence[int], *between: tuple[str, int]
) -> Iterator[tuple[Index, tuple[Index, ...], tuple[Index, ...]]]:
    """Loops over samples, rows of tiles, what is `between` (name, extent), and the tiles of a row, as all nests of a
    convolution by tiles have them, so that one row follows another. Yields the index of the sample, those between, and
    those of the tile."""
    *rows, last = zip(loop_names("t", tuple(counts)), counts, strict=True)
    with ExitStack() as stack:
        n, *found = (stack.enter_context(k.each(*loop)) for loop in (("n", samples), *rows, *between, last))
        yield n, tuple(found[len(rows) : -1]), (*found[: len(rows)], found[-1])


@contextmanager
def each_of(k: KernelBuilder, prefix: str, sizes: Sequence[int]) -> Iterator[tuple[Index, ...]]:
    """Loops over spatial axes; yields the index of an element."""
    with ExitStack() as stack:
        names = loop_names(prefix, tuple(sizes))
        yield tuple(stack.enter_context(k.each(name, n)) for name, n in zip(names, sizes, strict=True))


def read_or_zero(k: KernelBuilder, bound: BoundNode, index: Sequence[Index], guards: Sequence[Index]) -> Operand:
    """An element of a node's first operand; 0 where a guard is negative."""
    if not guards:
        return k.read(bound, 0, index)
    dtype = bound.inputs[0].type.dtype
    value = k.local("cell", dtype, k.const(0.0, dtype))
    with k.where(*guards):
        k.set(value, k.read(bound, 0, index))
    return k.get(value)


def nominal_flops(bound: BoundNode, terms: int) -> int:
    """The operations of the convolution that products are a part of, or their own: 2 for each of `terms`."""
    return integer(bound, "flops", 0) or 2 * terms


def require_tiles(what: str, t: TensorType) -> int:
    """Check that a tensor has one to three axes of tiles after samples, products and channels; return how many."""
    axes = len(t.shape) - 3
    if axes not in (1, 2, 3):
        raise OpTypeError(f"{what} must have 1 to 3 axes", "(batch, products, channels, rows, columns)", str(t))
    return axes
