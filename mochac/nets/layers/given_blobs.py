"""Blobs that no layer computes: constants and learnt parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mochac.base.records import option
from mochac.base.rules import real
from mochac.ir.graph import Value
from mochac.nets.layers.base import Layer, Parametric, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import Example, breaks, fits
from mochac.nets.layers.field_kinds import Table, shape, table
from mochac.nets.layers.fields import instance
from mochac.nets.layers.initializers import (
    BilinearInitializer,
    ConstantInitializer,
    Initializer,
    OrthogonalInitializer,
    XavierInitializer,
)
from mochac.nets.layers.regularizers import Constraint, L2Regu, NoCons, Regularizer, constraint


@layer
class ConstantLayer(Layer):
    """An array that is the same for all samples and never trained, such as positions or a mask.

    Args:
        values: the array, of one axis or more. Infinities are allowed.

    Shapes: -> the array's shape, without a batch. Layers that broadcast, such as FunctionLayer, take it beside blobs
    that hold samples.

    >>> ConstantLayer(name="steps", values=[0.0, 0.5, 1.0]).tops
    ('steps',)
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (0, 0)
    examples: ClassVar[tuple[Example, ...]] = (fits(values=[1.0, 2.0, 3.0]), fits(values=[[1.0], [-2.0]]))

    values: Table = option(table("an array of one axis or more", [0.0, 1.0], infinite=True))

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [ctx.table("values", self.values.values)]


@layer
class ParameterLayer(Parametric):
    """A parameter for any number of layers: `InnerProductLayer(weight="W")`, or as a bottom.

    The gradients from all its uses are added; it is regularized and updated once. Its value is
    `program.params[name]["value"]`.

    Args:
        shape: an InnerProduct weight is (outputs, features), a filter (filters, channels, height, width).
        init, regu, cons, lr: by default those of a weight: XavierInitializer(), L2Regu(1), NoCons(), 1.0.

    Shapes: -> shape, the same for all samples.

    >>> ParameterLayer(name="W", shape=(500, 800)).tops
    ('W',)
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (0, 0)
    torch_names: ClassVar[Mapping[str, str]] = {"value": ""}
    examples: ClassVar[tuple[Example, ...]] = (
        fits(shape=(3, 2)),
        fits(shape=(4,), init=ConstantInitializer(0.5), regu=L2Regu(0.1)),
        breaks("OrthogonalInitializer is for parameters of 2 axes or more", shape=(4,), init=OrthogonalInitializer()),
        breaks("BilinearInitializer is for filters", shape=(4, 3), init=BilinearInitializer()),
    )

    shape: tuple[int, ...] = option(shape())
    init: Initializer = option(
        instance(Initializer, "an initializer such as XavierInitializer()", XavierInitializer()),
        default=XavierInitializer(),
    )
    regu: Regularizer = option(instance(Regularizer, "a regularizer such as L2Regu(1)", L2Regu(1)), default=L2Regu(1.0))
    cons: Constraint = option(constraint(), default=NoCons())
    lr: float = option(real(0), default=1.0)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [ctx.param("value", self.shape, self.init, self.regu, self.lr, self.cons)]
