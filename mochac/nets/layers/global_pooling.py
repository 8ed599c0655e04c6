"""GlobalPoolingLayer: the mean or maximum of every channel.

The mean is a reduce_sum, whose gradient costs nothing: it is read where it is needed. The maximum is a max_pool of the
channel as one row.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import OpTypeError
from mochac.nets.layers._axes import within
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, Example, breaks, fits
from mochac.nets.layers.fields import instance, option, text
from mochac.nets.layers.neurons import Identity, Neuron, Sigmoid, neuron
from mochac.nets.layers.pooling import Max, Mean, PoolingFunction


@layer
class GlobalPoolingLayer(Layer):
    """Pools every channel to one number.

    Args:
        pooling: Pooling.Mean() or Pooling.Max() (the first of equal elements; NaN stays NaN).
        neuron: activation of the tops.

    Shapes: (batch, channels, d1, d2, ...) -> (batch, channels, 1, 1, ...), for any number of axes. Source: Caffe's
    Pooling with global_pooling; PyTorch's AdaptiveAvgPool2d(1).
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 4, 5)),
        fits((3, 4), (2, 1), pooling=Max(), tops=["left", "right"]),
        fits((2, 3, 2, 2), pooling=Max(), neuron=Sigmoid()),
        breaks("pools channels", (3,)),
        breaks("pools channels", LOSS),
    )

    name: str = option(text(), default="global-pooling")
    pooling: PoolingFunction = option(
        instance(PoolingFunction, "Pooling.Mean() or Pooling.Max()", Mean()), default=Mean()
    )
    neuron: Neuron = option(neuron(), default=Identity())

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [self.neuron.emit(ctx, self._pooled(ctx, x)) for x in bottoms]

    def onnx(self, w: OnnxWriter, bottoms: tuple[Value, ...]) -> Sequence[str]:
        operator = "GlobalAveragePool" if isinstance(self.pooling, Mean) else "GlobalMaxPool"
        return [w.node(operator, x.name) for x in bottoms]

    def _pooled(self, ctx: TraceContext, x: Value) -> Value:
        batch, *rest = x.type.shape or (0,)
        if len(rest) < 2:
            raise OpTypeError("pools channels", "(batch, channels, one or more axes)", str(x.type.shape))
        channels, cells = rest[0], math.prod(rest[1:])
        if isinstance(self.pooling, Mean):
            pooled = within(ctx, x, range(2, len(x.type.shape)))
        else:
            rows = ctx.op("reshape", x, shape=(batch, channels, 1, cells))
            pooled = self.pooling.emit(ctx, rows, {"kernel": (1, cells), "stride": (1, 1), "pad": (0, 0)}, "kernel")
        return ctx.op("reshape", pooled, shape=(batch, channels, *(1 for _ in rest[1:])))
