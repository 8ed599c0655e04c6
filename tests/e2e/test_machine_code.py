"""LeNet's machine code for fixed CPUs: no vector register is spilled, and LLVM's middle end would find nothing to do.

Counts of instructions, so the machine that runs the tests does not matter. Where O2 needs over 5 % fewer instructions
in the loops that do the work, the printer is at fault.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import llvmlite.binding as llvm
import numpy as np
import pytest

from mochac import (
    ConvolutionLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    Neurons,
    PoolingLayer,
    SoftmaxLossLayer,
)
from mochac.codegen.cpu.generator import CpuGenerator
from mochac.codegen.cpu.module import print_module
from mochac.lowering.pipeline import lower
from mochac.lowering.plan_graphs import step_plan
from mochac.nets.solvers.update import Update
from mochac.nets.trace import trace
from mochac.runtime.cpu.backend import target_of
from mochac.runtime.cpu.compiler import assembly, triple
from mochac.runtime.cpu.cpuinfo import named_cpu
from mochac.runtime.lowered import ScheduledKernel

pytestmark = pytest.mark.slow

CPUS = ("skylake-avx512", "znver5", "haswell")
MOST_EXCESS = 1.05
KNOWN_SPILLS = {
    ("haswell", "conv2.conv_dx"): 8,
    ("haswell", "conv1.conv+pool1"): 21,
    ("haswell", "conv2.conv+pool2"): 20,
}
"""Their tiles take all 16 registers, and LLVM keeps loads for all unrolled columns of the kernel. The pooled ones hold
3 x 4 accumulators, since 2 x 4 do not hide Haswell's latency of 5 (this code on Sapphire Rapids: 88 % of peak, 78 with
2 x 4, which do not spill)."""

KNOWN_EXCESS = {("haswell", "conv1.relayout"): 4, ("haswell", "ip1.relayout"): 4}
"""Instructions that O2 saves in a loop of 54 that waits for memory: of an item p it makes q*a + (p - 100*q)*b, for the
quotient q = p / 100, into p*b + q*(a - 100*b)."""


@dataclass(frozen=True)
class Loop:
    """An innermost loop: a block that jumps back to itself."""

    function: str
    instructions: tuple[str, ...]

    @property
    def works(self) -> bool:
        """It computes; clearing and copying loops become calls of memset and memcpy under O2."""
        moves = ("vmov", "mov", "add", "sub", "inc", "dec", "cmp", "lea", "j")
        return any(not i.startswith(moves) for i in self.instructions)


def loops(text: str) -> list[Loop]:
    """All innermost loops of an assembly text."""
    found, function, label, block = [], "", "", []
    for line in text.splitlines():
        if start := re.match(r"(k_\w+):", line):
            function, label, block = start[1], "", []
        elif start := re.match(r"(\.LBB\w+):|# %bb", line):
            label, block = start[1] or "", []
        elif re.match(r"\s+[a-z]", line):
            block.append(line.strip())
            if label and re.match(rf"j\w+\s+{re.escape(label)}\b", block[-1]):
                found.append(Loop(function, tuple(block)))
    return found


@lru_cache(maxsize=1)
def graph():
    """LeNet's training step at batch 64."""
    net = Net(
        "lenet",
        [
            MemoryDataLayer(name="data", data=[np.zeros((64, 1, 28, 28), np.float32), np.zeros(64)], batch_size=64),
            ConvolutionLayer(name="conv1", n_filter=20, kernel=5, bottoms=["data"]),
            PoolingLayer(name="pool1", kernel=2, stride=2, bottoms=["conv1"]),
            ConvolutionLayer(name="conv2", n_filter=50, kernel=5, bottoms=["pool1"]),
            PoolingLayer(name="pool2", kernel=2, stride=2, bottoms=["conv2"]),
            InnerProductLayer(name="ip1", output_dim=500, neuron=Neurons.ReLU(), bottoms=["pool2"]),
            InnerProductLayer(name="ip2", output_dim=10, bottoms=["ip1"]),
            SoftmaxLossLayer(name="loss", bottoms=["ip2", "label"]),
        ],
    )
    return step_plan(trace(net, "train", "float32"), Update())


