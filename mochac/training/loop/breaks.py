"""The coffee breaks of one training: when they are due, how they run and end, and what snapshots keep of them.

Agenda: what is due after an iteration, and how many steps may run before the next break.
SnapshotBreaks: snapshots that cannot be written are tried again.
LossCurve: the loss of a training in its lounge, even if no break records it. Which iterations get a row depends on
their numbers alone, so a resumed training has the same rows as an uninterrupted one, and no call is cut short for one.
Decay: what LRPolicy.DecayOnValidation does to a training when a validation is worse than the best one.
TrainingMemory: what policies and breaks remember, for snapshots and train(resume=True).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from mochac.base.errors import OptionError, SnapshotError
from mochac.base.registry import misspelt
from mochac.base.support.interrupts import Interrupts
from mochac.base.support.log import LOG, one_line
from mochac.nets.solvers.policy import Decaying
from mochac.nets.solvers.solver import BreakEntry
from mochac.runtime.ranks.ranks import Ranks
from mochac.training.loop.coffee import Memory, Snapshot, TrainingState, TrainingSummary, ValidationPerformance
from mochac.training.loop.hypers import Hypers
from mochac.training.loop.lounge import CoffeeLounge
from mochac.training.loop.retention import BestParameters
from mochac.training.loop.snapshot import recalling
from mochac.training.session.session import Session

CALL_S = 0.05
"""Time that one call into native code should take, seconds: progress is shown and Ctrl-C is noticed between calls."""
MAX_STEPS = 4096
"""Maximum steps in one call; it bounds the arrays of hyper-parameters and losses."""


class Agenda:
    """Decides when control returns from native code to Python: for a coffee break, to save statistics, at a limit.

    Args:
        breaks: coffee breaks with their intervals.
        save_every_n_iter: interval at which the statistics file is written, where there is something new to write.
        steps_to_epoch: how many steps the current epoch still has; called only where epochs matter, since a net
            without data layers has none.

    Attributes:
        last_iter, last_epoch: the limits; None for none.
    """

    def __init__(self, breaks: Sequence[BreakEntry], save_every_n_iter: int, steps_to_epoch: Callable[[], int]) -> None:
        self.breaks = list(breaks)
        self.last_iter: int | None = None
        self.last_epoch: int | None = None
        self._save_every_n_iter = save_every_n_iter
        self._steps_to_epoch = steps_to_epoch
        self._step_s = 0.0

    def timed(self, n: int, seconds: float) -> None:
        """Note that a call of `n` steps took this long; the next call is sized accordingly."""
        self._step_s = seconds / n

    def steps(self, state: TrainingState, *, unsaved: bool = False) -> int:
        """How many steps may run in the next call; 0 where the training is over.

        Args:
            unsaved: there are statistics that the file lacks.
        """
        return 0 if self._is_over(state) else min(self._bounds(state.iter, unsaved))

    def due(self, state: TrainingState, epoch_before: int | None = None) -> list[Any]:
        """Coffee breaks that are due after iteration `state.iter`, in the order in which they were added.

        Args:
            epoch_before: the epoch before the last call; None at iteration 0, where all breaks are due.
        """
        breaks = self.breaks
        return [entry.coffee for entry in breaks if _is_due(entry, state, epoch_before)] if breaks else []

    def saves(self, iteration: int) -> bool:
        """Whether new statistics are written to their file after this iteration."""
        return iteration % self._save_every_n_iter == 0

    def _is_over(self, state: TrainingState) -> bool:
        if state.stop_reason:
            return True
        iterations_done = self.last_iter is not None and state.iter >= self.last_iter
        return iterations_done or (self.last_epoch is not None and state.epoch >= self.last_epoch)

    def _bounds(self, iteration: int, unsaved: bool) -> Iterator[int]:
        yield min(MAX_STEPS, max(1, int(CALL_S / self._step_s))) if self._step_s else 1
        if self.last_iter is not None:
            yield self.last_iter - iteration
        intervals = [entry.every_n_iter for entry in self.breaks if entry.every_n_iter]
        for n in [*intervals, *([self._save_every_n_iter] if unsaved else [])]:
            yield n - iteration % n
        if self.last_epoch is not None or any(e.every_n_epoch and not e.every_n_iter for e in self.breaks):
            yield self._steps_to_epoch()


def _is_due(entry: BreakEntry, state: TrainingState, epoch_before: int | None) -> bool:
    if entry.every_n_iter:
        return state.iter % entry.every_n_iter == 0
    n = entry.every_n_epoch
    return n > 0 and (epoch_before is None or state.epoch // n > epoch_before // n)


class SnapshotBreaks:
    """The Snapshot breaks. If one cannot be written (a full disk), training continues, and it is retried at the end.

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
        return list(self._failed.values()) if self._interrupts.signal is None else self.all

    def catch_up(self, coffee: Snapshot, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        """Take the last snapshot of a training; raises SnapshotError."""
        with self._interrupts.deferring:
            coffee.catch_up(lounge, program, state)


NAME = "obj_val"
DIGITS = 3
"""Iterations that get a row differ in this many leading digits."""


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
        """Add a row for the last iteration."""
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


class Breaks:
    """The coffee breaks of this rank run here; all ranks follow the decisions of those on rank 0.

    Args:
        coffees: in the order in which they were added.
        hypers: whose method may watch validations, and which breaks may set.
        interrupts: a second signal waits until a snapshot has been written.

    Attributes:
        all: the coffees.
        decays: of the policies that watch validations.
        running: whether breaks run now.
        watching: methods that want the losses of every step.

    Raises:
        OptionError: no validation has what a policy watches.
    """

    def __init__(
        self, program: Any, coffees: Sequence[Any], hypers: Hypers, ranks: Ranks, interrupts: Interrupts
    ) -> None:
        self._program, self._hypers, self._ranks = program, hypers, ranks
        self._begun: list[Any] = []
        self.all, self.running = coffees, False
        self.decays = [Decay(policy, coffees) for policy in hypers.method.watching(None)]
        self.snapshots = SnapshotBreaks(coffees, interrupts)
        self.watching: list[Callable[[int, np.ndarray], None]] = [
            coffee.after_steps for coffee in coffees if hasattr(coffee, "after_steps") and self._is_ours(coffee)
        ]

    def init(self) -> None:
        """Call every break's init."""
        for coffee in filter(self._is_ours, self.all):
            self._begun.append(coffee)
            self._call(coffee, "init")

    def destroy(self) -> None:
        """Call destroy of those whose init was called; after a failure, the next call continues with the remaining
        ones."""
        while self._begun:
            self._call(self._begun.pop(0), "destroy")

    def run(self, due: list[Any], lounge: CoffeeLounge, memory: TrainingMemory, state: TrainingState) -> None:
        """Run the breaks that are due."""
        self.running = True
        try:
            self._enjoy(due, lounge, memory, state)
        finally:
            self.running = False

    def _enjoy(self, due: list[Any], lounge: CoffeeLounge, memory: TrainingMemory, state: TrainingState) -> None:
        if memory:  # a snapshot keeps what the other breaks of this iteration add to it
            due.sort(key=lambda coffee: isinstance(coffee, Snapshot))
        for coffee in filter(self._is_ours, due):
            if isinstance(coffee, Snapshot) and state.iter:
                self.snapshots.take(coffee, lounge, self._program, state)
            else:
                coffee.enjoy(lounge, self._program, state)
            self._decay(coffee, lounge, memory, state)
        if self._ranks.several and not all(getattr(coffee, "every_rank", False) for coffee in due):
            self._follow(state)

    def _is_ours(self, coffee: Any) -> bool:
        """Whether a break runs on this rank."""
        return self._ranks.leads or bool(getattr(coffee, "every_rank", False))

    def _decay(self, coffee: Any, lounge: CoffeeLounge, memory: TrainingMemory, state: TrainingState) -> None:
        """Restore the best parameters if `coffee` is a validation whose result is worse."""
        watching, session = self._hypers.method.watching(state.iter), self._program.session
        for decay in self.decays:
            if decay.policy in watching and decay.after(coffee, lounge, session, state):
                for array in session.slots().values():
                    array[...] = 0
                memory.zeroed = state.iter

    def _follow(self, state: TrainingState) -> None:
        """Send the decisions of rank 0's breaks to all ranks."""
        reason, memory = self._ranks.broadcast((state.stop_reason, self._hypers.memory()))
        if not self._ranks.leads:
            state.stop_reason = reason
            for name in [name for name in self._hypers.memory() if name in self._hypers and name not in memory]:
                del self._hypers[name]
            self._hypers.recall(memory)

    def _call(self, coffee: Any, method: str) -> None:
        """Call a method of a break; a user's break may lack init and destroy."""
        getattr(coffee, method, lambda program: None)(self._program)


class Decay:
    """A DecayOnValidation policy in a training, and the validation that it watches.

    Args:
        breaks: those of the training; one ValidationPerformance must have the policy's statistic.

    Raises:
        OptionError: none has, or several programs have.
    """

    def __init__(self, policy: Decaying, breaks: Sequence[Any]) -> None:
        self.policy, self.best = policy, BestParameters()
        self._validation = _validated(policy.key, [b for b in breaks if isinstance(b, ValidationPerformance)])

    def after(self, coffee: Any, lounge: CoffeeLounge, session: Session, state: TrainingState) -> bool:
        """Judge what a break has just recorded, if it is the validation that the policy watches.

        Returns:
            Whether it was worse: the best parameters are back, and the solver's slots are to be zeroed.
        """
        if not isinstance(coffee, ValidationPerformance) or coffee.of != self._validation.of:
            return False
        value, before = lounge.statistics[self.policy.key][state.iter], self.policy.lr
        better = self.policy.judge(value)
        if better:
            self.best.keep(session.parameters(), state.iter)
        if better is not False:
            return False
        self.best.put_back(session)
        words = "%s = %g is worse than the best: parameters of iteration %s, learning rate %g -> %g"
        LOG.info(words, self.policy.key, value, self.best.iteration, before, self.policy.lr)
        return True

    def memory(self) -> dict[str, Any]:
        """Its state, for snapshots."""
        return {**self.policy.memory(), **self.best.memory()}

    def recall(self, memory: Mapping[str, Any], session: Session) -> None:
        """Restore the state from memory(), unless that is of another statistic."""
        with recalling("LRPolicy.DecayOnValidation"):
            if self.policy.recall(memory):
                self.best.recall(memory, session.parameters())


def _validated(key: str, breaks: Sequence[ValidationPerformance]) -> ValidationPerformance:
    """The validation that has the statistic `key`; one that is due at other iterations too counts once."""
    rule = "LRPolicy.DecayOnValidation"
    if not breaks:
        hint = "solver.add_coffee_break(ValidationPerformance(test), every_n_iter=...)"
        raise OptionError(f"{rule} needs a ValidationPerformance break", hint=hint)
    names = {b.of: b.statistic_names() for b in breaks}
    having = {b.of: b for b in breaks if key in names[b.of]}
    if len(having) == 1:
        return next(iter(having.values()))
    if having:
        raise OptionError(f"{rule}: several validations have a statistic {key!r}", hint="name their layers differently")
    known = [name for of_break in names.values() for name in of_break]
    raise OptionError(
        f"{rule}: no validation has a statistic {key!r}",
        details=[f"known: {' '.join(known) or 'none'}"],
        hint=misspelt(key, known),
    )


class TrainingMemory:
    """Reads and restores what policies and coffee breaks keep, each under a name of its own.

    Args:
        decays: of the policies that watch validations.
        breaks: the coffee breaks; those with memory() and recall() take part.
        lounge: whose unsaved statistics are kept.
        hypers: what the user has set.

    Attributes:
        zeroed: after how many updates the solver's slots were last set to zero.
    """

    def __init__(self, decays: Sequence[Decay], breaks: Sequence[Any], lounge: CoffeeLounge, hypers: Hypers) -> None:
        self.zeroed = 0
        self._decays, self._lounge, self._hypers = decays, lounge, hypers
        with_memory = {id(coffee): coffee for coffee in breaks if hasattr(coffee, "recall")}.values()
        self._breaks = {f"{type(coffee).__name__}-{k}": coffee for k, coffee in enumerate(with_memory)}

    def __bool__(self) -> bool:
        """Whether a coffee break can change it."""
        return bool(self._decays or self._breaks or self._lounge.path)

    def read(self) -> dict[str, Mapping[str, Any]]:
        """What policies and breaks remember, by owner."""
        policies = {f"policy-{k}": decay.memory() for k, decay in enumerate(self._decays)}
        breaks = {name: coffee.memory() for name, coffee in self._breaks.items()}
        statistics = {"statistics": self._lounge.memory()} if self._lounge.unsaved else {}
        hypers = {"hypers": kept} if (kept := self._hypers.memory()) else {}
        return {"training": {"zeroed": self.zeroed}, **hypers, **statistics, **policies, **breaks}

    def recall(self, memory: Memory, session: Session) -> None:
        """Restore the policies; coffee breaks come later, after their init().

        Raises:
            SnapshotError: the memory is damaged, or belongs to another net.
        """
        for k, decay in enumerate(self._decays):
            decay.recall(memory.get(f"policy-{k}", {}), session)
        with recalling("the training"):
            self.zeroed = max(0, int(memory.get("training", {}).get("zeroed", 0)))
        with recalling("solver.hypers"):
            self._hypers.recall(memory.get("hypers", {}))

    def recall_statistics(self, memory: Memory) -> None:
        """Restore the statistics that had not been written to their file."""
        with recalling("the statistics"):
            self._lounge.recall(memory.get("statistics", {}))

    def recall_breaks(self, memory: Memory, program: Any) -> None:
        """Restore the coffee breaks: the n-th of a type from the n-th of that type in memory."""
        saved: dict[str, list[str]] = {}
        for name in sorted(memory, key=_place):
            saved.setdefault(name.rpartition("-")[0], []).append(name)
        for coffee in self._breaks.values():
            if names := saved.get(type(coffee).__name__):
                coffee.recall(memory[names.pop(0)], program)


def _place(name: str) -> int:
    """The number at the end of a break's name."""
    number = name.rpartition("-")[2]
    return int(number) if number.isdecimal() else -1
