"""Proof without the machine: llvm-mca reads the loops in which norms sum up rows, for five CPUs.

Their sums have several accumulators, so that no addition waits for the one before.
"""

from __future__ import annotations

import re

import pytest
from machine_code import Block, blocks, cycles, llvm_mca
from test_machine_cycles import MODELS

from mochac import BatchNormLayer, InputLayer, LayerNormLayer, Net
from mochac.codegen.cpu.generator import CpuGenerator
from mochac.codegen.cpu.module import print_kernel, print_module
from mochac.frontend.trace import trace
from mochac.lowering.pipeline import lower
from mochac.runtime.cpu.backend import target_of
from mochac.runtime.cpu.compiler import assembly
from mochac.runtime.cpu.cpuinfo import named_cpu

pytestmark = pytest.mark.skipif(llvm_mca() is None, reason="there is no llvm-mca of LLVM 19 or newer on PATH")

MOST = 0.5
"""Cycles of a term over those of the addition that it would wait for with one accumulator."""
LAYERS = {
    "channels": (BatchNormLayer(name="n", bottoms=["x"]), (8, 8, 8)),
    "samples": (LayerNormLayer(name="n", bottoms=["x"]), (512,)),
}


def terms(block: Block) -> int:
    """Vectors of x that a loop adds up: it loads each once, `ldp` two of them."""
    vector = [i for i in block.instructions if re.search(r"(%[yz]mm|\bv\d+|\bq\d+)", i) and re.search(r"\(|\[", i)]
    return sum(2 if i.startswith("ldp") else 1 for i in vector)


@pytest.mark.parametrize("cpu", MODELS)
@pytest.mark.parametrize("name", LAYERS)
def test_sums_of_rows_do_not_wait_for_each_other(name: str, cpu: str) -> None:
    layer, shape = LAYERS[name]
    info = named_cpu(cpu)
    generator = CpuGenerator(target_of(info))
    graph = trace(Net("norms", [InputLayer(name="x", shape=(128, *shape)), layer]), "train", "float32").graph
    (kernel,) = (k for k in lower(graph, generator, scalars={}, named={}).kernels if "rows" in k.schedule.name)
    sums = [
        b for b in blocks(assembly(print_module([print_kernel(kernel.scheduled, generator.target)]), info)) if b.is_loop
    ][:2]
    latency = generator.target.machine.latency
    for block, took in zip(sums, cycles(sums, info.triple, MODELS[cpu]), strict=True):
        assert took / terms(block) <= MOST * latency, block.instructions
