"""Session: a net on a backend, with its parameters, plans and batches. It trains, evaluates and predicts.

Program is the user's interface to it; the training loop runs its steps (runtime/training/trainable.py).
"""

from __future__ import annotations

import numbers
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mochac.errors import OptionError
from mochac.frontend.net import Net
from mochac.lowering.main_plan import main_kind
from mochac.lowering.measures import add_measures
from mochac.lowering.plan_graphs import FIRST_BATCH, GRADIENT_SUM, OBJECTIVE
from mochac.options import CompileOptions
from mochac.runtime.backend import Backend
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.outputs import Outputs
from mochac.runtime.data.params import Params
from mochac.runtime.support.finite import NotFinite, first_not_finite
from mochac.runtime.support.managed_array import ManagedArray
from mochac.runtime.training.last_training import LastTraining
from mochac.runtime.training.statistics import Statistics
from mochac.session.averages import averaged, make_averages
from mochac.session.batches import Batches
from mochac.session.debug_run import DebugRun
from mochac.session.evaluation import evaluate
from mochac.session.frozen import FrozenLayers
from mochac.session.inputs import given_batches
from mochac.session.net_parameters import kept_arrays, live_arrays, load_parameters, make_parameters, save_parameters
from mochac.session.plan_set import BoundPlan, PlanSet
from mochac.session.prediction import predict
from mochac.session.results import Results
from mochac.session.state_dict import LoadedWeights, state_dict
from mochac.solvers.averaging import AVERAGE
from mochac.solvers.update import Update


