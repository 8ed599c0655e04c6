"""call: what precision and epilogue do to the operation it stands for."""

import numpy as np
import pytest

from mochac.ir.op import OPS, OpTypeError, run_reference
from mochac.ir.types import parse_type
from mochac.ops.call import rounded

GEMM = {"function": "cublas.gemm", "of": "inner_product"}
CONV = {"function": "cudnn.conv_fprop", "of": "conv2d", "stride": (1, 1), "pad": (1, 1)}


def test_factors_are_rounded_to_the_nearest_and_sums_are_not():
    x, w = (np.random.default_rng(seed).standard_normal((4, 9)).astype("float32") for seed in (1, 2))
    (got,) = run_reference(OPS["call"], (x, w), {**GEMM, "precision": "tf32"})
    np.testing.assert_array_equal(got, rounded(x, 10) @ rounded(w, 10).T)
    assert (got != x @ w.T).any()


@pytest.mark.parametrize("bits", [10, 7])
def test_rounding(bits):
    a = np.random.default_rng(3).standard_normal(1000).astype("float32") * np.float32(10) ** np.arange(-30, 20).repeat(
        20
    )
    r = rounded(a.astype("float32"), bits)
    assert (np.abs(r - a) <= np.abs(a) * 2.0 ** -(bits + 1)).all()
    assert (r.view(np.uint32) & ((1 << (23 - bits)) - 1) == 0).all()
    odd = np.float32([1 + 2.0 ** -(bits + 1), 1 + 3 * 2.0 ** -(bits + 1), np.inf, np.nan, -0.0])
    np.testing.assert_array_equal(rounded(odd, bits), np.float32([1, 1 + 2.0 ** (1 - bits), np.inf, np.nan, -0.0]))


def test_cudnn_multiplies_in_tf32_where_bfloat16_is_allowed():
    rng = np.random.default_rng(4)
    operands = tuple(rng.standard_normal(s).astype("float32") for s in ((2, 3, 6, 6), (4, 3, 3, 3)))
    results = [run_reference(OPS["call"], operands, {**CONV, "precision": p})[0] for p in ("tf32", "bfloat16")]
    np.testing.assert_array_equal(*results)


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
