"""The training loop: many steps in each native call, coffee breaks in between.

Program.train calls `train`; Solver.init_solve gets a `TrainingRun` from Program.start_training. A TrainingRun runs the
steps (session/training_step.py) of the program's session; coffee breaks get the program.
"""

from __future__ import annotations

import math
import os
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import Any, NoReturn

import numpy as np

from mochac.base.errors import DataError, NumericError, OptionError, RankError, SnapshotError, UnsupportedError
from mochac.base.support.interrupts import Interrupts, listening
from mochac.base.support.log import LOG, ensure_handler, one_line, quiet
from mochac.lowering.plan_graphs import OBJECTIVE
from mochac.nets.solvers.solver import Solver
from mochac.nets.solvers.update import GRADIENT_NORM, with_loss_weights
from mochac.runtime.data.feed import Feed
from mochac.runtime.ranks.ranks import ALONE, Ranks
from mochac.training.loop import resume as resuming
from mochac.training.loop.breaks import Agenda, Breaks, LossCurve, TrainingMemory
from mochac.training.loop.coffee import Snapshot, TrainingState, TrainingSummary, require_finite
from mochac.training.loop.hypers import HyperRows, Hypers
from mochac.training.loop.lounge import CoffeeLounge
from mochac.training.loop.progress import Goal, Progress, Waits
from mochac.training.loop.tracking import ParameterAverage, ParameterNorms, averaging_of
from mochac.training.session.joining import facts
from mochac.training.session.session import LastTraining, Session, Turn
from mochac.training.session.training_step import OwnUpdate, TrainingStep

_ALONE = nullcontext()


def train(
    program: Any,
    solver: Solver,
    *,
    resume: bool = False,
    progress: bool | None = None,
    ranks: Ranks = ALONE,
) -> CoffeeLounge:
    """Train until max_iter or max_epoch, as Program.train. Ctrl-C ends the training after the running call, with a last
    snapshot if there is a Snapshot break; so do SIGTERM and SIGHUP, which then end the process.

    Args:
        progress: show progress; False: log neither that nor what breaks report; None: as solver.progress says, and log
            what breaks report. Warnings are always logged.
    """
    if solver.max_iter is None and solver.max_epoch is None:
        hint = "train(method, max_iter=1000)"
        raise OptionError("training has no stopping condition", expected="max_iter or max_epoch", hint=hint)
    ensure_handler()
    shown = solver.progress if progress is None else progress
    with quiet(progress is False), listening() as interrupts:
        training = TrainingRun(program, solver, resume=resume, interrupts=interrupts, ranks=ranks)
        try:
            training.run(ranks.leads and shown)
        except DataError:
            training.abandon(keep=True)
            raise
        except BaseException:
            training.abandon()
            raise
        return training.finish()


