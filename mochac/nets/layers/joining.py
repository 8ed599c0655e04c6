"""Blobs joined, cut into parts and copied."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

from mochac.base.records import option
from mochac.base.rules import boolean, integer, text
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers.base import Layer, Paired, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, ONE_ROW, PARAMETER, Example, breaks, fits
from mochac.nets.layers.fields import names, sizes


@layer
class ConcatLayer(Layer):
    """Concatenates its bottoms along `axis`.

    Args:
        axis: 1 (the channels) by default; negative numbers count from the end. With 0, samples are concatenated, so the
            top has more rows than a step has samples.

    Beside bottoms that hold samples, a ParameterLayer's blob is the same for every sample, such as a class token in
    front of a sequence: its shape is that of a sample, or has a batch of 1 in front.

    Shapes: two or more bottoms that differ along `axis` only -> the sum of their extents there. Source: Mocha.jl
    src/layers/concat.jl, whose `dim` by default is axis 1 of four.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (2, None)
    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 3), (4, 3)),
        fits((2,), (3,), (1,)),
        fits((2, 1, 2), (2, 3, 2), axis=2),
        fits((2, 3), (2, 1), axis=-1),
        fits((3,), (3,), axis=0),
        fits((4, 3), near=ONE_ROW, bottoms=["W", "b0"]),
        fits((3,), near=ONE_ROW, bottoms=["b0", "W"]),
        fits((2, 1), near=PARAMETER, bottoms=["b0", "W", "b0"], axis=-1),
        breaks("bottoms may differ along axis 1 only", (2, 3), (2, 4)),
        breaks("bottoms may differ along axis 2 only", (2, 3), (3, 3), axis=2),
        breaks("bottoms may differ along axis 1 only", (2,), (2, 3)),
        breaks("bottoms may differ along axis 2 only", (1, 2), (1,), axis=2),
        breaks("axis 3 is not an axis", (2, 3), (2, 3), axis=3),
        breaks("bottoms may differ along axis 1 only", (3, 3), near=PARAMETER, bottoms=["b0", "W"]),
        breaks("a bottom without samples does not fit", (2,), near=PARAMETER, bottoms=["b0", "W"]),
        breaks("a bottom without samples does not fit", LOSS, (1,)),
    )

    name: str = option(text(), default="concat")
    axis: int = option(integer(), default=1)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        like = next((x for x in bottoms if x.type.batch), bottoms[0])
        rank = len(like.type.shape)
        axis = self.axis + rank if self.axis < 0 else self.axis
        if not 0 <= axis < rank:
            raise OpTypeError(f"axis {self.axis} is not an axis of its input", f"0 <= axis < {rank}", str(self.axis))
        if axis == 0:
            bottoms = tuple(ctx.op("all_samples", x) if x.type.batch else x for x in bottoms)
        elif like.type.batch:
            bottoms = tuple(x if x.type.batch else self._for_samples(ctx, x, like) for x in bottoms)
        self._check(bottoms, axis)
        return [ctx.op("concat", *bottoms, axis=axis)]

    def _for_samples(self, ctx: TraceContext, x: Value, like: Value) -> Value:
        """x, which holds no samples, repeated for each sample of `like`."""
        shape, batch = x.type.shape, like.type.shape[0]
        rank = len(like.type.shape)
        if len(shape) == rank and shape[0] == 1:
            x, shape = ctx.op("reshape", x, shape=shape[1:]), shape[1:]
        if len(shape) != rank - 1:
            wanted = "as many axes as a sample has, or a batch of 1 in front"
            raise OpTypeError("a bottom without samples does not fit beside samples", wanted, str(shape))
        return ctx.op("broadcast", x, shape=(batch, *shape), axes=tuple(range(1, rank)), batch=True)

    def _check(self, bottoms: tuple[Value, ...], axis: int) -> None:
        """Refuse bottoms that do not fit."""
        first = bottoms[0].type
        for x in bottoms[1:]:
            wanted = (*first.shape[:axis], *x.type.shape[axis : axis + 1], *first.shape[axis + 1 :])
            if x.type.shape != wanted or len(wanted) != len(first.shape):
                raise OpTypeError(f"bottoms may differ along axis {axis} only", str(wanted), str(x.type.shape))


