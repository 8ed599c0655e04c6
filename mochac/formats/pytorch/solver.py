"""solver_from_torch: a Solver that trains as an optimizer of PyTorch does, with its groups and its scheduler.

Nothing is approximated: what mochac's methods and policies cannot express is refused, all of it in one error. PyTorch
itself is not imported; its objects are known by their classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import isclose
from typing import Any

from mochac.base.errors import OptionError, shown
from mochac.base.hints.calls import checked_call
from mochac.base.rules import integer
from mochac.formats.pytorch.schedulers import RateSchedule, begun, schedule_of
from mochac.nets.solvers.adagrad import Adadelta, Adagrad, RMSProp
from mochac.nets.solvers.adam import Adam, AdamW, RAdam
from mochac.nets.solvers.adamax import Adamax
from mochac.nets.solvers.method import ALL, Method, ParameterGroup
from mochac.nets.solvers.nadam import NAdam
from mochac.nets.solvers.policies import LRPolicy
from mochac.nets.solvers.sgd import SGD, Nesterov
from mochac.nets.solvers.solver import Solver
from mochac.nets.solvers.update import MethodGroups

WHERE = "solver_from_torch()"
Settings = Mapping[str, Any]
"""A parameter group of PyTorch."""


@checked_call
def solver_from_torch(
    optimizer: Any, scheduler: Any = None, module: Any = None, *, scheduler_every: int = 1, **solver_parameters: Any
) -> Solver:
    """A Solver whose updates are those of an optimizer of PyTorch, within rounding.

    SGD, Adam, AdamW, RMSprop, Adagrad, Adadelta, RAdam, NAdam and Adamax are taken, with their options and
    parameter groups; of schedulers StepLR, MultiStepLR, ConstantLR, LinearLR, ExponentialLR, PolynomialLR,
    CosineAnnealingLR, OneCycleLR, LambdaLR, and SequentialLR of these. If the optimizer has made steps, training
    goes on from its state: its means, history and number of steps, from which policies, max_iter and max_epoch
    count on.

    Args:
        optimizer: its settings are read; it is not changed.
        scheduler: of this optimizer.
        module: whose parameters the optimizer has. It is needed for several parameter groups, which are told apart by
            the names of their parameters, for one that has only some of them (the others are not trained), and for one
            that has made steps.
        scheduler_every: updates between two calls of scheduler.step(), >= 1: 1 where it is called after every update,
            the number of batches of an epoch where it is called after every epoch.
        solver_parameters: of Solver, such as max_iter and clip_norm. regu_coef is 0 by default, decay_all is True.

    Returns:
        For several groups, a Solver whose scalars are called "group0.lr", "group1.lr", ... in solver.hypers.

    Raises:
        OptionError: not an optimizer, or something that has no exact counterpart; everything at once.

    >>> optimizer = torch.optim.AdamW(module.parameters(), lr=0.001)  # doctest: +SKIP
    >>> mochac.solver_from_torch(optimizer, max_iter=1000).method  # doctest: +SKIP
    {'*': AdamW(lr_policy=LRPolicy.Fixed(base_lr=0.001), beta1=0.9, beta2=0.999, epsilon=1e-08, decay=0.01)}
    """
    settings = getattr(optimizer, "param_groups", None)
    if not isinstance(settings, list) or not all(isinstance(group, Mapping) for group in settings):
        raise OptionError(f"{WHERE}: not an optimizer", expected="torch.optim.SGD(...)", got=shown(optimizer))
    every: int = integer(1).check("scheduler_every", scheduler_every, WHERE)
    make = _METHODS.get(type(optimizer).__name__) if _is_torchs(optimizer) else None
    if make is None:
        rule = f"{WHERE}: no counterpart for {type(optimizer).__name__}"
        raise OptionError(rule, expected=" ".join(_METHODS), hint="docs/guide/solvers.md: add a solver of your own")
    problems = Problems([*_mismatches(optimizer, scheduler)])
    state = problems.collect("", lambda: begun(optimizer, scheduler, module, every))
    methods: list[Method | None] = [None] * len(settings)
    for k, group in enumerate(settings):
        with problems.of(f"group {k}: " if len(settings) > 1 else ""):
            schedule = _schedule(group, k, scheduler, every)
            methods[k] = make(group, schedule)
    patterns = problems.collect("", lambda: _patterns(settings, module))
    if problems.found or patterns is None:
        n = len(problems.found)
        rule = f"{WHERE}: {n} thing{'s' * (n > 1)} of the {type(optimizer).__name__} cannot be taken exactly"
        raise OptionError(rule, details=problems.found)
    result = [method for method in methods if method is not None]
    solver = _solver(result, patterns, settings, module, solver_parameters)
    solver.begun = state
    return solver


@dataclass
class Problems:
    """What cannot be taken, in words."""

    found: list[str] = field(default_factory=list)

    @contextmanager
    def of(self, where: str) -> Iterator[None]:
        """Note an OptionError that is raised inside as a problem."""
        try:
            yield
        except OptionError as error:
            text = " ".join(line.strip() for line in str(error).splitlines())
            self.found.append(f"{where}{text}")

    def collect(self, where: str, make: Callable[[], Any]) -> Any:
        """What `make` returns; None if it raises an OptionError, which is noted."""
        with self.of(where):
            return make()
        return None


def _is_torchs(thing: Any) -> bool:
    """Whether the class of an object is one of torch.optim; a subclass may compute something else."""
    return type(thing).__module__.startswith("torch.optim.")


def _mismatches(optimizer: Any, scheduler: Any) -> Iterator[str]:
    """An optimizer and a scheduler that do not belong together."""
    if scheduler is None:
        if any("initial_lr" in group for group in optimizer.param_groups):
            yield "it has a scheduler, which is not given: scheduler=..."
    elif getattr(scheduler, "optimizer", None) is not optimizer:
        yield f"scheduler {type(scheduler).__name__} is not one of this optimizer"


def _schedule(group: Settings, k: int, scheduler: Any, every: int) -> RateSchedule:
    """The learning rate of a group, and its momentum if that has a policy."""
    if scheduler is None:
        return RateSchedule(LRPolicy.Fixed(float(group["lr"])))
    schedule = schedule_of(scheduler, k)
    rate, called = float(group["lr"]), getattr(scheduler, "last_epoch", 0)
    if not isclose(schedule.rate.value(called), rate, rel_tol=1e-6 if called else 1e-12, abs_tol=1e-12):
        begins = "is at" if called else "begins with"
        rule = f"{type(scheduler).__name__} {begins} another learning rate than the optimizer's"
        hint = "another scheduler, or an assignment, has changed it"
        raise OptionError(rule, expected=f"{schedule.rate.value(called):g}", got=f"{rate:g}", hint=hint)
    return schedule.every(every)


def _patterns(settings: Sequence[Settings], module: Any) -> list[tuple[str, ...]]:
    """For each group the names of its parameters; "*" for the only one, if it has all that are trained."""
    if module is None:
        if len(settings) > 1:
            hint = "solver_from_torch(optimizer, scheduler, module)"
            raise OptionError(f"{len(settings)} parameter groups are told apart by names: module=...", hint=hint)
        return [(ALL,)]
    if not callable(getattr(module, "named_parameters", None)):
        raise OptionError("module is not a module", expected="torch.nn.Module", got=shown(module))
    names: dict[int, str] = {}
    for name, tensor in module.named_parameters():
        names.setdefault(id(tensor), name)
    tensors = [dict.fromkeys(id(tensor) for tensor in group["params"]) for group in settings]
    strange = sum(tensor not in names for group in tensors for tensor in group)
    if strange:
        raise OptionError(
            f"{strange} of its parameters are not the module's", hint="make the optimizer for this module"
        )
    missing = [t for t in module.parameters() if t.requires_grad and not any(id(t) in group for group in tensors)]
    if len(settings) == 1 and not missing:
        return [(ALL,)]
    return [tuple(names[tensor] for tensor in group) for group in tensors]


def _solver(
    methods: Sequence[Method],
    patterns: Sequence[tuple[str, ...]],
    settings: Sequence[Settings],
    module: Any,
    parameters: Mapping[str, Any],
) -> Solver:
    """The solver of these groups; parameters of the module that the optimizer does not have get updates of length 0."""
    if patterns == [(ALL,)]:
        trained = sum(tensor.numel() for tensor in settings[0]["params"] if tensor.requires_grad)
        groups = [ParameterGroup(ALL, (ALL,), methods[0], trained if module is None else None)]
    else:
        both = enumerate(zip(patterns, methods, strict=True))
        groups = [ParameterGroup(f"group{k}", own, method) for k, (own, method) in both]
        known = {id(tensor) for group in settings for tensor in group["params"]}
        if any(id(tensor) not in known for tensor in module.parameters()):
            groups.append(ParameterGroup("rest", (ALL,), SGD(0.0)))
    defaults: dict[str, Any] = {"regu_coef": 0.0}
    if any(method.decoupled for method in methods):
        defaults["decay_all"] = True
    return Solver(MethodGroups(groups), **{**defaults, **parameters})


# --- methods -------------------------------------------------------------------------------------------------


def _numbers(group: Settings, *names: str) -> list[float]:
    return [float(group[name]) for name in names]


def _common(group: Settings, schedule: RateSchedule) -> dict[str, Any]:
    """weight_decay and maximize, for a method whose momentum no scheduler changes."""
    schedule.require_no_momentum()
    return {"weight_decay": float(group["weight_decay"]), "maximize": bool(group["maximize"])}


def _sgd(group: Settings, schedule: RateSchedule) -> Method:
    momentum, dampening = _numbers(group, "momentum", "dampening")
    how: dict[str, Any] = {**_common(group, RateSchedule(schedule.rate)), "history": "gradients"}
    effective: Any = schedule.momentum or momentum
    if group["nesterov"]:
        return Nesterov(schedule.rate, effective, **how)
    return SGD(schedule.rate, effective, dampening=dampening if effective else 0.0, **how)


def _adam(group: Settings, schedule: RateSchedule) -> Method:
    how, (epsilon,) = _common(group, RateSchedule(schedule.rate)), _numbers(group, "eps")
    (beta, beta2), amsgrad = map(float, group["betas"]), bool(group["amsgrad"])
    beta1: Any = schedule.momentum or beta
    if group.get("decoupled_weight_decay", False):
        decay = how.pop("weight_decay")
        return AdamW(schedule.rate, beta1, beta2, epsilon, decay, amsgrad=amsgrad, **how)
    return Adam(schedule.rate, beta1, beta2, epsilon, epsilon_hat=False, amsgrad=amsgrad, **how)


def _coupled(name: str, group: Settings, schedule: RateSchedule) -> tuple[list[Any], dict[str, Any]]:
    """Arguments of a method with betas, whose weight decay is part of the gradient."""
    how, (epsilon,) = _common(group, schedule), _numbers(group, "eps")
    if group.get("decoupled_weight_decay", False) and how["weight_decay"]:
        raise OptionError(f"decoupled_weight_decay of {name}", hint="AdamW has it")
    return [schedule.rate, *map(float, group["betas"]), epsilon], how


def _radam(group: Settings, schedule: RateSchedule) -> Method:
    settings, how = _coupled("RAdam", group, schedule)
    return RAdam(*settings, **how)


def _nadam(group: Settings, schedule: RateSchedule) -> Method:
    settings, how = _coupled("NAdam", group, schedule)
    return NAdam(*settings, momentum_decay=float(group["momentum_decay"]), **how)


def _adamax(group: Settings, schedule: RateSchedule) -> Method:
    settings, how = _coupled("Adamax", group, schedule)
    return Adamax(*settings, **how)


def _rmsprop(group: Settings, schedule: RateSchedule) -> Method:
    alpha, eps, momentum = _numbers(group, "alpha", "eps", "momentum")
    effective: Any = schedule.momentum or momentum or None
    how: dict[str, Any] = {"momentum": effective, "centered": bool(group["centered"]), "eps_in_sqrt": False}
    return RMSProp(schedule.rate, alpha, eps, **how, **_common(group, RateSchedule(schedule.rate)))


def _adagrad(group: Settings, schedule: RateSchedule) -> Method:
    eps, falls, first = _numbers(group, "eps", "lr_decay", "initial_accumulator_value")
    rate = schedule.rate
    if first:
        raise OptionError(f"initial_accumulator_value={first:g} of Adagrad", hint="sums of squares start at 0")
    if falls:
        if not isinstance(rate, LRPolicy.Fixed):
            raise OptionError("lr_decay of Adagrad together with a scheduler")
        rate = LRPolicy.Inv(rate.base_lr, falls, 1.0)
    return Adagrad(1.0, eps, lr_policy=rate, **_common(group, schedule))


def _adadelta(group: Settings, schedule: RateSchedule) -> Method:
    rho, eps = _numbers(group, "rho", "eps")
    return Adadelta(rho, eps, lr_policy=schedule.rate, **_common(group, schedule))


_METHODS: dict[str, Callable[[Settings, RateSchedule], Method]] = {
    "SGD": _sgd, "Adam": _adam, "AdamW": _adam, "RMSprop": _rmsprop, "Adagrad": _adagrad, "Adadelta": _adadelta,
    "RAdam": _radam, "NAdam": _nadam, "Adamax": _adamax,
}  # fmt: skip
"""How the settings of a group become a method, by the class of the optimizer."""
