"""The arguments of ctx.param and ctx.state, checked: a mistake there is one in the code of a layer."""

from __future__ import annotations

import numbers
from typing import Any

from mochac.ir.op_call import OpCallError
from mochac.nets.layers.initializers import Initializer
from mochac.nets.layers.regularizers import Constraint, Regularizer


def extents_of(name: str, shape: Any) -> tuple[int, ...]:
    """The shape of a parameter or state, as a tuple.

    Raises:
        OpCallError: it is no shape.
    """
    hint = f"write ({shape},)" if isinstance(shape, numbers.Integral) else ""
    given = tuple(shape) if isinstance(shape, (tuple, list)) else None
    if given is None or not all(isinstance(d, numbers.Integral) and int(d) >= 0 for d in given):
        raise OpCallError(f"the shape of {name!r} is no shape", "a tuple of integers", repr(shape), hint)
    return tuple(int(d) for d in given)


def require_initializer(name: str, init: Any) -> None:
    """Raise OpCallError for anything but an initializer."""
    _require(name, "initializer", Initializer, init, "ConstantInitializer(0)")


def require_settings(name: str, init: Any, regu: Any, lr: Any, cons: Any) -> None:
    """Raise OpCallError for settings of a parameter of the wrong kinds."""
    require_initializer(name, init)
    _require(name, "regularizer", Regularizer, regu, "NoRegu()")
    _require(name, "learning-rate factor", numbers.Real, lr, "1.0")
    _require(name, "constraint", Constraint, cons, "NoCons()")


def _require(name: str, what: str, kind: type, given: Any, example: str) -> None:
    if not isinstance(given, kind):
        raise OpCallError(f"the {what} of {name!r} is none", f"such as {example}", repr(given))
