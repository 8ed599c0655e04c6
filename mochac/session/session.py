"""Session: a compiled net as the training loop sees it, runtime/training/trainable.py's Trainable.

Program is one, with what its user calls on top. It runs steps: plans come from PlanSet, batches from Batches, results
are seen through ReadOut. It knows neither loop nor breaks, and nothing of reports.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mochac.errors import OptionError
from mochac.frontend.net import Net
from mochac.frontend.tracer import ParamInfo
from mochac.layers.base import Parametric
from mochac.lowering.machines import AnyMachine
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.outputs import Outputs
from mochac.runtime.data.params import Params
from mochac.runtime.support.finite import NotFinite, first_not_finite
from mochac.runtime.training.last_training import LastTraining
from mochac.session.batches import Batches
from mochac.session.plan_set import BoundPlan, PlanSet
from mochac.session.views import ReadOut
from mochac.solvers.clipping import Clipping
from mochac.solvers.method import Method


class Session:
    """A net on a machine, with parameters, batches and at most one training at a time; arguments as of compile."""

    def __init__(
        self, net: Net, machine: AnyMachine, params: Params, *, mode: str, seed: int, threads: int | None, dtype: str,
        keep: tuple[str, ...], tune: str | None = None,
    ) -> None:  # fmt: skip
        self.net, self.name, self.params = net, net.name, params
        self.mode, self.seed, self.dtype, self.keep = mode, seed, dtype, keep
        self.batch_size, self.rng_step = net.batch, 0
        self.bank = PlanSet(net, machine, params, dtype, seed, threads, tune)
        self._closed = False
        self._batches = Batches(self.bank, mode)
        self._frozen: set[str] = set()
        self._training: tuple[Method, float, Clipping] | None = None
        self._claimed: weakref.ref[object] | None = None
        self.last_training: LastTraining | None = None
        self._out = ReadOut(net)
        self.outputs = Outputs(net.sinks)
        self._make_parameters()

    def claim(self, training: object) -> None:
        """One training at a time: two would step on one solver state (runtime/training/trainable.py)."""
        other = self._claimed() if self._claimed is not None else None
        if other is not None and other is not training:
            raise OptionError(
                f"another training of program {self.name!r} is under way", hint="end it: solver.finalize()"
            )
        self._claimed = weakref.ref(training)

    def release(self, training: object) -> None:
        """This training has ended."""
        if self._claimed is not None and self._claimed() is training:
            self._claimed = None

    def prepare(
        self,
        method: Method,
        *,
        regu_coef: float,
        clipping: Clipping = Clipping(),  # noqa: B008
        resume: bool = False,
    ) -> None:
        """Select the step plan and zero its slots, unless they go on (runtime/training/trainable.py)."""
        self._open()
        self._training = (method, regu_coef, clipping)
        self._batches.start()
        self._step_plan()
        if not resume:
            self.bank.reset_slots()

    def renew(self) -> None:
        """The next step sees the user's arrays as they are now."""
        self._open()
        self._batches.renew()

    def ready(self, limit: int) -> int:
        """Wait for a filled batch; how many steps may run now: 1 under MOCHAC_CHECK and with output layers."""
        self._open()  # a coffee break, or the user between steps, may have closed it
        return self._batches.wait(1 if self.bank.machine.options.check or self.net.sinks else limit)

    def waited(self) -> Mapping[str, float]:
        """Seconds that steps have waited for each data layer."""
        return self.feed.waited()

    def advance(self, n: int, hypers: Mapping[str, np.ndarray], first: int) -> dict[str, np.ndarray]:
        """Run n steps after `first` completed iterations; losses by layer and "obj_val", each (n,)."""
        if self.bank.machine.options.check:
            return self._advance_checked(hypers, first)
        return self._advance(n, hypers, first)

    def _advance(self, n: int, hypers: Mapping[str, np.ndarray], first: int) -> dict[str, np.ndarray]:
        bound = self._step_plan()
        scalars = {**hypers, "step": np.arange(self.rng_step, self.rng_step + n)}
        done = np.arange(first + 1, first + n + 1)
        scalars |= {key: done % every == 0 for key, every in bound.source.rhythms.items()}
        results = bound.runner.run(n, self._batches.given(bound, n), _wanted(bound, scalars))
        self._out.trained(bound, self.keep)
        self._collect(bound)
        self.feed.release(n)  # from here on the reader fills the slots anew
        self.rng_step += n
        return results

    def parameters(self) -> dict[str, np.ndarray]:
        """Live parameter arrays by "key___param"."""
        return {f"{p.key}___{p.name}": self.params[p.key][p.name].storage for p in self.net.params}

    def slots(self) -> dict[str, np.ndarray]:
        """Live solver slots of the training under way, by "key.param.slot"."""
        return {name: self.bank.slots[name].storage for name in self._slot_names()}

    def overflowed(self) -> NotFinite | None:
        """The first parameter or slot with a NaN or an infinity (runtime/training/trainable.py)."""
        stored = {f"parameter {p.key}.{p.name}": self.params[p.key][p.name] for p in self.net.params}
        stored |= {f"solver slot {name}": self.bank.slots[name] for name in self._slot_names()}
        return next(filter(None, (first_not_finite({name: s.peek()}) for name, s in stored.items())), None)

    def cursor(self) -> dict[str, Any]:
        """Where the data layers stand."""
        return self.feed.cursor()

    def set_cursor(self, cursor: Mapping[str, Any]) -> None:
        """Go on from there."""
        self.feed.set_cursor(cursor)

    def epoch(self) -> int:
        """Completed passes of the first data layer."""
        return self.feed.epoch

    def steps_to_epoch(self) -> int:
        """Steps until epoch() grows."""
        return self.feed.steps_to_epoch()

    def load(self, path: str | Path, strict: bool = True) -> None:
        """Read parameters from a model file (also Mocha's and Caffe's: HDF5, .caffemodel) or a snapshot.

        Afterwards train(resume=True) starts at iteration 0: the solver's state was made with other parameters.

        Args:
            strict: a missing parameter other than a bias is an error; else it keeps its value.
        """
        from mochac.runtime.data.model_file import load_model

        load_model(path, self.parameters(), strict, {f"{p.key}___{p.name}": self._aliases(p) for p in self.net.params})
        self.last_training = None

    # --- inside ------------------------------------------------------------------------------------

    @property
    def feed(self) -> Feed:
        """The training batches; readers start at first use."""
        return self._batches.feed

    def _slot_names(self) -> list[str]:
        slots = () if self._training is None else self._training[0].slots
        names = [f"{p.value}.{slot}" for p in self.net.params for slot in slots]
        return [name for name in names if name in self.bank.slots]

    def _make_parameters(self) -> None:
        """Shared parameters are checked, absent ones initialised; nothing is added if one of them does not fit."""
        made: set[str] = set()
        for p in self.net.params:
            first = p.key in made or p.key not in self.params
            made.add(p.key)
            where = {"layer": p.layer, "type": self.net.layer(p.layer).kind, "at": f"{p.loc.file}:{p.loc.line}"}
            self.params.ensure(p.key, p.name, p.shape, self.dtype, p.init, seed=self.seed, first=first, **where)

    def _step_plan(self) -> BoundPlan:
        assert self._training is not None
        method, regu_coef, clipping = self._training
        return self.bank.step(method, regu_coef, clipping, frozenset(self._frozen), self.keep)

    def _advance_checked(self, hypers: Mapping[str, np.ndarray], first: int) -> dict[str, np.ndarray]:
        """One step; where its loss or what it updated is not finite, the batch runs again from the parameters before
        to find the culprit."""
        from mochac.session.nan_check import culprit

        before = {name: array.copy() for name, array in self.parameters().items()}
        batch = self._batches.copy()
        step = self.rng_step
        results = self._advance(1, hypers, first)
        updated = {**{p.value: self.params[p.key][p.name].values for p in self.net.params}, **self.slots()}
        if np.isfinite(results["obj_val"][0]) and first_not_finite(updated) is None:
            return results
        updated = {name: array.copy() for name, array in updated.items()}
        for name, array in self.parameters().items():
            array[...] = before[name]
        self._out.batch, self._out.step = batch, step
        assert self._training is not None
        found = self._run_debug(backward=True, regu_coef=self._training[1])
        assert self._out.bound is not None
        losses = {loss.layer: found[loss.layer] for loss in self._out.bound.traced.losses}
        error = culprit(self._out.bound, losses, updated, self.net, first + 1)
        if error is not None:
            raise error
        return results

    def _run_debug(self, backward: bool, regu_coef: float = 0.0) -> dict[str, float]:
        bound = self.bank.debug(self.mode, backward, regu_coef)
        assert self._out.batch is not None
        feeds = {f.value: self._out.batch[f.top] for f in bound.traced.feeds}
        scalars = _wanted(bound, {"step": self._out.step, "n_valid": self.batch_size})
        results = {name: float(v[0]) for name, v in bound.runner.run(1, [feeds], scalars).items()}
        self._out.ran(bound, backward)
        return results

    def _collect(self, bound: BoundPlan) -> None:
        """What the last step of `bound` computed for the sinks."""
        with self.outputs.run():
            bound.collect(self.outputs)

    def _aliases(self, p: ParamInfo) -> list[str]:
        """A parameter under the names of the layers that have it, which are those of Mocha's and Caffe's files."""
        owners = [layer for layer in self.net.layers if isinstance(layer, Parametric) and layer.key == p.key]
        return [f"{layer.name}___{p.name}" for layer in owners if layer.name != p.key]

    def _open(self) -> None:
        if self._closed:
            raise OptionError(f"program {self.name!r} is closed")


def _wanted(bound: BoundPlan, scalars: Mapping[str, Any]) -> dict[str, Any]:
    """Those scalars that a plan takes."""
    keys = {placement.key for placement in bound.compiled.plan.placements if placement.place == "hyper"}
    return {name: value for name, value in scalars.items() if name in keys}
