"""Updates of parameters: the method of each parameter, its step, clipping and averages; weights of losses.

Solver makes MethodGroups of a dict of methods. MethodGroups is a Method itself, so the training loop, snapshots and C
libraries need not know how many there are; a single method is one group, of all parameters.
LossWeights is a method together with the weights of losses that follow policies. The weights are scalars of a step, as
learning rates are: `hypers["loss.weight"]`. They are set between steps, saved in snapshots, and kept equal on all ranks
in the same way.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Any, Protocol, TypeAlias

import numpy as np

from mochac.base.errors import OptionError, shown
from mochac.base.escaping import unused
from mochac.base.records import record
from mochac.base.registry import did_you_mean
from mochac.base.threads import cached_property
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.nets.solvers.method import ALL, REGU_COEF, Method, ParameterGroup, PolicyLike, matches
from mochac.nets.solvers.policies import learning_rate
from mochac.nets.solvers.policy import Decaying, begun, steady, value_at, watching
from mochac.nets.solvers.sgd import DEFAULT

MAX_SEARCHES = 10
"""Patterns of a net for which close names are searched, which takes milliseconds each."""
Methods: TypeAlias = Method | Mapping[str | tuple[str, ...], Method]
"""A method, or a dict of methods by patterns."""


class GroupMember(Protocol):
    """A parameter of a net, as far as groups depend on it: ParamInfo of nets/declared.py."""

    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def lr_mult(self) -> float: ...


class ByGroups(Method):
    """Methods of groups of parameters, each of which updates its own."""

    def update(
        self,
        b: GraphBuilder,
        w: Value,
        g: Value,
        slots: Mapping[str, Value],
        hyper: Mapping[str, Value],
        lr_mult: float,
    ) -> tuple[Value, dict[str, Value]]:
        """Not called: parameters are updated by the method of their group."""
        raise AssertionError("group_of() finds the method of a parameter")


class MethodGroups(ByGroups):
    """Several methods, each for the parameters that its patterns match and no earlier group's do.

    The scalars of a group have its name as a prefix, as in "head*.lr"; those of the group "*" have none.
    """

    def __init__(self, groups: Iterable[ParameterGroup]) -> None:
        self._groups = tuple(groups)

    @property
    def title(self) -> str:
        """What snapshots call it: patterns and methods, which must be the same on resuming."""
        return ", ".join(f"{' '.join(g.patterns)}: {g.method.title}" for g in self._groups)

    @property
    def groups(self) -> tuple[ParameterGroup, ...]:
        return self._groups

    @property
    def decays(self) -> bool:
        return any(group.method.decays for group in self._groups)

    def hypers(self, t: int) -> dict[str, float]:
        """The scalars of all groups."""
        return self.hypers_since(t, 0)

    def hypers_since(self, t: int, zeroed: int) -> dict[str, float]:
        every = ((g.prefix, g.method.hypers_since(t, zeroed)) for g in self._groups)
        return {f"{prefix}{name}": value for prefix, scalars in every for name, value in scalars.items()}

    def policies(self) -> dict[str, str]:
        return {name: field for name, (_, field) in self._policies.items()}

    @cached_property
    def _policies(self) -> dict[str, tuple[ParameterGroup, str]]:
        """The group of each policy, and its field there, by the names of policies()."""
        return {f"{g.prefix}{name}": (g, field) for g in self._groups for name, field in g.method.policies().items()}

    def policy(self, name: str) -> PolicyLike:
        group, field = self._policies[name]
        return getattr(group.method, field)

    def spelled(self, name: str) -> str:
        group, _ = self._policies[name]
        return group.method.spelled(name.removeprefix(group.prefix))

    def with_policies(self, policies: Mapping[str, Any]) -> Method:
        by_group: dict[ParameterGroup, dict[str, Any]] = {}
        for name, policy in policies.items():
            group, _ = self._policies[name]
            by_group.setdefault(group, {})[name.removeprefix(group.prefix)] = policy
        return self._changed({group: group.method.with_policies(own) for group, own in by_group.items()})

    def constants(self) -> dict[str, object]:
        return {g.name: (g.patterns, type(g.method).__name__, g.method.constants()) for g in self._groups}

    def begin(self) -> Method:
        begun = {group: group.method.begin() for group in self._groups}
        return self._changed({group: method for group, method in begun.items() if method is not group.method})

    def _changed(self, methods: Mapping[ParameterGroup, Method]) -> Method:
        """With other methods for some groups."""
        if not methods:
            return self
        return MethodGroups(
            ParameterGroup(g.name, g.patterns, methods.get(g, g.method), g.n_elems) for g in self._groups
        )

    def watching(self, t: int | None) -> tuple[Decaying, ...]:
        return tuple(policy for group in self._groups for policy in group.method.watching(t))

    def steady(self, t: int) -> int:
        return min(group.method.steady(t) for group in self._groups)

    def __repr__(self) -> str:
        keys = (repr(g.patterns[0] if len(g.patterns) == 1 else g.patterns) for g in self._groups)
        return f"{{{', '.join(f'{key}: {g.method!r}' for key, g in zip(keys, self._groups, strict=True))}}}"


def grouped(
    methods: Mapping[str | tuple[str, ...], Method], owner: str = "Solver", error: type[OptionError] = OptionError
) -> Method:
    """The method that a dict of methods by patterns means; a tuple of patterns is called "group" and its place.

    Raises:
        error: no methods, or a key that is neither a pattern nor a tuple of them.
    """
    if not methods:
        raise error(f"{owner}: no methods", expected='{"head*": AdamW(0.001), "*": SGD(0.01)}', got="{}")
    groups = []
    for k, (key, method) in enumerate(methods.items()):
        patterns = key if isinstance(key, tuple) else (key,)
        if not patterns or not all(isinstance(pattern, str) and pattern for pattern in patterns):
            expected = "a pattern such as 'conv*' or '*.bias', or a tuple of patterns"
            raise error(f"{owner}: not a pattern of parameters", expected=expected, got=shown(key))
        name = patterns[0] if len(patterns) == 1 else f"group{k}"
        groups.append(ParameterGroup(unused(name, [group.name for group in groups]), patterns, method))
    return MethodGroups(groups)


def require_groups(method: Method, params: Sequence[GroupMember]) -> None:
    """Refuse groups that do not fit the parameters of a net.

    Raises:
        OptionError: a parameter that no pattern matches, a pattern that matches no parameter, a group with another
            number of elements; all at once.
    """
    problems: list[str] = []
    names = [p.names for p in params]
    if not (len(method.groups) == 1 and method.groups[0].patterns == (ALL,)):
        problems += [f"no pattern matches  {own[-1]!r}" for own in names if not any(g.has(own) for g in method.groups)]
        problems += _idle(method, names)
    if problems:
        known = ", ".join(own[-1] for own in names[:8]) + (", ..." if len(names) > 8 else "")
        hint = "patterns match layers ('conv1') and their parameters ('conv1.bias'); '*' matches all that are left"
        details = [*problems, f"parameters: {known}"]
        raise OptionError("the solver's groups do not fit the net's parameters", details=details, hint=hint)
    for group in method.groups:
        own = [p for p in params if p.lr_mult and method.group_of(p.names) is group]
        found = sum(prod(p.shape) for p in own)
        if group.n_elems is not None and found != group.n_elems:
            raise OptionError(
                "the optimizer was made for other parameters than the net's",
                expected=f"{group.n_elems:,} elements, the optimizer's",
                got=f"{found:,} elements that the net trains",
                hint="solver_from_torch(optimizer, module=module) finds the optimizer's parameters by their names",
            )


def _idle(method: Method, names: Sequence[Collection[str]]) -> Iterator[str]:
    """Each pattern that gives its group no parameter, and why; "*" may find nothing left."""
    left, every = list(names), dict.fromkeys(name for own in names for name in own)
    searches = 0
    for group in method.groups:
        known = {name for own in left for name in own}
        for pattern in group.patterns:
            if pattern == ALL or matches(pattern, known):
                continue
            if matches(pattern, every):
                yield f"never reached       {pattern!r}, whose parameters earlier patterns match"
                continue
            searches += 1
            yield f"matches nothing     {pattern!r}{did_you_mean(pattern, every if searches <= MAX_SEARCHES else ())}"
        left = [own for own in left if not group.has(own)]


@record
class Clipping:
    """Limits on the gradients, with the terms of regularizers; None: no limit. `value` is applied before `norm`.

    Args:
        value: > 0; each element is clipped to [-value, value].
        norm: > 0; all gradients are scaled by the same factor so that their joint 2-norm is at most this.
    """

    value: float | None = None
    norm: float | None = None

    def clipped(self, b: GraphBuilder, grads: Mapping[str, Value]) -> dict[str, Value]:
        """The clipped gradients, by name."""
        clipped = dict(grads)
        if self.value is not None:
            clipped = {name: _bounded(b, g, self.value) for name, g in clipped.items()}
        if self.norm is not None and clipped:
            clipped = _scaled(b, clipped, self.norm)
        return clipped


def _bounded(b: GraphBuilder, g: Value, limit: float) -> Value:
    """min(max(g, -limit), limit); NaN stays NaN."""
    return b.op("min", b.op("max", g, b.const(-limit, g.type)), b.const(limit, g.type))


def _scaled(b: GraphBuilder, grads: dict[str, Value], limit: float) -> dict[str, Value]:
    """grads * limit / max(norm, limit) (Pascanu et al. 2013, arXiv:1211.5063)."""
    total: Value | None = None
    for g in grads.values():
        part = b.op("reduce_sum", b.op("square", g), axes=tuple(range(len(g.type.shape))))
        total = part if total is None else b.op("add", total, part)
    assert total is not None
    norm = b.op("sqrt", total)
    bound = b.const(limit, norm.type)
    scale = b.op("div", bound, b.op("max", norm, bound), name="clip.scale")
    spread = {n: b.op("broadcast", scale, shape=g.type.shape, axes=(), batch=False) for n, g in grads.items()}
    return {n: b.op("mul", g, spread[n]) for n, g in grads.items()}


AVERAGE = "average"
"""The slot of a parameter that holds its running mean."""


@record
class Averaging:
    """After every n-th update: average <- decay * average + (1 - decay) * w.

    Args:
        decay: >= 0, < 1.
        every_n_iter: >= 1.
    """

    decay: float
    every_n_iter: int = 1

    def append(self, b: GraphBuilder, w: Value, new: Value, due: Value | None) -> None:
        """Add the average of `w`, whose new value is `new`, to the graph of a step.

        Args:
            due: a scalar, positive in the iterations in which the average is updated; None: in all of them.
        """
        average = b.input(f"{w.name}.{AVERAGE}", w.type, "slot")
        mean = b.op("add", b.scaled(average, self.decay), b.scaled(new, 1.0 - self.decay))
        if due is not None:
            spread = b.op("broadcast", due, shape=w.type.shape, axes=(), batch=False)
            mean = b.op("select", b.op("gt", spread, b.const(0.0, w.type)), mean, average)
        b.update(average, mean)


@record(eq=False)
class BegunState:
    """What an optimizer has kept of its updates.

    Attributes:
        iteration: how many updates it has made, from which policies and limits count on.
        slots: for each slot of the method, arrays by the names that parameters have in PyTorch.
    """

    iteration: int
    slots: Mapping[str, Mapping[str, np.ndarray]]


GRADIENT_NORM = "gradient/"
"""Prefix of the names under which plans report norms of gradients."""


def norm_of(parameter: str) -> str:
    """The name under which a plan reports the norm of a parameter's gradient."""
    return f"{GRADIENT_NORM}{parameter}"


