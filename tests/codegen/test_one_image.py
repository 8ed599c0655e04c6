"""Predictions for one sample: natural layout, convolutions with columns as lanes, the same results."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from codegen.kernels import items_of

from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir import parse, run
from mochac.ir.applying import apply
from mochac.ir.graph import Graph
from mochac.ir.kernel import Kernel
from mochac.ir.op import OPS, Sample, run_reference
from mochac.ir.passes.assign_layout import assign_layout
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.samples import draw
from mochac.lowering.run_graph import run_graph

CONVOLUTIONS = {  # operands and attributes
    "plain": (("f32[b1,3,9,18]", "f32[7,3,3,3]", "f32[7]"), {}),
    "padded": (("f32[b1,4,13,13]", "f32[20,4,5,5]", "f32[20]"), {"pad": (2, 2)}),
    "strided": (("f32[b1,3,23,47]", "f32[6,3,11,11]", "f32[6]"), {"stride": (4, 4)}),
    "strided and padded": (("f32[b1,3,15,22]", "f32[8,3,7,7]", "f32[8]"), {"stride": (2, 2), "pad": (3, 3)}),
    "uneven": (("f32[b1,2,12,20]", "f32[5,2,2,3]", "f32[5]"), {"stride": (1, 3), "pad": (0, 1)}),
    "groups": (("f32[b1,4,8,11]", "f32[6,2,3,3]", "f32[6]"), {"pad": (1, 1), "group": 2}),
    "one tap": (("f32[b1,9,6,7]", "f32[12,9,1,1]", "f32[12]"), {}),
    "one tap, strided": (("f32[b1,9,13,14]", "f32[12,9,1,1]", "f32[12]"), {"stride": (2, 3)}),
    "dilated": (("f32[b1,3,9,19]", "f32[6,3,3,3]", "f32[6]"), {"pad": (2, 3), "dilation": (2, 3)}),
    "few rows": (("f32[b1,16,7,7]", "f32[224,16,3,3]", "f32[224]"), {"pad": (1, 1)}),
    "few columns, one tap": (("f32[b1,16,7,7]", "f32[37,16,1,1]", "f32[37]"), {}),
    "depthwise": (("f32[b1,6,9,18]", "f32[6,1,3,3]", "f32[6]"), {"stride": (2, 2), "pad": (1, 1), "group": 6}),
    "many channels": (("f32[b1,24,7,7]", "f32[24,1,3,3]", "f32[24]"), {"pad": (1, 1), "group": 24}),
    "one axis": (("f32[b1,3,37]", "f32[6,3,5]", "f32[6]"), {"stride": (1,), "pad": (2,)}),
    "three axes": (("f32[b1,2,4,6,17]", "f32[5,2,2,3,3]", "f32[5]"), {"stride": (1, 1, 1), "pad": (0, 1, 1)}),
}


def sample(name: str, batch: int) -> Sample:
    operands, attrs = CONVOLUTIONS[name]
    how = {"stride": (1, 1), "pad": (0, 0), "group": 1, **attrs}
    return Sample((operands[0].replace("b1", f"b{batch}"), *operands[1:]), how)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("cpu", ["", "haswell"])
@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_results(name: str, batch: int, cpu: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOCHAC_CPU", cpu)
    op = OPS["conv"]
    case = draw(op, sample(name, batch), "f32")
    want = run_reference(op, tuple(a.astype(np.float64) for a in case.arrays), case.attrs)[0]
    got = run_graph(case.graph(), case.feeds(), threads=2)["y0"]
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5 * np.abs(want).max())


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_columns_are_lanes(name: str) -> None:
    assert choose(convolution(name), CpuTarget.of("skylake-avx512", 64)).name == "conv.one-image"


def layers(batch: int, gradient: str = "") -> Graph:
    return parse(f"""
