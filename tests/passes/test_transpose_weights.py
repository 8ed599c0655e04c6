"""transpose_weights: weights of loops are transposed in front of them, where that pays."""

from __future__ import annotations

import pytest

import mochac
from mochac.ir import parse
from mochac.ir.passes.transpose_weights import NEAR_BYTES, transpose_weights

BEFORE = """
graph @g(%h0: f32[8,4], %xs: f32[64,8,12], %u: f32[12,4], %c: f32[12], %v: f32[4,12]) {
  %last: f32[b8,4], %after: f32[64,8,4], %before: f32[64,8,4] = scan(%h0, %xs, %u, %c, %v) {body = graph @cell(
      %h: f32[b8,4], %x: f32[b8,12], %w: f32[12,4], %b: f32[12], %o: f32[4,12]) {
    %p: f32[b8,12] = inner_product(%h, %w, %b)
    %s: f32[b8,12] = add(%p, %x)
    %new: f32[b8,4] = inner_product(%s, %o)
    return %new
  }, carried = 1, length = 64, sliced = 1}
  return %last
}
"""
AFTER = """
graph @g(%h0: f32[8,4], %xs: f32[64,8,12], %u: f32[12,4], %c: f32[12], %v: f32[4,12]) {
  %permute: f32[4,12] = permute(%u) {order = (1,0)}
  %permute.1: f32[12,4] = permute(%v) {order = (1,0)}
  %last: f32[b8,4], %after: f32[64,8,4], %before: f32[64,8,4] = scan(%h0, %xs, %permute, %c, %permute.1) {
      body = graph @cell(%h: f32[b8,4], %x: f32[b8,12], %w: f32[4,12], %b: f32[12], %o: f32[12,4]) {
    %p.sum: f32[b8,12] = inner_product_dx(%h, %w)
    %broadcast: f32[b8,12] = broadcast(%b) {axes = (1,), batch = true, shape = (8,12)}
    %p: f32[b8,12] = add(%p.sum, %broadcast)
    %s: f32[b8,12] = add(%p, %x)
    %new: f32[b8,4] = inner_product_dx(%s, %o)
    return %new
  }, carried = 1, length = 64, sliced = 1}
  return %last
}
"""


def test_weights_of_all_steps_are_transposed_once() -> None:
    mochac.testing.assert_pass("transpose_weights", before=BEFORE, after=AFTER)


@pytest.mark.parametrize(("old", "new"), [("64", "63"), ("8,", "3,")])
def test_few_rows_do_not_pay(old: str, new: str) -> None:
    graph = parse(BEFORE.replace(old, new))
    assert transpose_weights(graph, NEAR_BYTES) == graph


def test_a_weight_that_is_read_otherwise_stays() -> None:
    graph = transpose_weights(parse(BEFORE.replace("%s: f32", "%q: f32[12,4] = neg(%w)\n    %s: f32")), NEAR_BYTES)
    assert "inner_product(%h, %w, %b)" in str(graph) and "inner_product_dx(%s, %o)" in str(graph)


def test_large_weights_stay() -> None:
    graph = parse(BEFORE)
    assert transpose_weights(graph, near_bytes=16 * 191) == graph  # of 192 bytes
    assert transpose_weights(graph, near_bytes=16 * 192) != graph
