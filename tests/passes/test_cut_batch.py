"""cut_batch: what it makes of graphs, and that neither meaning nor bits depend on parts and ranks."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle

import numpy as np
import pytest
from emulated_ranks import trained
from parts_nets import NETS, UPDATES, data, mlp, residual

import mochac
import mochac.ir as ir
from mochac import (
    SGD,
    ConcatLayer,
    InnerProductLayer,
    LayerNormLayer,
    MemoryDataLayer,
    Net,
    ReductionLayer,
    SoftmaxLossLayer,
    SquareLossLayer,
)
from mochac.base.errors import UnsupportedError
from mochac.base.options import CompileOptions, Options
from mochac.ir.build import in_bodies
from mochac.ir.op import OPS
from mochac.ir.ops.exchange import tree
from mochac.ir.passes.cut_batch import cut_batch
from mochac.ir.passes.leave_scans import leave_scans
from mochac.ir.passes.map_nets import ADDING
from mochac.ir.passes.simplify import simplify
from mochac.ir.plan import Share
from mochac.ir.verifier import verify
from mochac.lowering.backends import open_backend
from mochac.lowering.operands import draw_inputs
from mochac.lowering.pipeline import lower
from mochac.lowering.plan_graphs import step_plan
from mochac.nets.solvers.update import Update
from mochac.nets.trace import trace
from mochac.tools.fuzzing import drawer
from mochac.tools.testing import assert_pass


def outside_of_loops(graph: ir.Graph) -> ir.Graph:
    """As the pipeline: sums over samples have left loops before batches are cut."""
    return in_bodies(simplify, leave_scans(in_bodies(simplify, graph)))


def test_the_text_of_a_graph_in_two_parts():
    assert_pass(
        "cut_batch",
        before="""graph @g(%x: f32[b6,3], %w: f32[2,3] param) {
          %y: f32[b6,2] = inner_product(%x, %w)
          %k: f32[b6,2] = fill() {batch = true, dtype = "f32", shape = (6,2), value = 0.5}
          %d: f32[b6,2] = mul(%y, %k)
          %dw: f32[2,3] = inner_product_dw(%x, %d)
          return %dw, %y
        }""",
        after="""graph @g(%x: f32[b6,3], %w: f32[2,3] param) {
          %x.part0: f32[b3,3] = part(%x) {count = 3, first = 0}
          %x.part1: f32[b3,3] = part(%x) {count = 3, first = 3}
          %y.part0: f32[b3,2] = inner_product(%x.part0, %w)
          %y.part1: f32[b3,2] = inner_product(%x.part1, %w)
          %k.part: f32[b3,2] = fill() {batch = true, dtype = "f32", shape = (3,2), value = 0.5}
          %d.part0: f32[b3,2] = mul(%y.part0, %k.part)
          %d.part1: f32[b3,2] = mul(%y.part1, %k.part)
          %dw.part0: f32[2,3] = inner_product_dw(%x.part0, %d.part0)
          %dw.part1: f32[2,3] = inner_product_dw(%x.part1, %d.part1)
          %dw: f32[2,3] = sum_parts(%dw.part0, %dw.part1)
          %y: f32[b6,2] = join_parts(%y.part0, %y.part1)
          return %dw, %y
        }""",
    )


def test_a_rank_has_its_parts_and_adds_up_over_ranks():
    graph = ir.parse("graph @g(%x: f32[b8,3]) { %s: f32[3] = reduce_sum(%x) {axes = (0,)} return %s }")
    two = cut_batch(graph, 4, 2)
    assert str(two) == str(ir.parse("""graph @g(%x: f32[b4,3]) {
      %x.part0: f32[b2,3] = part(%x) {count = 2, first = 0}
      %x.part1: f32[b2,3] = part(%x) {count = 2, first = 2}
      %s.part0: f32[3] = reduce_sum(%x.part0) {axes = (0,)}
      %s.part1: f32[3] = reduce_sum(%x.part1) {axes = (0,)}
      %s.own: f32[3] = sum_parts(%s.part0, %s.part1)
      %s: f32[3] = rank_sum(%s.own) {ranks = 2}
      return %s
    }"""))  # fmt: skip
    assert str(cut_batch(graph, 4, 4)) == str(ir.parse("""graph @g(%x: f32[b2,3]) {
      %s.own: f32[3] = reduce_sum(%x) {axes = (0,)}
      %s: f32[3] = rank_sum(%s.own) {ranks = 4}
      return %s
    }"""))  # fmt: skip


def test_sums_are_added_in_pairs():
    numbers = [np.float32(x) for x in (1.0, 1e8, -1e8, 0.5)]
    assert tree(numbers, np.add) == (numbers[0] + numbers[1]) + (numbers[2] + numbers[3]) != sum(numbers)
    graph = ir.parse("graph @g(%x: f32[b4]) { %s: f32[] = reduce_sum(%x) {axes = (0,)} return %s }")
    found = ir.run(cut_batch(graph, 4), {"x": np.array(numbers)})["s"]
    assert found == tree(numbers, np.add)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", NETS)
def test_parts_keep_the_meaning_of_a_step(name):
    """In float64, a step in parts updates every state as the whole step does."""
    source = step_plan(trace(NETS[name](), "train", "float64", seed=3), UPDATES[name])
    inputs = draw_inputs(source.graph)
    wanted = ir.run(source.graph, inputs)
    for parts in (2, 4):
        cut = cut_batch(outside_of_loops(source.graph), parts)
        verify(cut)
        found = ir.run(cut, inputs)
        for state, values in wanted.updates.items():
            np.testing.assert_allclose(found.updates[state], values, rtol=1e-9, atol=1e-12, err_msg=state)
        for out in source.graph.outputs:
            np.testing.assert_allclose(found[out], wanted[out], rtol=1e-9, err_msg=out)


@pytest.mark.slow
@pytest.mark.parametrize(("ranks", "name"), [*zip(cycle((4, 2)), NETS, strict=False)])
def test_one_hash_for_any_number_of_ranks(ranks, name):
    net, update = NETS[name](), UPDATES[name]
    hashes = {n: trained(net, 4, n, update)[0] for n in (1, ranks)}
    assert len(set(hashes.values())) == 1, hashes


@pytest.mark.slow
@pytest.mark.parametrize(("ranks", "samples"), [(2, 10), (4, 11), (8, 16)])
def test_one_hash_in_bfloat16(ranks, samples):
    """Which factors are pairs does not depend on ranks: those of weight gradients with an even number of samples in a
    part, where these are no block, as 8 are with vectors of 8."""
    batch = 8 * samples
    net = Net("wide", [
        data((70,), batch),
        InnerProductLayer(name="a", output_dim=48, bottoms=["data"], neuron=mochac.Neurons.ReLU()),
        InnerProductLayer(name="b", output_dim=3, bottoms=["a"]),
        mochac.SoftmaxLossLayer(name="loss", bottoms=["b", "label"]),
    ])  # fmt: skip
    hashes = {n: trained(net, 8, n, UPDATES["mlp"], precision="bfloat16")[0] for n in (1, ranks)}
    assert len(set(hashes.values())) == 1, hashes
    assert hashes[1] != trained(net, 8, 1, UPDATES["mlp"])[0]


@pytest.mark.slow
def test_another_number_of_parts_adds_in_another_order():
    assert trained(mlp(), 2, 2, UPDATES["mlp"])[0] != trained(mlp(), 4, 2, UPDATES["mlp"])[0]


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_parts_of_a_single_sample_have_the_layouts_of_a_rank(rate):
    """A rank whose step has one sample, and no gradient of a weight, keeps values natural; so do parts in one process.
    Norms add in another order where samples are blocked. (`mochac fuzz --seed 810944 --twins ranks`)"""
    net = Net("frozen", [
        data((17, 8), 2),
        LayerNormLayer(name="norm", bottoms=["data"], tops=["norm"]),
        InnerProductLayer(name="ip", output_dim=3, weight_lr=rate, bottoms=["norm"], tops=["ip"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
    ])  # fmt: skip
    assert trained(net, 2, 1, UPDATES["mlp"])[0] == trained(net, 2, 2, UPDATES["mlp"])[0]


@pytest.mark.slow
def test_what_follows_a_product_does_not_choose_its_order():
    """A rank fuses the slopes of GELU with a data gradient, parts in one process with the forward product, whose sums
    then were not divided among lanes. (`mochac fuzz --seed 844810 --twins ranks`)"""
    arrays = [np.zeros((2, 72)), np.zeros((2, 2)), np.zeros((2, 2))]
    net = Net("fused", [
        MemoryDataLayer(name="in", data=arrays, batch_size=2, tops=["data", "x", "y"]),
        InnerProductLayer(name="ip", output_dim=8, bottoms=["data"], neuron=mochac.Neurons.GELU(approximate=True)),
        mochac.PReLULayer(name="prelu", bottoms=["ip"], tops=["prelu"]),
        InnerProductLayer(name="a", output_dim=2, bottoms=["prelu"], tops=["a"]),
        InnerProductLayer(name="b", output_dim=2, bottoms=["prelu"], tops=["b"]),
        mochac.SquareLossLayer(name="one", bottoms=["a", "x"], tops=["one"]),
        mochac.SquareLossLayer(name="two", bottoms=["b", "y"], tops=["two"]),
        mochac.ElementWiseLayer(name="loss", bottoms=["one", "two"], operation=mochac.ElementWiseFunctors.Multiply()),
    ])  # fmt: skip
    hashes = {trained(net, 2, ranks, UPDATES["mlp"], dtype="float64")[0] for ranks in (1, 2)}
    assert len(hashes) == 1


@pytest.mark.slow
def test_exchanged_sums_choose_no_layout():
    """The gradient of a norm's scale is a sum over samples, which ranks exchange; where they lie does not depend on
    that. (`mochac fuzz --seed 843200 --twins ranks`)"""
    net = Net("norm", [
        data((17, 16), 30),
        LayerNormLayer(name="norm", bottoms=["data"], tops=["norm"]),
        mochac.MultiHeadAttentionLayer(name="attention", heads=4, bottoms=["norm"], tops=["attended"]),
        InnerProductLayer(name="ip", output_dim=3, bottoms=["attended"], tops=["ip"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
    ])  # fmt: skip
    assert trained(net, 2, 1, UPDATES["mlp"])[0] == trained(net, 2, 2, UPDATES["mlp"])[0]


@pytest.mark.sampled(0, test=3)
@pytest.mark.parametrize("name", [name for name in NETS if name not in ("expressions", "contrastive")])
def test_kernels_of_a_rank_are_those_of_a_single_process(name):
    """Those in which an order of addition is chosen: the same code, or for the rows of several parts the same rule.

    What is computed from parameters and their gradients comes after the sums over samples, and may be fused with other
    neighbours there; ranks gather the samples of a loss across samples by kernels of their own. That the bits are the
    same, one hash shows.
    """
    backend = open_backend(CompileOptions(backend="cpu"), Options.from_env(), run=True)
    source = step_plan(trace(NETS[name](), "train", seed=3), UPDATES[name])
    adding = {name for name, op in OPS.items() if op.kind in ADDING}
    joined = {"inner_product", "inner_product_dx", "inner_product_dw", "einsum"}

    def chosen(ranks: int) -> tuple[set[str], set[tuple[str, str]]]:
        kernels = lower(source.graph, backend.generator, **replace(source, parts=4, ranks=ranks).how).kernels
        code = {k.code.symbol for k in kernels if k.staged.root in adding - joined}
        rules = {(k.staged.root.removeprefix("parts."), k.schedule.name) for k in kernels}
        return code, {rule for rule in rules if rule[0] in adding}

    assert chosen(1) == chosen(2) == chosen(4)


@pytest.mark.slow
def test_batch_statistics_are_exchanged_in_forward_and_gradients_behind_backward():
    exchanged = trained(residual(), 2, 2, steps=1)[2]
    assert exchanged[0] == ("n1.reduce_sum",)
    last = exchanged[-1]
    assert {"d.c1.filter", "d.out.weight", "loss.reduce_sum"} <= set(last)
    assert last.index("d.out.weight") < last.index("d.c2.filter") < last.index("d.c1.filter")


def test_masks_are_those_of_the_whole_batch():
    graph = ir.parse("""graph @g(%step: i64[] hyper, %x: f32[b8,5]) {
      %m: f32[b8,5] = dropout_mask(%step) {batch = true, dtype = "f32", key = 7, ratio = 0.5, shape = (8,5)}
      %y: f32[b8,5] = mul(%x, %m)
      return %y
    }""")
    inputs = {"step": np.int64(3), "x": np.ones((8, 5), np.float32)}
    whole = ir.run(graph, inputs)["y"]
    np.testing.assert_array_equal(ir.run(cut_batch(graph, 4), inputs)["y"], whole)
    for rank in range(2):
        share = Share(rank, 2)
        mine = {"step": np.int64(3), "x": np.ones((4, 5), np.float32), "first_sample": np.int64(share.first(8))}
        np.testing.assert_array_equal(ir.run(cut_batch(graph, 4, 2), mine)["y"], whole[4 * rank : 4 * rank + 4])


def test_samples_that_meet_are_those_of_all_parts():
    """ConcatLayer along axis 0: rows of one bottom behind those of another."""
    net = Net("rows", [
        data((3,), 4),
        ConcatLayer(name="both", axis=0, bottoms=["data", "data"], tops=["both"]),
        InnerProductLayer(name="out", output_dim=3, bottoms=["both"], tops=["out"]),
        ReductionLayer(name="sum", axes=(1,), bottoms=["out"], tops=["sum"]),
        SquareLossLayer(name="loss", bottoms=["sum", "sum"]),
    ])  # fmt: skip
    graph = step_plan(trace(net, "train", "float64"), Update()).graph
    inputs = draw_inputs(graph)
    wanted, found = ir.run(graph, inputs), ir.run(cut_batch(graph, 2), inputs)
    for state, values in wanted.updates.items():
        np.testing.assert_allclose(found.updates[state], values, rtol=1e-12, err_msg=state)


def test_samples_that_meet_in_another_way_are_refused():
    graph = ir.parse("""graph @g(%x: f32[b4,3]) {
      %y: f32[4,3] = relayout(%x) {batch = false, lanes = 0}
      %z: f32[8,3] = concat(%y, %y) {axis = 0}
      return %z
    }""")
    with pytest.raises(UnsupportedError) as caught:
        cut_batch(graph, 2)
    assert str(caught.value).splitlines() == [
        "%z lets the samples of a batch meet (concat)",
        "  expected  layers that compute each sample by itself, or sums over the batch,  got  parts=2",
        "  hint: train in one process, with parts=1",
    ]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(36))
def test_parts_keep_the_meaning_of_random_nets(seed, monkeypatch):
    monkeypatch.setattr(drawer, "BATCHES", (2, 4, 8, 20))
    net = drawer.Drawer(seed).draw(1).net
    graph = outside_of_loops(step_plan(trace(net, "train", "float64", seed=3), Update()).graph)
    inputs = draw_inputs(graph)
    wanted, found = ir.run(graph, inputs), ir.run(cut_batch(graph, 2), inputs)
    for state, values in wanted.updates.items():
        scale = 1e-9 * max(1.0, np.abs(values).max(initial=0))
        np.testing.assert_allclose(found.updates[state], values, rtol=1e-7, atol=scale, err_msg=state)


@pytest.mark.slow
def test_one_part_is_the_step_as_it_was():
    net = mlp()
    plain, one, two = (mochac.compile(net, backend="cpu", parts=parts) for parts in (None, 1, 2))
    for program in (plain, one, two):
        program.train(SGD(0.1), max_iter=1, verbose=0)
    kernels = [[(k.name, k.schedule, k.llvm) for k in program.kernels] for program in (plain, one, two)]
    assert kernels[0] == kernels[1]
    assert any(name.startswith("a.sum_parts") for name, *_ in kernels[2])
