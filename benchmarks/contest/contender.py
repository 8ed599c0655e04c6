"""Contender: something that trains LeNet, as the rounds see it; and the list of those present.

rounds.py times them, agreement.py compares their weights. It knows no framework.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from typing import Protocol

from contest.task import Task, Weights

PLAN, TRAIN = "mochac plan", "mochac train()"
"""Names of mochac's contenders; any other is a peer."""


class Contender(Protocol):
    """One way to train; made ready to run, compilation included, when it is constructed."""

    name: str

    def reset(self) -> None:
        """Back to the task's weights, momentum zero, first batch."""
        ...

    def steps(self, n: int) -> None:
        """Run n steps and wait for the last one."""
        ...

    def weights(self) -> Weights:
        """Copies of the weights now."""
        ...


FRAMEWORKS = {"mochac": "mochac", "torch": "PyTorch", "jax": "JAX"}


def field(task: Task, threads: int, say: Callable[[str], None]) -> list[Contender]:
    """Every contender that can be made here; the others are named with the reason."""
    found: list[Contender] = []
    for module, title in FRAMEWORKS.items():
        if importlib.util.find_spec(module) is None:
            say(f"{title} is not installed: left out")
            continue
        for make in importlib.import_module(f"contest.with_{module}").CONTENDERS:
            try:
                found.append(make(task, threads))
            except Exception as error:  # a peer's compiler may be missing or fail in any way
                if module == "mochac":
                    raise
                first = str(error).strip().splitlines() or [""]
                say(f"{title} ({make.__name__}) fails and is left out: {type(error).__name__}: {first[0]}")
    return found
