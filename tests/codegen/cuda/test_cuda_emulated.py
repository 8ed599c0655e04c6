"""CUDA C of kernels large enough for tiles and joins, run by the emulator: the interpreter's numbers, and no race, no
read of what was never written, no access outside a buffer, the same bits in either order of threads."""

import numpy as np
import pytest
from codegen.cuda.cuda_kernels import NAMES, SMALL, case_kernels, in_turns
from emulated import run_kernels
from grid_launches import device_arrays, grid_launches
from skips import needs_gxx

from mochac.codegen.cuda.module import print_module
from mochac.ir.functions.philox import numpy_philox
from mochac.ir.types import garbage

pytestmark = [needs_gxx, pytest.mark.slow]


TYPES = ("f32", "f64")


@pytest.mark.slow
@pytest.mark.parametrize("first", [1, pytest.param(0, marks=pytest.mark.soak)])
def test_cases(first):
    """In one type or the other, the one in which nvcc does not compile it."""
    kernels = [
        p for k, dtype in in_turns(range(len(NAMES)), first, *TYPES) for p in case_kernels(NAMES[k], dtype, SMALL)
    ]
    rules = {"contraction.tiled", "contraction.pooled", "contraction.split-sum", "reduce.block"}
    assert rules <= {k.schedule.name for k in kernels}
    source = print_module([k.code for k in kernels], SMALL)
    for k in kernels:
        arrays = {b.name: np.ascontiguousarray(k.inputs[b.name]) for b in k.naive.inputs}
        arrays.update({b.name: garbage(b.type.shape, b.type.dtype) for b in k.naive.outputs})
        got = run_kernels(source, grid_launches(k.code), arrays | device_arrays(k.code))
        for name, want in k.want.items():
            scale = (1e-5 if want.dtype == np.float32 else 1e-12) * np.abs(want).max()
            np.testing.assert_allclose(got[name], want, rtol=0, atol=scale, err_msg=f"{k.code.symbol} {name}")


@pytest.mark.slow
def test_random_words_are_the_cpu_s():
    (mask,) = case_kernels("dropout_mask")
    arrays = {"x0": np.asarray(12345678901, np.int64), "y0": np.zeros((20, 7), np.bool_)}
    got = run_kernels(print_module([mask.code], SMALL), grid_launches(mask.code), arrays)
    words = numpy_philox(5, 12345678901, *np.indices((20, 7)))
    assert (got["y0"] == (words >= np.uint32(int(0.3 * 2**32)))).all()