@layer
class SliceLayer(Layer):
    """Top k holds the elements points[k-1] .. points[k] - 1 of the bottom along `axis`.

    Args:
        tops: one name per part; required.
        axis: 1 (channels) by default, in NumPy order; not the batch, but any axis of a blob without samples.
        points: where all parts but the first begin, increasing. () by default: parts of one size.

    Shapes: the shape of the bottom, with the size of the part at `axis`. Source: Caffe's Slice.

    >>> SliceLayer(bottoms=["x"], tops=["a", "b", "c"], points=(2, 3)).points
    (2, 3)
    """

    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4, 3), tops=["left", "right"]),
        fits((6,), tops=["a", "b", "c"], points=(1, 4)),
        fits((2, 3, 5), tops=["left", "right"], axis=-1, points=(3,)),
        fits((3,), tops=["all"]),
        fits(near=PARAMETER, bottoms=["W"], tops=["left", "right"], axis=0),
        breaks("axis 0 is not an axis", (4,), tops=["left", "right"], axis=0),
        breaks("the axis does not divide into parts of one size", (5,), tops=["left", "right"]),
        breaks("points must increase and lie inside the axis", (5,), tops=["left", "right"], points=(5,)),
        breaks("points must increase and lie inside the axis", (5,), tops=["a", "b", "c"], points=(3, 3)),
        breaks("axis 2 is not an axis", (4,), tops=["left", "right"], axis=2),
        breaks("not an axis", LOSS, tops=["left", "right"]),
    )

    name: str = option(text(), default="slice")
    tops: Sequence[str] = option(names())
    axis: int = option(integer(), default=1)
    points: tuple[int, ...] = option(sizes(), default=())

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.points and len(self.points) != len(self.tops) - 1:
            wanted = f"{len(self.tops) - 1} points for {len(self.tops)} tops"
            raise self.error("tops and points differ in number", expected=wanted, got=str(len(self.points)))

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        axis = ctx.axis(self.axis, x)
        ends = (0, *self._points(x.type.shape[axis]), x.type.shape[axis])
        return [self._part(ctx, x, axis, start, end) for start, end in pairwise(ends)]

    def _points(self, extent: int) -> tuple[int, ...]:
        """Where all parts but the first begin."""
        if not self.points:
            parts = len(self.tops)
            if extent % parts:
                raise OpTypeError(
                    "the axis does not divide into parts of one size", f"a multiple of {parts}", f"{extent}"
                )
            return tuple(range(extent // parts, extent, extent // parts))
        if any(b <= a for a, b in pairwise((0, *self.points, extent))):
            rule = "points must increase and lie inside the axis"
            raise OpTypeError(rule, f"0 < points < {extent}, each once", str(self.points))
        return self.points

    def _part(self, ctx: TraceContext, x: Value, axis: int, start: int, end: int) -> Value:
        shape = x.type.shape
        begin = tuple(start if a == axis else 0 for a in range(len(shape)))
        return ctx.op("slice", x, start=begin, shape=(*shape[:axis], end - start, *shape[axis + 1 :]))


@layer
class SplitLayer(Layer):
    """Each top equals the bottom, whose gradient is the sum of theirs.

    Args:
        tops: one or more names; required.
        no_copy: accepted for compatibility with Mocha, and ignored.
    """

    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,), tops=["left"]),
        fits((2, 3), tops=["left", "right"]),
    )

    name: str = option(text(), default="split")
    tops: Sequence[str] = option(names())
    no_copy: bool = option(boolean(), default=False)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        return [x] * len(self.tops)