class TrainingRun:
    """A training: prepared or resumed when it is made, then advanced, then finished.

    Args:
        leave: called in the end, by the error if there was one, where the caller runs the steps of one of several
            ranks.

    Attributes:
        state: for coffee breaks.
        lounge: the statistics.
        hypers: learning rate and momentum, which may be set between steps.
    """

    def __init__(
        self,
        program: Any,
        solver: Solver,
        *,
        resume: bool = False,
        interrupts: Interrupts | None = None,
        ranks: Ranks = ALONE,
        leave: Callable[[BaseException | None], None] = lambda error: None,
    ) -> None:
        ensure_handler()
        self.ranks, self._leave_ranks, self._failed = ranks, leave, False
        session: Session = program.session
        self.program, self.session = program, session
        self._turn = Turn(session.turns, "step()")
        method = with_loss_weights(solver.method, session.plans.scheduled)
        self.solver, self.hypers = solver, Hypers(method.begin())
        self._rows = HyperRows(self.hypers)
        self.interrupts = interrupts or Interrupts()
        coffees = [entry.coffee for entry in solver.breaks]
        self._breaks = Breaks(program, coffees, self.hypers, ranks, self.interrupts)
        self._unused: LastTraining | None = None
        self._shown: Mapping[str, float] | None = None  # the scalars that the state has
        self._unchecked = False
        self._unused_batches = 0  # batches whose gradients wait for more batches, with accumulate
        self._consistent = False  # whether state and program are of the same iteration
        self.lounge, self._locks = CoffeeLounge(), ExitStack()
        earlier = session.last_training if resume else None
        session.claim(self)
        solver.hypers = session.plans.scalars = self.hypers  # forward() and backward() use those of the next update
        try:
            if ranks.leads:
                self._locks = resuming.locked(solver)
            own = earlier is not None and earlier.saved_into == _statistics_file(solver)
            file_exists = "merge" if own else solver.file_exists
            save_into = solver.save_into if ranks.leads else ""
            self.lounge = CoffeeLounge(save_into, solver.save_every_n_iter, file_exists)
            self.lounge.statistics = ranks.broadcast(self.lounge.statistics)
            self._curve = LossCurve(self.lounge, coffees)
            self._memory = TrainingMemory(self._breaks.decays, coffees, self.lounge, self.hypers)
            compiled = [entry for entry in solver.breaks if isinstance(entry.coffee, ParameterAverage)]
            visited = [entry for entry in solver.breaks if entry not in compiled]
            self._averaging = averaging_of(compiled)
            self._steps_to_epoch = partial(_steps_to_epoch, session, solver.accumulate)
            self._agenda = Agenda(visited, solver.save_every_n_iter, self._steps_to_epoch)
            self._begin(earlier, resume)
        except BaseException:
            self.abandon()
            raise

    def run(self, shown: bool = True) -> None:
        """Train until a limit is reached or a stop is requested; `shown`: show progress."""
        plain = not any(isinstance(coffee, TrainingSummary) for coffee in self._breaks.all)
        if shown and self._unused is not None:
            resuming.tell_of_resume(self.session, self._unused)
        if self.state.iter and not self._agenda.steps(self.state):
            LOG.info("nothing left to train: iteration %d has been reached", self.state.iter)
        goal = Goal(self.state.iter, self._last_iter(), self.session.batch_size * self.solver.accumulate)
        progress = Progress(goal, lines=plain, shown=shown)
        try:
            while (n := self._steps()) > 0 and (n := self._ready(n)) > 0:
                self._advance(n)
                progress.update(self.state.iter, self.state.obj_val or 0.0)
        finally:
            progress.close()
        self._count_waits()
        trained = self.state.iter > goal.first
        if trained:
            require_finite(self.program, self.state.iter, self._breaks.snapshots.hint)
        if trained and shown:
            self._report(progress)
        self._waits.warn()
        if self.interrupts.signal is not None:
            LOG.info("interrupted after iteration %d", self.state.iter)
        elif self.state.stop_reason and shown:
            LOG.info("stopped after iteration %d: %s", self.state.iter, self.state.stop_reason)

    def step(self, arrays: Mapping[str, Any] | None = None) -> float:
        """Run one iteration and the breaks due after it, on `arrays` by top if there are any. Returns its loss."""
        with self._turn:
            if self._breaks.running:
                _refuse("step()")
            self._unchecked = True
            with self._together():
                if arrays:
                    self._step.give(arrays)
                    if self.ranks.several:
                        self._agreed(1)
                    self._advance(1, read=False)
                else:
                    self._step.renew()  # its caller may have written new samples into a MemoryDataLayer's arrays
                    if self._ready(1):
                        self._advance(1)
        return self.state.obj_val or 0.0

    def _together(self) -> AbstractContextManager[None]:
        """If what the caller does fails on one of several ranks, the training ends on all."""
        return self._among_ranks() if self.ranks.several else _ALONE

    @contextmanager
    def _among_ranks(self) -> Iterator[None]:
        if self._failed:
            raise RankError("the ranks of this training no longer answer")
        try:
            yield
        except BaseException as error:
            self._failed, self._consistent = True, False
            self.abandon()
            self._leave_ranks(error)
            raise

    def update(self) -> None:
        """Update the parameters by the gradients of program.backward(), as an iteration; runs the breaks due after it.

        With accumulate=n, every n-th call updates them; the others only add their gradients.
        """
        if self.ranks.several:
            hint = "step() exchanges the gradients of the net's own losses; a loss of your own can be a layer"
            raise UnsupportedError("gradients of your own are not exchanged between ranks", hint=hint)
        with self._turn:
            if self._breaks.running:
                _refuse("update()")
            self._unchecked = True
            first = self.state.iter
            losses = self._own.take(first + 1)
            self._unused_batches = 0 if losses is not None else self._unused_batches + 1
            if losses is None:
                return
            hypers = self._rows.at(first, self._memory.zeroed)
            if OBJECTIVE in losses:
                self._check_losses(first, [losses[OBJECTIVE]])
            self._consistent, self.session.last_training = False, None
            with self.interrupts.deferring:
                norms = self._own.apply(hypers, first)
            self._updated(1, {**losses, **norms}, hypers)

    def finalize(self) -> CoffeeLounge:
        """finish(), and leave the other ranks."""
        if not self._failed:
            with self._together():
                self.finish()
            self._leave_ranks(None)
        return self.lounge

    def finish(self) -> CoffeeLounge:
        """Take the snapshots that failed before, end the breaks, save the statistics; returns the lounge. If one of
        these fails, the others are still done. After a failure inside a step no snapshot is taken, since parameters and
        iteration may not agree.

        Raises:
            NumericError: after steps of the caller, a parameter is not finite; everything is released, as when this
                check fails otherwise.
        """
        if self._unchecked and self._consistent:
            try:
                require_finite(self.program, self.state.iter, self._breaks.snapshots.hint)
            except BaseException:
                self.abandon()
                raise
        if self._unused_batches:
            n, wanted = self._unused_batches, self.solver.accumulate
            LOG.warning("%d calls of update() have changed nothing: accumulate=%d needs %d more", n, wanted, wanted - n)
        self._count_waits()
        self.lounge.stopped = self.state.stop_reason
        with ExitStack() as last:  # runs them from the last to the first
            due = self._breaks.snapshots.due_at_the_end() if self.ranks.leads else []
            snapshots = [partial(self._catch_up, coffee) for coffee in due]
            ends = (self._release, self.lounge.save, self._breaks.destroy, self.interrupts.deliver)
            for end in (*ends, *([*snapshots, self._leave] if self._consistent else ())):
                last.callback(end)
        self.lounge.interrupted = self.interrupts.signal is not None
        return self.lounge

    def abandon(self, keep: bool = False) -> None:
        """Clean up after a failure without hiding it: errors of the clean-up are logged.

        Args:
            keep: take a last snapshot: the data has failed, and the iterations before are good.
        """
        try:
            last = self._breaks.snapshots.all if keep and self._consistent and self.ranks.leads else []
            snapshots = [partial(self._catch_up, coffee) for coffee in last]
            ends = (self._breaks.destroy, self.lounge.save)
            for clean in (*([self._leave, *snapshots] if self._consistent else []), *ends):
                try:
                    clean()
                except Exception as error:  # a user's break may raise anything, while another error is being raised
                    LOG.warning("while ending the training: %s", error)
        finally:  # Ctrl-C may come once more
            self._release()

    # --- the beginning -------------------------------------------------------------------------------

    def _begin(self, earlier: LastTraining | None, resume: bool) -> None:
        """Prepare, resume, and run the breaks of iteration 0."""
        session, solver, unused = self.session, self.solver, self.session.last_training
        name = solver.method.title
        if earlier is not None:
            earlier.check(name)
        else:
            session.last_training = None
        norms = any(isinstance(coffee, ParameterNorms) for coffee in self._breaks.all)
        update = replace(solver.update_of(self.hypers.method), averaging=self._averaging, norms=norms)
        session.begin(update, resume=earlier is not None)
        self._step, self._own = TrainingStep(session), OwnUpdate(session)
        self._waits = Waits(session, self.lounge)
        read = weakref.WeakMethod(self._memory.read)  # a state that knew its training would keep program and readers
        remembered = lambda: read_now() if (read_now := read()) else {}  # noqa: E731
        state = TrainingState(method=name, start_epoch=self._position.epoch, memory=remembered, ranks=self.ranks)
        self.state = self.solver.state = state
        memory = resuming.start(session, solver, state, self._memory, self.lounge, earlier)
        if self.ranks.several:
            self.ranks.compare({**facts(session), **resuming.training_facts(session, solver, state)})
        self._unused = unused if memory is None else None
        begun = 0 if solver.begun is None else solver.begun.iteration  # updates of another library's optimizer
        first = (state.iter, state.epoch) if resume else (begun, 0)
        self._agenda.last_iter = None if solver.max_iter is None else first[0] + solver.max_iter
        self._agenda.last_epoch = None if solver.max_epoch is None else first[1] + solver.max_epoch
        resuming.require_finite_parameters(session.parameters())
        self.hypers.iteration = state.iter
        state.see(self._rows.at(max(0, state.iter - 1), self._memory.zeroed))
        self._breaks.init()
        if memory is None:
            self._run_breaks()
        else:
            self._memory.recall_breaks(memory, self.program)
        self._consistent = True

    # --- steps and breaks ----------------------------------------------------------------------------

    def _last_iter(self) -> int | None:
        """The last iteration, if nothing ends the training before; None if there is no limit."""
        last, more = self._agenda.last_iter, (self._agenda.last_epoch or 0) - self.state.epoch
        if more <= 0 or not self._position.n_samples:  # 0: nobody knows how many samples an epoch has
            return last
        by_epoch = self.state.iter + self._steps_to_epoch(more)
        return by_epoch if last is None else min(last, by_epoch)

    @property
    def _position(self) -> Feed:
        return self.session.batches.position

    def _steps(self) -> int:
        return self._agenda.steps(self.state, unsaved=self.lounge.save_due)

    def _ready(self, limit: int) -> int:
        """Wait for batches; returns how many steps run next on all ranks, `limit` at most; 0 once a rank has received a
        signal that ends the training."""
        begin = time.perf_counter()
        n = self._step.ready(limit, lambda: self.interrupts.signal is None) if self.interrupts.signal is None else 0
        if self.ranks.several:
            n = self._agreed(n)
        self.lounge.trained_s += time.perf_counter() - begin
        return n

    def _agreed(self, n: int) -> int:
        """The smallest number of steps for which all ranks have batches; 0 if one rank must end, since all end then."""
        self.ranks.set_status(f"after iteration {self.state.iter}")
        found = self.ranks.gather((n, self.interrupts.signal))
        number = next((signal for _, signal in found if signal is not None), None)
        if number is not None and self.interrupts.signal is None:
            self.interrupts.signal = number
        return 0 if number is not None else min(ready for ready, _ in found)

    def _advance(self, n: int, read: bool = True) -> None:
        """Run n steps on batches that are ready, in one native call, and the breaks due after them.

        Args:
            read: the batches come from the data layers.
        """
        first, zeroed = self.state.iter, self._memory.zeroed
        self._consistent, self.session.last_training = False, None
        if n == 1:
            hypers = self._rows.at(first, zeroed)
            begin = time.perf_counter()
            with self.interrupts.deferring:
                final = self._step.advance_one(hypers, first)
            seconds, objective = time.perf_counter() - begin, [final[OBJECTIVE]]
        else:
            columns, hypers = self._rows.of(first, n, zeroed)
            begin = time.perf_counter()
            with self.interrupts.deferring:
                losses = self._step.advance(n, columns, first)
            seconds, objective = time.perf_counter() - begin, losses[OBJECTIVE].tolist()
            final = {name: float(values[-1]) for name, values in losses.items()}
        self._agenda.timed(n, seconds)
        self.lounge.trained_s += seconds
        self._check_losses(first, objective)
        self._updated(n, final, hypers, read)

    def _updated(self, n: int, losses: dict[str, float], hypers: Mapping[str, float], read: bool = True) -> None:
        """The state after `n` more updates, by the losses and norms and the scalars of the last one; runs the breaks.
        `read`: the data layers may have moved."""
        state, epoch_before = self.state, self.state.epoch
        state.iter = self.hypers.iteration = state.iter + n
        if read:
            state.epoch = self._position.epoch - state.start_epoch
        state.obj_val = losses.pop(OBJECTIVE, None)
        norms = {name: losses.pop(name) for name in [*losses] if name.startswith(GRADIENT_NORM)}
        state.losses = losses
        state.gradients = {name.removeprefix(GRADIENT_NORM): norm for name, norm in norms.items()}
        if hypers is not self._shown:
            self._shown = hypers
            state.see(hypers)
        self._consistent = True
        self._run_breaks(epoch_before)

    def _check_losses(self, first: int, losses: list[float]) -> None:
        """Record the losses after iteration `first`; raise NumericError for the first that is not finite."""
        finite = losses if math.isfinite(sum(losses)) else list(takewhile(math.isfinite, losses))
        self._curve.add(first, finite)
        for after_steps in self._breaks.watching:
            after_steps(first, np.array(finite))
        if len(finite) < len(losses):
            iteration = first + len(finite) + 1
            hint = f"lower the learning rate{self._breaks.snapshots.hint}"
            if iteration == 1:
                hint = "it is the first step: MOCHAC_CHECK=nan names the blob in which it begins"
            raise NumericError(f"iteration {iteration}: the loss became {losses[len(finite)]}", hint=hint)

    def _run_breaks(self, epoch_before: int | None = None) -> None:
        """Run the breaks that are due; all of them at iteration 0."""
        due = self._agenda.due(self.state, epoch_before)
        if due:
            self._count_waits()
            self._breaks.run(due, self.lounge, self._memory, self.state)
        if self.lounge.save_due and self._agenda.saves(self.state.iter):
            self._try_statistics()

    def _try_statistics(self) -> None:
        """Save them; if they cannot be written, training continues, and they are kept for the next time."""
        try:
            self.lounge.save()
        except SnapshotError as error:
            LOG.warning("%s; training continues, and the statistics are kept for the next time", one_line(error))
            self.lounge.save_due = False  # the next row asks for them again

    # --- time ----------------------------------------------------------------------------------------

    def _count_waits(self) -> None:
        self._waits.count()
        if self.ranks.several:
            self.lounge.exchanged = self.session.plans.exchanged()

    def _report(self, progress: Progress) -> None:
        loss = self.state.obj_val or 0.0
        LOG.info(" %s", progress.result(self.state.iter, loss, self.lounge.trained_s, self._waits.reported()))
        if self.ranks.several:
            LOG.info(" rank 0 exchanged %s", self.lounge.exchanged)

    # --- the end -------------------------------------------------------------------------------------

    def _catch_up(self, coffee: Snapshot) -> None:
        self._breaks.snapshots.catch_up(coffee, self.lounge, self.program, self.state)

    def _leave(self) -> None:
        """Record how this training ended, for train(resume=True)."""
        self._curve.end(self.state.iter, self.state.obj_val)
        self.session.last_training = LastTraining(
            method=self.state.method,
            iteration=self.state.iter,
            start_epoch=self.state.start_epoch,
            memory=self._memory.read(),
            statistics=self.lounge.statistics,
            saved_into=_statistics_file(self.solver),
        )

    def _release(self) -> None:
        """Release the program and the locks on files."""
        self.hypers.ended = True
        self._locks.close()
        self.session.release(self)


def _steps_to_epoch(session: Session, accumulate: int, epochs: int = 1) -> int:
    """Steps of `accumulate` batches until the first data layer has completed this many more passes."""
    return -(-session.batches.position.steps_to_epoch(epochs) // accumulate)


def _refuse(what: str) -> NoReturn:
    raise OptionError(f"{what} inside a coffee break", hint="breaks run between steps; step after them")


def _statistics_file(solver: Solver) -> str:
    """The path of the statistics file with links followed, "" for none."""
    return os.path.realpath(solver.save_into) if solver.save_into else ""
