"""ParameterAverage: a coffee break that averages the parameters over the updates, inside the training step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mochac.base.errors import OptionError
from mochac.nets.solvers.policy import check_number
from mochac.nets.solvers.solver import BreakEntry
from mochac.nets.solvers.update import Averaging
from mochac.training.loop.coffee import CoffeeBreak
from mochac.training.loop.snapshot import recalling


class ParameterAverage(CoffeeBreak):
    """Keeps an exponential moving average of each parameter:

        average <- decay * average + (1 - decay) * w

    after every update, or every n-th one, starting from the parameters at the beginning of the training. The average is
    part of the compiled step and does not interrupt it. `program.averages` holds it, `program.evaluate(average=True)`
    uses it in place of the parameters, as do test programs that share the parameters. It is saved in snapshots.

    Args:
        decay: >= 0, < 1; 0.999 averages over about the last thousand updates.

    Raises:
        OptionError: a bad value; a training with two of these breaks, or with one that is due by epochs.

    >>> solver.add_coffee_break(ParameterAverage(0.99))  # doctest: +SKIP
    """

    every_n_iter = 1
    """The interval where add_coffee_break is given none."""

    every_rank = True

    def __init__(self, decay: float = 0.999) -> None:
        check_number("ParameterAverage: decay", decay, 0, 1)
        if decay == 1:
            raise OptionError("ParameterAverage: decay is out of range", expected="a number >= 0 and < 1", got="1")
        self.decay = float(decay)
        self._program: Any = None

    def init(self, program: Any) -> None:
        """Start from the parameters."""
        self._program = program
        program.session.start_averages()

    def destroy(self, program: Any) -> None:
        """Let go of the program."""
        self._program = None

    def memory(self) -> dict[str, Any]:
        """The averages, for snapshots."""
        arrays = self._program.session.averages()
        return {f"average/{name}": np.array(array) for name, array in arrays.items()}

    def recall(self, memory: Mapping[str, Any], program: Any) -> None:
        """Restore the averages from memory(); those of parameters that it lacks start from the parameters."""
        with recalling("ParameterAverage"), program.session.writing:
            for name, array in program.session.averages().items():
                if f"average/{name}" in memory:
                    array[...] = memory[f"average/{name}"]


def averaging_of(entries: Sequence[BreakEntry]) -> Averaging | None:
    """What the breaks of a training ask its steps to average; None for nothing."""
    found = [entry for entry in entries if isinstance(entry.coffee, ParameterAverage)]
    if len(found) > 1:
        raise OptionError("a training keeps one average of its parameters", got=f"{len(found)} ParameterAverage breaks")
    for entry in found:
        if not entry.every_n_iter:
            hint = "solver.add_coffee_break(ParameterAverage(0.999)), or with every_n_iter="
            raise OptionError(
                "ParameterAverage is due by iterations", got=f"every_n_epoch={entry.every_n_epoch}", hint=hint
            )
        return Averaging(entry.coffee.decay, entry.every_n_iter)
    return None
