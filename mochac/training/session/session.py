"""Session: a net on a backend with its parameters, plans and batches; a program, its trainings and reports share it.

Several threads may use it. A call that runs a plan holds `lock`; a call that changes parameters enters `writing`, which
holds the locks of all programs with the same store (threads.SharedLocks). No lock is held while a call waits for data.
Calls that read from the data layers, or leave a batch for the next call, take turns:

    step()  step()  forward()  backward()      calls of several threads wait for each other
    train() ............................       calls of other threads are refused meanwhile
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.options import CompileOptions
from mochac.base.records import record
from mochac.base.support.memory import ManagedArray, NotFinite, first_not_finite
from mochac.base.threads import fork_lock
from mochac.ir.types import DTYPES
from mochac.lowering.main_plan import main_kind
from mochac.lowering.operands import draw_inputs
from mochac.nets.net import Net
from mochac.nets.solvers.update import Update
from mochac.runtime.backend import Backend
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.outputs import Outputs
from mochac.runtime.data.params import Params
from mochac.runtime.data.source import is_missing
from mochac.training.session.batches import Batches
from mochac.training.session.debug_run import DebugRun
from mochac.training.session.net_parameters import (
    kept_arrays,
    live_arrays,
    load_parameters,
    make_averages,
    make_parameters,
)
from mochac.training.session.plan_set import BoundPlan, PlanSet
from mochac.training.session.prediction import Predictions
from mochac.training.session.results import Results, UnsetParameters
from mochac.training.session.state_dict import LoadedWeights


@record
class LastTraining:
    """How a training ended; train(resume=True) continues from it.

    Parameters, solver slots, the position in the data and the counter of random numbers stay in the session.

    Args:
        method: name of the solver method.
        iteration: completed iterations, since iteration 0.
        start_epoch: epoch of the program at iteration 0.
        memory: state of policies and coffee breaks, by their names, as in a snapshot.
        statistics: of its lounge.
        saved_into: real path of the statistics file, "" for none.
    """

    method: str
    iteration: int
    start_epoch: int
    memory: Mapping[str, Mapping[str, Any]]
    statistics: dict[str, dict[int, float]]
    saved_into: str

    def check(self, method: str) -> None:
        """Raise OptionError unless `method` can continue with the slots of this training."""
        if method != self.method:
            raise OptionError(
                "resume=True continues with the solver of the last training",
                expected=self.method,
                got=method,
                hint=f"without resume=True {method} starts at iteration 0",
            )


class Session:
    """A net on a backend, with at most one training at a time; any thread may use it.

    Args:
        params: a store; the parameters it has are shared, the others are initialized and added.

    Attributes:
        plans, batches: the net's plans, and the training batches.
        debug, results: forward() and backward(), and the blobs and gradients that can be read after them.
        predictions: predict().
        outputs: arrays of the MemoryOutput layers.
        frozen: keys of the parameters that training steps do not update; replaced when it changes.
        update: how the current or last training changes parameters.
        last_training: the training that train(resume=True) continues.
        unset: parameters that nothing has set yet; None if there are none to warn of.
        lock: held while a plan runs.
        writing: a context in which no other thread reads the parameters.
        turns: of the threads that call the program.

    Raises:
        OptionError: `keep` names an unknown blob. NetError, ShapeError: shared parameters do not fit.
    """

    def __init__(self, net: Net, backend: Backend, params: Params, options: CompileOptions) -> None:
        self.net, self.name, self.params = net, net.name, params
        self.mode, self.seed, self.dtype = options.mode or net.mode, options.seed, options.dtype
        self.keep = tuple(net.checked_blob(blob) for blob in options.keep)
        self.batch_size = net.batch
        self.plans = PlanSet(net, backend, params, options)
        self.lock, self.writing, self.turns = self.plans.lock, params.locks, CallTurns(net.name)
        self.batches, self.debug = Batches(self.plans, self.mode), DebugRun(self.plans, self.mode)
        self.results, self.outputs = Results(net, self.lock), Outputs(net.collectors)
        self.predictions = Predictions(self.plans)
        self.frozen: frozenset[str] = frozenset()
        self.update = Update()
        self.last_training: LastTraining | None = None
        self._mode_in_training = options.mode or "train"
        self._claimed: weakref.ref[object] | None = None
        with self.writing:
            unset = UnsetParameters(net, params, make_parameters(net, params, self.dtype, self.seed))
        self.unset = unset if unset else None  # predict() asks at each call
        _sessions.add(self)

    # --- trainings ---------------------------------------------------------------------------------

    def claim(self, training: object) -> None:
        """Allow only one training at a time: two would update the same solver state."""
        with self.lock:
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
            self.debug.mode = self.mode

    def forget_other_threads(self) -> None:
        """Called in a forked child, in which trainings of other threads of the parent do not run."""
        if self.turns.trainer not in (0, threading.get_ident()):
            self.turns.trainer, self._claimed, self.debug.mode = 0, None, self.mode

    def begin(self, update: Update, *, resume: bool = False) -> None:
        """Begin a training: compile the plan of its steps, or that of its updates where the losses are outside of the
        net, and zero the solver's slots unless `resume`. Cursors, parameters and random numbers are not changed."""
        plans = self.plans
        with self.lock:
            self.require_open()
            self.update, self.unset = update, None
            self.debug.mode = self._mode_in_training
            if update.averaging is not None:
                plans.slots.update(make_averages(self.net, self.params))
        self.batches.start()
        with self.lock:
            self.require_still_open()
            if self.net.losses:
                plans.step(update, self.frozen, self.keep)
            else:
                plans.update(update, self.frozen)
            if not resume:
                plans.reset_slots()

    # --- state -------------------------------------------------------------------------------------

    def parameters(self) -> dict[str, np.ndarray]:
        """Live arrays of parameters and layers' states by "key___param"."""
        return live_arrays(self.net, self.params)

    def load(self, source: Any, strict: bool = True, by: str | Mapping[str, str] | None = None) -> LoadedWeights:
        """Read parameters from a model file, a snapshot or a state_dict; see Program.load."""
        with self.writing:
            loaded = load_parameters(source, self.net, self.params, strict, by)
        self.last_training = None  # its slots belong to other parameters
        return loaded

    def slots(self) -> dict[str, np.ndarray]:
        """Live arrays of the current training's solver state by "key.param.slot"; empty before the first training."""
        return {name: self.plans.slots[name].storage for name in self._slot_names()}

    def overflowed(self) -> NotFinite | None:
        """The first parameter or slot with a NaN or an infinity, named "parameter ip.weight" or "solver slot ..."; does
        not copy newer values from a device."""
        arrays: dict[str, ManagedArray] = {f"{p.what} {p}": p for p in kept_arrays(self.net, self.params).values()}
        arrays |= {f"solver slot {name}": self.plans.slots[name] for name in self._slot_names()}
        return next(filter(None, (first_not_finite({name: a.peek()}) for name, a in arrays.items())), None)

    def _slot_names(self) -> list[str]:
        method = self.update.method
        names = [f"{p.value}.{slot}" for p in self.net.params for slot in method.group_of(p.names).method.slots]
        carried = self.plans.traced("train").carried if self.net.losses else ()
        return [name for name in (*names, *carried) if name in self.plans.slots]

    @property
    def feed(self) -> Feed:
        """The training batches; readers start at first use."""
        with self.lock:
            return self.batches.feed

    def main_plan(self) -> BoundPlan:
        """The plan that explain, dump and profile show (lowering/main_plan.py): the last training's, for steps."""
        with self.lock:
            self.require_open()
            match main_kind(self.net):
                case "step":
                    return self.plans.step(self.update, self.frozen, self.keep)
                case "test":
                    return self.plans.test()
                case "predict":
                    return self.plans.predict(self.net.unconsumed, self.batch_size)

    # --- the end -----------------------------------------------------------------------------------

    def require_open(self) -> None:
        """Raise OptionError after close()."""
        self.plans.require_open()

    def require_still_open(self) -> None:
        """If another thread has closed the program, stop the readers that were started since, and raise OptionError."""
        if self.plans.closed:
            self.batches.close()
            self.require_open()

    def close(self) -> None:
        """Release everything, after running calls of other threads have ended; closing twice is harmless."""
        self.lock.acquire()
        self._close()

    def close_if_free(self) -> None:
        """As close(), unless another thread is using the program: then it lives until it is collected. Finalizers call
        this, since they run in any thread, which may hold locks that others wait for, and so must not wait."""
        if self.lock.acquire_if_free():
            self._close()

    def _close(self) -> None:
        """Close everything and release the lock, which the caller holds."""
        try:
            if self.plans.closed:
                return
            self.debug.forget()
            self.results.close()
            self.predictions.close()
            self.plans.close()
        finally:
            self.lock.release()
        self.params.locks.drop(self.lock)
        self.batches.close()


