"""ParameterLayer: a parameter as a blob, which other layers can use as a parameter or as a bottom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers.base import Parametric, layer
from mochac.nets.layers.constraints import Constraint, NoCons, constraint
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import Example, breaks, fits
from mochac.nets.layers.fields import instance, option, real
from mochac.nets.layers.initializers import (
    BilinearInitializer,
    ConstantInitializer,
    Initializer,
    OrthogonalInitializer,
    XavierInitializer,
)
from mochac.nets.layers.regularizers import L2Regu, Regularizer
from mochac.nets.layers.shape_fields import shape


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
