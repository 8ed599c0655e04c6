"""BegunState: the state of an optimizer that has made updates elsewhere, with which a training begins."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mochac.base.records import record


@record(eq=False)
class BegunState:
    """What an optimizer has kept of its updates.

    Attributes:
        iteration: how many updates it has made, from which policies and limits count on.
        slots: for each slot of the method, arrays by the names that parameters have in PyTorch.
    """

    iteration: int
    slots: Mapping[str, Mapping[str, np.ndarray]]
