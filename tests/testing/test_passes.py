"""assert_pass finds a pass that changes what a graph computes, even where the text afterwards is the one expected."""

import pytest

import mochac
from mochac.ir.build import rewrite
from mochac.ir.passes import PASSES, graph_pass

BEFORE = "graph @g(%x: f32[2]) { %y: f32[2] = exp(%x) return %y }"
AFTER = "graph @g(%x: f32[2]) { %y: f32[2] = neg(%x) return %y }"


@pytest.fixture(autouse=True)
def borrowed():
    PASSES.scan()
    items, foreign = dict(PASSES._items), set(PASSES.foreign)
    yield
    PASSES._items, PASSES.foreign = items, foreign


def test_a_pass_that_changes_a_value():
    def rule(r, bound):
        return (r.op("neg", bound.inputs[0], name=bound.outputs[0].name),) if bound.node.op == "exp" else None

    @graph_pass("exp_is_neg")
    def exp_is_neg(graph):
        return rewrite(graph, rule)

    with pytest.raises(AssertionError, match="%y: the pass changed its value"):
        mochac.testing.assert_pass("exp_is_neg", before=BEFORE, after=AFTER)
