"""A product of a plan in the terms of BLAS."""

import ctypes

import numpy as np
import pytest
from library_products import PRODUCTS

from mochac.ir.op import OPS, run_reference
from mochac.ir.types import parse_type
from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.libraries import cublas
from mochac.runtime.cuda.libraries.cublas import gemm_of
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
    with pytest.raises(DeviceError, match="cuBLAS computes no conv"):
        gemm_of(LibraryCall("cublas.gemm", "conv", {}, tuple(map(parse_type, PRODUCTS["inner_product"]))))


class Wishes:
    """A cublasLt that has an algorithm for everything; `asked`: preferences by attribute."""

    def __init__(self):
        self.asked: dict[int, int] = {}

    def __getattr__(self, name):
        return lambda *args: self._called(name, args)

    def _called(self, name, args):
        if name == "cublasLtMatmulPreferenceSetAttribute":
            _, attribute, value, size = args
            assert size.value == ctypes.sizeof(value._obj)
            self.asked[attribute.value] = value._obj.value
        elif name == "cublasLtMatmulAlgoGetHeuristic":
            args[-1]._obj.value = 1
        return 0


@pytest.mark.parametrize(("deterministic", "schemes"), [(True, 6), (False, 7)])
def test_split_sums_are_put_together_in_a_fixed_order(monkeypatch, deterministic, schemes):
    """CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK is 3; _INPLACE is 1, _COMPUTE_TYPE 2, _OUTPUT_TYPE 4."""
    library = Wishes()
    monkeypatch.setattr(cublas, "_load", lambda: library)
    types = tuple(map(parse_type, PRODUCTS["inner_product"]))
    cublas.Cublas().prepare(LibraryCall("cublas.gemm", "inner_product", {}, types, deterministic=deterministic))
    assert library.asked[3] == schemes
