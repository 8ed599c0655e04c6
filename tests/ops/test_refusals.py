"""What ops refuse, and how: rule, expected, got and hint become the user's ShapeError."""

import pytest

from mochac.ir.op import OPS, OpTypeError
from mochac.ir.types import parse_type

CONV = {"stride": (1, 1), "pad": (0, 0), "group": 1}
POOL = {"kernel": (2, 2), "stride": (2, 2), "pad": (0, 0)}
REFUSED = [
    (
        "conv2d",
        ["f32[b2,20,4,9]", "f32[50,20,5,5]"],
        CONV,
        "kernel does not fit its input",
        "height + 2*pad >= kernel",
        "4 + 2*0 < 5",
        "pad=(1, 0), or a kernel of at most (4, 9)",
    ),
    (
        "conv2d",
        ["f32[b2,3,8,8]", "f32[4,2,3,3]"],
        CONV,
        "the filter does not match the channels of its input",
        "2 channels",
        "3 channels",
        "",
    ),
    (
        "conv2d",
        ["f32[b2,3,8,8]", "f32[4,1,3,3]"],
        {**CONV, "group": 2},
        "channels must divide into groups",
        "a multiple of 2 channels",
        "3",
        "",
    ),
    (
        "conv2d",
        ["f32[b2,4,8,8]", "f32[3,2,3,3]"],
        {**CONV, "group": 2},
        "filters must divide into groups",
        "a multiple of 2 filters",
        "3",
        "",
    ),
    (
        "conv2d",
        ["f32[b2,3]", "f32[4,3,3,3]"],
        CONV,
        "the input must have 4 axes (batch, channels, height, width)",
        "4 axes (batch, channels, height, width)",
        "f32[b2,3]",
        "",
    ),
    (
        "conv2d",
        ["f32[b2,3,8,8]", "f32[4,3,3,3]", "f32[3]"],
        CONV,
        "the bias needs one number per filter",
        "bias (4,)",
        "(3,)",
        "",
    ),
    (
        "conv2d",
        ["f32[b2,3,8,8]", "f64[4,3,3,3]"],
        CONV,
        "the filter must have the element type of the input",
        "f32",
        "f64",
        "",
    ),
    (
        "conv2d",
        ["f32[b2,3,8,8]", "f32[4,3,3,3]"],
        {**CONV, "stride": (0, 1)},
        "stride must be (height, width)",
        "two integers >= 1",
        "(0, 1)",
        "",
    ),
    (
        "inner_product",
        ["f32[b2,3]", "f32[4,5]"],
        {},
        "the weight does not match the features of its input",
        "weight (4, 3)",
        "(4, 5)",
        "",
    ),
    (
        "max_pool",
        ["f32[b2,3,8,8]"],
        {**POOL, "pad": (2, 0)},
        "padding must be smaller than the pooling kernel",
        "pad < (2, 2)",
        "(2, 0)",
        "",
    ),
    (
        "mean_pool",
        ["f32[b2,3,8,8]"],
        {**POOL, "divisor": "none"},
        "unknown divisor of mean pooling",
        "kernel caffe valid",
        "none",
        "",
    ),
    (
        "softmax",
        ["f32[b2,3]"],
        {"axis": 0},
        "the class axis must exist and not be the batch",
        "axis >= 1 of f32[b2,3]",
        "0",
        "",
    ),
    (
        "softmax_loss",
        ["f32[b2,3]", "f32[b2,2]"],
        {"axis": 1},
        "labels must be one class number per position",
        "label (2, 1)",
        "(2, 2)",
        "",
    ),
    ("add", ["f32[b2,3]", "f32[b2,4]"], {}, "operands of add must have one shape", "(2, 3)", "(2, 4)", ""),
    ("reshape", ["f32[b2,3]"], {"shape": (2, 4)}, "a reshape keeps the number of elements", "6 elements", "(2, 4)", ""),
    (
        "reshape",
        ["f32[b2,3] blocked(4)"],
        {"shape": (6,)},
        "a blocked value keeps its batch axis",
        "axis 0 of 2, or a relayout",
        "f32[6]",
        "",
    ),
    (
        "broadcast",
        ["f32[3]"],
        {"shape": (2, 4), "axes": (1,)},
        "extents differ along the broadcast axes",
        "(4,)",
        "(3,)",
        "",
    ),
    (
        "dropout_mask",
        ["i64[]"],
        {"key": 1, "ratio": 1.0, "shape": (2,)},
        "the dropout ratio must lie in [0, 1)",
        "0 <= ratio < 1",
        "1.0",
        "",
    ),
    ("relayout", ["f32[4,3]"], {"lanes": 4}, "only batch values can be blocked", "a batch value", "f32[4,3]", ""),
]


@pytest.mark.parametrize(("op", "types", "attrs", "rule", "expected", "got", "hint"), REFUSED)
def test_refusal_says_rule_expected_got_and_hint(op, types, attrs, rule, expected, got, hint):
    with pytest.raises(OpTypeError) as error:
        OPS[op].infer(*map(parse_type, types), **attrs)
    refused = error.value
    assert (refused.rule, refused.expected, refused.got, refused.hint) == (rule, expected, got, hint)


def test_wrong_dtypes_of_a_scalar_function_are_a_refusal():
    with pytest.raises(OpTypeError, match="add: operands differ"):
        OPS["add"].infer(parse_type("f32[2]"), parse_type("f64[2]"))
