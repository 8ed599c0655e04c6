"""DebugRun: forward() and backward() on one batch, in plans that keep every blob and gradient readable.

A plan of backward() begins with forward. From the second forward() on, it runs this part of the last backward()'s plan,
and a backward() of the same kind runs the rest. Where that is not possible, backward() runs its whole plan.

not_finite_error: where the first NaN or infinity of a batch began that backward() has run, for MOCHAC_CHECK=nan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mochac.base.errors import DataError, NumericError, OptionError, ShapeError, shown
from mochac.base.registry import misspelt
from mochac.base.support.array_like import as_array
from mochac.base.support.memory import NotFinite, aligned_copy, first_not_finite
from mochac.ir.types import DTYPES
from mochac.lowering.plan_graphs import diff_input
from mochac.nets.declared import diff_of, gradient_of, plain
from mochac.nets.net import Net
from mochac.nets.trace import Traced
from mochac.runtime.backend import PlanPart
from mochac.runtime.tables import Slots
from mochac.training.session.plan_set import BoundPlan, PlanSet


class DebugRun:
    """Runs the forward and backward plans on a batch that is kept, so that backward() uses the batch of forward().

    Attributes:
        mode: "train" or "test".
    """

    def __init__(self, plans: PlanSet, mode: str) -> None:
        self._plans, self.mode = plans, mode
        self._memory: dict[str, np.ndarray] = {}
        self._slots: dict[bool, tuple[BoundPlan, Slots]] = {}
        self._holds = False
        self._begun: BoundPlan | None = None  # whose first part has run on the batch
        self._rng_step = 0

    def hold(self, batch: Mapping[str, np.ndarray], rng_step: int) -> None:
        """Copy a batch, by top, and keep the step counter of its random numbers."""
        for top, array in batch.items():
            self._keep(top, array)
        self._holds, self._rng_step, self._begun = True, rng_step, None

    def forget(self) -> None:
        """Drop the batch: backward() then needs another forward()."""
        self._holds, self._begun = False, None

    def forward(self) -> tuple[BoundPlan, dict[str, float]]:
        """Run the net on the kept batch; returns the plan, whose values can be read, and its scalars."""
        if True in self._slots:
            bound, slots = self._slots[True]
            if bound.in_parts and bound.traced.mode == self.mode:
                self._begun = bound
                return bound, self._run(bound, slots, "head")
        bound = self._plans.debug(self.mode, backward=False)
        return bound, self._run(bound, self._slots_of(bound, False, {}))

    def backward(
        self, regu_coef: float = 0.0, diffs: Mapping[str, Any] | None = None
    ) -> tuple[BoundPlan, dict[str, float]]:
        """Compute the gradients of the kept batch, as Program.backward does; returns what forward() returns."""
        if not self._holds:
            raise OptionError("backward() before forward()", hint="call forward() first")
        gradients = {} if diffs is None else _checked(self._plans.traced(self.mode), diffs)
        blobs = None if diffs is None else tuple(sorted(diffs))
        bound = self._plans.debug(self.mode, True, regu_coef, blobs)
        for name, array in gradients.items():
            self._keep(diff_of(name), array)
        part, self._begun = "rest" if self._begun is bound else "all", None
        return bound, self._run(bound, self._slots_of(bound, True, gradients), part)

    def _run(self, bound: BoundPlan, slots: Slots, part: PlanPart = "all") -> dict[str, float]:
        weights = self._plans.loss_weights()
        return bound.run_one(slots, {**weights, "step": self._rng_step, "n_valid": bound.traced.batch}, part)

    def _keep(self, name: str, array: np.ndarray) -> None:
        """Copy an array over the last one of this name."""
        if name in self._memory:
            self._memory[name][...] = array
        else:
            self._memory[name] = aligned_copy(array)

    def _slots_of(self, bound: BoundPlan, backward: bool, gradients: Mapping[str, np.ndarray]) -> Slots:
        """The batch and gradients that were kept, in the memory that a plan reads."""
        known = self._slots.get(backward)
        if known is None or known[0] is not bound:
            inputs = {**bound.feeds, **{diff_of(name): name for name in gradients}}
            known = self._slots[backward] = bound, Slots({name: self._memory[kept] for kept, name in inputs.items()})
        return known[1]


def _checked(traced: Traced, diffs: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """The gradients by graph input, as arrays of their blobs' types."""
    if not isinstance(diffs, Mapping) or not diffs:
        expected = 'gradients by blob, such as {"out": d_out}'
        raise OptionError("backward(): diffs is not a dict of gradients", expected=expected, got=shown(diffs))
    for blob in diffs:
        if blob not in traced.blobs:
            hint = misspelt(blob, traced.blobs) or f"blobs: {' '.join(traced.blobs)}"
            raise OptionError(f"backward(): the net has no blob {blob!r}", hint=hint)
        maker = next((feed.layer for feed in traced.feeds if feed.top == blob), None)
        if maker is not None:
            rule = (
                f"backward(): blob {blob!r} is what data layer {maker.name!r} reads: its gradient reaches no parameter"
            )
            raise OptionError(rule, hint="give the gradients of blobs that layers compute")
    return {diff_input(traced, blob): _gradient(traced, blob, values) for blob, values in diffs.items()}


def _gradient(traced: Traced, blob: str, values: Any) -> np.ndarray:
    kind = traced.graph.types()[traced.blobs[blob]]
    dtype = DTYPES[kind.dtype]
    if dtype.kind != "f":
        raise OptionError(f"backward(): blob {blob!r} has no gradient", got=f"a blob of {kind.dtype}")
    try:
        with np.errstate(over="ignore"):
            array = as_array(values, dtype=dtype)
    except (TypeError, ValueError) as error:
        raise OptionError(f"backward(): the gradient of {blob!r} is not an array of numbers", got=str(error)) from None
    if array.shape != kind.shape:
        rule = f"backward(): the gradient of {blob!r} has another shape than the blob"
        raise ShapeError(rule, expected=plain(kind), got=str(array.shape))
    if bad := first_not_finite({blob: array}):
        raise DataError(f"backward(): the gradient of {blob!r} holds {bad.value} at {bad.at}")
    return np.ascontiguousarray(array)


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
