"""The schedule chosen for every op's samples gives the naive kernel's results, both run by the interpreter."""

import numpy as np
import pytest

from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.applying import apply
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.op import OPS
from mochac.ir.passes.assign_layout import assign_layout
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.samples import draw

TARGETS = (CpuTarget.of("skylake-avx512", 64), CpuTarget.of("haswell", 32))


KERNELS = {name: op for name, op in OPS.items() if op.kind != "loop" and name != "custom_gradient"}
"""Ops that are kernels by themselves; loops are compared with the interpreter in tests/ops/test_scan.py, and a function
with a gradient of its own is its formula before kernels are made."""


@pytest.mark.slow
@pytest.mark.parametrize("name", list(KERNELS))
def test_scheduled_equals_naive(name):
    for target in TARGETS:
        check(name, 0, target)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, op in KERNELS.items() if len(op.samples) > 1])
def test_scheduled_equals_naive_for_other_samples(name):
    for k in range(1, len(OPS[name].samples)):
        for target in TARGETS:
            check(name, k, target)


def check(name, k, target):
    print(f"{name} sample {k} {target.name}")
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
