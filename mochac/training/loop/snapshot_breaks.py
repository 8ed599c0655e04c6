"""Breaks that keep or report: snapshots, averages and norms of parameters, states reset, curves.

LossCurve: the loss of a training in its lounge, even if no coffee break records it.

Which iterations get a row depends on their numbers alone, so a resumed training has the same rows as an uninterrupted
one, and no call is cut short for a row.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from mochac.base.errors import OptionError, SnapshotError
from mochac.base.files.event_file import EventFile
from mochac.base.rules import FOLDER, real
from mochac.base.support.interrupts import Interrupts
from mochac.base.support.log import LOG, one_line
from mochac.nets.solvers.solver import BreakEntry
from mochac.nets.solvers.update import Averaging
from mochac.runtime.data.params import dotted
from mochac.training.loop.coffee import CoffeeBreak, Snapshot, TrainingState, TrainingSummary
from mochac.training.loop.lounge import CoffeeLounge
from mochac.training.loop.snapshot import recalling
from mochac.training.session.net_parameters import average_arrays


class SnapshotBreaks:
    """A snapshot that cannot be written (a full disk) does not end the training: it is tried again at the end.

    Args:
        breaks: all coffee breaks of the training.
        interrupts: a second signal waits until a snapshot has been written.
    """

    def __init__(self, breaks: Sequence[Any], interrupts: Interrupts) -> None:
        self._breaks = {id(coffee): coffee for coffee in breaks if isinstance(coffee, Snapshot)}
        self._interrupts = interrupts
        self._failed: dict[int, Snapshot] = {}

    @property
    def hint(self) -> str:
        """Where the last good state is, for the hint of an error; "" without snapshots."""
        return f", resume from {next(iter(self._breaks.values())).folder}" if self._breaks else ""

    @property
    def all(self) -> list[Snapshot]:
        """All Snapshot breaks."""
        return list(self._breaks.values())

    def take(self, coffee: Snapshot, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        """Take a snapshot that is due; a failure is logged."""
        try:
            with self._interrupts.deferring:
                coffee.enjoy(lounge, program, state)
            self._failed.pop(id(coffee), None)
        except SnapshotError as error:
            LOG.warning("%s; training continues, and the next snapshot is tried when it is due", one_line(error))
            self._failed[id(coffee)] = coffee
        self._interrupts.deliver()

    def due_at_the_end(self) -> list[Snapshot]:
        """Breaks whose last snapshot failed, or all of them where a signal ended the training."""
        return list(self._failed.values()) if self._interrupts.asked is None else self.all

    def catch_up(self, coffee: Snapshot, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        """Take the last snapshot of a training; raises SnapshotError."""
        with self._interrupts.deferring:
            coffee.catch_up(lounge, program, state)


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


NAME = "obj_val"
DIGITS = 3
"""Rows are as close as this many leading digits of an iteration's number."""


class LossCurve:
    """Rows of "obj_val" in `lounge`, unless one of the `breaks` is a TrainingSummary that records it."""

    def __init__(self, lounge: CoffeeLounge, breaks: Sequence[Any]) -> None:
        self._lounge, self._next = lounge, 0
        self._wanted = not any(isinstance(b, TrainingSummary) and NAME in b.names for b in breaks)

    def add(self, first: int, losses: Sequence[float]) -> None:
        """The losses of the iterations that follow `first`. Breaks that record the same name come later and win."""
        last = first + len(losses)
        if self._wanted and self._next <= last:
            self._lounge.add(NAME, {t: losses[t - first - 1] for t in due(first, last)})
            self._next = following(last)

    def end(self, iteration: int, loss: float | None) -> None:
        """The training is over: its last iteration has a row too."""
        if self._wanted and loss is not None and iteration not in self._lounge.statistics.get(NAME, {}):
            self._lounge.add(NAME, {iteration: loss})


def due(first: int, last: int) -> Iterator[int]:
    """Iterations after `first`, up to `last`, that get a row: each up to 1000, every tenth up to 10,000, and so on.

    >>> list(due(997, 1025)), list(due(99_950, 101_500))
    ([998, 999, 1000, 1010, 1020], [100000, 101000])
    """
    step, low, high = 1, 0, 10**DIGITS
    while low <= last:
        begin = max(first + 1, low)
        yield from range(begin + -begin % step, min(last + 1, high), step)
        step, low, high = 10 * step, high, 10 * high


def following(t: int) -> int:
    """The first iteration after `t` that gets a row."""
    t += 1
    return t + -t % 10 ** max(0, len(str(t)) - DIGITS)


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
        """Let go of the program."""
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
