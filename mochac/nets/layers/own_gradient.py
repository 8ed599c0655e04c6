"""custom_gradient: a function of values in `emit` whose gradient is a formula of one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from mochac.base.errors import OptionError, shown
from mochac.ir.op_call import OpCallError
from mochac.nets.layers._layer_value import LayerValue
from mochac.nets.layers.config import at, user_line
from mochac.nets.layers.context import TraceContext


def custom_gradient(forward: Callable[..., Any], backward: Callable[..., Any]) -> Callable[..., LayerValue]:
    """`forward` with the gradient that `backward` computes, for the `emit` of a layer.

        rounded = custom_gradient(np.rint, lambda gradient, x: gradient)      # in the backward pass, as if y = x
        return [rounded(x)]

    Args:
        forward: values -> the value of the result. No gradient passes through what it computes.
        backward: (gradient of the result, the values) -> the gradient of each value, which has its shape: one value, or
            a list with one for each, or None for those that get none. It may read other values, such as parameters and
            what `forward` computed; these get no gradient through it.

    Returns:
        A function of values. It raises OpCallError, which names the layer, for anything else.

    Raises:
        OptionError: not functions.
    """
    for name, function in (("forward", forward), ("backward", backward)):
        if not callable(function):
            rule, expected = f"custom_gradient: {name} is not a function", "such as lambda gradient, x: gradient"
            raise OptionError(rule, expected=expected, got=shown(function), at=at(user_line()))

    def of_values(*values: Any) -> LayerValue:
        if not values or not all(isinstance(x, LayerValue) for x in values):
            got = ", ".join(type(x).__name__ for x in values) or "nothing"
            raise OpCallError("a function of custom_gradient takes values", "values of emit", got)
        context = cast("TraceContext", values[0]._ctx)  # pyright: ignore[reportPrivateUsage]
        return context.custom_gradient(forward(*values), values, backward)

    return of_values