class Session:
    """A net on a backend, with at most one training at a time.

    Args:
        params: a store; the parameters it has are shared, the others are initialized and added.

    Attributes:
        plans, batches: the net's plans, and the training batches.
        results: blobs and gradients that can be read.
        outputs: arrays of the MemoryOutput layers.
        statistics: running means over the forward() calls since they were last reset.
        frozen: layers that training steps do not update.
        rng_step: the step counter of random numbers, such as dropout masks.
        last_training: the training that train(resume=True) continues.

    Raises:
        OptionError: `keep` names an unknown blob. NetError, ShapeError: shared parameters do not fit.
    """

    def __init__(self, net: Net, backend: Backend, params: Params, options: CompileOptions) -> None:
        self.net, self.name, self.params = net, net.name, params
        self.mode, self.seed, self.dtype = options.mode or net.mode, options.seed, options.dtype
        self.keep = tuple(net.checked_blob(blob) for blob in options.keep)
        self.batch_size, self.rng_step = net.batch, 0
        self.plans = PlanSet(net, backend, params, options)
        self.batches = Batches(self.plans, self.mode)
        self.results, self.outputs = Results(net), Outputs(net.collectors)
        self.statistics, self.frozen = Statistics(), FrozenLayers(net)
        self.last_training: LastTraining | None = None
        self._debug = DebugRun(self.plans, self.mode)
        self._averaged: PlanSet | None = None
        self._update: Update | None = None
        self._claimed: weakref.ref[object] | None = None
        self._closed = False
        make_parameters(net, params, self.dtype, self.seed)

    # --- training, as the loop uses it -------------------------------------------------------------

    def claim(self, training: object) -> None:
        """Allow only one training at a time: two would update the same solver state."""
        other = self._claimed() if self._claimed is not None else None
        if other is not None and other is not training:
            rule = f"another training of program {self.name!r} is running"
            raise OptionError(rule, hint="end it: solver.finalize()")
        self._claimed = weakref.ref(training)

    def release(self, training: object) -> None:
        """End this training."""
        if self._claimed is not None and self._claimed() is training:
            self._claimed = None

    def prepare(self, update: Update, *, resume: bool = False) -> None:
        """Select the step plan; zero the solver's slots unless `resume`."""
        self.require_open()
        self._update = update
        if update.averaging is not None:
            self.plans.slots.update(make_averages(self.net, self.params))
        self.batches.start()
        self._step_plan()
        if update.accumulate > 1:
            self._accumulate_plan()
        if not resume:
            self.plans.reset_slots()

    def renew(self) -> None:
        """Let the next step use the current contents of the user's arrays."""
        self.require_open()
        self.batches.renew()

    def give(self, arrays: Mapping[str, Any]) -> None:
        """Let the next step run on these arrays, by top of the data layers, with the samples of all its batches."""
        self.require_open()
        self.batches.give(given_batches(self.plans, arrays, self.update.accumulate))

    def ready(self, limit: int, wanted: Callable[[], bool] = lambda: True) -> int:
        """Wait for a batch; returns how many steps may run now: 1 if each is checked or has outputs to collect, 0 if
        none are `wanted` any longer."""
        self.require_open()  # a coffee break, or the user between steps, may have closed the program
        return self.batches.wait(1 if self._batch_by_batch or self.update.accumulate > 1 else limit, wanted)

    def advance(self, n: int, hypers: Mapping[str, np.ndarray], first: int) -> dict[str, np.ndarray]:
        """Run n steps after `first` completed iterations; returns losses by layer and the objective, each (n,)."""
        earlier = self._accumulate(self.update.accumulate - 1, first)
        losses = self._run(self._step_plan(), n, hypers, first)
        if not earlier:
            return losses
        return {name: np.mean([*earlier[name], *values], keepdims=True) for name, values in losses.items()}

    def waited(self) -> Mapping[str, float]:
        """Seconds that steps have waited for each data layer."""
        return self.batches.position.waited()

    def parameters(self) -> dict[str, np.ndarray]:
        """Live arrays of parameters and layers' states by "key___param"."""
        return live_arrays(self.net, self.params)

    def slots(self) -> dict[str, np.ndarray]:
        """Live arrays of the current training's solver state by "key.param.slot"."""
        return {name: self.plans.slots[name].storage for name in self._slot_names()}

    def averages(self) -> dict[str, np.ndarray]:
        """Live arrays of the averages of the parameters by "key___param"."""
        made = make_averages(self.net, self.params)
        return {f"{p.key}___{p.name}": made[f"{p.value}.{AVERAGE}"].storage for p in self.net.params}

    def start_averages(self) -> None:
        """Set the averages to the parameters."""
        arrays = live_arrays(self.net, self.params)
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

    def epoch(self) -> int:
        """Number of completed passes over the first data layer."""
        return self.batches.position.epoch

    def steps_to_epoch(self) -> int:
        """Number of steps until epoch() increases."""
        return -(-self.batches.position.steps_to_epoch() // self.update.accumulate)

    def load(self, source: Any, strict: bool = True, by: str | Mapping[str, str] | None = None) -> LoadedWeights:
        """Read parameters from a model file, a snapshot or a state_dict."""
        loaded = load_parameters(source, self.net, self.params, strict, by)
        self.last_training = None  # its slots belong to other parameters
        return loaded

    def state_dict(self) -> dict[str, np.ndarray]:
        """Copies of the parameters and states under PyTorch's names."""
        return state_dict(self.net, self.params)

    def save(self, path: str | Path) -> None:
        """Write the parameters to a model file."""
        save_parameters(path, self.net, self.params)

    # --- a batch, a pass over the data, samples ----------------------------------------------------

    def forward(self) -> float:
        """Run the net on the next batch; returns the total loss, 0.0 if there is none."""
        self.require_open()
        self.feed.renew()
        self.feed.wait(1)
        self._debug.hold(self.batches.copy(), self.rng_step)
        self.feed.release(1)
        self.rng_step += 1
        bound, scalars = self._run_debug(backward=False)
        with self.outputs.run():
            bound.collect(self.outputs)
        add_measures(self.statistics, bound.traced, scalars, self.batch_size)
        return scalars.get(OBJECTIVE, 0.0)

    def backward(self, regu_coef: float = 0.0) -> None:
        """Compute the gradients of the batch of the last forward()."""
        self.require_open()
        self.require_loss("backward()")
        if isinstance(regu_coef, bool) or not isinstance(regu_coef, numbers.Real) or not regu_coef >= 0:
            raise OptionError("regu_coef is out of range", expected="a number >= 0", got=repr(regu_coef))
        self._run_debug(backward=True, regu_coef=float(regu_coef))

    def evaluation(self, average: bool = False) -> Statistics:
        """Statistics of one exact pass over the data; does not affect training's position and blobs.

        Args:
            average: with the averages of the parameters in their places.
        """
        self.require_open()
        return evaluate(self._averaged_plans() if average else self.plans, self.feed, self.outputs)

    def statistic_names(self) -> list[str]:
        """The names in evaluation().means()."""
        traced = self.plans.traced("test")
        return [*(s.name for s in traced.statistics), *(loss.layer for loss in traced.losses)]

    def predict(self, x: Any, blob: str | None = None) -> np.ndarray:
        """`blob`, by default the net's prediction, for any number of samples."""
        self.require_open()
        return predict(self.plans, x, blob)

    # --- state -------------------------------------------------------------------------------------

    @property
    def feed(self) -> Feed:
        """The training batches; readers start at first use."""
        return self.batches.feed

    def main_plan(self) -> BoundPlan:
        """The plan that explain, dump and profile show (lowering/main_plan.py): the last training's, for steps."""
        self.require_open()
        match main_kind(self.net):
            case "step":
                return self._step_plan()
            case "test":
                return self.plans.test()
            case "predict":
                return self.plans.predict(self.net.unconsumed, self.batch_size)

    def require_open(self) -> None:
        """Raise OptionError after close()."""
        if self._closed:
            raise OptionError(f"program {self.name!r} is closed")

    def require_loss(self, what: str) -> None:
        """Raise OptionError if the net lacks the loss that `what` needs."""
        if not self.net.losses:
            raise OptionError(f"{what}: net {self.name!r} has no loss layer", hint="add one, such as SoftmaxLossLayer")

    def close(self) -> None:
        """Release everything; closing twice is harmless."""
        if not self._closed:
            self._closed = True
            self._debug.forget()
            self.results.close()
            self.batches.close()
            self.plans.close()
            if self._averaged is not None:
                self._averaged.close()

    @property
    def update(self) -> Update:
        """How the current or last training changes parameters."""
        return self._update or Update()

    # --- inside ------------------------------------------------------------------------------------

    @property
    def _checks(self) -> bool:
        """Whether every step is checked for NaN and infinities."""
        return bool(self.plans.backend.env.check)

    @property
    def _batch_by_batch(self) -> bool:
        """Whether only one batch may run at a time: it is checked, or has outputs to collect."""
        return self._checks or bool(self.net.collectors)

    def _slot_names(self) -> list[str]:
        slots = () if self._update is None else self._update.method.slots
        names = [f"{p.value}.{slot}" for p in self.net.params for slot in slots]
        return [name for name in names if name in self.plans.slots]

    def _step_plan(self) -> BoundPlan:
        return self.plans.step(self.update, self.frozen.keys, self.keep)

    def _averaged_plans(self) -> PlanSet:
        """Plans that read averages in place of the parameters, those that have one now."""
        store, known = averaged(self.net, self.params), self._averaged
        if known is None or kept_arrays(self.net, known.params) != kept_arrays(self.net, store):
            if known is not None:
                known.close()
            self._averaged = known = PlanSet(self.net, self.plans.backend, store, self.plans.options)
        return known

    def _accumulate_plan(self) -> BoundPlan:
        return self.plans.accumulate(self.frozen.keys, self.keep)

    def _accumulate(self, n: int, first: int) -> dict[str, list[float]]:
        """Add up the gradients of the next n batches; returns their losses."""
        losses: dict[str, list[float]] = {}
        done = 0
        while done < n:
            ready = self.batches.wait(1 if self._batch_by_batch else n - done)
            begins = {FIRST_BATCH: np.arange(done, done + ready) == 0}
            for name, values in self._run(self._accumulate_plan(), ready, begins, first).items():
                losses.setdefault(name, []).extend(values.tolist())
            done += ready
        if n:
            self.batches.wait(1)
        return losses

    def _run(self, bound: BoundPlan, n: int, hypers: Mapping[str, np.ndarray], first: int) -> dict[str, np.ndarray]:
        """Run a plan on the next n batches."""
        return self._checked(bound, hypers, first) if self._checks else self._unchecked(bound, n, hypers, first)

    def _unchecked(
        self, bound: BoundPlan, n: int, hypers: Mapping[str, np.ndarray], first: int
    ) -> dict[str, np.ndarray]:
        iterations = np.arange(first + 1, first + n + 1)
        scalars = {**hypers, "step": np.arange(self.rng_step, self.rng_step + n)}
        scalars |= {name: iterations % every == 0 for name, every in bound.source.periods.items()}
        losses = bound.runner.run(n, self.batches.given(bound, n), bound.scalars(scalars))
        self._debug.forget()
        self.results.trained(bound, self.keep)
        with self.outputs.run():
            bound.collect(self.outputs)
        self.batches.release(n)
        self.rng_step += n
        return losses

    def _checked(self, bound: BoundPlan, hypers: Mapping[str, np.ndarray], first: int) -> dict[str, np.ndarray]:
        """Run one batch. If its loss or its updates are not finite, run the batch again with the parameters from before
        it, to find the first value that is not."""
        before = {name: array.copy() for name, array in self.parameters().items()}
        batch, rng_step = self.batches.copy(), self.rng_step
        losses = self._unchecked(bound, 1, hypers, first)
        updated = {name: array.values for name, array in kept_arrays(self.net, self.params).items()} | self.slots()
        updated |= {name: slot.storage for name, slot in self.plans.slots.items() if name.endswith(f".{GRADIENT_SUM}")}
        if np.isfinite(losses[OBJECTIVE][0]) and first_not_finite(updated) is None:
            return losses
        from mochac.session.nan_check import not_finite_error

        updated = {name: array.copy() for name, array in updated.items()}
        for name, array in self.parameters().items():
            array[...] = before[name]
        self._debug.hold(batch, rng_step)
        debugged, scalars = self._run_debug(backward=True, regu_coef=self.update.regu_coef)
        error = not_finite_error(debugged, scalars, updated, self.net, first + 1)
        if error is not None:
            raise error
        return losses

    def _run_debug(self, *, backward: bool, regu_coef: float = 0.0) -> tuple[BoundPlan, dict[str, float]]:
        bound, scalars = self._debug.run(backward=backward, regu_coef=regu_coef)
        self.results.ran(bound, backward)
        return bound, scalars
