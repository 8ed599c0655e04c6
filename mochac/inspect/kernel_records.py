"""KernelRecord: one launch of a plan and its kernel, from loop nest to machine code."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from mochac.base.errors import OptionError
from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.codegen.machine import Machine
from mochac.codegen.prediction.prediction import Prediction
from mochac.inspect.forecast import Forecast, written
from mochac.ir.plan import Launch
from mochac.ir.schedule import Schedule
from mochac.runtime.backend import Backend
from mochac.runtime.lowered import Lowered, ScheduledKernel


@record
class KernelRecord:
    """One launch of a plan, with its kernel in all forms, from loop nest to machine code.

    A kernel that a device runs as several grids (ir/grids.py) has a record for each of them.

    Attributes:
        name, layers, ops: what it computes.
        flops: 2 per multiply-add of the layer's formula.
        bytes: size of its operands and results, each read or written once.
        items: number of items that threads share.
        phase: phase of the plan; kernels of one phase run at the same time.
    """

    name: str
    layers: tuple[str, ...]
    ops: tuple[str, ...]
    flops: int
    bytes: int
    items: int
    phase: int
    launch: Launch = field(repr=False)
    scheduled: ScheduledKernel = field(repr=False)
    backend: Backend = field(repr=False)
    forecast: Forecast = field(repr=False)

    @property
    def predicted(self) -> Prediction | None:
        """The prediction by the model of the machine, for one thread; None without a model."""
        return self.forecast.prediction(self.launch)

    @property
    def predicted_s(self) -> float | None:
        """Predicted seconds of its slowest thread, in a loop of all steps; None without a model or a clock rate."""
        seconds = self.forecast.seconds(self.launch)
        return seconds and self.launch.trips * seconds

    @property
    def finishes(self) -> bool:
        """Whether its kernel is finished after this launch, which is then the last of its grids."""
        return not self.launch.of

    @property
    def written(self) -> frozenset[str]:
        """The buffers that it writes."""
        return written(self.launch, self.scheduled)

    @property
    def text(self) -> str:
        """The scheduled loop nest."""
        return str(self.scheduled.scheduled)

    @property
    def staged(self) -> str:
        """The loop nests as the ops describe them, to which the schedule is applied."""
        return str(self.scheduled.staged)

    @property
    def naive(self) -> str:
        """The loop nest that they are put into by the first steps of the schedule."""
        return str(self.scheduled.naive)

    @property
    def schedule(self) -> Schedule:
        """The schedule, as data; str() prints its steps."""
        return self.scheduled.schedule

    @property
    def origin(self) -> str:
        """How the schedule was chosen: "by rule", or by a search."""
        return self.scheduled.origin

    def code(self, form: str) -> Any:
        """Code of this kernel alone, in one of the backend's forms, such as "llvm" or "ptx".

        Raises:
            OptionError: the backend has no such form. BackendError: its compiler is missing.
        """
        forms = self.backend.forms
        if form not in forms:
            rule = f"kernel {self.name!r} of backend {self.backend.name!r} has no .{form}"
            raise OptionError(rule, hint=f"its code is in .{next(iter(forms))}")
        return forms[form].make(self.backend, self.scheduled, self.launch)

    @cached_property
    def llvm(self) -> str:
        """LLVM IR of this kernel alone, as a module (CPU only)."""
        return self.code("llvm")

    @cached_property
    def assembly(self) -> str:
        """Assembly of this kernel alone (CPU only)."""
        return self.code("assembly")

    @cached_property
    def cuda(self) -> str:
        """CUDA C of this kernel alone, as a translation unit (CUDA only); a comment if a library computes it."""
        return self.code("cuda")

    @cached_property
    def cubin(self) -> bytes:
        """Machine code of this kernel alone (CUDA only); empty if a library computes it."""
        return self.code("cubin")

    @cached_property
    def ptx(self) -> str:
        """PTX of this kernel alone (CUDA only); empty if a library computes it."""
        return self.code("ptx")

    @cached_property
    def resources(self) -> Any:
        """Registers, shared and local memory of this kernel (CUDA only); BackendError if a library computes it."""
        return self.code("resources")


def kernel_records(
    lowered: Lowered, backend: Backend, threads: int | None = None, machine: Machine | None = None
) -> list[KernelRecord]:
    """A record per launch of the plan, in the order they run.

    Args:
        threads, machine: for which predictions are made; None: as many as the backend takes, and its model.
    """
    kernels = {kernel.naive.name: kernel for kernel in lowered.kernels}
    layers = {loc.layer for node in lowered.graph.nodes for loc in node.loc}
    forecast = Forecast(lowered, backend, backend.threads(threads), machine)
    return [
        _record(launch, kernels[launch.of or launch.kernel], layers, backend, forecast)
        for launch in lowered.plan.launches
    ]


def _record(
    launch: Launch, kernel: ScheduledKernel, layers: set[str], backend: Backend, forecast: Forecast
) -> KernelRecord:
    own = tuple(dict.fromkeys(_layer_of(loc.layer, layers) for loc in kernel.naive.loc))
    return KernelRecord(
        name=launch.kernel,
        layers=own,
        ops=kernel.naive.ops,
        flops=launch.flops,
        bytes=launch.moved_bytes,
        items=launch.items,
        phase=launch.phase,
        launch=launch,
        scheduled=kernel,
        backend=backend,
        forecast=forecast,
    )


def _layer_of(origin: str, layers: set[str]) -> str:
    """The layer of an origin; that of a parameter's update is `<layer>.<parameter>`."""
    layer = origin.rpartition(".")[0]
    return layer if layer in layers else origin
