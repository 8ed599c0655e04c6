"""native_check: runs the code of every kernel of a plan once, alone, and compares its results with the interpreter's.

With MOCHAC_VERIFY=1, this is done before a plan runs. It finds mistakes of the printers, which verifiers of the IR
cannot see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mochac.base.errors import InternalError
from mochac.base.records import record
from mochac.base.support.memory import ManagedArray, aligned_empty
from mochac.codegen.generator import Generator
from mochac.ir.kernel import Kernel
from mochac.ir.passes.plan_memory import launch_of
from mochac.ir.plan import Compiled, Launch, Placement, Plan
from mochac.ir.types import DTYPES, TensorType, garbage, to_logical, to_storage
from mochac.lowering.operands import Operands, any_operands, draw_inputs, mismatch, operands
from mochac.runtime.backend import Backend, Executor
from mochac.runtime.lowered import LibraryKernel, Lowered, ScheduledKernel


def check_native(lowered: Lowered, backend: Backend) -> None:
    """Run each different kernel that the generator has printed, on random operands.

    Raises:
        InternalError: a result differs from the interpreter's by more than its operations allow; the message names
            the kernel, its layers and the schedule.
    """
    inputs, seen = draw_inputs(lowered.stages[0][1]), set[int]()
    for kernel in lowered.kernels:
        if isinstance(kernel.canonical, LibraryKernel) or id(kernel.canonical) in seen:
            continue
        seen.add(id(kernel.canonical))
        known = operands(lowered.graph, kernel.naive, inputs) or any_operands(kernel.naive)
        found = LoneKernel.of(lowered, kernel).run(backend, known)
        for buffer, wanted, got in zip(kernel.naive.outputs, known.wanted, found, strict=True):
            wrong = mismatch(kernel.naive, wanted, got)
            if wrong:
                layers = ", ".join(dict.fromkeys(loc.layer for loc in kernel.naive.loc)) or "none"
                raise InternalError(
                    f"the code of kernel {kernel.naive.name!r} does not compute what the interpreter does",
                    details=[f"schedule {kernel.schedule.name!r}, layers: {layers}", f"result %{buffer.name}: {wrong}"],
                )


@record
class LoneKernel:
    """A kernel with storage of its own for every buffer.

    Attributes:
        kernel: as a naive nest.
        launches: its launches, with names of storage as their buffers.
        homes: name of the storage of each buffer.
        types: of the storage, by name.
        counters: names of storage that is zero before and after each run.
        text: the module with its code.
    """

    kernel: Kernel
    launches: tuple[Launch, ...]
    homes: Mapping[str, str]
    types: Mapping[str, TensorType]
    counters: frozenset[str]
    text: str

    @classmethod
    def of(cls, lowered: Lowered, kernel: ScheduledKernel) -> LoneKernel:
        """A kernel of a plan. As in the plan, a new state has the storage of the old one."""
        homes = {p.name: f"state {p.key}" for p in lowered.plan.placements if p.place == "state"}
        return cls.placed(kernel.naive, kernel.code, kernel.launched(lowered.generator), lowered.generator, homes)

    @classmethod
    def placed(
        cls,
        kernel: Kernel,
        code: Any,
        launched: Sequence[tuple[Kernel, Compiled]],
        generator: Generator,
        homes: Mapping[str, str],
    ) -> LoneKernel:
        """A kernel and what is launched for it. Buffers that `homes` does not name have storage of their own, unless
        they begin as an input."""
        buffers = {b.name: b for grid, _ in launched for b in (*grid.inputs, *grid.outputs)}
        homes = {name: homes.get(b.begins or name, b.begins or name) for name, b in buffers.items()}
        types = {homes[name]: TensorType(b.type.dtype, (b.type.storage_elems,)) for name, b in buffers.items()}
        launches = (launch_of(grid, phase, compiled) for phase, (grid, compiled) in enumerate(launched))
        stored = tuple(replace(launch, buffers=tuple(homes[name] for name in launch.buffers)) for launch in launches)
        text = generator.module_text([code], Plan("alone", (), stored, (), (), 0, 0))
        counters = frozenset(homes[name] for name, b in buffers.items() if b.space == "counter")
        return cls(kernel, stored, homes, types, counters, text)

    def run(self, backend: Backend, known: Operands) -> list[np.ndarray]:
        """Run it once; its results in logical order."""
        bound = self.bound(backend, known)
        try:
            return bound.results()
        finally:
            bound.close()

    def bound(self, backend: Backend, known: Operands) -> BoundKernel:
        """The kernel in memory of its own, with these operands."""
        states = {home: ManagedArray(_garbage(kind)) for home, kind in self.types.items()}
        for home in self.counters:
            states[home].storage[...] = 0
        for buffer, array in zip(self.kernel.inputs, known.inputs, strict=True):
            states[self.homes[buffer.name]].storage[...] = to_storage(array, buffer.type).reshape(-1)
        placements = tuple(Placement(home, kind, "state", home) for home, kind in self.types.items())
        plan = Plan("alone", placements, self.launches, (), (), 0, 0)
        return BoundKernel(self, backend.bind(plan, [backend.compile(self.text)], states), states)


@record
class BoundKernel:
    """A lone kernel in memory, and its operands."""

    alone: LoneKernel
    runner: Executor
    states: Mapping[str, ManagedArray]

    def results(self) -> list[np.ndarray]:
        """Run it once; its results in logical order."""
        self.runner.run(1, [{}], {})
        homes = self.alone.homes
        return [to_logical(self.states[homes[b.name]].values.copy(), b.type) for b in self.alone.kernel.outputs]

    def seconds(self, runs: int) -> float:
        """How long a run takes."""
        return float(self.runner.profile(runs, [{}] * runs, {}).launches.sum())

    def close(self) -> None:
        """Release its memory and code."""
        self.runner.close()


def _garbage(kind: TensorType) -> np.ndarray:
    array = aligned_empty(kind.shape, DTYPES[kind.dtype])
    array[...] = garbage((1,), kind.dtype)
    return array
