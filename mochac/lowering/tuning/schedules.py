"""How much a search for schedules tries (LEVELS), and its results, as text for the cache and for explain.

The pipeline uses TunedSchedules.choose and .origin. A result applies to all kernels with the same canonical kernel.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, field
from typing import TYPE_CHECKING, Any

from mochac.base.files.cache import digest
from mochac.base.records import record

if TYPE_CHECKING:
    from mochac.ir.kernel import Kernel
    from mochac.ir.schedule import Schedule


BY_RULE = "by rule"


@record
class TunedSchedule:
    """The result of a search for one kernel's schedule.

    Attributes:
        schedule: its text; "" if none is better than the rule's.
        ratio: how many times as fast as the rule's.
        candidates: number of schedules tried besides the rule's.
        refused: why some of them were not allowed.
        remark: why the rule's schedule is kept, if not because of the search's result.
        first: how many times as fast as the rule's schedule the one is that the model of the machine predicted to be
            the fastest; 1 if that is the rule's or nothing was predicted, 0 if it was refused or not tried.
    """

    schedule: str = ""
    ratio: float = 1.0
    candidates: int = 0
    refused: tuple[str, ...] = ()
    remark: str = ""
    first: float = 0.0

    def __str__(self) -> str:
        if self.schedule:
            return f"by search: {self.ratio:.2f}x of the rule, {self._tried()}"
        if self.remark:
            return f"{BY_RULE}: {self.remark}"
        return f"{BY_RULE}: best of {self._tried()}" if self.candidates else f"{BY_RULE}: nothing else to try"

    def _tried(self) -> str:
        text = f"{self.candidates} candidate{'' if self.candidates == 1 else 's'}"
        return text + (f", {len(self.refused)} refused ({_counted(self.refused)})" if self.refused else "")


def read_schedule(fields: dict[str, Any]) -> TunedSchedule:
    """Inverse of dataclasses.asdict.

    Raises:
        ValueError: the fields are not those of a TunedSchedule.
    """
    try:
        values: dict[str, Any] = {**fields, "refused": tuple(map(str, fields["refused"]))}
        found = TunedSchedule(**values)
        str(found)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"not a tuned schedule: {error}") from None
    return found


def _counted(reasons: Iterable[str]) -> str:
    return "; ".join(reason if n == 1 else f"{n} {reason}" for reason, n in Counter(reasons).most_common())


@record
class TunedSchedules:
    """The results of searches for a plan's kernels, by `kernel_key`."""

    by_kernel: dict[str, TunedSchedule] = field(default_factory=dict)

    def choose(self, kernel: Kernel) -> Schedule | None:
        """The schedule found for a canonical kernel; None if the rule's is as good."""
        from mochac.ir.schedule import parse_schedule  # lazily: cached plans are read without the compiler

        found = self.by_kernel.get(kernel_key(kernel))
        return parse_schedule(found.schedule) if found is not None and found.schedule else None

    def origin(self, kernel: Kernel) -> str:
        """Where a canonical kernel's schedule comes from, in words."""
        found = self.by_kernel.get(kernel_key(kernel))
        return str(found) if found else BY_RULE

    @property
    def schedules(self) -> str:
        """The schedules found, by kernel, as text: what generated code depends on."""
        return json.dumps(sorted((key, f.schedule) for key, f in self.by_kernel.items() if f.schedule))

    def to_json(self) -> str:
        """Text for the cache."""
        return json.dumps({key: asdict(found) for key, found in self.by_kernel.items()})

    @classmethod
    def from_json(cls, text: str) -> TunedSchedules:
        """Inverse of to_json; ValueError if `text` is something else."""
        read = json.loads(text)
        if not isinstance(read, dict):
            raise ValueError("not schedules")
        return cls({str(key): read_schedule(fields) for key, fields in read.items()})  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def kernel_key(kernel: Kernel) -> str:
    """A key of a kernel that does not depend on its name, origin and buffer names."""
    from mochac.codegen.canonical import canonical

    return digest(str(canonical(kernel)[0]))


@record
class SearchLevel:
    """Limits of the search in one plan.

    Attributes:
        total_s: seconds for all kernels together, divided by the time they take in a step.
        candidate_s: seconds for one candidate, after which it is refused; also the maximum time of a single run.
        candidates: maximum number tried for one kernel.
        least_share: kernels that take a smaller fraction of the step keep their rules' schedules.
        rounds: rounds of a first comparison with the best so far.
        confirming: rounds of the decisive one.
        burst_s: duration of one timing.
        hops: how often the search continues with the neighbours of a better schedule.
    """

    name: str
    total_s: float
    candidate_s: float
    candidates: int
    least_share: float
    rounds: int
    confirming: int
    burst_s: float
    hops: int


LEVELS = {
    level.name: level
    for level in (
        SearchLevel("quick", 20.0, 1.0, 12, 0.02, rounds=5, confirming=15, burst_s=0.002, hops=1),
        SearchLevel("full", 300.0, 10.0, 80, 0.002, rounds=7, confirming=31, burst_s=0.004, hops=4),
    )
}
WORTH = 1.02
"""A schedule must be this many times as fast as the best so far, in both comparisons."""
