"""LastTraining: what train(resume=True) needs to go on from, besides what the program itself keeps.

The training loop leaves one with the program when it ends and takes it up again. Parameters, solver slots, the place in
the data and the random numbers' counter stay in the program. It knows neither loop nor program.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mochac.errors import OptionError
from mochac.runtime.training.lounge import Table


@dataclass(frozen=True)
class LastTraining:
    """How a training ended.

    Args:
        method: name of the solver method.
        iteration: completed iterations, those before it included.
        start_epoch: epochs the data layers had behind them at iteration 0.
        memory: what policies and coffee breaks keep, by their names, as in a snapshot.
        statistics: of its lounge.
        saved_into: the lounge's file with links followed, "" for none.
    """

    method: str
    iteration: int
    start_epoch: int
    memory: Mapping[str, Mapping[str, Any]]
    statistics: Table
    saved_into: str

    def check(self, method: str) -> None:
        """Raise OptionError unless `method` can go on with this training's slots."""
        if method != self.method:
            raise OptionError(
                "resume=True goes on with the solver of the last training",
                expected=self.method,
                got=method,
                hint=f"without resume=True {method} starts at iteration 0",
            )
