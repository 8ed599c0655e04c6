"""What a random net computes: compiled, interpreted, as a C library."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from mochac import ir
from mochac.api.compiler import compile
from mochac.api.program import Program
from mochac.base.errors import NumericError, UnsupportedError
from mochac.base.records import record
from mochac.formats.clib.build import build
from mochac.formats.clib.tables import arguments
from mochac.lowering.plan_graphs import step_plan
from mochac.nets.layers.base import Parametric
from mochac.nets.solvers.solver import Solver
from mochac.nets.trace import trace
from mochac.runtime.data.model_file import read_model
from mochac.tools.fuzzing.drawer import DrawnNet
from mochac.tools.fuzzing.pair import Pair, two_ranks
from mochac.training.loop.coffee import Snapshot, TrainingSummary
from mochac.training.many.train import train_many


@record(kw_only=True)
class Way:
    """How a case is trained; attributes that are not listed are options of mochac.compile().

    Attributes:
        by: a key of BY.
        cpu: MOCHAC_CPU; "": as the user has set it, which holds for C libraries too.
        verify: MOCHAC_VERIFY; False: as the user has set it.
        noise: relative change of the initial parameters, at random.
    """

    by: str = "train"
    dtype: str = "float64"
    threads: int = 1
    cpu: str = ""
    verify: bool = False
    convolutions: str = "auto"
    precision: str = "float32"
    tune: str | None = None
    parts: int | None = None
    noise: float = 0.0

    @property
    def variables(self) -> dict[str, str]:
        """The variables of the environment that it sets."""
        return {**({"MOCHAC_CPU": self.cpu} if self.cpu else {}), **({"MOCHAC_VERIFY": "1"} if self.verify else {})}


@record
class Outcome:
    """What a training computed.

    Attributes:
        losses: of each step, up to the first that is not finite.
        stopped: whether one was not finite; then parameters are not comparable.
        parameters: states included, by "key___name".
        trained: names of those that a gradient reaches.
    """

    losses: np.ndarray
    stopped: bool
    parameters: Mapping[str, np.ndarray]
    trained: frozenset[str]


def outcome(case: DrawnNet, way: Way, start: Mapping[str, np.ndarray] | None = None) -> Outcome:
    """Train; `start`: parameters to begin with instead of those that the seed draws."""
    with _environment(way.variables), np.errstate(all="ignore"):
        if way.by == "many":
            return _many(case, way)
        with _program(case, way) as program:
            _begin(program, way, start)
            losses, stopped = BY[way.by](program, case, way)
            return _outcome(program.parameters(), program, losses, stopped)


def start_of(case: DrawnNet, way: Way) -> dict[str, np.ndarray]:
    """The parameters that the seed draws."""
    with _program(case, way) as program:
        return {name: array.copy() for name, array in program.parameters().items()}


def solver_of(case: DrawnNet, **changed: Any) -> Solver:
    """A new solver like the case's, since one remembers its training."""
    drawn = case.solver
    how: dict[str, Any] = {
        "max_iter": drawn.max_iter,
        "regu_coef": drawn.regu_coef,
        "clip_norm": drawn.clip_norm,
        **changed,
    }
    solver = Solver(drawn.method, **how)
    solver.progress = False
    return solver


def _program(case: DrawnNet, way: Way) -> Program:
    program = compile(
        case.net, backend="cpu", seed=case.seed, dtype=way.dtype, threads=way.threads, tune=way.tune, parts=way.parts,
        convolutions=way.convolutions, precision=way.precision,
    )  # fmt: skip
    program.freeze(*case.frozen)
    return program


def _begin(program: Program, way: Way, start: Mapping[str, np.ndarray] | None) -> None:
    """Set the parameters that `start` knows, and add noise."""
    rng = np.random.default_rng(0)
    for name, array in program.parameters().items():
        if start is not None and name in start:
            array[...] = start[name]
        if way.noise:
            array *= 1 + way.noise * rng.standard_normal(array.shape)


def _outcome(parameters: Mapping[str, np.ndarray], program: Program, losses: list[float], stopped: bool) -> Outcome:
    trained = frozenset(f"{p.key}___{p.name}" for p in program.net.params)
    kept = {name: np.array(array, np.float64) for name, array in parameters.items()}
    return Outcome(np.array(losses), stopped, kept, trained)


# -- ways to train ---------------------------------------------------------------------------------------------------


def _train(program: Program, case: DrawnNet, way: Way) -> tuple[list[float], bool]:
    """By train()."""
    return _trained(program, solver_of(case))


