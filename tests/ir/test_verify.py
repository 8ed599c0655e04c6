"""The verifier: one broken graph per rule, and the message it gets."""

import pytest

from mochac.ir import VerifyError, parse, verify

GOOD = """
graph @g(%x: f32[b2,3], %w: f32[b2,3], %v: f32[4] param) {
  %a: f32[b2,3] = relu(%x)  @"relu1 net.py:13"
  %b: f32[b2,3] = add(%a, %w)
  return %b
  update %v = %v
}
"""


def test_a_good_graph_passes():
    verify(parse(GOOD))


BROKEN = {
    "unique-names": ("%b: f32[b2,3] = add", "%a: f32[b2,3] = add", "%a is defined twice"),
    "known-role": (
        "%w: f32[b2,3], %v",
        "%w: f32[b2,3] param, %v",
        "input %w is batch-marked, as in a graph of many nets, but input %v is not",
    ),
    "defined-before-use": ("relu(%x)", "relu(%b)", "%b is used before it is defined"),
    "known-op": ("relu(%x)", "rellu(%x)", "no op 'rellu'; did you mean 'relu'?"),
    "types-match-infer": (
        "%a: f32[b2,3] = relu",
        "%a: f32[b2,4] = relu",
        "%a declared f32[b2,4], relu infers f32[b2,3]",
    ),
    "batch-blocked": ("%v: f32[4] param", "%v: f32[4] blocked(16) param", "input %v: f32[4] blocked(16) is blocked"),
    "results-exist": ("return %b", "return %bb", "output %bb is not defined"),
    "update-target": ("update %v", "update %x", "%x is updated, but its role is 'data'"),
    "update-type": ("update %v = %v", "update %v = %a", "%v: f32[4] becomes %a: f32[b2,3]"),
    "update-once": ("update %v = %v", "update %v = %v update %v = %v", "%v is updated 2 times"),
}


@pytest.mark.parametrize("rule", BROKEN)
def test_each_rule_has_its_message(rule):
    old, new, message = BROKEN[rule]
    assert old in GOOD
    with pytest.raises(VerifyError) as caught:
        verify(parse(GOOD.replace(old, new)))
    assert caught.value.rule == rule
    assert message in caught.value.text


def test_attributes_out_of_order_are_found():
    from dataclasses import replace

    graph = parse("graph @g() { %a: f32[] = fill {b = 1} return %a }".replace("fill", "fill()"))
    node = replace(graph.nodes[0], attrs=(("value", 1.0), ("dtype", "f32")))
    with pytest.raises(VerifyError, match="attrs-canonical"):
        verify(graph.with_(nodes=(node,)))


def test_undefined_operands_are_found_with_a_suggestion():
    with pytest.raises(VerifyError, match="%xx is not defined; did you mean 'x'"):
        verify(parse(GOOD.replace("relu(%x)", "relu(%xx)").replace("%x:", "%x:")))


def test_refused_operands_and_attributes_are_told():
    with pytest.raises(VerifyError, match="types-match-infer: relu has wrong operands or attributes"):
        verify(parse(GOOD.replace("relu(%x)", "relu(%x) {axis = 1}")))
    with pytest.raises(VerifyError, match="types-match-infer: add does not accept its operands"):
        verify(parse(GOOD.replace("add(%a, %w)", "add(%a, %v)")))


def test_two_states_may_be_swapped():
    verify(parse("graph @g(%p: f32[2] param, %q: f32[2] slot) { return update %q = %p update %p = %q }"))


def test_the_message_shows_the_node_its_origin_and_a_caret():
    with pytest.raises(VerifyError) as caught:
        verify(parse(GOOD.replace("%a: f32[b2,3] = relu", "%a: f32[b2,4] = relu")))
    assert str(caught.value).split("\n") == [
        "graph @g breaks rule types-match-infer: %a declared f32[b2,4], relu infers f32[b2,3]",
        "  in node 0, from relu1 net.py:13",
        '  -> %a: f32[b2,4] = relu(%x)  @"relu1 net.py:13"',
        "     ^^^^^^^^^^^^^",
    ]


@pytest.mark.parametrize(
    "node",
    [
        "%y: f32[2] = neg(%x, %x)",
        "%y: f32[2] = reshape(%x) {shape = 3}",
        "%y: f32[2] = reduce_sum(%x) {axes = (5)}",
        "%y: f32[2] = softmax(%x) {axis = 99}",
        "%y: f32[2] = reshape(%x) {shape = (2,), batch = 1}",
        "%y: f32[2,1] = broadcast(%x) {axes = (0,), shape = (2,1.0)}",
    ],
)
def test_operands_and_attributes_that_an_op_cannot_have_are_broken_rules(node):
    graph = parse(f"graph @g(%x: f32[2]) {{ {node} return %y }}")
    with pytest.raises(VerifyError) as caught:
        verify(graph)
    assert caught.value.rule in ("attrs-typed", "types-match-infer")
