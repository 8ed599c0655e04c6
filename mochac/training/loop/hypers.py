"""The scalars of a solver method, such as learning rates: those that a user sets during a training, and the columns
that native code reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

import numpy as np

from mochac.base.errors import OptionError, shown
from mochac.base.registry import misspelt
from mochac.base.rules import is_number
from mochac.nets.solvers.method import Method, ParameterGroup, parameters_of
from mochac.nets.solvers.policy import value_at


class Hypers(MutableMapping[str, float]):
    """The hyper-parameters of a training: "lr", "momentum", one for each policy of its method.

    `hypers["lr"]` is the value that the next update uses. `hypers["lr"] = 0.01` holds from the next update on, in place
    of the policy, until it is set again; `del hypers["lr"]` returns to the policy. What was set is saved in snapshots,
    and continues with a training whose policy is the same.

    Attributes:
        method: with what was set in place of its policies.

    Raises:
        OptionError: an unknown name, a value that the policy's Fixed form refuses, or the training has ended.
    """

    def __init__(self, method: Method) -> None:
        self.method = self._original = method
        self.iteration, self.ended = 0, False
        self._set: dict[str, float] = {}

    def __getitem__(self, name: str) -> float:
        self._require(name)
        return value_at(self.method.policy(name), self.iteration)

    def __setitem__(self, name: str, value: float) -> None:
        self._require(name)
        if self.ended:
            raise OptionError(f"hypers[{name!r}]: the training has ended", hint="give the value to the next method")
        if not is_number(value):
            policy = callable(getattr(value, "value", None))
            hint = f"a policy belongs to the method: {self._original.spelled(name)}" if policy else ""
            raise OptionError(f"hypers[{name!r}] is not a number", got=shown(value), hint=hint)
        self.method = self.method.with_policies({name: value})
        self._set[name] = float(value)

    def __delitem__(self, name: str) -> None:
        self._require(name)
        self._set.pop(name, None)
        self.method = self.method.with_policies({name: self._original.policy(name)})

    def __iter__(self) -> Iterator[str]:
        return iter(self._original.policies())

    def __len__(self) -> int:
        return len(self._original.policies())

    def __repr__(self) -> str:
        return f"<{', '.join(f'{name} {value:g}' for name, value in self.items()) or 'no hypers'}>"

    def memory(self) -> dict[str, Any]:
        """What was set, with the policies that it replaces; for snapshots."""
        policies = {f"policy of {name}": plain_text(self._original.policy(name)) for name in self._set}
        return {**self._set, **policies}

    def recall(self, memory: Mapping[str, Any]) -> None:
        """Set what memory() holds, where the method has the same policy; flat snapshots do not know it."""
        for name in self._original.policies():
            own = plain_text(self._original.policy(name))
            if name in memory and memory.get(f"policy of {name}", own) == own:
                self[name] = float(memory[name])

    def _require(self, name: str) -> None:
        """Refuse a name that no policy has."""
        known = self._original.policies()
        if name in known:
            return
        constant = next((g for g in self._original.groups if _own_name(g, name) in parameters_of(type(g.method))), None)
        hint = misspelt(name, known)
        if constant is not None:
            own = _own_name(constant, name)
            call = f"train({type(constant.method).__name__}({own}=...), resume=True)"
            hint = f"{own} is a constant of the compiled step: {call}"
        details = [f"known: {' '.join(known)}" if known else "it has none"]
        raise OptionError(f"{self._original.title} has no hyper-parameter {name!r}", details=details, hint=hint)


def _own_name(group: ParameterGroup, name: str) -> str:
    """What a group's method calls its scalar `name`; "" if it is not the group's."""
    return name.removeprefix(group.prefix) if name.startswith(group.prefix) else ""


def plain_text(policy: object) -> str:
    """repr() of a policy without addresses, which differ between processes."""
    return re.sub(r" at 0x[0-9a-f]+", "", repr(policy))


class HyperRows:
    """The scalars of the updates of a training. A method is called again only when its scalars change.

    In its methods, `zeroed` is the number of updates after which the slots were last set to zero.
    """

    def __init__(self, hypers: Hypers) -> None:
        self._hypers = hypers
        self._row: Mapping[str, float] = {}
        self._of: tuple[Method, int] | None = None
        self._first = self._end = 0

    def at(self, t: int, zeroed: int) -> Mapping[str, float]:
        """The scalars of the update after `t` completed ones."""
        method, of = self._hypers.method, self._of
        if of is None or of[0] is not method or of[1] != zeroed or not self._first <= t < self._end:
            self._row = method.hypers_since(t, min(t, zeroed))
            self._of, self._first, self._end = (method, zeroed), t, t + method.steady(t)
        return self._row

    def of(self, first: int, n: int, zeroed: int) -> tuple[Mapping[str, Any], Mapping[str, float]]:
        """The scalars of the `n` updates after `first`, as arrays; and those of the last one."""
        row = self.at(first, zeroed)
        columns = {name: np.full(n, value, np.float64) for name, value in row.items()}
        known = self._end - first
        while columns and known < n:
            row, done = self.at(first + known, zeroed), known
            known = self._end - first
            for name, column in columns.items():
                column[done:known] = row[name]
        return columns, row
