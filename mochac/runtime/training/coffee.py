"""Coffee breaks: what happens between iterations. TrainingSummary, Snapshot, ValidationPerformance.

The training loop calls them; a user's own break is any object with init(program), enjoy(lounge, program, state) and
destroy(program). They see a program through a few methods and know no plans.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mochac.errors import NumericError, OptionError
from mochac.registry import suggestion
from mochac.runtime.support.log import LOG
from mochac.runtime.training import snapshot
from mochac.runtime.training.lounge import CoffeeLounge

Memory = Mapping[str, Mapping[str, Any]]
_LONG_NAMES = {"lr": "learning_rate"}


@dataclass
class TrainingState:
    """What a break may want to know; `state["obj_val"]` looks a name up among all of it.

    Attributes:
        iter: completed iterations.
        epoch: passes over the first data layer since this training began.
        obj_val: total loss of the last batch before its update; None at iteration 0 and right after a resume.
        losses: the same by loss layer.
        hypers: the solver's scalars of the last update ("learning_rate", "momentum"), at iteration 0 of the first one.
        method: name of the solver method.
        start_epoch: the program's epoch when this training began.
        stop_reason: why a break wants the training to end, "" as long as none does.
        memory: what breaks and policies want to find again after a resume, by their names; for snapshots.
    """

    iter: int = 0
    epoch: int = 0
    obj_val: float | None = None
    losses: dict[str, float] = field(default_factory=dict)
    hypers: dict[str, float] = field(default_factory=dict)
    method: str = ""
    start_epoch: int = 0
    stop_reason: str = ""
    memory: Callable[[], Memory] = field(default=dict, repr=False)

    def stop(self, reason: str) -> None:
        """End the training after this iteration's breaks."""
        self.stop_reason = reason

    def __getitem__(self, name: str) -> float | None:
        return self.named()[name]

    def named(self) -> dict[str, float | None]:
        """Everything there is now, by name; a loss layer cannot hide a name of the loop's."""
        own = {"iter": self.iter, "epoch": self.epoch, "obj_val": self.obj_val}
        return {**self.losses, **self.hypers, **own}

    def see(self, hypers: Mapping[str, float]) -> None:
        """Take the solver's scalars over, under their long names."""
        self.hypers = {_LONG_NAMES.get(name, name): float(value) for name, value in hypers.items()}


class CoffeeBreak:
    """Base of breaks; every method may be left out."""

    def init(self, program: Any) -> None:
        """Before the first iteration."""

    def enjoy(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        """At iteration 0 and after every iteration that is due."""

    def destroy(self, program: Any) -> None:
        """After the last iteration, also when training failed."""


class TrainingSummary(CoffeeBreak):
    """Logs and records numbers of the iteration: " TRAIN iter=000100 obj_val=0.69314718".

    Args:
        names: of "iter", "epoch", "obj_val", the solver's "learning_rate", "momentum", and loss layers; default
            ("iter", "obj_val"). What is absent at iteration 0 is left out there. "iter" is logged, not recorded.
    """

    def __init__(self, *names: str) -> None:
        self.names = names or ("iter", "obj_val")

    def enjoy(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        known = state.named()
        words = []
        for name in self.names:
            value = known.get(name)
            if value is None:
                self._explain(name, {**known, **{layer.name: None for layer in program.net.losses}})
                continue
            words.append(f"{name}={value:06d}" if isinstance(value, int) else f"{name}={value:.8f}")
            if name != "iter":
                lounge.record(name, state.iter, value)
        LOG.info(" TRAIN %s", " ".join(words))

    def _explain(self, name: str, known: Mapping[str, Any]) -> None:
        """What will be known after an iteration is left out before; other names were misspelt."""
        if name not in known:
            close = suggestion(name, known)
            raise OptionError(
                f"TrainingSummary: no number {name!r}",
                details=[f"known: {' '.join(known)}"],
                hint=f"did you mean {close!r}?" if close else "",
            )


class Snapshot(CoffeeBreak):
    """Saves `snapshot-%06d.h5` into a folder: see runtime/training/snapshot.py.

    One training at a time writes into a folder. A snapshot that cannot be written (a full disk) is a warning, and the
    next one is tried when it is due; at iteration 0 and at the end of a training it is an error.
    """

    def __init__(self, folder: str | Path) -> None:
        if not isinstance(folder, (str, os.PathLike)):
            raise OptionError("Snapshot: folder is not a path", got=repr(folder))
        self.folder = Path(folder)
        self._last: int | None = None

    def init(self, program: Any) -> None:
        self._last = None

    def enjoy(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        """Raises NumericError where the last update overflowed: nobody could go on from there. SnapshotError: see
        save_snapshot."""
        path, state_now = snapshot.snapshot_path(self.folder, state.iter), capture(program, state)
        require_finite(program, state.iter, f", resume from {self.folder}")
        snapshot.save_snapshot(path, state_now)
        self._last = state.iter
        LOG.info("Snapshot saved to %s", path)

    def catch_up(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        """A last snapshot when training is cut short, unless this iteration has one."""
        if self._last != state.iter:
            self.enjoy(lounge, program, state)


def require_finite(program: Any, iteration: int, more: str = "") -> None:
    """Raise a NumericError where an update has overflowed, which no loss has shown yet; `more` goes into its hint."""
    bad = program.session.overflowed()
    if bad is not None:
        hint = f"lower the learning rate{more}"
        raise NumericError(f"iteration {iteration}: {bad.name} became {bad.value}", hint=hint)


def capture(program: Any, state: TrainingState) -> snapshot.SavedState:
    """The program's whole state; arrays are the live ones."""
    return snapshot.SavedState(
        iteration=state.iter,
        method=state.method,
        net=program.name,
        cursor=program.session.cursor(),
        rng_step=program.rng_step,
        start_epoch=state.start_epoch,
        parameters=program.parameters(),
        slots=program.session.slots(),
        seed=program.seed,
        memory=state.memory(),
    )


Listener = Callable[[CoffeeLounge, Any, TrainingState], None]


class ValidationPerformance(CoffeeBreak):
    """Logs and records a test program's statistics over one exact pass of its data.

    Args:
        program: compiled with `params=` of the program in training.
    """

    def __init__(self, program: Any) -> None:
        if not callable(getattr(program, "evaluation", None)):
            raise OptionError(
                "ValidationPerformance takes a program",
                expected="mochac.compile(test_net, params=program.params)",
                got=type(program).__name__,
            )
        self.program = program
        self._listeners: list[Listener] = []

    def register(self, listener: Listener) -> None:
        """Call `listener(lounge, program, state)` after every validation."""
        if not callable(listener):
            raise OptionError("not a listener", expected="listener(lounge, program, state)", got=repr(listener))
        self._listeners.append(listener)

    def init(self, program: Any) -> None:
        mine, theirs = self.program.parameters(), program.parameters()
        if not any(name in theirs and array is theirs[name] for name, array in mine.items()):
            LOG.warning("validation net shares no parameters with the net in training; compile it with params=")

    def enjoy(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        statistics = self.program.evaluation()
        lines = statistics.lines()
        rule = "-" * 57
        head = f"## Performance on Validation Set after {state.iter} iterations"
        for line in ("", head, rule, *lines, rule, ""):
            LOG.info(line)
        for name, value in statistics.means().items():
            lounge.record(name, state.iter, value)
        for listener in self._listeners:
            listener(lounge, program, state)
