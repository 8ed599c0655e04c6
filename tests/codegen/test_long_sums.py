"""Weight gradients over many rows: the schedule that packs both factors computes what the loops say."""

import numpy as np
import pytest
from kernels import naive_kernels, op_graph

from mochac.codegen.cpu.schedules import product_long
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.applying import apply
from mochac.ir.kernel_interp import run_kernel
from mochac.passes.fuse import fuse

SMALL = CpuTarget("skylake", 32, 16, cache_bytes=(1 << 10, 1 << 12))
"""Caches that a small product leaves."""


@pytest.mark.parametrize("shape", [(40, 70, 33), (64, 8, 48), (37, 9, 130)])
def test_long_sums_are_those_of_the_loops(shape, monkeypatch):
    terms, rows, columns = shape
    monkeypatch.setattr(product_long, "LEAST_TERMS", 16)
    monkeypatch.setattr(product_long, "BLOCKS", (16, 8))
    (kernel,) = naive_kernels(fuse(op_graph("inner_product_dw", (f"f32[{terms},{columns}]", f"f32[{terms},{rows}]"))))
    schedule = product_long.rule(kernel, SMALL)
    assert schedule is not None
    rng = np.random.default_rng(0)
    given = {b.name: rng.standard_normal(b.type.shape).astype(np.float32) for b in kernel.inputs}
    wanted, got = (run_kernel(k, given) for k in (kernel, apply(schedule, kernel)))
    for name, array in wanted.items():
        np.testing.assert_allclose(got[name], array, rtol=1e-5, atol=1e-5)


def test_what_stays_near_is_left_to_other_rules():
    (kernel,) = naive_kernels(fuse(op_graph("inner_product_dw", ("f32[100,300]", "f32[100,300]"))))
    assert product_long.rule(kernel, CpuTarget("skylake", 32, 16)) is None
