"""EarlyStopping: a coffee break that ends the training when a statistic stops improving, as Keras' callback does."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from mochac.base.errors import OptionError
from mochac.base.registry import misspelt
from mochac.base.rules import integer, real
from mochac.base.support.log import LOG
from mochac.nets.solvers.policies import STATISTIC
from mochac.nets.solvers.solver import needed_program
from mochac.training.loop.coffee import CoffeeBreak, TrainingState, ValidationPerformance
from mochac.training.loop.lounge import CoffeeLounge
from mochac.training.loop.retention import BestParameters, higher_is_better
from mochac.training.loop.snapshot import recalling

SUMMED = ("obj_val", "learning_rate", "momentum", "epoch")
"""Statistics that TrainingSummary records."""


class EarlyStopping(CoffeeBreak):
    """Ends the training after `patience` checks in a row without an improvement.

    A check takes place whenever the break is due: `solver.add_coffee_break(EarlyStopping(...), every_n_epoch=1)`. The
    statistic must have been recorded in the same iteration, by a break added before this one, unless `test` is given.
    The count, the best value and the best parameters are saved in snapshots.

    Args:
        statistic: a name in lounge.statistics, such as "test-accuracy-accuracy" or "obj_val".
        test: a program whose evaluation has the statistic; it is evaluated and recorded at every check.
        patience: number of checks, >= 1.
        higher_better: whether higher values are better; None: if the name ends in "accuracy".
        min_delta: smallest change that counts as an improvement, >= 0.
        restore_best: restore the parameters of the best check when training ends, for whatever reason.

    Attributes:
        told: log which parameters are restored; True by default.

    Raises:
        OptionError: a bad value; the test program has no such statistic; no break records it.
    """

    every_rank = True

    def __init__(
        self,
        statistic: str,
        *,
        test: Any = None,
        patience: int = 3,
        higher_better: bool | None = None,
        min_delta: float = 0.0,
        restore_best: bool = True,
    ) -> None:
        owner = "EarlyStopping"
        self.statistic: str = STATISTIC.check("statistic", statistic, owner)
        self.patience: int = integer(1).check("patience", patience, owner)
        self.min_delta: float = real(0).check("min_delta", min_delta, owner)
        if test is not None:
            needed_program(test, "evaluation", f"{owner}: test=", "mochac.compile(test_net, params=program.params)")
        self.test, self.restore_best = test, bool(restore_best)
        self.higher_better = higher_is_better(statistic, higher_better)
        self.told = True
        self._forget()

    def _forget(self) -> None:
        self.best_value: float | None = None
        self.best = BestParameters()
        self.waited = 0

    def init(self, program: Any) -> None:
        """Reset the count."""
        self._forget()
        if self.test is None:
            return
        ValidationPerformance(self.test).init(program)
        if self.statistic not in (known := self.test.statistic_names()):
            raise _unknown(self.statistic, known, "its test program has")

    def enjoy(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        """Check the statistic."""
        value = self._value(lounge, state)
        if value is None:
            return
        if self._improved(value):
            self.best_value, self.waited = value, 0
            self.best.keep(program.parameters() if self.restore_best else {}, state.iter)
            return
        self.waited += 1
        if self.waited >= self.patience:
            state.stop(f"{self.statistic} has not improved since iteration {self.best.iteration}: {self.best_value}")

    def destroy(self, program: Any) -> None:
        """Restore the best parameters at the end of the training."""
        if not self.restore_best or self.best.iteration is None:
            return
        self.best.put_back(program.session)
        if self.told:
            LOG.info("parameters of iteration %d: best %s = %g", self.best.iteration, self.statistic, self.best_value)

    def memory(self) -> dict[str, Any]:
        """Its state, for snapshots."""
        own = {"statistic": self.statistic, "best_value": self.best_value, "waited": self.waited}
        return {**own, **self.best.memory()}

    def recall(self, memory: Mapping[str, Any], program: Any) -> None:
        """Restore the state from memory(), unless that is of another statistic."""
        if memory.get("statistic") != self.statistic:
            return
        with recalling("EarlyStopping"):
            best = memory["best_value"]
            self.best_value, self.waited = None if best is None else float(best), int(memory["waited"])
            self.best.recall(memory, program.parameters())

    def _value(self, lounge: CoffeeLounge, state: TrainingState) -> float | None:
        """The statistic of this iteration; None if there is none yet (obj_val at iteration 0)."""
        if self.test is not None:
            means = self.test.evaluation().means()
            for name, value in means.items():
                lounge.record(name, state.iter, value)
            return means[self.statistic]
        if lounge.latest.get(self.statistic) == state.iter:
            return lounge.statistics[self.statistic][state.iter]
        if state.iter == 0:
            return None
        now = [name for name, iteration in lounge.latest.items() if iteration == state.iter]
        raise _unknown(self.statistic, now, f"recorded before it at iteration {state.iter}")

    def _improved(self, value: float) -> bool:
        if self.best_value is None:
            return not math.isnan(value)
        gain = value - self.best_value if self.higher_better else self.best_value - value
        return gain > self.min_delta


def _unknown(statistic: str, known: Any, where: str) -> OptionError:
    summary = f": TrainingSummary({statistic!r})" if statistic in SUMMED else ""
    adds = f"add the break that records it before this one, with the same interval{summary}"
    hint = misspelt(statistic, [name for name in (*known, "obj_val") if name != statistic], adds)
    return OptionError(
        f"EarlyStopping: no statistic {statistic!r}", details=[f"{where}: {' '.join(known) or 'nothing'}"], hint=hint
    )
