"""Rules of simplify about max pooling: what moves, what stays, and that values and gradients do not change."""

import numpy as np

import mochac.ir as ir
from mochac.ir import GraphBuilder
from mochac.ir.passes.simplify import apply_rule
from mochac.ir.pullback import gradients
from mochac.tools.testing import assert_pass

BEFORE = """
graph @g(%x: f32[b3,2,6,4]) {
  %r: f32[b3,2,6,4] = relu(%x)
  %p: f32[b3,2,3,2], %i: i8[b3,2,3,2] = max_pool(%r) {kernel = (2,2), pad = (0,0), stride = (2,2)}
  return %p
}
"""


def test_the_neuron_moves_behind_the_pool():
    after = """
    graph @g(%x: f32[b3,2,6,4]) {
      %p.max_pool: f32[b3,2,3,2], %i: i8[b3,2,3,2] = max_pool(%x) {kernel = (2,2), pad = (0,0), stride = (2,2)}
      %p: f32[b3,2,3,2] = relu(%p.max_pool)
      return %p
    }
    """
    assert_pass("simplify", before=BEFORE, after=after)


def test_what_is_read_elsewhere_or_not_monotone_stays():
    kept = BEFORE.replace("return %p", "return %p, %r")
    square = BEFORE.replace("relu", "square")
    for text in (kept, square):
        assert_pass("simplify", before=text, after=text)


def test_values_and_gradients_stay():
    x = np.random.default_rng(3).integers(-3, 4, (3, 2, 6, 4)).astype(np.float32)  # with ties, all negative windows too
    found = []
    for graph in (ir.parse(BEFORE), apply_rule("pool_first", ir.parse(BEFORE))):
        b = GraphBuilder.extending(graph)
        loss = b.op("reduce_sum", b.op("square", b.values["p"]), axes=(0, 1, 2, 3))
        dx = gradients(b, loss, [b.values["x"]])["x"]
        results = ir.run(b.finish([loss, dx]), {"x": x})
        found.append((results[loss.name], results[dx.name]))
    before, after = found
    np.testing.assert_array_equal(before[0], after[0])
    np.testing.assert_array_equal(before[1].sum(axis=(2, 3)), after[1].sum(axis=(2, 3)))


SCATTERED = """
graph @g(%dy: f32[b3,2,3,2], %index: i8[b3,2,3,2]) {
  %d: f32[b3,2,6,4] = max_pool_dx(%dy, %index) {kernel = (2,2), pad = (0,0), shape = (3,2,6,4), stride = (2,2)}
  %b: f32[2] = reduce_sum(%d) {axes = (0,2,3)}
  return %b
}
"""


def test_sums_the_pooled_gradient():
    after = """
    graph @g(%dy: f32[b3,2,3,2], %index: i8[b3,2,3,2]) {
      %b: f32[2] = reduce_sum(%dy) {axes = (0,2,3)}
      return %b
    }
    """
    assert_pass("simplify", before=SCATTERED, after=after)


def test_a_sum_over_rows_alone_stays():
    text = SCATTERED.replace("f32[2] = reduce_sum(%d) {axes = (0,2,3)}", "f32[2,4] = reduce_sum(%d) {axes = (0,2)}")
    assert_pass("simplify", before=text, after=text)


def test_sums_stay():
    graph = ir.parse(SCATTERED)
    rng = np.random.default_rng(7)
    values = {
        "dy": rng.standard_normal((3, 2, 3, 2)).astype(np.float32),
        "index": rng.integers(0, 4, (3, 2, 3, 2)).astype(np.int8),
    }
    before = ir.run(graph, values, dtype="f64")["b"]
    after = ir.run(apply_rule("sum_before_unpool", graph), values, dtype="f64")["b"]
    np.testing.assert_allclose(after, before, rtol=1e-12)


IMAGES = """
graph @g(%x: f32[b3,2,6,4]) {
  %p: f32[b3,2,1,1], %i: i8[b3,2,1,1] = max_pool(%x) {kernel = (6,4), pad = (0,0), stride = (1,1)}
  return %p
}
"""


def test_whole_images_without_a_place_have_a_maximum():
    after = """
    graph @g(%x: f32[b3,2,6,4]) {
      %1: f32[b3,2] = reduce_max(%x) {axes = (2,3)}
      %p: f32[b3,2,1,1] = reshape(%1) {shape = (3,2,1,1)}
      return %p
    }
    """
    assert_pass("simplify", before=IMAGES, after=after)


def test_whose_place_is_read_and_whose_border_counts_stay():
    read = IMAGES.replace("return %p", "return %p, %i")
    window = IMAGES.replace("pad = (0,0), stride = (1,1)", "pad = (5,3), stride = (11,7)")
    for text in (read, window):
        assert_pass("simplify", before=text, after=text)
