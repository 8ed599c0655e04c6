"""check_call: every op takes the calls its samples state, and refuses others in words."""

from __future__ import annotations

import numpy as np
import pytest

from mochac.ir.graph import Value
from mochac.ir.kernel_build import Pointwise
from mochac.ir.op import OPS, Op
from mochac.ir.op_call import OpCallError, check_call
from mochac.ir.text import parse
from mochac.ir.types import TensorType, parse_type
from mochac.ir.verifier import problems

X = Value("x", TensorType("f32", (4, 3), batch=True))


@pytest.mark.parametrize("name", OPS)
def test_samples_are_legal_calls(name):
    for sample in OPS[name].samples:
        operands = tuple(Value(f"v{k}", parse_type(t)) for k, t in enumerate(sample.types))
        check_call(name, operands, sample.attrs)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (("sigmod", (X,), {}), "there is no operation 'sigmod'"),
        (("relu", (np.ones(3),), {}), "operand 0 of relu is not a value: expected a bottom, or what ctx.op and ctx"),
        (("softmax", (X,), {"dim": 1}), "operation 'softmax' has no attribute 'dim': expected axis, got dim"),
        (("relu", (X,), {"inplace": True}), "operation 'relu' has no attribute 'inplace': expected no attributes"),
        (("reduce_sum", (X,), {}), "operation 'reduce_sum' needs the attribute 'axes': expected axes, got no attri"),
        (("reduce_sum", (X,), {"axes": 1}), "attribute 'axes' of reduce_sum is of the wrong type: expected a tuple"),
        (("softmax", (X,), {"axis": "last"}), "attribute 'axis' of softmax is of the wrong type: expected an integer"),
        (("softmax", (X, X), {"axis": 1}), "wrong number of operands of softmax: expected 1, got 2"),
        (("inner_product", (X,), {}), "wrong number of operands of inner_product: expected 2 to 3, got 1"),
        (("max_pool", (X,), {"kernel": (2, 2), "strid": (2, 2)}), "operation 'max_pool' has no attribute 'strid'"),
    ],
)  # fmt: skip
def test_wrong_calls(call, text):
    with pytest.raises(OpCallError) as caught:
        check_call(*call)
    assert str(caught.value).startswith(text)


def test_hints():
    def hint(*call):
        with pytest.raises(OpCallError) as caught:
            check_call(*call)
        return caught.value.hint

    assert hint("sigmod", (X,), {}) == "did you mean 'sigmoid'?"
    assert hint("matmul", (X,), {}) == "use x @ w, or 'inner_product': x, weight (out, in), bias"
    assert hint("add", (X, 0.5), {}).startswith("operators take numbers, as in x * 0.5")
    assert hint("add", ([X, X],), {}) == "give values one by one: *values"
    assert hint("reduce_sum", (X,), {"axes": 1}) == "write axes=(1,)"


@pytest.mark.parametrize("axes", [[0, 1], (np.int64(0),), [np.int32(1)]])
def test_what_becomes_canonical_is_taken(axes):
    check_call("reduce_sum", (X,), {"axes": axes})
    with pytest.raises(OpCallError, match="'axes' of reduce_sum is of the wrong type"):
        check_call("reduce_sum", (X,), {"axes": np.arange(2)})


def test_a_signature_is_read_once(monkeypatch):
    check_call("softmax", (X,), {"axis": 1})
    monkeypatch.setattr("mochac.ir.op_call.signature", None)
    check_call("softmax", (X,), {"axis": 1})


def test_the_verifier_reads_annotations_as_calls_do(monkeypatch):
    """An own op of a file without `from __future__ import annotations` has types there, not texts."""

    def infer(x, *, axis):
        return (x,)

    infer.__annotations__ = {"axis": int}
    monkeypatch.setitem(OPS._items, "own", Op("own", infer, lambda x: x, Pointwise(lambda *_: ()), ()))
    with pytest.raises(OpCallError, match="attribute 'axis' of own is of the wrong type: expected an integer"):
        check_call("own", (X,), {"axis": 1.5})
    graph = parse("graph @g(%x: f32[2]) { %y: f32[2] = own(%x) {axis = 1.5} return %y }")
    assert [problem.rule for problem in problems(graph)] == ["attrs-typed"]


def test_an_own_op_may_name_its_attributes_anyhow():
    def made(infer):
        return Op("own", infer, lambda x: x, Pointwise(lambda *_: ()), ())

    OPS._items["own"] = made(lambda x, slope: (x,))
    try:
        check_call("own", (X,), {"slope": 2.0})
        with pytest.raises(OpCallError, match="wrong number of operands of own"):
            check_call("own", (), {"slope": 2.0})
        OPS._items["own"] = made(lambda x, **attrs: (x,))
        check_call("own", (X,), {"anything": object()})
    finally:
        del OPS._items["own"]
