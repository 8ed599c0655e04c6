"""MOCHAC_CHECK=nan: which blob or gradient became NaN or infinite first.

Program.advance calls it when a step's loss is not finite, after running that batch again, unfused, from the state
before the step.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mochac.driver.bank import BoundPlan
from mochac.errors import NumericError


def first_bad(bound: BoundPlan, iteration: int) -> NumericError | None:
    """The error for the first non-finite value of a backward plan that has just run, in order of computation."""
    order = [out.name for node in bound.source.graph.nodes for out in node.outputs]
    place = {name: k for k, name in enumerate(order)}
    named = sorted(bound.source.named.items(), key=lambda item: place.get(item[1], -1))
    for shown, _ in named:
        values = bound.runner.read(shown)
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            return _error(shown, values, iteration)
    return None


def _error(shown: str, values: np.ndarray, iteration: int) -> NumericError:
    at = tuple(int(k) for k in np.argwhere(~np.isfinite(values))[0])
    kinds: Mapping[str, str] = {"diff": "gradient of blob", "grad": "gradient of parameter"}
    first, _, rest = shown.partition(" ")
    what = f"{kinds[first]} {rest!r}" if rest and first in kinds else f"blob {shown!r}"
    return NumericError(
        f"iteration {iteration}: {what} became {values[at] if at else values} first at {at}",
        details=["everything computed before it was finite"],
        hint="lower the learning rate, or look at the data of this batch",
    )