_sessions: weakref.WeakSet[Session] = weakref.WeakSet()


def _forget_other_threads() -> None:
    for session in _sessions:
        session.forget_other_threads()


os.register_at_fork(after_in_child=_forget_other_threads)


LOOK_S = 0.1
"""How often a waiting thread checks whether another one has begun to train, seconds."""


class CallTurns:
    """The turns of the threads that call one program.

    Attributes:
        trainer: the thread that is in train(); 0 for none.
    """

    def __init__(self, program: str) -> None:
        self.program, self.trainer = program, 0
        self.lock = fork_lock(waits=False)

    def refuse(self, call: str) -> None:
        """Raise OptionError if another thread is in train()."""
        if self.trainer not in (0, threading.get_ident()):
            rule = f"{call} while another thread trains program {self.program!r}"
            raise OptionError(rule, hint="predict() and evaluate() may be called meanwhile")

    @contextmanager
    def training(self) -> Iterator[None]:
        """The context of train(); raises as Turn does."""
        with Turn(self, "train()"):
            before, self.trainer = self.trainer, threading.get_ident()
            try:
                yield
            finally:
                self.trainer = before


class Turn:
    """A context for one call of the user: threads enter it one at a time, and a thread may enter it again inside.

    Args:
        call: for messages.

    Raises:
        OptionError: another thread is in train().
    """

    __slots__ = ("_call", "_turns")

    def __init__(self, turns: CallTurns, call: str) -> None:
        self._turns, self._call = turns, call

    def __enter__(self) -> None:
        turns = self._turns
        if turns.lock.acquire(False):
            return
        turns.refuse(self._call)
        while not turns.lock.acquire(timeout=LOOK_S):
            turns.refuse(self._call)

    def __exit__(self, *error: object) -> None:
        self._turns.lock.release()