@lru_cache(maxsize=6)
def kernels(cpu: str, convolutions: str = "direct") -> tuple[ScheduledKernel, ...]:
    """The step's kernels for a CPU."""
    plan, generator = graph(), CpuGenerator(target_of(named_cpu(cpu)))
    how = {"scalars": plan.scalars, "named": plan.named, "convolutions": convolutions}
    return lower(plan.graph, generator, **how).kernels


def optimized(text: str, cpu: str) -> str:
    """The module after LLVM's O2 without vectorizing and unrolling, which would change what is counted."""
    module = llvm.parse_assembly(text)
    info = named_cpu(cpu)
    machine = llvm.Target.from_triple(triple()).create_target_machine(cpu=info.name, features=info.features, opt=3)
    module.triple, module.data_layout = triple(), str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(2)
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return str(module)


@pytest.mark.parametrize("cpu", CPUS)
def test_no_vector_register_is_spilled_in_a_loop_that_computes(cpu):
    width = target_of(named_cpu(cpu)).vector_bytes
    faults = {}
    for kernel in kernels(cpu):
        text = assembly(print_module([kernel.code]), named_cpu(cpu))
        mark = re.compile(rf"{width}-byte (Spill|Reload|Folded)")
        in_loops = sum(bool(mark.search(i)) for loop in loops(text) if loop.works for i in loop.instructions)
        most = KNOWN_SPILLS.get((cpu, kernel.naive.name), 0)
        if in_loops > most or (width == 64 and mark.search(text)):
            faults[kernel.naive.name] = (in_loops, len(mark.findall(text)))
        print(f"{cpu:15} {kernel.naive.name:32} {kernel.schedule.name:28} {in_loops} {len(mark.findall(text))}")
    assert not faults, f"kernel: (in its loops, in all) {faults}"


@pytest.mark.parametrize("cpu", CPUS)
def test_o2_finds_nothing_to_do(cpu):
    faults = {}
    for kernel in kernels(cpu):
        text = print_module([kernel.code])
        ours = [loop for loop in loops(assembly(text, named_cpu(cpu))) if loop.works]
        theirs = [loop for loop in loops(assembly(optimized(text, cpu), named_cpu(cpu))) if loop.works]
        mine, least = (sum(len(loop.instructions) for loop in found) for found in (ours, theirs))
        print(f"{cpu:15} {kernel.naive.name:32} {kernel.schedule.name:28} {mine:4} {least:4}")
        known = KNOWN_EXCESS.get((cpu, kernel.naive.name), 0)
        if mine > MOST_EXCESS * least + known and len(ours) == len(theirs):
            faults[kernel.naive.name] = (mine, least)
    assert not faults, f"kernel: (printed, after O2) {faults}"


def test_the_fma_loops_are_dense():
    """Half of the instructions of every contraction's inner loops are fused multiply-adds, on AVX-512."""
    found = {}
    for kernel in kernels("skylake-avx512"):
        text = assembly(print_module([kernel.code]), named_cpu("skylake-avx512"))
        for loop in loops(text):
            fused = sum("vfmadd" in i or "vfnmadd" in i for i in loop.instructions)
            if fused >= 16:
                density = round(fused / len(loop.instructions), 2)
                found[kernel.naive.name] = min(density, found.get(kernel.naive.name, 1.0))
    print(found)
    assert len(found) >= 6
    assert min(found.values()) >= 0.5


@pytest.mark.parametrize("cpu", CPUS)
def test_products_of_tiles_spill_nothing(cpu):
    """Transforms of tiles hold more values than there are registers; loops of nothing but products do not."""
    width = target_of(named_cpu(cpu)).vector_bytes
    mark = re.compile(rf"{width}-byte (Spill|Reload|Folded)")
    tiled = [kernel for kernel in kernels(cpu, "auto") if kernel.naive.root.startswith("winograd_product")]
    assert len(tiled) == 3
    for kernel in tiled:
        found = loops(assembly(print_module([kernel.code]), named_cpu(cpu)))
        fused = [sum("vfmadd" in i for i in loop.instructions) for loop in found]
        dense = [loop for loop, n in zip(found, fused, strict=True) if n >= 8 and n >= 0.4 * len(loop.instructions)]
        products = [loop for loop in dense if not any(i.startswith(("vadd", "vsub")) for i in loop.instructions)]
        assert products, kernel.naive.name
        assert not any(mark.search(i) for loop in products for i in loop.instructions), kernel.naive.name
