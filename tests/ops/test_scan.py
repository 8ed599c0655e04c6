"""scan: its results in either direction, and the gradients of all of them."""

import numpy as np
import pytest

from mochac.ir import GraphBuilder, parse, run, verify
from mochac.ir.ops import scan
from mochac.ir.passes.leave_scans import leave_scans
from mochac.ir.pullback import gradients
from mochac.ir.types import parse_type
from mochac.ir.verifier import VerifyError
from mochac.lowering.run_graph import run_graph

TYPES = {"h": "f64[3,4]", "c": "f64[3,4]", "xs": "f64[5,3,2]", "u": "f64[4,4]", "w": "f64[4,2]"}
BODY = parse("""
graph @cell(%h: f64[b3,4], %c: f64[b3,4], %x: f64[b3,2], %u: f64[4,4], %w: f64[4,2]) {
  %a: f64[b3,4] = inner_product(%h, %u)
  %b: f64[b3,4] = inner_product(%x, %w)
  %s: f64[b3,4] = add(%a, %b)
  %g: f64[b3,4] = sigmoid(%s)
  %m: f64[b3,4] = mul(%g, %c)
  %new: f64[b3,4] = tanh(%m)
  %state: f64[b3,4] = add(%c, %g)
  %z: f64[b3,4] = inner_product(%g, %u)
  %y: f64[b3,4] = tanh(%z)
  return %new, %state, %y, %m, %h, %new
}
""")


def values(seed=0):
    rng = np.random.default_rng(seed)
    return {name: rng.standard_normal(parse_type(text).shape) for name, text in TYPES.items()}


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def by_hand(v, reverse):
    h, c, rows = v["h"], v["c"], {}
    for t in reversed(range(5)) if reverse else range(5):
        g = sigmoid(h @ v["u"].T + v["xs"][t] @ v["w"].T)
        new, state = np.tanh(g * c), c + g
        rows[t] = (new, state, h, c, np.tanh(g @ v["u"].T), g * c, h, new)
        h, c = new, state
    return [h, c, *(np.stack([rows[t][k] for t in range(5)]) for k in range(8))]


def looped(reverse=False):
    b = GraphBuilder("g")
    operands = [b.input(name, parse_type(text), "param" if name in "uw" else "data") for name, text in TYPES.items()]
    how = {"body": BODY, "carried": 2, "sliced": 1, "length": 5, "reverse": reverse}
    return b, operands, b.ops("scan", *operands, name="s", **how)


def differentiated(reverse=False):
    """A weighted sum of all results, with its gradients."""
    b, operands, results = looped(reverse)
    rng = np.random.default_rng(7)
    total = b.const(0.0, parse_type("f64[]"))
    weights = {}
    for k, y in enumerate(results):
        weight = b.input(f"r{k}", parse_type(str(y.type).replace("b", "")))
        weights[weight.name] = rng.standard_normal(y.type.shape)
        product = b.op("mul", b.op("relayout", y, lanes=0, batch=False), weight)
        total = b.op("add", total, b.op("reduce_sum", product, axes=tuple(range(len(y.type.shape)))))
    grads = gradients(b, total, operands)
    return b.finish([total, *(grads[v.name] for v in operands), *results]), weights


@pytest.mark.parametrize("reverse", [False, True])
def test_results_are_those_of_a_loop_by_hand(reverse):
    b, _, results = looped(reverse)
    graph = b.finish(results)
    verify(graph)
    assert parse(str(graph)) == graph
    found = run(graph, values())
    for out, want in zip(graph.outputs, by_hand(values(), reverse), strict=True):
        np.testing.assert_allclose(found[out], want, rtol=1e-12)


@pytest.mark.parametrize("most_bytes", [1 << 30, 0], ids=["kept", "computed again"])
@pytest.mark.parametrize("reverse", [False, True])
def test_gradients_equal_central_differences(reverse, most_bytes, monkeypatch):
    monkeypatch.setattr(scan, "MAX_KEPT_BYTES", most_bytes)
    graph, weights = differentiated(reverse)
    verify(graph)
    given = values()
    found = run(graph, {**given, **weights})
    rng = np.random.default_rng(3)
    for name, out in zip(TYPES, graph.outputs[1:], strict=False):
        direction = rng.standard_normal(given[name].shape)
        ends = [{**given, **weights, name: given[name] + sign * 1e-6 * direction} for sign in (1, -1)]
        high, low = (float(run(graph, feeds)[graph.outputs[0]]) for feeds in ends)
        assert np.sum(found[out] * direction) == pytest.approx((high - low) / 2e-6, rel=1e-6, abs=1e-6)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("reverse", [False, True])
def test_compiled_loops_equal_the_interpreter(reverse, threads, fused):
    graph, weights = differentiated(reverse)
    feeds = {**values(), **weights}
    wanted = run(graph, feeds)
    got = run_graph(graph, feeds, threads=threads, dtype="f64", fused=fused)
    for out in graph.outputs:
        np.testing.assert_allclose(got[out], wanted[out], rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("reverse", [False, True])
def test_what_leaves_a_loop_computes_the_same(reverse):
    graph, weights = differentiated(reverse)
    feeds = {**values(), **weights}
    left = leave_scans(graph)
    verify(left)
    wanted, got = run(graph, feeds), run(left, feeds)
    for out in graph.outputs:
        np.testing.assert_allclose(got[out], wanted[out], rtol=1e-10, atol=1e-12)


def test_products_of_all_steps_leave_the_loop():
    b, operands, results = looped()
    loss = b.op("reduce_sum", results[0], axes=(0, 1))
    grads = gradients(b, loss, operands)
    graph = leave_scans(b.finish([loss, *(b.op("neg", grads[v.name]) for v in operands)]))
    inside = [[n.op for n in node.attr["body"].nodes if "product" in n.op] for node in graph.nodes if node.op == "scan"]
    outside = [node.op for node in graph.nodes if "product" in node.op]
    assert inside == [["inner_product"], ["inner_product_dx"]]
    assert sorted(outside) == ["inner_product", "inner_product_dw", "inner_product_dw", "inner_product_dx"]


def test_a_body_is_verified():
    b, _, results = looped()
    text = str(b.finish(results)).replace("%new: f64[b3,4] = tanh(%m)", "%new: f64[b3,4] = tanh(%nothing)")
    with pytest.raises(VerifyError, match="bodies: body breaks rule defined-before-use: %nothing is not defined"):
        verify(parse(text))
