"""Coffee breaks that track a training: norms and averages of parameters, event files, early stopping."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.files.event_file import EventFile
from mochac.base.registry import misspelt
from mochac.base.rules import FOLDER, integer, real
from mochac.base.support.log import LOG
from mochac.nets.solvers.policies import STATISTIC
from mochac.nets.solvers.solver import BreakEntry, needed_program
from mochac.nets.solvers.update import Averaging
from mochac.runtime.data.params import dotted
from mochac.training.loop.coffee import CoffeeBreak, TrainingState, ValidationPerformance
from mochac.training.loop.lounge import CoffeeLounge
from mochac.training.loop.retention import BestParameters, higher_is_better
from mochac.training.loop.snapshot import recalling
from mochac.training.session.net_parameters import average_arrays


class ResetStates(CoffeeBreak):
    """Calls `program.reset_states()`: stateful recurrent layers start from zeros again, as at the end of an epoch.

    >>> solver.add_coffee_break(ResetStates(), every_n_epoch=1)  # doctest: +SKIP
    """

    def enjoy(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        """Reset the states."""
        program.reset_states()


class ParameterNorms(CoffeeBreak):
    """Records 2-norms in the lounge, by KEY.NAME of each parameter:

        norm/KEY.NAME        of its value
        gradient/KEY.NAME    of its gradient in the last update: that of the batch, or the mean of `accumulate` batches,
                             with the regularizer's term, before clipping
        change/KEY.NAME      of what training changed it by since the last time

    and beside them "learning_rate", that of the last update.

    `program.report()`, `mochac plot`, notebooks and TensorBoard show them beside the loss. Norms of gradients are part
    of the compiled step, so that no gradient need be kept for them. There are none of frozen parameters, and none at
    iteration 0.

    >>> solver.add_coffee_break(ParameterNorms(), every_n_iter=100)  # doctest: +SKIP
    """

    def __init__(self) -> None:
        self._before: dict[str, np.ndarray] = {}

    def enjoy(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        """Record the norms of this iteration."""
        now = {dotted(name): np.array(a, np.float64) for name, a in program.parameters().items()}
        found = {f"norm/{name}": _norm(a) for name, a in now.items()}
        found |= {f"gradient/{name}": value for name, value in state.gradients.items()}
        found |= {f"change/{name}": _norm(a - self._before[name]) for name, a in now.items() if name in self._before}
        found |= {name: value for name, value in state.hypers.items() if name.endswith("learning_rate")}
        self._before = now
        for name, value in found.items():
            lounge.record(name, state.iter, value)

    def destroy(self, program: Any) -> None:
        """Forget the parameters of the last time."""
        self._before = {}


def _norm(a: np.ndarray) -> float:
    return float(np.linalg.norm(a))


FLOAT32_MAX = float(np.finfo(np.float32).max)


class TensorBoard(CoffeeBreak):
    """Writes event files into a folder, for `tensorboard --logdir FOLDER`; TensorBoard itself need not be installed.

    Each time, it writes what is known of the iteration ("obj_val", "learning_rate", "momentum", losses by their layers)
    and what other breaks recorded for it, such as "test-accuracy-accuracy" or norms of parameters: add it after them.
    Every training has a file of its own, so a resumed one continues the curves.

    Args:
        logdir: the folder, made if it does not exist. Trainings to be compared have folders of their own beside each
            other.

    Raises:
        OptionError: a bad argument. SnapshotError: the file cannot be written.

    >>> solver.add_coffee_break(TensorBoard("runs/lenet"), every_n_iter=100)  # doctest: +SKIP
    """

    def __init__(self, logdir: str | os.PathLike[str]) -> None:
        self.logdir: str = FOLDER.check("logdir", logdir, "TensorBoard")
        self._file: EventFile | None = None

    def init(self, program: Any) -> None:
        """Begin a file."""
        self._file = EventFile(self.logdir)

    def enjoy(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        """Write the numbers of this iteration."""
        known = {name: value for name, value in state.named().items() if value is not None and name != "iter"}
        recorded = {name: rows[state.iter] for name, rows in lounge.statistics.items() if state.iter in rows}
        if self._file is not None:
            self._file.add(state.iter, {name: _single(value) for name, value in {**known, **recorded}.items()})

    def destroy(self, program: Any) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
        self._file = None


def _single(value: float) -> float:
    """The number as float32 holds it: infinite beyond its range, as a cast would make it."""
    return value if not abs(value) > FLOAT32_MAX else float(np.copysign(np.inf, value))


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
    """The interval if add_coffee_break gets none."""

    every_rank = True

    def __init__(self, decay: float = 0.999) -> None:
        self.decay: float = real(0, below=1).check("decay", decay, "ParameterAverage")
        self._program: Any = None

    def init(self, program: Any) -> None:
        """Start from the parameters."""
        self._program = program
        session = program.session
        now, averages = session.parameters(), average_arrays(session.net, session.params)
        with session.writing:
            for name, average in averages.items():
                average[...] = now[name]

    def destroy(self, program: Any) -> None:
        """Drop the reference to the program."""
        self._program = None

    def memory(self) -> dict[str, Any]:
        """The averages, for snapshots."""
        session = self._program.session
        arrays = average_arrays(session.net, session.params)
        return {f"average/{name}": np.array(array) for name, array in arrays.items()}

    def recall(self, memory: Mapping[str, Any], program: Any) -> None:
        """Restore the averages from memory(); those of parameters that it lacks start from the parameters."""
        session = program.session
        with recalling("ParameterAverage"), session.writing:
            for name, array in average_arrays(session.net, session.params).items():
                if f"average/{name}" in memory:
                    array[...] = memory[f"average/{name}"]


def averaging_of(entries: Sequence[BreakEntry]) -> Averaging | None:
    """The averages that the breaks of a training need; None for none."""
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


SUMMED = ("obj_val", "learning_rate", "momentum", "epoch")
"""Statistics that TrainingSummary records."""


class EarlyStopping(CoffeeBreak):
    """Ends the training after `patience` checks in a row without an improvement.

    A check takes place whenever the break is due: `solver.add_coffee_break(EarlyStopping(...), every_n_epoch=1)`. The
    statistic must have been recorded in the same iteration, by a break added before this one, unless there is a `test`.
    The count, the best value and the best parameters are saved in snapshots.

    Args:
        statistic: a name in lounge.statistics, such as "test-accuracy-accuracy" or "obj_val".
        test: a program whose evaluation has the statistic; it is evaluated and recorded at every check.
        patience: number of checks, >= 1.
        higher_better: whether higher values are better; None: if the name ends in "accuracy".
        min_delta: smallest change that counts as an improvement, >= 0.
        restore_best: restore the parameters of the best check when training ends, for whatever reason.

    Attributes:
        verbose: log which parameters are restored; True by default.

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
        self.verbose = True
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
        if self.verbose:
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
