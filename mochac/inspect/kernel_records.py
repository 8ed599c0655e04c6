"""KernelRecord: one kernel of a plan, from loop nest to machine code."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, cast

from mochac.errors import BackendError, OptionError
from mochac.ir.program import Launch
from mochac.ir.schedule import Schedule
from mochac.lowering.backends import backend_of
from mochac.lowering.machines import AnyMachine
from mochac.lowering.pipeline import Lowered, ScheduledKernel

if TYPE_CHECKING:
    from mochac.runtime.cpu.machine import Machine
    from mochac.runtime.cuda.compiler import Resources


@dataclass(frozen=True)
class KernelRecord:
    """One kernel of a plan, in every form on its way to machine code.

    Attributes:
        name, layers, ops: what it computes.
        flops: 2 per multiply-add of the layer's formula.
        bytes: of its operands and results, each read or written once.
        items: what threads share.
        phase: of the plan; kernels of one phase run at the same time.
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
    machine: AnyMachine = field(repr=False)

    @property
    def backend(self) -> str:
        """ "cpu" or "cuda"."""
        return self.machine.backend

    @property
    def text(self) -> str:
        """The loop nest as scheduled."""
        return str(self.scheduled.scheduled)

    @property
    def naive(self) -> str:
        """The loop nest before its schedule."""
        return str(self.scheduled.naive)

    @property
    def schedule(self) -> Schedule:
        """The schedule, as data; str() prints its steps."""
        return self.scheduled.schedule

    @property
    def origin(self) -> str:
        """How the schedule was chosen: "by rule", or by a search."""
        return self.scheduled.origin

    @cached_property
    def llvm(self) -> str:
        """LLVM IR of this kernel alone, as a module; OptionError on CUDA."""
        self._require("cpu", "llvm", "cuda")
        return backend_of(self.machine.target).module_text([self.scheduled.code])

    @cached_property
    def assembly(self) -> str:
        """Assembly of this kernel alone; made when first asked for. OptionError on CUDA."""
        from mochac.runtime.cpu.compiler import assembly

        return assembly(self.llvm, cast("Machine", self.machine).cpu)

    @cached_property
    def cuda(self) -> str:
        """CUDA C of this kernel alone, as a translation unit; a comment where a library computes it.

        Raises:
            OptionError: on a CPU.
        """
        self._require("cuda", "cuda", "llvm")
        if self.launch.call:
            return self.scheduled.code.text
        return backend_of(self.machine.target).module_text([self.scheduled.code])

    @cached_property
    def cubin(self) -> bytes:
        """Machine code of this kernel alone, empty where a library computes it; BackendError without a compiler."""
        if self.launch.call:
            return b""
        from mochac.runtime.cuda.compiler import compile_cubin

        return compile_cubin(self.cuda, self.machine.target.name, self.machine.cache)

    @cached_property
    def ptx(self) -> str:
        """PTX of this kernel alone, empty where a library computes it; BackendError without a compiler."""
        if self.launch.call:
            return ""
        from mochac.runtime.cuda.compiler import compile_ptx

        return compile_ptx(self.cuda, self.machine.target.name, self.machine.cache)

    @cached_property
    def resources(self) -> Resources:
        """Registers, shared and local memory of this kernel; BackendError without a CUDA compiler or where a library
        computes it."""
        if self.launch.call:
            raise BackendError(f"{self.launch.symbol} computes kernel {self.name!r}; what it takes is not known")
        from mochac.runtime.cuda.compiler import resource_use

        by_symbol = resource_use(self.cuda, self.machine.target.name, self.machine.cache)
        if self.launch.symbol not in by_symbol:
            raise BackendError(f"the CUDA compiler does not say what kernel {self.name!r} takes")
        return by_symbol[self.launch.symbol]

    def _require(self, backend: str, what: str, instead: str) -> None:
        if self.machine.backend != backend:
            hint = f"its code is in .{instead}"
            raise OptionError(f"kernel {self.name!r} of backend {self.backend!r} has no .{what}", hint=hint)


def kernel_records(lowered: Lowered, machine: AnyMachine) -> list[KernelRecord]:
    """A record per launch of the plan, in the order they run."""
    kernels = {kernel.naive.name: kernel for kernel in lowered.kernels}
    layers = {loc.layer for node in lowered.graph.nodes for loc in node.loc}
    return [_record(launch, kernels[launch.kernel], layers, machine) for launch in lowered.plan.launches]


def _record(launch: Launch, kernel: ScheduledKernel, layers: set[str], machine: AnyMachine) -> KernelRecord:
    own = tuple(dict.fromkeys(_layer_of(loc.layer, layers) for loc in kernel.naive.loc))
    how = {"flops": launch.flops, "bytes": launch.moved_bytes, "items": launch.items, "phase": launch.phase}
    return KernelRecord(launch.kernel, own, kernel.naive.ops, **how, launch=launch, scheduled=kernel, machine=machine)


def _layer_of(origin: str, layers: set[str]) -> str:
    """The layer of an origin: a parameter's update comes from `<layer>.<parameter>`."""
    layer = origin.rpartition(".")[0]
    return layer if layer in layers else origin
