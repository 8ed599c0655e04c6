"""The LLVM text of one small kernel per rule, as reviewed. `make golden` rewrites it; look at the difference."""

import pytest
from codegen.kernels import CASES, case

from mochac.codegen.cpu.module import print_kernel
from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir import parse
from mochac.ir.applying import apply
from mochac.ir.ops._window import Tiles
from mochac.ir.passes.assign_layout import assign_layout
from mochac.ir.passes.fast_convolutions import fast_convolutions
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels

AVX512 = CpuTarget.of("skylake-avx512", 64)
SMALL = {
    "inner_product-tail": CpuTarget("haswell", 16, registers=8),
    "inner_product-packed": CpuTarget("haswell", 32, registers=11),
}
"""CPUs of fewer lanes and registers: the schedule has the same steps and its text is short enough to be read."""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", sorted(CASES))
def test_generated_text(name, golden):
    target = SMALL.get(name, AVX512)
    kernel = case(name, target.lanes("f32"))
    schedule = choose(kernel, target)
    scheduled = apply(schedule, kernel)
    golden(f"cpu/{name}.kernel", f"{schedule}\n{scheduled}")
    golden(f"cpu/{name}.ll", print_kernel(scheduled, target).text)


TILED = {
    "conv": "%y: f32[b32,2,7] = conv(%x, %w) {stride = [1], pad = [1], group = 1}",
    "conv_dx": "%y: f32[b32,2,9] = conv_dx(%x, %w) {stride = [1], pad = [0], group = 1, shape = [32,2,9]}",
    "conv_dw": "%y: f32[2,2,3] = conv_dw(%x, %w) {stride = [1], pad = [1], group = 1, kernel = [3]}",
}
"""Images with one axis, whose code is short enough to be read."""


@pytest.mark.parametrize("op", TILED)
def test_generated_text_of_convolutions_by_tiles(op, golden):
    w = "f32[b32,2,7] data" if op == "conv_dw" else "f32[2,2,3] param"
    graph = parse(f"graph @g(%x: f32[b32,2,7] data, %w: {w}) {{ {TILED[op]}\n return %y }}")
    tiled = fast_convolutions(assign_layout(graph, 16), lambda bound: Tiles((2,), adjoint=op == "conv_dx"))
    staged = next(k for k in to_kernels(fuse(tiled)) if k.root.startswith("winograd_product"))
    scheduled = apply(schedule := choose(staged, AVX512), staged)
    golden(f"cpu/tiles-{op}.kernel", f"{schedule}\n{scheduled}")
    golden(f"cpu/tiles-{op}.ll", print_kernel(scheduled, AVX512).text)
