"""Roofline and Forecast: the least time a kernel could take on a machine, and the time that a model predicts.

The roof is the larger of two times: the arithmetic at the measured peak, and the bytes at the measured bandwidth of the
memory level that holds them. After Williams, Waterman, Patterson, "Roofline" (2009), with the levels of the memory
hierarchy distinguished.

A launch finds in the caches what earlier launches left there, so Forecast takes distances of reuse from the plan, as
roofs do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mochac.base.records import record
from mochac.base.support.times import Bandwidth
from mochac.base.threads import cached_property
from mochac.codegen.machine import Machine
from mochac.codegen.prediction.issue import cycles
from mochac.codegen.prediction.prediction import Prediction, predicted
from mochac.ir.plan import Launch, Placement, Plan
from mochac.runtime.backend import Backend
from mochac.runtime.lowered import CanonicalKernel, LibraryKernel, Lowered, ScheduledKernel

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


class Forecast:
    """Predictions of a plan's launches, each made when first needed.

    Args:
        threads: that share each launch.
        machine: the model; None: the backend's.
    """

    def __init__(self, lowered: Lowered, backend: Backend, threads: int, machine: Machine | None = None) -> None:
        self.plan, self.threads = lowered.plan, threads
        self._backend, self._machine, self._generator = backend, machine, lowered.generator
        self._kernels = {kernel.naive.name: kernel for kernel in lowered.kernels}
        self._known: dict[str, Prediction | None] = {}
        self._instructions: dict[CanonicalKernel, float] = {}

    def prediction(self, launch: Launch) -> Prediction | None:
        """The prediction of one thread that runs all items; None without a model, and for calls of a library."""
        if launch.kernel not in self._known:
            self._known[launch.kernel] = self._predicted(launch)
        return self._known[launch.kernel]

    def seconds(self, launch: Launch) -> float | None:
        """Seconds of the slowest thread, or of a device; None if nothing is predicted."""
        kernel = self._kernels[launch.of or launch.kernel]
        of_device = self._generator.seconds(launch, kernel.staged, kernel.naive, kernel.schedule)
        if of_device is not None:
            return of_device
        prediction = self.prediction(launch)
        return prediction and prediction.seconds(self.threads)

    def _predicted(self, launch: Launch) -> Prediction | None:
        kernel = self._kernels[launch.of or launch.kernel]
        machine = self.machine
        shared = kernel.canonical
        if machine is None or isinstance(shared, LibraryKernel):
            return None
        if shared not in self._instructions:
            self._instructions[shared] = cycles(shared.scheduled, machine)
        names = [b.name for b in (*kernel.scheduled.inputs, *kernel.scheduled.outputs)]
        placements = {placement.name: placement for placement in self.plan.placements}
        places = [placements[name] for name in launch.buffers]
        storage = {name: f"{p.place} {p.key} {p.offset}" for name, p in zip(names, places, strict=True)}
        distances = zip(names, self._accesses[launch.kernel], strict=True)
        found = {name: a.reuse_distance for name, a in distances}
        return predicted(kernel.scheduled, machine, found, storage, self._instructions[shared])

    @cached_property
    def machine(self) -> Machine | None:
        """The model."""
        return self._machine or self._backend.machine(self.threads)

    @cached_property
    def _accesses(self) -> dict[str, list[Access]]:
        launches = self.plan.launches
        writes = [written(launch, self._kernels[launch.of or launch.kernel]) for launch in launches]
        return dict(zip((launch.kernel for launch in launches), accesses(self.plan, writes), strict=True))


def written(launch: Launch, kernel: ScheduledKernel) -> frozenset[str]:
    """The buffers that a launch writes."""
    return frozenset(launch.buffers[-(launch.writes or len(kernel.naive.outputs)) :])
