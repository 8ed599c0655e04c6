"""Borders and crops of images.

CropLayer cuts the centre (op slice) or a random part (ops random_int, shift_digit, shift) out of each image, and may
mirror it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from mochac.base.records import option
from mochac.base.rules import boolean, real, text
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers.axes import PerAxis, over, per_axis
from mochac.nets.layers.base import Layer, Paired, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, Example, breaks, fits
from mochac.nets.layers.fields import pair, per_axis_field


@layer
class PadLayer(Layer):
    """Puts `before` elements of a number in front of each spatial axis, and `after` behind it.

    For padding that differs on both sides; ConvolutionLayer and PoolingLayer have a `pad` of their own.

    Args:
        before, after: elements, >= 0; one integer for all spatial axes, or a tuple with one for each, such as (height,
            width). For a blob without samples, all axes are padded.
        value: the number.

    Shapes: (batch, channels, height, width) -> the same with before + after more rows and columns; likewise with one or
    three spatial axes. Source: PyTorch's ConstantPad2d.

    >>> PadLayer(after=(1, 0), bottoms=["data"]).after
    (1, 0)
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 3, 4), before=1),
        fits((1, 3, 2), before=(0, 2), after=(1, 0), value=-0.5),
        fits((2, 3), after=2),
        fits(near=PARAMETER, bottoms=["W"], before=(1, 0), after=(0, 2)),
        fits(near=PARAMETER, bottoms=["W"], before=1, value=0.5),
        breaks("before needs one number per axis", near=PARAMETER, bottoms=["W"], before=(1, 2, 1)),
        breaks("before needs one number per spatial axis", (2, 3), before=(1, 2)),
        breaks("a bottom is not a batch of images", (3,), after=1),
        breaks("a bottom is not a batch of images", LOSS),
    )

    name: str = option(text(), default="pad")
    before: PerAxis = option(per_axis_field(0, most=8), default=0)
    after: PerAxis = option(per_axis_field(0, most=8), default=0)
    value: float = option(real(), default=0.0)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        before, after = (self._per_axis(ctx, name, x) for name in ("before", "after"))
        axes = zip(x.type.shape, before, after, strict=True)
        shape = tuple(first + extent + last for extent, first, last in axes)
        padded = ctx.op("pad", x, start=before, shape=shape)
        if not self.value:
            return [padded]
        padded_axes = range(0 if ctx.without_samples(x) else 2, len(shape))
        inside = np.zeros([x.type.shape[a] for a in padded_axes])
        sides = [(before[a], after[a]) for a in padded_axes]
        border = ctx.table("border", np.pad(inside, sides, constant_values=self.value))
        return [ctx.op("add", padded, over(ctx, border, padded, padded_axes))]

    def _per_axis(self, ctx: TraceContext, name: str, x: Value) -> tuple[int, ...]:
        """The numbers of a field for all axes of x."""
        value = getattr(self, name)
        if not ctx.without_samples(x):
            return (0, 0, *per_axis(name, value, x))
        rank = len(x.type.shape)
        numbers = (value,) * rank if isinstance(value, int) else value
        if len(numbers) != rank:
            raise OpTypeError(f"{name} needs one number per axis", f"{rank} numbers", str(value))
        return numbers


FURTHEST = 7
"""Number of offsets of one shift. All of them are read, so more of them would cost more than another shift."""


@layer
class CropLayer(Paired):
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
