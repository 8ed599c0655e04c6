"""orthonormal: make the columns of a matrix orthonormal, with the same bits on every machine."""

from __future__ import annotations

import numpy as np

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
