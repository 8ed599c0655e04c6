"""fuse: which nodes share a kernel, which do not, and the reason that is printed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mochac.ir import Graph, parse, verify
from mochac.ir.notes import NotFused
from mochac.ir.ops._window import Tiles
from mochac.ir.passes.fast_convolutions import fast_convolutions
from mochac.ir.passes.fuse import SWEEPS, Sweep, fuse
from mochac.ir.passes.group_graph import BETWEEN, FusionTarget, NodeGroups
from mochac.ir.passes.groups import grouped

POOL = "{kernel = (2,2), pad = (0,0), stride = (2,2)}"
CONV = "{group = 1, pad = (0,0), stride = (1,1)}"


def fused(text: str, enabled: bool = True) -> Graph:
    graph = parse(text)
    verify(graph)
    result = fuse(graph, enabled=enabled)
    verify(result)
    grouped(result)  # raises when groups form a cycle
    return result


def groups(graph: Graph) -> dict[str, int]:
    return {out.name: node.group for node in graph.nodes for out in node.outputs}


def together(graph: Graph) -> list[set[str]]:
    found: dict[int, set[str]] = {}
    for name, group in groups(graph).items():
        if group >= 0:
            found.setdefault(group, set()).add(name)
    return list(found.values())


def test_contraction_takes_its_elementwise_tail_and_stores_what_others_read() -> None:
    g = fused("""graph @g(%x: f32[b4,3], %w: f32[5,3] param, %v: f32[2,5] param) {
      %a: f32[b4,5] = inner_product(%x, %w)
      %r: f32[b4,5] = relu(%a)
      %s: f32[b4,5] = sigmoid(%a)
      %y: f32[b4,2] = inner_product(%r, %v)
      return %y, %s
    }""")
    assert together(g) == [{"a", "r", "s"}, {"y"}]
    assert [group.outputs for group in grouped(g)] == [("r", "s"), ("y",)]
    assert any("%r -> %y (inner_product) not fused: inner_product reads each element more" in str(n) for n in g.notes)


def test_pool_takes_in_a_convolution_nobody_else_reads() -> None:
    text = """graph @g(%x: f32[b4,1,5,5], %w: f32[2,1,2,2] param) {
      %c: f32[b4,2,4,4] = conv(%x, %w) CONV
      %r: f32[b4,2,4,4] = relu(%c)
      %p: f32[b4,2,2,2], %i: i8[b4,2,2,2] = max_pool(%r) POOL
      %n: f32[b4,2,2,2] = neg(%p)
      return %n, %i
    }""".replace("CONV", CONV).replace("POOL", POOL)
    assert together(fused(text)) == [{"c", "r", "p", "i", "n"}]
    read_again = fused(text.replace("return %n", "return %r, %n"))
    assert together(read_again) == [{"c", "r"}, {"p", "i", "n"}]
    assert "%r -> %p (max_pool) not fused: its values have other readers" in map(str, read_again.notes)


@pytest.mark.parametrize(
    ("attrs", "size"),
    [("{kernel = (3,3), pad = (0,0), stride = (2,2)}", 4), ("{kernel = (2,2), pad = (1,1), stride = (2,2)}", 5)],
)
def test_overlapping_and_padded_pools_stay_apart(attrs: str, size: int) -> None:
    g = fused(f"""graph @g(%x: f32[b4,1,9,9], %w: f32[2,1,2,2] param) {{
      %c: f32[b4,2,8,8] = conv(%x, %w) {CONV}
      %p: f32[b4,2,{size},{size}], %i: i8[b4,2,{size},{size}] = max_pool(%c) {attrs}
      return %p
    }}""")
    assert together(g) == [{"c"}, {"p", "i"}]
    assert any("its windows overlap or touch padding" in str(n) for n in g.notes)


def test_pools_of_blocked_images_take_in_whole_planes() -> None:
    window = "{kernel = (3,3), pad = (0,0), stride = (2,2)}"
    text = f"""graph @g(%x: f32[b4,1,9,9] blocked(4), %w: f32[2,1,2,2] param) {{
      %c: f32[b4,2,8,8] blocked(4) = conv(%x, %w) {CONV}
      %p: f32[b4,2,4,4] blocked(4), %i: i8[b4,2,4,4] blocked(4) = max_pool(%c) {window}
      return %p
    }}"""
    assert together(fused(text)) == [{"c", "p", "i"}]
    assert together(fused(text.replace("return %p", "return %p, %c"))) == [{"c", "p", "i"}]  # read back as it is stored
    padded = fused(text.replace("return %p", "return %p, %c").replace("b4,", "b6,"))
    assert together(padded) == [{"c"}, {"p", "i"}]  # a tail is packed for convolutions alone
    assert any("its samples fill no whole blocks" in str(n) for n in padded.notes)
    large = text.replace("9,9", "49,49").replace("8,8", "48,48").replace("4,4", "24,24")
    assert any("planes of the image would not stay in cache" in str(n) for n in fused(large).notes)


@pytest.mark.parametrize(("samples", "expected"), [(1, [{"c", "q", "p"}]), (2, [{"c", "q"}, {"p"}])])
def test_pools_of_integers_take_in_the_convolution_of_one_sample(samples: int, expected: list[set[str]]) -> None:
    """Their channels are last."""
    g = fused(f"""graph @g(%x: i8[b{samples},9,9,1], %w: i8[2,2,1,3]) {{
      %c: i32[b{samples},8,8,3] = integer_conv(%x, %w) {{stride = (1,1), pad = (0,0)}}
      %q: i8[b{samples},8,8,3] = narrow_i8(%c)
      %p: i8[b{samples},4,4,3] = integer_pool(%q) {{how = "max", kernel = (2,2), pad = (0,0), stride = (2,2)}}
      return %p
    }}""")
    assert together(g) == expected


def test_a_weight_gradient_takes_in_the_gradient_of_a_pool_that_it_alone_reads() -> None:
    pool = "{shape = (4,2,4,4), kernel = (2,2), pad = (0,0), stride = (2,2)}"
    text = f"""graph @g(%x: f32[b4,1,5,5] blocked(4), %d: f32[b4,2,2,2] blocked(4), %i: i8[b4,2,2,2] blocked(4)) {{
      %e: f32[b4,2,4,4] blocked(4) = max_pool_dx(%d, %i) {pool}
      %n: f32[b4,2,4,4] blocked(4) = neg(%e)
      %w: f32[2,1,2,2] = conv_dw(%x, %n) {{group = 1, kernel = (2,2), pad = (0,0), stride = (1,1)}}
      %u: f32[2,1,2,2] = neg(%w)
      return %u
    }}"""
    assert together(fused(text)) == [{"e", "n", "w", "u"}]
    again = fused(text.replace("return %u", "return %u, %n"))
    assert together(again) == [{"e", "n"}, {"w", "u"}]
    assert "%n -> %w (conv_dw) not fused: its values have other readers" in map(str, again.notes)
    summed = text.replace("%w: f32", "%b: f32[b4,2] blocked(4) = reduce_sum(%n) {axes = (2,3)} %w: f32")
    assert together(fused(summed.replace("return %u", "return %u, %b"))) == [{"e", "n", "b", "w", "u"}]
    later = text.replace("%u: f32", "%b: f32[b4,2] blocked(4) = reduce_sum(%n) {axes = (2,3)} %u: f32")
    assert together(fused(later.replace("return %u", "return %u, %b"))) == [{"e", "n", "w", "b", "u"}]
    few = summed.replace("return %u", "return %u, %b").replace("b4,", "b6,").replace("(4,2,4,4)", "(6,2,4,4)")
    assert together(fused(few))[0] == {"e", "n"}
    wide = (
        text.replace("b4,1,5,5", "b4,1,5,17")
        .replace("2,1,2,2", "2,1,2,14")
        .replace("1, kernel = (2,2)", "1, kernel = (2,14)")
    )
    assert together(fused(wide)) == [{"e", "n"}, {"w", "u"}]


def test_a_pool_that_hangs_over_the_edge_stays_apart() -> None:
    g = fused(f"""graph @g(%x: f32[b4,1,5,4], %w: f32[2,1,1,1] param) {{
      %c: f32[b4,2,5,4] = conv(%x, %w) {CONV}
      %p: f32[b4,2,3,2], %i: i8[b4,2,3,2] = max_pool(%c) {POOL}
      return %p
    }}""")
    assert together(g) == [{"c"}, {"p", "i"}]
    assert any("extend beyond the image" in str(n) for n in g.notes)


def test_the_update_of_momentum_sgd_is_one_kernel_with_the_weight_gradient() -> None:
    g = fused("""graph @g(%x: f32[b4,3], %dy: f32[b4,5], %w: f32[5,3] param, %v: f32[5,3] slot, %lr: f32[] hyper) {
      %g: f32[5,3] = inner_product_dw(%x, %dy)
      %decay: f32[5,3] = fill() {batch = false, dtype = "f32", shape = (5,3), value = 0.5}
      %wd: f32[5,3] = mul(%w, %decay)
      %gw: f32[5,3] = add(%g, %wd)
      %rate: f32[5,3] = broadcast(%lr) {axes = (), batch = false, shape = (5,3)}
      %step: f32[5,3] = mul(%rate, %gw)
      %mv: f32[5,3] = mul(%v, %decay)
      %v1: f32[5,3] = sub(%mv, %step)
      %w1: f32[5,3] = add(%w, %v1)
      return
      update %v = %v1
      update %w = %w1
    }""")
    assert together(g) == [{"g", "wd", "gw", "step", "mv", "v1", "w1"}]
    assert groups(g)["decay"] == groups(g)["rate"] == -1
    assert grouped(g)[0].outputs == ("v1", "w1")
    assert g.notes == ()


def test_backward_work_on_forward_values_is_done_in_the_backward_kernel() -> None:
    g = fused("""graph @g(%x: f32[b4,3], %w: f32[5,3] param, %v: f32[2,5] param, %d: f32[b4,2]) {
      %a: f32[b4,5] = inner_product(%x, %w)
      %y: f32[b4,5] = sigmoid(%a)
      %z: f32[b4,2] = inner_product(%y, %v)
      %dy: f32[b4,5] = inner_product_dx(%d, %v)
      %one: f32[b4,5] = fill() {batch = true, dtype = "f32", shape = (4,5), value = 1.0}
      %c: f32[b4,5] = sub(%one, %y)
      %s: f32[b4,5] = mul(%y, %c)
      %da: f32[b4,5] = mul(%dy, %s)
      return %z, %da
    }""")
    assert together(g) == [{"a", "y"}, {"z"}, {"dy", "c", "s", "da"}]


def test_row_op_takes_what_follows_one_result_and_refuses_what_follows_two() -> None:
    g = fused("""graph @g(%p: f32[b4,3], %label: f32[b4,1], %n: i64[] hyper) {
      %l: f32[b4], %d: f32[b4,3] = softmax_loss(%p, %label) {axis = 1}
      %m: f32[b4] = mask_batch(%l, %n)
      %t: f32[] = reduce_sum(%m) {axes = (0,)}
      %e: f32[b4,3] = mul(%d, %d)
      %b: f32[b4,3] = broadcast(%l) {axes = (0,), batch = true, shape = (4,3)}
      %f: f32[b4,3] = mul(%d, %b)
      return %t, %e, %f
    }""")
    assert together(g) == [{"l", "d", "m", "e"}, {"t"}, {"f"}]


def test_reduction_takes_in_elementwise_work_only_it_reads() -> None:
    text = """graph @g(%x: f32[b4,3], %y: f32[b4,3]) {
      %d: f32[b4,3] = sub(%x, %y)
      %q: f32[b4,3] = mul(%d, %d)
      %s: f32[3] = reduce_sum(%q) {axes = (0,)}
      %h: f32[3] = neg(%s)
      return %h
    }"""
    assert together(fused(text)) == [{"d", "q", "s", "h"}]
    assert together(fused(text.replace("return %h", "return %h, %q"))) == [{"d", "q"}, {"s", "h"}]


def test_no_path_leaves_a_group_and_comes_back() -> None:
    g = fused("""graph @g(%x: f32[b4,3], %w: f32[3,3] param) {
      %a: f32[b4,3] = inner_product(%x, %w)
      %s: f32[b4] = reduce_sum(%a) {axes = (1,)}
      %b: f32[b4,3] = broadcast(%s) {axes = (0,), batch = true, shape = (4,3)}
      %y: f32[b4,3] = sub(%a, %b)
      return %y
    }""")
    assert together(g) == [{"a"}, {"s"}, {"y"}]
    assert any("another kernel lies between them" in str(n) for n in g.notes)


def test_a_group_never_reads_its_own_result_through_a_view() -> None:
    g = fused("""graph @g(%x: f32[b4,4], %w: f32[4,4] param) {
      %a: f32[b4,4] = inner_product(%x, %w)
      %r: f32[b4,2,2] = reshape(%a) {shape = (4,2,2)}
      %n: f32[b4,2,2] = neg(%r)
      %q: f32[b4,4] = reshape(%n) {shape = (4,4)}
      %y: f32[b4,4] = add(%a, %q)
      return %y
    }""")
    assert together(g) == [{"a"}, {"n"}, {"y"}]


def test_one_root_a_group_and_relayouts_alone() -> None:
    g = fused("""graph @g(%x: f32[b4,3], %w: f32[3,3] param, %v: f32[3,3] param) {
      %xb: f32[b4,3] blocked(4) = relayout(%x) {lanes = 4}
      %n: f32[b4,3] blocked(4) = neg(%xb)
      %a: f32[b4,3] blocked(4) = inner_product(%n, %w)
      %b: f32[b4,3] blocked(4) = inner_product(%n, %v)
      %y: f32[b4,3] blocked(4) = add(%a, %b)
      %z: f32[b4,3] = relayout(%y) {lanes = 0}
      return %z
    }""")
    assert together(g) == [{"xb"}, {"n"}, {"a"}, {"b", "y"}, {"z"}]
    assert "%a -> %y (add) not fused: each needs loops of its own (inner_product, inner_product)" in map(str, g.notes)
    assert "%y -> %z (relayout) not fused: a change of layout is a kernel of its own" in map(str, g.notes)


def test_every_pair_that_is_not_fused_has_a_note_and_no_other() -> None:
    g = fused("""graph @g(%x: f32[b4,3], %w: f32[3,3] param) {
      %a: f32[b4,3] = inner_product(%x, %w)
      %y: f32[b4,3] = relu(%a)
      %z: f32[b4,3] = inner_product(%y, %w)
      return %z
    }""")
    assert [note.edge for note in g.notes] == ["%y -> %z (inner_product)"]


def test_switched_off_every_node_is_alone() -> None:
    text = "graph @g(%x: f32[b4,3]) { %a: f32[b4,3] = neg(%x) %b: f32[b4,3] = neg(%a) return %b }"
    g = fused(text, enabled=False)
    assert set(groups(g).values()) == {-1}
    assert len(grouped(g)) == 2
    assert str(g.notes[-1]).startswith("fusion is switched off")


def test_work_for_a_reduction_waits_for_it_where_its_operands_are_stored_anyway() -> None:
    """The limit on a norm behind an update: %w is read again after the sum, so %q need not be stored beside it."""
    text = """graph @g(%x: f32[b4,3], %dy: f32[b4,5], %old: f32[5,3] param) {
      %g: f32[5,3] = inner_product_dw(%x, %dy)
      %w: f32[5,3] = sub(%old, %g)
      %q: f32[5,3] = square(%w)
      %s: f32[5] = reduce_sum(%q) {axes = (1,)}
      %b: f32[5,3] = broadcast(%s) {axes = (0,), batch = false, lanes = 0, shape = (5,3)}
      %y: f32[5,3] = div(%w, %b)
      return %y
    }"""
    assert together(fused(text)) == [{"g", "w"}, {"q", "s"}, {"y"}]
    only = fused(text.replace("div(%w, %b)", "div(%old, %b)"))
    assert together(only) == [{"g", "w", "q"}, {"s"}, {"y"}]


def test_random_numbers_are_drawn_apart_from_a_walk_where_that_is_asked_for() -> None:
    graph = parse("""graph @g(%x: f32[b4,3], %w: f32[5,3] param, %step: i64[] hyper) {
      %a: f32[b4,5] = inner_product(%x, %w)
      %m: f32[b4,5] = dropout_mask(%step) {batch = true, dtype = "f32", key = 7, ratio = 0.5, shape = (4,5)}
      %y: f32[b4,5] = mul(%a, %m)
      %n: f32[b4,3] = dropout_mask(%step) {batch = true, dtype = "f32", key = 8, ratio = 0.5, shape = (4,3)}
      %z: f32[b4,3] = mul(%x, %n)
      return %y, %z
    }""")
    assert together(fuse(graph)) == [{"a", "m", "y"}, {"n", "z"}]
    apart = fuse(graph, target=FusionTarget(separate_random=True))
    assert together(apart) == [{"a", "y"}, {"m"}, {"n", "z"}]
    refused = "%m -> %y (mul) not fused: random numbers are generated by a kernel"
    assert any(str(n).startswith(refused) for n in apart.notes)


def test_sums_of_parts_join_the_update_and_change_no_other_kernel() -> None:
    text = """graph @g(%x: f32[b4,3], %dy: f32[b4,5], %z: f32[b4,3], %dz: f32[b4,5], %old: f32[5,3] param) {
      %a: f32[5,3] = inner_product_dw(%x, %dy)
      %b: f32[5,3] = inner_product_dw(%z, %dz)
      %g: f32[5,3] = sum_parts(%a, %b)
      %w: f32[5,3] = sub(%old, %g)
      return %w
    }"""
    assert together(fused(text)) == [{"a"}, {"b"}, {"g", "w"}]
    read_again = text.replace("return %w", "%s: f32[] = reduce_sum(%g) {axes = (0,1)} return %w, %s")
    assert together(fused(read_again)) == [{"a"}, {"b"}, {"g"}, {"w"}, {"s"}]
    summed = text.replace("%w: f32[5,3] = sub(%old, %g)", "%w: f32[5] = reduce_sum(%g) {axes = (1,)}")
    assert together(fused(summed)) == [{"a"}, {"b"}, {"g"}, {"w"}]


def test_operands_of_one_shape_are_stored_side_by_side_by_the_work_that_makes_them() -> None:
    text = """graph @g(%x: f32[4,5], %y: f32[4,5]) {
      %a: f32[4,5] = exp(%x)
      %b: f32[4,5] = mul(%a, %y)
      %c: f32[4,10] = concat(%a, %b) {axis = 1}
      %d: f32[4,10] = concat(%b, %y) {axis = 1}
      return %c, %d
    }"""
    assert together(fused(text)) == [{"a", "b", "c", "d"}]
    read = fused(text.replace("return %c", "%s: f32[4] = reduce_sum(%c) {axes = (1,)} return %s"))
    assert together(read) == [{"a", "b", "c", "d"}, {"s"}]
    why = "concat stores several elements of its result at once"
    assert NotFused("c", "s", "reduce_sum", why) in read.notes
    longer = fused(
        text.replace("%x: f32[4,5]", "%z: f32[4,6], %x: f32[4,5]")
        .replace("(%b, %y)", "(%b, %z)")
        .replace("%d: f32[4,10]", "%d: f32[4,11]")
    )
    assert together(longer) == [{"a", "b", "c"}, {"d"}]


def test_what_reads_a_product_in_reverse_is_a_kernel_of_its_own() -> None:
    """Its elements are not those of the product at a constant distance, though there are as many of them."""
    text = """graph @g(%x: f32[b3,6], %w: f32[5,6] param) {
      %p: f32[b3,5] = inner_product(%x, %w)
      %r: f32[b3,5] = strided_slice(%p) {axis = 1, length = 5, start = 4, step = -1}
      %n: f32[b3,5] = neg(%r)
      return %n
    }"""
    assert together(fused(text)) == [{"p"}, {"r", "n"}]
    assert together(fused(text.replace("neg(%r)", "neg(%p)").replace("return %n", "return %r"))) == [{"p", "n"}, {"r"}]


def test_a_product_of_what_lies_side_by_side_is_a_kernel_of_its_own() -> None:
    g = fused("""graph @g(%x: f32[4,4], %y: f32[4,4], %w: f32[4,8] param) {
      %a: f32[4,4] = exp(%x)
      %c: f32[4,8] = concat(%a, %y) {axis = 1}
      %p: f32[4,4] = inner_product(%c, %w)
      %z: f32[4,4] = add(%p, %a)
      return %z
    }""")
    assert together(g) == [{"a", "c"}, {"p", "z"}]
    why = "one reads what the other puts side by side, at other elements"
    assert NotFused("a", "z", "add", why) in g.notes


def test_paths_may_come_back_through_a_kernel_with_earlier_nodes():
    """From a through n and o, which come after b, to the kernel of p and q, which b reads."""
    g = parse("""graph @g(%x: f32[b32,8], %y: f32[b32,8]) {
      %a: f32[b32,8] = relu(%x)
      %p: f32[b32,8] = neg(%y)
      %b: f32[b32,8] = square(%p)
      %n: f32[b32,8] = exp(%a)
      %o: f32[b32,8] = tanh(%n)
      %q: f32[b32,8] = add(%o, %y)
      return %b, %q
    }""")
    groups = NodeGroups(g, FusionTarget())
    a, p, b, q = (groups.maker[name] for name in "apbq")
    assert groups.refuse_cycle(a, b) == groups.refuse_cycle(a, b, groups.after_through) == ""
    groups.merge(p, q)
    assert groups.refuse_cycle(a, b) == groups.refuse_cycle(a, b, groups.after_through) == BETWEEN


POOLED = "{shape = (32,3,6,6), kernel = (2,2), pad = (0,0), stride = (2,2)}"
EXAMPLES = {
    "sink": """graph @g(%x: f32[4,5], %w: f32[5,5], %v: f32[5,5]) {
      %p: f32[4,5] = inner_product(%x, %w)
      %a: f32[4,5] = relu(%p)
      %q: f32[4,5] = inner_product(%p, %v)
      %y: f32[4,5] = mul(%a, %q)
      return %y
    }""",
    "hang": "graph @g(%x: f32[4,5]) { %s: f32[4,5] = softmax(%x) %y: f32[4,5] = square(%s) return %y }",
    "pull": "graph @g(%x: f32[4,5]) { %a: f32[4,5] = exp(%x) %y: f32[4] = reduce_sum(%a) {axes = (1,)} return %y }",
    "pull_gradient": f"""graph @g(%x: f32[b32,1,6,6] blocked(16), %p: f32[b32,3,3,3] blocked(16)) {{
      %d: f32[b32,3,6,6] blocked(16) = mean_pool_dx(%p) {POOLED}
      %w: f32[3,1,3,3] = conv_dw(%x, %d) {{group = 1, kernel = (3,3), pad = (1,1), stride = (1,1)}}
      return %w
    }}""",
    "pull_tiles": "graph @g(%x: f32[b32,9,8,8] blocked(16), %w: f32[8,9,3,3] param) {"
    " %y: f32[b32,8,8,8] blocked(16) = conv(%x, %w) {group = 1, pad = (1,1), stride = (1,1)} return %y }",
    "group_rows": """graph @g(%x: f32[b32,24]) {
      %s: f32[b32] = reduce_sum(%x) {axes = (1,)}
      %spread: f32[b32,24] = broadcast(%s) {axes = (0,), batch = true, shape = (32,24)}
      %y: f32[b32,24] = sub(%x, %spread)
      return %y
    }""",
    "join_reader": """graph @g(%a: f32[3], %b: f32[3], %w: f32[3]) {
      %s: f32[3] = sum_parts(%a, %b)
      %y: f32[3] = sub(%w, %s)
      return %y
    }""",
}
"""For every rule, a graph that has other groups without it."""


def test_every_rule_of_fusion_has_an_example():
    assert {rule.__name__ for sweep in SWEEPS for rule in rules_of(sweep)} == EXAMPLES.keys()


def rules_of(sweep):
    return sweep.rules if isinstance(sweep, Sweep) else (sweep,)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_rule_of_fusion_decides_something(name, monkeypatch):
    graph = parse(EXAMPLES[name])
    if name == "pull_tiles":
        graph = fast_convolutions(graph, lambda bound: Tiles((2, 2)))
    target = FusionTarget(near_bytes=1 << 20)
    whole = fuse(graph, target=target)
    left = [replace(s, rules=tuple(r for r in s.rules if r.__name__ != name)) for s in SWEEPS if isinstance(s, Sweep)]
    others = [s for s in SWEEPS if not isinstance(s, Sweep) and s.__name__ != name]
    monkeypatch.setattr("mochac.ir.passes.fuse.SWEEPS", (*left[:2], *others, *left[2:]))
    assert together(fuse(graph, target=target)) != together(whole)


@pytest.mark.parametrize(
    "text",
    [
        """%c: f32[b32,8,8,8] blocked(16) = conv(%x, %w) {group = 1, pad = (1,1), stride = (1,1)}
           %y: f32[b32,8,8,16] blocked(16) = einsum(%c, %m) {spec = "abcd,dX->abcX"}""",
        """%c: f32[b32,9,8,8] blocked(16) = einsum(%x, %q) {spec = "abcd,dX->abcX"}
           %y: f32[b32,8,8,8] blocked(16) = conv(%c, %w) {group = 1, pad = (1,1), stride = (1,1)}""",
    ],
)
def test_only_products_of_tiles_take_in_transforms(text):
    head = "graph @g(%x: f32[b32,9,8,8] blocked(16), %w: f32[8,9,3,3] param, %m: f32[8,16], %q: f32[8,8])"
    graph = fast_convolutions(parse(f"{head} {{ {text} return %y }}"), lambda bound: Tiles((2, 2)))
    fused = fuse(graph, target=FusionTarget(near_bytes=1 << 20))
    groups = {node.op: node.group for node in fused.nodes}
    assert groups["winograd_input"] == groups["winograd_product"] == groups["winograd_output"] != groups["einsum"]
