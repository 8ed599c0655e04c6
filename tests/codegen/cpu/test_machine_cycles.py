"""Proof without the machine: llvm-mca reads the loops of the benchmark nets' contractions for five CPUs.

The innermost loop in which most multiply-adds run takes at most 1 / 0.9 of the cycles that the units for multiply-adds
need. What is around it, epilogues and short remainders, is weighed by how often it runs: `pytest -s -m soak` prints the
share of the multiply-add bound that whole kernels reach while all they read lies in L1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat

import pytest
from bench_kit import module
from block_counts import block_counts
from machine_code import Block, blocks, cycles, llvm_mca

from mochac.codegen.cpu.generator import CpuGenerator
from mochac.codegen.cpu.module import print_module
from mochac.codegen.machine import Machine
from mochac.ir.executed import executed_flops
from mochac.lowering.pipeline import lower
from mochac.lowering.plan_graphs import PlanGraph, step_plan
from mochac.nets.solvers.update import Update
from mochac.nets.trace import trace
from mochac.runtime.cpu.backend import target_of
from mochac.runtime.cpu.compiler import assembly
from mochac.runtime.cpu.cpuinfo import named_cpu
from mochac.runtime.lowered import ScheduledKernel

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
NETS = (
    "lenet", "cifar", "mlp", "autoencoder", "tiny", "tabular", "lstm", "gru", "resnet", "mobilenet", "gpt", "convnext",
)  # fmt: skip
LESS = {("convnext", "dw"): 0.57, ("lenet", r"conv2\.winograd_product_dw"): 0.73}
"""Where a net's layers reach less. A tile of a depthwise convolution has the results of a single channel: half of a row
of 16 columns, unless 32 registers hold all of it, and in the weight gradient the 7 taps of a row. These 7 or 8
accumulators are too few for units that need 8 to 10, and padding saves 6 of the 56 multiply-adds of half a row. LeNet's
20 channels fill 2 vectors of AVX2 and a half; 5 filters by 2 vectors are 10 accumulators, with a loop's end for each
sample."""
LEAST_SHARE = 0.01
"""Of the multiply-adds of a step: kernels with fewer are left out, such as a product with a single output."""


@dataclass(frozen=True)
class Loop:
    """The block of a kernel in which most of its multiply-adds run, and how often that is.

    Attributes:
        blocks: all of the kernel, of which this is number `at`. runs: how often each runs.
    """

    kernel: ScheduledKernel
    blocks: tuple[Block, ...]
    runs: tuple[float, ...]
    at: int

    @property
    def name(self) -> str:
        return self.kernel.naive.name

    @property
    def block(self) -> Block:
        return self.blocks[self.at]

    def of_bound(self, core: Machine, cycles: float) -> float:
        """Cycles that the multiply-adds of the loop need, over those it takes."""
        return self.block.multiply_adds / core.multiply_adds / cycles

    def said(self, core: Machine, cycles: float) -> str:
        spills = sum(size == core.vector_bytes for size in self.block.spills)
        share = f"loop {self.of_bound(core, cycles):4.0%} of {self.block.multiply_adds:3}"
        return f"{self.name:38} {self.kernel.schedule.name:27} {share}, {spills} spills"


@lru_cache(maxsize=1)
def step_of(net: str) -> PlanGraph:
    """The graph of a training step, the same for every CPU."""
    task = module("contest.task").task(net)
    net_of = module("contest.with_mochac").net
    return step_plan(trace(net_of(task, task.data()), "train", "float32"), Update())


@lru_cache(maxsize=1)
def contractions(net: str, cpu: str) -> tuple[ScheduledKernel, ...]:
    """The distinct kernels of a training step that multiply and add, and count: by all of their launches, those of a
    loop over time once for each of its steps."""
    plan = step_of(net)
    generator = CpuGenerator(target_of(named_cpu(cpu)))
    lowered = lower(plan.graph, generator, scalars=plan.scalars, named=plan.named)
    flops = Counter[str]()
    for launch in lowered.plan.launches:
        flops[launch.symbol] += launch.flops
    kernels = {kernel.code.symbol: kernel for kernel in lowered.kernels}
    return tuple(kernels[symbol] for symbol, n in flops.items() if n > LEAST_SHARE * flops.total())


def loop(kernel: ScheduledKernel, cpu: str) -> Loop:
    every = tuple(blocks(assembly(print_module([kernel.code]), named_cpu(cpu))))
    counts = block_counts(kernel.scheduled, kernel.code)
    runs = tuple(counts[block.name] for block in every)
    return Loop(kernel, every, runs, max(range(len(every)), key=lambda k: runs[k] * every[k].multiply_adds))


def cycles_of(blocks: Sequence[Block], cpu: str) -> list[float]:
    return cycles(blocks, named_cpu(cpu).triple, MODELS[cpu])


@pytest.mark.sampled(0, test=3)
@pytest.mark.parametrize("cpu", MODELS)
@pytest.mark.parametrize("net", NETS)
def test_the_inner_loops_keep_the_units_busy(net, cpu):
    """One call of llvm-mca reads the loops of all kernels."""
    found, core = [loop(kernel, cpu) for kernel in contractions(net, cpu)], target_of(named_cpu(cpu)).machine
    taken = cycles_of([one.block for one in found], cpu)
    print(f"\n{net} for {cpu}, as {MODELS[cpu]}", *map(Loop.said, found, repeat(core), taken), sep="\n")
    assert found
    least = [least_of(net, one) for one in found]
    slow = [one.said(core, c) for one, c, x in zip(found, taken, least, strict=True) if one.of_bound(core, c) < x]
    assert not slow


def least_of(net: str, one: Loop) -> float:
    """The share of the bound that a loop reaches at least."""
    return next(
        (x for (other, layer), x in LESS.items() if other == net and re.match(rf"{layer}(\d|$)", one.name)), LEAST
    )


@pytest.mark.slow
def test_a_small_product_is_read():
    """What the other tests do, once."""
    one, core = loop(contractions("tiny", "haswell")[0], "haswell"), target_of(named_cpu("haswell")).machine
    (taken,) = cycles_of([one.block], "haswell")
    assert one.block.is_loop and one.block.multiply_adds >= 8
    assert LEAST <= one.of_bound(core, taken) <= 1


@pytest.mark.soak
@pytest.mark.parametrize("cpu", MODELS)
@pytest.mark.parametrize("net", NETS)
def test_whole_kernels_are_read(net, cpu):
    """What is around the loops takes llvm-mca ten times as long as they do."""
    core = target_of(named_cpu(cpu)).machine
    print(f"\n{net} for {cpu}, as {MODELS[cpu]}")
    for one in (loop(kernel, cpu) for kernel in contractions(net, cpu)):
        taken = cycles_of(one.blocks, cpu)
        spent = [runs * least for runs, least in zip(one.runs, taken, strict=True)]
        around = 1 - spent[one.at] / sum(spent)
        flops = executed_flops(one.kernel.naive)  # neither taps on padding nor idle lanes
        needed = flops / 2 / (core.vector_bytes // 4) / core.multiply_adds
        print(f"{one.said(core, taken[one.at])}, kernel {needed / sum(spent):4.0%}, around {around:4.0%}")
        assert 0 <= around < 1 and 0 < needed / sum(spent) <= 1
