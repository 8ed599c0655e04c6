"""Graph text: the printed form, the round trip for every graph, and errors that show the place."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mochac.ir import Graph, Input, Loc, Node, ParseError, TensorType, Value, parse
from mochac.ir.graph import make_attrs
from mochac.ir.notes import Remark
from mochac.ir.types import DTYPES

TEXT = """\
graph @lenet(%data: f32[b64,1,28,28], %conv1.filter: f32[20,1,5,5] param, %lr: f32[] hyper) {
  %conv1: f32[b64,20,24,24] = conv(%data, %conv1.filter) {pad = (0,0), stride = (1,1)}  @"conv1 lenet.py:12" group 3
  %y: f32[b64,20,12,12] blocked(16), %i: i8[b64,20,12,12] = max_pool(%conv1)  @"pool1 a b.py:1" @"conv1"
  return %y, %i
  update %conv1.filter = %conv1.filter
}
# relu1 stays alone: its input is an output
"""


def test_the_printed_form_is_stable():
    graph = parse(TEXT)
    assert str(graph) == TEXT
    assert graph.nodes[0].loc == (Loc("conv1", "lenet.py", 12),)
    assert graph.nodes[0].group == 3
    assert graph.nodes[1].loc == (Loc("pool1", "a b.py", 1), Loc("conv1"))
    assert [i.role for i in graph.inputs] == ["data", "param", "hyper"]
    assert graph.notes == (Remark("relu1 stays alone: its input is an output"),)


def test_input_is_read_leniently():
    graph = parse(
        "# a comment\ngraph @g(%x: f32[2,],) { %y:f32[2]=f(%x,){a=[1, 2,], b=1e3, c=-inf} # why\n return %y }"
    )
    assert graph.nodes[0].attr == {"a": (1, 2), "b": 1000.0, "c": float("-inf")}
    assert graph.notes == ()


NAMES = st.text('abXY_.-/0 1"\\%é(', min_size=1, max_size=6)
TYPES = st.builds(
    TensorType,
    st.sampled_from(sorted(DTYPES)),
    st.lists(st.integers(0, 99), max_size=4).map(tuple),
    st.booleans(),
    st.sampled_from([0, 8, 16]),
)
SCALARS = st.one_of(st.integers(-(2**63), 2**64 - 1), st.floats(allow_nan=False), st.booleans(), st.text(max_size=8))
ATTRS = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=6)
LOCS = st.builds(
    Loc, st.text("ab1 :\\.", max_size=6), st.sampled_from(["", "net.py", "my net.py", "a:3"]), st.integers(0, 9)
)
VALUES = st.builds(Value, NAMES, TYPES)
NODES = st.builds(
    Node,
    st.sampled_from(["relu", "conv", "to_f32"]),
    st.lists(NAMES, max_size=3).map(tuple),
    st.lists(VALUES, min_size=1, max_size=2).map(tuple),
    st.dictionaries(st.sampled_from(["pad", "k", "group", "_x"]), ATTRS).map(make_attrs),
    st.lists(LOCS, max_size=2).map(tuple),
    st.integers(-1, 5),
)
GRAPHS = st.builds(
    Graph,
    NAMES,
    st.lists(st.builds(Input, NAMES, TYPES, st.sampled_from(["data", "param", "slot", "hyper"])), max_size=3).map(
        tuple
    ),
    st.lists(NODES, max_size=3).map(tuple),
    st.lists(NAMES, max_size=2).map(tuple),
    st.lists(st.tuples(NAMES, NAMES), max_size=2).map(tuple),
    st.lists(st.text("ab #\\", min_size=1, max_size=5), max_size=2).map(tuple),
)


@pytest.mark.slow
@settings(max_examples=settings.default.max_examples // 2, deadline=None, derandomize=True)
@given(GRAPHS)
def test_parsing_inverts_printing(graph):
    assert parse(str(graph)) == graph


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("graf @g() { return }", "line 1, column 1: expected 'graph'"),
        ("graph @g(%x: f33[2]) { return }", "line 1, column 14: not a tensor type: 'f33[2]'"),
        ("graph @g(%x f32[2]) { return }", "line 1, column 13: expected ':'"),
        ("graph @g(%x: f32[2] weight) { return }", "line 1, column 21: unknown role 'weight'"),
        ("graph @g() {\n  %y: f32[2] = (%x)\n  return %y\n}", "line 2, column 16: expected an op's name"),
        ("graph @g() {\n  %y: f32[2] = f(%x) {a = ?}\n}", "line 2, column 27: expected a number"),
        ("graph @g() {\n  y: f32[2] = f(%x)\n}", "line 2, column 3: expected a node or 'return'"),
        ("graph @g() { return } more", "line 1, column 23: text after the end of the graph"),
        ("graph @g() { %y: f32[] = f() group x return }", "line 1, column 36: expected a group's number"),
    ],
)
def test_errors_name_line_and_column(text, message):
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert str(caught.value).startswith(message)


def test_the_caret_stands_under_the_place():
    with pytest.raises(ParseError) as caught:
        parse("graph @g() {\n  %y: f32[2] = relu(x)\n}")
    _, shown, caret = str(caught.value).split("\n")
    assert shown[caret.index("^") :] == "x)"


def test_other_languages_are_recognised_by_their_first_word():
    from mochac.ir.plan import Plan

    plan = Plan("step", (), (), (), (), 0, 0)
    assert parse(str(plan)) == plan


def one_node(attr: str = "1", type: str = "f32[2]") -> str:
    return f"graph @g(%x: {type}) {{\n  %y: f32[2] = neg(%x) {{a = {attr}}}\n  return %y\n}}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (one_node("(" * 100_000), "line 2, column 61: tuples are nested more than 32 deep"),
        (one_node("9" * 5000), "line 2, column 29: an integer has at most 64 bits"),
        (one_node("18446744073709551616"), "line 2, column 29: an integer has at most 64 bits"),
        (one_node('"\\ud800"'), "line 2, column 29: not a string"),
        (one_node(type="f32[4294967296,4294967296]"), "line 1, column 14: a tensor has at most 281,474,976,710,656 b"),
        (one_node(type=f"f32[{'9' * 5000}]"), "line 1, column 14: a tensor has at most 32 axes, of at most 18 digits"),
        (one_node(type=f"f32[{'1,' * 33}]"), "line 1, column 14: a tensor has at most 32 axes, of at most 18 digits"),
        (one_node(type="f32[b2] blocked(99999999)"), "line 1, column 14: a block has at most 65536 lanes"),
    ],
)
def test_text_that_no_machine_holds_is_refused_at_its_place(text, said):
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert str(caught.value).startswith(said)
    assert len(str(caught.value)) < 600  # of a long line, what is around the place
    *_, shown, caret = str(caught.value).splitlines()
    assert text.splitlines()[caught.value.line - 1][caught.value.column - 1 :].startswith(shown[len(caret) - 1 :][:20])


def test_the_largest_integers_are_taken():
    graph = parse(one_node("(18446744073709551615, -9223372036854775808)"))
    assert graph.nodes[0].attr == {"a": (2**64 - 1, -(2**63))}
