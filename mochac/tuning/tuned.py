"""tuned: schedules for the kernels of one plan, from the cache or from a search.

cached.py calls it for compile(net, tune=...). What was found is kept by plan here, and by kernel in plan_search.py, so
that neither is searched twice on one kind of machine. It loads no search for what the cache has, and knows no nets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mochac.lowering.plan_graphs import PlanGraph
from mochac.runtime.files.cache import digest
from mochac.tuning.findings import Findings
from mochac.tuning.levels import Level

if TYPE_CHECKING:
    from mochac.runtime.cpu.machine import Machine

FORMAT = "tuned-1"


@dataclass(frozen=True)
class Tuning:
    """What compile(tune=...) asks for: how much to try, and the number of threads that it is to be fast on."""

    level: Level
    threads: int


def tuned(source: PlanGraph, machine: Machine, dtype: str, tuning: Tuning, key: str | None) -> Findings:
    """Findings for the kernels of a plan.

    Args:
        key: of the plan as the rules schedule it; None: it is not to be found in the cache.

    Ctrl-C ends the search; what was found until then is returned.
    """
    plan_key = digest(FORMAT, key, tuning.level.name, str(tuning.threads)) if key else ""
    known = _read(machine, plan_key)
    if known is not None:
        return known
    from mochac.tuning.plan_search import PlanSearch

    search = PlanSearch(source, machine, dtype, tuning.level, tuning.threads)
    found = search.run()
    if plan_key and machine.cache is not None and not search.interrupted:
        machine.cache.put(plan_key, found.to_json().encode())
    return found


def _read(machine: Machine, key: str) -> Findings | None:
    entry = machine.cache.get(key) if key and machine.cache is not None else None
    try:
        return Findings.from_json(entry.decode()) if entry is not None else None
    except ValueError:  # written by something else: as good as absent
        return None
