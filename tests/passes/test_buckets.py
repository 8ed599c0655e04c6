"""buckets: which sums are exchanged together, when an exchange begins, and that results stay the same."""

import numpy as np
import pytest

import mochac
from mochac import ir, passes
from mochac.ir.passes import buckets as module

STEP = """
graph @g(%x: f32[6], %w: f32[6] param, %v: f32[2,3] param, %m: f32[6] state) {
  %s: f32[6] = mul(%x, %w)
  %s.all: f32[6] = rank_sum(%s)
  %t: f32[6] = mul(%s, %s)
  %t.all: f32[6] = rank_sum(%t)
  %mean: f32[6] = add(%s.all, %t.all)
  %y: f32[6] = sub(%x, %mean)
  %y.all: f32[6] = rank_sum(%y)
  %w2: f32[6] = sub(%w, %y.all)
  %z: f32[2,3] = reshape(%y) {shape = (2,3)}
  %z.all: f32[2,3] = rank_sum(%z)
  %v2: f32[2,3] = sub(%v, %z.all)
  return %y.all
  update %w = %w2
  update %v = %v2
}
"""


def after_buckets(text):
    """The graph after the pass, with its results checked on random numbers."""
    graph = ir.parse(text)
    ir.verify(graph)
    after = passes.run("buckets", graph)
    ir.verify(after)
    rng = np.random.default_rng(1)
    inputs = {i.name: rng.standard_normal(i.type.shape).astype(np.float32) for i in graph.inputs}
    before, result = ir.run(graph, inputs), ir.run(after, inputs)
    for name in (*graph.outputs, *(target for target, _ in graph.updates)):
        np.testing.assert_array_equal(result[name], before[name])
    return after


def test_statistics_are_exchanged_where_they_are_read_and_gradients_behind_all_else():
    graph = after_buckets(STEP)
    assert [node.op for node in graph.nodes] == [
        "mul", "mul", "exchange_start", "exchange_wait", "add", "sub", "reshape",
        "exchange_start", "exchange_wait", "sub", "sub",
    ]  # fmt: skip
    early, late = (node for node in graph.nodes if node.op == "exchange_wait")
    assert [out.name for out in early.outputs] == ["s.all", "t.all"] and not early.attr["late"]
    assert [out.name for out in late.outputs] == ["y.all", "z.all"] and late.attr["late"]
    assert late.attr["shapes"] == ((6,), (2, 3))


def test_a_bucket_begins_once_it_is_full(monkeypatch):
    monkeypatch.setattr(module, "BUCKET_BYTES", 24)
    graph = after_buckets(STEP)
    assert [node.op for node in graph.nodes] == [
        "mul", "mul", "exchange_start", "exchange_wait", "add", "sub", "exchange_start", "reshape", "exchange_start",
        "exchange_wait", "exchange_wait", "sub", "sub",
    ]  # fmt: skip
    assert [node.attr["bucket"] for node in graph.nodes if node.op == "exchange_start"] == [0, 1, 2]


def test_types_are_not_mixed():
    graph = after_buckets("""
graph @g(%a: f32[6], %b: f64[2]) {
  %a.all: f32[6] = rank_sum(%a)
  %b.all: f64[2] = rank_sum(%b)
  return %a.all, %b.all
}
""")
    assert [str(node.outputs[0].type) for node in graph.nodes] == ["f32[6]", "f64[2]", "f32[6]", "f64[2]"]


def test_a_graph_of_one_rank_stays_as_it_is():
    graph = ir.parse("graph @g(%a: f32[6]) {\n  %b: f32[6] = relu(%a)\n  return %b\n}")
    assert passes.run("buckets", graph) is graph


@pytest.mark.slow
def test_explain_lists_the_buckets_and_when_they_begin():
    rng = np.random.default_rng(0)
    data = mochac.MemoryDataLayer(data=[rng.random((8, 6), np.float32), np.zeros(8, int)], batch_size=8)
    hidden = mochac.InnerProductLayer(name="hidden", output_dim=4, bottoms=["data"])
    out = mochac.InnerProductLayer(name="out", output_dim=2, bottoms=["hidden"])
    net = mochac.Net("net", [data, hidden, out, mochac.SoftmaxLossLayer(name="loss", bottoms=["out", "label"])])
    text = mochac.explain(net, backend="cpu", parts=4, ranks=2)
    section = text.split("Exchanged between ranks\n")[1].split("\n\n")[0].splitlines()
    assert section[0].split()[:3] == ["bucket", "sums", "size"]
    words = section[1].split()
    assert words[:2] == ["0", "5"]  # the loss, two weights, two biases
    assert " ".join(words[-3:]) == "loss, out, hidden"
    assert len(section) == 2
    assert "Exchanged between ranks" not in mochac.explain(net, backend="cpu", parts=4)
