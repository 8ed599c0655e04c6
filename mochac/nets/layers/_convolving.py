"""Convolving: the fields that ConvolutionLayer and DeconvolutionLayer share, and what they check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from mochac.base.records import option
from mochac.base.rules import integer, real
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers._axes import PerAxis, per_axis, spatial_axes, that_divide
from mochac.nets.layers.base import Parametric
from mochac.nets.layers.config import keyword_config
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.field_kinds import bias_blob, parameter_blob, per_axis_field
from mochac.nets.layers.fields import instance
from mochac.nets.layers.initializers import ConstantInitializer, Initializer, XavierInitializer
from mochac.nets.layers.neurons import Identity, Neuron, neuron
from mochac.nets.layers.regularizers import Constraint, L2Regu, NoCons, NoRegu, Regularizer, constraint

INIT = instance(Initializer, "an initializer such as XavierInitializer()", XavierInitializer())
REGU = instance(Regularizer, "a regularizer such as L2Regu(1)", L2Regu(1))


@keyword_config
class Convolving(Parametric):
    """A layer with a filter and a bias, whose windows move over images."""

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    blob_fields: ClassVar[tuple[str, ...]] = ("filter", "bias")
    torch_names: ClassVar[Mapping[str, str]] = {"filter": "weight"}

    kernel: PerAxis = option(per_axis_field(1), default=1)
    stride: PerAxis = option(per_axis_field(1), default=1)
    pad: PerAxis = option(per_axis_field(0), default=0)
    dilation: PerAxis = option(per_axis_field(1), default=1)
    n_filter: int = option(integer(1), default=1)
    n_group: int = option(integer(1), default=1)
    filter_init: Initializer = option(INIT, default=XavierInitializer())
    bias_init: Initializer = option(INIT, default=ConstantInitializer(0.0))
    filter_regu: Regularizer = option(REGU, default=L2Regu(1.0))
    bias_regu: Regularizer = option(REGU, default=NoRegu())
    filter_cons: Constraint = option(constraint(), default=NoCons())
    bias_cons: Constraint = option(constraint(), default=NoCons())
    filter_lr: float = option(real(0), default=1.0)
    bias_lr: float = option(real(0), default=2.0)
    neuron: Neuron = option(neuron(), default=Identity())
    filter: str = option(parameter_blob(), default="")
    bias: str | bool = option(bias_blob(), default="")

    def windows(self, x: Value) -> dict[str, Any]:
        """The attributes of the op for images x."""
        attrs = {name: per_axis(name, getattr(self, name), x) for name in ("stride", "pad")}
        dilation = per_axis("dilation", self.dilation, x)
        return {**attrs, "group": self.n_group, **({"dilation": dilation} if max(dilation) > 1 else {})}

    def parameters(self, ctx: TraceContext, shape: Sequence[int]) -> tuple[Value, ...]:
        """The filter, of this shape, and the bias if there is one."""
        w = ctx.param("filter", shape, self.filter_init, self.filter_regu, self.filter_lr, self.filter_cons)
        if self.bias is False:
            return (w,)
        b = ctx.param(
            "bias", (self.n_filter,), self.bias_init, self.bias_regu, self.bias_lr, self.bias_cons, decays=False
        )
        return w, b

    def check_images(self, bottoms: tuple[Value, ...]) -> None:
        """Checks before the shape of the filter is computed."""
        first = bottoms[0].type.shape
        for x in bottoms:
            spatial_axes(x)
            if x.type.shape[1:] != first[1:]:
                raise OpTypeError("bottoms differ in shape", str(first[1:]), str(x.type.shape[1:]))
        for what, count in (("channels", first[1]), ("n_filter", self.n_filter)):
            if count % self.n_group:
                rule, got = "channels and filters do not divide into groups", f"{count} % {self.n_group}"
                hint = that_divide("n_group", self.n_group, first[1], self.n_filter)
                raise OpTypeError(rule, f"{what} % n_group == 0", f"{got} == {count % self.n_group}", hint)
