"""Sizes of images: resizing, and sums of neighbours along an axis by a constant matrix.

Resizing by any of UpsampleLayer's modes multiplies by a constant matrix along each axis, of which each row has few
numbers that are not zero; op resample reads only what they weigh. Nearest cells of integer factors are repeated instead
(broadcast, then reshape).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from mochac.base.records import option
from mochac.base.rules import boolean, choice, integer, or_none, text
from mochac.ir.graph import Value
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import OpTypeError
from mochac.ir.ops.resample import bands, multiplied
from mochac.nets.layers.axes import PerAxis, per_axis
from mochac.nets.layers.base import Paired, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, Example, breaks, fits
from mochac.nets.layers.fields import Table, per_axis_field, table

CUBIC = -0.75
"""The slope of bicubic interpolation at distance 1, as in PyTorch and OpenCV."""
LANES = range(8, 33)
"""Elements that the last axis is computed in at once: about a vector, whatever the CPU."""


def resize_matrix(extent: int, size: int, mode: str, align_corners: bool = False) -> np.ndarray:
    """The matrix (size, extent) that resizes an axis.

    Args:
        mode: of UpsampleLayer.

    >>> resize_matrix(2, 4, "bilinear").tolist()
    [[1.0, 0.0], [0.75, 0.25], [0.25, 0.75], [0.0, 1.0]]
    >>> resize_matrix(2, 3, "bilinear", align_corners=True)[1].tolist()
    [0.5, 0.5]
    """
    elements, last = np.arange(size), extent - 1
    if mode == "nearest":
        return np.eye(extent)[elements * extent // size]
    at = elements * (last / max(1, size - 1)) if align_corners else (elements + 0.5) * (extent / size) - 0.5
    if mode == "bilinear":
        at = np.clip(at, 0, last)
        return np.maximum(0.0, 1.0 - np.abs(np.subtract.outer(at, np.arange(extent))))
    matrix, cell = np.zeros((size, extent)), np.floor(at).astype(int)
    for tap in range(-1, 3):
        np.add.at(matrix, (elements, np.clip(cell + tap, 0, last)), _cubic(np.abs(at - cell - tap)))
    return matrix


def _cubic(distance: np.ndarray) -> np.ndarray:
    """The weight of a cell at a distance from 0 to 2."""
    d, a = distance, CUBIC
    near = ((a + 2) * d - (a + 3)) * d * d + 1
    return np.where(d <= 1, near, ((d - 5) * d + 8) * d * a - 4 * a)


def resampled(ctx: TraceContext, x: Value, axis: int, matrix: np.ndarray) -> Value:
    """The product of a matrix (results, extent) and an axis of x."""
    last = axis == len(x.type.shape) - 1
    sizes = [_at_once(n) if last else 1 for n in matrix.shape]
    tables = [array for m, size in zip((matrix, matrix.T), sizes, strict=True) for array in bands(m, size)]
    names = ("weights", "first", "back_weights", "back_first")
    made = [ctx.table(name, array) for name, array in zip(names, tables, strict=True)]
    return multiplied(ctx.op, x, made, axis, len(matrix))


def _at_once(results: int) -> int:
    """How many results of the last axis are computed at once, from the same taps.

    >>> _at_once(6), _at_once(224), _at_once(513), _at_once(257)
    (6, 16, 19, 16)
    """
    return min((n for n in LANES if results % n == 0), key=lambda n: abs(n - 16), default=min(results, 16))


@layer
class UpsampleLayer(Paired):
    """Resizes every axis behind the channels.

    Args:
        factor: >= 1; an integer covers all these axes, a tuple has one for each. None: 2, if there is no size.
        size: extents of the result, in place of a factor; may be smaller than those of the bottom.
        mode: how element o of `size` is computed of `extent` cells. "nearest": it is cell
            floor(o * extent / size). "bilinear": it lies at p = (o + 1/2) * extent / size - 1/2 and is interpolated
            linearly between its two neighbours along each axis; beyond the outermost cells their value continues.
            "bicubic": a cubic convolution of four cells around p, with a = -0.75. No mode averages: where an image
            shrinks to less than half, some cells do not count.
        align_corners: p = o * (extent - 1) / (size - 1) instead, so that the outermost elements are cells.

    Shapes: (batch, channels, height, width) -> (batch, channels, factor * height, factor * width) or
    (batch, channels, *size), and so for one or three axes ("linear" and "trilinear" elsewhere). A NaN or an infinity
    may spread to some elements beside those that depend on it. Source: PyTorch's Upsample and interpolate; cubic
    convolution: R. Keys, IEEE Transactions on Acoustics, Speech, and Signal Processing 29 (1981) 1153.

    >>> UpsampleLayer(size=(480, 640), mode="bilinear", align_corners=True, bottoms=["data"]).size
    (480, 640)
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 3, 4)),
        fits((1, 3, 2), factor=3, mode="bilinear"),
        fits((2, 3), (1, 4), mode="bilinear", tops=["left", "right"]),
        fits((2, 3), factor=1, mode="bilinear"),
        fits((2, 2, 3), factor=(1, 3)),
        fits((1, 2, 3), factor=(3, 2), mode="bilinear"),
        fits((2, 3, 4), size=(5, 35), mode="bilinear", align_corners=True),
        fits((1, 5, 4), size=(3, 7)),
        fits((1, 5, 4), size=(9, 3), mode="bicubic"),
        fits((2, 3), size=1, mode="bilinear", align_corners=True),
        fits((1, 2, 37), factor=1, mode="bicubic", align_corners=True),
        breaks("factor needs one number per spatial axis", (2, 3), factor=(2, 2)),
        breaks("has a factor and a size", (2, 3), factor=2, size=(4, 6)),
        breaks("align_corners has no effect", (2, 3), align_corners=True),
        breaks("size needs one number per spatial axis", (2, 3), size=(2, 2)),
        breaks("a bottom is not a batch of images", (3,)),
        breaks("a bottom is not a batch of images", LOSS),
    )

    name: str = option(text(), default="upsample")
    factor: PerAxis | None = option(or_none(per_axis_field(1)), default=None)
    size: PerAxis | None = option(or_none(per_axis_field(1)), default=None)
    mode: str = option(choice("nearest", "bilinear", "bicubic"), default="nearest")
    align_corners: bool = option(boolean(), default=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.factor is not None and self.size is not None:
            hint = "size alone says how large the result is"
            got = f"factor={self.factor}, size={self.size}"
            raise self.error("has a factor and a size", expected="one of them", got=got, hint=hint)
        if self.align_corners and self.mode == "nearest":
            raise self.error("align_corners has no effect", hint='mode="nearest" picks whole cells; leave it out')

    def onnx(self, w: OnnxWriter, bottoms: tuple[Value, ...]) -> Sequence[str]:
        how = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
        if self.mode != "nearest":
            where = "align_corners" if self.align_corners else "half_pixel"
            how = {"mode": self.mode.removeprefix("bi"), "coordinate_transformation_mode": where}
        return [self._onnx(w, x, how) for x in bottoms]

    def _onnx(self, w: OnnxWriter, x: Value, how: Mapping[str, str]) -> str:
        image, size = x.type.shape[2:], self._size(x)
        if any(m % n for n, m in zip(image, size, strict=True)):
            return w.node("Resize", x.name, "", "", w.integers(size), axes=range(2, 2 + len(size)), **how)
        scales = np.array([1, 1, *(m // n for n, m in zip(image, size, strict=True))], np.float32)
        return w.node("Resize", x.name, "", w.constant(scales), **how)

    def _size(self, x: Value) -> tuple[int, ...]:
        """The extents of the result of x."""
        if self.size is not None:
            return per_axis("size", self.size, x)
        factors = per_axis("factor", 2 if self.factor is None else self.factor, x)
        return tuple(n * f for n, f in zip(x.type.shape[2:], factors, strict=True))

    def each(self, ctx: TraceContext, x: Value) -> Value:
        size = self._size(x)
        if self.mode == "nearest" and not any(m % n for n, m in zip(x.type.shape[2:], size, strict=True)):
            return _repeated(ctx, x, tuple(m // n for n, m in zip(x.type.shape[2:], size, strict=True)))
        axes = enumerate(zip(x.type.shape[2:], size, strict=True), 2)
        growth = sorted((m / n, -axis, n, m) for axis, (n, m) in axes if n != m)  # what shrinks comes first
        for _, axis, n, m in growth:
            x = resampled(ctx, x, -axis, resize_matrix(n, m, self.mode, self.align_corners))
        return x


def _repeated(ctx: TraceContext, x: Value, factors: tuple[int, ...]) -> Value:
    """`x` with every cell as often as the factors of its axes say."""
    samples, channels, *image = x.type.shape
    cells = [(extent, factor) for extent, factor in zip(image, factors, strict=True)]
    rows = (samples, channels, *(n for cell in cells for n in cell))
    copies = ctx.op("broadcast", x, shape=rows, axes=(0, 1, *range(2, len(rows), 2)), batch=x.type.batch)
    return ctx.op("reshape", copies, shape=(samples, channels, *(extent * factor for extent, factor in cells)))


@layer
class ResampleLayer(Paired):
    """Multiplies an axis by a constant matrix of which each row has few numbers other than 0, side by side.

        y[.., r, ..] = sum over e of matrix[r, e] * x[.., e, ..]

    Only what lies between the first and the last number of a row is read, for the last axis between those of some 16
    rows. For resizing by a rule of one's own, means of windows that differ in size, moving averages along time.

    Args:
        matrix: (results, extent of the axis), finite numbers.
        axis: counted from 0, the batch, or from the end; not the batch.

    Shapes: the bottom's, with `results` elements along the axis. A bottom may be a ParameterLayer's blob. A NaN or an
    infinity may reach elements that weigh it with 0.

    >>> ResampleLayer(matrix=[[0.5, 0.5, 0.0], [0.0, 0.5, 0.5]], bottoms=["data"]).axis
    -1
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 3), matrix=[[0.5, 0.5, 0.0], [0.0, 0.5, 0.5]]),
        fits((3, 2), axis=1, matrix=[[0.0, 0.0, 2.0]]),
        fits((2, 40), matrix=np.eye(40)[::2] + 0.5 * np.eye(40)[1::2]),
        fits(near=PARAMETER, bottoms=["W"], axis=0, matrix=[[1.0, -1.0], [0.0, 1.0], [2.0, 0.0]]),
        breaks("the matrix has a column for each element of the axis", (2, 4), matrix=[[1.0, 2.0]]),
        breaks("axis 0 is not an axis of its input", (2,), axis=0, matrix=[[1.0, 2.0]]),
    )

    name: str = option(text(), default="resample")
    matrix: Table = option(table("an array (results, extent of the axis)", [[1.0, 0.5]], dims=2))
    axis: int = option(integer(), default=-1)

    def each(self, ctx: TraceContext, x: Value) -> Value:
        axis, matrix = ctx.axis(self.axis, x), self.matrix.values
        if x.type.shape[axis] != matrix.shape[1]:
            rule = "the matrix has a column for each element of the axis"
            raise OpTypeError(rule, f"(results, {x.type.shape[axis]})", str(matrix.shape))
        return resampled(ctx, x, axis, matrix)
