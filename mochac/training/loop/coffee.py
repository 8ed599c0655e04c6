"""Coffee breaks, which run between iterations: TrainingSummary, Snapshot, ValidationPerformance.

A coffee break is any object with enjoy(lounge, program, state), and optionally init(program), destroy(program) and
after_steps(first, losses).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from mochac.base.errors import NumericError, OptionError, SnapshotError, shown
from mochac.base.hints.calls import CheckedCalls, break_hint
from mochac.base.registry import did_you_mean, misspelt
from mochac.base.rules import FOLDER, boolean, text
from mochac.base.support.log import LOG
from mochac.nets.solvers.solver import needed_program
from mochac.runtime.ranks.ranks import ALONE, Ranks
from mochac.training.loop import snapshot
from mochac.training.loop.lounge import CoffeeLounge
from mochac.training.loop.retention import Retention, Written
from mochac.training.session.session import Session

Memory = Mapping[str, Mapping[str, Any]]
_LONG_NAMES = {"lr": "learning_rate"}


@dataclass
class TrainingState:
    """The state of a training, for coffee breaks; `state["obj_val"]` looks up any of its numbers by name.

    Attributes:
        iter: completed iterations.
        epoch: passes over the first data layer since this training began.
        obj_val: total loss of the last batch before its update; None at iteration 0 and right after resuming.
        losses: the same for each loss layer.
        hypers: scalars of the solver in the last update ("learning_rate", "momentum"); at iteration 0, in the first.
        gradients: 2-norms of the gradients in the last update, by "key.name" of their parameters, if the training has a
            ParameterNorms break.
        method: name of the solver method.
        start_epoch: epoch of the program when this training began.
        stop_reason: why a break ended the training; "" if none has.
        memory: returns what breaks and policies need after a resume, by their names; for snapshots.
        ranks: those that train together.
    """

    iter: int = 0
    epoch: int = 0
    obj_val: float | None = None
    losses: dict[str, float] = field(default_factory=dict)
    hypers: dict[str, float] = field(default_factory=dict)
    gradients: dict[str, float] = field(default_factory=dict)
    method: str = ""
    start_epoch: int = 0
    stop_reason: str = ""
    memory: Callable[[], Memory] = field(default=dict, repr=False)
    ranks: Ranks = field(default=ALONE, repr=False)

    def stop(self, reason: str) -> None:
        """End the training after the breaks of this iteration."""
        self.stop_reason = reason

    def __getitem__(self, name: str) -> float | None:
        known = self.named()
        if name not in known:
            raise KeyError(
                f"state has no {name!r}{did_you_mean(name, known)}; known now: {', '.join(known) or 'nothing'}"
            )
        return known[name]

    def named(self) -> dict[str, float | None]:
        """All numbers known now, by name; "iter", "epoch" and "obj_val" take precedence over loss layers of that
        name."""
        own = {"iter": self.iter, "epoch": self.epoch, "obj_val": self.obj_val}
        return {**self.losses, **self.hypers, **own}

    def see(self, hypers: Mapping[str, float]) -> None:
        """Update the scalars of the solver, under their long names."""
        self.hypers = {long_name(name): float(value) for name, value in hypers.items()}


def long_name(scalar: str) -> str:
    """The name of a solver's scalar in statistics.

    >>> long_name("lr"), long_name("head*.lr"), long_name("momentum")
    ('learning_rate', 'head*.learning_rate', 'momentum')
    """
    group, dot, name = scalar.rpartition(".")
    return f"{group}{dot}{_LONG_NAMES.get(name, name)}"


class CoffeeBreak(metaclass=CheckedCalls):
    """Base class of coffee breaks, whose methods do nothing.

    Attributes:
        every_rank: in a training on several ranks, whether it runs on each of them instead of on rank 0 alone: because
            they work together in it, or because it changes parameters.

    Raises:
        OptionError: an argument that the break does not have.
    """

    every_rank: ClassVar[bool] = False
    _arguments: tuple[Any, ...] = ()
    _named: Mapping[str, Any] = {}

    def __new__(cls, *args: Any, **named: Any) -> Self:
        self = super().__new__(cls)
        self._arguments, self._named = args, named
        return self

    def __repr__(self) -> str:
        fields = [*map(repr, self._arguments), *(f"{name}={value!r}" for name, value in self._named.items())]
        return f"{type(self).__name__}({', '.join(fields)})"

    @classmethod
    def hint_for(cls, name: str, known: Sequence[str]) -> str:
        """The hint for an argument that it does not have."""
        return break_hint(name, known)

    def init(self, program: Any) -> None:
        """Called before the first iteration."""

    def enjoy(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        """Called at iteration 0, and after every iteration at which the break is due."""

    def after_steps(self, first: int, losses: np.ndarray) -> None:
        """Called with the losses of the iterations that follow `first`, some at a time, before breaks are due."""

    def destroy(self, program: Any) -> None:
        """Called after the last iteration, also if training failed."""


class TrainingSummary(CoffeeBreak):
    """Logs and records numbers of the current iteration: " TRAIN iter=000100 obj_val=0.69314718".

    Args:
        names: any of "iter", "epoch", "obj_val", "learning_rate", "momentum", and names of loss layers; ("iter",
            "obj_val") by default. Numbers not yet known at iteration 0 are left out. "iter" is logged but not recorded.
    """

    every_rank = True

    def __init__(self, *names: str) -> None:
        self.names = names or ("iter", "obj_val")

    def enjoy(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        known = state.named()
        words = []
        for name in self.names:
            value = known.get(name)
            if value is None:
                self._check_known(name, {**known, **{layer.name: None for layer in program.net.losses}})
                continue
            words.append(f"{name}={value:06d}" if isinstance(value, int) else f"{name}={value:.8f}")
            if name != "iter":
                lounge.record(name, state.iter, value)
        if words:
            LOG.info(" TRAIN %s", " ".join(words))

    def _check_known(self, name: str, known: Mapping[str, Any]) -> None:
        """Raise OptionError unless the number will be known after an iteration."""
        if name not in known:
            raise OptionError(
                f"TrainingSummary: no number {name!r}",
                details=[f"known: {' '.join(known)}"],
                hint=misspelt(name, known, "ValidationPerformance(test) logs those of a test net"),
            )


class Snapshot(CoffeeBreak):
    """Saves the state of the training in a folder, as `snapshot-%06d.h5`.

    Only one training at a time can use a folder. If a snapshot cannot be written, say on a full disk, a warning is
    logged, and the next one is tried when it is due; at iteration 0 and at the end of a training, it is an error.

    Args:
        folder: made if it does not exist.
        keep_last: how many of this training's snapshots are kept, >= 1: older ones are removed once a new one has been
            written. None: all, or the newest one if there is a `keep_best`.
        keep_best: also keep the snapshot of the best value of this statistic so far, of those taken in an iteration
            that recorded one: a name in lounge.statistics, such as "test-accuracy-accuracy", or "obj_val".
        higher_better: whether higher values are better; None: if the name ends in "accuracy".

    Raises:
        OptionError: a bad value; no break has recorded the statistic.
    """

    def __init__(
        self,
        folder: str | Path,
        keep_last: int | None = None,
        keep_best: str | None = None,
        higher_better: bool | None = None,
    ) -> None:
        self.folder = Path(FOLDER.check("folder", folder, "Snapshot"))
        self._last: int | None = None
        self._retention = Retention(self.folder, keep_last, "" if keep_best is None else keep_best, higher_better)
        if self._retention.active:  # only then is there anything to remember
            self.memory, self.recall = self._retention.memory, self._retention.recall

    @property
    def best(self) -> Path | None:
        """The snapshot of the best value of `keep_best` so far; None before there is one."""
        iteration = self._retention.written.best
        return None if iteration is None else snapshot.snapshot_path(self.folder, iteration)

    def init(self, program: Any) -> None:
        self._last = None
        self._retention.written = Written()

    def enjoy(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        """Save a snapshot; raises SnapshotError, or NumericError if the last update overflowed, since no training could
        continue from it."""
        known = {name: rows.get(state.iter) for name, rows in lounge.statistics.items()}
        before = self._retention.written
        self._retention.add(state.iter, {**state.named(), **_found(known)}, lounge.statistics)
        path, state_now = snapshot.snapshot_path(self.folder, state.iter), capture(program, state)
        require_finite(program, state.iter, f", resume from {self.folder}")
        try:
            snapshot.save_snapshot(path, state_now)
        except SnapshotError:
            self._retention.written = before
            raise
        self._retention.remove()
        self._last = state.iter
        LOG.info("Snapshot saved to %s", path)

    def catch_up(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        """Save a last snapshot when training is interrupted, unless this iteration has one."""
        if self._last != state.iter:
            self.enjoy(lounge, program, state)


def _found(numbers: Mapping[str, float | None]) -> dict[str, float]:
    return {name: number for name, number in numbers.items() if number is not None}


def require_finite(program: Any, iteration: int, more: str = "") -> None:
    """Raise NumericError if the last update overflowed, which no loss shows yet; `more` is added to the hint."""
    bad = program.session.overflowed()
    if bad is not None:
        hint = f"lower the learning rate{more}"
        raise NumericError(f"iteration {iteration}: {bad.name} became {bad.value}", hint=hint)


def capture(program: Any, state: TrainingState) -> snapshot.SavedState:
    """The whole state of a training; its arrays are not copied."""
    session: Session = program.session
    return snapshot.SavedState(
        iteration=state.iter,
        method=state.method,
        net=program.name,
        cursor=session.batches.position.cursor(),
        rng_step=program.rng_step,
        start_epoch=state.start_epoch,
        parameters=program.parameters(),
        slots=session.slots(),
        seed=program.seed,
        parts=session.plans.parts,
        convolutions=session.plans.convolutions,
        precision=session.plans.options.precision,
        memory=state.memory(),
    )


Listener = Callable[[CoffeeLounge, Any, TrainingState], None]


class ValidationPerformance(CoffeeBreak):
    """Logs and records the statistics of a test program over one exact pass of its data, in one line:
    " VALID iter=001000 accuracy-accuracy=0.9910".

    Args:
        program: compiled with `params=` of the program in training; with `data`, it may be the program in training.
        data: samples by the tops of its data layers, in place of theirs: {"data": X, "label": y}; see evaluate().
        average: with the averages of the parameters in their places, which a ParameterAverage break keeps; names of the
            statistics then begin with "average-".
        prefix: what the names of the statistics begin with, besides. With "train-", the program in training itself may
            be measured beside a test program, over its own data.
    """

    every_rank = True  # they share the batches

    def __init__(
        self,
        program: Any,
        *,
        data: Mapping[str, Any] | None = None,
        average: bool = False,
        prefix: str = "",
    ) -> None:
        owner = "ValidationPerformance"
        needed_program(program, "evaluation", owner, "mochac.compile(test_net, params=program.params)")
        average = boolean().check("average", average, owner)
        prefix = text(empty=True).check("prefix", prefix, owner)
        if data is not None and (not isinstance(data, Mapping) or not data):
            expected = "arrays by the tops of the data layers, {'data': X, 'label': y}"
            raise OptionError("ValidationPerformance: data is not a dict", expected=expected, got=type(data).__name__)
        self.program, self.average, self.prefix, self.data = program, average, prefix, data
        self._listeners: list[Listener] = []

    @property
    def of(self) -> tuple[int, int, bool, str]:
        """Equal for validations that record the same."""
        return id(self.program), id(self.data), self.average, self.prefix

    def statistic_names(self) -> list[str]:
        """The names under which it records."""
        return [self._name(name) for name in self.program.statistic_names()]

    def _name(self, statistic: str) -> str:
        return self.prefix + (f"average-{statistic}" if self.average else statistic)

    def register(self, listener: Listener) -> None:
        """Call `listener(lounge, program, state)` after every validation."""
        if not callable(listener):
            raise OptionError("not a listener", expected="listener(lounge, program, state)", got=shown(listener))
        self._listeners.append(listener)

    def init(self, program: Any) -> None:
        mine, theirs = self.program.parameters(), program.parameters()
        shared = {name: array for name, array in mine.items() if name in theirs and array is theirs[name]}
        if shared:
            self.program.warn_of_unset(shared)
        else:
            LOG.warning("the validation net shares no parameters with the net in training; compile it with params=")

    def enjoy(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        options: dict[str, Any] = {"average": True} if self.average else {}
        options |= {} if self.data is None else {"arrays": self.data}
        options |= {"ranks": state.ranks} if state.ranks.several else {}
        statistics = self.program.evaluation(**options)
        means = {self._name(name): value for name, value in statistics.means().items()}
        LOG.info(" VALID iter=%06d %s", state.iter, " ".join(f"{name}={value:.4f}" for name, value in means.items()))
        for name, value in means.items():
            lounge.record(name, state.iter, value)
        for listener in self._listeners if state.ranks.leads else ():
            listener(lounge, program, state)
