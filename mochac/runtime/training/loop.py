"""The training loop: as many steps per call as possible, coffee breaks in between, resume and Ctrl-C.

Program.train calls `train`, Solver.init_solve gets a `Training` through Program.start_training. It sees the program
through trainable.Trainable and knows no plans; no step waits for Python except at the end of a call.
"""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from mochac.errors import NumericError, OptionError, SnapshotError
from mochac.runtime.files.atomic import check_writable
from mochac.runtime.files.file_lock import FileLock
from mochac.runtime.support.finite import first_not_finite
from mochac.runtime.support.interrupts import Interrupts, listening
from mochac.runtime.support.log import LOG, ensure_handler, one_line, tell_once
from mochac.runtime.training.coffee import Memory, Snapshot, TrainingState, TrainingSummary, require_finite
from mochac.runtime.training.curve import Curve
from mochac.runtime.training.decay import Decay
from mochac.runtime.training.last_training import LastTraining
from mochac.runtime.training.lounge import CoffeeLounge
from mochac.runtime.training.progress import Goal, Progress
from mochac.runtime.training.snapshot import Snapshot as SavedState
from mochac.runtime.training.snapshot import is_snapshot, newest_snapshot, read_snapshot, recalling, restore
from mochac.runtime.training.trainable import Trainable, TrainableProgram, TrainingPlan

CALL_S = 0.05
"""Length of one call into native code to aim at, seconds."""
MOST_STEPS = 4096
"""Steps in one call at most: bounds the arrays of hyper-parameters and losses."""
REPORTED_S = 10.0
"""Seconds from which on a training says at its end how long its steps waited for data."""
SLOW_INPUT, SLOW_INPUT_S = 0.05, 0.5
"""Share of a training's time, and seconds, spent waiting for a data layer from which on that is worth a warning."""


def train(
    program: TrainableProgram, plan: TrainingPlan, *, resume: bool = False, progress: bool | None = None
) -> CoffeeLounge:
    """Train until max_iter or max_epoch. Ctrl-C ends it after the running call, with a last snapshot if there is a
    Snapshot break; so do SIGTERM and SIGHUP, by which the process ends then.

    Args:
        resume: go on from the program's last training, if it has had one; the limits count from where this one begins.
        progress: show it; None: as the plan says.

    Raises:
        OptionError: no limit. NumericError: the loss or a parameter is no longer finite. DataError,
        SnapshotError: files.
    """
    if plan.max_iter is None and plan.max_epoch is None:
        raise OptionError("training has no end", expected="max_iter or max_epoch", hint="train(method, max_iter=1000)")
    with listening() as interrupts:
        training = Training(program, plan, resume=resume, interrupts=interrupts)
        try:
            training.run(getattr(plan, "progress", True) if progress is None else progress)
        except BaseException:
            training.abandon()
            raise
        return training.finish()


