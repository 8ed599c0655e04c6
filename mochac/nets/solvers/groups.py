"""Groups of parameters with a method each: what Solver makes of a dict of methods.

MethodGroups is a Method itself, so the training loop, snapshots and C libraries need not know how many there are; a
single method is one group, of all parameters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Any, Protocol, TypeAlias

from mochac.base.errors import OptionError, shown
from mochac.base.escaping import unused
from mochac.base.registry import did_you_mean
from mochac.base.threads import cached_property
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.nets.solvers.method import ALL, Method, ParameterGroup, PolicyLike, matches
from mochac.nets.solvers.policy import Decaying

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


class MethodGroups(Method):
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
        given: dict[ParameterGroup, dict[str, Any]] = {}
        for name, policy in policies.items():
            group, _ = self._policies[name]
            given.setdefault(group, {})[name.removeprefix(group.prefix)] = policy
        return self._changed({group: group.method.with_policies(own) for group, own in given.items()})

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
