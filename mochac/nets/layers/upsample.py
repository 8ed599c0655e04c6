"""UpsampleLayer: larger images, by repeating cells or by interpolating between them.

Along each axis, an op makes `factor` elements of every cell (broadcast or interpolate), which a reshape joins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from mochac.ir.graph import Value
from mochac.ir.onnx_writer import OnnxWriter
from mochac.nets.layers._spatial import PerAxis, per_axis
from mochac.nets.layers.axis_fields import per_axis_field
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, Example, breaks, fits
from mochac.nets.layers.fields import choice, option, text


@layer
class UpsampleLayer(Layer):
    """Enlarges every axis behind the channels `factor` times.

    Args:
        factor: >= 1; an integer covers all these axes, a tuple has one for each.
        mode: "nearest": every cell is repeated; "bilinear": element o lies at (o + 1/2) / factor - 1/2 and is
            interpolated linearly between its two neighbours along each axis; beyond the outermost cells their value
            continues.

    Shapes: (batch, channels, height, width) -> (batch, channels, factor * height, factor * width), and so for one or
    three axes ("linear" and "trilinear" elsewhere). Source: PyTorch's Upsample, with align_corners=False, the default.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 3, 4)),
        fits((1, 3, 2), factor=3, mode="bilinear"),
        fits((2, 3), (1, 4), mode="bilinear", tops=["left", "right"]),
        fits((2, 3), factor=1, mode="bilinear"),
        fits((2, 2, 3), factor=(1, 3)),
        fits((1, 2, 3), factor=(3, 2), mode="bilinear"),
        breaks("factor needs one number per spatial axis", (2, 3), factor=(2, 2)),
        breaks("a bottom is not a batch of images", (3,)),
        breaks("a bottom is not a batch of images", LOSS),
    )

    name: str = option(text(), default="upsample")
    factor: PerAxis = option(per_axis_field(1), default=2)
    mode: str = option(choice("nearest", "bilinear"), default="nearest")

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [self._upsampled(ctx, x) for x in bottoms]

    def onnx(self, w: OnnxWriter, bottoms: tuple[Value, ...]) -> Sequence[str]:
        how = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
        how = {"mode": "linear"} if self.mode == "bilinear" else how
        return [w.node("Resize", x.name, "", w.constant(self._scales(x)), **how) for x in bottoms]

    def _scales(self, x: Value) -> np.ndarray:
        return np.array([1, 1, *per_axis("factor", self.factor, x)], np.float32)

    def _upsampled(self, ctx: TraceContext, x: Value) -> Value:
        factors = per_axis("factor", self.factor, x)
        if self.mode == "nearest":
            return _repeated(ctx, x, factors)
        for axis, factor in enumerate(factors, 2):
            shape = x.type.shape
            parts = ctx.op("interpolate", x, axis=axis, factor=factor)
            x = ctx.op("reshape", parts, shape=(*shape[:axis], factor * shape[axis], *shape[axis + 1 :]))
        return x


def _repeated(ctx: TraceContext, x: Value, factors: tuple[int, ...]) -> Value:
    """`x` with every cell as often as the factors of its axes say."""
    samples, channels, *image = x.type.shape
    cells = [(extent, factor) for extent, factor in zip(image, factors, strict=True)]
    rows = (samples, channels, *(n for cell in cells for n in cell))
    copies = ctx.op("broadcast", x, shape=rows, axes=(0, 1, *range(2, len(rows), 2)), batch=x.type.batch)
    return ctx.op("reshape", copies, shape=(samples, channels, *(extent * factor for extent, factor in cells)))
