"""assign_layout: what becomes blocked, what stays natural, and where a relayout goes."""

from __future__ import annotations

import pytest

from mochac.ir import parse, verify
from mochac.ir.passes.assign_layout import assign_layout, block_of
from mochac.tools.testing import assert_pass, assert_same


def layout(text: str, lanes: int = 4) -> str:
    graph = parse(text)
    verify(graph)
    result = assign_layout(graph, lanes)
    verify(result)
    return str(result)


def test_results_become_blocked_and_inputs_are_converted_once() -> None:
    assert_pass(
        "assign_layout",
        before="""graph @g(%x: f32[b64,3], %w: f32[5,3] param) {
          %a: f32[b64,5] = inner_product(%x, %w)
          %b: f32[b64,5] = relu(%a)
          %c: f32[b64,3] = relu(%x)
          %d: f32[b64,5] = inner_product(%c, %w)
          return %b, %d
        }""",
        after="""graph @g(%x: f32[b64,3], %w: f32[5,3] param) {
          %xb: f32[b64,3] blocked(16) = relayout(%x) {lanes = 16}
          %a: f32[b64,5] blocked(16) = inner_product(%xb, %w)
          %b: f32[b64,5] blocked(16) = relu(%a)
          %c: f32[b64,3] blocked(16) = relu(%xb)
          %d: f32[b64,5] blocked(16) = inner_product(%c, %w)
          return %b, %d
        }""",
    )


def test_natural_operands_are_converted_once_and_labels_never() -> None:
    text = """graph @g(%x: f32[b8,3], %label: f32[b8,1]) {
      %y: f32[b8,3] = relu(%x)
      %loss: f32[b8], %grad: f32[b8,3] = softmax_loss(%y, %label) {axis = 1}
      %dw: f32[3,3] = inner_product_dw(%y, %grad)
      %dv: f32[3,3] = inner_product_dw(%y, %grad)
      return %loss, %dw, %dv
    }"""
    wanted = """graph @g(%x: f32[b8,3], %label: f32[b8,1]) {
      %xb: f32[b8,3] blocked(4) = relayout(%x) {lanes = 4}
      %y: f32[b8,3] blocked(4) = relu(%xb)
      %loss: f32[b8] blocked(4), %grad: f32[b8,3] blocked(4) = softmax_loss(%y, %label) {axis = 1}
      %yn: f32[b8,3] = relayout(%y) {lanes = 0}
      %dw: f32[3,3] = inner_product_dw(%yn, %grad)
      %dv: f32[3,3] = inner_product_dw(%yn, %grad)
      return %loss, %dw, %dv
    }"""
    assert_same(parse(layout(text)), parse(wanted))


def test_what_no_blocks_are_made_for_stays_natural() -> None:
    """Maps, rows and products of samples with samples, whose results nobody reads in blocks."""
    text = """graph @g(%x: f32[b8,3,4]) {
      %y: f32[b8,3,4] = softmax(%x) {axis = 2}
      %z: f32[b8,3,4] = relu(%y)
      %p: f32[b8,3,3] = einsum(%z, %x) {spec = "nij,nkj->nik"}
      %s: f32[b8,3] = reduce_sum(%p) {axes = (2,)}
      return %s, %y
    }"""
    assert str(parse(text)) == layout(text)


def test_results_that_must_be_natural_are_converted() -> None:
    """What reads them reads the blocks, and what has read a natural copy reads the result."""
    text = """graph @g(%x: f32[b8,3], %w: f32[3,3] param) {
      %y: f32[b8,3] = inner_product(%x, %w)
      %z: f32[b8,3] = relu(%y)
      %dw: f32[3,3] = inner_product_dw(%y, %x)
      return %y, %z, %dw, %x
    }"""
    wanted = """graph @g(%x: f32[b8,3], %w: f32[3,3] param) {
      %xb: f32[b8,3] blocked(4) = relayout(%x) {lanes = 4}
      %yb: f32[b8,3] blocked(4) = inner_product(%xb, %w)
      %zb: f32[b8,3] blocked(4) = relu(%yb)
      %y: f32[b8,3] = relayout(%yb) {lanes = 0}
      %dw: f32[3,3] = inner_product_dw(%y, %xb)
      %z: f32[b8,3] = relayout(%zb) {lanes = 0}
      return %y, %z, %dw, %x
    }"""
    graph = assign_layout(parse(text), 4, ("y", "z", "x"))
    verify(graph)
    assert_same(graph, parse(wanted))


