"""call: what it adds to the operation it stands for, and what it refuses."""

import numpy as np
import pytest

from mochac.ir.op import OPS, OpTypeError, run_reference
from mochac.ir.types import parse_type

GEMM = {"function": "cublas.gemm", "of": "inner_product"}


def test_precision_and_order_are_permissions():
    """Interpreters take none of them."""
    x, w = (np.random.default_rng(seed).standard_normal((4, 9)).astype("float32") for seed in (1, 2))
    (got,) = run_reference(OPS["call"], (x, w), {**GEMM, "precision": "tf32", "deterministic": False})
    np.testing.assert_array_equal(got, x @ w.T)


@pytest.mark.parametrize(
    ("types", "attrs", "message"),
    [
        (("f32[2,3]", "f32[4,3]"), {"epilogue": "bias"}, "epilogue 'bias' is not one of .* for 2 operands"),
        (("f32[2,3]", "f32[4,3]", "f32[4]"), {"epilogue": "gelu"}, "epilogue 'gelu' is not one of"),
        (("f64[2,3]", "f64[4,3]"), {"precision": "tf32"}, "no library multiplies f64 in precision 'tf32'"),
        (("f32[2,3]", "f32[4,3]"), {"precision": "half"}, "no library multiplies f32 in precision 'half'"),
    ],
)
def test_refused(types, attrs, message):
    with pytest.raises(OpTypeError, match=message):
        OPS["call"].infer(*map(parse_type, types), **GEMM, **attrs)