graph @g(%x: f32[b{batch},3,8,8], %w: f32[5,3,3,3] param, %dy: f32[b{batch},5,6,6]) {{
  %y: f32[b{batch},5,6,6] = conv(%x, %w) {{pad=(0, 0), stride=(1, 1)}}
  {gradient}
  return %y
}}""")


def test_only_predictions_for_one_sample_are_natural() -> None:
    gradient = "%dw: f32[5,3,3,3] = conv_dw(%x, %dy) {kernel=(3, 3), pad=(0, 0), stride=(1, 1)}"
    lanes = [
        {out.type.lanes for node in assign_layout(graph, 16).nodes for out in node.outputs if out.type.batch}
        for graph in (layers(1), layers(2), layers(1, gradient))
    ]
    assert lanes == [{0}, {2}, {1}]


def convolution(name: str) -> Kernel:
    return next(k for k in to_kernels(fuse(draw(OPS["conv"], sample(name, 1), "f32").graph())) if k.root == "conv")


def items(name: str, team: int) -> list[int]:
    """The items of each nest of a convolution's kernel, for a team of threads."""
    target = replace(CpuTarget.of("skylake-avx512", 64), team=team)
    return items_of(apply(choose(convolution(name), target), convolution(name)))


def test_channels_are_items_where_rows_are_too_few() -> None:
    assert items("few rows", 4) == [7]
    assert sum(items("few rows", 16)) >= 16


def test_an_image_of_short_rows_under_one_tap_is_one_row_without_a_copy() -> None:
    kernel = next(
        k for k in to_kernels(fuse(draw(OPS["conv"], sample("one tap", 1), "f32").graph())) if k.root == "conv"
    )
    schedule = choose(kernel, CpuTarget.of("skylake-avx512", 64))
    assert "merge(outer=oh, inner=ow" in str(schedule)
    assert "pack(" not in str(schedule)


def test_all_rows_of_a_depthwise_convolution_are_packed_together() -> None:
    assert items("many channels", 4) == [24]


@pytest.mark.parametrize(
    ("attrs", "ops"),
    [
        ("pad=(0, 0), stride=(2, 3)", ["strided_slice", "strided_slice", "conv"]),
        ("pad=(0, 0), stride=(1, 4)", ["strided_slice", "conv"]),
        ("pad=(1, 0), stride=(2, 3)", ["conv"]),  # zeros would be read, too
    ],
)
def test_a_filter_of_one_tap_reads_no_columns_that_it_leaves_out(attrs: str, ops: list[str]) -> None:
    padded, strides = "pad=(1" in attrs, [int(n) for n in attrs.rpartition("(")[2].rstrip(")").split(", ")]
    rows, columns = (-(-n // stride) for n, stride in zip((15 if padded else 13, 14), strides, strict=True))
    graph = parse(f"""
graph @g(%x: f32[b1,9,13,14], %w: f32[12,9,1,1] param) {{
  %y: f32[b1,12,{rows},{columns}] = conv(%x, %w) {{{attrs}}}
  return %y
}}""")
    assert [node.op for node in assign_layout(graph, 16).nodes] == ops


SQUEEZED = """
graph @g(%x: f32[b1,CHANNELS,9,11], %w: f32[CHANNELS,1,5,5] param, %u: f32[CHANNELS,CHANNELS] param) {
  %c: f32[b1,CHANNELS,9,11] = conv(%x, %w) {group = CHANNELS, pad = (2,2), stride = (1,1)}
  %r: f32[b1,CHANNELS,9,11] = relu(%c)
  %s: f32[b1,CHANNELS] = reduce_sum(%r) {axes = (2,3)}
  %p: f32[b1,CHANNELS] = inner_product(%s, %u)
  %g: f32[b1,CHANNELS] = sigmoid(%p)
  %b: f32[b1,CHANNELS,9,11] = broadcast(%g) {axes = (0,1), batch = true, shape = (1,CHANNELS,9,11)}
  %y: f32[b1,CHANNELS,9,11] = mul(%r, %b)
  return %y
}"""


@pytest.mark.parametrize("channels", [5, 72, 150])
def test_channels_that_are_squeezed_and_excited(channels: int) -> None:
    graph = parse(SQUEEZED.replace("CHANNELS", str(channels)))
    rng = np.random.default_rng(channels)
    feeds = {i.name: rng.standard_normal(i.type.shape).astype(np.float32) for i in graph.inputs}
    want = run(graph, feeds)["y"]
    np.testing.assert_allclose(run_graph(graph, feeds, threads=2)["y"], want, rtol=1e-4, atol=1e-4 * np.abs(want).max())
