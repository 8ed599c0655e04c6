"""Lowered: everything between a graph and its plan, as data.

The pipeline creates it; explain, dump and the backends' own explanations read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.codegen.canonical import named, renamed
from mochac.codegen.generator import Code, Generator, LibraryCode, Rival
from mochac.ir.applying import apply
from mochac.ir.graph import Graph, Loc
from mochac.ir.grids import launches
from mochac.ir.kernel import Kernel
from mochac.ir.plan import Compiled, Plan
from mochac.ir.schedule import Schedule

BY_LIBRARY = Schedule("library", ())
"""The schedule of a kernel that a library computes; its loop nest only shows what is computed."""


@record
class KernelNames:
    """What distinguishes a kernel from equal kernels: its name, its origin, and the names of its buffers by those of
    the canonical kernel's."""

    name: str
    loc: tuple[Loc, ...]
    buffers: Mapping[str, str]

    def on(self, kernel: Kernel) -> Kernel:
        """A form of the canonical kernel with this kernel's names."""
        return renamed(kernel, self.buffers).with_(name=self.name, loc=self.loc)


@record(eq=False)
class CanonicalKernel:
    """A canonical kernel (codegen/canonical.py) and its stages, each made when first needed.

    Attributes:
        first: the names of the first of the equal kernels, for code that shows names.
        chosen: the schedule that a search found; None: the rules choose.
    """

    kernel: Kernel
    generator: Generator
    first: KernelNames
    chosen: Schedule | None = None

    @cached_property
    def schedule(self) -> Schedule:
        return self.chosen or self.generator.choose(self.kernel)

    @cached_property
    def offers(self) -> tuple[list[Rival], list[str]]:
        """What the schedule was compared with, and the rules of which a step does not fit."""
        return self.generator.offers(self.kernel)

    @cached_property
    def scheduled(self) -> Kernel:
        return apply(self.schedule, self.kernel)

    @cached_property
    def code(self) -> Code:
        kernel = self.first.on(self.scheduled) if self.generator.names_code else self.scheduled
        return self.generator.print_kernel(kernel)


@record
class LibraryKernel:
    """Replaces a canonical kernel if a library computes it: nothing is scheduled or printed."""

    scheduled: Kernel
    code: LibraryCode
    schedule: Schedule = BY_LIBRARY


@record
class ScheduledKernel:
    """The stages of a kernel: a nest per op, as one naive nest, the schedule chosen, as scheduled, as printed.

    Attributes:
        canonical: the part that equal kernels share.
        names: the part that is its own.
        origin: what chose the schedule, for people.
    """

    staged: Kernel
    naive: Kernel
    canonical: CanonicalKernel | LibraryKernel
    names: KernelNames
    origin: str = "by rule"

    @cached_property
    def schedule(self) -> Schedule:
        return named(self.canonical.schedule, self.names.buffers)

    @cached_property
    def scheduled(self) -> Kernel:
        return self.names.on(self.canonical.scheduled)

    @property
    def code(self) -> Code:
        return self.canonical.code

    def launched(self, generator: Generator) -> tuple[tuple[Kernel, Compiled], ...]:
        """What is launched: the kernel, or its grids."""
        if isinstance(self.code, LibraryCode):
            return ((self.naive, self.code.launched()),)
        compiled = generator.launched(self.naive, self.code)
        return tuple(zip(launched_kernels(self.naive, self.scheduled), compiled, strict=True))


def launched_kernels(naive: Kernel, scheduled: Kernel) -> tuple[Kernel, ...]:
    """What is launched of a kernel: itself, or its grids."""
    found = launches(scheduled)
    return (naive,) if found == (scheduled,) else found


@record
class Lowered:
    """Everything between a Graph and its Plan.

    Attributes:
        stages: (pass name, graph after it).
        seconds: compile time by stage.
        kernel_seconds: time to schedule and print, by kernel; absent for kernels equal to an earlier one.
        convolutions: which algorithms they were allowed, "auto" or "direct".
    """

    name: str
    stages: tuple[tuple[str, Graph], ...]
    kernels: tuple[ScheduledKernel, ...]
    plan: Plan
    generator: Generator
    seconds: dict[str, float] = field(default_factory=dict)
    kernel_seconds: Mapping[str, float] = field(default_factory=dict)
    convolutions: str = "auto"

    @cached_property
    def text(self) -> str:
        """The module with all kernels that the generator prints."""
        codes = [kernel.code for kernel in self.kernels if not isinstance(kernel.code, LibraryCode)]
        return self.generator.module_text(codes, self.plan)

    @property
    def graph(self) -> Graph:
        """The graph after the last pass."""
        return self.stages[-1][1]
