"""split_sums: what it rewrites, what it leaves, that sums stay the same; and how many parts a device wants."""

import numpy as np
import pytest

import mochac.ir as ir
from mochac.codegen.cuda.schedules.parts import parts
from mochac.codegen.cuda.target import CudaTarget
from mochac.passes.split_sums import split_sums
from mochac.testing import assert_pass

BEFORE = """
graph @g(%x: f32[b5,2,6,5], %dy: f32[b5,3,4,4]) {
  %dw: f32[3,2,3,2] = conv2d_dw(%x, %dy) {group = 1, kernel = (3,2), pad = (0,0), stride = (1,1)}
  return %dw
}
"""


def test_a_part_for_each_sample():
    after = """
    graph @g(%x: f32[b5,2,6,5], %dy: f32[b5,3,4,4]) {
      %dw.parts: f32[5,3,2,2,3] = conv2d_dw_parts(%x, %dy) {group = 1, kernel = (3,2), pad = (0,0), parts = 5, stride = (1,1)}
      %dw: f32[3,2,3,2] = sum_parts(%dw.parts) {axes = (3,2,0,1)}
      return %dw
    }
    """  # noqa: E501
    assert_pass("split_sums", before=BEFORE, after=after)


def test_one_part_is_none():
    graph = ir.parse(BEFORE)
    assert split_sums(graph, lambda bound: 1) == graph


@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_values_stay(n):
    graph, rng = ir.parse(BEFORE), np.random.default_rng(7)
    values = {i.name: rng.standard_normal(i.type.shape).astype(np.float32) for i in graph.inputs}
    before = ir.run(graph, values, dtype="f64")["dw"]
    after = ir.run(split_sums(graph, lambda bound: n), values, dtype="f64")["dw"]
    np.testing.assert_allclose(after, before, rtol=1e-10)


def wanted(x, dy, kernel, multiprocessors):
    text = f"""graph @g(%x: f32{x}, %dy: f32{dy}) {{
      %dw: f32[{dy[1]},{x[1]},{kernel},{kernel}] = conv2d_dw(%x, %dy) {{group = 1, kernel = ({kernel},{kernel}), pad = (0,0), stride = (1,1)}}
      return %dw
    }}"""  # noqa: E501
    graph = ir.parse(text.replace("f32[", "f32[b", 2))
    (node,) = graph.nodes
    types = graph.types()
    bound = node.bound(types)
    return parts(bound, CudaTarget(90, multiprocessors=multiprocessors))


def test_parts_fill_a_device():
    """Few filters of many samples are summed in many parts, many filters and small devices in few."""
    few, many = ([64, 1, 28, 28], [64, 20, 24, 24], 5), ([32, 256, 16, 16], [32, 256, 14, 14], 3)
    assert wanted(*few, 132) >= 16
    assert wanted(*many, 132) <= 4
    assert wanted(*few, 2) < wanted(*few, 132)
    assert wanted([1, 3, 9, 9], [1, 8, 7, 7], 3, 132) == 1
