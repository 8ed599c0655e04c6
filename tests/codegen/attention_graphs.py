"""Graphs of attention, forward and backward, for tests of kernels that work item by item."""

from __future__ import annotations

import re

import numpy as np

from mochac.ir.text import parse

TEXT = """
graph @attention(%q: f32[bB,Q,1,H,D], %k: f32[bB,K,1,H,D], %v: f32[bB,K,1,H,E], %m: f32[bB,K], %g: f32[bB,M]) {
  %s: f32[bB,H,Q,K] = einsum(%q, %k) {spec = "bqzhd,bkzhd->bhqk"}
  %zero: f32[bB,K] = fill() {batch = true, dtype = "f32", shape = (B,K), value = 0.0}
  %low: f32[bB,H,Q,K] = fill() {batch = true, dtype = "f32", shape = (B,H,Q,K), value = -300.0}
  %lowest: f32[bB,H,Q,K] = fill() {batch = true, dtype = "f32", shape = (B,H,Q,K), value = -inf}
  %seen: bool[bB,K] = gt(%m, %zero)
  %there: bool[bB,H,Q,K] = broadcast(%seen) {axes = (0,3), batch = true, shape = (B,H,Q,K)}
  %a: f32[bB,H,Q,K] = select(%there, %s, %low)
  %row: i32[bB,H,Q,K] = position() {axis = 2, batch = true, dtype = "i32", shape = (B,H,Q,K)}
  %column: i32[bB,H,Q,K] = position() {axis = 3, batch = true, dtype = "i32", shape = (B,H,Q,K)}
  %below: bool[bB,H,Q,K] = ge(%row, %column)
  %c: f32[bB,H,Q,K] = select(%below, %a, %lowest)
  %w: f32[bB,H,Q,K] = softmax(%CAUSAL) {axis = 3}
  %y: f32[bB,Q,1,H,E] = einsum(%w, %v) {spec = "bhqk,bkzhd->bqzhd"}
  %flat: f32[bB,M] = reshape(%y) {shape = (B,M)}
  %loss: f32[bB,M] = softmax(%flat) {axis = 1}
  %both: f32[bB,M] = add(%loss, %g)
  %dy: f32[bB,Q,1,H,E] = reshape(%both) {shape = (B,Q,1,H,E)}
  %dv: f32[bB,K,1,H,E] = einsum(%w, %dy) {spec = "bhqk,bqzhd->bkzhd"}
  %dw: f32[bB,H,Q,K] = einsum(%dy, %v) {spec = "bqzhd,bkzhd->bhqk"}
  %p: f32[bB,H,Q,K] = mul(%dw, %w)
  %t: f32[bB,H,Q] = reduce_sum(%p) {axes = (3,)}
  %u: f32[bB,H,Q,K] = broadcast(%t) {axes = (0,1,2), batch = true, shape = (B,H,Q,K)}
  %d: f32[bB,H,Q,K] = sub(%dw, %u)
  %ds: f32[bB,H,Q,K] = mul(%d, %w)
  %dq: f32[bB,Q,1,H,D] = einsum(%ds, %k) {spec = "bhqk,bkzhd->bqzhd"}
  %half: f32[bB,Q,1,H,D] = mul(%dq, %dq)
  %dk: f32[bB,K,1,H,D] = einsum(%ds, %q) {spec = "bhqk,bqzhd->bkzhd"}
  %dk2: f32[bB,K,1,H,D] = neg(%dk)
  return %y, %half, %dk2, %dv
}
"""


GROUPED = (
    (r"(%q|%y|%dy|%dq|%half): (f32\[bB,Q,1,H)", r"\1: \2,G"),
    (r"(shape = \(B,Q,1,H),E", r"\1,G,E"),
    ("H,Q", "H,G,Q"),
    ("bhqk", "bhgqk"),
    ("bqzhd", "bqzhgd"),
    (r"axes = \(0,3\)", "axes = (0,4)"),
    (r"axes = \(0,1,2\)", "axes = (0,1,2,3)"),
    (r"\(3,\)", "(4,)"),
    ("axis = 3", "axis = 4"),
    ("axis = 2", "axis = 3"),
)
"""What makes of the text one in which each head of keys and values serves a group of G heads of queries."""


def drawn(seed):
    """A graph of random extents, many of them 1."""
    rng = np.random.default_rng(seed)
    causal = bool(seed % 2)
    heads = int(rng.integers(1, 4))
    rows = int(rng.choice([1, 2, 5, 8, 16, 21]))
    sizes = {
        "B": -(-8 // heads),
        "H": heads,
        "Q": rows,
        "K": rows if causal else int(rng.choice([1, 3, 8, 17, 32])),
        "D": int(rng.choice([1, 4, 8, 19])),
        "E": int(rng.choice([1, 3, 8])),
    }
    if seed % 3 == 0:
        sizes["G"] = int(rng.choice([1, 2, 3]))
    sizes["M"] = rows * heads * sizes["E"] * sizes.get("G", 1)
    return attention(sizes, causal)


def attention(sizes, causal):
    """The graph of these extents, in float64."""
    text = TEXT
    for old, new in GROUPED if "G" in sizes else ():
        text = re.sub(old, new, text)
    text = text.replace("f32", "f64").replace("CAUSAL", "c" if causal else "a")
    return parse(re.sub("[BDEGHKMQ]", lambda m: str(sizes[m[0]]), text))
