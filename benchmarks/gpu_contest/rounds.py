"""One task's contest in a process of its own: all contenders in turn, round after round, on one card.

gpu.py runs it as `python -m gpu_contest.rounds TASK SECONDS FILE`, with benchmarks/ on the path; the result is JSON,
written after every contender's start, with a burst of it alone, and after every round, so that a run cut short leaves
what it has.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any

from gpu_contest.tasks import TASKS

FRAMEWORKS = ("mochac", "torch", "jax")
BURST_S = 0.2
WHOLE = 16
"""Bursts are multiples of so many steps, the number of batches: JAX's scan takes all of them."""


def main() -> None:
    task, seconds, file = TASKS[sys.argv[1]], float(sys.argv[2]), Path(sys.argv[3])
    found: dict[str, Any] = {"task": task.name, "absent": {}, "first_s": {}, "alone": {}, "rounds": []}
    contenders = []
    for name in FRAMEWORKS:
        try:
            makers = importlib.import_module(f"gpu_contest.with_{name}").CONTENDERS
        except ImportError as error:
            found["absent"][name] = str(error)
            continue
        for make in makers:
            begin = time.perf_counter()
            try:
                contender = make(task)
                found["first_s"][make.name] = time.perf_counter() - begin
                found["alone"][make.name] = burst(contender, WHOLE)
                contenders.append(contender)
            except Exception as error:  # whatever a framework raises: the others go on
                found["absent"][make.name] = f"{type(error).__name__}: {error}"
            file.write_text(json.dumps(found, indent=1))
    if not contenders:
        file.write_text(json.dumps(found, indent=1))
        sys.exit("\n".join(["no contender runs here", *(f"{name}: {why}" for name, why in found["absent"].items())]))
    lengths = {name: WHOLE * max(1, round(BURST_S / s / WHOLE)) for name, s in found["alone"].items()}
    print(", ".join(f"{name} {n} steps a burst" for name, n in lengths.items()), flush=True)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        found["rounds"].append({c.name: burst(c, lengths[c.name]) for c in contenders})
        file.write_text(json.dumps(found, indent=1))


def burst(contender: Any, n: int) -> float:
    """Seconds a step."""
    contender.steps(3)
    begin = time.perf_counter()
    contender.steps(n)
    return (time.perf_counter() - begin) / n


if __name__ == "__main__":
    main()
