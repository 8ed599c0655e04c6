"""The least time a kernel could take on a machine: the larger of its arithmetic at the measured peak and its bytes at
the measured bandwidth of the level that holds them.

profile.py asks once per plan. Williams, Waterman, Patterson, "Roofline" (2009), with the levels of the memory hierarchy
told apart. It runs and measures nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mochac.ir.program import Launch, Placement, Plan
from mochac.runtime.support.rates import Bandwidth

ARITHMETIC = "peak"
Home = tuple[str, str, int]
"""Where storage is: place, key and offset of its placement."""


@dataclass(frozen=True)
class Access:
    """A launch's use of one piece of storage.

    Attributes:
        far: bytes of everything used since the storage was used last, itself included: a cache of that size still
            holds it.
    """

    n_bytes: int
    written: bool
    far: int


@dataclass(frozen=True)
class Roof:
    """Bound of one launch.

    Attributes:
        seconds: no run takes less.
        by: "peak" where arithmetic takes longest, else the level whose bandwidth does.
    """

    seconds: float
    by: str


def accesses(plan: Plan, writes: Sequence[frozenset[str]]) -> list[list[Access]]:
    """Per launch, what it reads and writes; steps follow each other, so the first launch finds what the last one left.

    Args:
        writes: per launch, which of its buffers are outputs.
    """
    placements = {placement.name: placement for placement in plan.placements}
    recent: dict[Home, int] = {}
    found: list[list[Access]] = []
    for launch, outputs in [*zip(plan.launches, writes, strict=True)] * 2:
        uses = [
            (_home(placements[name]), placements[name].type.storage_bytes, name in outputs) for name in launch.buffers
        ]
        used = {home: n_bytes for home, n_bytes, _ in uses}
        found.append([Access(n_bytes, written, _far(recent, home, used)) for home, n_bytes, written in uses])
        recent = {home: n_bytes for home, n_bytes in recent.items() if home not in used} | used
    return found[len(plan.launches) :]


def _home(placement: Placement) -> Home:
    return placement.place, placement.key, placement.offset


def _far(recent: Mapping[Home, int], wanted: Home, used: Mapping[Home, int]) -> int:
    """Bytes used since `wanted` was, together with what is used now."""
    order = list(recent)
    since = order[order.index(wanted) :] if wanted in recent else order
    return sum(({home: recent[home] for home in since} | dict(used)).values())


def roof(launch: Launch, moved: Sequence[Access], peak_gflops: float, bandwidth: Bandwidth) -> Roof:
    """The bound of a launch; bytes that come from a level pass all nearer ones as well."""
    bounds = [(launch.flops / peak_gflops / 1e9, ARITHMETIC)]
    for k, level in enumerate(bandwidth.levels):
        passing = [a for a in moved if bandwidth.levels.index(bandwidth.holding(a.far)) >= k]
        read = sum(a.n_bytes for a in passing if not a.written)
        written = sum(a.n_bytes for a in passing if a.written)
        bounds.append((level.seconds(read, written), level.name))
    return Roof(*max(bounds, key=lambda bound: bound[0]))
