"""The CUDA schedule of every op's samples gives the naive kernel's results, both run by the interpreter."""

import numpy as np
import pytest
from codegen.cuda.cuda_kernels import NAMES, ON_DEVICES, SMALL, TARGET, case_kernels, natural, sample_kernels

from mochac.ir.kernel_interp import run_kernel
from mochac.ir.op import OPS

QUICK = ("conv", "inner_product_dw", "softmax_loss", "reduce_sum", "max_pool_dx")
SAMPLES = [
    pytest.param(op, k, target, id=f"{op}-{k}-{label}", marks=[] if op in QUICK and not k else pytest.mark.slow)
    for op in ON_DEVICES
    for k in range(len(OPS[op].samples))
    for label, target in (("large", TARGET), ("small", SMALL))
    if natural(op, k)
]


def check(kernels, tolerance):
    for k in kernels:
        with np.errstate(all="ignore"):
            got = run_kernel(k.scheduled, k.inputs)
        for name, want in k.want.items():
            np.testing.assert_allclose(got[name], want, rtol=tolerance, atol=1e-5)


@pytest.mark.parametrize(("op", "k", "target"), SAMPLES)
def test_samples(op, k, target):
    check(sample_kernels(op, k, "f32", target), OPS[op].tolerance)


@pytest.mark.slow
@pytest.mark.parametrize("target", [TARGET, SMALL], ids=["large", "small"])
@pytest.mark.parametrize("name", NAMES)
def test_cases(name, target):
    check(case_kernels(name, "f64", target), 1e-9)
