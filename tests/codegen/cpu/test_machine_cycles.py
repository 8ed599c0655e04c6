"""Proof without the machine: llvm-mca reads the loops of the benchmark nets' contractions for five CPUs.

The innermost loop in which most multiply-adds run takes at most 1 / 0.9 of the cycles that the units for multiply-adds
need. What is around it, epilogues and short remainders, is weighed by how often it runs: `pytest -s` prints the share
of the multiply-add bound that whole kernels reach while all they read lies in L1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import pytest
from bench_kit import module
from block_counts import block_counts
from machine_code import Block, blocks, cycles, llvm_mca

from mochac.codegen.cpu.generator import CpuGenerator
from mochac.codegen.cpu.module import print_module
from mochac.frontend.trace import trace
from mochac.lowering.lowered import ScheduledKernel
from mochac.lowering.pipeline import lower
from mochac.lowering.plan_graphs import step_plan
from mochac.runtime.cpu.backend import target_of
from mochac.runtime.cpu.compiler import assembly
from mochac.runtime.cpu.cpuinfo import named_cpu
from mochac.solvers.update import Update

pytestmark = pytest.mark.skipif(llvm_mca() is None, reason="there is no llvm-mca of LLVM 19 or newer on PATH")

LEAST = 0.9
"""Of the multiply-add bound, for the innermost loop of a kernel."""
MODELS = {
    "cascadelake": "skylake-avx512",
    "znver3": "znver3",
    "znver5": "skylake-avx512",
    "haswell": "haswell",
    "neoverse-v2": "neoverse-v2",
}
"""The scheduling model that a CPU's code is read with. LLVM has none of its own for cascadelake, which is a Skylake,
and none for znver5, to which it lends Zen 4's. That one computes 64 bytes in two halves; Zen 5 does two multiply-adds
and two loads of 64 bytes a cycle, as Skylake does, whose model stands in."""
NETS = ("lenet", "cifar", "mlp", "autoencoder", "tiny")


@dataclass(frozen=True)
class Reading:
    """What llvm-mca says of a kernel.

    Attributes:
        loop: the block in which most of its multiply-adds run.
        of_bound: cycles that the multiply-adds of that block need, over those it takes.
        kernel_of_bound: the same of the whole kernel, for the multiply-adds of the operation, idle lanes not counted.
        around: share of the cycles outside of that block.
        spills: vectors that the loop spills or reloads.
    """

    name: str
    schedule: str
    loop: Block
    of_bound: float
    kernel_of_bound: float
    around: float
    spills: int

    def __str__(self) -> str:
        shares = f"loop {self.of_bound:4.0%} of {self.loop.multiply_adds:3}, kernel {self.kernel_of_bound:4.0%}"
        return f"{self.name:38} {self.schedule:27} {shares}, around {self.around:4.0%}, {self.spills} spills"


@lru_cache(maxsize=1)
def contractions(net: str, cpu: str) -> tuple[ScheduledKernel, ...]:
    """The distinct kernels of a training step that multiply and add."""
    task = module("contest.task").task(net)
    net_of = module("contest.with_mochac").net
    plan = step_plan(trace(net_of(task, task.data()), "train", "float32"), Update())
    generator = CpuGenerator(target_of(named_cpu(cpu)))
    kernels = lower(plan.graph, generator, scalars=plan.scalars, named=plan.named).kernels
    return tuple({kernel.code.symbol: kernel for kernel in kernels if kernel.naive.flops}.values())


def reading(kernel: ScheduledKernel, cpu: str) -> Reading:
    info = named_cpu(cpu)
    core = target_of(info).machine
    every = list(blocks(assembly(print_module([kernel.code]), info)))
    taken = cycles(every, info.triple, MODELS[cpu])
    runs = block_counts(kernel.scheduled, kernel.code)
    spent = [runs[block.name] * least for block, least in zip(every, taken, strict=True)]
    best = max(range(len(every)), key=lambda k: runs[every[k].name] * every[k].multiply_adds)
    needed = kernel.naive.flops / 2 / (core.vector_bytes // 4) / core.multiply_adds
    return Reading(
        kernel.naive.name,
        kernel.schedule.name,
        every[best],
        every[best].multiply_adds / core.multiply_adds / taken[best],
        needed / sum(spent),
        1 - spent[best] / sum(spent),
        sum(size == core.vector_bytes for size in every[best].spills),
    )


@pytest.mark.slow
@pytest.mark.parametrize("cpu", MODELS)
@pytest.mark.parametrize("net", [pytest.param(net, marks=pytest.mark.slow) for net in NETS])
def test_the_inner_loops_keep_the_units_busy(net, cpu):
    found = [reading(kernel, cpu) for kernel in contractions(net, cpu)]
    print(f"\n{net} for {cpu}, as {MODELS[cpu]}", *found, sep="\n")
    assert found
    assert not [str(one) for one in found if one.of_bound < LEAST]


@pytest.mark.slow
def test_a_small_product_is_read():
    """What the slow tests do, once."""
    kernel = contractions("tiny", "haswell")[0]
    one = reading(kernel, "haswell")
    assert one.loop.is_loop and one.loop.multiply_adds >= 8
    assert LEAST <= one.of_bound <= 1 and 0 < one.around < 1
