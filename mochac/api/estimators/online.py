"""OnlineTraining: a training of which partial_fit() runs the steps, on whatever samples it is given."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from mochac.api.compiler import compile
from mochac.api.estimators.heads import LABEL, LOSS
from mochac.api.estimators.inputs import Inputs, count, rows, shapes
from mochac.api.estimators.predictor import input_name, put
from mochac.api.estimators.weights import WEIGHT
from mochac.api.program import Program
from mochac.nets.layers.base import Layer
from mochac.nets.layers.memory_data import InputLayer
from mochac.nets.net import Net
from mochac.nets.solvers.method import Method
from mochac.nets.solvers.solver import Solver
from mochac.training.loop.coffee import capture
from mochac.training.loop.snapshot import SavedState, save_snapshot, snapshot_path


class OnlineTraining:
    """Steps of a training. It is pickled as the state of its training, from which it continues.

    Args:
        name: of the net.
        layers: from the inputs to `blob`.
        loss: a loss layer without bottoms, for `blob` and the blob "label".
        arrays: parameters to begin with, by "key___param"; None: new ones.
        batch_size: samples per step; a step with fewer is filled up with samples of weight 0.
        options: for compile().

    Attributes:
        iteration: completed steps.
    """

    def __init__(
        self, name: str, layers: Sequence[Layer], blob: str, loss: Layer, arrays: Mapping[str, np.ndarray] | None,
        batch_size: int, method: Method, regu_coef: float, options: Mapping[str, Any],
    ) -> None:  # fmt: skip
        self.name, self.layers, self.blob, self.loss = name, list(layers), blob, loss
        self.batch_size, self.method, self.regu_coef, self.options = batch_size, method, regu_coef, dict(options)
        self._arrays = arrays
        self._saved: SavedState | None = None
        self._program: Program | None = None
        self._solver: Solver | None = None
        self.iteration = 0

    @property
    def program(self) -> Program:
        """The net in training; it exists after the first learn()."""
        assert self._program is not None
        return self._program

    def learn(self, x: Inputs, label: np.ndarray, weights: np.ndarray) -> float:
        """Run through the samples once, in their order; returns their mean loss, each batch's before its update."""
        solver = self._begun(x, label)
        total, num = 0.0, count(x)
        for start in range(0, num, self.batch_size):
            batch = np.arange(start, min(start + self.batch_size, num))
            filled = np.resize(batch, self.batch_size)
            scaled = np.zeros(self.batch_size)
            scaled[: len(batch)] = weights[batch] * (self.batch_size / len(batch))  # the mean is over the samples given
            total += len(batch) * solver.step(**rows(x, filled), **{LABEL: label[filled], WEIGHT: scaled})
            self.iteration += 1
        return total / num

    def _begun(self, x: Inputs, label: np.ndarray) -> Solver:
        if self._solver is not None:
            return self._solver
        tops = {**shapes(x), LABEL: label.shape[1:], WEIGHT: (1,)}
        inputs = [
            InputLayer(name=input_name(top, first=False), shape=(self.batch_size, *shape), tops=[top])
            for top, shape in tops.items()
        ]
        loss = self.loss.replace(name=LOSS, bottoms=[self.blob, LABEL], sample_weights=WEIGHT)
        program = compile(Net(self.name, [*inputs, *self.layers, loss]), **self.options)
        if self._arrays is not None:
            put(program, self._arrays)
        solver = Solver(self.method, regu_coef=self.regu_coef)
        solver.progress = False
        with tempfile.TemporaryDirectory() as folder:
            if self._saved is not None:
                path = snapshot_path(Path(folder), self._saved.iteration)
                save_snapshot(path, self._saved)
                solver.load_from = str(path)
            solver.init_solve(program)
        weakref.finalize(self, program.session.close_if_free)
        self._program, self._solver, self._arrays, self._saved = program, solver, None, None
        return solver

    def __getstate__(self) -> dict[str, Any]:
        state = {**vars(self), "_program": None, "_solver": None}
        if self._program is not None and self._solver is not None:
            now = capture(self._program, self._solver.state)
            copies = [{name: np.array(a) for name, a in arrays.items()} for arrays in (now.parameters, now.slots)]
            state["_saved"] = replace(now, parameters=copies[0], slots=copies[1])
        return state