def test_a_view_of_a_natural_input_stays_natural_where_it_is_read_so() -> None:
    text = """graph @g(%x: f32[b8,3,2], %dy: f32[b8,5]) {
      %r: f32[b8,6] = reshape(%x) {shape = (8,6)}
      %dw: f32[5,6] = inner_product_dw(%r, %dy)
      return %dw
    }"""
    assert "relayout(%r)" not in layout(text)


def test_a_reshape_that_drops_the_batch_reads_a_natural_value() -> None:
    text = """graph @g(%x: f32[b8,3], %w: f32[3,3] param) {
      %y: f32[b8,3] = inner_product(%x, %w)
      %z: f32[24] = reshape(%y) {shape = (24,)}
      return %z
    }"""
    assert "%y.natural: f32[b8,3] = relayout(%y) {lanes = 0}" in layout(text)


def test_work_on_natural_values_that_ends_in_rows_of_products_is_natural() -> None:
    """A normalization in front of the first product of a sequence; not if something else reads it in blocks."""
    text = """graph @g(%x: f32[b8,3,4], %w: f32[5,4] param, %v: f32[2,12] param) {
      %sum: f32[b8,3] = reduce_sum(%x) {axes = (2,)}
      %sums: f32[b8,3,4] = broadcast(%sum) {axes = (0,1), batch = true, shape = (8,3,4)}
      %y: f32[b8,3,4] = sub(%x, %sums)
      %rows: f32[24,4] = reshape(%y) {shape = (24,4)}
      %z: f32[24,5] = inner_product(%rows, %w)
      return %z
    }"""
    assert "relayout" not in layout(text)
    flat = "%flat: f32[b8,12] = reshape(%y) {shape = (8,12)}\n%c: f32[b8,2] = inner_product(%flat, %v)\n"
    also = text.replace("return %z", f"{flat} return %z, %c")
    assert "%y: f32[b8,3,4] blocked(4) = sub(" in layout(also)


def test_sources_and_broadcasts_are_blocked_through_their_attribute() -> None:
    text = """graph @g(%d: f32[b8,3], %w: f32[3,3] param, %bias: f32[3] param, %step: i64[] hyper) {
      %x: f32[b8,3] = inner_product(%d, %w)
      %b: f32[b8,3] = broadcast(%bias) {axes = (1,), batch = true, shape = (8,3)}
      %m: bool[b8,3] = dropout_mask(%step) {key = 1, ratio = 0.5, shape = (8,3)}
      %s: f32[b8,3] = add(%x, %b)
      %y: f32[b8,3] = select(%m, %s, %b)
      return %y
    }"""
    result = layout(text)
    assert result.count("lanes = 4") == 3  # with that of %d
    assert "bool[b8,3] blocked(4) = dropout_mask" in result


def test_rank_one_inputs_follow_blocked_losses() -> None:
    text = """graph @g(%x: f32[b8,3], %v: f32[3,3] param, %label: f32[b8,1], %weight: f32[b8]) {
      %p: f32[b8,3] = inner_product(%x, %v)
      %loss: f32[b8], %grad: f32[b8,3] = softmax_loss(%p, %label) {axis = 1}
      %w: f32[b8] = mul(%loss, %weight)
      return %w
    }"""
    assert "%weight.blocked: f32[b8] blocked(4) = relayout(%weight)" in layout(text)


