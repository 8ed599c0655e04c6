"""ChannelPoolingLayer: maximum or mean along one axis, such as the channels.

The ops are max_pool and mean_pool, on a view as images in which that axis is the height, or the width if it is the
last, since schedules favour long rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers.axis_fields import axis, pair
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, Example, breaks, fits
from mochac.nets.layers.fields import instance, integer, option, text
from mochac.nets.layers.pooling import Max, Mean, PoolingFunction


@layer
class ChannelPoolingLayer(Layer):
    """Pooling along one axis, by default the channels. The output size is rounded up, as in Mocha:

        out = ceil((in + front + back - kernel) / stride) + 1, without a last window that would start beyond the end

    Args:
        kernel, stride: elements, >= 1.
        pad: (front, back), elements, >= 0 and smaller than the kernel; one integer means both.
        axis: 1 (channels) by default, in NumPy order; not the batch.
        pooling: Pooling.Max() (without padding; the first of equal elements; NaN stays NaN) or Pooling.Mean() (the sum
            of the elements, divided by `kernel` even at the borders).

    Shapes: the shape of the bottom, with `out` instead of `in` at `axis`. Source: Mocha.jl
    src/layers/channel-pooling.jl.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((5,), kernel=3, stride=2),
        fits((5, 2, 2), kernel=2, pad=(1, 0), pooling=Mean()),
        fits((2, 5), kernel=3, pad=1, axis=-1, stride=2),
        fits((5, 2), (4, 3), kernel=2, tops=["left", "right"]),
        breaks("the kernel does not fit its axis", (3, 2), kernel=5, pad=(1, 0)),
        breaks("padding must be smaller than the pooling kernel", (5,), kernel=2, pad=(0, 2)),
        breaks("axis 3 is not an axis", (5, 2), axis=3),
        breaks("not an axis", LOSS),
    )

    name: str = option(text(), default="channel-pooling")
    kernel: int = option(integer(1), default=1)
    stride: int = option(integer(1), default=1)
    pad: int | tuple[int, int] = option(pair(0, "front, back"), default=(0, 0))
    axis: int = option(axis(), default=1)
    pooling: PoolingFunction = option(
        instance(PoolingFunction, "Pooling.Max() or Pooling.Mean()", Mean()), default=Max()
    )

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [self._pooled(ctx, x) for x in bottoms]

    def _pooled(self, ctx: TraceContext, x: Value) -> Value:
        axis, shape = ctx.axis(self.axis, x), x.type.shape
        before, behind = prod(shape[1:axis]), prod(shape[axis + 1 :])
        height = behind > 1 or before == 1
        view = (before, shape[axis], behind) if height else (1, before, shape[axis])
        window = {name: v if height else v[::-1] for name, v in self._window(shape[axis]).items()}
        pooled = self.pooling.emit(ctx, ctx.op("reshape", x, shape=(shape[0], *view)), window, "kernel")
        out = pooled.type.shape[2 if height else 3]
        return ctx.op("reshape", pooled, shape=(*shape[:axis], out, *shape[axis + 1 :]))

    def _window(self, extent: int) -> dict[str, tuple[int, int]]:
        front, back = self.pad if isinstance(self.pad, tuple) else (self.pad, self.pad)
        if extent + front + back < self.kernel:
            wanted, got = "length + front + back >= kernel", f"{extent} + {front} + {back} < {self.kernel}"
            raise OpTypeError("the kernel does not fit its axis", wanted, got, f"kernel <= {extent + front + back}")
        if max(front, back) >= self.kernel:
            raise OpTypeError("padding must be smaller than the pooling kernel", f"pad < {self.kernel}", str(self.pad))
        window = {"kernel": (self.kernel, 1), "stride": (self.stride, 1), "pad": (front, 0)}
        return window if front == back else {**window, "pad_end": (back, 0)}
