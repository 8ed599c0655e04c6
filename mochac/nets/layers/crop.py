"""CropLayer: the centre or a random part of each image, perhaps mirrored.

The ops are slice for the centre; random_int, shift_digit and shift for a random place; and mirror.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers.axis_fields import pair
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, Example, breaks, fits
from mochac.nets.layers.fields import boolean, option, text

FURTHEST = 7
"""Number of offsets of one shift. All of them are read, so more of them would cost more than another shift."""


@layer
class CropLayer(Layer):
    """Crops images to `crop_size`.

    Args:
        crop_size: (height, width), or one integer for both, at most the size of the input.
        random_crop: crop at a random place, new in every step; else at the centre, floor((size - crop_size) / 2) from
            the top and the left.
        random_mirror: mirror images horizontally with probability 1/2.
        per_sample: draw random numbers for each image; False: once for the whole batch, as in Mocha.

    In test mode (evaluate(), predict(), mode="test") images are cropped at the centre and not mirrored. Random numbers
    are independent for several bottoms. It has a gradient.

    Shapes: (batch, channels, height, width) -> (batch, channels, *crop_size). Source: Mocha.jl src/layers/crop.jl.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 4, 5), crop_size=(3, 2)),
        fits((2, 4, 5), crop_size=3, random_crop=True, random_mirror=True),
        fits((1, 3, 4), (2, 4, 4), crop_size=(3, 3), tops=["left", "right"]),
        fits((2, 3, 4), crop_size=(3, 4)),
        fits((1, 4, 4), crop_size=2, random_crop=True, random_mirror=True, per_sample=False),
        breaks("crops images", (3, 4), crop_size=2),
        breaks("crop_size is larger than its input", (1, 3, 4), crop_size=(4, 2)),
        breaks("crops images", LOSS, crop_size=1),
    )

    name: str = option(text(), default="crop")
    crop_size: tuple[int, int] = option(pair(1))
    random_crop: bool = option(boolean(), default=False)
    random_mirror: bool = option(boolean(), default=False)
    per_sample: bool = option(boolean(), default=True)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [self._cropped(ctx, x, 3 * k) for k, x in enumerate(bottoms)]

    def _cropped(self, ctx: TraceContext, x: Value, draw: int) -> Value:
        _check(x, self.crop_size)
        if self.random_crop and ctx.training:
            for axis in (2, 3):
                x = self._shifted(ctx, x, axis, draw + axis - 2)
        elif x.type.shape[2:] != self.crop_size:
            spare = [have - want for have, want in zip(x.type.shape[2:], self.crop_size, strict=True)]
            start = (0, 0, spare[0] // 2, spare[1] // 2)
            x = ctx.op("slice", x, start=start, shape=(*x.type.shape[:2], *self.crop_size))
        if self.random_mirror and ctx.training:
            x = ctx.op("mirror", x, self._drawn(ctx, x, 2, draw + 2), axis=3)
        return x

    def _shifted(self, ctx: TraceContext, x: Value, axis: int, draw: int) -> Value:
        """`x` cropped along `axis` at a random place."""
        spare = x.type.shape[axis] - self.crop_size[axis - 2]
        offset = self._drawn(ctx, x, spare + 1, draw) if spare else None
        for stride, most in strides(spare):
            assert offset is not None
            digit, offset = ctx.ops("shift_digit", offset, stride=stride, most=most)
            x = ctx.op("shift", x, digit, axis=axis, stride=stride, most=most)
        return x

    def _drawn(self, ctx: TraceContext, x: Value, high: int, draw: int) -> Value:
        step, key = ctx.stream(draw)
        shape = x.type.shape[:1] if self.per_sample else ()
        return ctx.op("random_int", step, key=key, high=high, shape=shape, batch=self.per_sample)


def strides(spare: int) -> Iterator[tuple[int, int]]:
    """(stride, most) of shifts that together reach all offsets 0 .. spare, and no others.

    >>> list(strides(4)), list(strides(29))
    ([(1, 4)], [(4, 6), (1, 5)])
    """
    while spare:
        stride = -(-(spare + 1) // (FURTHEST + 1))
        most = (spare + 1) // stride - 1
        yield stride, most
        spare -= stride * most


def _check(x: Value, size: tuple[int, int]) -> None:
    shape = x.type.shape
    if len(shape) != 4 or not x.type.batch:
        raise OpTypeError("crops images", "(batch, channels, height, width)", str(shape))
    if size[0] > shape[2] or size[1] > shape[3]:
        raise OpTypeError("crop_size is larger than its input", f"at most {shape[2:]}", str(size))
