"""Contender: something that trains or predicts a task's net, as the rounds see it; and the list of those present.

rounds.py times them, agreement.py compares their values. It knows no framework.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from typing import Protocol

from contest.task import Arrays, Data, Task

PLAN = "mochac plan"
TRAIN, PREDICT = "mochac train()", "mochac predict()"
ROUNDED = "mochac train(), bfloat16"
OURS = (PLAN, TRAIN, PREDICT, ROUNDED)
"""Names of mochac's contenders; any other is a peer."""


class Contender(Protocol):
    """One way to train or predict; made ready to run, compilation included, when it is constructed."""

    name: str

    def reset(self) -> None:
        """Back to the data's weights and first batch, momentum zero."""
        ...

    def steps(self, n: int) -> None:
        """Run n steps, or n times the prediction of a batch, and wait for the last one."""
        ...

    def values(self) -> Arrays:
        """What all must agree about: copies of the weights now, or of the last prediction."""
        ...

    def close(self) -> None:
        """Release what it holds."""
        ...


FRAMEWORKS = {"mochac": "mochac", "torch": "PyTorch", "jax": "JAX"}


def field(
    task: Task, data: Data, threads: int, kind: str, without: Sequence[str], say: Callable[[str], None]
) -> list[Contender]:
    """Every contender that can be made here; the others are named with the reason.

    Args:
        kind: "TRAINERS", "PREDICTORS", "EXACT" (one that also trains in float64) or "ROUNDED_TRAINERS" (those in
            bfloat16, and mochac in float32), the list of each with_NAME.py.
        without: leaves out peers whose name contains one of these; frameworks with such a title are not imported.
    """
    found: list[Contender] = []
    for module, title in FRAMEWORKS.items():
        if title in without:
            continue
        if importlib.util.find_spec(module) is None:
            say(f"{title} is not installed: left out")
            continue
        for make in getattr(importlib.import_module(f"contest.with_{module}"), kind):
            if not make.suits(task) or (make.name not in OURS and any(part in make.name for part in without)):
                continue
            try:
                found.append(make(task, data, threads))
            except Exception as error:  # a peer's compiler may be missing or fail in any way
                if make.name in OURS:
                    raise
                first = str(error).strip().splitlines() or [""]
                say(f"{make.name} fails and is left out: {type(error).__name__}: {first[0]}")
    return found
