"""The schedule chosen for every op's samples gives the naive kernel's results, both run by the interpreter."""

import numpy as np
import pytest

from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.applying import apply
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.op import OPS
from mochac.ir.samples import draw
from mochac.passes.assign_layout import assign_layout
from mochac.passes.fuse import fuse
from mochac.passes.to_kernels import to_kernels

TARGETS = (CpuTarget.of("skylake-avx512", 64), CpuTarget.of("haswell", 32))
CASES = [
    pytest.param(name, k, target, id=f"{name}-{k}-{target.name}", marks=[] if k == 0 else pytest.mark.slow)
    for name, op in OPS.items()
    for k in range(len(op.samples))
    for target in TARGETS
]


@pytest.mark.parametrize(("name", "k", "target"), CASES)
def test_scheduled_equals_naive(name, k, target):
    case = draw(OPS[name], OPS[name].samples[k])
    values = dict(case.feeds())
    graph = fuse(assign_layout(case.graph(), target.lanes("f32")))
    for kernel in to_kernels(graph):
        inputs = {b.name: values[b.name].reshape(b.type.shape) for b in kernel.inputs}
        scheduled = apply(choose(kernel, target), kernel)
        verify_kernel(scheduled, printable=True)
        with np.errstate(all="ignore"):
            want, got = run_kernel(kernel, inputs), run_kernel(scheduled, inputs)
        for out in want:
            np.testing.assert_allclose(
                got[out].reshape(want[out].shape), want[out], rtol=OPS[name].tolerance, atol=1e-5
            )
        values.update(want)
