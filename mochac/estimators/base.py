"""NetEstimator: base class of NetClassifier and NetRegressor.

It builds nets from a chain of layers, trains them with a Solver and coffee breaks, and keeps the parameters. Subclasses
encode targets and interpret outputs.
"""

from __future__ import annotations

import math
import numbers
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from mochac.compiler import compile
from mochac.estimators import samples as arrays
from mochac.estimators.chain import chain, checked, layer_error
from mochac.estimators.errors import InputError, ParameterError, not_fitted
from mochac.estimators.heads import LABEL, LOSS, Head, loss_layer
from mochac.estimators.parameters import Parameters
from mochac.estimators.predictor import DATA, Predictor, put, taken
from mochac.estimators.progress import EpochMetrics
from mochac.estimators.validation import ValidationScores, stopping
from mochac.frontend.net import Net
from mochac.layers.base import Layer
from mochac.layers.memory_data import MemoryDataLayer
from mochac.layers.softmax import SoftmaxLayer
from mochac.program import Program
from mochac.solvers.method import Method
from mochac.solvers.policies import LRPolicy, MomPolicy
from mochac.solvers.sgd import SGD
from mochac.solvers.solver import Solver


@dataclass(frozen=True)
class Targets:
    """Targets, as a subclass makes them from y.

    Attributes:
        tops: arrays for the data layer besides X, by blob.
        width: number of outputs of the net.
        strata: a number for each sample; the validation set has the same share of each.
        learned: attributes that predict() needs, such as the classes.
    """

    tops: dict[str, np.ndarray]
    width: int
    strata: np.ndarray
    learned: dict[str, Any]


