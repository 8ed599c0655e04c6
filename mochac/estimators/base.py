"""NetEstimator: base class of NetClassifier and NetRegressor.

It builds nets from a chain of layers, trains them with a Solver and coffee breaks, and keeps the parameters. Subclasses
encode targets and interpret outputs.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from mochac.compiler import compile
from mochac.drawing.html import folded, table, titled
from mochac.estimators import samples as arrays
from mochac.estimators.chain import checked, layer_error
from mochac.estimators.errors import InputError, ParameterError, not_fitted
from mochac.estimators.heads import LABEL, Head
from mochac.estimators.limits import check_parameters
from mochac.estimators.losses import loss_layer, require_sample_weights
from mochac.estimators.nets import Made, net_of, wired
from mochac.estimators.online import OnlineTraining
from mochac.estimators.parameters import Parameters
from mochac.estimators.predictor import DATA, Predictor, put, taken
from mochac.estimators.progress import EpochLosses, EpochMetrics
from mochac.estimators.targets import Aim
from mochac.estimators.validation import ValidationScores, split, stopping
from mochac.estimators.weights import WEIGHT, mean_one, product, sample_weights
from mochac.frontend.net import Net
from mochac.layers.base import Layer
from mochac.program import Program
from mochac.solvers.groups import Methods
from mochac.solvers.method import Method
from mochac.solvers.policies import LRPolicy, MomPolicy
from mochac.solvers.sgd import SGD
from mochac.solvers.solver import Solver, as_method

A = TypeVar("A", bound=Aim)


@dataclass(frozen=True)
class Samples:
    """What fit() and partial_fit() are given, checked.

    Attributes:
        x: (num, ...).
        codes: y as numbers; see targets.Aim.
        weights: (num,); None: all are 1.
        names: of the columns of X, if it has some.
    """

    x: np.ndarray
    codes: np.ndarray
    weights: np.ndarray | None
    names: np.ndarray | None


class NetEstimator(Parameters, Generic[A]):
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
        method: Methods | None = None,
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

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, comm: Any = None) -> Self:
        """Train on X (num, ...) and y (num,) or (num, outputs), from new initial parameters unless warm_start.

        Args:
            sample_weight: (num,), factors of the samples' losses, >= 0; samples of weight 0 are left out. Only their
                ratios count: they are scaled to the mean 1.
            comm: a communicator of mpi4py, whose ranks all call fit() with the same X and y, and share every batch; as
                for Program.train(). Afterwards, every rank has the trained net.

        Raises:
            InputError: X, y or sample_weight cannot be used. OptionError, ParameterError: a parameter is out of range.
            NetError, ShapeError: the layers do not fit each other, or do not fit X.
            NumericError: the loss became infinite or NaN.
            KeyboardInterrupt: Ctrl-C; the estimator keeps the parameters trained so far.
        """
        given, seed = self._checked()
        x, y, weights = self._counted(X, y, sample_weight)
        aim = self._aimed(y)
        codes = aim.codes(y, type(self).__name__, learning=True)
        own = self._own_weights(aim, codes)
        if weights is not None or own is not None:
            require_sample_weights(aim.loss, type(self).__name__, "there are weights of samples")
            weights = product(np.ones(len(x)), weights, own)
        told = Samples(x, codes, weights, arrays.column_names(X))
        made = wired(given, aim, type(self).__name__)
        train, val = split(len(x), self.validation_split, aim.strata(codes), seed)
        self._require_validation(len(x), len(val))
        parts = {"train": train, **({"val": val} if len(val) else {})}
        batch = min(self.batch_size, len(train))
        tops = self._tops(aim, told, train)
        nets = {part: net_of(made, aim, tops, rows, batch, type(self).__name__) for part, rows in parts.items()}
        scores = self._validation(made, aim, told, val) if len(val) else None
        curve = EpochLosses(len(train), batch)
        predictor, metrics, interrupted = self._trained(
            nets, made, x.shape[1:], self._options(seed), scores, curve, comm
        )
        self._learned(predictor, aim, told)
        self.validation_scores_ = scores.scores if scores is not None else None
        self.best_validation_score_ = max(scores.scores, default=None) if scores is not None else None
        self.history_, self.metrics_ = metrics.history, metrics.last
        self.n_iter_ = metrics.history["epoch"][-1]
        self.loss_curve_ = curve.means()[: self.n_iter_]
        if interrupted:
            raise KeyboardInterrupt
        return self

    def transform(self, X: Any) -> np.ndarray:
        """The raw output of the net, (num, outputs)."""
        return self._outputs(X)

    def fit_transform(self, X: Any, y: Any, sample_weight: Any = None) -> np.ndarray:
        """fit(X, y, sample_weight).transform(X)."""
        return self.fit(X, y, sample_weight).transform(X)

    def _score(self, X: Any, y: Any, sample_weight: Any) -> float:
        """score(): how well y is predicted, in the mean of the samples, weighted by sample_weight if it is given."""
        out, owner = self._outputs(X), type(self).__name__
        weights = sample_weights(sample_weight, len(out))
        arrays.same_length(given := self._read(y), len(out))
        return self._aim.score(self._aim.codes(given, owner), out, weights)

    @property
    def program_(self) -> Program:
        """The trained net as a Program in test mode: explain(), save(), params."""
        return self._fitted().program

    # --- inside --------------------------------------------------------------------------------------

    _aim: A

    @abstractmethod
    def _aimed(self, y: Any) -> A:
        """What to learn from y."""

    def _own_weights(self, aim: A, codes: np.ndarray) -> np.ndarray | None:
        """Weights besides sample_weight; None: there are none."""
        return None

    def _counted(self, X: Any, y: Any, sample_weight: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """X, y and the weights as arrays, without samples of weight 0."""
        x, y = arrays.samples(X, self.dtype), self._read(y)
        arrays.same_length(y, len(x))
        weights = sample_weights(sample_weight, len(x))
        if weights is None or weights.all():
            return x, y, weights
        rows = weights > 0
        return x[rows], y[rows], weights[rows]

    def _read(self, y: Any) -> np.ndarray:
        """y as an array; raises InputError if it is none."""
        return arrays.given(y, type(self).__name__)

    def _learn_some(self, X: Any, y: Any, aim: Callable[[Any], A], sample_weight: Any) -> Self:
        """partial_fit(); `aim` is asked for what to learn in the first call."""
        given, seed = self._checked()
        if self.early_stopping:
            rule = f"{type(self).__name__}: partial_fit() has no validation set for early_stopping"
            raise ParameterError(rule, hint="early_stopping=False, or fit()")
        begun = self.__sklearn_is_fitted__()
        x, y, weights = self._counted(X, y, sample_weight)
        goal = self._aim if begun else aim(y)
        require_sample_weights(goal.loss, type(self).__name__, "partial_fit() fills batches up with weights of 0")
        if begun:
            self._require_same(x, X)
        codes = goal.codes(y, type(self).__name__, learning=True)
        tops, weights = goal.tops(codes), product(np.ones(len(x)), weights, self._own_weights(goal, codes))
        online = vars(self).get("_online") or self._online_training(given, goal, seed, len(x))
        loss = online.learn(x, tops[LABEL], weights)
        if not begun:
            made = Predictor(
                online.name, online.layers, online.blob, x.shape[1:], {}, online.batch_size, online.options
            )
            made.share(online.program)  # before another thread can see it
            self._learned(made, goal, Samples(x, codes, weights, arrays.column_names(X)))
            self.n_iter_, self.loss_curve_, self.validation_scores_, self.best_validation_score_ = 0, [], None, None
        self._online = online
        self._predictor.share(online.program)
        self.n_iter_ += 1
        self.loss_curve_ = [*self.loss_curve_, loss]
        return self

    def _online_training(self, given: tuple[Layer, ...], aim: Aim, seed: int, count: int) -> OnlineTraining:
        """The training of partial_fit(), which begins with the parameters of fit() if there are some."""
        made = wired(given, aim, type(self).__name__)
        start = self._predictor.arrays if self.__sklearn_is_fitted__() else None
        batch, options = min(self.batch_size, count), self._options(seed)
        return OnlineTraining(
            type(self).__name__, made.layers, made.blob, aim.loss, start, batch, self._method(), self.regu_coef, options
        )

    def _learned(self, predictor: Predictor, aim: A, told: Samples) -> None:
        """Keep what predict() needs."""
        self._predictor, self._aim, self._online = predictor, aim, None
        self.n_features_in_ = int(np.prod(told.x.shape[1:]))
        self.__dict__.pop("feature_names_in_", None)
        if told.names is not None:
            self.feature_names_in_ = told.names

    def _tops(self, aim: Aim, told: Samples, train: np.ndarray) -> dict[str, np.ndarray]:
        """Arrays for data layers, by blob."""
        tops = {DATA: told.x, **aim.tops(told.codes)}
        if told.weights is not None:
            tops[WEIGHT] = mean_one(told.weights, train).astype(self.dtype)[:, None]
        return tops

    def _options(self, seed: int) -> dict[str, Any]:
        return {"backend": self.backend, "seed": seed, "threads": self.threads, "dtype": self.dtype}

    def _validation(self, made: Made, aim: Aim, told: Samples, rows: np.ndarray) -> ValidationScores:
        weights = None if told.weights is None else told.weights[rows]
        codes = told.codes[rows]
        return ValidationScores(told.x[rows], made.blob, lambda out: aim.score(codes, out, weights))

    def _repr_html_(self) -> str:
        """In a notebook: the arguments, and the net once it has been trained."""
        arguments = [[name, repr(value)] for name, value in self.get_params(deep=False).items()]
        net = [folded("the net", self.program_.net.to_svg())] if self.__sklearn_is_fitted__() else []
        return titled(type(self).__name__, table([], arguments), *net)

    def __sklearn_is_fitted__(self) -> bool:
        return "_predictor" in vars(self)

    def _fitted(self) -> Predictor:
        if not self.__sklearn_is_fitted__():
            raise not_fitted(self)
        return self._predictor

    def _outputs(self, X: Any) -> np.ndarray:
        """Check X; the outputs of the net, (num, outputs)."""
        predictor = self._fitted()
        x = arrays.samples(X, self.dtype)
        self._require_same(x, X)
        return predictor(x)

    def _require_same(self, x: np.ndarray, X: Any) -> None:
        """Raise InputError unless samples are shaped like those in fit(), with the same names of columns."""
        predictor, owner = self._predictor, type(self).__name__
        arrays.check_names(getattr(self, "feature_names_in_", None), arrays.column_names(X), owner)
        if x.shape[1:] != predictor.shape:
            if len(predictor.shape) == 1 and x.ndim == 2:
                known = self.n_features_in_
                raise InputError(f"X has {x.shape[1]} features, but {owner} is expecting {known} features as input")
            expected = f"(num, {', '.join(map(str, predictor.shape))})"
            raise InputError(f"X does not fit {owner}", expected=expected, got=str(x.shape))

    def _checked(self) -> tuple[tuple[Layer, ...], int]:
        """Check all parameters; the layers and the seed."""
        owner = type(self).__name__
        seed = check_parameters(owner, vars(self))
        if self.method is not None:
            as_method(self.method, owner, ParameterError)
        self._loss()
        return checked(self.layers, owner), seed

    def _loss(self, default: Layer | type[Layer] | None = None) -> tuple[Layer, Head]:
        """The loss layer, and how it is used; `default`: the loss if none is given."""
        loss, head = loss_layer(self.loss, default or self._default_loss, self._heads, type(self).__name__)
        if not loss.is_open:
            raise layer_error(loss, "an estimator wires its loss itself", "leave out bottoms")
        return loss, head

    def _trained(
        self,
        nets: Mapping[str, Net],
        made: Made,
        shape: tuple[int, ...],
        options: Mapping[str, Any],
        scores: ValidationScores | None,
        curve: EpochLosses,
        comm: Any,
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
            leads = comm is None or comm.rank == 0
            metrics = EpochMetrics(programs, self.shown if self.verbose and leads else ())
            solver = self._solver()
            solver.add_coffee_break(metrics, every_n_epoch=self.log_interval)
            solver.add_coffee_break(curve, every_n_epoch=self.max_epoch)
            if scores is not None:
                solver.add_coffee_break(scores, every_n_epoch=1)
            if self.early_stopping:
                end = stopping(self.n_iter_no_change, self.tol, told=self.verbose > 0)
                solver.add_coffee_break(end, every_n_epoch=1)
            lounge = program.train(solver, comm=comm)
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
        solver = Solver(self._method(), max_epoch=self.max_epoch, regu_coef=self.regu_coef)
        solver.progress = self.verbose > 0
        return solver

    def _method(self) -> Method:
        return self._default_method() if self.method is None else as_method(self.method)

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
