"""load_solver and load_training: a Caffe solver as a Solver, alone or together with its nets.

Caffe's weight_decay d adds d * w to a gradient, whereas regu_coef c adds 2 * c * w (L1: c * sign(w)), so c = d / 2 (L1:
d). Source: GetLearningRate and ComputeUpdateValue of Caffe's src/caffe/solvers/*.cpp.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from mochac.base.errors import UnsupportedError, from_file
from mochac.base.records import record
from mochac.formats.caffe.builder import number
from mochac.formats.caffe.nets import PathLike, State, known_types, load_one, load_pair
from mochac.formats.caffe.text import NetText, SolverText, read_net, read_solver
from mochac.nets.layers.base import Layer
from mochac.nets.net import Net
from mochac.nets.solvers.adagrad import Adadelta, Adagrad, RMSProp
from mochac.nets.solvers.adam import Adam
from mochac.nets.solvers.method import Method
from mochac.nets.solvers.policies import LRPolicy, MomPolicy
from mochac.nets.solvers.policy import Policy, exp, least
from mochac.nets.solvers.sgd import SGD, Nesterov
from mochac.nets.solvers.solver import Solver
from mochac.training.loop.coffee import Snapshot, TrainingSummary


@record
class Sigmoid(Policy):
    """base_lr / (1 + e ** (-gamma * (t - stepsize))); with gamma < 0 it decreases.

    >>> Sigmoid(0.5, -0.1, 10).value(10)
    0.25
    """

    base_lr: float
    gamma: float
    stepsize: int

    def value(self, t: int) -> float:
        return self.base_lr / (1.0 + exp(least(700.0, -self.gamma * (t - self.stepsize))))


_OLD_TYPES = ("SGD", "Nesterov", "AdaGrad", "RMSProp", "AdaDelta", "Adam")
"""Types by the number in solver_type."""


def method_of(message: Any, path: str) -> Method:
    """The method with its policies; `path` is for messages.

    Raises:
        UnsupportedError: a type or policy that mochac does not have.
    """
    kind = _OLD_TYPES[message.solver_type] if message.HasField("solver_type") else str(message.type)
    if kind not in _METHODS:
        raise UnsupportedError(f"{path}: no counterpart for solver {kind!r}", expected=" ".join(_METHODS), got=kind)
    return _METHODS[kind](message, _policy(message, path))


def _sgd(message: Any, policy: Policy) -> Method:
    return SGD(policy, MomPolicy.Fixed(number(message.momentum)))


def _nesterov(message: Any, policy: Policy) -> Method:
    return Nesterov(policy, MomPolicy.Fixed(number(message.momentum)))


def _adam(message: Any, policy: Policy) -> Method:
    return Adam(policy, number(message.momentum), number(message.momentum2), number(message.delta))


def _adagrad(message: Any, policy: Policy) -> Method:
    if isinstance(policy, LRPolicy.Fixed):
        return Adagrad(gamma=policy.base_lr, epsilon=number(message.delta))
    return Adagrad(epsilon=number(message.delta), lr_policy=policy)


def _rmsprop(message: Any, policy: Policy) -> Method:
    return RMSProp(policy, number(message.rms_decay), number(message.delta), eps_in_sqrt=False)


def _adadelta(message: Any, policy: Policy) -> Method:
    rate = None if policy == LRPolicy.Fixed(1.0) else policy
    return Adadelta(number(message.momentum), number(message.delta), lr_policy=rate)


_METHODS: dict[str, Callable[[Any, Policy], Method]] = {
    "SGD": _sgd,
    "Nesterov": _nesterov,
    "Adam": _adam,
    "AdaGrad": _adagrad,
    "RMSProp": _rmsprop,
    "AdaDelta": _adadelta,
}


def _policy(message: Any, path: str) -> Policy:
    name = str(message.lr_policy)
    if name not in _POLICIES:
        rule = f"{path}: no counterpart for lr_policy {name!r}"
        raise UnsupportedError(rule, expected=" ".join(_POLICIES), got=name or "none")
    make, *needed = _POLICIES[name]
    for field in ("base_lr", *needed):
        if not (len(message.stepvalue) if field == "stepvalue" else message.HasField(field)):
            raise UnsupportedError(f"{path}: lr_policy {name!r} needs {field}")
    return make(message, number(message.base_lr))


def _fixed(m: Any, base: float) -> Policy:
    return LRPolicy.Fixed(base)


def _step(m: Any, base: float) -> Policy:
    return LRPolicy.Step(base, number(m.gamma), int(m.stepsize))


def _exp(m: Any, base: float) -> Policy:
    return LRPolicy.Exp(base, number(m.gamma))


def _inv(m: Any, base: float) -> Policy:
    return LRPolicy.Inv(base, number(m.gamma), number(m.power))


def _multistep(m: Any, base: float) -> Policy:
    """A stage with a constant rate up to each stepvalue."""
    lengths = [after - before for before, after in pairwise([0, *map(int, m.stepvalue)])]
    return LRPolicy.Staged(*((n, LRPolicy.Fixed(base * number(m.gamma) ** k)) for k, n in enumerate([*lengths, 1])))


def _poly(m: Any, base: float) -> Policy:
    return LRPolicy.Polynomial(base, number(m.power), int(m.max_iter))


def _sigmoid(m: Any, base: float) -> Policy:
    return Sigmoid(base, number(m.gamma), int(m.stepsize))


_POLICIES: dict[str, Sequence[Any]] = {
    "fixed": [_fixed],
    "step": [_step, "gamma", "stepsize"],
    "exp": [_exp, "gamma"],
    "inv": [_inv, "gamma", "power"],
    "multistep": [_multistep, "gamma", "stepvalue"],
    "poly": [_poly, "power", "max_iter"],
    "sigmoid": [_sigmoid, "gamma", "stepsize"],
}
"""By Caffe's name: a function that makes the policy, and the fields it needs besides base_lr."""


