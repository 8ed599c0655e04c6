"""An `emit` of a user's that calls an op wrongly, or returns no values, is one error: layer, op, expected, line."""

from __future__ import annotations

import numpy as np
import pytest

from mochac import MemoryDataLayer, Net, OptionError
from mochac.layers import Layer, layer
from mochac.layers.base import LAYERS

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
        with pytest.raises(OptionError) as caught:
            Net("n", [data, WrongLayer(name="w", bottoms=["x"])])
    finally:
        LAYERS._items, LAYERS.foreign = before
    text = caught.value.report
    assert text.startswith(f"OptionError: layer 'w' (Wrong): {rule}")
    assert more in text
    assert "the layer was made at tests/layers/test_wrong_emit.py:" in text
    assert text.splitlines()[-1].startswith("  at tests/layers/test_wrong_emit.py:")
