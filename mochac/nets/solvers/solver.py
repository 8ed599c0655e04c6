"""Solver: the settings of a training, from the method to the coffee breaks.

The training loop is training/loop/loop.py; program.train(solver) runs it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, MutableMapping
from typing import Any, Never

from mochac.base.errors import OptionError, shown
from mochac.base.hints.calls import METHOD_PARAMETERS, SOLVER_PARAMETERS, CheckedCalls, checked_call
from mochac.base.records import record
from mochac.base.registry import misspelt, suggestion
from mochac.base.rules import boolean, choice, integer, or_none, path, real
from mochac.nets.solvers.method import METHODS, REGU_COEF, Method, parameter_hint, parameters_of
from mochac.nets.solvers.update import BegunState, Clipping, Methods, Update, grouped

_OF_TRAIN = ("resume", "verbose")


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
        if regu_coef is None:
            regu_coef = 0.0 if method.decays else REGU_COEF
        self.max_iter: int | None = or_none(integer(0)).check("max_iter", max_iter)
        self.max_epoch: int | None = or_none(integer(1)).check("max_epoch", max_epoch)
        self.regu_coef: float = real(0).check("regu_coef", regu_coef)
        self.decay_all: bool = boolean().check("decay_all", decay_all)
        self.accumulate: int = integer(1).check("accumulate", accumulate)
        self.clip_norm: float | None = or_none(real(above=0)).check("clip_norm", clip_norm)
        self.clip_value: float | None = or_none(real(above=0)).check("clip_value", clip_value)
        self.load_from: str = path(empty=True).check("load_from", "" if load_from is None else load_from)
        if self.decay_all and not any(group.method.decoupled for group in method.groups):
            rule = f"decay_all: {method.title} has no decoupled weight decay"
            raise OptionError(rule, hint="AdamW has; other methods decay by regularizers: bias_regu=L2Regu(1)")
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
        self.file_exists = choice("merge", "overwrite", "panic").check("file_exists", file_exists)
        self.save_into = path(empty=True).check("save_into", save_into)
        self.save_every_n_iter = integer(1).check("every_n_iter", every_n_iter)

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
        n_iter: int = integer(0).check("every_n_iter", every_n_iter)
        n_epoch: int = integer(0).check("every_n_epoch", every_n_epoch)
        if not n_iter and not n_epoch:
            n_iter = getattr(coffee, "every_n_iter", 0)
        if not n_iter and not n_epoch:
            kind = type(coffee).__name__
            raise OptionError(f"{kind} would never run", expected="every_n_iter or every_n_epoch, >= 1")
        self.breaks.append(BreakEntry(coffee, n_iter, n_epoch))

    def solve(self, program: Any) -> Any:
        """Train a program up to max_iter or max_epoch, as program.train(self) does; returns the CoffeeLounge."""
        return needed_program(program, "train", "solve()").train(self)

    def init_solve(self, program: Any, comm: Any = None, *, ordered: bool = True) -> None:
        """Begin a training whose loop is yours: prepare or resume it, and run the breaks of iteration 0.

        Args:
            comm, ordered: as for program.train(): all ranks call init_solve(), then step() equally often, then
                finalize(). If one of them fails in there, the training ends on all.
        """
        self._training = needed_program(program, "start_training", "init_solve()").start_training(self, comm, ordered)

    def step(self, *args: Never, **blobs: Any) -> float:
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
        if args:
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

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles: settings and breaks, without the training."""
        return {**vars(self), "_training": None, "_state": None, "_hypers": None}

    def __repr__(self) -> str:
        values = {name: getattr(self, name) for name in _PARAMETERS}
        fields = [f"{name}={value!r}" for name, value in values.items() if value != _PARAMETERS[name]]
        return f"Solver({', '.join([self.method.title, *fields])})"


_PARAMETERS: dict[str, Any] = Solver.__init__.__kwdefaults__ or {}
"""Parameters of a Solver besides the method, with their defaults."""


def needed_program(program: Any, method: str, owner: str, expected: str = "mochac.compile(net)") -> Any:
    """`program` if it has a method, as Program has; else an OptionError."""
    if not callable(getattr(program, method, None)):
        raise OptionError(f"{owner} needs a program", expected=expected, got=type(program).__name__)
    return program


def as_solver(method: Methods | Solver, **parameters: Any) -> Solver:
    """The solver for program.train(solver) or program.train(method, max_iter=..., ...).

    Raises:
        OptionError: a Solver together with parameters, or parameters that Solver refuses.
    """
    settings = {name: value for name, value in parameters.items() if value is not _PARAMETERS.get(name, parameters)}
    if not isinstance(method, Solver):
        return Solver(method, **settings)
    if settings:
        raise OptionError(
            "train(solver) takes no further parameters", got=", ".join(settings), hint="give them to Solver"
        )
    return method


def as_method(methods: Any, owner: str = "Solver", error: type[OptionError] = OptionError) -> Method:
    """A method, or the one that a dict of methods by patterns means; raises `error` for anything else."""
    for method in methods.values() if isinstance(methods, Mapping) else [methods]:
        check_method(method, owner, error)
    return grouped(methods, owner, error) if isinstance(methods, Mapping) else methods


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
        expected = "SGD(...) or another method"
        raise error(f"{owner}: not a solver method", expected=expected, got=shown(method), hint=hint)


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
        hint = misspelt(name, _PARAMETERS, f"parameters: {', '.join(_PARAMETERS)}")
    return OptionError(f"solver {kind} has no parameter {name!r}", hint=hint)
