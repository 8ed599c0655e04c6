"""The state of an optimizer of PyTorch that has made steps, as one with which a training begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mochac.base.errors import OptionError
from mochac.nets.solvers._moments import LARGEST
from mochac.nets.solvers.begun import BegunState

SLOTS = {
    "exp_avg": "mean",
    "exp_avg_sq": "square_mean",
    "max_exp_avg_sq": LARGEST,
    "square_avg": "square_mean",
    "grad_avg": "mean",
    "momentum_buffer": "history",
    "sum": "square_sum",
    "acc_delta": "step_mean",
}
"""PyTorch's names of states, of all its optimizers, and ours."""


def begun(optimizer: Any, scheduler: Any, module: Any, every: int) -> BegunState | None:
    """The state of an optimizer; None if neither it nor its scheduler has made a step.

    Raises:
        OptionError: parameters have made different numbers of steps, or scheduler and optimizer do not agree; there is
            no module that names the parameters; a state without a counterpart.
    """
    called, tensors = getattr(scheduler, "last_epoch", 0), [t for g in optimizer.param_groups for t in g["params"]]
    states = {id(t): optimizer.state[t] for t in tensors if _used(optimizer.state.get(t, {}))}
    if not states and not called:
        return None
    iteration = _iteration(optimizer, states, called * every)
    if scheduler is not None and iteration // every != called:
        rule = f"scheduler {type(scheduler).__name__} has made {called} steps, and the optimizer {iteration}"
        raise OptionError(rule, hint="scheduler_every=... says how many updates there are between its steps")
    if not states:
        return BegunState(iteration, {})
    return BegunState(iteration, _slots(states, _names(tensors, module), tensors))


def _used(state: Mapping[str, Any]) -> bool:
    if "step" in state:
        return float(state["step"]) > 0
    return any(value is not None for value in state.values())


def _iteration(optimizer: Any, states: Mapping[int, Mapping[str, Any]], called: int) -> int:
    """How many steps an optimizer has made; SGD does not count them: as many as its scheduler says."""
    trained = [t for g in optimizer.param_groups for t in g["params"] if t.requires_grad]
    counts = {int(states[id(t)].get("step", -1)) if id(t) in states else 0 for t in trained}
    if -1 in counts or not states:  # SGD, whose dampening begins with the second step
        return max(called, int(any(group.get("dampening") for group in optimizer.param_groups)))
    if len(counts) > 1:
        few, many = min(counts), max(counts)
        raise OptionError(f"some of its parameters have made {few} steps, and others {many}")
    return counts.pop()


def _names(tensors: Sequence[Any], module: Any) -> dict[int, str]:
    if not callable(getattr(module, "named_parameters", None)):
        rule = "it has made steps: the state of its parameters is found by their names"
        raise OptionError(rule, hint="solver_from_torch(optimizer, scheduler, module), or a new optimizer")
    names: dict[int, str] = {}
    for name, tensor in module.named_parameters():
        names.setdefault(id(tensor), name)
    return {id(tensor): names[id(tensor)] for tensor in tensors if id(tensor) in names}


def _slots(
    states: Mapping[int, Mapping[str, Any]], names: Mapping[int, str], tensors: Sequence[Any]
) -> dict[str, dict[str, np.ndarray]]:
    known = {name for state in states.values() for name, value in state.items() if name != "step" and value is not None}
    strange = sorted(known - SLOTS.keys())
    if strange:
        raise OptionError(f"its state {strange[0]!r} has no counterpart")
    found: dict[str, dict[str, np.ndarray]] = {SLOTS[name]: {} for name in sorted(known)}
    for tensor in tensors:
        if not tensor.requires_grad or id(tensor) not in names:
            continue
        for name in known:
            value = states.get(id(tensor), {}).get(name)
            array = np.zeros(tuple(tensor.shape)) if value is None else value.detach().double().cpu().numpy()
            found[SLOTS[name]][names[id(tensor)]] = array
    return found
