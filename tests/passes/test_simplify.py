"""simplify: one before/after per rule, what it must not fold, and that fuzzed graphs keep their values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_simplify_pools import BEFORE as POOL
from test_simplify_pools import SCATTERED

from mochac.ir import GraphBuilder, Loc, TensorType, parse, run, verify
from mochac.ir.passes import run as run_pass
from mochac.ir.passes import simplify
from mochac.tools.testing import assert_pass

FILL = 'fill() {{batch = true, dtype = "f32", shape = (2,3), value = {}}}'
T = "f32[b2,3]"


def graph(*lines, result="y"):
    """A graph on %x and %w; `c(1.0)` in a line stands for a fill."""
    body = []
    for line in lines:
        name, value = line.split(" = ", 1)
        call = FILL.format(value[5:]) if value.startswith("fill ") else value
        body.append(f"  %{name}: {T} = {call}")
    return f"graph @g(%x: {T}, %w: {T}) {{\n" + "\n".join(body) + f"\n  return %{result}\n}}"


RULES = {
    "x * 1": (["c = fill 1.0", "a = mul(%x, %c)", "y = exp(%a)"], ["y = exp(%x)"]),
    "1 * x": (["c = fill 1.0", "a = mul(%c, %x)", "y = exp(%a)"], ["y = exp(%x)"]),
    "x * -1": (["c = fill -1.0", "y = mul(%c, %x)"], ["y = neg(%x)"]),
    "(-x) * c": (["c = fill 3.0", "a = neg(%x)", "y = mul(%a, %c)"], ["d = fill -3.0", "y = mul(%x, %d)"]),
    "-(x * c)": (["c = fill 3.0", "a = mul(%x, %c)", "y = neg(%a)"], ["d = fill -3.0", "y = mul(%x, %d)"]),
    "(x * a) * 2^k": (
        ["c = fill 0.3", "d = fill 0.5", "a = mul(%x, %c)", "y = mul(%a, %d)"],
        ["e = fill 0.15", "y = mul(%x, %e)"],
    ),
    "x / 2^k": (["c = fill 64.0", "y = div(%x, %c)"], ["d = fill 0.015625", "y = mul(%x, %d)"]),
    "stop_gradient": (["a = stop_gradient(%x)", "y = exp(%a)"], ["y = exp(%x)"]),
    "x / 1": (["c = fill 1.0", "a = div(%x, %c)", "y = exp(%a)"], ["y = exp(%x)"]),
    "x + 0": (["c = fill 0.0", "a = add(%x, %c)", "y = exp(%a)"], ["y = exp(%x)"]),
    "x - 0": (["c = fill 0.0", "a = sub(%x, %c)", "y = exp(%a)"], ["y = exp(%x)"]),
    "0 - x": (["c = fill 0.0", "y = sub(%c, %x)"], ["y = neg(%x)"]),
    "x + (-w)": (["a = neg(%w)", "y = add(%x, %a)"], ["y = sub(%x, %w)"]),
    "(-x) + w": (["a = neg(%x)", "y = add(%a, %w)"], ["y = sub(%w, %x)"]),
    "x - (-w)": (["a = neg(%w)", "y = sub(%x, %a)"], ["y = add(%x, %w)"]),
    "-(-x)": (["a = neg(%x)", "b = neg(%a)", "y = exp(%b)"], ["y = exp(%x)"]),
    "fold": (
        ["c = fill 2.0", "d = fill 3.0", "a = add(%c, %d)", "y = mul(%x, %a)"],
        ["e = fill 5.0", "y = mul(%x, %e)"],
    ),
    "cse": (["a = add(%x, %w)", "b = add(%w, %x)", "y = mul(%a, %b)"], ["a = add(%x, %w)", "y = mul(%a, %a)"]),
    "dead": (["a = exp(%x)", "y = neg(%x)"], ["y = neg(%x)"]),
    "own dtype": (["a = to_f32(%x)", "y = exp(%a)"], ["y = exp(%x)"]),
}


@pytest.mark.parametrize("name", RULES)
def test_rule(name):
    before, after = RULES[name]
    assert_pass("simplify", before=graph(*before), after=graph(*after))


TEXTS = {
    "largest": """graph @g(%x: f32[b3,2,6,4]) {
        %p: f32[b3,2,1,1], %i: i8[b3,2,1,1] = max_pool(%x) {kernel = (6,4), pad = (0,0), stride = (1,1)}
        return %p
    }""",
    "shapes": """graph @g(%x: f32[b2,3]) {
        %s: f32[] = fill() {batch = false, dtype = "f32", shape = (), value = 2.0}
        %t: f32[b2,3] = broadcast(%s) {axes = (), batch = true, shape = (2,3)}
        %a: f32[b2,3] = mul(%x, %t)
        %b: f32[b2,3,1] = reshape(%a) {shape = (2,3,1)}
        %c: f32[b2,1,3] = reshape(%b) {shape = (2,1,3)}
        %d: f32[b2,1,3] = reshape(%c) {shape = (2,1,3)}
        %e: f32[b2,1,3] = reduce_sum(%d) {axes = ()}
        %y: f32[b2,1,3] = exp(%e)
        return %y
    }""",
    "layouts": """graph @g(%x: f32[b32,3]) {
        %a: f32[b32,3] blocked(16) = relayout(%x) {lanes = 16}
        %b: f32[b32,3] = relayout(%a) {lanes = 0}
        %y: f32[b32,3] = exp(%b)
        return %y
    }""",
    "axes": """graph @g(%x: f32[2,3,4]) {
        %a: f32[3,2,4] = permute(%x) {order = (1,0,2)}
        %b: f32[4,3,2] = permute(%a) {order = (2,0,1)}
        return %b
    }""",
    "pads": """graph @g(%x: f32[b2,3], %y: f32[b2,1]) {
        %a: f32[b2,4] = pad(%x) {shape = (2,4), start = (0,1)}
        %b: f32[b2,4] = pad(%y) {shape = (2,4), start = (0,0)}
        %s: f32[b2,4] = add(%a, %b)
        return %s
    }""",
    "numbers of rows": """graph @g(%x: f32[b2,3], %a: f32[3]) {
        %s: f32[b2,3] = broadcast(%a) {axes = (1,), batch = true, shape = (2,3)}
        %c: f32[b2,3] = fill() {batch = true, dtype = "f32", shape = (2,3), value = 2.0}
        %d: f32[b2,3] = mul(%x, %c)
        %y: f32[b2,3] = mul(%s, %d)
        return %y
    }""",
    "select": """graph @g(%m: bool[b2,3], %x: f32[b2,3]) {
        %a: f32[b2,3] = select(%m, %x, %x)
        %y: f32[b2,3] = exp(%a)
        return %y
    }""",
    "samples": """graph @g(%x: f32[b4,3]) {
        %a: f32[4,3] = all_samples(%x)
        %b: f32[b4,3] = own_samples(%a)
        %y: f32[b4,3] = exp(%b)
        return %y
    }""",
    "a gradient of its own": """graph @g(%x: f32[b3,2]) {
        %f: f32[b3,2] = exp(%x)
        %a: f32[b3,2] = custom_gradient(%f, %x) {backward = graph @b(%d: f32[b3,2], %x: f32[b3,2]) {
          %e: f32[b3,2] = neg(%d)
          return %e
        }, of = (0,)}
        %y: f32[b3,2] = exp(%a)
        return %y
    }""",
    "a pool": POOL,
    "a scattered gradient": SCATTERED,
}
"""A graph at least for every rule that RULES of this file do not use."""


@pytest.mark.parametrize("name", simplify.RULES)
def test_every_rule_changes_an_example(name, monkeypatch):
    graphs = [parse(graph(*before)) for before, _ in RULES.values()] + [parse(text) for text in TEXTS.values()]
    for example in graphs:
        verify(example)
    after = [run_pass("simplify", example) for example in graphs]
    others = {other: rule for other, rule in simplify.RULES.items() if other != name}
    monkeypatch.setattr(simplify, "RULES", others)
    simplify.rules_of.cache_clear()
    without = [run_pass("simplify", example) for example in graphs]
    monkeypatch.undo()
    simplify.rules_of.cache_clear()
    assert after != without


KEPT = {
    "x * 0": ["c = fill 0.0", "y = mul(%x, %c)"],
    "(x * 0.3) * 0.7 rounds twice": ["c = fill 0.3", "d = fill 0.7", "a = mul(%x, %c)", "y = mul(%a, %d)"],
    "x / 3": ["c = fill 3.0", "y = div(%x, %c)"],
    "w - x is not x - w": ["a = sub(%x, %w)", "b = sub(%w, %x)", "y = mul(%a, %b)"],
    "log(-1) is NaN": ["c = fill -1.0", "a = log(%c)", "y = add(%x, %a)"],
    "results keep their names": ["c = fill 1.0", "y = mul(%x, %c)"],
}


@pytest.mark.parametrize("name", KEPT)
def test_what_is_not_folded(name):
    assert_pass("simplify", before=graph(*KEPT[name]), after=graph(*KEPT[name]))


def test_shapes_fold():
    assert_pass(
        "simplify",
        before="""graph @g(%x: f32[b2,3]) {
            %s: f32[] = fill() {batch = false, dtype = "f32", shape = (), value = 2.0}
            %t: f32[b2,3] = broadcast(%s) {axes = (), batch = true, shape = (2,3)}
            %a: f32[b2,3] = mul(%x, %t)
            %b: f32[b2,3,1] = reshape(%a) {shape = (2,3,1)}
            %c: f32[b2,1,3] = reshape(%b) {shape = (2,1,3)}
            %d: f32[b2,1,3] = reshape(%c) {shape = (2,1,3)}
            %e: f32[b2,1,3] = reduce_sum(%d) {axes = ()}
            return %d
            }""".replace("return %d", "%y: f32[b2,1,3] = exp(%e) return %y"),
        after="""graph @g(%x: f32[b2,3]) {
            %t: f32[b2,3] = fill() {batch = true, dtype = "f32", shape = (2,3), value = 2.0}
            %a: f32[b2,3] = mul(%x, %t)
            %c: f32[b2,1,3] = reshape(%a) {shape = (2,1,3)}
            %y: f32[b2,1,3] = exp(%c)
            return %y
            }""",
    )


def test_a_reshape_that_loses_the_batch_mark_is_kept():
    text = """graph @g(%x: f32[b2,3]) {
        %a: f32[6] = reshape(%x) {shape = (6,)}
        %b: f32[2,3] = reshape(%a) {shape = (2,3)}
        %y: f32[2,3] = exp(%b)
        return %y
    }"""
    assert_pass("simplify", before=text, after=text)


def test_there_and_back_again():
    assert_pass(
        "simplify",
        before="""graph @g(%x: f32[b32,3]) {
            %a: f32[b32,3] blocked(16) = relayout(%x) {lanes = 16}
            %b: f32[b32,3] = relayout(%a) {lanes = 0}
            %y: f32[b32,3] = exp(%b)
            return %y
        }""",
        after="graph @g(%x: f32[b32,3]) { %y: f32[b32,3] = exp(%x) return %y }",
    )


def test_a_product_that_is_needed_anyway_is_negated():
    """Instead of another product, which would need %x as well."""
    text = """graph @g(%x: f32[2]) {
        %c: f32[2] = fill() {batch = false, dtype = "f32", shape = (2,), value = 3.0}
        %a: f32[2] = mul(%x, %c)
        %b: f32[2] = neg(%a)
        %y: f32[2] = exp(%a)
        return %b, %y
    }"""
    assert_pass("simplify", before=text, after=text)


def test_names_of_results_and_origins_survive():
    text = """graph @g(%x: f32[2], %w: f32[2] param) {
        %a: f32[2] = exp(%x)  @"one net.py:1"
        %b: f32[2] = exp(%x)  @"two net.py:2"
        %c: f32[2] = sub(%a, %b)
        %loss: f32[2] = neg(%c)
        %w2: f32[2] = mul(%w, %c)
        return %loss
        update %w = %w2
    }"""
    result = run_pass("simplify", parse(text))
    assert result.outputs == ("loss",) and result.updates == (("w", "w2"),)
    assert result.nodes[0].loc == (Loc("one", "net.py", 1), Loc("two", "net.py", 2))


SHAPES = [(2, 3), (3, 2), (6,)]
UNARY, BINARY = ["neg", "exp", "relu", "abs", "square"], ["add", "sub", "mul", "max"]
CHOICES = st.tuples(st.integers(0, 7), st.integers(0, 99), st.integers(0, 99))
CONSTANTS = [0.0, 1.0, -1.0, 0.5, 3.0, 0.3]


def grow(b, choices):
    """A random graph: each choice appends a node on values made so far."""
    values = [b.input("x", TensorType("f32", (2, 3))), b.input("w", TensorType("f32", (2, 3)))]
    for kind, i, j in choices:
        x = values[-1 - i % min(len(values), 3)]
        mates = [v for v in values if v.type == x.type]
        if kind == 0:
            values.append(b.op(UNARY[j % len(UNARY)], x))
        elif kind == 1:
            values.append(b.const(CONSTANTS[j % len(CONSTANTS)], x.type))
        elif kind == 2:
            values.append(b.op("reshape", x, shape=SHAPES[j % len(SHAPES)]))
        elif kind in (3, 4):
            c = b.const(CONSTANTS[j % len(CONSTANTS)], x.type)
            op, swap = ["mul", "div", "add", "sub"][(i + j) % 4], j % 3 == 0
            values.append(b.op(op, *(c, x)) if swap else b.op(op, x, c))
        else:
            values.append(b.op(BINARY[kind % len(BINARY)], x, mates[j % len(mates)]))
    return values


@pytest.mark.slow
@settings(max_examples=settings.default.max_examples // 2, deadline=None, derandomize=True)
@given(st.lists(CHOICES, min_size=2, max_size=14), st.integers(0, 99))
def test_values_are_preserved(choices, pick):
    b = GraphBuilder("fuzz")
    values = grow(b, choices)
    before = b.finish(dict.fromkeys([values[pick % len(values)], values[-1]]))
    after = run_pass("simplify", before)
    verify(after)
    assert parse(str(after)) == after
    assert len(after.nodes) <= len(before.nodes)
    rng = np.random.default_rng(1)
    inputs = {i.name: rng.normal(size=i.type.shape) for i in before.inputs}
    wanted, got = run(before, inputs), run(after, inputs)
    for name in before.outputs:
        np.testing.assert_array_equal(got[name], wanted[name])


def test_permutations_meet():
    assert_pass(
        "simplify",
        before="""graph @g(%x: f32[2,3,4]) {
          %a: f32[3,2,4] = permute(%x) {order = (1,0,2)}
          %b: f32[4,3,2] = permute(%a) {order = (2,0,1)}
          %c: f32[2,3,4] = permute(%a) {order = (1,0,2)}
          %d: f32[2,3,4] = exp(%c)
          return %b, %d
        }""",
        after="""graph @g(%x: f32[2,3,4]) {
          %b: f32[4,3,2] = permute(%x) {order = (2,1,0)}
          %d: f32[2,3,4] = exp(%x)
          return %b, %d
        }""",
    )


def test_pads_that_fill_each_others_zeros_are_a_concat():
    before = """graph @g(%x: f32[b2,3], %y: f32[b2,1], %z: f32[b2,2]) {
      %a: f32[b2,6] = pad(%x) {shape = (2,6), start = (0,1)}
      %b: f32[b2,6] = pad(%y) {shape = (2,6), start = (0,0)}
      %c: f32[b2,6] = add(%a, %b)
      %d: f32[b2,6] = pad(%z) {shape = (2,6), start = (0,4)}
      %s: f32[b2,6] = add(%c, %d)
      return %s
    }"""
    after = """graph @g(%x: f32[b2,3], %y: f32[b2,1], %z: f32[b2,2]) {
      %s: f32[b2,6] = concat(%y, %x, %z) {axis = 1}
      return %s
    }"""
    assert_pass("simplify", before=before, after=after)
    overlapping = before.replace("start = (0,4)", "start = (0,3)")
    assert_pass("simplify", before=overlapping, after=overlapping)


def test_a_power_of_two_scales_what_is_broadcast():
    """Numbers that rows share are scaled instead of elements; other factors, which would round, stay."""
    text = """graph @g(%x: f32[b2,3], %a: f32[3]) {
      %s: f32[b2,3] = broadcast(%a) {axes = (1,), batch = true, shape = (2,3)}
      %c: f32[b2,3] = fill() {batch = true, dtype = "f32", shape = (2,3), value = 2.0}
      %d: f32[b2,3] = mul(%x, %c)
      %y: f32[b2,3] = mul(%s, %d)
      return %y
    }"""
    kept = text.replace("2.0", "3.0")
    scaled = run_pass("simplify", parse(text))
    assert [n.outputs[0].type.shape for n in scaled.nodes if n.op == "mul"] == [(3,), (2, 3)]
    assert run_pass("simplify", parse(kept)) == parse(kept)
    given_inputs = {"x": np.arange(6.0).reshape(2, 3), "a": np.array([0.5, -1.0, 3.0])}
    assert (run(scaled, given_inputs)["y"] == run(parse(text), given_inputs)["y"]).all()
