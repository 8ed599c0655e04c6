"""The CUDA schedule of every op's samples gives the naive kernel's results, both run by the interpreter."""

from itertools import product

import numpy as np
import pytest
from codegen.cuda.cuda_kernels import NAMES, ON_DEVICES, SMALL, TARGET, case_kernels, in_turns, natural, sample_kernels

from mochac.ir.kernel_interp import run_kernel
from mochac.ir.op import OPS

QUICK = ("conv", "inner_product_dw", "softmax_loss", "reduce_sum", "max_pool_dx")
TARGETS = {"large": TARGET, "small": SMALL}


def samples():
    """Samples of ops for the two targets in turns; a soak for the other one."""
    for op in ON_DEVICES:
        numbers = [k for k in range(len(OPS[op].samples)) if natural(op, k)]
        turns = in_turns(numbers, 0, *TARGETS)
        for k, label in product(numbers, TARGETS):
            slow = [] if op in QUICK and not k else [pytest.mark.slow]
            marks = slow if (k, label) in turns or not slow else [pytest.mark.soak]
            yield pytest.param(op, k, TARGETS[label], id=f"{op}-{k}-{label}", marks=marks)


def check(kernels, tolerance):
    for k in kernels:
        with np.errstate(all="ignore"):
            got = run_kernel(k.scheduled, k.inputs)
        for name, want in k.want.items():
            np.testing.assert_allclose(got[name], want, rtol=tolerance, atol=1e-5)


@pytest.mark.parametrize(("op", "k", "target"), [*samples()])
def test_samples(op, k, target):
    check(sample_kernels(op, k, "f32", target), OPS[op].tolerance)


@pytest.mark.slow
@pytest.mark.parametrize("target", [TARGET, pytest.param(SMALL, marks=pytest.mark.soak)], ids=["large", "small"])
@pytest.mark.parametrize("name", NAMES)
def test_cases(name, target):
    """The code of those for the small target runs in test_cuda_emulated.py."""
    check(case_kernels(name, "f64", target), 1e-9)
