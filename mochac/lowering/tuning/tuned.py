"""tuned: schedules for the kernels of one plan, from the cache or from a search, or from the user.

Results are stored by plan here, and by kernel in search.py, so that neither is searched twice on one kind of
machine. Reading them from the cache does not import the search.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from mochac.base.files.cache import digest
from mochac.base.records import record
from mochac.lowering.plan_graphs import PlanGraph
from mochac.lowering.tuning.schedules import SearchLevel, TunedSchedules
from mochac.runtime.backend import Backend

if TYPE_CHECKING:
    from mochac.lowering.tuning.edited import EditedSchedules

FORMAT = "tuned-2"


@record
class Tuning:
    """What compile(tune=...) asks for: the level, and the number of threads to optimize for."""

    level: SearchLevel
    threads: int


def tuned(source: PlanGraph, backend: Backend, dtype: str, tuning: Tuning, key: str | None) -> TunedSchedules:
    """Schedules for the kernels of a plan.

    Ctrl-C ends the search; the results so far are returned.

    Args:
        key: plan_key of the plan; None: do not use the cache.
    """
    plan_key = digest(FORMAT, key, tuning.level.name, str(tuning.threads)) if key else ""
    known = _read(backend, plan_key)
    if known is not None:
        return known
    from mochac.lowering.tuning.search import PlanSearch

    search = PlanSearch(source, backend, dtype, tuning.level, tuning.threads)
    found = search.run()
    if plan_key and backend.cache is not None and not search.interrupted:
        backend.cache.put(plan_key, found.to_json().encode())
    return found


def edited_schedules(directory: str | PathLike[str] | None, backend: Backend) -> EditedSchedules | None:
    """The schedules of compile(schedules=), for this backend.

    Raises:
        OptionError: see read_edited.
    """
    if directory is None:
        return None
    from mochac.lowering.tuning.edited import read_edited

    return read_edited(Path(directory), backend.generator)


def _read(backend: Backend, key: str) -> TunedSchedules | None:
    entry = backend.cache.get(key) if key and backend.cache is not None else None
    try:
        return TunedSchedules.from_json(entry.decode()) if entry is not None else None
    except ValueError:  # written by something else: treat it as absent
        return None
