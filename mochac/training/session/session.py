"""Session: a net on a backend, with its parameters, plans and batches. It trains, evaluates and predicts.

Program is the user's interface to it; the training loop runs its steps (training/loop/trainable.py).

Several threads may call it. A call that runs a plan holds the lock of the program; a call that changes parameters holds
the locks of all programs with the same store (threads.SharedLocks). No lock is held while a call waits for data. Calls
that read from the data layers, or leave a batch for the next call, take turns (turns.py).
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack, closing
from pathlib import Path
from typing import Any, overload

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.files.safetensors_file import is_safetensors
from mochac.base.options import CompileOptions
from mochac.base.rules import is_number, real
from mochac.base.support.memory import ManagedArray, NotFinite, first_not_finite
from mochac.lowering.main_plan import main_kind
from mochac.lowering.measures import Statistics, add_measures
from mochac.lowering.plan_graphs import OBJECTIVE
from mochac.nets.net import Net
from mochac.nets.solvers.update import AVERAGE, Update
from mochac.runtime.backend import Backend
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.outputs import Outputs
from mochac.runtime.data.params import Params
from mochac.runtime.ranks.ranks import ALONE, Exchanged, Ranks
from mochac.training.loop.snapshot import flat_metadata, write_flat
from mochac.training.loop.trainable import LastTraining
from mochac.training.session.batches import Batches, given_feed
from mochac.training.session.debug_run import DebugRun
from mochac.training.session.evaluation import evaluate
from mochac.training.session.joining import TakingPart, facts, joined
from mochac.training.session.net_parameters import (
    averaged,
    kept_arrays,
    live_arrays,
    load_parameters,
    make_averages,
    make_parameters,
    save_parameters,
)
from mochac.training.session.own_update import OwnUpdate
from mochac.training.session.plan_set import BoundPlan, PlanSet
from mochac.training.session.prediction import Predictions
from mochac.training.session.results import FrozenLayers, Results, UnsetParameters
from mochac.training.session.state_dict import LoadedWeights, state_dict
from mochac.training.session.training_step import StepParts, TrainingStep
from mochac.training.session.turns import CallTurns, Turn


class Session:
    """A net on a backend, with at most one training at a time; any thread may call it.

    Args:
        params: a store; the parameters it has are shared, the others are initialized and added.

    Attributes:
        plans, batches: the net's plans, and the training batches.
        results: blobs and gradients that can be read.
        outputs: arrays of the MemoryOutput layers.
        statistics: running means over the forward() calls since they were last reset.
        frozen: layers that training steps do not update.
        step, own_update: of the current or last training: the step, and the update by gradients of backward().
        last_training: the training that train(resume=True) continues.
        writing: a context in which no other thread reads the parameters.
        turns, stepping: of the threads that call the program; the context of step() and update().

    Raises:
        OptionError: `keep` names an unknown blob. NetError, ShapeError: shared parameters do not fit.
    """

    def __init__(self, net: Net, backend: Backend, params: Params, options: CompileOptions) -> None:
        self.net, self.name, self.params = net, net.name, params
        self.mode, self.seed, self.dtype = options.mode or net.mode, options.seed, options.dtype
        self.keep = tuple(net.checked_blob(blob) for blob in options.keep)
        self.batch_size = net.batch
        self.plans = PlanSet(net, backend, params, options)
        self._lock = self.plans.lock
        self.turns = CallTurns(net.name)
        self.writing = params.locks
        self.stepping = Turn(self.turns, "step()")
        self.batches = Batches(self.plans, self.mode)
        self.results, self.outputs = Results(net, self._lock), Outputs(net.collectors)
        self.statistics, self.frozen = Statistics(), FrozenLayers(net)
        self.last_training: LastTraining | None = None
        self._predictions = Predictions(self.plans)
        self._debug = DebugRun(self.plans, self.mode)
        self._parts = StepParts(
            self.plans, self.batches, self._debug, self.results, self.outputs, self.frozen, self.keep
        )
        self.step, self.own_update = TrainingStep(self._parts, Update()), OwnUpdate(self._parts, Update())
        self._mode_in_training = options.mode or "train"
        self._losses: dict[str, float] = {}
        self._averaged: PlanSet | None = None
        self._claimed: weakref.ref[object] | None = None
        with self.writing:
            unset = UnsetParameters(net, params, make_parameters(net, params, self.dtype, self.seed))
        self._unset = unset if unset else None  # predict() asks at each call
        _sessions.add(self)

    # --- training, as the loop uses it -------------------------------------------------------------

    def claim(self, training: object) -> None:
        """Allow only one training at a time: two would update the same solver state."""
        with self._lock:
            other = self.training
            if other is not None and other is not training:
                rule = f"another training of program {self.name!r} is running"
                raise OptionError(rule, hint="end it: solver.finalize()")
            self._claimed = weakref.ref(training)

    @property
    def training(self) -> object | None:
        """The training that is running; None without one."""
        return None if self._claimed is None else self._claimed()

    def release(self, training: object) -> None:
        """End this training."""
        if self.training is training:
            self._claimed = None
            self._debug.mode = self.mode

    def forget_other_threads(self) -> None:
        """Called in a forked child, in which trainings of other threads of the parent do not run."""
        if self.turns.trainer not in (0, threading.get_ident()):
            self.turns.trainer, self._claimed, self._debug.mode = 0, None, self.mode

    def prepare(self, update: Update, *, resume: bool = False) -> None:
        """Select the step plan, or that of the update where the losses are outside of the net; zero the solver's slots
        unless `resume`."""
        with self._lock:
            self.require_open()
            self.step, self.own_update = TrainingStep(self._parts, update), OwnUpdate(self._parts, update)
            self._debug.mode = self._mode_in_training
            self._unset = None
            if update.averaging is not None:
                self.plans.slots.update(make_averages(self.net, self.params))
        self.batches.start()
        with self._lock:
            self._require_still_open()
            (self.step if self.net.losses else self.own_update).prepare()
            if not resume:
                self.plans.reset_slots()

    @property
    def scheduled(self) -> Mapping[str, Any]:
        """The policies of weights of losses, by the names of their scalars."""
        return self.plans.scheduled

    def take_hypers(self, scalars: Mapping[str, float]) -> None:
        """Let forward() and backward() use the scalars of the next update, from now on."""
        self.plans.scalars = scalars

    def reset_states(self) -> None:
        """Zero what layers carry from batch to batch."""
        with self._lock:
            self.require_open()
            self.plans.reset_carried(training=True)

    @property
    def parts(self) -> int:
        """Into how many parts steps cut a batch now."""
        return self.plans.parts

    @property
    def convolutions(self) -> str:
        """Which algorithms convolutions may use, "auto" or "direct"."""
        return self.plans.convolutions

    @property
    def precision(self) -> str:
        """In which factors of products are rounded, such as "float32" or "bfloat16"."""
        return self.plans.options.precision

    def joined(self, ranks: Ranks, earlier: int | None = None) -> AbstractContextManager[None]:
        """A context in which training steps run on one of several ranks (joining.py). `earlier`: the number of parts of
        the training that is continued."""
        return joined(lambda: self.join(ranks, earlier))

    def join(self, ranks: Ranks, earlier: int | None = None) -> TakingPart:
        """Take part from now until leave()."""
        return TakingPart(self._parts, ranks, self._forget_steps, earlier)

    def facts(self) -> Mapping[str, Any]:
        """What must be equal on all ranks that train together, by name."""
        return facts(self._parts, self.step.prepare())

    def exchanged(self) -> Exchanged:
        """What has been exchanged with other ranks in this training."""
        return Exchanged() if self.plans.exchange is None else self.plans.exchange.exchanged()

    def renew(self) -> None:
        """Let the next step use the current contents of the user's arrays."""
        self.require_open()
        self.batches.renew()

    def give(self, arrays: Mapping[str, Any]) -> None:
        """Let the next step run on these arrays, by top of the data layers, with the samples of all its batches."""
        step = self.step
        step.prepare()
        self.batches.give(arrays, step.update.accumulate, "step()", self._parts.keep)

    def ready(self, limit: int, wanted: Callable[[], bool] = lambda: True) -> int:
        """Wait for a batch; returns how many steps may run now: 1 if each is checked or has outputs to collect, 0 if
        none are `wanted` any longer."""
        self.require_open()  # a coffee break, the user between steps, or another thread may have closed the program
        n = self.step.wait(limit, lambda: wanted() and not self.plans.closed)
        self._require_still_open()
        return n

    def _require_still_open(self) -> None:
        """If another thread has closed the program, stop the readers that were started since, and raise OptionError."""
        if self.plans.closed:
            self.batches.close()
            self.require_open()

    def advance(self, n: int, hypers: Mapping[str, Any], first: int) -> dict[str, np.ndarray]:
        """Run n steps after `first` completed iterations; returns losses by layer and the objective, each (n,)."""
        return self.step.advance(n, hypers, first)

    def advance_one(self, hypers: Mapping[str, Any], first: int) -> dict[str, float]:
        """Run one step after `first` completed iterations; returns losses by layer and the objective."""
        return self.step.advance_one(hypers, first)

    def take_gradients(self, iteration: int) -> dict[str, float] | None:
        """Take the gradients of the last backward() for the update of this iteration; returns the update's losses if it
        has the gradients of all its batches now, else None."""
        known = {loss.layer for loss in self.plans.traced("train").losses} | {OBJECTIVE}
        with self._lock:
            self.require_open()
            return self.own_update.take({k: v for k, v in self._losses.items() if k in known}, iteration)

    def apply_gradients(self, hypers: Mapping[str, Any], first: int) -> dict[str, float]:
        """Update the parameters by them, after `first` completed iterations; returns their norms if the training has
        them reported."""
        with self.writing:
            self.require_open()
            return self.own_update.apply(hypers, first)

    def waited(self) -> Mapping[str, float]:
        """Seconds that steps have waited for each data layer."""
        return self.batches.position.waited()

    def parameters(self) -> dict[str, np.ndarray]:
        """Live arrays of parameters and layers' states by "key___param"."""
        return live_arrays(self.net, self.params)

    def slots(self) -> dict[str, np.ndarray]:
        """Live arrays of the current training's solver state by "key.param.slot"."""
        return {name: self.plans.slots[name].storage for name in self._slot_names()}

    def take_slots(self, given: Mapping[str, Mapping[str, np.ndarray]]) -> None:
        """Set the solver's state from arrays by slot and PyTorch's name of the parameter."""
        from mochac.training.session.state_dict import fill_slots

        with self.writing:
            fill_slots(self.slots(), given, self.net, self.params)

    def averages(self) -> dict[str, np.ndarray]:
        """Live arrays of the averages of the parameters by "key___param"."""
        made = make_averages(self.net, self.params)
        return {f"{p.key}___{p.name}": made[f"{p.value}.{AVERAGE}"].storage for p in self.net.params}

    def start_averages(self) -> None:
        """Set the averages to the parameters."""
        arrays = live_arrays(self.net, self.params)
        with self.writing:
            for name, average in self.averages().items():
                average[...] = arrays[name]

    def overflowed(self) -> NotFinite | None:
        """The first parameter or slot with a NaN or an infinity; does not copy newer values from a device."""
        arrays: dict[str, ManagedArray] = {f"{p.what} {p}": p for p in kept_arrays(self.net, self.params).values()}
        arrays |= {f"solver slot {name}": self.plans.slots[name] for name in self._slot_names()}
        return next(filter(None, (first_not_finite({name: a.peek()}) for name, a in arrays.items())), None)

    def cursor(self) -> dict[str, Any]:
        """The position of each data layer."""
        return self.batches.position.cursor()

    def set_cursor(self, cursor: Mapping[str, Any]) -> None:
        """Continue from these positions."""
        self.batches.position.set_cursor(cursor)

    def seek(self, n_batches: int) -> None:
        """Continue where the data layers are after this many batches."""
        self.batches.position.seek(n_batches)

    def epoch(self) -> int:
        """Number of completed passes over the first data layer."""
        return self.batches.position.epoch

    def knows_epochs(self) -> bool:
        """Whether it is known beforehand how many samples an epoch has."""
        return self.batches.position.n_samples > 0

    def steps_to_epoch(self, epochs: int = 1) -> int:
        """Number of steps until epoch() has increased by `epochs`."""
        return -(-self.batches.position.steps_to_epoch(epochs) // self.update.accumulate)

    def load(self, source: Any, strict: bool = True, by: str | Mapping[str, str] | None = None) -> LoadedWeights:
        """Read parameters from a model file, a snapshot or a state_dict."""
        with self.writing:
            loaded = load_parameters(source, self.net, self.params, strict, by)
        self.last_training = None  # its slots belong to other parameters
        return loaded

    def state_dict(self) -> dict[str, np.ndarray]:
        """Copies of the parameters and states under PyTorch's names."""
        with self._lock:
            return state_dict(self.net, self.params)

    def save(self, path: str | Path) -> None:
        """Write the parameters to a model file."""
        with self._lock:
            save_parameters(path, self.net, self.params)

    def save_training(self, path: str | Path) -> None:
        """Write the parameters and the state of the last training to a flat snapshot."""
        last, path = self.last_training, Path(path)
        if last is None or not is_safetensors(path):
            rule = "save(training=True) writes the state of the last training to a .safetensors file"
            got = f"no training by train(), or one that failed, since {self.name!r} was compiled or loaded"
            raise OptionError(rule, got=got if last is None else str(path))
        metadata = flat_metadata(self.name, last.method, tuple(self.update.method.policies()))
        hypers = {name: value for name, value in last.memory.get("hypers", {}).items() if f"hyper {name}" in metadata}
        with self._lock:
            write_flat(path, self.parameters(), self.slots(), metadata, (last.iteration, self.rng_step), hypers)

    # --- a batch, a pass over the data, samples ----------------------------------------------------

    def forward(self, arrays: Mapping[str, Any] | None = None) -> float:
        """Run the net on the data layers' next batch, or on arrays by top of theirs; returns the total loss, 0.0 if
        there is none."""
        self.require_open()
        if self.plans.share.ranks > 1:
            raise OptionError("forward() while several ranks train", hint="a test program of its own may run")
        with Turn(self.turns, "forward()"):
            self.batches.forget_given()
            if arrays:
                self.batches.give(arrays, 1, "forward()")
            step, batch = self.rng_step, self.batches.next()
            with self.writing:
                self.require_open()
                self._debug.hold(batch, step)
                self.batches.release(1)
                bound, scalars = self._debug.forward()
                self.results.ran(bound, backward=False)
                with self.outputs.run():
                    bound.collect(self.outputs)
            add_measures(self.statistics, bound.traced, scalars, self.batch_size)
            return scalars.get(OBJECTIVE, 0.0)

    def backward(self, regu_coef: float = 0.0, diffs: Mapping[str, Any] | None = None) -> None:
        """Compute the gradients of the batch of the last forward(); `diffs`: of a loss outside of the net."""
        self.require_open()
        if diffs is None:
            self.net.require_loss("backward()", ', or give the gradients of your own: backward(diffs={"out": d_out})')
        hint = "" if is_number(regu_coef) else 'gradients of blobs: backward(diffs={"out": d_out})'
        coefficient: float = real(0).check("regu_coef", regu_coef, hint=hint)
        with Turn(self.turns, "backward()"), self.writing:
            self.require_open()
            bound, losses = self._debug.backward(coefficient, diffs)
            self.results.ran(bound, backward=True, regu_coef=regu_coef)
            self._losses = losses if diffs is None else {name: v for name, v in losses.items() if name != OBJECTIVE}

    def evaluation(
        self, average: bool = False, ranks: Ranks = ALONE, arrays: Mapping[str, Any] | None = None
    ) -> Statistics:
        """Statistics of one exact pass over the data; does not affect training's position and blobs.

        Args:
            average: with the averages of the parameters in their places.
            ranks: those that share the work; all of them call it.
            arrays: samples by top of the data layers, in place of the data; None: those of the data layers.
        """
        with ExitStack() as turn:
            if self.net.collectors:
                turn.enter_context(Turn(self.turns, "evaluate() with output layers"))
            with self._lock:
                self.require_open()
                if self._unset is not None:
                    self._check_unset(self._unset)
                plans = self._averaged_plans() if average else self.plans
                data = None if arrays else self.feed
            feed = data or turn.enter_context(closing(given_feed(self.plans, arrays or {}, "evaluate()")))
            return evaluate(plans, feed, self.outputs, ranks, keep=data is not None)

    def statistic_names(self) -> list[str]:
        """The names in evaluation().means()."""
        traced = self.plans.traced("test")
        return [*(s.name for s in traced.statistics), *(loss.layer for loss in traced.losses)]

    @overload
    def predict(self, x: Any, blob: str | None = None) -> np.ndarray: ...
    @overload
    def predict(self, x: Any, blob: list[str] | tuple[str, ...]) -> tuple[np.ndarray, ...]: ...
    def predict(
        self, x: Any, blob: str | list[str] | tuple[str, ...] | None = None
    ) -> np.ndarray | tuple[np.ndarray, ...]:
        """`blob`, by default the net's prediction, for any number of samples; a tuple of arrays for several blobs."""
        lock = self._lock
        lock.acquire()  # a call for one sample takes 3 us, of which a context would be a tenth
        try:
            if self.plans.closed:
                self.require_open()
            if self._unset is not None:
                self._check_unset(self._unset)
            return self._predictions.predict(x, blob)
        finally:
            lock.release()

    def predict_on_device(self, x: Any, blob: str | list[str] | tuple[str, ...] | None = None) -> Any:
        """What predict() returns, left on the device."""
        with self._lock:
            self.require_open()
            if self._unset is not None:
                self._check_unset(self._unset)
            return self._predictions.predict_on_device(x, blob)

    def warn_of_unset(self, known: Mapping[str, np.ndarray]) -> None:
        """Warn of layers whose parameters are as initialized, although others are shared. `known` are the parameters,
        by "key___param", of the net in training."""
        if self._unset is not None:
            self._unset.warn(known)

    def _check_unset(self, unset: UnsetParameters) -> None:
        """Warn, in a net that is only evaluated."""
        if self.mode == "test":
            unset.warn()
            self._unset = None

    # --- state -------------------------------------------------------------------------------------

    @property
    def feed(self) -> Feed:
        """The training batches; readers start at first use."""
        with self._lock:
            return self.batches.feed

    def main_plan(self) -> BoundPlan:
        """The plan that explain, dump and profile show (lowering/main_plan.py): the last training's, for steps."""
        with self._lock:
            self.require_open()
            match main_kind(self.net):
                case "step":
                    return self.step.prepare()
                case "test":
                    return self.plans.test()
                case "predict":
                    return self.plans.predict(self.net.unconsumed, self.batch_size)

    def require_open(self) -> None:
        """Raise OptionError after close()."""
        self.plans.require_open()

    def close(self) -> None:
        """Release everything, after running calls of other threads have ended; closing twice is harmless."""
        self._lock.acquire()
        self._close()

    def close_if_free(self) -> None:
        """As close(), unless another thread is using the program: then it lives until it is collected. Finalizers call
        this, since they run in any thread, which may hold locks that others wait for, and so must not wait."""
        if self._lock.acquire_if_free():
            self._close()

    def _close(self) -> None:
        """Close everything and release the lock, which the caller holds."""
        try:
            if self.plans.closed:
                return
            self._debug.forget()
            self.results.close()
            self._predictions.close()
            self.plans.close()
            if self._averaged is not None:
                self._averaged.close()
        finally:
            self._lock.release()
        self.params.locks.drop(self._lock)
        self.batches.close()

    @property
    def update(self) -> Update:
        """How the current or last training changes parameters."""
        return self.step.update

    @property
    def rng_step(self) -> int:
        """The step counter of random numbers, such as dropout masks: every batch adds 1."""
        return self.batches.rng_step

    @rng_step.setter
    def rng_step(self, step: int) -> None:
        self.batches.rng_step = step

    # --- inside ------------------------------------------------------------------------------------

    def _forget_steps(self) -> None:
        """Let the plans of training steps be compiled again."""
        update = self.update
        self.step, self.own_update = TrainingStep(self._parts, update), OwnUpdate(self._parts, update)

    def _slot_names(self) -> list[str]:
        method = self.update.method
        names = [f"{p.value}.{slot}" for p in self.net.params for slot in method.group_of(p.names).method.slots]
        carried = self.plans.traced("train").carried if self.net.losses else ()
        return [name for name in (*names, *carried) if name in self.plans.slots]

    def _averaged_plans(self) -> PlanSet:
        """Plans that read averages in place of the parameters, those that have one now."""
        store, known = averaged(self.net, self.params), self._averaged
        if known is None or kept_arrays(self.net, known.params) != kept_arrays(self.net, store):
            if known is not None:
                known.close()
            self._averaged = known = PlanSet(self.net, self.plans.backend, store, self.plans.options, self._lock)
        return known


_sessions: weakref.WeakSet[Session] = weakref.WeakSet()


def _forget_other_threads() -> None:
    for session in _sessions:
        session.forget_other_threads()


os.register_at_fork(after_in_child=_forget_other_threads)
