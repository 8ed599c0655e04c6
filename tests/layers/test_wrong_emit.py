"""An `emit` of a user's that calls an op wrongly, or returns no values, is one error: layer, op, expected, line."""

from __future__ import annotations

import operator

import numpy as np
import pytest

from mochac import ConstantInitializer, MemoryDataLayer, MochacError, Net, NoRegu, OptionError
from mochac.layers import Layer, Loss, layer
from mochac.layers.base import LAYERS

ZERO = ConstantInitializer(0)
PLAIN = (ZERO, NoRegu(), 1.0)
CASES = {
    "no such op": (lambda ctx, x: [ctx.op("sigmod", x)], "there is no operation 'sigmod'", "did you mean 'sigmoid'?"),
    "another library's": (lambda ctx, x: [ctx.op("matmul", x, x)], "there is no operation 'matmul'", "'inner_product'"),
    "an operand too few": (lambda ctx, x: [ctx.op("softmax_loss", x, axis=1)], "wrong number", "expected  2"),
    "a number as operand": (lambda ctx, x: [ctx.op("mul", x, 2.0)], "operand 1 of mul is no", "as in x * 2.0"),
    "an attribute's name": (lambda ctx, x: [ctx.op("softmax", x, dim=1)], "operation 'softmax' has", "expected  axis"),
    "an attribute's type": (lambda ctx, x: [ctx.op("reduce_sum", x, axes=1)], "attribute 'axes'", "write axes=(1,)"),
    "a factor": (lambda ctx, x: [ctx.scaled(x, "2")], "a constant is not a number", "got  '2'"),
    "a value": (lambda ctx, x: ctx.op("relu", x), "emit returns a value, not a list of values", "return [y]"),
    "nothing": (lambda ctx, x: None, "emit returns no values", "a list, one value per top"),
    "too little": (lambda ctx, x: [], "emit returns too few values", "one per top: 1"),
    "too much": (lambda ctx, x: [x, x], "emit returns too many values", "one per top: 1,  got  2"),
    "a loss": (lambda ctx, x: [ctx.loss(x, 1.0)], "ctx.loss in a class that is no loss", "is_loss = True in the class"),
    "a statistic": (
        lambda ctx, x: [ctx.statistic("s", x)], "ctx.statistic in a class that is no", "is_statistic = True",
    ),
    "a list's loss": (lambda ctx, x: [ctx.loss([x], 1.0)], "the loss of each sample is not a value", "*values"),
    "a shape": (lambda ctx, x: [ctx.param("a", 3, *PLAIN)], "the shape of 'a' is no shape", "write (3,)"),
    "a state's shape": (lambda ctx, x: [ctx.state("a", "3", ZERO)], "the shape of 'a' is no shape", "got  '3'"),
    "an initializer": (lambda ctx, x: [ctx.param("a", (3,), 0.5, *PLAIN[1:])], "the initializer of 'a' is none", "0.5"),
    "a regularizer": (
        lambda ctx, x: [ctx.param("a", (3,), ZERO, 0.5, 1.0)], "the regularizer of 'a' is none", "NoRegu()",
    ),
    "a name": (
        lambda ctx, x: [x + undefined], "its emit raised NameError: name 'undefined' is not defined", "",  # noqa: F821
    ),
    "PyTorch's dim": (lambda ctx, x: [x.sum(dim=1)], "sum of a value has no argument 'dim'", "did you mean 'axis'?"),
    "PyTorch's keepdim": (lambda ctx, x: [x.max(1, keepdim=True)], "max of a value has no argument", "'keepdims'?"),
    "PyTorch's method": (lambda ctx, x: [x.relu()], "a value has no attribute 'relu'", "hint: ctx.op('relu', ...)"),
    "a key": (lambda ctx, x: [{}["a"]], "its emit raised KeyError: 'a'", ""),
    "shapes": (
        lambda ctx, x: [ctx.op("add", x, x[:, :2])], "operands of add must have one shape", "bottom 'x': f32[2,3]",
    ),
    "no value": (lambda ctx, x: ["y"], "element 0 of what emit returns is not a value", "got  'y'"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_one_error_with_the_line(case):
    emit, rule, more = CASES[case]
    before = dict(LAYERS._items), set(LAYERS.foreign)

    @layer
    class WrongLayer(Layer):
        def emit(self, ctx, bottoms):
            return emit(ctx, *bottoms)

    try:
        data = MemoryDataLayer(data=[np.ones((4, 3))], tops=["x"], batch_size=2)
        with pytest.raises(MochacError) as caught:
            Net("n", [data, WrongLayer(name="w", bottoms=["x"])])
    finally:
        LAYERS._items, LAYERS.foreign = before
    text = caught.value.report
    assert text.partition(": ")[2].startswith(f"layer 'w' (Wrong): {rule}"), text
    assert more in text
    assert "the layer was made at tests/layers/test_wrong_emit.py:" in text
    assert text.splitlines()[-1].startswith("  at tests/layers/test_wrong_emit.py:")


@pytest.fixture
def own():
    """What a test registers is gone afterwards."""
    LAYERS.scan()
    before = dict(LAYERS._items), set(LAYERS.foreign)
    yield
    LAYERS._items, LAYERS.foreign = before


def refused(kind, **fields):
    data = MemoryDataLayer(data=[np.ones((4, 3)), np.ones((4, 3))], tops=["x", "y"], batch_size=2)
    with pytest.raises(OptionError) as caught:
        Net("n", [data, kind(name="w", **fields)])
    return str(caught.value)


def test_a_class_without_emit_or_losses(own):
    @layer
    class EmptyLayer(Layer):
        pass

    @layer
    class EmptyLossLayer(Loss):
        pass

    assert refused(EmptyLayer, bottoms=["x"]).startswith("layer 'w' (Empty): its class has no emit")
    assert refused(EmptyLossLayer, bottoms=["x", "y"]).startswith("layer 'w' (EmptyLoss): its class has no losses")


def test_losses_returns_a_list(own):
    @layer
    class ListLossLayer(Loss):
        def losses(self, ctx, bottoms):
            return [bottoms[0]]

    text = refused(ListLossLayer, bottoms=["x", "y"])
    assert text.startswith("layer 'w' (ListLoss): losses returns a list")
    assert "return y, without brackets" in text
    assert text.splitlines()[-1].startswith("  at tests/layers/test_wrong_emit.py:")


def test_another_exception_is_the_cause_of_the_error(own):
    """So that Python shows where it happened."""

    @layer
    class FallingLayer(Layer):
        def emit(self, ctx, bottoms):
            raise ZeroDivisionError

    data = MemoryDataLayer(data=[np.ones((4, 3))], tops=["x"], batch_size=2)
    with pytest.raises(OptionError, match="its emit raised ZeroDivisionError") as caught:
        Net("n", [data, FallingLayer(name="w", bottoms=["x"])])
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize("name", ["relu", "cat", "special.zeta", "nn.functional.relu"])
def test_a_function_of_pytorch(own, name):
    """PyTorch asks values for __torch_function__."""
    torch = pytest.importorskip("torch")
    function = operator.attrgetter(name)(torch)

    @layer
    class TorchLayer(Layer):
        def emit(self, ctx, bottoms):
            return [function([bottoms[0]] * 2 if name == "cat" else bottoms[0], *[2] * ("zeta" in name))]

    hints = {"relu": "ctx.op('relu', ...)", "cat": "use np.concatenate([x, y], axis=1)"}
    text = refused(TorchLayer, bottoms=["x"])
    assert text.splitlines()[-1].startswith("  at tests/layers/test_wrong_emit.py:")
    assert "there is no operation for torch." in text
    assert f"hint: {hints.get(name.rpartition('.')[2], 'or ctx.op(name, ...)')}" in text
