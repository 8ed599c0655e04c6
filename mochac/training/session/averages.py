"""Averages of a net's parameters: where a store keeps them, and a store in which they replace the parameters."""

from __future__ import annotations

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.records import record
from mochac.nets.net import Net
from mochac.nets.solvers.averaging import AVERAGE
from mochac.runtime.data.params import Parameter, Params


def make_averages(net: Net, params: Params) -> dict[str, Parameter]:
    """The averages of a net's parameters by the name of their slot; absent ones are copies of the parameters."""
    if params.averages is None:
        params.averages = params.empty_copy()
    made: dict[str, Parameter] = {}
    for p in net.params:
        now = params[p.key][p.name]
        made[f"{p.value}.{AVERAGE}"] = params.averages.ensure(
            p.key, p.name, p.shape, now.dtype, _CopyOf(now), seed=0, first=True, layer=p.layer
        )
    return made


def averaged(net: Net, params: Params) -> Params:
    """A store in which averages replace those parameters of a net that have one; it holds no arrays itself.

    Raises:
        OptionError: no training has kept averages of any parameter.
    """
    averages = params.averages or Params()
    has = {p.value: p.key in averages and p.name in averages[p.key] for p in net.params}
    store = params.empty_copy()
    for p in net.params:
        store.share((averages if has[p.value] else params)[p.key][p.name])
    if not any(has.values()):
        rule = f"the parameters of net {net.name!r} have no averages"
        raise OptionError(rule, hint="solver.add_coffee_break(ParameterAverage(0.999)) keeps them in training")
    return store


@record
class _CopyOf:
    """An initializer: the values that a parameter has now."""

    parameter: Parameter

    def fill(self, shape: tuple[int, ...], dtype: np.dtype, generator: np.random.Generator) -> np.ndarray:
        return np.array(self.parameter.values)
