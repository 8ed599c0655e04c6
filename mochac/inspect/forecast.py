"""Forecast: what the model of a machine predicts for the launches of a plan.

A launch finds what the ones before it left in the caches, so distances of reuse come from the plan, as for roofs.
"""

from __future__ import annotations

from mochac.base.threads import cached_property
from mochac.codegen.machine import Machine
from mochac.codegen.prediction.issue import cycles
from mochac.codegen.prediction.prediction import Prediction, predicted
from mochac.inspect.roofline import Access, accesses
from mochac.ir.plan import Launch
from mochac.runtime.backend import Backend
from mochac.runtime.lowered import CanonicalKernel, LibraryKernel, Lowered, ScheduledKernel


class Forecast:
    """Predictions of a plan's launches, each made when first needed.

    Args:
        threads: that share each launch.
        machine: the model; None: the backend's.
    """

    def __init__(self, lowered: Lowered, backend: Backend, threads: int, machine: Machine | None = None) -> None:
        self.plan, self.threads = lowered.plan, threads
        self._backend, self._given, self._generator = backend, machine, lowered.generator
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
        return self._given or self._backend.machine(self.threads)

    @cached_property
    def _accesses(self) -> dict[str, list[Access]]:
        launches = self.plan.launches
        writes = [written(launch, self._kernels[launch.of or launch.kernel]) for launch in launches]
        return dict(zip((launch.kernel for launch in launches), accesses(self.plan, writes), strict=True))


def written(launch: Launch, kernel: ScheduledKernel) -> frozenset[str]:
    """The buffers that a launch writes."""
    return frozenset(launch.buffers[-(launch.writes or len(kernel.naive.outputs)) :])