@layer
class NarrowLayer(Paired):
    """The elements start, start + step, ... of every sample along `axis`, `length` of them.

    Args:
        start: >= 0, the first of them.
        length: >= 1.
        step: not 0; negative to go backwards. start=n - 1, length=n, step=-1 reverses an axis of n elements.
        axis: 1 (channels) by default, in NumPy order; not the batch. For a blob without samples, such as a table of
            positions, 0 is an axis, too.

    Shapes: the shape of the bottom, with extent `length` along the axis. For parts that lie side by side SliceLayer
    has a top each. Source: PyTorch's narrow; slices of NumPy.

    >>> NarrowLayer(name="last", start=9, length=1, bottoms=["steps"]).tops
    ('last',)
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((5,), start=1, length=3),
        fits((2, 4, 3), (1, 5, 1), start=0, length=2, axis=2, tops=["left", "right"]),
        fits((2, 3), start=2, length=1, axis=-1),
        fits((2, 9), start=8, length=3, step=-3, axis=2),
        fits(near=PARAMETER, bottoms=["W"], start=1, length=1, axis=0),
        breaks("axis 0 is not an axis", (4,), start=0, length=1, axis=0),
        breaks("there are no such elements along axis 1", (4,), start=2, length=3),
        breaks("there are no such elements along axis 1", (4,), start=2, length=3, step=-2),
        breaks("axis 2 is not an axis", (4,), start=0, length=1, axis=2),
        breaks("not an axis", LOSS, start=0, length=1),
    )

    name: str = option(text(), default="narrow")
    start: int = option(integer(0))
    length: int = option(integer(1))
    axis: int = option(integer(), default=1)
    step: int = option(integer(), default=1)

    def each(self, ctx: TraceContext, x: Value) -> Value:
        axis, shape = ctx.axis(self.axis, x), x.type.shape
        last = self.start + (self.length - 1) * self.step
        if not self.step or not 0 <= last < shape[axis] or self.start >= shape[axis]:
            rule = f"there are no such elements along axis {axis}"
            got = f"{self.length} from {self.start}" + f" in steps of {self.step}" * (self.step != 1)
            raise OpTypeError(rule, f"elements of 0 .. {shape[axis] - 1}", got)
        if self.step != 1:
            return ctx.op("strided_slice", x, axis=axis, start=self.start, length=self.length, step=self.step)
        start = tuple(self.start if a == axis else 0 for a in range(len(shape)))
        return ctx.op("slice", x, start=start, shape=(*shape[:axis], self.length, *shape[axis + 1 :]))


@layer
class TileLayer(Paired):
    """Repeats the bottom `tiles` times along `axis`.

    Args:
        tiles: number of copies, >= 1.
        axis: 1 (channels) by default, in NumPy order; not the batch, but any axis of a blob without samples.

    Shapes: the shape of the bottom, with `axis` `tiles` times as long. Source: Caffe's Tile.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), tiles=2),
        fits((2, 3, 2), (1, 3, 1), tiles=3, axis=2, tops=["left", "right"]),
        fits((2, 3), tiles=1, axis=-1),
        fits(near=PARAMETER, bottoms=["W"], tiles=3, axis=0),
        breaks("axis 0 is not an axis", (4,), tiles=2, axis=0),
        breaks("axis 2 is not an axis", (4,), tiles=2, axis=2),
        breaks("not an axis", LOSS, tiles=2),
    )

    name: str = option(text(), default="tile")
    tiles: int = option(integer(1))
    axis: int = option(integer(), default=1)

    def each(self, ctx: TraceContext, x: Value) -> Value:
        axis, shape = ctx.axis(self.axis, x), x.type.shape
        rows = (*shape[:axis], self.tiles, *shape[axis:])
        kept = tuple(a for a in range(len(rows)) if a != axis)
        copies = ctx.op("broadcast", x, shape=rows, axes=kept, batch=x.type.batch)
        return ctx.op("reshape", copies, shape=(*shape[:axis], self.tiles * shape[axis], *shape[axis + 1 :]))
