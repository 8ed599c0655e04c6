"""What interpolate and its gradient share: their axes, and the weights of neighbouring cells.

Element p of cell i lies at i + offset(p), in units of cells, with offset(p) = (p + 1/2) / factor - 1/2. Cell i weighs
1 - |offset(p)| in it, and the next cell on that side weighs |offset(p)|. At an end, the cell itself stands for the one
beyond.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder
from mochac.ir.op import OpTypeError


def require_axis(shape: tuple[int, ...], batch: bool, axis: int, factor: int) -> None:
    """Check that the axis exists and is not the batch, and that there is a factor."""
    if not batch <= axis < len(shape):
        raise OpTypeError("the axis to interpolate along must exist", f"{int(batch)} <= axis < {len(shape)}", str(axis))
    if factor < 1:
        raise OpTypeError("the factor must be positive", "factor >= 1", str(factor))


def settings(bound: BoundNode) -> tuple[int, int]:
    """(axis, factor) of a node."""
    axis, factor = bound.attr["axis"], bound.attr["factor"]
    assert isinstance(axis, int)
    assert isinstance(factor, int)
    return axis, factor


def weights(cells: int, factor: int) -> np.ndarray:
    """Weights (cells, factor, cells) of cell j in element (i, p), in float64.

    >>> weights(2, 2).tolist()
    [[[1.0, 0.0], [0.75, 0.25]], [[0.25, 0.75], [0.0, 1.0]]]
    """
    at = np.add.outer(np.arange(cells), (np.arange(factor) + 0.5) / factor - 0.5)
    at = np.clip(at, 0, cells - 1)
    return np.maximum(0.0, 1.0 - np.abs(at[..., None] - np.arange(cells)))


def weight(k: KernelBuilder, element: Index, factor: int, dtype: str) -> Operand:
    """The weight |offset(p)| of the neighbour of element p."""
    p = k.call(f"to_{dtype}", element)
    return k.call("abs", k.call("fma", p, k.const(1 / factor, dtype), k.const(0.5 / factor - 0.5, dtype)))


def sides(element: Index, factor: int) -> tuple[tuple[int, Index], tuple[int, Index]]:
    """(direction, condition on the element) of the neighbours in front and behind."""
    return (-1, factor - 2 - element * 2), (1, element * 2 - factor)