def _trained(program: Program, solver: Solver, comm: Any = None) -> tuple[list[float], bool]:
    solver.add_coffee_break(TrainingSummary("obj_val"), every_n_iter=1)
    solver.progress = False
    try:
        lounge, stopped = program.train(solver, verbose=0, comm=comm), False
    except NumericError:
        return [], True
    return [value for _, value in sorted(lounge.statistics["obj_val"].items())], stopped


def _step(program: Program, case: DrawnNet, way: Way) -> tuple[list[float], bool]:
    """By solver.step() on arrays."""
    solver, losses = solver_of(case), []
    solver.init_solve(program)
    try:
        for batch in case.batches(case.steps):
            losses.append(solver.step(**batch))
    except NumericError:
        return losses, True
    solver.finalize()
    return losses, False


def _separately(program: Program, case: DrawnNet, way: Way) -> tuple[list[float], bool]:
    """By forward(), backward() and update()."""
    solver, losses = solver_of(case), []
    solver.init_solve(program)
    try:
        for _ in range(case.steps):
            losses.append(program.forward())
            program.backward()
            solver.update()
    except NumericError:
        return losses, True
    solver.finalize()
    return losses, not np.isfinite(losses).all()


def _resumed(program: Program, case: DrawnNet, way: Way) -> tuple[list[float], bool]:
    """One iteration by each of several programs, which resume from the snapshot of the one before; the loss is the last
    one's."""
    with tempfile.TemporaryDirectory() as folder:
        for k in range(1, case.steps):
            one = solver_of(case, max_iter=k, load_from=folder)
            one.add_coffee_break(Snapshot(Path(folder)), every_n_iter=1)
            with _program(case, way) as other:
                try:
                    other.train(one, verbose=0)
                except NumericError:
                    return [], True
        return _trained(program, solver_of(case, load_from=folder))


def _ranks(program: Program, case: DrawnNet, way: Way) -> tuple[list[float], bool]:
    """By train() on two ranks, whose parameters must be equal in the end."""

    def parameters() -> list[tuple[str, bytes]]:
        return [(name, array.tobytes()) for name, array in program.parameters().items()]

    def second(pair: Pair) -> None:
        _trained(program, solver_of(case), pair)
        pair.isend(parameters(), 0, PARAMETERS)

    with two_ranks(second) as pair:
        losses, stopped = _trained(program, solver_of(case), pair)
        theirs = pair.wait(PARAMETERS)
    if not stopped and theirs != parameters():
        raise RuntimeError("the two ranks have different parameters")
    return losses, stopped


PARAMETERS = 1
"""Tag of the message with rank 1's parameters."""
BY: dict[str, Callable[[Program, DrawnNet, Way], tuple[list[float], bool]]] = {
    "train": _train, "step": _step, "apart": _separately, "resumed": _resumed, "ranks": _ranks,
}  # fmt: skip
"""Besides train_many(), which is no program's."""


def _many(case: DrawnNet, way: Way) -> Outcome:
    """By train_many(), as one of three nets."""
    solver = solver_of(case)
    seeds = [case.seed + 1, case.seed, case.seed + 2]
    results = train_many(case.net, solver, seeds, dtype=way.dtype, threads=way.threads, backend="cpu", verbose=0)
    params, lounge = results[1]
    groups = [(key, table[key]) for table in (params, params.states) for key in table]
    losses = [value for _, value in sorted(lounge.statistics.get("obj_val", {}).items())]
    kept = {f"{key}___{name}": np.array(group[name], np.float64) for key, group in groups for name in group}
    return Outcome(np.array(losses), bool(lounge.stopped), kept, frozenset(kept))


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def has_random(case: DrawnNet) -> bool:
    """Whether the net draws random numbers in a step, which depend on the place of a sample."""
    return any(i.name == "step" for i in trace(case.net).graph.inputs)


