"""sum_factors: what it rewrites, what it leaves, and that sums stay the same."""

import numpy as np
import pytest

import mochac.ir as ir
from mochac.ir import passes
from mochac.tools.testing import assert_pass

BEFORE = """
graph @g(%a: f32[b3,2,5,4], %k: f32[2] param) {
  %s: f32[b3,2,5,4] = broadcast(%k) {axes = (1,), batch = true, shape = (3,2,5,4)}
  %p: f32[b3,2,5,4] = mul(%a, %s)
  %y: f32[2] = reduce_sum(%p) {axes = (0,2,3)}
  return %y
}
"""


def test_takes_a_factor_out_of_a_sum():
    after = """
    graph @g(%a: f32[b3,2,5,4], %k: f32[2] param) {
      %t: f32[2] = reduce_sum(%a) {axes = (0,2,3)}
      %y: f32[2] = mul(%t, %k)
      return %y
    }
    """
    assert_pass("sum_factors", before=BEFORE.replace("return %y", "%z: f32[2] = exp(%y) return %z"),
                after=after.replace("return %y", "%z: f32[2] = exp(%y) return %z"))  # fmt: skip


@pytest.mark.parametrize("axes", [(0,), (0, 3), (2,), (0, 2, 3), (3,)])
@pytest.mark.parametrize("sign", [False, True])
def test_keeps_the_sum(axes, sign):
    shape = [n for a, n in enumerate((3, 2, 5, 4)) if a not in axes]
    kept = f"f32[{'b' if 0 not in axes else ''}{','.join(map(str, shape))}]"
    text = BEFORE.replace("%y: f32[2] = reduce_sum(%p)", f"%y: {kept} = reduce_sum(%{'q' if sign else 'p'})")
    text = text.replace("axes = (0,2,3)}", f"axes = {axes}}}".replace(" ", "").replace("axes=", "axes = "))
    text = text.replace("return %y", f"%z: {kept} = exp(%y) return %z")
    if sign:
        text = text.replace("  %y:", "  %q: f32[b3,2,5,4] = neg(%p)\n  %y:")
    graph = ir.parse(text)
    rewritten = passes.run("sum_factors", graph)
    assert "broadcast" not in [node.op for node in rewritten.nodes[:1]]
    rng = np.random.default_rng(0)
    inputs = {i.name: rng.standard_normal(i.type.shape) / 10 for i in graph.inputs}
    one, other = (ir.run(g, inputs, dtype="f64")["z"] for g in (graph, rewritten))
    np.testing.assert_allclose(one, other, rtol=1e-12)


def test_a_factor_that_varies_along_the_sum_stays():
    text = BEFORE.replace("f32[2] = reduce_sum(%p) {axes = (0,2,3)}", "f32[b3,5,4] = reduce_sum(%p) {axes = (1,)}")
    assert_pass("sum_factors", before=text, after=text)


INSTANCE = """
graph @g(%a: f32[b3,2,5,4], %b: f32[b3,2,5,4], %k: f32[2] param, %m: f32[b3,2]) {
  %s: f32[b3,2,5,4] = broadcast(%k) {axes = (1,), batch = true, shape = (3,2,5,4)}
  %t: f32[b3,2,5,4] = broadcast(%m) {axes = (0,1), batch = true, shape = (3,2,5,4)}
  %as: f32[b3,2,5,4] = mul(%a, %s)
  %bt: f32[b3,2,5,4] = mul(%b, %t)
  %p: f32[b3,2,5,4] = mul(%as, %b)
  %y: f32[b3,2] = reduce_sum(%p) {axes = (2,3)}
  %q: f32[b3,2,5,4] = mul(%a, %bt)
  %z: f32[2] = reduce_sum(%q) {axes = (0,2,3)}
  %r: f32[b3,2,5,4] = add(%as, %bt)
  return %y, %z, %r
}
"""
"""The gradients of a layer that normalizes images: %b is the distance from the mean, %m one over the deviation."""


def sums(graph):
    return [(node.inputs, node.attr["axes"]) for node in graph.nodes if node.op == "reduce_sum"]


def test_sums_of_samples_that_differ_by_factors_become_one():
    graph = ir.parse(INSTANCE)
    rewritten = passes.run("simplify", passes.run("sum_factors", graph))
    (product, whole), (_, samples) = sums(rewritten)
    assert rewritten.producers()[product[0]].inputs == ("a", "b")
    assert (whole, samples) == ((2, 3), (0,))
    rng = np.random.default_rng(0)
    inputs = {i.name: rng.standard_normal(i.type.shape) for i in graph.inputs}
    one, other = (ir.run(g, inputs, dtype="f64") for g in (graph, rewritten))
    for name in ("y", "z", "r"):
        np.testing.assert_allclose(one[name], other[name], rtol=1e-12, err_msg=name)


def test_a_factor_of_samples_stays_if_nothing_else_needs_their_sums():
    text = INSTANCE.replace("reduce_sum(%p) {axes = (2,3)}", "reduce_sum(%e) {axes = (2,3)}")
    text = text.replace("  %y:", "  %e: f32[b3,2,5,4] = exp(%p)\n  %y:")
    graph = ir.parse(text)
    assert sums(passes.run("sum_factors", graph)) == sums(graph)


def test_a_product_that_is_stored_is_not_replaced_by_what_it_is_made_of():
    """%c would be kept for the sum alone."""
    text = INSTANCE.replace("  %as:", "  %c: f32[b3,2,5,4] = exp(%a)\n  %as:").replace("mul(%a, %s)", "mul(%c, %s)")
    graph = ir.parse(text.replace("mul(%a, %bt)", "mul(%as, %bt)"))
    rewritten = passes.run("sum_factors", graph)
    assert [node for node in rewritten.nodes if "c" in node.inputs] == [n for n in graph.nodes if "c" in n.inputs]
