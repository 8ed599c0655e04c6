"""The training set, what predicts after training, and training that goes on.

Predictor: a trained net, compiled when it is first used.

A fitted estimator has one. It is pickled and copied as layers and arrays, without the compiled program.
"""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from mochac.api.compiler import compile
from mochac.api.estimators.heads import INPUT, LABEL, LOSS
from mochac.api.estimators.inputs import Inputs, Shapes, count, rows, shapes, single
from mochac.api.estimators.labels import Aim
from mochac.api.estimators.samples import WEIGHT
from mochac.api.program import Program
from mochac.base.records import record
from mochac.base.threads import fork_lock
from mochac.nets.layers.base import Layer
from mochac.nets.layers.data import InputLayer
from mochac.nets.net import Net
from mochac.nets.solvers.method import Method
from mochac.nets.solvers.solver import Solver
from mochac.runtime.data.params import Params
from mochac.training.loop.coffee import capture
from mochac.training.loop.snapshot import SavedState, save_snapshot, snapshot_path


@record
class Samples:
    """X, y and weights, with a row for each sample.

    Attributes:
        x: arrays by blob.
        y: as the user passed it.
        codes: y as numbers; see targets.Aim.
        weights: (num,); None: all are 1.
    """

    x: Inputs
    y: np.ndarray
    codes: np.ndarray
    weights: np.ndarray | None

    def __len__(self) -> int:
        return count(self.x)

    def rows(self, which: np.ndarray) -> Samples:
        """Copies of some samples."""
        weights = None if self.weights is None else self.weights[which]
        return Samples(rows(self.x, which), self.y[which], self.codes[which], weights)

    def tops(self, aim: Aim, mean: float, dtype: str) -> dict[str, np.ndarray]:
        """Arrays for a data layer by blob, with weights divided by `mean`."""
        weights = {} if self.weights is None else {WEIGHT: (self.weights / mean).astype(dtype)[:, None]}
        return {**self.x, **aim.tops(self.codes), **weights}


def input_name(blob: str, first: bool) -> str:
    """The name of the data layer of a blob."""
    return INPUT if first else f"{blob} in"


class Predictor:
    """Computes outputs for any number of samples; any thread may call it.

    Args:
        name: of the net.
        layers: from the inputs to `blob`.
        shapes: of a sample, by input.
        arrays: parameters by "key___param".
        batch_size: samples per step.
        options: for compile().
    """

    def __init__(
        self, name: str, layers: Sequence[Layer], blob: str, shapes: Shapes, arrays: Mapping[str, np.ndarray],
        batch_size: int, options: Mapping[str, Any],
    ) -> None:  # fmt: skip
        self._params: Params | None = None
        self.name, self.layers, self.blob, self.shapes = name, needed(layers, blob), blob, shapes
        read = {blob, *(b for layer in self.layers for b in layer.reads)}
        self._read = [top for top in shapes if top in read]
        self.arrays, self.batch_size, self.options = dict(arrays), batch_size, dict(options)
        self._program: Program | None = None
        self._lock = fork_lock()

    def share(self, program: Program) -> None:
        """Use the parameters of a program in training, as they are at any time."""
        with self._lock:
            if self._params is not program.params:
                self._params, self._program = program.params, None

    def __call__(self, x: Inputs) -> np.ndarray:
        """The output blob, (num, ...)."""
        read = x if len(x) == len(self._read) else {top: x[top] for top in self._read}
        return self.program.predict(single(read), self.blob)

    @property
    def program(self) -> Program:
        """The compiled net, in test mode, with the trained parameters."""
        with self._lock:
            if self._program is None:
                inputs = [
                    InputLayer(name=input_name(top, not k), shape=(self.batch_size, *self.shapes[top]), tops=[top])
                    for k, top in enumerate(self._read)
                ]
                program = compile(
                    Net(self.name, [*inputs, *self.layers]), mode="test", params=self._params, **self.options
                )
                if self._params is None:
                    put(program, self.arrays)
                weakref.finalize(self, program.session.close_if_free)
                self._program = program
            return self._program

    def __getstate__(self) -> dict[str, Any]:
        arrays = self.arrays if self._params is None else taken(self.program)
        return {**vars(self), "arrays": arrays, "_params": None, "_program": None, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=fork_lock())


def needed(layers: Sequence[Layer], blob: str) -> list[Layer]:
    """The layers that `blob` depends on. The user's losses are not needed, and would have no labels."""
    blobs, keys = {blob}, set[str]()
    kept: list[Layer] = []
    while True:
        more = [k for k in layers if k not in kept and (_tops(k) & blobs or getattr(k, "key", None) in keys)]
        if not more:
            return [k for k in layers if k in kept]
        kept += more
        blobs.update(b for k in more for b in k.reads)
        keys.update(key for k in more for key in k.borrowed_keys)


def _tops(layer: Layer) -> set[str]:
    """Blobs a layer may produce; one that works in place produces its bottoms."""
    return {*layer.tops, *(layer.bottoms if layer.in_place and not layer.tops else ()), layer.name}


def taken(program: Program) -> dict[str, np.ndarray]:
    """Copies of the parameters of a program."""
    return {name: np.array(array) for name, array in program.parameters().items()}


def put(program: Program, arrays: Mapping[str, np.ndarray]) -> None:
    """Set the parameters of a program."""
    for name, array in program.parameters().items():
        array[...] = arrays[name]


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
            scaled[: len(batch)] = weights[batch] * (self.batch_size / len(batch))  # a mean of these
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
