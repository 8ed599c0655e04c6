"""Lowered: everything between a graph and its plan, as data.

The pipeline creates it; explain, dump and the backends' own explanations read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from mochac.codegen.generator import Code, Generator
from mochac.codegen.library_code import LibraryCode
from mochac.ir.graph import Graph
from mochac.ir.kernel import Kernel
from mochac.ir.program import Compiled, Plan
from mochac.ir.schedule import Schedule


@dataclass(frozen=True)
class ScheduledKernel:
    """The stages of a kernel: a nest per op, as one naive nest, the schedule chosen, as scheduled, as printed."""

    staged: Kernel
    naive: Kernel
    schedule: Schedule
    scheduled: Kernel
    code: Code
    origin: str = "by rule"
    """What chose the schedule, for people."""

    def launched(self, generator: Generator) -> tuple[tuple[Kernel, Compiled], ...]:
        """What is launched: the kernel, or its grids."""
        if isinstance(self.code, LibraryCode):
            return ((self.naive, self.code.launched()),)
        return generator.launched(self.naive, self.code)


@dataclass(frozen=True)
class Lowered:
    """Everything between a Graph and its Plan.

    Attributes:
        stages: (pass name, graph after it).
        seconds: compile time by stage.
        kernel_seconds: time to schedule and print, by kernel; absent for kernels equal to an earlier one.
    """

    name: str
    stages: tuple[tuple[str, Graph], ...]
    kernels: tuple[ScheduledKernel, ...]
    plan: Plan
    generator: Generator
    seconds: dict[str, float] = field(default_factory=dict)
    kernel_seconds: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def text(self) -> str:
        """The module with all kernels that the generator prints."""
        codes = [kernel.code for kernel in self.kernels if not isinstance(kernel.code, LibraryCode)]
        return self.generator.module_text(codes, self.plan)

    @property
    def graph(self) -> Graph:
        """The graph after the last pass."""
        return self.stages[-1][1]
