"""ResetStates: a coffee break after which stateful layers start from zeros."""

from __future__ import annotations

from typing import Any

from mochac.training.loop.coffee import CoffeeBreak, TrainingState
from mochac.training.loop.lounge import CoffeeLounge


class ResetStates(CoffeeBreak):
    """Calls `program.reset_states()`: stateful recurrent layers start from zeros again, as at the end of an epoch.

    >>> solver.add_coffee_break(ResetStates(), every_n_epoch=1)  # doctest: +SKIP
    """

    def enjoy(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        """Reset the states."""
        program.reset_states()
