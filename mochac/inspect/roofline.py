"""Roofline: the least time a kernel could take on a machine.

It is the larger of two times: its arithmetic at the measured peak, and its bytes at the measured bandwidth of the
memory level that holds them. After Williams, Waterman, Patterson, "Roofline" (2009), with the levels of the memory
hierarchy distinguished.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mochac.base.records import record
from mochac.base.support.rates import Bandwidth
from mochac.ir.plan import Placement, Plan

ARITHMETIC = "peak"
Storage = tuple[str, str, int]
"""Place, key and offset of a placement."""


@record
class Access:
    """A launch's access to one piece of storage.

    Attributes:
        reuse_distance: bytes of everything accessed since the last access to this storage, itself included: a cache of
            that size still holds it.
    """

    n_bytes: int
    written: bool
    reuse_distance: int


@record
class Roof:
    """The lower bound of a launch's time.

    Attributes:
        seconds: the bound.
        by: what determines it: "peak", or the memory level whose bandwidth does.
    """

    seconds: float
    by: str


def accesses(plan: Plan, writes: Sequence[frozenset[str]]) -> list[list[Access]]:
    """What each launch reads and writes. Steps follow each other, so the first launch finds what the last one left.

    Args:
        writes: per launch, which of its buffers are outputs.
    """
    placements = {placement.name: placement for placement in plan.placements}
    recent: dict[Storage, int] = {}
    by_launch: list[list[Access]] = []
    for launch, outputs in [*zip(plan.launches, writes, strict=True)] * 2:
        uses = [(placements[name], placements[name].type.storage_bytes, name in outputs) for name in launch.buffers]
        used = {_storage(placement): n_bytes for placement, n_bytes, _ in uses}
        by_launch.append(
            [Access(n_bytes, written, _reuse_distance(recent, _storage(p), used)) for p, n_bytes, written in uses]
        )
        recent = {storage: n_bytes for storage, n_bytes in recent.items() if storage not in used} | used
    return by_launch[len(plan.launches) :]


def _storage(placement: Placement) -> Storage:
    return placement.place, placement.key, placement.offset


def _reuse_distance(recent: Mapping[Storage, int], storage: Storage, used: Mapping[Storage, int]) -> int:
    """Bytes accessed since the last access to `storage`, with what is accessed now."""
    order = list(recent)
    since = order[order.index(storage) :] if storage in recent else order
    return sum(({each: recent[each] for each in since} | dict(used)).values())


def roof(flops: float, moved: Sequence[Access], peak_gflops: float, bandwidth: Bandwidth) -> Roof:
    """The bound of a launch of so many operations; bytes from one level also pass through all levels above it."""
    bounds = [(flops / peak_gflops / 1e9, ARITHMETIC)]
    for k, level in enumerate(bandwidth.levels):
        passing = [a for a in moved if bandwidth.levels.index(bandwidth.holding(a.reuse_distance)) >= k]
        read = sum(a.n_bytes for a in passing if not a.written)
        written = sum(a.n_bytes for a in passing if a.written)
        bounds.append((level.seconds(read, written), level.name))
    return Roof(*max(bounds, key=lambda bound: bound[0]))