def interpreted(case: DrawnNet, dtype: str, start: Mapping[str, np.ndarray]) -> Outcome:
    """Losses and parameters, on batches of `dtype`, from the parameters `start`."""
    traced = trace(case.net, "train", dtype, seed=case.seed)
    solver = case.solver
    layers = [layer for layer in case.net.layers if isinstance(layer, Parametric)]
    keys = frozenset(layer.key for layer in layers if layer.name in case.frozen)
    plan = step_plan(traced, solver.update_of(solver.method), frozen=keys)
    tops = {f.value: f.top for f in traced.feeds}
    kept = {f"{p.key}___{p.name}": p.value for p in (*traced.params, *traced.states)}
    state: dict[str, Any] = {i.name: np.zeros(i.type.shape) for i in plan.graph.inputs if i.role == "slot"}
    state |= {value: start[name].astype(np.float64) for name, value in kept.items()}
    state |= {name: np.asarray(table, np.float64) for name, table in traced.tables.items()}
    losses: list[float] = []
    for t, batch in enumerate(case.batches(case.steps)):
        known: dict[str, Any] = {
            **state,
            **solver.method.hypers(t),
            "step": t,
            **{v: batch[top] for v, top in tops.items()},
        }
        known |= {v: known[v].astype(dtype) for v in tops}
        known |= {name: float((t + 1) % n == 0) for name, n in plan.periods.items()}
        with np.errstate(all="ignore"):
            result = ir.run(plan.graph, {i.name: known[i.name] for i in plan.graph.inputs}, dtype="f64")
        state |= result.updates
        losses.append(float(result[plan.scalars["obj_val"]]))
    parameters = {name: np.asarray(state[value], np.float64) for name, value in kept.items()}
    trained = frozenset(f"{p.key}___{p.name}" for p in traced.params)
    return Outcome(np.array(losses), not np.isfinite(losses).all(), parameters, trained)


ALIGNMENT = 64
NAME = "drawn"


def by_library(case: DrawnNet, dtype: str) -> Outcome:
    """Losses and parameters of a library of one thread.

    Raises:
        UnsupportedError: the net or solver has something that libraries have not, or there is no C compiler.
    """
    if shutil.which("cc") is None or shutil.which("make") is None:
        raise UnsupportedError("there is no cc or no make")
    with tempfile.TemporaryDirectory() as folder:
        how: dict[str, Any] = {"seed": case.seed, "dtype": dtype, "batches": [case.batch], "name": NAME}
        how["outputs"] = [b for b, kind in case.net.blobs.items() if kind.batch and b not in case.arrays][:1]
        build(case.net, folder, solver_of(case), freeze=list(case.frozen), **how)
        subprocess.run(["make", "-s", f"lib{NAME}.so"], cwd=folder, check=True, capture_output=True)
        return _Instance(Path(folder), case, np.dtype(dtype)).trained()


class _Instance:
    """The loaded library, and memory for one net."""

    def __init__(self, folder: Path, case: DrawnNet, dtype: np.dtype[Any]) -> None:
        self.folder, self.case, self.dtype = folder, case, dtype
        self.dll = ctypes.CDLL(str(folder / f"lib{NAME}.so"))
        for function in ("bytes", "save_bytes"):
            self[function].restype = ctypes.c_size_t
        self.memory = np.zeros(self["bytes"](1) + ALIGNMENT, np.uint8)
        start = -self.memory.ctypes.data % ALIGNMENT
        self.net = ctypes.c_void_p()
        size = ctypes.c_size_t(len(self.memory) - ALIGNMENT)
        self.require(self["init"](ctypes.c_void_p(self.memory.ctypes.data + start), size, ctypes.byref(self.net)))

    def __getitem__(self, function: str) -> Any:
        return getattr(self.dll, f"{NAME}_{function}")

    def require(self, code: int) -> None:
        if code:
            raise RuntimeError(f"the library returned {code}")

    def trained(self) -> Outcome:
        """The steps of the case."""
        losses, trained = [], frozenset(f"{p.key}___{p.name}" for p in self.case.net.params)
        for batch in self.case.batches(self.case.steps):
            loss = ctypes.c_double()
            if self["step"](self.net, *self.inputs(batch), ctypes.byref(loss)):
                return Outcome(np.array(losses), True, {}, trained)
            losses.append(loss.value)
        return Outcome(np.array(losses), False, self.parameters(), trained)

    def inputs(self, batch: dict[str, np.ndarray]) -> list[Any]:
        """Arguments of the step function, in the order of its declaration."""
        header = (self.folder / f"{NAME}.h").read_text()
        declared = header.split(f"{NAME}_step(")[-1].split(")")[0].split(",")
        order = [part.split()[-1].lstrip("*") for part in declared]
        names = arguments(self.case.net.data_tops)
        self.batch = {names[top]: np.ascontiguousarray(a, self.dtype) for top, a in batch.items()}
        return [ctypes.c_void_p(self.batch[name].ctypes.data) for name in order if name in self.batch]

    def parameters(self) -> dict[str, np.ndarray]:
        """Weights and states, by way of a model file."""
        saved = ctypes.create_string_buffer(self["save_bytes"]())
        self.require(self["save"](self.net, saved, ctypes.c_size_t(len(saved))))
        path = self.folder / "saved.safetensors"
        path.write_bytes(saved.raw)
        return {name: np.array(array, np.float64) for name, array in read_model(path).items()}
