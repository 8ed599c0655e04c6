"""Linear interpolation along an axis and its gradient.

Element p of cell i lies at i + offset(p), in units of cells, with offset(p) = (p + 1/2) / factor - 1/2. Cell i weighs
1 - |offset(p)| in it, and the next cell on that side weighs |offset(p)|. At an end, the cell itself stands for the one
beyond.

interpolate: `factor` evenly spaced elements for every cell of an axis, on straight lines between neighbours.

    y[.., i, p, ..] = (1 - |d|) x[.., i, ..] + |d| x[.., j, ..]
    with d = (p + 1/2) / factor - 1/2 and j the cell before i if d < 0, behind i if d > 0; at an end, j = i

Shapes: x (.., n, ..) -> (.., n, factor, ..), of which a reshape makes an axis of n * factor elements. Attributes: axis,
factor. PyTorch's interpolate does so with align_corners=False. Gradient: interpolate_dx.

interpolate_dx: gradient of interpolate with respect to its input.

    dx[.., j, ..] = sum over the elements (i, p) of (weight of cell j in element (i, p)) * dy[.., i, p, ..]

Shapes: dy (.., n, factor, ..) -> (.., n, ..). Gradient: the op is linear, so interpolate.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import attrs_of, integer, require_float, result
from mochac.ir.types import TensorType


def require_axis(shape: tuple[int, ...], batch: bool, axis: int, factor: int) -> None:
    """Check that the axis exists and is not the batch, and that there is a factor."""
    if not batch <= axis < len(shape):
        raise OpTypeError("the axis to interpolate along must exist", f"{int(batch)} <= axis < {len(shape)}", str(axis))
    if factor < 1:
        raise OpTypeError("the factor must be positive", "factor >= 1", str(factor))


def settings(bound: BoundNode) -> tuple[int, int]:
    """(axis, factor) of a node."""
    return integer(bound, "axis"), integer(bound, "factor")


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


def infer(x: TensorType, *, axis: int, factor: int) -> tuple[TensorType, ...]:
    require_float("the input", x)
    require_axis(x.shape, x.batch, axis, factor)
    return (result(x.dtype, (*x.shape[: axis + 1], factor, *x.shape[axis + 1 :]), x.batch, x),)


def reference(x: np.ndarray, *, axis: int, factor: int) -> np.ndarray:
    spread = np.tensordot(weights(x.shape[axis], factor), x, axes=([2], [axis]))
    return np.ascontiguousarray(np.moveaxis(spread, (0, 1), (axis, axis + 1)), x.dtype)


def vjp(b: GraphBuilder, bound: BoundNode, dy: Value) -> tuple[Value | None, ...]:
    return (b.op("interpolate_dx", dy, **attrs_of(bound)),)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    (axis, factor), x = settings(bound), bound.inputs[0].type
    cell, element, last = index[axis], index[axis + 1], x.shape[axis] - 1

    def read(at: Index) -> Operand:
        return k.read(bound, 0, (*index[:axis], at, *index[axis + 2 :]))

    share = weight(k, element, factor, x.dtype)
    own = k.call("mul", k.call("sub", k.const(1.0, x.dtype), share), read(cell))
    acc = k.local("acc", x.dtype, own)
    for direction, condition in sides(element, factor):
        room = cell - 1 if direction < 0 else last - 1 - cell
        with k.where(condition, room):
            k.set(acc, k.call("fma", share, read(cell + direction), own))
        with k.where(condition, -1 - room):
            k.set(acc, k.call("fma", share, read(cell), own))
    return (k.get(acc),)


register(
    Op(
        name="interpolate",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        kind="window",
        samples=(
            Sample(("f32[b3,2,5,4]",), {"axis": 2, "factor": 2}),
            Sample(("f32[b17,2,3]",), {"axis": 2, "factor": 3}),
            Sample(("f32[b2,1,3]",), {"axis": 1, "factor": 4}),
            Sample(("f32[5,2]",), {"axis": 0, "factor": 1}),
        ),
    )
)


def infer_dx(dy: TensorType, *, axis: int, factor: int) -> tuple[TensorType, ...]:
    require_float("the gradient", dy)
    require_axis(dy.shape[:-1], dy.batch, axis, factor)
    if dy.shape[axis + 1] != factor:
        raise OpTypeError("the gradient has one element per phase", f"{factor} at axis {axis + 1}", str(dy))
    return (result(dy.dtype, (*dy.shape[: axis + 1], *dy.shape[axis + 2 :]), dy.batch, dy),)


def reference_dx(dy: np.ndarray, *, axis: int, factor: int) -> np.ndarray:
    joined = np.tensordot(weights(dy.shape[axis], factor), dy, axes=([0, 1], [axis, axis + 1]))
    return np.ascontiguousarray(np.moveaxis(joined, 0, axis), dy.dtype)


def vjp_dx(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return (b.op("interpolate", ct, **attrs_of(bound)),)


def lower_dx(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    (axis, factor), dy = settings(bound), bound.inputs[0].type
    cell, last = index[axis], dy.shape[axis] - 1
    acc = k.local("acc", dy.dtype, k.const(0.0, dy.dtype))
    with k.sum("p", factor) as element:

        def read(at: Index) -> Operand:
            return k.read(bound, 0, (*index[:axis], at, element, *index[axis + 1 :]))

        share = weight(k, element, factor, dy.dtype)
        k.accum(acc, "fma", k.call("sub", k.const(1.0, dy.dtype), share), read(cell))
        for direction, condition in sides(element, factor):
            front, behind = cell, last - cell  # cells on either side of this one
            others, beyond = (behind, front) if direction < 0 else (front, behind)
            with k.where(condition, others - 1):
                k.accum(acc, "fma", share, read(cell - direction))
            with k.where(condition, -beyond):
                k.accum(acc, "fma", share, read(cell))
    return (k.get(acc),)


register(
    Op(
        name="interpolate_dx",
        infer=infer_dx,
        reference=reference_dx,
        vjp=vjp_dx,
        lower=Pointwise(lower_dx),
        kind="window",
        samples=(
            Sample(("f32[b3,2,5,2,4]",), {"axis": 2, "factor": 2}),
            Sample(("f32[b17,2,3,3]",), {"axis": 2, "factor": 3}),
            Sample(("f32[b2,1,4,3]",), {"axis": 1, "factor": 4}),
            Sample(("f32[5,1,2]",), {"axis": 0, "factor": 1}),
        ),
    )
)