def without_data(net: Net) -> tuple[str, ...]:
    """Names of the data layers without data: InputLayers, and layers whose files do not exist."""
    return tuple(layer.name for layer in net.sources if is_missing(layer))


def next_batches(session: Session, bound: BoundPlan, most: int) -> list[dict[str, np.ndarray]]:
    """The next batches, 1 to `most` of them, by graph input, without advancing; one random batch if data is missing.

    Raises:
        DataError: they cannot be read.
    """
    if not bound.feeds:
        return [{}]
    if without_data(session.net):
        drawn = draw_inputs(bound.source.graph)
        return [{name: drawn[name] for name in bound.feeds.values()}]
    ready = session.feed.wait(most)
    batches = [session.feed.arrays(k) for k in range(ready)]
    return [{name: np.array(batch[top]) for top, name in bound.feeds.items()} for batch in batches]


def next_inputs(session: Session, bound: BoundPlan) -> dict[str, np.ndarray]:
    """Every input of the plan's graph: the next batch, current parameters and solver state, random scalars."""
    graph = bound.source.graph
    inputs = {**draw_inputs(graph), **next_batches(session, bound, 1)[0]}
    inputs.update({name: array[...] for name, array in kept_arrays(bound.traced, session.params).items()})
    inputs.update({name: slot.values for name, slot in session.plans.slots.items()})
    inputs.update({i.name: bound.traced.tables[i.name] for i in graph.inputs if i.role == "const"})
    return {i.name: np.array(inputs[i.name], DTYPES[i.type.dtype]) for i in graph.inputs}
