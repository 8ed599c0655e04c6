"""join_rows: what it makes of graphs, and that neither meaning nor bits depend on how many parts are joined."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from emulated_ranks import trained
from parts_nets import NETS, UPDATES, data

import mochac.ir as ir
from mochac import (
    BatchNormLayer,
    ConcatLayer,
    ConvolutionLayer,
    DropoutLayer,
    ElementWiseFunctors,
    ElementWiseLayer,
    InnerProductLayer,
    InstanceNormLayer,
    LayerNormLayer,
    Net,
    Neurons,
    SoftmaxLayer,
    SoftmaxLossLayer,
)
from mochac.base.errors import UnsupportedError
from mochac.codegen.canonical import canonical
from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.build import in_bodies
from mochac.ir.op import OPS, register
from mochac.ir.passes.assign_layout import assign_layout
from mochac.ir.passes.cut_batch import cut_batch
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.join_rows import join_rows
from mochac.ir.passes.leave_scans import leave_scans
from mochac.ir.passes.simplify import simplify
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.verifier import verify
from mochac.lowering.operands import draw_inputs
from mochac.lowering.plan_graphs import step_plan
from mochac.nets.trace import trace
from mochac.tools.fuzzing import drawer
from mochac.tools.testing import assert_pass


def products(batch: int, width: int, inputs: int = 24, deep: bool = True) -> Net:
    """Rows of features; how many and how wide decides which rules take their products."""
    hidden = [
        InnerProductLayer(name="b", output_dim=width, neuron=Neurons.Tanh(), bottoms=["a"], tops=["b"]),
        DropoutLayer(name="drop", ratio=0.4, bottoms=["b"]),
        ElementWiseLayer(name="sum", operation=ElementWiseFunctors.Add(), bottoms=["a", "b"], tops=["sum"]),
    ]
    return Net("products", [
        data((inputs,), batch),
        InnerProductLayer(name="a", output_dim=width, neuron=Neurons.ReLU(), bottoms=["data"], tops=["a"]),
        *(hidden if deep else []),
        InnerProductLayer(name="out", output_dim=3, bottoms=["sum" if deep else "a"], tops=["out"]),
        SoftmaxLossLayer(name="loss", bottoms=["out", "label"]),
    ])  # fmt: skip


def test_the_text_of_a_graph_with_joined_rows():
    assert_pass(
        "join_rows",
        before="""graph @g(%x: f32[b4,3], %w: f32[5,3] param, %b: f32[5] param) {
          %x.part0: f32[b2,3] = part(%x) {count = 2, first = 0}
          %x.part1: f32[b2,3] = part(%x) {count = 2, first = 2}
          %y.part0: f32[b2,5] = inner_product(%x.part0, %w)
          %y.part1: f32[b2,5] = inner_product(%x.part1, %w)
          %k.part: f32[b2,5] = broadcast(%b) {axes = (1,), batch = true, shape = (2,5)}
          %z.part0: f32[b2,5] = mul(%y.part0, %k.part)
          %z.part1: f32[b2,5] = mul(%y.part1, %k.part)
          %d.part0: f32[5,3] = inner_product_dw(%x.part0, %z.part0)
          %d.part1: f32[5,3] = inner_product_dw(%x.part1, %z.part1)
          %d: f32[5,3] = sum_parts(%d.part0, %d.part1)
          %s.part0: f32[5] = reduce_sum(%z.part0) {axes = (0,)}
          %s.part1: f32[5] = reduce_sum(%z.part1) {axes = (0,)}
          %s: f32[5] = sum_parts(%s.part0, %s.part1)
          return %d, %s
        }""",
        after="""graph @g(%x: f32[b4,3], %w: f32[5,3] param, %b: f32[5] param) {
          %y.rows: f32[b4,5] = parts.inner_product(%x, %w) {parts = 2, samples = (0,)}
          %k.rows: f32[b4,5] = broadcast(%b) {axes = (1,), batch = true, shape = (4,5)}
          %z.rows: f32[b4,5] = mul(%y.rows, %k.rows)
          %z.part0: f32[b2,5] = part(%z.rows) {count = 2, first = 0}
          %z.part1: f32[b2,5] = part(%z.rows) {count = 2, first = 2}
          %d: f32[5,3] = parts.inner_product_dw(%x, %z.rows) {parts = 2, samples = (0,1)}
          %s.part0: f32[5] = reduce_sum(%z.part0) {axes = (0,)}
          %s.part1: f32[5] = reduce_sum(%z.part1) {axes = (0,)}
          %s: f32[5] = sum_parts(%s.part0, %s.part1)
          return %d, %s
        }""",
    )


def test_blocked_parts_stay_cut():
    text = """graph @g(%x: f32[b32,3], %w: f32[5,3] param) {
      %x.part0: f32[b16,3] = part(%x) {count = 16, first = 0}
      %x.part1: f32[b16,3] = part(%x) {count = 16, first = 16}
      %b.part0: f32[b16,3] blocked(16) = relayout(%x.part0) {lanes = 16}
      %b.part1: f32[b16,3] blocked(16) = relayout(%x.part1) {lanes = 16}
      %y.part0: f32[b16,5] blocked(16) = inner_product(%b.part0, %w)
      %y.part1: f32[b16,5] blocked(16) = inner_product(%b.part1, %w)
      return %y.part0, %y.part1
    }"""
    assert_pass("join_rows", before=returning(text), after=returning(text))


def test_what_is_computed_part_by_part_is_copied_for_a_product():
    assert_pass(
        "join_rows",
        before="""graph @g(%x: f32[b4,3], %w: f32[5,3] param) {
          %x.part0: f32[b2,3] = part(%x) {count = 2, first = 0}
          %x.part1: f32[b2,3] = part(%x) {count = 2, first = 2}
          %p.part0: f32[b2,3] = softmax(%x.part0) {axis = 1}
          %p.part1: f32[b2,3] = softmax(%x.part1) {axis = 1}
          %d.part0: f32[3,3] = inner_product_dw(%x.part0, %p.part0)
          %d.part1: f32[3,3] = inner_product_dw(%x.part1, %p.part1)
          %d: f32[3,3] = sum_parts(%d.part0, %d.part1)
          return %d
        }""",
        after="""graph @g(%x: f32[b4,3], %w: f32[5,3] param) {
          %x.part0: f32[b2,3] = part(%x) {count = 2, first = 0}
          %x.part1: f32[b2,3] = part(%x) {count = 2, first = 2}
          %p.part0: f32[b2,3] = softmax(%x.part0) {axis = 1}
          %p.part1: f32[b2,3] = softmax(%x.part1) {axis = 1}
          %p.rows: f32[b4,3] = join_parts(%p.part0, %p.part1)
          %d: f32[3,3] = parts.inner_product_dw(%x, %p.rows) {parts = 2, samples = (0,1)}
          return %d
        }""",
    )


def test_products_with_a_schedule_of_a_user_stay_cut():
    register(replace(OPS["inner_product"], name="own_product", schedules={"cpu": lambda kernel, target: None}))
    text = """graph @g(%x: f32[b4,3], %w: f32[5,3] param) {
      %x.part0: f32[b2,3] = part(%x) {count = 2, first = 0}
      %x.part1: f32[b2,3] = part(%x) {count = 2, first = 2}
      %y.part0: f32[b2,5] = own_product(%x.part0, %w)
      %y.part1: f32[b2,5] = own_product(%x.part1, %w)
      return %y.part0, %y.part1
    }"""
    assert_pass("join_rows", before=returning(text), after=returning(text))
    plain = returning(text).replace("own_product", "inner_product")
    assert "parts.inner_product" in str(join_rows(ir.parse(plain), 2))


def returning(text: str) -> str:
    """The graph with a sum of the products as its result, so that these may be joined."""
    sums = "".join(f"%s{p}: f32[5] = reduce_sum(%y.part{p}) {{axes = (0,)}}\n" for p in range(2))
    return text.replace("return %y.part0, %y.part1", f"{sums} %s: f32[5] = sum_parts(%s0, %s1)\n return %s")


def joined(net: Net, parts: int, dtype: str = "float64", lanes: int = 16) -> tuple[ir.Graph, ir.Graph]:
    """A step of a net, and the same in parts whose rows are joined."""
    source = step_plan(trace(net, "train", dtype, seed=3), UPDATES["lenet"])
    graph = in_bodies(simplify, leave_scans(in_bodies(simplify, source.graph)))
    return graph, join_rows(assign_layout(cut_batch(graph, parts), lanes), parts)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("parts", [2, 4])
@pytest.mark.parametrize("name", [*NETS, "products"])
def test_joined_rows_keep_the_meaning_of_a_step(name, parts):
    whole, rows = joined(NETS[name]() if name in NETS else products(20, 30), parts)
    verify(rows)
    if name in ("mlp", "products"):
        assert not any(node.op == "inner_product" for node in rows.nodes)
    inputs = draw_inputs(whole)
    wanted, found = ir.run(whole, inputs), ir.run(rows, inputs)
    for state, values in wanted.updates.items():
        np.testing.assert_allclose(found.updates[state], values, rtol=1e-9, atol=1e-12, err_msg=state)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(0, 36, 3))
def test_joined_rows_keep_the_meaning_of_random_nets(seed, monkeypatch):
    monkeypatch.setattr(drawer, "BATCHES", (4, 8, 20))
    net = drawer.Drawer(seed).draw(1).net
    if any(isinstance(made, ConcatLayer) and made.axis == 0 for made in net.layers):
        return
    whole, rows = joined(net, 4)
    inputs = draw_inputs(whole)
    wanted, found = ir.run(whole, inputs), ir.run(rows, inputs)
    for state, values in wanted.updates.items():
        scale = 1e-9 * max(1.0, np.abs(values).max(initial=0))
        np.testing.assert_allclose(found.updates[state], values, rtol=1e-7, atol=scale, err_msg=state)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("batch", "width", "inputs", "parts", "ranks"),
    [
        (16, 20, 24, 4, 2),  # four samples a part, few outputs: lanes are parts of a sum
        (40, 70, 24, 4, 4),  # ten, packed: product_packed
        (100, 70, 24, 4, 2),  # 25, of which packing leaves one: product_natural
        (4, 50, 17, 4, 4),  # a sample a part
        (32, 100, 40, 8, 4),
        (24, 1, 5, 2, 2),  # one feature
        (100, 600, 300, 2, 2),  # weights in panels
        (1600, 60, 30, 4, 4),  # so many samples that a single part of them would not be packed
    ],
)
def test_one_hash_of_products_for_any_number_of_ranks(batch, width, inputs, parts, ranks):
    net = products(batch, width, inputs, deep=batch < 1000)
    hashes = {n: trained(net, parts, n, UPDATES["lenet"])[0] for n in (1, ranks)}
    assert len(set(hashes.values())) == 1, hashes


@pytest.mark.slow
@pytest.mark.parametrize("cpu", [("znver4", 32), ("haswell", 32), ("znver5", 64)])
def test_the_rows_of_a_part_decide_about_a_product_with_a_function_behind_it(cpu):
    """For the product alone, too, which decides how sums are divided."""
    text = """graph @g(%x: f32[b{0},{1}], %w: f32[600,{1}] param, %c: f32[600]) {{
      %p: f32[b{0},600] = inner_product(%x, %w, %c)
      %r: f32[b{0},600] = relu(%p)
      return %r
    }}"""
    target = CpuTarget.of(*cpu)
    for rows in range(10, 100, 10):
        (one,), (two,) = (to_kernels(fuse(ir.parse(text.format(n, 300)))) for n in (rows, 2 * rows))
        assert choose(canonical(one)[0], target).name == choose(canonical(two)[0].with_(parts=2), target).name, rows


@pytest.mark.slow
@pytest.mark.parametrize(("ranks", "norm"), [(2, BatchNormLayer), (4, LayerNormLayer), (2, SoftmaxLayer)])
def test_one_hash_of_rows_that_are_normalized_for_any_number_of_ranks(ranks, norm):
    """What is summed along rows or over the batch stays cut, between products that are joined."""
    net = Net("normalized", [
        data((24,), 20),
        InnerProductLayer(name="a", output_dim=70, neuron=Neurons.ReLU(), bottoms=["data"], tops=["a"]),
        norm(name="n", bottoms=["a"], tops=["n"]),
        InnerProductLayer(name="out", output_dim=3, bottoms=["n"], tops=["out"]),
        SoftmaxLossLayer(name="loss", bottoms=["out", "label"]),
    ])  # fmt: skip
    hashes = {n: trained(net, 4, n, UPDATES["lenet"])[0] for n in (1, ranks)}
    assert len(set(hashes.values())) == 1, hashes


@pytest.mark.slow
@pytest.mark.parametrize(("ranks", "norm"), [(4, BatchNormLayer), (2, LayerNormLayer), (4, InstanceNormLayer)])
def test_one_hash_of_images_that_are_normalized_for_any_number_of_ranks(ranks, norm):
    """Their sums are so long that they are added up in levels, alone or with what reads them in one kernel."""
    net = Net("images", [
        data((3, 24, 24), 64),
        ConvolutionLayer(name="a", kernel=3, n_filter=5, bottoms=["data"], tops=["a"]),
        norm(name="n", bottoms=["a"], tops=["n"], **({"axes": (1, 2, 3)} if norm is LayerNormLayer else {})),
        InnerProductLayer(name="out", output_dim=3, bottoms=["n"], tops=["out"]),
        SoftmaxLossLayer(name="loss", bottoms=["out", "label"]),
    ])  # fmt: skip
    hashes = {n: trained(net, 4, n, UPDATES["lenet"])[0] for n in (1, ranks)}
    assert len(set(hashes.values())) == 1, hashes


@pytest.mark.sampled(0, test=4)
@pytest.mark.parametrize("seed", range(100, 124, 2))
def test_one_hash_of_random_nets_for_any_number_of_ranks(seed, monkeypatch):
    monkeypatch.setattr(drawer, "BATCHES", (4, 8, 20, 32, 100))
    net = drawer.Drawer(seed).draw(1).net
    try:
        hashes = {ranks: trained(net, 4, ranks)[0] for ranks in (1, 4)}
    except UnsupportedError:  # samples meet
        return
    assert len(set(hashes.values())) == 1, hashes
