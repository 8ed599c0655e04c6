"""Correlation: a convolution, or a gradient of one, as a correlation of one group with neighbouring taps."""

from __future__ import annotations

from mochac.base.records import record
from mochac.ir.graph import BoundNode
from mochac.ir.ops._conv import Conv
from mochac.ir.ops._typing import extents
from mochac.ir.ops._window import Sizes

MADE = {"conv": "results", "conv_dx": "data", "conv_dw": "weights"}


@record
class Tiles:
    """How a convolution, or a gradient of one, is computed by tiles.

    Attributes:
        sizes: results of a tile along each axis.
        adjoint: whether tiles of a data gradient are those of the convolution: tiles of its results, which are
            transformed to overlapping tiles of the image.
    """

    sizes: Sizes
    adjoint: bool = False


@record
class Correlation:
    """y[n,f,o] = sum over c,k of x[n, c, o - pad + k] * w[f,c,k], with numbers per spatial axis; of a weight gradient,
    the one whose filters it is for.

    Attributes:
        batch, channels, filters: extents of x and y.
        image, out: spatial extents of x and y.
        lanes: of the blocked layout of x.
        made: what is computed of it: "results"; "data", a data gradient: x is the gradient, and filters are flipped and
            swapped with channels; or "weights", the gradient of its filters.
    """

    batch: int
    channels: int
    filters: int
    image: Sizes
    out: Sizes
    kernel: Sizes
    pad: Sizes
    lanes: int
    made: str = "results"

    @classmethod
    def of(cls, bound: BoundNode) -> Correlation | None:
        """The correlation of a node `conv`, `conv_dx` or `conv_dw`; None if it has strides, dilated taps or groups, or
        a data gradient less padding than taps."""
        made = MADE.get(bound.node.op)
        if made is None:
            return None
        x, second, third = bound.inputs[0].type, bound.inputs[1].type, bound.outputs[0].type
        w, y = (third, second) if made == "weights" else (second, third)
        conv = Conv.of(w.shape[2:], bound.attr)
        pad = tuple(k - 1 - p for k, p in zip(conv.kernel, conv.pad, strict=True)) if made == "data" else conv.pad
        if conv.group != 1 or {*conv.stride, *conv.dilation} != {1} or min(pad) < 0:
            return None
        size = extents(y.shape[2:])
        return cls(x.shape[0], x.shape[1], y.shape[1], x.shape[2:], size, conv.kernel, pad, x.lanes, made)

    def terms(self, axis: int) -> int:
        """Products along an axis, of all results together, that do not touch padding."""
        first = range(-self.pad[axis], self.out[axis] - self.pad[axis])
        n = self.image[axis]
        return sum(max(0, min(n, i + self.kernel[axis]) - max(0, i)) for i in first)
