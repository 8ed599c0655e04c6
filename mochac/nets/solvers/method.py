"""Method: base class of solver methods such as SGD, whose update is graph code.

`append_update` adds the update of one parameter to the graph of a training step; the training loop calls `hypers` for
the scalars of each step.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, fields, replace
from fnmatch import fnmatchcase
from functools import cache
from inspect import Parameter, signature
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

from mochac.base.errors import OptionError
from mochac.base.hints.calls import METHOD_PARAMETERS, CheckedCalls
from mochac.base.records import record
from mochac.base.registry import Registry, misspelt
from mochac.base.rules import check_fields
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.ir.types import TensorType
from mochac.nets.solvers._graph_code import updated
from mochac.nets.solvers.policy import Decaying, begun, steady, value_at, watching

REGU_COEF = 0.0005
"""Default factor of regularizers, as in Mocha."""


_HYPER_NAMES = {"mom_policy": "momentum"}


class PolicyLike(Protocol):
    """The interface of policies: LRPolicy.*, MomPolicy.*, or any object with value(t)."""

    def value(self, t: int) -> float:
        """The number after t completed updates."""
        ...


Rate: TypeAlias = PolicyLike | float
"""The type of fields for policies. A number is converted to a Fixed policy."""


class Method(metaclass=CheckedCalls):
    """Hyper-parameters, state and update rule of a solver method. Subclasses are frozen dataclasses, one per file.

    Attributes:
        slots: names of the state of each parameter; a slot has the shape of the parameter, and starts at zero.
        decoupled: whether the method decays weights apart from the gradient (see `decayed`).
        followed: fields with policies, if hypers(t) depends on nothing but their value(t); not inherited.
        step_size: the scalar of hypers() by which a gradient is scaled, and then subtracted, in updates that do nothing
            else (see `only_subtracts`); "": it has no such updates.

    Raises:
        OptionError: an unknown parameter, with a suggestion.
    """

    argument_word = "parameter"
    slots: ClassVar[tuple[str, ...]] = ()
    decoupled: ClassVar[bool] = False
    followed: ClassVar[tuple[str, ...]] = ()
    step_size: ClassVar[str] = ""

    def __post_init__(self) -> None:
        check_fields(self, type(self).__name__)

    @classmethod
    def called(cls) -> str:
        """Its name in messages."""
        return f"solver {cls.__name__}"

    @classmethod
    def hint_for(cls, name: str, known: Sequence[str]) -> str:
        """The hint for an unknown parameter; names that other libraries use are known."""
        return parameter_hint(cls, name, known)

    @property
    def title(self) -> str:
        """Its name in snapshots: the name of its class."""
        return type(self).__name__

    @property
    def groups(self) -> tuple[ParameterGroup, ...]:
        """Which method updates which parameters: itself all of them. MethodGroups has several."""
        return (ParameterGroup(ALL, (ALL,), self),)

    def group_of(self, names: Collection[str]) -> ParameterGroup:
        """The group of a parameter with these names: the first that has a pattern for one of them."""
        return next(group for group in self.groups if group.has(names))

    @property
    def decays(self) -> bool:
        """Whether it decays weights by itself; regu_coef is then 0 by default."""
        return self.decoupled

    def at(self, field: str, t: int) -> float:
        """The value of the policy in `field` after t completed updates."""
        return value_at(getattr(self, field), t)

    @abstractmethod
    def hypers(self, t: int) -> dict[str, float]:
        """Scalars of the update that follows t completed ones; the same names for every t."""

    def policies(self) -> dict[str, str]:
        """The fields that hold policies, by their names in solver.hypers: "lr" is lr_policy, "momentum" mom_policy."""
        names = [name for name, value in vars(self).items() if callable(getattr(value, "value", None))]
        return {_HYPER_NAMES.get(name, name.removesuffix("_policy")): name for name in names}

    def policy(self, name: str) -> PolicyLike:
        """The policy of a name in policies()."""
        return getattr(self, self.policies()[name])

    def spelled(self, name: str) -> str:
        """How a user sets the policy of a name: "SGD(lr_policy=...)"."""
        return f"{type(self).__name__}({self.policies()[name]}=...)"

    def with_policies(self, policies: Mapping[str, Any]) -> Method:
        """The method with other policies, by their names in policies()."""
        known = self.policies()
        changed = {known[name]: policy for name, policy in policies.items()}
        return replace(self, **changed) if changed else self  # type: ignore[type-var]

    def constants(self) -> dict[str, object]:
        """The fields that are constants in the graph of a step; the values of policies are fed at every step."""
        return {k: v for k, v in vars(self).items() if not callable(getattr(v, "value", None))}

    def begin(self) -> Method:
        """The method for one training, with fresh state in policies that have one."""
        policies = {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]
        changed = {name: new for name, policy in policies.items() if (new := begun(policy)) is not policy}
        return replace(self, **changed) if changed else self  # type: ignore[type-var]

    def watching(self, t: int | None) -> tuple[Decaying, ...]:
        """Policies that watch validations after t updates; None: at any time."""
        policies = [getattr(self, f.name) for f in fields(self)]  # type: ignore[arg-type]
        return tuple(w for policy in policies for w in watching(policy, t))

    def steady(self, t: int) -> int:
        """Number of updates from t on for which the scalars certainly stay the same, >= 1."""
        names = vars(type(self)).get("followed", ())
        policies = [policy for name in names if (policy := getattr(self, name)) is not None]
        return min(steady(policy, t) for policy in policies) if policies else 1

    def hypers_since(self, t: int, zeroed: int) -> dict[str, float]:
        """hypers(t) if the slots were zeroed after `zeroed` updates; differs for methods with bias correction."""
        return self.hypers(t)

    def only_subtracts(self, hypers: Mapping[str, Any]) -> bool:
        """Whether updates with these scalars (numbers, or arrays with one per update) only subtract a scaled gradient
        as long as all slots are zero. Then elements without a gradient, and the slots, need not be touched."""
        return False

    def gradient(self, b: GraphBuilder, w: Value, g: Value) -> Value:
        """The gradient that `update` gets, as graph code: `g`, unless the method changes it."""
        return g

    def decayed(self, b: GraphBuilder, w: Value, hyper: Mapping[str, Value], lr_mult: float) -> Value:
        """A parameter after decoupled weight decay, as graph code: `w` itself unless the method is `decoupled`."""
        return w

    def __repr__(self) -> str:
        """The fields that differ from their defaults."""
        values = {f: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]
        shown = [(f, value) for f, value in values.items() if value != f.default]
        texts = (f"{f.name}={value!r}" for f, value in sorted(shown, key=lambda pair: pair[0].kw_only is True))
        return f"{type(self).__qualname__}({', '.join(texts)})"

    @abstractmethod
    def update(
        self,
        b: GraphBuilder,
        w: Value,
        g: Value,
        slots: Mapping[str, Value],
        hyper: Mapping[str, Value],
        lr_mult: float,
    ) -> tuple[Value, dict[str, Value]]:
        """Write the rule as graph code.

        Args:
            w, g: a parameter, decayed, and its gradient, with the term of its regularizer; see `gradient`.
            slots: the old state, by the names in `slots`.
            hyper: the scalars, by the names in hypers(), broadcast to the shape of w.
            lr_mult: factor of the learning rate for this parameter, >= 0.

        Returns:
            The new parameter and the new state.
        """


ALL = "*"
"""The pattern of all parameters; scalars of its method have no prefix."""


@record(eq=False)
class ParameterGroup:
    """Parameters that share a method.

    Args:
        name: name in `solver.hypers` and statistics.
        patterns: globs over names of parameters (ParamInfo.names).
        n_elems: required number of elements of all its trained parameters; None: any number.
    """

    name: str
    patterns: tuple[str, ...]
    method: Method
    n_elems: int | None = None
    _globs: tuple[str, ...] = field(init=False, repr=False)
    _exact: frozenset[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        globs = tuple(pattern for pattern in self.patterns if _is_glob(pattern))
        object.__setattr__(self, "_globs", globs)
        object.__setattr__(self, "_exact", frozenset(self.patterns))

    @property
    def prefix(self) -> str:
        """Prefix of the names of its scalars."""
        return "" if self.name == ALL else f"{self.name}."

    def has(self, names: Collection[str]) -> bool:
        """Whether a pattern matches one of the names of a parameter."""
        return not self._exact.isdisjoint(names) or any(matches(pattern, names) for pattern in self._globs)

    def scalars(self, hypers: Mapping[str, Any]) -> dict[str, Any]:
        """The scalars of its method, among all scalars of an update."""
        return {name: hypers[f"{self.prefix}{name}"] for name in self.method.hypers(0)}


def matches(pattern: str, names: Collection[str]) -> bool:
    """Whether a pattern is one of the names, or a glob that matches one of them.

    >>> matches("conv*", ("conv1", "conv1.bias")), matches("*.bias", ("conv1",))
    (True, False)
    """
    return pattern in names or (_is_glob(pattern) and any(fnmatchcase(name, pattern) for name in names))


@cache
def _is_glob(pattern: str) -> bool:
    return any(character in pattern for character in "*?[")


M = TypeVar("M", bound=type[Method])

ROW_SUMS = "row_sums"
"""The slot of a table for the sums of its rows, for methods without slots."""

METHODS: Registry[type[Method]] = Registry("solver", "mochac.nets.solvers", "class {}(")


def solver_method(cls: M) -> M:
    """Decorator: register a Method under the name of its class.

    Raises:
        OptionError: mochac has a method of this name. A method of your own may be defined again.
    """
    try:
        METHODS.add(cls.__name__, cls, cls.__module__)
    except ValueError:
        hint = f"choose another name, such as My{cls.__name__}"
        raise OptionError(f"{cls.__name__}: mochac has a solver of this name", hint=hint) from None
    return cls


def parameters_of(cls: type[Method]) -> dict[str, Parameter]:
    """Parameters of the constructor of a method, in order."""
    _, *known = signature(cls.__init__).parameters.items()
    return dict(known)


def parameter_hint(cls: type[Method], name: str, known: Iterable[str]) -> str:
    """The hint for a parameter that a method does not have.

    >>> from mochac.nets.solvers.sgd import SGD
    >>> parameter_hint(SGD, "lr", parameters_of(SGD)), parameter_hint(SGD, "momemtum", parameters_of(SGD))
    ('write SGD(0.01) or lr_policy=0.01', "did you mean 'momentum'?")
    """
    known = list(known)
    for own, instead in METHOD_PARAMETERS.get(name, {}).items():
        if not own or own in known:
            return instead.format(method=cls.__name__)
    return misspelt(name, () if name in _MOMENTUM else known, f"parameters: {', '.join(known)}")


_MOMENTUM = ("momentum", "mom_policy")
"""Names that are no misspellings of lr_policy, in methods without momentum."""


def running_mean(b: GraphBuilder, old: Value, x: Value, decay: float) -> Value:
    """decay * old + (1 - decay) * x."""
    return b.op("add", b.scaled(old, decay), b.scaled(x, 1.0 - decay))


def append_update(
    b: GraphBuilder,
    method: Method,
    w: Value,
    g: Value,
    lr_mult: float = 1.0,
    constrain: Callable[[Value], Value] | None = None,
    *,
    decays: bool = True,
    prefix: str = "",
) -> Value:
    """Add the update of one parameter to the graph of a step: its slots %<w>.<slot>, scalars, new value and new state.

    Args:
        w: the parameter, an input of `b`.
        g: its gradient, of the type of w, with the term of its regularizer.
        constrain: applied to the new value of the parameter.
        decays: whether decoupled weight decay applies to it.
        prefix: of the names of the scalars.

    Returns:
        The new value.
    """
    slots = {slot: b.input(f"{w.name}.{slot}", w.type, "slot") for slot in method.slots}
    scalar = TensorType(w.type.dtype, ())
    inputs = {name: _scalar(b, method, f"{prefix}{name}", scalar) for name in method.hypers(0)}
    hyper = {name: b.op("broadcast", value, shape=w.type.shape, axes=(), batch=False) for name, value in inputs.items()}
    old = method.decayed(b, w, hyper, lr_mult) if decays else w
    new, state = updated(method, b, old, method.gradient(b, w, g), slots, hyper, lr_mult)
    new = new if constrain is None else constrain(new)
    b.update(w, new)
    for slot in method.slots:
        b.update(slots[slot], state[slot])
    return new


def append_row_update(
    b: GraphBuilder, method: Method, w: Value, rows: Sequence[tuple[Value, Value]], lr_mult: float, *, prefix: str = ""
) -> Value:
    """Add the update of a table whose gradient is a sum of rows, by a method that only subtracts it: the other rows are
    not touched. The first slot, which is zero, holds the sums of rows during the step.

    Args:
        rows: gradients of rows and their ids, as in add_rows.
        prefix: of the names of the scalars.
    """
    slots = [b.input(f"{w.name}.{slot}", w.type, "slot") for slot in method.slots or (ROW_SUMS,)]
    scalar = TensorType(w.type.dtype, ())
    inputs = {name: _scalar(b, method, f"{prefix}{name}", scalar) for name in method.hypers(0)}
    pairs = (value for pair in rows for value in pair)
    sums, *others = slots
    new, left = b.ops("add_rows", w, sums, inputs[method.step_size], *pairs, factor=-lr_mult)
    b.update(w, new)
    b.update(sums, left)
    for slot in others:
        b.update(slot, slot)
    return new


def _scalar(b: GraphBuilder, method: Method, name: str, type: TensorType) -> Value:
    """The graph input of a scalar of hypers(). A blob of the same name would be mistaken for it."""
    if name in b.values and not any(i.name == name and i.role == "hyper" for i in b.inputs):
        raise OptionError(
            f"solver {method.__class__.__name__} has a scalar {name!r}, and the net has a blob of that name",
            hint="rename the blob, or the scalar in hypers()",
        )
    return b.input(name, type, "hyper")
