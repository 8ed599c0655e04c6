"""The search for the layer that made the first NaN or infinity, with MOCHAC_CHECK=nan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mochac.base.errors import NumericError
from mochac.base.support.numbers import NotFinite, first_not_finite
from mochac.nets.declared import gradient_of
from mochac.nets.net import Net
from mochac.training.session.plan_set import BoundPlan


def not_finite_error(
    bound: BoundPlan, scalars: Mapping[str, float], updated: Mapping[str, np.ndarray], net: Net, iteration: int
) -> NumericError | None:
    """The error for the first value, in order of computation, that was not finite.

    Args:
        bound: the backward plan, which has just run the batch with the parameters from before the step.
        scalars: its results.
        updated: parameters and slots after the update, by "key.param" and "key.param.slot".
    """
    losses = {loss.layer: scalars[loss.layer] for loss in bound.traced.losses}
    for name in _in_order(bound, losses):
        if name in losses:
            if not np.isfinite(losses[name]):
                return _loss_error(bound, name, losses[name], net.layer(name).bottoms, iteration)
        elif bad := first_not_finite({name: bound.runner.read(name)}):
            return _value_error(bad, iteration)
    bad = first_not_finite(updated)
    return None if bad is None else _update_error(bound, bad, iteration)


def _in_order(bound: BoundPlan, losses: Mapping[str, float]) -> list[str]:
    """Names of everything the plan computed, losses included."""
    position = {out.name: k for k, out in enumerate(out for node in bound.source.graph.nodes for out in node.outputs)}
    values = {**bound.source.named, **{name: bound.source.scalars[name] for name in losses}}
    return sorted(values, key=lambda name: position.get(values[name], -1))


def _hint(iteration: int) -> str:
    if iteration == 1:
        return "it is the first step: look at the data of this batch and the initial parameters"
    return "lower the learning rate, or look at the data of this batch"


def _value_error(bad: NotFinite, iteration: int) -> NumericError:
    kinds = {"diff": "gradient of blob", "grad": "gradient of parameter"}
    kind, _, name = bad.name.partition(" ")
    what = f"{kinds[kind]} {name!r}" if name and kind in kinds else f"blob {bad.name!r}"
    return NumericError(
        f"iteration {iteration}: {what} became {bad.value} first at {bad.at}",
        details=["everything computed before it was finite"],
        hint=_hint(iteration),
    )


def _loss_error(bound: BoundPlan, layer: str, value: float, bottoms: Sequence[str], iteration: int) -> NumericError:
    largest = {name: _largest(bound.runner.read(name)) for name in bottoms if name in bound.source.named}
    blob = max(largest, key=lambda name: abs(largest[name].value), default="")
    details = [f"it read blob {blob!r}, which reaches {largest[blob].value:g} at {largest[blob].at}"] if blob else []
    return NumericError(
        f"iteration {iteration}: the loss of layer {layer!r} became {value}",
        details=["everything computed before it was finite", *details],
        hint=_hint(iteration),
    )


def _update_error(bound: BoundPlan, bad: NotFinite, iteration: int) -> NumericError:
    if any(bad.name == state.value for state in bound.traced.states):
        return NumericError(
            f"iteration {iteration}: state {bad.name!r} became {bad.value}, first at {bad.at}",
            details=["losses and gradients were finite"],
            hint="look at the data of this batch",
        )
    owner = max((p.value for p in bound.traced.params if f"{bad.name}.".startswith(f"{p.value}.")), key=len)
    what = "parameter" if bad.name == owner else "solver slot"
    gradient = _largest(bound.runner.read(gradient_of(owner)))
    return NumericError(
        f"iteration {iteration}: {what} {bad.name!r} became {bad.value} in its update, first at {bad.at}",
        details=[f"losses and gradients were finite; the gradient of {owner!r} reaches {gradient.value:g}"],
        hint="lower the learning rate",
    )


def _largest(values: np.ndarray) -> NotFinite:
    """The element with the largest absolute value."""
    at = tuple(int(k) for k in np.unravel_index(np.argmax(np.abs(values)), values.shape))
    return NotFinite("", float(values[at]), at)
