"""LastTraining: the record that train(resume=True) needs to continue the last training.

Parameters, solver slots, the position in the data and the counter of random numbers stay in the program.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mochac.base.errors import OptionError
from mochac.base.records import record
from mochac.training.loop.lounge import Table


@record
class LastTraining:
    """How a training ended.

    Args:
        method: name of the solver method.
        iteration: completed iterations, since iteration 0.
        start_epoch: epoch of the program at iteration 0.
        memory: state of policies and coffee breaks, by their names, as in a snapshot.
        statistics: of its lounge.
        saved_into: real path of the statistics file, "" for none.
    """

    method: str
    iteration: int
    start_epoch: int
    memory: Mapping[str, Mapping[str, Any]]
    statistics: Table
    saved_into: str

    def check(self, method: str) -> None:
        """Raise OptionError unless `method` can continue with the slots of this training."""
        if method != self.method:
            raise OptionError(
                "resume=True continues with the solver of the last training",
                expected=self.method,
                got=method,
                hint=f"without resume=True {method} starts at iteration 0",
            )
