"""LossWeights: a method together with the weights of losses that follow policies.

The weights are scalars of a step, as learning rates are: `hypers["loss.weight"]`. They are set between steps, saved in
snapshots, and kept equal on all ranks in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from mochac.nets.solvers.method import Method, ParameterGroup, PolicyLike
from mochac.nets.solvers.policies import learning_rate
from mochac.nets.solvers.policy import Decaying, Policy, number, steady
from mochac.nets.solvers.update import ByGroups


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
        own = {name: number(policy.value(t)) for name, policy in self._weights.items()}
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
        weights = {name: p.begin() if isinstance(p, Policy) else p for name, p in self._weights.items()}
        return LossWeights(self._inner.begin(), weights)

    def watching(self, t: int | None) -> tuple[Decaying, ...]:
        own = (w for p in self._weights.values() if isinstance(p, Policy) for w in p.watching(t))
        return (*self._inner.watching(t), *own)

    def steady(self, t: int) -> int:
        return min(self._inner.steady(t), *(steady(policy, t) for policy in self._weights.values()))

    def __repr__(self) -> str:
        return repr(self._inner)
