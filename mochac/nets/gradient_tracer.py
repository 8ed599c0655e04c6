"""GradientTracer: gradients of a layer's own, whose formula is traced once.

A layer gives the gradient as a function of values. It is a graph of its own, which autodiff puts in the place where the
gradient is needed; values of the net that it reads become operands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.ir.op_call import OpCallError, require_value
from mochac.nets.body_builder import BACKWARD, InnerGraphBuilder
from mochac.nets.layers._layer_value import LayerValue
from mochac.nets.op_tracer import OpTracer


class GradientTracer(OpTracer):
    """`custom_gradient` of nets/layers/context.py."""

    def custom_gradient(self, y: Value, inputs: Sequence[Value], backward: Callable[..., Any]) -> LayerValue:
        require_value("what forward returns", y)
        if not y.type.dtype.startswith("f"):
            rule, hint = "what forward returns has no gradient", 'ctx.op("cast", y, dtype=ctx.dtype)'
            raise OpCallError(rule, "floating-point numbers", y.type.dtype, hint)
        _check_backward(backward, len(inputs))
        for value in inputs:
            require_value("an input of custom_gradient", value)
        self.require_here(y, *inputs)
        outer = self.b
        inner = self.b = InnerGraphBuilder(f"{self._layer.name}.backward", outer, BACKWARD)
        try:
            given = inner.argument("gradient", y.type)
            own = [inner.own(value) for value in inputs]
            with inner.at(self._layer.loc):
                found = _gradients(backward(self.layer_value(given), *inputs), own)
                self.require_here(*(value for value in found if value is not None))
        finally:
            self.b = outer
        of = [(x, gradient) for x, gradient in zip(inputs, found, strict=True) if gradient is not None]
        graph = inner.returning([gradient for _, gradient in of])
        operands, places = list(inner.read.values()), list(inner.read)
        attrs = {"backward": graph, "of": tuple(places.index(x.name) for x, _ in of)}
        name = f"{self._layer.name}.custom_gradient"
        return self.layer_value(outer.ops("custom_gradient", y, *operands, name=name, **attrs)[0])


def _check_backward(backward: Callable[..., Any], inputs: int) -> None:
    """Raise OpCallError for a function that does not take the gradient of the result and the inputs."""
    try:
        taken = signature(backward)
    except (TypeError, ValueError):  # a function of C without a signature
        return
    try:
        taken.bind(*range(1 + inputs))
    except TypeError:
        values = f"{inputs} value{'s' * (inputs > 1)}"
        raise OpCallError("backward takes other arguments", f"(gradient, {values})", str(taken)) from None


def _gradients(made: Any, inputs: Sequence[Value]) -> list[Value | None]:
    """What `backward` returns: a gradient for each input, or None."""
    found = list(made) if isinstance(made, (list, tuple)) else [made]
    if len(found) != len(inputs):
        rule = "backward returns too few or too many gradients"
        raise OpCallError(rule, f"one for each input, or None: {len(inputs)}", str(len(found)))
    for gradient, x in zip(found, inputs, strict=True):
        if gradient is None:
            continue
        require_value("what backward returns", gradient)
        if gradient.type.dtype != x.type.dtype:
            raise OpTypeError("backward returns a gradient of another type", x.type.dtype, gradient.type.dtype)
        if gradient.type.shape != x.type.shape:
            raise OpTypeError(
                "backward returns a gradient of another shape", str(x.type.shape), str(gradient.type.shape)
            )
    return found
