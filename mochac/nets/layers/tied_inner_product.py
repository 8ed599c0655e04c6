"""TiedInnerProductLayer: the decoder of an auto-encoder, whose weight is that of the encoder, transposed.

Its only parameter of its own is `bias`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers.base import Parametric, layer
from mochac.nets.layers.constraints import Constraint, NoCons, constraint
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import ENCODER, LOSS, Example, breaks, fits
from mochac.nets.layers.fields import boolean, instance, option, real, text
from mochac.nets.layers.initializers import ConstantInitializer, Initializer
from mochac.nets.layers.inner_product import flat
from mochac.nets.layers.neurons import Identity, Neuron, Sigmoid, neuron
from mochac.nets.layers.regularizers import NoRegu, Regularizer


@layer
class TiedInnerProductLayer(Parametric):
    """y = x W + b with the weight W (hidden, features) of the InnerProductLayer with key `tied_param_key`.

    Args:
        tied_param_key: param_key of the encoder (by default its name), which is in the same net.
        tie_gradient: add the gradient of this use to W. False, as in Mocha: W is trained only by its use in the
            encoder.
        bias_init, bias_regu, bias_cons, bias_lr: settings of the bias (features,).
        neuron: activation of the tops.

    Shapes: (batch, ...) with `hidden` features -> (batch, features). Several bottoms share the parameters.
    Source: Mocha.jl src/layers/tied-inner-product.jl.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,), near=ENCODER, bottoms=["code"], tied_param_key="encoder"),
        fits((4,), near=ENCODER, bottoms=["code"], tied_param_key="encoder", tie_gradient=True, neuron=Sigmoid()),
        breaks("does not fit the weight of 'encoder'", (4,), near=ENCODER, bottoms=["b0"], tied_param_key="encoder"),
        breaks("no layer of this net has parameters under the key 'encode'", (4,), tied_param_key="encode"),
        breaks("no layer of this net has parameters under the key 'tested'", (4,), tied_param_key="tested"),
        breaks("no samples", (4,), LOSS, near=ENCODER, bottoms=["b1"], tied_param_key="encoder"),
    )

    tied_param_key: str = option(text())
    tie_gradient: bool = option(boolean(), default=False)
    bias_init: Initializer = option(
        instance(Initializer, "an initializer such as ConstantInitializer(0)", ConstantInitializer(0.0)),
        default=ConstantInitializer(0.0),
    )
    bias_regu: Regularizer = option(
        instance(Regularizer, "a regularizer such as L2Regu(1)", NoRegu()), default=NoRegu()
    )
    bias_cons: Constraint = option(constraint(), default=NoCons())
    bias_lr: float = option(real(0), default=2.0)
    neuron: Neuron = option(neuron(), default=Identity())

    @property
    def borrowed_keys(self) -> tuple[str, ...]:
        """The key of the encoder."""
        return (self.tied_param_key,)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        w = ctx.borrowed(self.tied_param_key, "weight")
        hidden, width = w.type.shape
        weight = w if self.tie_gradient else ctx.op("stop_gradient", w)
        bias = ctx.param("bias", (width,), self.bias_init, self.bias_regu, self.bias_lr, self.bias_cons, decays=False)
        return [self._decoded(ctx, flat(ctx, x), weight, bias, hidden) for x in bottoms]

    def _decoded(self, ctx: TraceContext, x: Value, w: Value, b: Value, hidden: int) -> Value:
        if x.type.shape[1] != hidden:
            raise OpTypeError(
                f"does not fit the weight of {self.tied_param_key!r}", f"{hidden} features", str(x.type.shape[1])
            )
        y = ctx.op("inner_product_dx", x, w)
        spread = ctx.op("broadcast", b, shape=y.type.shape, axes=(1,), batch=y.type.batch)
        return self.neuron.emit(ctx, ctx.op("add", y, spread))
