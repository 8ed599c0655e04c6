"""The Rewriter: names, origins and groups survive; results are replaced only under their own names."""

import pytest

from mochac.ir import Graph, parse
from mochac.ir.build import rewrite, without_dead_nodes
from mochac.tools.testing import assert_same

GRAPH: Graph = parse("""graph @g(%x: f32[2], %w: f32[2] param) {
  %a: f32[2] = exp(%x)  @"one net.py:1" group 2
  %b: f32[2] = neg(%a)
  %y: f32[2] = square(%b)  @"two net.py:2"
  return %y
  update %w = %b
}
# a note
""")


def test_no_rule_changes_nothing():
    same = rewrite(GRAPH, lambda r, bound: None)
    assert same == GRAPH and same.notes == GRAPH.notes


def test_a_new_node_takes_name_and_origin_of_the_old():
    def square_is_mul(r, bound):
        if bound.node.op != "square":
            return None
        (x,) = bound.inputs
        return (r.op("mul", x, x, name=bound.outputs[0].name),)

    result = rewrite(GRAPH, square_is_mul)
    assert str(result.nodes[-1].loc[0]) == "two net.py:2"
    assert result.outputs == ("y",) and result.nodes[-1].op == "mul"


def test_a_result_is_not_replaced_by_a_value_of_another_name():
    result = rewrite(
        GRAPH, lambda r, bound: (r.op("neg", bound.inputs[0], name="other"),) if bound.node.op == "neg" else None
    )
    assert result == GRAPH


def test_users_of_a_dropped_node_follow():
    result = rewrite(GRAPH.with_(updates=()), lambda r, bound: bound.inputs if bound.node.op == "neg" else None)
    assert result.nodes[-1].inputs == ("a",)


def test_fresh_names_avoid_names_of_nodes_to_come():
    def doubled(r, bound):
        if bound.node.op != "exp":
            return None
        return (r.op("exp", r.op("neg", bound.inputs[0], name="y")),)

    names = [out.name for node in rewrite(GRAPH, doubled).nodes for out in node.outputs]
    assert len(set(names)) == len(names) and "y.1" in names


def test_a_replacement_of_another_type_is_a_fault():
    graph = parse("graph @g(%x: f32[2]) { %a: f64[2] = to_f64(%x) %y: f64[2] = neg(%a) return %y }")
    with pytest.raises(AssertionError, match=r"replaced %a: f64\[2\] by %x: f32\[2\]"):
        rewrite(graph, lambda r, bound: bound.inputs if bound.node.op == "to_f64" else None)


def test_dead_nodes_go_and_inputs_stay():
    graph = GRAPH.with_(outputs=("a",), updates=())
    kept = without_dead_nodes(graph)
    assert [n.op for n in kept.nodes] == ["exp"] and kept.inputs == GRAPH.inputs


def test_assert_same_ignores_names_and_origins_only():
    renamed = parse("""graph @h(%x: f32[2], %w: f32[2] param) {
      %p: f32[2] = exp(%x) group 2
      %q: f32[2] = neg(%p)
      %r: f32[2] = square(%q)
      return %r
      update %w = %q
    }""")
    assert_same(renamed, GRAPH)
    with pytest.raises(AssertionError, match="--- got"):
        assert_same(renamed.with_(outputs=("p",)), GRAPH)
