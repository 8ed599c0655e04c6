"""NetEstimator: base class of NetClassifier and NetRegressor.

It builds nets from a chain of layers, trains them with a Solver and coffee breaks, and keeps the parameters. Subclasses
encode targets and interpret outputs.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from mochac.api.compiler import compile
from mochac.api.estimators import samples as arrays
from mochac.api.estimators.chain import WiredLayers, checked, layer_error, net_of, wired
from mochac.api.estimators.heads import LABEL, LOSS, Head, loss_layer, require_sample_weights
from mochac.api.estimators.inputs import Inputs, count, fitting, inputs, shapes, single, with_channel
from mochac.api.estimators.labels import Aim
from mochac.api.estimators.parameters import Parameters
from mochac.api.estimators.predictor import OnlineTraining, Predictor, Samples, put, taken
from mochac.api.estimators.progress import EpochLosses, EpochMetrics, add_callbacks, measured
from mochac.api.estimators.samples import product, sample_weights
from mochac.api.estimators.validation import (
    BY_LOSS,
    InputError,
    ParameterError,
    ValidationScores,
    check_parameters,
    not_fitted,
    scorer,
    split,
)
from mochac.api.program import Program
from mochac.base.drawing.svg import folded, table, titled
from mochac.base.errors import shown
from mochac.nets.layers.base import Layer
from mochac.nets.solvers.method import Method
from mochac.nets.solvers.sgd import DEFAULT
from mochac.nets.solvers.solver import Solver, as_method
from mochac.nets.solvers.update import Methods
from mochac.runtime.ranks.ranks import Ranks

A = TypeVar("A", bound=Aim)


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
        scoring: str | Callable[..., float] | None = BY_LOSS,
        callbacks: Sequence[Any] = (),
        random_state: Any = None,
        warm_start: bool = False,
        dtype: str = "float32",
        precision: str = "float32",
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
        self.scoring = scoring
        self.callbacks = callbacks
        self.random_state = random_state
        self.warm_start = warm_start
        self.dtype = dtype
        self.precision = precision
        self.threads = threads
        self.backend = backend

    # --- for users ----------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, validation_data: Any = None, comm: Any = None) -> Self:
        """Train on X (num, ...) and y (num,) or (num, outputs), from new initial parameters unless warm_start.

        Args:
            X: an array, or for nets with several inputs a dict of arrays by blob, or a tuple of arrays, for the blobs
                "data", "data2", "data3"; the first layer reads the first of them.
            sample_weight: (num,), factors of the samples' losses, >= 0; samples of weight 0 are left out. Only their
                ratios count: they are scaled to the mean 1.
            validation_data: (X, y) or (X, y, sample_weight) to validate with; validation_split does not apply then.
            comm: a communicator of mpi4py, whose ranks all call fit() with the same X and y, and share every batch; as
                for Program.train(). Afterwards, every rank has the trained net.

        Raises:
            InputError: X, y, sample_weight or validation_data cannot be used. OptionError, ParameterError: a parameter
                is out of range. NetError, ShapeError: the layers do not fit each other, or do not fit X.
            NumericError: the loss became infinite or NaN.
            KeyboardInterrupt: Ctrl-C; the estimator keeps the parameters trained so far.
        """
        layers, seed = self._checked()
        owner, names = type(self).__name__, arrays.column_names(X)
        x, y, weights = self._counted(X, y, sample_weight)
        x, aim = with_channel(x, layers), self._aimed(y)
        wired_layers = wired(layers, aim, list(x), owner)
        codes = aim.codes(y, owner, learning=True)
        factors = self._factors(aim, codes)
        whole = Samples(x, y, codes, self._weights(codes, weights, factors))
        validation = self._validation_samples(validation_data, whole, aim, factors, names)
        train, val = split(len(whole), self.validation_split if validation is None else 0.0, aim.strata(codes), seed)
        parts = {"train": whole.rows(train)}
        if validation is not None or len(val):
            parts["val"] = whole.rows(val) if validation is None else validation
        self._require_validation(len(whole), "val" in parts)
        if any(part.weights is not None for part in parts.values()):
            require_sample_weights(aim.loss, owner, "there are weights of samples")
        curve = EpochLosses(len(train), min(self.batch_size, len(train)))
        predictor, metrics, scores, interrupted = self._trained(
            parts, wired_layers, aim, self._options(seed), curve, comm
        )
        self._learned(predictor, aim, names)
        self.validation_scores_ = scores
        self.best_validation_score_ = max(scores, default=None) if scores is not None else None
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

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the columns of transform(), for scikit-learn's set_output: "netclassifier0", "netclassifier1", ...

        Raises:
            InputError: input_features are not the names of the columns in fit().
        """
        self._fitted()
        if input_features is not None:
            _check_input_features(list(input_features), self)
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{k}" for k in range(self._aim.width)], dtype=object)

    def _score(self, X: Any, y: Any, sample_weight: Any) -> float:
        """score(): how well y is predicted, in the mean of the samples, weighted by sample_weight if there is one."""
        out, owner = self._outputs(X), type(self).__name__
        weights = sample_weights(sample_weight, len(out))
        arrays.same_length(target := self._read(y), len(out))
        return self._aim.score(self._aim.codes(target, owner), out, weights)

    @property
    def program_(self) -> Program:
        """The trained net as a Program in test mode: explain(), save(), params."""
        return self._fitted().program

    # --- inside --------------------------------------------------------------------------------------

    _aim: A

    @abstractmethod
    def _aimed(self, y: Any) -> A:
        """What to learn from y."""

    def _factors(self, aim: A, codes: np.ndarray) -> np.ndarray | None:
        """Weights by code, besides sample_weight; None: there are none."""
        return None

    def _weights(self, codes: np.ndarray, weights: np.ndarray | None, factors: np.ndarray | None) -> np.ndarray | None:
        """The weights of samples with those of their classes; None: there are none."""
        if weights is None and factors is None:
            return None
        return product(np.ones(len(codes)), weights, None if factors is None else factors[codes])

    def _counted(self, X: Any, y: Any, sample_weight: Any) -> tuple[Inputs, np.ndarray, np.ndarray | None]:
        """X, y and the weights as arrays, without samples of weight 0."""
        x, y = inputs(X, self.dtype), self._read(y)
        arrays.same_length(y, count(x))
        weights = sample_weights(sample_weight, count(x))
        if weights is None or weights.all():
            return x, y, weights
        kept = weights > 0
        return {blob: array[kept] for blob, array in x.items()}, y[kept], weights[kept]

    def _validation_samples(
        self, validation_data: Any, whole: Samples, aim: A, factors: np.ndarray | None, names: np.ndarray | None
    ) -> Samples | None:
        """validation_data, checked; None: there is none."""
        if validation_data is None:
            return None
        owner = type(self).__name__
        if not isinstance(validation_data, (tuple, list)) or len(validation_data) not in (2, 3):
            rule = f"{owner}: validation_data is not a pair"
            raise ParameterError(rule, expected="(X, y) or (X, y, sample_weight)", got=shown(validation_data))
        try:
            x, y, weights = self._counted(validation_data[0], validation_data[1], *validation_data[2:] or (None,))
            arrays.check_names(names, arrays.column_names(validation_data[0]), owner)
            x = fitting(x, shapes(whole.x), owner)
            codes = aim.codes(y, owner, learning=True)
        except InputError as error:
            raise error.noted("in validation_data") from None
        weights = self._weights(codes, weights, factors)
        if whole.weights is not None and weights is None:
            weights = np.ones(len(codes))
        return Samples(x, y, codes, weights).rows(np.arange(len(codes)))

    def _read(self, y: Any) -> np.ndarray:
        """y as an array; raises InputError if it is none."""
        return arrays.target_array(y, type(self).__name__)

    def _learn_some(self, X: Any, y: Any, aim: Callable[[Any], A], sample_weight: Any) -> Self:
        """partial_fit(); `aim` is asked for what to learn in the first call."""
        layers, seed = self._checked()
        owner = type(self).__name__
        if self.early_stopping:
            rule = f"{owner}: partial_fit() has no validation set for early_stopping"
            raise ParameterError(rule, hint="early_stopping=False, or fit()")
        begun = self.__sklearn_is_fitted__()
        x, y, weights = self._counted(X, y, sample_weight)
        goal = self._aim if begun else aim(y)
        require_sample_weights(goal.loss, owner, "partial_fit() fills batches up with weights of 0")
        x = self._fitting(x, X) if begun else with_channel(x, layers)
        codes = goal.codes(y, owner, learning=True)
        weights = self._weights(codes, weights, self._factors(goal, codes))
        online = vars(self).get("_online") or self._online_training(layers, goal, seed, x)
        loss = online.learn(x, goal.tops(codes)[LABEL], np.ones(len(codes)) if weights is None else weights)
        if not begun:
            predictor = Predictor(
                online.name, online.layers, online.blob, shapes(x), {}, online.batch_size, online.options
            )
            predictor.share(online.program)  # before another thread can see it
            self._learned(predictor, goal, arrays.column_names(X))
            self.n_iter_, self.loss_curve_, self.validation_scores_, self.best_validation_score_ = 0, [], None, None
        self._online = online
        self._predictor.share(online.program)
        self.n_iter_ += 1
        self.loss_curve_ = [*self.loss_curve_, loss]
        return self

    def _online_training(self, layers: tuple[Layer, ...], aim: Aim, seed: int, x: Inputs) -> OnlineTraining:
        """The training of partial_fit(), which begins with the parameters of fit() if there are some."""
        wired_layers = wired(layers, aim, list(x), type(self).__name__)
        start = self._predictor.arrays if self.__sklearn_is_fitted__() else None
        batch, options = min(self.batch_size, count(x)), self._options(seed)
        return OnlineTraining(
            type(self).__name__,
            wired_layers.layers,
            wired_layers.blob,
            aim.loss,
            start,
            batch,
            self._method(),
            self.regu_coef,
            options,
        )

    def _learned(self, predictor: Predictor, aim: A, names: np.ndarray | None) -> None:
        """Keep what predict() needs; `names` are those of the columns of X, if it has some."""
        self._predictor, self._aim, self._online = predictor, aim, None
        self.n_features_in_ = sum(int(np.prod(shape)) for shape in predictor.shapes.values())
        self.__dict__.pop("feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = names

    def _options(self, seed: int) -> dict[str, Any]:
        how = {"dtype": self.dtype, "precision": self.precision}
        return {"backend": self.backend, "seed": seed, "threads": self.threads, **how}

    def _repr_html_(self) -> str:
        """In a notebook: the arguments that differ from their defaults, and the net once it has been trained."""
        arguments = [[name, repr(value)] for name, value in self._changed_parameters().items()]
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
        return predictor(self._fitting(inputs(X, self.dtype), X))

    def _fitting(self, x: Inputs, X: Any) -> Inputs:
        """Raise InputError unless samples are shaped like those in fit(), with the same names of columns."""
        owner = type(self).__name__
        arrays.check_names(getattr(self, "feature_names_in_", None), arrays.column_names(X), owner)
        return fitting(x, self._predictor.shapes, owner)

    def _checked(self) -> tuple[tuple[Layer, ...], int]:
        """Check all parameters; the layers and the seed."""
        owner = type(self).__name__
        seed = check_parameters(owner, vars(self))
        if self.method is not None:
            as_method(self.method, owner, ParameterError)
        self._loss()
        scorer(self.scoring, owner)
        add_callbacks(self._solver(), self.callbacks, owner)
        return checked(self.layers, owner), seed

    def _loss(self, default: Layer | type[Layer] | None = None) -> tuple[Layer, Head]:
        """The loss layer, and how it is used; `default`: the loss if there is none."""
        loss, head = loss_layer(self.loss, default or self._default_loss, self._heads, type(self).__name__)
        if not loss.is_open:
            raise layer_error(loss, "an estimator wires its loss itself", "leave out bottoms")
        return loss, head

    def _trained(
        self, parts: Mapping[str, Samples], wired_layers: WiredLayers, aim: A, options: Mapping[str, Any],
        curve: EpochLosses, comm: Any,
    ) -> tuple[Predictor, EpochMetrics, list[float] | None, bool]:  # fmt: skip
        """Train; the trained net, the metrics, the validation's scores, and whether Ctrl-C ended the training."""
        name, train, programs = type(self).__name__, parts["train"], dict[str, Program]()
        batch, known = min(self.batch_size, len(train)), shapes(train.x)
        mean = 1.0 if train.weights is None else float(train.weights.mean())
        try:
            for part, samples in parts.items():
                net = net_of(wired_layers, aim, samples.tops(aim, mean, self.dtype), batch, name)
                shared = {"params": programs["train"].params} if programs else {}
                programs[part] = compile(net, **shared, **options)
            program = programs["train"]
            if self.warm_start and self.__sklearn_is_fitted__():
                self._warm(program)
            leads = comm is None or comm.rank == 0
            metrics = EpochMetrics(programs, self.shown if self.verbose and leads else ())
            solver = self._solver()
            solver.add_coffee_break(metrics, every_n_epoch=self.log_interval)
            solver.add_coffee_break(curve, every_n_epoch=self.max_epoch)
            scores = None
            if "val" in parts:
                online = Predictor(name, wired_layers.layers, wired_layers.blob, known, {}, self.batch_size, options)
                online.share(program)
                scores = self._scores(programs["val"], parts["val"], online, aim)
                solver.add_coffee_break(scores, every_n_epoch=1)
            add_callbacks(solver, self.callbacks, name)
            if self.early_stopping and scores is not None:
                end = scores.stopping(self.n_iter_no_change, self.tol, verbose=self.verbose > 0)
                solver.add_coffee_break(end, every_n_epoch=1)
            lounge = program.train(solver, comm=comm)
            metrics.measure(program.epoch(), again=self.early_stopping)  # of the best parameters
            predictor = Predictor(
                name, wired_layers.layers, wired_layers.blob, known, taken(program), self.batch_size, options
            )
            return predictor, metrics, scores and scores.scores, lounge.interrupted
        finally:
            for each in programs.values():
                each.close()

    def _scores(self, program: Program, val: Samples, online: Predictor, aim: A) -> ValidationScores:
        """The break that scores the validation set, by `scoring`.

        Args:
            program: of the validation set.
            online: the net in training.
        """
        score = scorer(self.scoring, type(self).__name__)
        if score is None:
            return ValidationScores(lambda ranks: measured(program, ranks)[LOSS], by_loss=True)
        now, weights = copy(self), {} if val.weights is None else {"sample_weight": val.weights}
        now._learned(online, aim, None)

        def measure(ranks: Ranks) -> float:
            return score(now, single(val.x), val.y, **weights)

        return ValidationScores(measure, by_loss=False)

    def _require_validation(self, count: int, has_samples: bool) -> None:
        if self.early_stopping and not has_samples:
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
        return DEFAULT

    def _warm(self, program: Program) -> None:
        """Start from the parameters of the last fit."""
        known = self._predictor.arrays
        here = {name: array.shape for name, array in program.parameters().items()}
        there = {name: array.shape for name, array in known.items()}
        if here != there:
            rule = f"{type(self).__name__}: warm_start needs the same net as before"
            hint = "warm_start=False, or the same layers, features and classes"
            raise ParameterError(rule, expected=str(there), got=str(here), hint=hint)
        put(program, known)


def _check_input_features(names: list[Any], estimator: NetEstimator[Any]) -> None:
    """Raise InputError, in scikit-learn's words, unless an estimator may have been fitted to columns of these names."""
    fitted = getattr(estimator, "feature_names_in_", None)
    if fitted is not None and names != list(fitted):
        raise InputError(
            "input_features is not equal to feature_names_in_", expected=" ".join(fitted), got=shown(names)
        )
    if len(names) != estimator.n_features_in_:
        rule = "input_features should have length equal to number of features"
        raise InputError(rule, expected=str(estimator.n_features_in_), got=str(len(names)))