@record(eq=False)
class Update:
    """How a training changes parameters.

    Args:
        regu_coef: factor of all regularizers.
        decay_all: decoupled weight decay also applies to parameters that declare that they do not decay.
        accumulate: batches whose mean gradient makes an update, >= 1.
        averaging: of the parameters after updates; None: none.
        norms: also report the 2-norm of each gradient, under norm_of(its parameter).
        rows: the method only subtracts (Method.only_subtracts), so of tables that ids pick rows from, only these rows
            change; None: not decided yet.
    """

    method: Method = DEFAULT
    regu_coef: float = REGU_COEF
    clipping: Clipping = Clipping()
    decay_all: bool = False
    accumulate: int = 1
    averaging: Averaging | None = None
    norms: bool = False
    rows: bool | None = None

    @property
    def key(self) -> Hashable:
        """Equal for updates with the same graph."""
        method = type(self.method), str(self.method.constants())
        graph = self.regu_coef, self.clipping, self.decay_all, self.accumulate, self.averaging, self.norms, self.rows
        return *method, *graph


class WeightedLayer(Protocol):
    """The attributes of a layer on which loss weights depend."""

    @property
    def name(self) -> str: ...


def scheduled_weights(layers: Iterable[WeightedLayer]) -> dict[str, PolicyLike]:
    """The policies of the weights of losses, by the names of their scalars."""
    weights = {f"{layer.name}.weight": getattr(layer, "weight", None) for layer in layers}
    return {name: policy for name, policy in weights.items() if callable(getattr(policy, "value", None))}  # type: ignore[misc]


