"""The LLVM text of one small kernel per rule, as reviewed. `make golden` rewrites it; look at the difference."""

import pytest
from codegen.kernels import CASES, case

from mochac.codegen.cpu.module import print_kernel
from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.applying import apply

TARGET = CpuTarget.of("skylake-avx512", 64)


@pytest.mark.parametrize("name", sorted(CASES))
def test_generated_text(name, golden):
    kernel = case(name)
    schedule = choose(kernel, TARGET)
    scheduled = apply(schedule, kernel)
    golden(f"cpu/{name}.kernel", f"{schedule}\n{scheduled}")
    golden(f"cpu/{name}.ll", print_kernel(scheduled, TARGET).text)