@record
class Training:
    """What a solver prototxt describes.

    Attributes:
        solver: with its TrainingSummary and Snapshot breaks.
        net, test_net: of the phases train and test, sharing layers; test_net is None if the file names none.
        test_interval: iterations between validations, for ValidationPerformance; 0 for none.
        seed: random_seed, for compile(); 0 if the file has none.
    """

    solver: Solver
    net: Net
    test_net: Net | None
    test_interval: int
    seed: int


def load_solver(prototxt: PathLike) -> Solver:
    """Load a Solver from Caffe's text format, with coffee breaks for `display` and `snapshot`.

    Supported are the types SGD, Nesterov, Adam, AdaGrad, RMSProp and AdaDelta, and the policies fixed, step, exp, inv,
    multistep, poly and sigmoid. `weight_decay` d becomes regu_coef d / 2 (d if regularization_type is L1; the net must
    then be loaded with regularization="L1"). iter_size becomes accumulate. clip_gradients becomes clip_norm, divided by
    iter_size, since Caffe limits the sum of the gradients and mochac their mean. snapshot_prefix is the folder of the
    snapshots. solver_mode is ignored: use compile(backend=...).

    Raises:
        DataError: no such file, or not a solver. UnsupportedError: a setting that mochac does not support.
            OptionError: the package protobuf is not installed.
    """
    return solver_of(read_solver(prototxt, known_types()).message, os.fspath(prototxt))


