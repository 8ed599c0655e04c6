"""pair_factors: factors of contractions become pairs of bfloat16; loops read pairs that are made before them."""

from __future__ import annotations

import numpy as np
import pytest

import mochac
from mochac.ir import parse
from mochac.ir.interp import run
from mochac.ir.passes.pair_factors import MIN_TERMS, pair_factors

BEFORE = """
graph @g(%x: f32[b64,48], %w: f32[32,48], %b: f32[32], %dy: f32[b64,32]) {
  %y: f32[b64,32] = inner_product(%x, %w, %b)
  %dx: f32[b64,48] = inner_product_dx(%dy, %w)
  %dw: f32[32,48] = inner_product_dw(%x, %dy)
  %z: f32[b64,32] = inner_product(%dx, %w)
  %n: f32[b64,32] = relu(%z)
  return %y, %dw, %n
}
"""
AFTER = """
graph @g(%x: f32[b64,48], %w: f32[32,48], %b: f32[32], %dy: f32[b64,32]) {
  %x.pairs: bf16x2[b64,24] = pairs(%x) {axis = 1}
  %w.pairs: bf16x2[32,24] = pairs(%w) {axis = 1}
  %y: f32[b64,32] = inner_product(%x.pairs, %w.pairs, %b)
  %dy.pairs: bf16x2[b64,16] = pairs(%dy) {axis = 1}
  %w.pairs.1: bf16x2[16,48] = pairs(%w) {axis = 0}
  %dx: f32[b64,48] = inner_product_dx(%dy.pairs, %w.pairs.1)
  %x.pairs.1: bf16x2[32,48] = pairs(%x) {axis = 0}
  %dy.pairs.1: bf16x2[32,32] = pairs(%dy) {axis = 0}
  %dw: f32[32,48] = inner_product_dw(%x.pairs.1, %dy.pairs.1)
  %dx.pairs: bf16x2[b64,24] = pairs(%dx) {axis = 1}
  %z: f32[b64,32] = inner_product(%dx.pairs, %w.pairs)
  %n: f32[b64,32] = relu(%z)
  return %y, %dw, %n
}
"""
LOOP = """
graph @g(%h0: f32[16,32], %xs: f32[8,16,32], %u: f32[32,32]) {
  %last: f32[b16,32], %after: f32[8,16,32], %before: f32[8,16,32] = scan(%h0, %xs, %u) {body = graph @cell(
      %h: f32[b16,32], %x: f32[b16,32], %w: f32[32,32]) {
    %p: f32[b16,32] = inner_product(%h, %w)
    %new: f32[b16,32] = add(%p, %x)
    return %new
  }, carried = 1, length = 8, sliced = 1}
  return %last
}
"""
PAIRED_LOOP = """
graph @g(%h0: f32[16,32], %xs: f32[8,16,32], %u: f32[32,32]) {
  %u.pairs: bf16x2[32,16] = pairs(%u) {axis = 1}
  %last: f32[b16,32], %after: f32[8,16,32], %before: f32[8,16,32] = scan(%h0, %xs, %u, %u.pairs) {
      body = graph @cell(%h: f32[b16,32], %x: f32[b16,32], %w: f32[32,32], %w.pairs: bf16x2[32,16]) {
    %h.pairs: bf16x2[b16,16] = pairs(%h) {axis = 1}
    %p: f32[b16,32] = inner_product(%h.pairs, %w.pairs)
    %new: f32[b16,32] = add(%p, %x)
    return %new
  }, carried = 1, length = 8, sliced = 1}
  return %last
}
"""


@pytest.mark.parametrize(("before", "after"), [(BEFORE, AFTER), (LOOP, PAIRED_LOOP)])
def test_each_value_has_pairs_along_the_axes_that_are_summed(before: str, after: str) -> None:
    """The loop's weight is rounded once, before the loop."""
    assert str(pair_factors(parse(before))) == str(parse(after))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("48", str(MIN_TERMS - 1)),
        ("b64", "b2"),
        ("b64", "b63"),
        ("f32", "f64"),
        ("f32[b64,48]", "f32[b64,48] blocked(16)"),
    ],
)
def test_products_that_stay_float32(old: str, new: str) -> None:
    """Few terms; few products for each element; an odd number of samples; float64; sums over blocks of samples."""
    text = "graph @g(%x: f32[b64,48], %dy: f32[b64,48]) { %dw: f32[48,48] = inner_product_dw(%x, %dy) return %dw }"
    if old == "48":
        text = "graph @g(%x: f32[b64,48], %w: f32[64,48]) { %y: f32[b64,64] = inner_product(%x, %w) return %y }"
    graph = parse(text.replace(old, new))
    assert pair_factors(graph) == graph


def test_results_are_those_of_rounded_factors() -> None:
    rng = np.random.default_rng(0)
    graph = parse(LOOP)
    inputs = {i.name: rng.normal(size=i.type.shape).astype(np.float32) / 4 for i in graph.inputs}
    got, want = run(pair_factors(graph), inputs)["last"], run(graph, inputs)["last"]
    assert 0 < np.abs(got - want).max() < 2**-6 * np.abs(want).max()


def test_pass_runs_by_name() -> None:
    assert "bf16x2" in str(mochac.passes.PASSES["pair_factors"](parse(BEFORE)))