@pytest.mark.parametrize("lanes", [0, 4])
def test_the_pass_changes_nothing_the_second_time(lanes: int) -> None:
    text = """graph @g(%x: f32[b8,3], %w: f32[5,3] param, %dy: f32[b8,5]) {
      %a: f32[b8,5] = inner_product(%x, %w)
      %r: f32[b8,5] = relu(%a)
      %dw: f32[5,5] = inner_product_dw(%r, %dy)
      return %dw
    }"""
    once = assign_layout(parse(text), lanes)
    assert assign_layout(once, lanes) == once
    assert lanes or once == parse(text)


def test_products_of_a_batch_with_idle_lanes_stay_natural() -> None:
    """10 samples would fill 10 of 16 lanes: products and what follows them are natural, rows of classes are not."""
    text = """graph @g(%x: f32[b10,3], %w: f32[5,3] param, %label: f32[b10,1]) {
      %a: f32[b10,5] = inner_product(%x, %w)
      %y: f32[b10,5] = relu(%a)
      %s: f32[5] = reduce_sum(%y) {axes = (0,)}
      %loss: f32[b10], %grad: f32[b10,5] = softmax_loss(%y, %label) {axis = 1}
      %dx: f32[b10,3] = inner_product_dx(%grad, %w)
      return %s, %loss, %dx
    }"""
    found = layout(text, 16)
    assert "%a: f32[b10,5] = inner_product(%x, %w)" in found and "%y: f32[b10,5] = relu(%a)" in found
    assert "%s: f32[5] = reduce_sum(%y)" in found
    assert "%y.blocked: f32[b10,5] blocked(16) = relayout(%y)" in found
    assert "%dx: f32[b10,3] = inner_product_dx(%grad.natural, %w)" in found
    assert "blocked(16) = inner_product(" in layout(text.replace("b10", "b16"), 16)


def test_products_with_large_weights_stay_natural() -> None:
    """2 MiB of weights: the product, constants that meet its result, and small products of it are natural."""
    text = """graph @g(%x: f32[b16,512], %w: f32[1024,512] param, %v: f32[4,1024] param) {
      %a: f32[b16,1024] = inner_product(%x, %w)
      %one: f32[b16,1024] = fill() {batch = true, dtype = "f32", shape = (16, 1024), value = 1.0}
      %s: f32[b16,1024] = sub(%one, %a)
      %y: f32[b16,4] = inner_product(%s, %v)
      return %y
    }"""
    assert "blocked" not in layout(text, 16)
    assert "blocked(16) = inner_product(" in layout(text.replace("512", "511"), 16)


def test_images_of_such_a_batch_are_blocked() -> None:
    text = """graph @g(%x: f32[b10,2,2,2], %w: f32[5,8] param) {
      %r: f32[b10,2,2,2] = relu(%x)
      %f: f32[b10,8] = reshape(%r) {shape = (10, 8)}
      %a: f32[b10,5] = inner_product(%f, %w)
      return %a
    }"""
    found = layout(text, 16)
    assert "%r: f32[b10,2,2,2] blocked(16) = relu(%x.blocked)" in found
    assert "%a: f32[b10,5] = inner_product(" in found


def test_what_is_converted_back_is_the_value_itself() -> None:
    """Numbers of natural rows are spread over natural rows without a change of layout, though a broadcast of rows would
    be blocked."""
    graph = assign_layout(
        parse("""graph @g(%x: f32[b130,19]) {
          %s: f32[b130] = reduce_sum(%x) {axes = (1,)}
          %sb: f32[b130,19] = broadcast(%s) {axes = (0,), batch = true, shape = (130,19)}
          %y: f32[b130,19] = sub(%x, %sb)
          return %y
        }"""),
        16,
    )
    assert not any(node.op == "relayout" for node in graph.nodes)


def test_blocks_are_those_of_a_part_of_a_batch() -> None:
    """All ranks choose the same, however many parts of a batch they have."""
    graph = parse("""graph @g(%x: f32[b16,3]) {
      %a: f32[b4,3] = part(%x) {count = 4, first = 0}
      %b: f32[b4,3] = part(%x) {count = 4, first = 4}
      return %a, %b
    }""")
    assert block_of(graph, 8) == block_of(graph, 16) == 4
