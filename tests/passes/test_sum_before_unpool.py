"""sum_before_unpool: what it rewrites, what it leaves, and that sums stay the same."""

import numpy as np

import mochac.ir as ir
from mochac.ir import passes
from mochac.tools.testing import assert_pass

BEFORE = """
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
    assert_pass("sum_before_unpool", before=BEFORE, after=after)


def test_a_sum_over_rows_alone_stays():
    text = BEFORE.replace("f32[2] = reduce_sum(%d) {axes = (0,2,3)}", "f32[2,4] = reduce_sum(%d) {axes = (0,2)}")
    assert_pass("sum_before_unpool", before=text, after=text)


def test_values_stay():
    graph = ir.parse(BEFORE)
    rng = np.random.default_rng(7)
    values = {
        "dy": rng.standard_normal((3, 2, 3, 2)).astype(np.float32),
        "index": rng.integers(0, 4, (3, 2, 3, 2)).astype(np.int8),
    }
    before = ir.run(graph, values, dtype="f64")["b"]
    after = ir.run(passes.run("sum_before_unpool", graph), values, dtype="f64")["b"]
    np.testing.assert_allclose(after, before, rtol=1e-12)
