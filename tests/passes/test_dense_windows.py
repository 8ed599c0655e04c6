"""Which convolutions a kernel may compute in tiles of neighbouring places, from what another one has just computed."""

import pytest
from codegen.kernels import CONV, op_graph

from mochac.ir.passes.fuse_windows import is_dense


@pytest.mark.parametrize(
    ("attrs", "dense"),
    [({}, True), ({"stride": (2, 1)}, False), ({"group": 2}, False), ({"dilation": (1, 2)}, False)],
)
def test_neighbours_read_neighbours(attrs, dense):
    channels = 4 // attrs.get("group", 1)
    graph = op_graph("conv", ("f32[b16,4,9,9]", f"f32[4,{channels},3,3]", "f32[4]"), **{**CONV, **attrs})
    assert is_dense(graph.nodes[0]) == dense
