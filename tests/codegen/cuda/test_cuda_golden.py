"""The CUDA C of one small kernel per rule, as reviewed. `make golden` rewrites it; look at the difference."""

import pytest
from codegen.cuda.cuda_kernels import NAMES, SMALL, case_kernels

REVIEWED = (
    "conv2d",
    "conv2d+max_pool",
    "conv2d-padded",
    "conv2d_dw",
    "conv2d_dw-padded",
    "conv2d_dw-split",
    "conv2d-groups",
    "conv2d_dx",
    "conv2d_dx-strided",
    "dropout_mask",
    "inner_product",
    "lrn_sum",
    "max_pool",
    "max_pool_dx",
    "max_pool_dx-wide",
    "reduce_sum",
    "reduce_sum-columns",
    "relu",
    "relu-wide",
    "softmax_loss",
    "softmax_loss-wide",
)


@pytest.mark.parametrize("name", REVIEWED)
def test_generated_text(name, golden):
    assert name in NAMES
    for k in case_kernels(name, target=SMALL):
        launch = "".join(f"// <<<{grid.grid}, {grid.block}>>>\n" for grid in k.code.grids)
        schedule = "".join(f"// {line}\n" for line in str(k.schedule).splitlines())
        golden(f"cuda/{name}.cu", f"{schedule}{launch}{k.code.text}")