class NetEstimator(Parameters):
    """Base class of NetClassifier and NetRegressor, which see.

    Attributes:
        shown: metrics in the printed table.
    """

    shown: tuple[str, ...] = ("loss",)
    _heads: ClassVar[Mapping[str, Head]] = {}
    _default_loss: ClassVar[type[Layer]]

    def __init__(
        self,
        layers: Sequence[Layer] = (),
        method: Method | None = None,
        loss: Layer | type[Layer] | None = None,
        batch_size: int = 64,
        max_epoch: int = 100,
        validation_split: float = 0.2,
        regu_coef: float = 0.0,
        seed: int = 0,
        verbose: int = 0,
        *,
        log_interval: int = 10,
        early_stopping: bool = False,
        n_iter_no_change: int = 10,
        tol: float = 1e-4,
        random_state: Any = None,
        warm_start: bool = False,
        dtype: str = "float32",
        threads: int | None = None,
        backend: str = "auto",
    ) -> None:
        self.layers = layers
        self.method = method
        self.loss = loss
        self.batch_size = batch_size
        self.max_epoch = max_epoch
        self.validation_split = validation_split
        self.regu_coef = regu_coef
        self.seed = seed
        self.verbose = verbose
        self.log_interval = log_interval
        self.early_stopping = early_stopping
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.random_state = random_state
        self.warm_start = warm_start
        self.dtype = dtype
        self.threads = threads
        self.backend = backend

    # --- for users ----------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any) -> Self:
        """Train on X (num, ...) and y (num,), from new initial parameters unless warm_start.

        Raises:
            InputError: X or y cannot be used. OptionError, ParameterError: a parameter is out of range.
            NetError, ShapeError: the layers do not fit each other, or do not fit X.
            NumericError: the loss became infinite or NaN.
            KeyboardInterrupt: Ctrl-C; the estimator keeps the parameters trained so far.
        """
        given, head, seed = self._checked()
        x = arrays.samples(X, self.dtype)
        targets = self._targets(y, len(x), head)
        names = arrays.column_names(X)
        made = _layers(given, head, targets.width, type(self).__name__)
        train, val = split(len(x), self.validation_split, targets.strata, seed)
        self._require_validation(len(x), len(val))
        parts = {"train": train, **({"val": val} if len(val) else {})}
        options = {"backend": self.backend, "seed": seed, "threads": self.threads, "dtype": self.dtype}
        batch = min(self.batch_size, len(train))
        nets = {part: self._net(made, head, targets, x, rows, batch) for part, rows in parts.items()}
        scores = self._validation(made, head, targets, x, val) if len(val) else None
        predictor, metrics, interrupted = self._trained(nets, made, x.shape[1:], options, scores)
        self._predictor, self._head = predictor, head
        vars(self).update(targets.learned)
        self.validation_scores_ = scores.scores if scores is not None else None
        self.best_validation_score_ = max(scores.scores, default=None) if scores is not None else None
        self.history_, self.metrics_ = metrics.history, metrics.last
        self.n_iter_ = metrics.history["epoch"][-1]
        self.n_features_in_ = int(np.prod(x.shape[1:]))
        self.__dict__.pop("feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = names
        if interrupted:
            raise KeyboardInterrupt
        return self

    def transform(self, X: Any) -> np.ndarray:
        """The raw output of the net, (num, outputs)."""
        return self._outputs(X)

    def fit_transform(self, X: Any, y: Any) -> np.ndarray:
        """fit(X, y).transform(X)."""
        return self.fit(X, y).transform(X)

    @property
    def program_(self) -> Program:
        """The trained net as a Program in test mode: explain(), save(), params."""
        return self._fitted().program

    # --- inside --------------------------------------------------------------------------------------

    @abstractmethod
    def _targets(self, y: Any, count: int, head: Head) -> Targets:
        """y as targets of the loss."""

    @abstractmethod
    def _judges(self, head: Head, blob: str, width: int) -> list[Layer]:
        """Layers that measure the output."""

    def _validation(
        self, made: Made, head: Head, targets: Targets, x: np.ndarray, rows: np.ndarray
    ) -> ValidationScores:
        return ValidationScores(x[rows], made.blob, lambda out: self._scored(head, targets, rows, out))

    @abstractmethod
    def _scored(self, head: Head, targets: Targets, rows: np.ndarray, out: np.ndarray) -> float:
        """score() for the outputs of the net on these samples."""

    def __sklearn_is_fitted__(self) -> bool:
        return "_predictor" in vars(self)

    def _fitted(self) -> Predictor:
        if not self.__sklearn_is_fitted__():
            raise not_fitted(self)
        return self._predictor

    def _outputs(self, X: Any) -> np.ndarray:
        """Check X; the outputs of the net, (num, outputs)."""
        predictor, owner = self._fitted(), type(self).__name__
        x = arrays.samples(X, self.dtype)
        arrays.check_names(getattr(self, "feature_names_in_", None), arrays.column_names(X), owner)
        if x.shape[1:] != predictor.shape:
            if len(predictor.shape) == 1 and x.ndim == 2:
                known = self.n_features_in_
                raise InputError(f"X has {x.shape[1]} features, but {owner} is expecting {known} features as input")
            expected = f"(num, {', '.join(map(str, predictor.shape))})"
            raise InputError(f"X does not fit {owner}", expected=expected, got=str(x.shape))
        return predictor(x)

    def _checked(self) -> tuple[tuple[Layer, ...], Head, int]:
        """Check all parameters; the layers, the head and the seed."""
        owner = type(self).__name__
        for name in ("batch_size", "max_epoch", "log_interval", "n_iter_no_change"):
            _require(owner, name, getattr(self, name), numbers.Integral, "an integer >= 1", lambda v: v >= 1)
        share = self.validation_split
        _require(owner, "validation_split", share, numbers.Real, "a number >= 0 and < 1", lambda v: 0 <= v < 1)
        _require(owner, "verbose", self.verbose, numbers.Integral, "an integer >= 0", lambda v: v >= 0)
        _require(owner, "tol", self.tol, numbers.Real, "a finite number >= 0", lambda v: 0 <= v < math.inf)
        if not isinstance(self.early_stopping, (bool, np.bool_)):
            got = repr(self.early_stopping)
            raise ParameterError(f"{owner}: early_stopping is out of range", expected="True or False", got=got)
        seed = _seed(self.random_state, self.seed)
        _require(owner, "seed", seed, numbers.Integral, "an integer >= 0 and < 2**64", lambda v: 0 <= v < 2**64)
        _require(owner, "dtype", self.dtype, str, "'float32' or 'float64'", lambda v: v in ("float32", "float64"))
        head = loss_layer(self.loss, self._default_loss, dict(self._heads), owner)[1]
        return checked(self.layers, owner), head, seed

    def _net(self, made: Made, head: Head, targets: Targets, x: np.ndarray, rows: np.ndarray, batch: int) -> Net:
        """The net for the training or the validation set."""
        tops = {DATA: x, **targets.tops}
        arrays = [a[rows] for a in tops.values()]
        for array in arrays:
            array.flags.writeable = False  # it is our copy; a device may then keep it
        data = MemoryDataLayer(name="input", data=arrays, tops=list(tops), batch_size=batch, shuffle=True)
        loss = loss_layer(self.loss, self._default_loss, dict(self._heads), type(self).__name__)[0]
        if not loss.is_open:
            raise layer_error(loss, "an estimator wires its loss itself", "leave out bottoms")
        closed = loss.replace(name=LOSS, bottoms=[made.blob, LABEL])
        return Net(type(self).__name__, [data, *made.layers, closed, *self._judges(head, made.blob, targets.width)])

    def _trained(
        self,
        nets: Mapping[str, Net],
        made: Made,
        shape: tuple[int, ...],
        options: Mapping[str, Any],
        scores: ValidationScores | None,
    ) -> tuple[Predictor, EpochMetrics, bool]:
        """Train; the trained net, the metrics, and whether Ctrl-C ended the training."""
        program = compile(nets["train"], **options)
        programs = {"train": program}
        try:
            if self.warm_start and self.__sklearn_is_fitted__():
                self._warm(program)
            programs.update(
                {part: compile(n, params=program.params, **options) for part, n in nets.items() if part != "train"}
            )
            metrics = EpochMetrics(programs, self.shown if self.verbose else ())
            solver = self._solver()
            solver.add_coffee_break(metrics, every_n_epoch=self.log_interval)
            if scores is not None:
                solver.add_coffee_break(scores, every_n_epoch=1)
            if self.early_stopping:
                end = stopping(self.n_iter_no_change, self.tol, told=self.verbose > 0)
                solver.add_coffee_break(end, every_n_epoch=1)
            lounge = program.train(solver)
            metrics.measure(program.epoch(), again=self.early_stopping)  # of the best parameters
            name, parameters = type(self).__name__, taken(program)
            predictor = Predictor(name, made.layers, made.blob, shape, parameters, self.batch_size, options)
            return predictor, metrics, lounge.interrupted
        finally:
            for each in programs.values():
                each.close()

    def _require_validation(self, count: int, held: int) -> None:
        if self.early_stopping and not held:
            raise ParameterError(
                f"{type(self).__name__}: early_stopping needs a validation set",
                expected="validation_split > 0, and large enough for a sample of each class",
                got=f"validation_split={self.validation_split!r} of {count} samples",
            )

    def _solver(self) -> Solver:
        method = self._default_method() if self.method is None else self.method
        solver = Solver(method, max_epoch=self.max_epoch, regu_coef=self.regu_coef)
        solver.progress = self.verbose > 0
        return solver

    def _default_method(self) -> Method:
        return SGD(lr_policy=LRPolicy.Fixed(0.01), mom_policy=MomPolicy.Fixed(0.9))

    def _warm(self, program: Program) -> None:
        """Start from the parameters of the last fit."""
        known = self._predictor.arrays
        here = {name: array.shape for name, array in program.parameters().items()}
        there = {name: array.shape for name, array in known.items()}
        if here != there:
            raise ParameterError(
                f"{type(self).__name__}: warm_start needs the same net as before",
                expected=str(there),
                got=str(here),
                hint="warm_start=False, or the same layers, features and classes",
            )
        put(program, known)


@dataclass(frozen=True)
class Made:
    """Wired layers and the blob of their output."""

    layers: list[Layer]
    blob: str


def _layers(given: tuple[Layer, ...], head: Head, width: int, owner: str) -> Made:
    """The chain of the user's layers, with an output layer."""
    last = given[-1] if given else None
    if isinstance(last, SoftmaxLayer) and not head.softmax:
        rule = f"the {head.loss}Layer of {owner} needs the layer before the softmax"
        raise layer_error(last, rule, "leave out the SoftmaxLayer")
    return Made(*chain([*given, *head.layers(width, last)], DATA))


def split(count: int, share: float, strata: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Indices of the training and validation sets, drawn with `seed`: the share of each stratum, rounded down.

    >>> train, val = split(5, 0.4, np.zeros(5, int), 0)
    >>> len(train), len(val), sorted([*train.tolist(), *val.tolist()])
    (3, 2, [0, 1, 2, 3, 4])
    """
    order = np.random.default_rng(seed).permutation(count)
    held = np.zeros(count, bool)
    for stratum in np.unique(strata) if share else ():
        members = order[strata[order] == stratum]
        held[members[: int(len(members) * share)]] = True
    return order[~held[order]], order[held[order]]


def _seed(random_state: Any, seed: int) -> int:
    """The seed of the program: random_state if given (a number, or a generator that draws one), else `seed`."""
    if random_state is None:
        return seed
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    return random_state


def _require(owner: str, name: str, value: Any, kind: type, expected: str, legal: Callable[[Any], bool]) -> None:
    if isinstance(value, bool) or not isinstance(value, kind) or not legal(value):
        raise ParameterError(f"{owner}: {name} is out of range", expected=expected, got=repr(value))