def with_loss_weights(method: Method, weights: Mapping[str, PolicyLike]) -> Method:
    """The method with the scalars of weights; the method itself if there are none."""
    return LossWeights(method, weights) if weights else method


class LossWeights(ByGroups):
    """See the module.

    Args:
        inner: updates the parameters.
        weights: policies, by the names of their scalars.
    """

    def __init__(self, inner: Method, weights: Mapping[str, PolicyLike]) -> None:
        self._inner, self._weights = inner, dict(weights)

    @property
    def title(self) -> str:
        """Its name in snapshots: the method's, which must be the same on resuming."""
        return self._inner.title

    @property
    def groups(self) -> tuple[ParameterGroup, ...]:
        return self._inner.groups

    @property
    def decays(self) -> bool:
        return self._inner.decays

    def hypers(self, t: int) -> dict[str, float]:
        """The scalars of the method, and the weights."""
        return self.hypers_since(t, 0)

    def hypers_since(self, t: int, zeroed: int) -> dict[str, float]:
        own = {name: value_at(policy, t) for name, policy in self._weights.items()}
        return {**self._inner.hypers_since(t, zeroed), **own}

    def policies(self) -> dict[str, str]:
        return {**self._inner.policies(), **dict.fromkeys(self._weights, "weight")}

    def policy(self, name: str) -> PolicyLike:
        return self._weights[name] if name in self._weights else self._inner.policy(name)

    def spelled(self, name: str) -> str:
        if name not in self._weights:
            return self._inner.spelled(name)
        layer, _, field = name.rpartition(".")
        return f"{field}=... of layer {layer!r}"

    def with_policies(self, policies: Mapping[str, Any]) -> Method:
        own = {name: policy for name, policy in policies.items() if name in self._weights}
        own = {name: learning_rate().check(f"hypers[{name!r}]", policy) for name, policy in own.items()}
        rest = {name: policy for name, policy in policies.items() if name not in own}
        return LossWeights(self._inner.with_policies(rest), {**self._weights, **own})

    def constants(self) -> dict[str, object]:
        return self._inner.constants()

    def begin(self) -> Method:
        weights = {name: begun(p) for name, p in self._weights.items()}
        return LossWeights(self._inner.begin(), weights)

    def watching(self, t: int | None) -> tuple[Decaying, ...]:
        own = (w for p in self._weights.values() for w in watching(p, t))
        return (*self._inner.watching(t), *own)

    def steady(self, t: int) -> int:
        return min(self._inner.steady(t), *(steady(policy, t) for policy in self._weights.values()))

    def __repr__(self) -> str:
        return repr(self._inner)