def load_training(
    prototxt: PathLike,
    *,
    train_data: Layer | Sequence[Layer] = (),
    test_data: Layer | Sequence[Layer] = (),
    weights: PathLike | None = None,
) -> Training:
    """Load a solver and its nets. Paths are relative to the current folder, or else to the folder of the prototxt.

    Args:
        train_data, test_data: data layers that replace those of the nets, see load_net.
        weights: a .caffemodel or model file to start from.

    Raises: as load_solver and load_net.
    """
    text = read_solver(prototxt, known_types())
    message = text.message
    solver, kind = solver_of(message, text.path), str(message.regularization_type)
    train, test = nets_of(text)
    seed, interval = max(0, int(message.random_seed)), int(message.test_interval)
    states = states_of(message)
    if test is None:
        net = load_one(train, weights, train_data, regularization=kind, state=states[0], argument="train_data")
        return Training(solver, net, None, interval, seed)
    nets = load_pair((train, test), weights, (train_data, test_data), regularization=kind, states=states)
    return Training(solver, *nets, interval, seed)


def nets_of(solver: SolverText) -> tuple[NetText, NetText | None]:
    """The net to train and the (first) net to test, None without validation; in the same file or in others.

    Raises:
        UnsupportedError: not exactly one net to train.
    """
    message = solver.message
    named = [(field, getattr(message, field)) for field in ("net", "train_net") if getattr(message, field)]
    written = [(field, solver.nets[field][0]) for field in ("net_param", "train_net_param") if field in solver.nets]
    if len(named) + len(written) != 1:
        got = " and ".join(field for field, _ in (*named, *written)) or "none"
        rule = f"{solver.path} must name one net to train"
        raise UnsupportedError(rule, expected="net, net_param, train_net or train_net_param", got=got)
    train = written[0][1] if written else _read_relative(solver.path, named[0][1])
    return train, _tested(solver, train) if message.test_interval else None


def _tested(solver: SolverText, train: NetText) -> NetText | None:
    """The net to test, as Caffe chooses it: test_net_param, test_net, or the net for both phases."""
    if "test_net_param" in solver.nets:
        return solver.nets["test_net_param"][0]
    if solver.message.test_net:
        return _read_relative(solver.path, solver.message.test_net[0])
    return train if solver.message.net or "net_param" in solver.nets else None


def states_of(message: Any) -> tuple[State, State]:
    """The states of the net to train and the (first) net to test: train_state and test_state, with their phases."""
    tested = message.test_state[0] if message.test_state else message.train_state.__class__()
    train, test = (
        State(phase, int(state.level), tuple(state.stage))
        for phase, state in (("train", message.train_state), ("test", tested))
    )
    return train, test


def _relative_to(path: str, name: str) -> Path:
    """A file where the prototxt says, or else in or above the prototxt's folder (Caffe's are relative to its root)."""
    places = [Path(name), *(folder / name for folder in Path(path).resolve().parents)]
    return next((place for place in places if os.path.exists(place)), Path(path).parent / Path(name).name)


def _read_relative(path: str, name: str) -> NetText:
    return read_net(_relative_to(path, name), known_types())


def solver_of(message: Any, path: str) -> Solver:
    """The Solver for a SolverParameter; see load_solver."""
    kind = str(message.regularization_type)
    if kind not in ("L1", "L2"):
        raise UnsupportedError(f"{path}: unknown regularization_type", expected="L1 or L2", got=kind)
    if message.iter_size < 1:
        rule = f"{path}: iter_size is out of range"
        raise UnsupportedError(rule, expected="an integer >= 1", got=str(message.iter_size))
    with from_file(path):
        decay = number(message.weight_decay)
        solver = Solver(
            method_of(message, path),
            max_iter=int(message.max_iter) if message.HasField("max_iter") else None,
            regu_coef=decay / 2 if kind == "L2" else decay,
            clip_norm=number(message.clip_gradients) / message.iter_size if message.clip_gradients > 0 else None,
            accumulate=int(message.iter_size),
        )
        if message.display:
            solver.add_coffee_break(TrainingSummary(), every_n_iter=int(message.display))
        if message.snapshot:
            folder = message.snapshot_prefix or "snapshots"
            solver.add_coffee_break(Snapshot(folder), every_n_iter=int(message.snapshot))
    return solver
