"""The LLVM text of one small kernel per rule, as reviewed. `make golden` rewrites it; look at the difference."""

import pytest
from codegen.kernels import CASES, case

from mochac.codegen.cpu.module import print_kernel
from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.applying import apply

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
