"""Signed and Coupled: what methods do with a gradient before they use it, as PyTorch's optimizers do.

The gradient has been clipped by then, and holds the terms of the layers' regularizers.
"""

from __future__ import annotations

from dataclasses import field

from mochac.base.errors import OptionError, shown
from mochac.base.records import record
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.nets.solvers.method import Method, require_number


def require_bool(method: Method, field: str) -> None:
    """Refuse a field that is neither True nor False."""
    if not isinstance(getattr(method, field), bool):
        what, got = f"{type(method).__name__}: {field}", shown(getattr(method, field))
        raise OptionError(f"{what} is out of range", expected="True or False", got=got)


@record(repr=False)
class Signed(Method):
    """A method that may go up the gradient: `maximize` negates it."""

    maximize: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        require_bool(self, "maximize")

    def gradient(self, b: GraphBuilder, w: Value, g: Value) -> Value:
        return b.op("neg", g) if self.maximize else g


@record(repr=False)
class Coupled(Signed):
    """A method whose `weight_decay` adds weight_decay * w to the gradient of every parameter."""

    weight_decay: float = field(default=0.0, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        require_number(self, "weight_decay")

    @property
    def decays(self) -> bool:
        return self.weight_decay > 0

    def gradient(self, b: GraphBuilder, w: Value, g: Value) -> Value:
        g = super().gradient(b, w, g)
        return b.op("add", g, b.scaled(w, self.weight_decay)) if self.weight_decay else g
