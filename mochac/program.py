"""Program: a compiled net, as its user sees it.

mochac.compile makes one. Each method is short: steps, parameters and batches are Session's, the training loop comes
from runtime/training/loop.py, reports from inspect/explain.py and inspect/dump.py.
"""

from __future__ import annotations

import numbers
import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from mochac.errors import OptionError
from mochac.hints import missing, not_callable
from mochac.layers.base import Layer, Parametric
from mochac.lowering.measures import add_measures
from mochac.runtime.support.interrupts import listening
from mochac.runtime.training.loop import Training, train
from mochac.runtime.training.statistics import Statistics
from mochac.session.evaluation import evaluate
from mochac.session.plan_set import BoundPlan
from mochac.session.prediction import predict
from mochac.session.session import Session
from mochac.solvers.clipping import Clipping
from mochac.solvers.method import Method
from mochac.solvers.solver import Solver, as_solver

if TYPE_CHECKING:
    from mochac.inspect.explain import KernelRecord
    from mochac.runtime.training.lounge import CoffeeLounge


class Program(Session):
    """A net compiled for this machine; see mochac.compile for the arguments.

    Attributes:
        net, name, mode, dtype, seed: as compiled.
        params: the parameter store, shared with programs compiled with params=.
        batch_size: samples a step.
        rng_step: the counter behind dropout masks.
        blobs, blob_diffs, grads: mappings of NumPy copies of the last forward() or backward().
        outputs: by MemoryOutput layer, per bottom the list of its arrays, one a step.
    """

    # --- training ----------------------------------------------------------------------------------

    def train(
        self,
        method: Method | Solver | None = None,
        *,
        resume: bool = False,
        verbose: int | None = None,
        **parameters: Any,
    ) -> CoffeeLounge:
        """Train: train(solver) or train(SGD(...), max_iter=..., ...); returns the CoffeeLounge.

        Starts at iteration 0 with zero slots unless load_from finds a snapshot; parameters, data cursor and RNG go on.

        Args:
            resume: go on with the slots, iteration and policies of this program's last training; where it has had none,
                of the snapshot that load_from finds, else start at 0. max_iter and max_epoch count from there.
            verbose: 0: say nothing, 1: show progress; None: as solver.progress says.

        Raises:
            OptionError: no method, no max_iter or max_epoch; the net has no loss; resume with another solver than the
                last training's.
            NumericError: the loss is no longer finite. DataError, SnapshotError: files.
        """
        if method is None:
            raise OptionError("train() needs a method or a solver", hint="train(SGD(0.1), max_iter=...)")
        solver = as_solver(method, **parameters)
        self._require_loss("train()")
        hint = f"load_from={resume!r} names what to resume from" if isinstance(resume, (str, os.PathLike)) else ""
        _require_one("resume", resume, (True, False), hint)
        _require_one("verbose", verbose, (0, 1, None))
        self._batches.expect(solver.max_iter, solver.max_epoch)
        with listening(), self.outputs.run():
            return train(self, solver, resume=bool(resume), progress=None if verbose is None else bool(verbose))

    def start_training(self, solver: Solver) -> Training:
        """A training of the caller's own loop; for Solver.init_solve."""
        self._require_loss("init_solve()")
        return Training(self, solver)

    # --- one batch ---------------------------------------------------------------------------------

    def forward(self) -> float:
        """Compute the net on the next batch of its data layers; the total loss, 0.0 where there is none."""
        self._open()
        self.feed.renew()
        self.feed.wait(1)
        self._out.batch, self._out.step = self._batches.copy(), self.rng_step
        self.feed.release(1)
        self.rng_step += 1
        results = self._run_debug(backward=False)
        assert self._out.bound is not None
        self._collect(self._out.bound)
        add_measures(self._statistics, self.bank.traced(self.mode), results, self.batch_size)
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
        """Write the parameters, named `key___param`, to an HDF5 model file (.h5, .hdf5, no ending) or an .npz archive.

        Raises:
            OptionError: another ending. SnapshotError: the disk refuses.
        """
        from mochac.runtime.data.model_file import save_model

        save_model(path, self.parameters())

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
        from mochac.inspect.explain import explain

        kept = self.bank.resident
        return explain(self.net, self._main_plan().lowered, self.bank.machine, kept.words if kept is not None else "")

    def dump(self, directory: str | Path) -> None:
        """Write every stage to files: graphs, kernels, schedules, LLVM IR, assembly, plan."""
        from mochac.inspect.dump import dump
        from mochac.lowering.drawn_inputs import program_inputs

        if not isinstance(directory, (str, os.PathLike)):
            raise OptionError("dump: directory is not a path", got=repr(directory))
        bound = self._main_plan()
        dump(bound.lowered, self.bank.machine, Path(directory), self.net, program_inputs(self, bound))

    @property
    def kernels(self) -> list[KernelRecord]:
        """The kernels of the main plan (step, or test without losses)."""
        from mochac.inspect.explain import records

        return records(self._main_plan().lowered, self.bank.machine)

    def profile(self, n_iter: int = 50) -> Any:
        """A table of time, GFLOP/s, GB/s, share and percent of the measured peak per kernel; changes no state."""
        from mochac.inspect.profile import profile

        self._open()
        return profile(self, self._main_plan(), n_iter)

    def close(self) -> None:
        """Release everything; a second close is harmless."""
        if not self._closed:
            self._closed = True
            self._out.close()
            self._batches.close()
            self.bank.close()

    def __enter__(self) -> Program:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def __getattr__(self, name: str) -> NoReturn:
        raise missing(self, name)

    def __call__(self, *given: Any, **named: Any) -> NoReturn:
        raise not_callable(self)

    def __repr__(self) -> str:
        return f"<Program {self.name!r}: {self.mode}, {self.dtype}, batch {self.batch_size}>"

    # --- inside ------------------------------------------------------------------------------------

    def _main_plan(self) -> BoundPlan:
        """What explain, dump and profile show: the step, or the test plan of a net without losses."""
        self._open()
        if not self.net.losses:
            return self.bank.test() if self.net.statistics else self.bank.debug(self.mode, False)
        if self._training is None:
            from mochac.solvers.sgd import SGD

            return self.bank.step(SGD(), 0.0005, Clipping(), frozenset(self._frozen), self.keep)
        return self._step_plan()

    @cached_property
    def _statistics(self) -> Statistics:
        return Statistics()

    def _key(self, name: str | Layer) -> str:
        layer = self.net.layer(name.name if isinstance(name, Layer) else name)
        if not isinstance(layer, Parametric):
            raise OptionError(f"layer {layer.name!r} has no parameters", hint="only layers with parameters freeze")
        return layer.key

    def _require_loss(self, what: str) -> None:
        if not self.net.losses:
            raise OptionError(f"{what}: net {self.name!r} has no loss layer", hint="add one, such as SoftmaxLossLayer")


def _require_one(name: str, value: object, known: tuple[object, ...], hint: str = "") -> None:
    if value not in known:
        words = ", ".join(map(repr, known))
        raise OptionError(f"train(): {name} is out of range", expected=words, got=repr(value), hint=hint)
