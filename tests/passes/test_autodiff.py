"""autodiff: what it appends, what it leaves out, and whole small nets against central differences."""

import numpy as np
import pytest

from mochac.base.errors import UnsupportedError
from mochac.ir import GraphBuilder, Loc, TensorType, run, verify
from mochac.ir.op import OPS, Op
from mochac.ir.passes import run as run_pass
from mochac.ir.pullback import gradients
from mochac.tools.testing import assert_pass

STEP = 1e-6


def assert_gradients(graph, feeds, wrt, outputs, tolerance=1e-6):
    """Compare graph outputs with central differences of its first output along random directions."""
    rng = np.random.default_rng(3)
    result = run(graph, feeds, dtype="f64")
    for name, output in zip(wrt, outputs, strict=True):
        for _ in range(3):
            direction = rng.standard_normal(np.shape(feeds[name]))
            high, low = (
                float(run(graph, {**feeds, name: feeds[name] + s * STEP * direction}, dtype="f64")[graph.outputs[0]])
                for s in (1, -1)
            )
            slope = float(np.sum(result[output] * direction))
            assert (high - low) / (2 * STEP) == pytest.approx(slope, abs=tolerance * max(1.0, abs(slope))), name


def test_backward_nodes_are_appended_in_reverse():
    assert_pass(
        "autodiff",
        before="""graph @g(%x: f32[b3,2], %w: f32[4,2] param) {
          %y: f32[b3,4] = inner_product(%x, %w)
          %l: f32[] = reduce_sum(%y) {axes = (0,1)}
          return %l
        }""",
        after="""graph @g(%x: f32[b3,2], %w: f32[4,2] param) {
          %y: f32[b3,4] = inner_product(%x, %w)
          %l: f32[] = reduce_sum(%y) {axes = (0,1)}
          %one: f32[] = fill() {batch = false, dtype = "f32", shape = (), value = 1.0}
          %dy: f32[b3,4] = broadcast(%one) {axes = (), batch = true, shape = (3,4)}
          %dw: f32[4,2] = inner_product_dw(%x, %dy)
          return %l, %dw
        }""",
    )


def test_nothing_is_computed_for_data_and_gradients_have_names_and_origins():
    b = GraphBuilder("g")
    x = b.input("data", TensorType("f32", (3, 2), batch=True))
    w = b.input("ip.weight", TensorType("f32", (4, 2)), "param")
    with b.at(Loc("ip", "net.py", 7)):
        y = b.op("relu", b.op("inner_product", x, w), name="ip")
    loss = b.op("reduce_sum", y, axes=(0, 1), name="loss")
    start = len(b.nodes)
    found = gradients(b, loss, [w])
    made = b.nodes[start:]
    assert found["ip.weight"].name == "d.ip.weight"
    assert {"d.ip", "d.loss"} < {out.name for node in made for out in node.outputs}
    assert "inner_product_dx" not in {node.op for node in made}
    assert next(n for n in made if n.op == "inner_product_dw").loc == (Loc("ip", "net.py", 7),)
    verify(b.finish([loss, found["ip.weight"]]))


def test_a_value_used_many_times_sums_its_cotangents_in_a_fixed_order():
    def build():
        b = GraphBuilder("g")
        w = b.input("w", TensorType("f64", (3,)), "param")
        terms = [b.op("exp", w), b.op("mul", w, w), b.op("sigmoid", b.op("add", w, w)), w]
        total = terms[0]
        for term in terms[1:]:
            total = b.op("mul", total, term)
        return b.finish([b.op("reduce_sum", total, axes=(0,))])

    graph = run_pass("autodiff", build())
    assert str(graph) == str(run_pass("autodiff", build()))
    assert_gradients(graph, {"w": np.array([0.3, -1.2, 0.9])}, ["w"], graph.outputs[1:])


def test_a_parameter_the_loss_does_not_see_has_a_zero_gradient():
    b = GraphBuilder("g")
    x = b.input("x", TensorType("f32", (2,)))
    w = b.input("w", TensorType("f32", (5, 2)), "param")
    graph = run_pass("autodiff", b.finish([b.op("reduce_sum", x, axes=(0,))]))
    np.testing.assert_array_equal(run(graph, {"x": [1, 2], "w": np.ones(w.type.shape)})["d.w"], np.zeros((5, 2)))


def test_the_loss_may_be_a_parameter_and_an_inner_value_may_be_asked_for():
    b = GraphBuilder("g")
    w = b.input("w", TensorType("f64", ()), "param")
    square = b.op("mul", w, w)
    loss = b.op("exp", square)
    found = gradients(b, loss, [w, square, loss])
    result = run(b.finish([v.name for v in found.values()]), {"w": 0.5})
    values = {name: float(result[value.name]) for name, value in found.items()}
    assert values[w.name] == pytest.approx(np.exp(0.25))
    assert values[square.name] == pytest.approx(np.exp(0.25))
    assert values[loss.name] == 1.0


