"""The CUDA C of one small kernel per rule, as reviewed. `make golden` rewrites it; look at the difference."""

from dataclasses import replace

import pytest
from codegen.cuda.cuda_kernels import NAMES, SMALL, case_kernels

REVIEWED = (
    "conv",
    "conv+max_pool",
    "conv-padded",
    "conv_dw",
    "conv_dw-padded",
    "conv_dw-split",
    "conv-groups",
    "conv_dx",
    "conv_dx-exact",
    "conv_dx-strided",
    "dropout_mask",
    "gather_dx",
    "inner_product",
    "lrn_sum",
    "max_pool",
    "max_pool_dx",
    "max_pool_dx-wide",
    "reduce_sum",
    "reduce_sum-columns",
    "reduce_sum-split",
    "relu",
    "relu-wide",
    "softmax_loss",
    "softmax_loss-wide",
)


def test_a_kernel_that_begins_early(golden):
    """It waits before it touches memory."""
    (kernel,) = case_kernels("reduce_sum", target=replace(SMALL, early=True))
    golden("cuda/reduce_sum-early.cu", kernel.code.text)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", REVIEWED)
def test_generated_text(name, golden):
    assert name in NAMES
    for k in case_kernels(name, target=SMALL):
        launch = "".join(f"// <<<{grid.grid}, {grid.block}>>>\n" for grid in k.code.grids)
        schedule = "".join(f"// {line}\n" for line in str(k.schedule).splitlines())
        golden(f"cuda/{name}.cu", f"{schedule}{launch}{k.code.text}")
