"""Products of many terms whose factors lie along the results: schedules of panels compute what the loops say."""

import numpy as np
import pytest
from kernels import naive_kernels, op_graph

from mochac.codegen.cpu.schedules import choose, product_natural
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.applying import apply
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.passes.fuse import fuse

SMALL = CpuTarget("skylake", 32, 16, cache_bytes=(1 << 10, 1 << 14))
"""Caches that a small product leaves."""


def kernel_of(terms, rows, columns):
    types = (f"f32[{terms},{columns}]", f"f32[{terms},{rows}]")
    (kernel,) = naive_kernels(fuse(op_graph("inner_product_dw", types)))
    return kernel


def check(kernel, schedule):
    rng = np.random.default_rng(0)
    given = {b.name: rng.standard_normal(b.type.shape).astype(np.float32) for b in kernel.inputs}
    wanted, got = (run_kernel(k, given) for k in (kernel, apply(schedule, kernel)))
    for name, array in wanted.items():
        np.testing.assert_allclose(got[name], array, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    "shape",
    [
        (150, 48, 32),
        pytest.param((130, 70, 33), marks=pytest.mark.slow),
        (150, 53, 32),
        pytest.param((97, 75, 90), marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_blocks_of_rows_and_columns_may_leave_a_rest(shape):
    """Blocks of columns are items, too, and so is their rest."""
    kernel = kernel_of(*shape)
    schedule = product_natural.rule(kernel, SMALL)
    assert schedule is not None
    assert schedule.name == "product.panels" and len(schedule.steps[-1].loops) == 2
    check(kernel, schedule)


def test_what_stays_near_is_left_to_other_rules():
    assert product_natural.rule(kernel_of(100, 300, 300), CpuTarget("skylake", 32, 16)) is None


def test_copies_that_few_tiles_read_are_not_made():
    """Of one tile of columns, whose rows lie one after the other; of three tiles of rows."""
    target = CpuTarget.of("znver5", 64)
    assert product_natural.rule(kernel_of(1600, 192, 64), target) is None
    assert product_natural.rule(kernel_of(1600, 1024, 64), target) is not None, "rows of the other factor share sets"
    assert product_natural.rule(kernel_of(1600, 16, 512), target) is None


@pytest.mark.parametrize("columns", [1, 3, 8])
def test_columns_that_fill_no_vector_are_rows(columns):
    """As of a series of a few features: lanes are the outputs."""
    kernel = kernel_of(60, 48, columns)
    schedule = choose(kernel, SMALL)
    assert schedule.name == "contraction.column-lanes"
    check(kernel, schedule)
