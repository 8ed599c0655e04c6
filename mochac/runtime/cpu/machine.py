"""The machine code is made for: target, cache and object code; and a runner for bare graphs.

Program and the tests go through it. It joins codegen (which knows no machine) with runtime/native (which knows no
kernels).
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.graph import Graph
from mochac.ir.types import DTYPES
from mochac.lowering.compiled_plan import CompiledPlan
from mochac.lowering.sources import generator
from mochac.options import Options
from mochac.runtime.cpu import compiler, perf_map
from mochac.runtime.cpu.compiler import CpuInfo
from mochac.runtime.cpu.cpuinfo import host_cpu
from mochac.runtime.files.cache import Cache
from mochac.runtime.support.aligned import aligned_empty
from mochac.runtime.support.managed_array import ManagedArray
from mochac.runtime.support.rates import Peak, confirmed

if TYPE_CHECKING:
    from mochac.lowering.machines import AnyMachine
    from mochac.runtime.cpu.executor import CpuExecutor
    from mochac.runtime.support.rates import Bandwidth


BURSTS, BURST_S = 4, 0.008
"""Of the peak's measurement."""


def target_of(cpu: CpuInfo) -> CpuTarget:
    """What codegen needs to know of a CPU."""
    return CpuTarget(cpu.name, cpu.vector_bytes, cpu.vector_registers, cpu.vector_bytes > 16)


@lru_cache(maxsize=4)
def cache_in(folder: str) -> Cache:
    """The cache in a folder, one object a process."""
    from pathlib import Path

    return Cache(Path(folder))


class Machine:
    """A CPU, with its cache of object code (or None).

    Args:
        cpu: one to generate code for, which this machine need not be able to run; None: MOCHAC_CPU, else this one.
    """

    backend = "cpu"
    ask = None
    """No library computes anything here (CudaMachine.ask)."""

    def __init__(self, options: Options | None = None, cpu: CpuInfo | None = None) -> None:
        self.options = options or Options.from_env()
        self.cpu = cpu or host_cpu(self.options.cpu or None)
        self.target = target_of(self.cpu)
        self.cache = cache_in(str(self.options.cache_dir)) if self.options.cache else None
        if self.options.perf:
            perf_map.switch_on()

    def __str__(self) -> str:
        return f"backend cpu ({self.cpu.name}): vectors of {self.cpu.vector_bytes} bytes"

    @property
    def versions(self) -> tuple[str, ...]:
        """What code depends on besides the graph."""
        return (*generator(), self.cpu.key, compiler.llvm_version())

    def called(self, graph: Graph) -> tuple[str, ...]:
        """As for CudaMachine."""
        return ()

    def lanes(self, dtype: str) -> int:
        """Samples of one vector."""
        return self.target.lanes(dtype)

    def peak(self, threads: int) -> Peak:
        """Best rate of some short bursts of multiply-adds, since a neighbour may take a core away."""
        from mochac.runtime.cpu.peak import PeakLoop

        with closing(PeakLoop(threads, self.cpu, self.cache)) as loop:
            best = confirmed([loop.gflops(BURST_S, by_thread=True) for _ in range(BURSTS)])
        return Peak(best, f"{threads} thread{'s' * (threads > 1)} reach{'es' * (threads == 1)} in multiply-adds")

    def bandwidth(self, threads: int) -> Bandwidth:
        """What caches and memory deliver now."""
        from mochac.runtime.cpu.bandwidth import bandwidth

        return bandwidth(threads, self.cpu, self.cache)

    def objects(self, text: str) -> list[bytes]:
        """Object code of a module."""
        return [compiler.compile_cached(text, self.cpu, self.cache)]

    def resident_sets(self, dtype: str) -> None:
        """Data sets stay where they are."""

    def bind(
        self, compiled: CompiledPlan, states: Mapping[str, np.ndarray | ManagedArray], threads: int | None
    ) -> CpuExecutor:
        """A compiled plan bound to storage, ready to run."""
        from mochac.runtime.cpu.executor import CpuExecutor

        arrays = {key: a.storage if isinstance(a, ManagedArray) else a for key, a in states.items()}
        return CpuExecutor(compiled.plan, compiled.objects, arrays, threads or self.options.threads, cache=self.cache)


def run_graph(
    graph: Graph,
    inputs: Mapping[str, np.ndarray],
    *,
    threads: int = 1,
    dtype: str = "f32",
    machine: AnyMachine | None = None,
    **how: Any,
) -> dict[str, np.ndarray]:
    """Compile a graph for this machine (None: its CPU) and run it once.

    Args:
        inputs: an array per graph input, in logical shape.
        dtype: sets the lanes, "f32" or "f64".
        how: fused=, layout=, chooser= of pipeline.lower.

    Returns:
        the outputs by name, and each updated input's new value under "update <name>".
    """
    from mochac.lowering.pipeline import lower

    machine = machine or Machine()
    outputs = {name: name for name in graph.outputs}
    lowered = lower(graph, machine.target, scalars={}, named=outputs, dtype=dtype, ask=machine.ask, **how)
    compiled = CompiledPlan(lowered.plan, machine.objects(lowered.text), lambda: lowered)
    kinds = {i.name: i for i in graph.inputs}
    states = {}
    for i in graph.inputs:
        if i.role in ("param", "slot", "const"):
            states[i.name] = ManagedArray(aligned_empty(i.type.shape, DTYPES[i.type.dtype]))
            states[i.name].storage[...] = inputs[i.name]
    plan = machine.bind(compiled, states, threads)
    feeds = {
        n: np.asarray(a, DTYPES[kinds[n].type.dtype], order="C") for n, a in inputs.items() if kinds[n].role == "data"
    }
    hyper = {n: a for n, a in inputs.items() if kinds[n].role == "hyper"}
    plan.run(1, [feeds], hyper)
    results = {name: plan.read(name) for name in graph.outputs}
    results.update({f"update {name}": states[name].values.copy() for name, _ in graph.updates})
    plan.close()
    return results
