"""Solver: the settings of a training, from the method to the coffee breaks.

The training loop is training/loop/loop.py; program.train(solver) runs it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, MutableMapping
from typing import Any, Never

from mochac.base.checked_numbers import LARGEST, finite, integer
from mochac.base.errors import OptionError, shown
from mochac.base.hints.calls import METHOD_PARAMETERS, SOLVER_PARAMETERS, CheckedCalls, checked_call
from mochac.base.records import record
from mochac.base.registry import suggestion
from mochac.nets.solvers.groups import Methods, grouped
from mochac.nets.solvers.method import METHODS, REGU_COEF, Method, parameter_hint, parameters_of
from mochac.nets.solvers.update import BegunState, Clipping, Update

_PARAMETERS: dict[str, object] = {
    "max_iter": None,
    "max_epoch": None,
    "regu_coef": None,
    "load_from": "",
    "clip_norm": None,
    "clip_value": None,
    "decay_all": False,
    "accumulate": 1,
}
"""Parameters of a Solver, with the values that repr() leaves out."""
_OF_TRAIN = ("resume", "verbose")
_FILE_EXISTS = ("merge", "overwrite", "panic")


@record
class BreakEntry:
    """A coffee break with its interval: every n iterations if > 0, else every n epochs if > 0, else never."""

    coffee: Any
    every_n_iter: int = 0
    every_n_epoch: int = 0


class Solver(metaclass=CheckedCalls):
    """How to train: a solver method, limits, regularization, clipping, statistics and coffee breaks.

    Args:
        method: SGD(...) or another solver method; or a dict of methods for groups of parameters by patterns,
            {"head*": AdamW(0.001), "*": SGD(0.01)}, of which the first match wins. A pattern is a glob, or a tuple of
            them, that matches a layer ("conv1") or a parameter by its name here or in PyTorch ("conv1.filter",
            "conv1.weight"). Every parameter and every pattern needs a match.
        max_iter: stop at this iteration, >= 0.
        max_epoch: stop after this many passes over the first data layer, >= 1. Training needs one of the two limits.
        regu_coef: factor of all regularizers, >= 0; None: 0.0005, or 0 if a method decays weights by itself.
        load_from: a snapshot to resume from, a folder of snapshots (the newest is used; if there is none, training
            starts at iteration 0), or a model file whose parameters are loaded; "" or None for none.
        clip_norm: scale all gradients by the same factor so that their joint 2-norm is at most this, > 0; None: do not.
        clip_value: clip the elements of all gradients to [-clip_value, clip_value], > 0, before clip_norm; None: do
            not.
        decay_all: decoupled weight decay (of AdamW) applies to all parameters; False: to those that a layer has not
            declared otherwise, such as biases, scales and shifts.
        accumulate: batches per update, >= 1. An iteration takes the mean of their gradients and losses, as one batch as
            large as all of them would; random numbers, such as dropout masks, differ from batch to batch.

    Attributes:
        progress: show progress (a bar on a terminal, else a line now and then) and a line at the end; True by default.
        begun: the state of PyTorch's optimizer with which a training begins, or None; solver_from_torch sets it.

    Raises:
        OptionError: an unknown parameter or a bad value.

    >>> from mochac.nets.solvers.sgd import SGD
    >>> Solver(SGD(), max_iter=100)
    Solver(SGD, max_iter=100, regu_coef=0.0005)
    """

    def __init__(
        self,
        method: Methods,
        *,
        max_iter: int | None = None,
        max_epoch: int | None = None,
        regu_coef: float | None = None,
        load_from: str | os.PathLike[str] | None = "",
        clip_norm: float | None = None,
        clip_value: float | None = None,
        decay_all: bool = False,
        accumulate: int = 1,
        **unknown: Never,
    ) -> None:
        method = self.method = as_method(method)
        for name in unknown:
            raise _unknown(method, name)
        self.max_iter = None if max_iter is None else _integer("max_iter", max_iter, 0)
        self.max_epoch = None if max_epoch is None else _integer("max_epoch", max_epoch, 1)
        default = 0.0 if method.decays else REGU_COEF
        self.regu_coef = default if regu_coef is None else _real("regu_coef", regu_coef)
        self.decay_all = _decay_all(method, decay_all)
        self.accumulate = _integer("accumulate", accumulate, 1)
        self.clip_norm = None if clip_norm is None else _real("clip_norm", clip_norm, positive=True)
        self.clip_value = None if clip_value is None else _real("clip_value", clip_value, positive=True)
        self.load_from = _path("load_from", "" if load_from is None else load_from)
        self.breaks: list[BreakEntry] = []
        self.save_into, self.save_every_n_iter, self.file_exists = "", 1, "merge"
        self.progress = True
        self.begun: BegunState | None = None
        self._training: Any = None
        self._state: Any = None
        self._hypers: MutableMapping[str, float] | None = None

    def update_of(self, method: Method) -> Update:
        """What the plans of a training with `method` depend on."""
        clipping = Clipping(self.clip_value, self.clip_norm)
        return Update(method, self.regu_coef, clipping, self.decay_all, self.accumulate)

    @checked_call
    def setup_coffee_lounge(
        self, save_into: str | os.PathLike[str] = "", every_n_iter: int = 1, file_exists: str = "merge"
    ) -> None:
        """Save the statistics in an HDF5 file.

        Args:
            save_into: the file, "" for none.
            every_n_iter: save at these iterations, >= 1, if something new was recorded, and at the end.
            file_exists: what to do if the file exists: "merge" with it, "overwrite" it, or "panic" (an OptionError).
        """
        if file_exists not in _FILE_EXISTS:
            wanted = ", ".join(map(repr, _FILE_EXISTS))
            raise OptionError("file_exists is out of range", expected=wanted, got=shown(file_exists))
        self.save_into = _path("save_into", save_into)
        self.save_every_n_iter = _integer("every_n_iter", every_n_iter, 1)
        self.file_exists = file_exists

    @checked_call
    def add_coffee_break(self, coffee: Any, every_n_iter: int = 0, every_n_epoch: int = 0) -> None:
        """Call coffee.enjoy(lounge, program, state) at iteration 0 and then every n iterations, or every n epochs.

        Breaks run in the order in which they were added. every_n_iter takes precedence over every_n_epoch; one of them
        must be given, except for ParameterAverage, which takes part in every iteration by itself. A training that
        resumes does not repeat the breaks of the iteration it resumes from.

        Raises:
            OptionError: `coffee` is not a coffee break, or would never run.
        """
        if isinstance(coffee, type) or not callable(getattr(coffee, "enjoy", None)):
            hint = f"write {coffee.__name__}(...)" if isinstance(coffee, type) else ""
            expected = "an object with enjoy(lounge, program, state)"
            raise OptionError("not a coffee break", expected=expected, got=shown(coffee), hint=hint)
        n_iter, n_epoch = _integer("every_n_iter", every_n_iter, 0), _integer("every_n_epoch", every_n_epoch, 0)
        if not n_iter and not n_epoch:
            n_iter = getattr(coffee, "every_n_iter", 0)
        if not n_iter and not n_epoch:
            kind = type(coffee).__name__
            raise OptionError(f"{kind} would never run", expected="every_n_iter or every_n_epoch, >= 1")
        self.breaks.append(BreakEntry(coffee, n_iter, n_epoch))

    def solve(self, program: Any) -> Any:
        """Train a program up to max_iter or max_epoch, as program.train(self) does; returns the CoffeeLounge."""
        if not callable(getattr(program, "train", None)):
            raise OptionError("solve() needs a program", expected="mochac.compile(net)", got=type(program).__name__)
        return program.train(self)

    def init_solve(self, program: Any, comm: Any = None, *, ordered: bool = True) -> None:
        """Begin a training whose loop is yours: prepare or resume it, and run the breaks of iteration 0.

        Args:
            comm, ordered: as for program.train(): all ranks call init_solve(), then step() equally often, then
                finalize(). If one of them fails in there, the training ends on all.
        """
        begin = getattr(program, "start_training", None)
        if begin is None:
            raise OptionError(
                "init_solve() needs a program", expected="mochac.compile(net)", got=type(program).__name__
            )
        self._training = begin(self, comm, ordered)

    def step(self, *given: Never, **blobs: Any) -> float:
        """Run one iteration and the breaks due after it. Returns the loss of the batch before the update.

        Args:
            blobs: the batch, by tops of the data layers, which then do not advance: step(data=x, label=y). Arrays hold
                the net's batch size of samples, times `accumulate`; the layers' transformers are applied to them.
                Without blobs, the data layers' next batch. On several ranks, each gives its share: the n-th of equal
                parts of the batch.

        Raises:
            OptionError: a top is unknown or missing. ShapeError: samples of another shape, or another number of them.
            DataError: an illegal label, a NaN; a data layer cannot read.
        """
        if self._training is None:
            raise self._not_begun("step()")
        if given:
            raise OptionError("step() takes arrays by the tops of the data layers", hint="step(data=x, label=y)")
        return self._training.step(blobs)

    def update(self) -> None:
        """Update the parameters by program.grads, the gradients of the last backward(), which may have been replaced.

        This is an iteration: with regularizers, clipping, policies, and the breaks that are due after it. With
        accumulate=n, n calls make one, by the mean of their gradients.

            loss = program.forward(data=x)
            program.backward(diffs={"out": d_out})
            solver.update()

        Raises:
            OptionError: init_solve(program) has not been called; there are no gradients, or they have been used.
            NumericError: the net's loss is not finite; nothing is updated.
        """
        if self._training is None:
            raise self._not_begun("update()")
        self._training.update()

    def _not_begun(self, call: str) -> OptionError:
        if self._state is None:
            return OptionError(f"{call} before init_solve(program)")
        return OptionError(f"{call} after finalize()", hint="init_solve(program) begins another training")

    @property
    def state(self) -> Any:
        """The TrainingState of the last training: iter, epoch, obj_val, losses, hypers, stop_reason. Also valid after
        finalize() and train()."""
        if self._state is None:
            raise OptionError("state before init_solve(program)")
        return self._state

    @state.setter
    def state(self, state: Any) -> None:
        self._state = state  # by the training that begins

    @property
    def hypers(self) -> MutableMapping[str, float]:
        """Learning rate ("lr") and momentum of the next update; they may be set between steps and in coffee breaks."""
        if self._hypers is None:
            raise OptionError("hypers before init_solve(program)", hint="the method has the policies: solver.method")
        return self._hypers

    @hypers.setter
    def hypers(self, hypers: MutableMapping[str, float]) -> None:
        self._hypers = hypers  # by the training that begins

    def finalize(self) -> Any:
        """End the training, and save the statistics; returns the CoffeeLounge."""
        if self._training is None:
            raise self._not_begun("finalize()")
        training, self._training = self._training, None
        return training.finalize()

    def __repr__(self) -> str:
        given = {name: getattr(self, name) for name in _PARAMETERS}
        fields = [f"{name}={value!r}" for name, value in given.items() if value != _PARAMETERS[name]]
        return f"Solver({', '.join([self.method.title, *fields])})"


def as_solver(method: Methods | Solver, **parameters: Any) -> Solver:
    """The solver for program.train(solver) or program.train(method, max_iter=..., ...).

    Raises:
        OptionError: a Solver together with parameters, or parameters that Solver refuses.
    """
    given = {name: value for name, value in parameters.items() if value is not _PARAMETERS.get(name, parameters)}
    if not isinstance(method, Solver):
        return Solver(method, **given)
    if given:
        raise OptionError("train(solver) takes no further parameters", got=", ".join(given), hint="give them to Solver")
    return method


def as_method(given: Any, owner: str = "Solver", error: type[OptionError] = OptionError) -> Method:
    """A method, or the one that a dict of methods by patterns means; raises `error` for anything else."""
    for method in given.values() if isinstance(given, Mapping) else [given]:
        check_method(method, owner, error)
    return grouped(given, owner, error) if isinstance(given, Mapping) else given


def check_method(method: Any, owner: str = "Solver", error: type[OptionError] = OptionError) -> None:
    """Raise `error` for something that is not a solver method; `owner` is what the user calls with it."""
    if isinstance(method, type):
        name = method.__name__
        raise error(f"{owner}: method is a class", hint=f"write {name}() with parentheses")
    if not isinstance(method, Method):
        hint = ""
        if isinstance(method, str):
            close = suggestion(method, METHODS)
            hint = f"write {close}()" if close else f"one of {', '.join(METHODS)}"
        elif hasattr(method, "param_groups"):
            hint = "an optimizer of PyTorch: mochac.solver_from_torch(optimizer, scheduler, module, max_iter=...)"
        elif isinstance(method, (list, tuple)) and method and all(isinstance(x, (tuple, dict)) for x in method):
            hint = 'groups of parameters are a dict of methods by patterns: {"head*": AdamW(0.001), "*": SGD(0.01)}'
        elif hasattr(method, "__array__") or isinstance(method, (list, tuple)):
            hint = "data belongs to the data layer: MemoryDataLayer(data=[X, y], batch_size=...)"
        text = " ".join(repr(method).split())
        got = f"{text[:60]}..." if len(text) > 63 else text
        raise error(f"{owner}: not a solver method", expected="SGD(...) or another method", got=got, hint=hint)


def _unknown(method: Method, name: str) -> OptionError:
    method = method.groups[0].method
    own, kind = [*parameters_of(type(method))], type(method).__name__
    close = suggestion(name, [*_PARAMETERS, *own])
    if name in _OF_TRAIN:
        hint = f"it is an argument of train: program.train(solver, {name}=...)"
    elif name in SOLVER_PARAMETERS:
        hint = SOLVER_PARAMETERS[name]
    elif name in own or name in METHOD_PARAMETERS:
        inside = f"it belongs to the method: {kind}({name}=...)"
        hint = inside if name in own else f"it belongs to the method: {parameter_hint(type(method), name, own)}"
    elif close in own:
        hint = f"did you mean {close!r}? It belongs to the method: {kind}({close}=...)"
    else:
        hint = f"did you mean {close!r}?" if close else f"parameters: {', '.join(_PARAMETERS)}"
    return OptionError(f"solver {kind} has no parameter {name!r}", hint=hint)


def _decay_all(method: Method, value: Any) -> bool:
    if not isinstance(value, bool):
        raise OptionError("decay_all is out of range", expected="True or False", got=shown(value))
    if value and not any(group.method.decoupled for group in method.groups):
        rule = f"decay_all: {method.title} has no decoupled weight decay"
        raise OptionError(rule, hint="AdamW has; other methods decay by regularizers: bias_regu=L2Regu(1)")
    return value


def _integer(name: str, value: Any, low: int) -> int:
    number = integer(value)
    if number is None or not low <= number <= LARGEST:
        hint = "at most 2**53" if number is not None and number > LARGEST else ""
        raise OptionError(f"{name} is out of range", expected=f"an integer >= {low}", got=shown(value), hint=hint)
    return number


def _real(name: str, value: Any, positive: bool = False) -> float:
    number = finite(value)
    if number is None or number < 0 or (positive and number == 0):
        raise OptionError(
            f"{name} is out of range", expected=f"a number {'>' if positive else '>='} 0", got=shown(value)
        )
    return number


def _path(name: str, value: Any) -> str:
    if not isinstance(value, (str, os.PathLike)):
        raise OptionError(f"{name} is not a path", got=shown(value))
    return os.fspath(value)