class Training:
    """One training under way: made (resumed, prepared, breaks of iteration 0), advanced, finished."""

    def __init__(
        self,
        program: TrainableProgram,
        plan: TrainingPlan,
        *,
        resume: bool = False,
        interrupts: Interrupts | None = None,
    ) -> None:
        ensure_handler()
        self.program, self.session, self.plan = program, program.session, plan
        self.method = plan.method.begin() if hasattr(plan.method, "begin") else plan.method
        self.interrupts = interrupts or Interrupts()
        self._step_s, self._zeroed = 0.0, 0
        self._breaks = list(plan.breaks)
        self._begun: list[Any] = []
        self._decays = [Decay(policy, [entry.coffee for entry in self._breaks]) for policy in self.watching(None)]
        self._owed: dict[int, Snapshot] = {}
        self._given_up: LastTraining | None = None
        self._last_iter: int | None = None
        self._last_epoch: int | None = None
        self._consistent = False  # whether state and program are of the same iteration
        self.lounge, self._locks = CoffeeLounge(), ExitStack()
        earlier = self.session.last_training if resume else None
        self.session.claim(self)
        try:
            self._locks = _locks(plan)
            own = earlier is not None and earlier.saved_into == _place(plan)  # the file of the training that goes on
            file_exists = "merge" if own else plan.file_exists
            self.lounge = CoffeeLounge(plan.save_into, plan.save_every_n_iter, file_exists)
            self._curve = Curve(self.lounge, [entry.coffee for entry in self._breaks])
            self._begin(earlier, resume)
        except BaseException:
            self.abandon()
            raise

    def watching(self, t: int | None) -> Sequence[Any]:
        """Policies that listen to validations before update t; None: at any time."""
        return self.method.watching(t) if hasattr(self.method, "watching") else ()

    def zero_slots(self) -> None:
        """The solver forgets what it has seen."""
        for array in self.session.slots().values():
            array[...] = 0
        self._zeroed = self.state.iter

    def run(self, shown: bool = True) -> None:
        """Advance until a limit is reached or a stop is requested; `shown`: say how it goes."""
        plain = not any(isinstance(entry.coffee, TrainingSummary) for entry in self._breaks)
        if shown and self._given_up is not None:
            _tell_of_resume(self.session, self._given_up)
        if self.state.iter and not self._room():
            LOG.info("nothing left to train: iteration %d has been reached", self.state.iter)
        progress = Progress(Goal(self.state.iter, self._last_iter, self.session.batch_size), lines=plain, shown=shown)
        try:
            while not self._ended and (room := self._room()) > 0:
                self._advance(room)
                progress.update(self.state.iter, self.state.obj_val or 0.0)
        finally:
            progress.close()
        trained = self.state.iter > progress.goal.first
        if trained:
            require_finite(self.program, self.state.iter, self._resumable())
        if trained and shown:
            whole, waited = self.lounge.trained_s, sum(self.lounge.waited_s.values())
            loss = self.state.obj_val or 0.0
            LOG.info(" %s", progress.result(self.state.iter, loss, whole, waited if whole >= REPORTED_S else None))
        self._warn_of_slow_input()
        if self.interrupts.asked is not None:
            LOG.info("interrupted after iteration %d", self.state.iter)
        elif self.state.stop_reason and shown:
            LOG.info("stopped after iteration %d: %s", self.state.iter, self.state.stop_reason)

    def step(self) -> float:
        """One iteration and the breaks due after it; its loss."""
        self.session.renew()  # its caller may have written new samples into a MemoryDataLayer's arrays
        self._advance(1)
        return self.state.obj_val or 0.0

    def finish(self) -> CoffeeLounge:
        """Take the snapshots that are owed, destroy the breaks, save the statistics; the lounge. Whatever fails, the
        rest is done. After a failure inside a step no snapshot is taken: parameters and iteration may not agree."""
        self.lounge.stopped = self.state.stop_reason
        with ExitStack() as last:  # runs them from the last to the first
            kept = [*(partial(self._catch_up, coffee) for coffee in self._due_at_the_end()), self._leave]
            ends = (self._release, self.lounge.save, self._destroy, self.interrupts.deliver)
            for step in (*ends, *(kept if self._consistent else ())):
                last.callback(step)
        self.lounge.interrupted = self.interrupts.asked is not None
        return self.lounge

    def abandon(self) -> None:
        """Clean up after a failure without hiding it: errors of the clean-up are logged."""
        try:
            for clean in (*([self._leave] if self._consistent else []), self._destroy, self.lounge.save):
                try:
                    clean()
                except Exception as error:  # a user's break may raise anything, and another error is on its way
                    LOG.warning("while ending the training: %s", error)
        finally:  # Ctrl-C may come once more
            self._release()

    def _release(self) -> None:
        """Another training may have the program, and write where this one did."""
        self._locks.close()
        self.session.release(self)

    @property
    def _ended(self) -> bool:
        return self.interrupts.asked is not None or bool(self.state.stop_reason)

    def _begin(self, earlier: LastTraining | None, resume: bool) -> None:
        """Prepare, resume, and the breaks of iteration 0."""
        session, plan, given_up = self.session, self.plan, self.session.last_training
        if earlier is not None:
            earlier.check(type(plan.method).__name__)
        else:
            session.last_training = None
        resumed = earlier is not None
        session.prepare(self.method, regu_coef=plan.regu_coef, clipping=plan.clipping, resume=resumed)
        ask = weakref.WeakMethod(self._memory)  # a state that knew its training would keep program and readers alive
        memory = lambda: found() if (found := ask()) else {}  # noqa: E731
        self.state = TrainingState(method=type(plan.method).__name__, start_epoch=session.epoch(), memory=memory)
        memory = self._resume() if earlier is None else self._go_on(earlier)
        self._given_up = given_up if memory is None else None
        first = (self.state.iter, self.state.epoch) if resume else (0, 0)
        self._last_iter = None if plan.max_iter is None else first[0] + plan.max_iter
        self._last_epoch = None if plan.max_epoch is None else first[1] + plan.max_epoch
        _require_finite(session.parameters())
        self.state.see(self._hypers(max(0, self.state.iter - 1)))
        for entry in self._breaks:
            self._begun.append(entry.coffee)
            _call(entry.coffee, "init", self.program)
        if memory is None:
            self._enjoy()
        else:
            for name, coffee in self._remembering():
                if name in memory:
                    coffee.recall(memory[name], self.program)
        self._consistent = True

    def _leave(self) -> None:
        """Tell the program how this training ended, for one that goes on from here."""
        self._curve.end(self.state.iter, self.state.obj_val)
        self.session.last_training = LastTraining(
            method=self.state.method,
            iteration=self.state.iter,
            start_epoch=self.state.start_epoch,
            memory=self._memory(),
            statistics=self.lounge.statistics,
            saved_into=_place(self.plan),
        )

    def _remembering(self) -> list[tuple[str, Any]]:
        """Breaks with a memory, each under its class's name and a number."""
        coffees = {id(entry.coffee): entry.coffee for entry in self._breaks if hasattr(entry.coffee, "recall")}
        return [(f"{type(coffee).__name__}-{k}", coffee) for k, coffee in enumerate(coffees.values())]

    def _memory(self) -> dict[str, Mapping[str, Any]]:
        """What a snapshot keeps besides the program's state."""
        policies = {f"policy-{k}": decay.memory() for k, decay in enumerate(self._decays)}
        breaks = {name: coffee.memory() for name, coffee in self._remembering()}
        statistics = {"statistics": self.lounge.memory()} if self.lounge.unsaved else {}
        return {"training": {"zeroed": self._zeroed}, **statistics, **policies, **breaks}

    def _hypers(self, t: int) -> Mapping[str, float]:
        if hasattr(self.method, "hypers_since"):
            return self.method.hypers_since(t, min(t, self._zeroed))
        return self.method.hypers(t)

    def _hypers_of(self, first: int, n: int) -> tuple[dict[str, np.ndarray], Mapping[str, float]]:
        """Scalars of n updates after `first` as arrays, and those of the last one."""
        row, known = self._hypers(first), self._steady(first)
        found = {name: np.full(n, value, np.float64) for name, value in row.items()}
        while found and known < n:
            row, more = self._hypers(first + known), self._steady(first + known)
            for name, column in found.items():
                column[known : known + more] = row[name]
            known += more
        return found, row

    def _steady(self, t: int) -> int:
        return self.method.steady(t) if hasattr(self.method, "steady") else 1

    def _destroy(self) -> None:
        while self._begun:
            _call(self._begun.pop(0), "destroy", self.program)

    def _room(self) -> int:
        """Steps until something is due, 0 when training is over."""
        room, iteration = MOST_STEPS, self.state.iter
        if self._last_iter is not None:
            room = min(room, self._last_iter - iteration)
        if self._last_epoch is not None:
            over = self.state.epoch >= self._last_epoch
            room = 0 if over else min(room, self.session.steps_to_epoch())
        for entry in self._breaks:
            if entry.every_n_iter:
                room = min(room, entry.every_n_iter - iteration % entry.every_n_iter)
            elif entry.every_n_epoch:
                room = min(room, self.session.steps_to_epoch())
        if self.lounge.save_due:
            room = min(room, self.lounge.every_n_iter - iteration % self.lounge.every_n_iter)
        return max(0, room)

    def _advance(self, room: int) -> None:
        """One native call of up to `room` steps, then the breaks that are due."""
        most = max(1, int(CALL_S / self._step_s)) if self._step_s else 1
        begin, before = time.perf_counter(), self.session.waited()
        n = self.session.ready(min(room, most))
        first = self.state.iter
        hypers, last = self._hypers_of(first, n)
        called = time.perf_counter()
        self._consistent, self.session.last_training = False, None
        with self.interrupts.held():
            losses = self.session.advance(n, hypers, first)
        self._step_s = (time.perf_counter() - called) / n
        self._count_seconds(begin, before)
        bad = np.flatnonzero(~np.isfinite(losses["obj_val"]))
        self._curve.add(first, losses["obj_val"][: bad[0] if len(bad) else n])
        if len(bad):
            raise self._diverged(first + int(bad[0]) + 1, float(losses["obj_val"][bad[0]]))
        epoch = self.state.epoch
        self.state.iter += n
        self.state.epoch = self.session.epoch() - self.state.start_epoch
        self.state.losses = {name: float(values[-1]) for name, values in losses.items() if name != "obj_val"}
        self.state.obj_val = float(losses["obj_val"][-1])
        self.state.see(last)
        self._consistent = True
        self._enjoy(epoch)

    def _count_seconds(self, begin: float, before: Mapping[str, float]) -> None:
        """Add a call that began then, when the program had waited so long."""
        self.lounge.trained_s += time.perf_counter() - begin
        for layer, seconds in self.session.waited().items():
            self.lounge.waited_s[layer] = self.lounge.waited_s.get(layer, 0.0) + seconds - before[layer]

    def _warn_of_slow_input(self) -> None:
        whole = self.lounge.trained_s
        for layer, seconds in self.lounge.waited_s.items():
            if seconds >= max(SLOW_INPUT_S, SLOW_INPUT * whole):
                LOG.warning("data layer %r is slow: steps waited for it %.1f s of %.1f s", layer, seconds, whole)

    def _diverged(self, iteration: int, loss: float) -> NumericError:
        hint = "lower the learning rate" + self._resumable()
        return NumericError(f"iteration {iteration}: the loss became {loss}", hint=hint)

    def _resumable(self) -> str:
        """For a hint: where the last good state is."""
        saved = [entry.coffee.folder for entry in self._breaks if isinstance(entry.coffee, Snapshot)]
        return f", resume from {saved[0]}" if saved else ""

    def _enjoy(self, last_epoch: int | None = None) -> None:
        """Run the breaks that are due; without `last_epoch` those of iteration 0."""
        iteration = self.state.iter
        due = [entry.coffee for entry in self._breaks if self._is_due(entry, last_epoch)]
        if self._decays or self._remembering() or self.lounge.path:  # a snapshot holds what this iteration adds to them
            due.sort(key=lambda coffee: isinstance(coffee, Snapshot))
        for coffee in due:
            if isinstance(coffee, Snapshot) and iteration:
                self._try_snapshot(coffee)
            else:
                coffee.enjoy(self.lounge, self.program, self.state)
            for decay in self._decays:
                decay.after(coffee, self)
        if self.lounge.save_due and iteration % self.lounge.every_n_iter == 0:
            self._try_statistics()

    def _try_snapshot(self, coffee: Snapshot) -> None:
        """Take one; where it cannot be written, training goes on, and owes it."""
        try:
            with self.interrupts.held():
                coffee.enjoy(self.lounge, self.program, self.state)
            self._owed.pop(id(coffee), None)
        except SnapshotError as error:
            LOG.warning("%s; training goes on, the next snapshot is tried when it is due", one_line(error))
            self._owed[id(coffee)] = coffee
        self.interrupts.deliver()

    def _due_at_the_end(self) -> Iterable[Snapshot]:
        """Snapshot breaks that could not write, or all where a signal ended the training."""
        if self.interrupts.asked is None:
            return self._owed.values()
        return {id(e.coffee): e.coffee for e in self._breaks if isinstance(e.coffee, Snapshot)}.values()

    def _catch_up(self, coffee: Snapshot) -> None:
        with self.interrupts.held():
            coffee.catch_up(self.lounge, self.program, self.state)

    def _try_statistics(self) -> None:
        """Save them; where they cannot be written, training goes on, and they are kept for the next time."""
        try:
            self.lounge.save()
        except SnapshotError as error:
            LOG.warning("%s; training goes on, the statistics are kept for the next time", one_line(error))
            self.lounge.save_due = False  # the next row asks for them again

    def _is_due(self, entry: Any, last_epoch: int | None) -> bool:
        if entry.every_n_iter:
            return self.state.iter % entry.every_n_iter == 0
        n = entry.every_n_epoch
        return n > 0 and (last_epoch is None or self.state.epoch // n > last_epoch // n)

    def _go_on(self, earlier: LastTraining) -> Memory:
        """Take over what the program's last training left, its rows too; what policies and breaks remembered."""
        for name, rows in earlier.statistics.items():
            self.lounge.statistics[name] = {**self.lounge.statistics.get(name, {}), **rows}
        self._recall_policies(earlier.memory)
        self._stand_at(earlier.iteration, earlier.start_epoch)
        return earlier.memory

    def _recall_policies(self, memory: Memory) -> None:
        for k, decay in enumerate(self._decays):
            decay.recall(memory.get(f"policy-{k}", {}), self.program)
        with recalling("the training"):
            self._zeroed = max(0, int(memory.get("training", {}).get("zeroed", 0)))

    def _stand_at(self, iteration: int, start_epoch: int) -> None:
        self.state.iter, self.state.start_epoch = iteration, start_epoch
        self.state.epoch = self.session.epoch() - start_epoch

    def _resume(self) -> Memory | None:
        """Take over the state that load_from names; what policies and breaks remembered, None where training begins at
        iteration 0."""
        if not self.plan.load_from:
            return None
        path = Path(self.plan.load_from)
        if os.path.isdir(path):
            saved = newest_snapshot(path)
        elif not path.suffix and not os.path.exists(path):
            saved = None  # a folder that the first Snapshot break will make
        elif is_snapshot(path):
            saved = read_snapshot(path)
        else:
            self.session.load(str(path))
            return None
        if saved is None:
            return None
        self._take_over(saved)
        return saved.memory

    def _take_over(self, saved: SavedState) -> None:
        """Check everything, then write everything."""
        if saved.method != self.state.method:
            raise SnapshotError(
                f"{saved.path} was written by another solver", expected=self.state.method, got=saved.method
            )
        live = [(self.session.parameters(), saved.parameters), (self.session.slots(), saved.slots)]
        for (arrays, values), what in zip(live, ("parameters", "solver slots"), strict=True):
            restore(arrays, values, what, saved.path)
        self._recall_policies(saved.memory)
        with recalling("the statistics"):
            self.lounge.recall(saved.memory.get("statistics", {}))
        _compare_seeds(saved, self.session)
        self.session.set_cursor(saved.cursor)
        for arrays, values in live:
            for name, array in arrays.items():
                array[...] = values[name]
        self.session.rng_step = saved.rng_step
        self._stand_at(saved.iteration, saved.start_epoch)
        LOG.info("resumed from %s at iteration %d", saved.path, saved.iteration)


def _tell_of_resume(session: Trainable, last: LastTraining) -> None:
    """Another train() is a new training, which some expect to go on from the one before."""
    if last.iteration and session.slots():
        words = f"program {session.name!r}: {last.method} starts anew at iteration 0, its state at zero"
        tell_once(f"{words}; train(..., resume=True) goes on from iteration {last.iteration}")


def _compare_seeds(saved: SavedState, session: Trainable) -> None:
    """Another seed is legal, but not the same run any more."""
    if saved.seed not in (None, session.seed):
        words = "%s was written with seed %d, this program has seed %d: shuffling and dropout go on with other numbers"
        LOG.warning(words, saved.path, saved.seed, session.seed)


def _require_finite(parameters: Mapping[str, np.ndarray]) -> None:
    """A loss that is NaN from the first step on would be blamed on the learning rate."""
    bad = first_not_finite(parameters)
    if bad is not None:
        raise NumericError(
            f"parameter {bad.name} holds NaN or an infinity before training",
            hint="it was loaded or written so, or an earlier training diverged: load or write other values",
        )


def _call(coffee: Any, method: str, program: TrainableProgram) -> None:
    """A user's break may leave init and destroy out."""
    getattr(coffee, method, lambda program: None)(program)


def _place(plan: TrainingPlan) -> str:
    """The statistics file, however it was named; "" for none."""
    return os.path.realpath(plan.save_into) if plan.save_into else ""


def _locks(plan: TrainingPlan) -> ExitStack:
    """Folders of snapshots and the statistics file are one training's: what another wrote there would be lost, or lose
    this one's.

    Raises:
        SnapshotError: another training has one of them, or nothing can be written there.
    """
    folders = [entry.coffee.folder for entry in plan.breaks if isinstance(entry.coffee, Snapshot)]
    places = [(folder, ".snapshots.lock", f"another training saves snapshots into {folder}") for folder in folders]
    if plan.save_into:
        path = Path(plan.save_into)
        places.append((path.parent, f".{path.name}.lock", f"another training saves statistics into {path}"))
    with ExitStack() as held:
        for folder in dict.fromkeys(place[0] for place in places):
            check_writable(folder)
        for folder, name, what in {(os.path.realpath(place[0]), place[1]): place for place in places}.values():
            held.enter_context(FileLock(folder / name, what))
        return held.pop_all()
