"""Caffe's solver methods and policies.

The solver method and the learning-rate policy of a Caffe solver.

Source: GetLearningRate and ComputeUpdateValue of Caffe's src/caffe/solvers/*.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from mochac.base.errors import UnsupportedError
from mochac.base.records import record
from mochac.formats.caffe.builder import number
from mochac.nets.solvers.adagrad import Adadelta, Adagrad, RMSProp
from mochac.nets.solvers.adam import Adam
from mochac.nets.solvers.formula import exp, least
from mochac.nets.solvers.method import Method
from mochac.nets.solvers.nesterov import Nesterov
from mochac.nets.solvers.policies import LRPolicy, MomPolicy
from mochac.nets.solvers.policy import Policy
from mochac.nets.solvers.sgd import SGD


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
    return _METHODS[kind](message, _policy(message, path), path)


def _sgd(message: Any, policy: Policy, path: str) -> Method:
    return SGD(policy, MomPolicy.Fixed(number(message.momentum)))


def _nesterov(message: Any, policy: Policy, path: str) -> Method:
    return Nesterov(policy, MomPolicy.Fixed(number(message.momentum)))


def _adam(message: Any, policy: Policy, path: str) -> Method:
    return Adam(policy, number(message.momentum), number(message.momentum2), number(message.delta))


def _adagrad(message: Any, policy: Policy, path: str) -> Method:
    if not isinstance(policy, LRPolicy.Fixed):
        rule = f"{path}: AdaGrad with a learning rate that changes has no counterpart"
        raise UnsupportedError(rule, expected="fixed", got=str(message.lr_policy))
    return Adagrad(gamma=policy.base_lr, epsilon=number(message.delta))


def _rmsprop(message: Any, policy: Policy, path: str) -> Method:
    """Caffe adds delta to the root, mochac adds eps under the root."""
    return RMSProp(policy, number(message.rms_decay), number(message.delta) ** 2)


def _adadelta(message: Any, policy: Policy, path: str) -> Method:
    if policy != LRPolicy.Fixed(1.0):
        rule = f"{path}: AdaDelta with a learning rate has no counterpart"
        raise UnsupportedError(rule, expected="lr_policy fixed and base_lr 1", got=str(policy))
    return Adadelta(number(message.momentum), number(message.delta))


_METHODS: dict[str, Callable[[Any, Policy, str], Method]] = {
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