def test_batch_marks_of_cotangents_follow_their_values():
    """A reshape across axis 0 drops the mark, an operand without a mark must not get one."""
    b = GraphBuilder("g")
    x = b.input("x", TensorType("f64", (2, 3), batch=True))
    w = b.input("w", TensorType("f64", (2, 3)), "param")
    hidden = b.op("mul", b.op("exp", x), w)
    flat = b.op("reshape", hidden, shape=(6,))
    loss = b.op("reduce_sum", b.op("mul", flat, flat), axes=(0,))
    found = gradients(b, loss, [x, w, hidden])
    assert [v.type for v in found.values()] == [x.type, w.type, hidden.type]
    graph = b.finish([loss, *found.values()])
    verify(graph)
    rng = np.random.default_rng(0)
    feeds = {"x": rng.standard_normal((2, 3)), "w": rng.standard_normal((2, 3))}
    assert_gradients(graph, feeds, ["x", "w"], graph.outputs[1:3])


def lenet_like():
    """Every differentiable op of LeNet with overlaps, padding, groups, dropout and a shared blob."""
    b = GraphBuilder("small")
    x = b.input("data", TensorType("f32", (5, 2, 9, 8), batch=True))
    label = b.input("label", TensorType("f32", (5, 1), batch=True))
    step = b.input("step", TensorType("i64", ()), "hyper")
    shapes = {"c.weight": (4, 1, 3, 3), "c.bias": (4,), "i.weight": (7, 32), "i.bias": (7,), "o.weight": (3, 7)}
    p = {name: b.input(name, TensorType("f32", shape), "param") for name, shape in shapes.items()}
    conv = b.op("conv", x, p["c.weight"], p["c.bias"], stride=(1, 2), pad=(1, 0), group=2)
    pooled = b.ops("max_pool", b.op("tanh", conv), kernel=(3, 2), stride=(2, 1), pad=(0, 0))[0]
    mean = b.op("mean_pool", b.op("tanh", conv), kernel=(3, 2), stride=(2, 1), pad=(0, 0), divisor="valid")
    both = b.op("reshape", b.op("add", pooled, mean), shape=(5, pooled.type.elems // 5))
    ip = b.op("sigmoid", b.op("inner_product", both, p["i.weight"], p["i.bias"]))
    mask = b.op("dropout_mask", step, key=99, ratio=0.4, shape=ip.type.shape, batch=True)
    dropped = b.op("select", mask, b.scaled(ip, 1 / 0.6), b.const(0.0, ip.type))
    out = b.op("inner_product", dropped, p["o.weight"])
    losses, _ = b.ops("softmax_loss", out, label, axis=1)
    return b.finish([b.scaled(b.op("reduce_sum", losses, axes=(0,)), 0.2)])


def test_a_small_net_against_central_differences():
    graph = run_pass("autodiff", lenet_like())
    verify(graph)
    rng = np.random.default_rng(11)
    feeds = {i.name: rng.standard_normal(i.type.shape) for i in graph.inputs if i.type.dtype == "f32"}
    feeds |= {"label": rng.integers(0, 3, (5, 1)), "step": 4}
    params = [i.name for i in graph.inputs if i.role == "param"]
    assert graph.outputs[1:] == tuple(f"d.{name}" for name in params)
    assert_gradients(graph, feeds, params, graph.outputs[1:])


def test_ops_without_a_gradient_are_refused_with_their_layer(monkeypatch):
    OPS.scan()
    half = Op("half", lambda x: (x,), lambda x: x / 2, None, ())
    monkeypatch.setitem(OPS._items, "half", half)
    b = GraphBuilder("g")
    w = b.input("w", TensorType("f32", (2,)), "param")
    with b.at(Loc("odd", "net.py", 3)):
        y = b.op("half", w)
    loss = b.op("reduce_sum", y, axes=(0,))
    with pytest.raises(UnsupportedError, match=r"op 'half' has no gradient, from odd net.py:3"):
        gradients(b, loss, [w])


def test_comparisons_stop_gradients_quietly():
    b = GraphBuilder("g")
    w = b.input("w", TensorType("f64", (3,)), "param")
    zero = b.const(0.0, w.type)
    loss = b.op("reduce_sum", b.op("select", b.op("gt", w, zero), w, zero), axes=(0,))
    graph = run_pass("autodiff", b.finish([loss]))
    np.testing.assert_array_equal(run(graph, {"w": [-1.0, 2.0, 3.0]})["d.w"], [0, 1, 1])


@pytest.mark.parametrize("type", [TensorType("f32", (1,)), TensorType("i64", ())])
def test_a_loss_must_be_a_float_scalar(type):
    b = GraphBuilder("g")
    x = b.input("x", type)
    with pytest.raises(ValueError, match="the loss must be a float scalar"):
        gradients(b, x, [])


def test_the_pass_wants_one_output():
    b = GraphBuilder("g")
    x = b.input("x", TensorType("f32", ()))
    with pytest.raises(ValueError, match="autodiff needs one output, the loss; @g has 2"):
        run_pass("autodiff", b.finish([x, x]))
