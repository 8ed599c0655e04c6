"""Buffers: arrays that training steps change by a formula, not by a gradient, such as moving averages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mochac.base.records import option
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers.base import Layer, Parametric, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import Example, Near, breaks, fits
from mochac.nets.layers.fields import shape
from mochac.nets.layers.initializers import ConstantInitializer, Initializer, initializer

_OF_BATCH: Near = (
    ("Buffer", {"name": "mean", "shape": (3,)}),
    ("AllSamples", {"name": "all", "bottoms": ["b0"]}),
    ("Reduction", {"name": "now", "operation": "mean", "axes": (0,), "bottoms": ["all"]}),
    ("ElementWise", {"name": "moved", "coefficients": (0.9, 0.1), "bottoms": ["mean", "now"]}),
)
"""The blob "moved": a moving average of the means of batches, which the buffer "mean" holds."""


@layer
class BufferLayer(Parametric):
    """A buffer for any number of layers: an array that each training step replaces by the bottom of a
    BufferUpdateLayer.

    It is a state, kept in stores, snapshots and model files as `program.states[name]["value"]`. No gradient passes it.

    Args:
        shape: of the array.
        init: its values before the first step.

    Shapes: -> shape, the same for all samples.

    >>> BufferLayer(name="center", shape=(1, 64)).tops
    ('center',)
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (0, 0)
    torch_names: ClassVar[Mapping[str, str]] = {"value": ""}
    examples: ClassVar[tuple[Example, ...]] = (fits(shape=(3,)), fits(shape=(2, 4), init=ConstantInitializer(0.5)))

    shape: tuple[int, ...] = option(shape())
    init: Initializer = option(
        initializer(ConstantInitializer(0.0), "ConstantInitializer(0)"), default=ConstantInitializer(0.0)
    )

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [ctx.state("value", self.shape, self.init)]


@layer
class BufferUpdateLayer(Layer):
    """Each training step replaces a buffer by the second bottom, such as 0.99 * buffer + 0.01 * mean of the batch.

    Layers that read the top use the new value in a training step, with its gradient, and the buffer as it is in
    evaluation and prediction. Layers that read the buffer's own blob use its value before the step.

    Shapes: bottoms = [buffer, new]: the blob of a BufferLayer and one of the same shape, both without samples -> that
    shape.

    >>> BufferUpdateLayer(name="moved", bottoms=["center", "new center"]).bottoms
    ('center', 'new center')
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (2, 2)
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), near=_OF_BATCH, bottoms=["mean", "moved"]),
        breaks("holds samples", (3,), near=_OF_BATCH, bottoms=["mean", "b0"]),
        breaks("is no buffer", (3,), near=_OF_BATCH, bottoms=["moved", "mean"]),
        breaks("has another shape", (3,), near=_OF_BATCH, bottoms=["mean", "all"]),
    )

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        buffer, new = bottoms
        if not ctx.is_state(buffer):
            raise OpTypeError(f"{self.bottoms[0]!r} is no buffer", "the blob of a BufferLayer", hint=_FIRST)
        if new.type.batch:
            hint = "AllSamplesLayer and ReductionLayer compute a mean over the batch"
            raise OpTypeError(f"{self.bottoms[1]!r} holds samples", str(buffer.type.shape), str(new.type), hint)
        if new.type.shape != buffer.type.shape:
            raise OpTypeError(f"{self.bottoms[1]!r} has another shape", str(buffer.type.shape), str(new.type.shape))
        if not ctx.training:
            return [buffer]
        ctx.update(buffer, ctx.op("stop_gradient", new))
        return [new]


_FIRST = "bottoms=[buffer, new value]"
