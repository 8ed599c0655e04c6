"""MOCHAC_VERIFY=1: verifies every stage and names the one that broke a rule. MOCHAC_DEBUG: prints stages to stderr.

A violation is an error in mochac and becomes an InternalError.

check_native runs the code of every kernel of a plan once, alone, and compares its results with the interpreter's. With
MOCHAC_VERIFY=1, this is done before a plan runs. It finds mistakes of the printers, which verifiers of the IR
cannot see.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from mochac.base.errors import InternalError
from mochac.base.records import record
from mochac.base.support.memory import ManagedArray, aligned_empty
from mochac.codegen.generator import Generator
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_verify import KernelVerifyError, verify_kernel
from mochac.ir.passes.plan_memory import launch_of
from mochac.ir.passes.verify_plan import verify_plan
from mochac.ir.plan import Compiled, Launch, Placement, Plan
from mochac.ir.types import DTYPES, TensorType, garbage, to_logical, to_storage
from mochac.ir.verifier import VerifyError, verify
from mochac.lowering.operands import Operands, any_operands, draw_inputs, mismatch, operands
from mochac.runtime.backend import Backend, Executor
from mochac.runtime.lowered import LibraryKernel, Lowered, ScheduledKernel


def verify_all(lowered: Lowered, backend: Backend) -> None:
    """Run the verifiers of graphs, kernels and plan, and the backend's verifier of the generated code.

    Raises:
        InternalError: with the stage and the rule.
    """
    for name, graph in lowered.stages:
        _check(f"pass {name!r} broke the graph", lambda graph=graph: verify(graph))
    for k in lowered.kernels:
        _check(f"kernel {k.naive.name!r} is lowered wrongly", lambda k=k: verify_kernel(k.staged))
        _check(f"the nests of {k.naive.name!r} are put together wrongly", lambda k=k: verify_kernel(k.naive))
        _check(
            f"schedule {k.schedule.name!r} broke kernel {k.naive.name!r}",
            lambda k=k: verify_kernel(k.scheduled, printable=True),
        )
    launched = tuple(kernel for k in lowered.kernels for kernel, _ in k.launched(lowered.generator))
    _check("the plan breaks a rule", lambda: verify_plan(lowered.graph, launched, lowered.plan))
    _check(f"the generated {backend.language} is invalid", lambda: backend.verify(lowered.text))


def report(lowered: Lowered, level: int) -> None:
    """Print by level: 1 plan, 3 graph after every pass, 4 scheduled kernels, 5 LLVM IR; 2 is report_times."""
    plan = lowered.plan
    lines = [
        f"mochac: plan {plan.name}: {len(plan.launches)} kernels, {plan.phases} phases, arena {plan.arena_bytes} bytes"
    ]
    if level >= 3:
        lines += [f"# after {name}\n{graph}" for name, graph in lowered.stages]
    if level >= 4:
        lines += [f"{k.schedule}\n{k.scheduled}" for k in lowered.kernels]
    if level >= 5:
        lines.append(lowered.text)
    print("\n".join(lines), file=sys.stderr)


def report_times(lowered: Lowered, backend: Backend) -> None:
    """Compile time by stage and by kernel; for that, every kernel is compiled once more, alone, if that is fast."""
    lines = ["mochac: " + ", ".join(f"{s} {1e3 * t:.1f} ms" for s, t in lowered.seconds.items())]
    alone: dict[str, float] = {}
    for k in lowered.kernels if backend.times_kernels else ():
        if k.code.symbol not in alone:
            text = lowered.generator.module_text([k.code])
            begin = perf_counter()
            backend.compile(text)
            alone[k.code.symbol] = perf_counter() - begin
            spent = lowered.kernel_seconds.get(k.naive.name, 0.0)
            times = f"schedule and print {1e3 * spent:.1f} ms, object code {1e3 * alone[k.code.symbol]:.1f} ms"
            lines.append(f"mochac:   {k.naive.name}: {times}")
    print("\n".join(lines), file=sys.stderr)


def _check(what: str, verifier: Callable[[], None]) -> None:
    try:
        verifier()
    except (VerifyError, KernelVerifyError, ValueError, RuntimeError) as error:
        raise InternalError(what, details=str(error).splitlines()) from error


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
