"""Program: a compiled net, as its user sees it.

mochac.compile makes one. Each method is short: plans come from PlanBank, batches from Feed, the training loop from
runtime/training.py, reports from driver/report.py and driver/dump.py.
"""

from __future__ import annotations

import numbers
import os
import weakref
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from mochac.driver.bank import BoundPlan, PlanBank
from mochac.driver.evaluation import evaluate
from mochac.driver.machines import AnyMachine
from mochac.driver.predict import predict
from mochac.driver.views import ReadOut
from mochac.errors import OptionError
from mochac.frontend.net import Net
from mochac.frontend.tracer import ParamInfo
from mochac.habits import missing
from mochac.layers.base import Layer, Parametric, Source
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.source import Reading, open_source
from mochac.runtime.native.tables import Located
from mochac.runtime.outputs import Outputs
from mochac.runtime.params import Params
from mochac.runtime.statistics import Statistics
from mochac.runtime.training import Training, train
from mochac.solvers.method import Method
from mochac.solvers.solver import Solver, as_solver

if TYPE_CHECKING:
    from mochac.driver.report import KernelRecord
    from mochac.runtime.lounge import CoffeeLounge


class Program:
    """A net compiled for this machine; see mochac.compile for the arguments.

    Attributes:
        net, name, mode, dtype, seed: as compiled.
        params: the parameter store, shared with programs compiled with params=.
        batch_size: samples a step.
        rng_step: the counter behind dropout masks.
        blobs, blob_diffs, grads: mappings of NumPy copies of the last forward() or backward().
        outputs: by MemoryOutput layer, per bottom the list of its arrays, one a step.
    """

    def __init__(
        self, net: Net, machine: AnyMachine, params: Params, *, mode: str, seed: int, threads: int | None, dtype: str,
        keep: tuple[str, ...], tune: str | None = None,
    ) -> None:  # fmt: skip
        self.net, self.name, self.params = net, net.name, params
        self.mode, self.seed, self.dtype, self.keep = mode, seed, dtype, keep
        self.batch_size, self.rng_step = net.batch, 0
        self.bank = PlanBank(net, machine, params, dtype, seed, threads, tune)
        self._closed = False
        self._feed: Feed | None = None
        self._frozen: set[str] = set()
        self._training: tuple[Method, float, float | None] | None = None
        self._claimed: weakref.ref[object] | None = None
        self._statistics = Statistics()
        self._out = ReadOut(net)
        self.outputs = Outputs(net.sinks)
        self._make_parameters()

    # --- training ----------------------------------------------------------------------------------

    def train(self, method: Method | Solver, **parameters: Any) -> CoffeeLounge:
        """Train: train(solver) or train(SGD(...), max_iter=..., ...); returns the CoffeeLounge.

        Starts at iteration 0 with zero slots unless load_from finds a snapshot; parameters, data cursor and RNG go on.
        Raises OptionError without max_iter or max_epoch, and where the net has no loss.
        """
        solver = as_solver(method, **parameters)
        self._require_loss("train()")
        with self.outputs.run():
            return train(self, solver)

    def start_training(self, solver: Solver) -> Training:
        """A training of the caller's own loop; for Solver.init_solve."""
        self._require_loss("init_solve()")
        return Training(self, solver)

    def claim(self, training: object) -> None:
        """One training at a time: two would step on one solver state (runtime/trainable.py)."""
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

    def prepare(self, method: Method, *, regu_coef: float, clip_norm: float | None) -> None:
        """Select the step plan and zero its slots (runtime/trainable.py)."""
        self._open()
        self._training = (method, regu_coef, clip_norm)
        self.feed.start()
        self._step_plan()
        self.bank.reset_slots()

    def renew(self) -> None:
        """The next step sees the user's arrays as they are now."""
        self._open()
        self.feed.renew()

    def ready(self, limit: int) -> int:
        """Wait for a filled batch; how many steps may run now: 1 under MOCHAC_CHECK and with output layers."""
        self._open()  # a coffee break, or the user between steps, may have closed it
        return self.feed.wait(1 if self.bank.machine.options.check or self.net.sinks else limit)

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
        results = bound.runner.run(n, self._batches(bound, n), _wanted(bound, scalars))
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
        if self._training is None:
            return {}
        names = [f"{p.value}.{slot}" for p in self.net.params for slot in self._training[0].slots]
        return {name: self.bank.slots[name].storage for name in names if name in self.bank.slots}

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

    # --- one batch ---------------------------------------------------------------------------------

    def forward(self) -> float:
        """Compute the net on the next batch of its data layers; the total loss, 0.0 where there is none."""
        self._open()
        self.feed.renew()
        self.feed.wait(1)
        batch = {top: np.array(a) for top, a in self.feed.arrays().items()}
        self.feed.release(1)
        self._out.batch, self._out.step = batch, self.rng_step
        self.rng_step += 1
        results = self._run_debug(backward=False)
        assert self._out.bound is not None
        self._collect(self._out.bound)
        self._count(results)
        return results.get("obj_val", 0.0)

    def backward(self, regu_coef: float = 0.0) -> None:
        """Gradients of the batch of the last forward(): program.grads and program.blob_diffs."""
        self._open()
        self._require_loss("backward()")
        if isinstance(regu_coef, bool) or not isinstance(regu_coef, numbers.Real) or not regu_coef >= 0:
            raise OptionError("regu_coef is out of range", expected="a number >= 0", got=repr(regu_coef))
        if self._out.batch is None:
            raise OptionError("backward() before forward()", hint="call forward() first")
        self._run_debug(backward=True, regu_coef=float(regu_coef))

    @property
    def blobs(self) -> Mapping[str, np.ndarray]:
        """Blobs of the last forward(), in logical order; after train() those named in keep=."""
        return self._out.blobs

    @property
    def blob_diffs(self) -> Mapping[str, np.ndarray]:
        """Gradients of blobs, of the last backward()."""
        return self._out.blob_diffs

    @property
    def grads(self) -> Mapping[str, Mapping[str, np.ndarray]]:
        """Gradients of parameters by key and name, of the last backward()."""
        return self._out.grads

    # --- evaluation and prediction -----------------------------------------------------------------

    def evaluation(self) -> Statistics:
        """Statistics of one exact pass over the data."""
        self._open()
        return evaluate(self.bank, self.feed, self.outputs)

    def evaluate(self) -> dict[str, float]:
        """Means of the statistics and losses over one exact pass; the training cursor and blobs stay untouched."""
        return self.evaluation().means()

    def statistic_names(self) -> list[str]:
        """The names in evaluate()."""
        traced = self.bank.traced("test")
        return [*(s.name for s in traced.statistics), *(loss.layer for loss in traced.losses)]

    def predict(self, x: Any, blob: str | None = None) -> np.ndarray:
        """`blob` (default: the net's prediction) for any number of samples; see API.

        Raises:
            OptionError, ShapeError: x does not fit the data layer, or no single prediction exists.
        """
        self._open()
        return predict(self.bank, x, blob)

    def statistics(self) -> dict[str, float]:
        """Running means of statistics and loss layers over the forward() calls since the last reset."""
        return self._statistics.means()

    def reset_statistics(self) -> None:
        """Forget the running means."""
        self._statistics.reset()

    def reset_outputs(self, *layers: str) -> None:
        """Empty the lists of these MemoryOutput layers; of all of them without names."""
        self.outputs.reset(*layers)

    # --- parameters --------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the parameters to an HDF5 model file, datasets `key___param`."""
        from mochac.runtime.model_file import save_model

        save_model(path, self.parameters())

    def load(self, path: str | Path, strict: bool = True) -> None:
        """Read parameters from a model file (also Mocha's and Caffe's: HDF5, .caffemodel) or a snapshot.

        Args:
            strict: a missing parameter other than a bias is an error; else it keeps its value.
        """
        from mochac.runtime.model_file import load_model

        load_model(path, self.parameters(), strict, {f"{p.key}___{p.name}": self._aliases(p) for p in self.net.params})

    def freeze(self, *layers: str | Layer) -> None:
        """Leave the parameters of these layers, given by name or as layers, as they are, from the next step on."""
        self._frozen.update(self._key(name) for name in layers)

    def unfreeze(self, *layers: str | Layer) -> None:
        """Train these layers' parameters again."""
        self._frozen.difference_update([self._key(name) for name in layers])

    def is_frozen(self, layer: str | Layer) -> bool:
        """Whether steps leave this layer's parameters as they are."""
        return self._key(layer) in self._frozen

    def freeze_all(self) -> None:
        """Leave all parameters as they are."""
        self._frozen.update(p.key for p in self.net.params)

    def unfreeze_all(self) -> None:
        """Train all parameters again."""
        self._frozen.clear()

    # --- seeing inside -----------------------------------------------------------------------------

    def explain(self) -> str:
        """Layers, shapes, parameters, memory, fused groups and why neighbours were not, each kernel's schedule."""
        from mochac.driver.report import explain

        return explain(self.net, self._main_plan().lowered, self.bank.machine)

    def dump(self, directory: str | Path) -> None:
        """Write every stage to files: graphs, kernels, schedules, LLVM IR, assembly, plan."""
        from mochac.driver.dump import dump
        from mochac.driver.recorded import program_inputs

        if not isinstance(directory, (str, os.PathLike)):
            raise OptionError("dump: directory is not a path", got=repr(directory))
        bound = self._main_plan()
        dump(bound.lowered, self.bank.machine, Path(directory), self.net, program_inputs(self, bound))

    @property
    def kernels(self) -> list[KernelRecord]:
        """The kernels of the main plan (step, or test without losses)."""
        from mochac.driver.report import records

        return records(self._main_plan().lowered, self.bank.machine)

    def profile(self, n_iter: int = 50) -> Any:
        """A table of time, GFLOP/s, GB/s, share and percent of the measured peak per kernel; changes no state."""
        from mochac.driver.profile import profile

        self._open()
        return profile(self, self._main_plan(), n_iter)

    def close(self) -> None:
        """Release everything; a second close is harmless."""
        if not self._closed:
            self._closed = True
            self._out.close()
            if self._feed is not None:
                self._feed.close()
            self.bank.close()

    def __enter__(self) -> Program:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def __getattr__(self, name: str) -> NoReturn:
        raise missing(self, name)

    def __repr__(self) -> str:
        return f"<Program {self.name!r}: {self.mode}, {self.dtype}, batch {self.batch_size}>"

    # --- inside ------------------------------------------------------------------------------------

    @property
    def feed(self) -> Feed:
        """The training batches; readers start at first use."""
        if self._feed is None:
            sources = [open_source(layer, self._reading(layer)) for layer in self.net.sources]
            self._feed = Feed(sources, self.dtype, self.batch_size)
        return self._feed

    def _reading(self, layer: Source) -> Reading:
        feeds = [f for f in self.bank.traced(self.mode).feeds if f.layer.name == layer.name]
        classes = {f.top: f.classes for f in feeds if f.classes}
        return Reading(self.seed, classes=classes, targets={f.top: f.targets for f in feeds})

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
        method, regu_coef, clip_norm = self._training
        return self.bank.step(method, regu_coef, clip_norm, frozenset(self._frozen), self.keep)

    def _main_plan(self) -> BoundPlan:
        """What explain, dump and profile show: the step, or the test plan of a net without losses."""
        self._open()
        if not self.net.losses:
            return self.bank.test() if self.net.statistics else self.bank.debug(self.mode, False)
        if self._training is None:
            from mochac.solvers.sgd import SGD

            return self.bank.step(SGD(), 0.0005, None, frozenset(self._frozen), self.keep)
        return self._step_plan()

    def _batches(self, bound: BoundPlan, n: int) -> Located:
        """The next n batches by graph input."""
        names = {f.top: f.value for f in bound.traced.feeds}
        addresses = {names[top]: a for top, a in self.feed.addresses(n).items()}
        return Located(addresses, {names[top]: a for top, a in self.feed.arrays(n - 1).items()})

    def _advance_checked(self, hypers: Mapping[str, np.ndarray], first: int) -> dict[str, np.ndarray]:
        """One step; where its loss is not finite, the batch runs again from the state before to find the culprit."""
        from mochac.driver.nancheck import first_bad

        before = {name: array.copy() for name, array in self.parameters().items()}
        batch = {top: np.array(a) for top, a in self.feed.arrays().items()}
        step = self.rng_step
        results = self._advance(1, hypers, first)
        if np.isfinite(results["obj_val"][0]):
            return results
        for name, array in self.parameters().items():
            array[...] = before[name]
        self._out.batch, self._out.step = batch, step
        self._run_debug(backward=True)
        assert self._out.bound is not None
        error = first_bad(self._out.bound, step + 1)
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

    def _count(self, results: Mapping[str, float]) -> None:
        """Add a batch to the running statistics; train-mode losses are means, test-mode losses sums."""
        traced = self.bank.traced(self.mode)
        weight = self.batch_size if traced.mode == "train" else 1
        for loss in traced.losses:
            self._statistics.add(loss.layer, "", results[loss.layer] * weight, self.batch_size)
        for s in traced.statistics:
            suffix = s.name.removeprefix(f"{s.layer}-")
            self._statistics.add(s.layer, suffix, results[s.name], self.batch_size * s.per_sample)

    def _collect(self, bound: BoundPlan) -> None:
        """What the last step of `bound` computed for the sinks."""
        with self.outputs.run():
            bound.collect(self.outputs)

    def _aliases(self, p: ParamInfo) -> list[str]:
        """A parameter under the names of the layers that have it, which are those of Mocha's and Caffe's files."""
        owners = [layer for layer in self.net.layers if isinstance(layer, Parametric) and layer.key == p.key]
        return [f"{layer.name}___{p.name}" for layer in owners if layer.name != p.key]

    def _key(self, name: str | Layer) -> str:
        layer = self.net.layer(name.name if isinstance(name, Layer) else name)
        if not isinstance(layer, Parametric):
            raise OptionError(f"layer {layer.name!r} has no parameters", hint="only layers with parameters freeze")
        return layer.key

    def _require_loss(self, what: str) -> None:
        if not self.net.losses:
            raise OptionError(f"{what}: net {self.name!r} has no loss layer", hint="add one, such as SoftmaxLossLayer")

    def _open(self) -> None:
        if self._closed:
            raise OptionError(f"program {self.name!r} is closed")


def _wanted(bound: BoundPlan, scalars: Mapping[str, Any]) -> dict[str, Any]:
    """Those scalars that a plan takes."""
    keys = {slot.key for slot in bound.compiled.plan.slots if slot.place == "hyper"}
    return {name: value for name, value in scalars.items() if name in keys}
