"""A product of a plan in the terms of BLAS."""

import numpy as np
import pytest
from library_products import PRODUCTS

from mochac.ir.op import OPS, run_reference
from mochac.ir.types import parse_type
from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.libraries.gemm import gemm_of
from mochac.runtime.cuda.libraries.library import LibraryCall


@pytest.mark.parametrize("op", list(PRODUCTS))
def test_a_product_in_column_major_terms(op):
    """C = op(A) op(B) as the BLAS standard reads the same memory."""
    types = tuple(map(parse_type, PRODUCTS[op]))
    rng = np.random.default_rng(0)
    operands = [rng.standard_normal(t.shape) for t in types[:2]]
    g = gemm_of(LibraryCall("cublas.gemm", op, {}, types))

    def matrix(index, turned, stored):
        found = np.lib.stride_tricks.as_strided(operands[index].reshape(-1), stored, (8, 8 * stored[0]))
        return found.T if turned else found

    c = matrix(g.a, g.turn_a, g.stored_a) @ matrix(g.b, g.turn_b, g.stored_b)
    want = run_reference(OPS[op], tuple(operands), {})[0]
    assert c.shape == (g.m, g.n)
    np.testing.assert_allclose(c.T.reshape(want.shape), want, rtol=1e-12)


def test_another_op_is_refused():
    with pytest.raises(DeviceError, match="cuBLAS computes no conv2d"):
        gemm_of(LibraryCall("cublas.gemm", "conv2d", {}, tuple(map(parse_type, PRODUCTS["inner_product"]))))
