"""Waits: how long the steps of a training wait for its data layers, and the report about it at the end."""

from __future__ import annotations

from mochac.base.support.log import LOG
from mochac.training.loop.lounge import CoffeeLounge
from mochac.training.loop.trainable import Trainable

REPORTED_S = 10.0
"""A training that takes at least this many seconds says at its end how long its steps waited for data."""
SLOW_INPUT, SLOW_INPUT_S = 0.05, 0.5
"""A data layer is slow if steps waited for it for this share of the training's time, and for so many seconds."""


class Waits:
    """Counts waits from now on.

    Args:
        session: whose steps wait.
        lounge: gets the seconds, by data layer.
    """

    def __init__(self, session: Trainable, lounge: CoffeeLounge) -> None:
        self._session, self._lounge = session, lounge
        self._before = session.waited()

    def count(self) -> None:
        """Write into the lounge how long steps have waited so far."""
        waited = self._session.waited().items()
        self._lounge.waited_s = {layer: seconds - self._before.get(layer, 0.0) for layer, seconds in waited}

    def reported(self) -> float | None:
        """All waits together; None after a short training."""
        return sum(self._lounge.waited_s.values()) if self._lounge.trained_s >= REPORTED_S else None

    def warn(self) -> None:
        """Name the data layers that are slow."""
        whole = self._lounge.trained_s
        for layer, seconds in self._lounge.waited_s.items():
            if seconds >= max(SLOW_INPUT_S, SLOW_INPUT * whole):
                LOG.warning("data layer %r is slow: steps waited for it %.1f s of %.1f s", layer, seconds, whole)
