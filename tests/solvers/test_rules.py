"""Every solver method: its graph, and its rule against NumPy float64 written from the formulas."""

import numpy as np
import pytest
import rules_by_hand as hand
import small_net

import mochac
from mochac.base.errors import OptionError
from mochac.ir import GraphBuilder, TensorType, run, verify
from mochac.nets.solvers import LRPolicy, append_update
from mochac.nets.solvers.method import METHODS

SEED = 5


def graph_of(method, dtype, lr_mult):
    b = GraphBuilder("step")
    w = b.input("ip.weight", TensorType(dtype, (2, 3)), "param")
    append_update(b, method, w, b.input("g", w.type), lr_mult)
    graph = b.finish([])
    verify(graph)
    return graph


def test_every_method_has_a_rule_here():
    names = {name for name, _ in METHODS.items()}
    assert names == set(hand.RULES), "each solver method has a rule in NumPy in tests/solvers/rules_by_hand.py"
    assert names == set(small_net.METHODS), "each solver method has settings in tests/solvers/small_net.py"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("lr_mult", [1.0, 2.0, 0.0])
@pytest.mark.parametrize(("dtype", "rtol"), [("f64", 1e-11), ("f32", 2e-4)])
@pytest.mark.parametrize("name", hand.RULES)
def test_thirty_updates(name, dtype, rtol, lr_mult):
    method, rule = small_net.METHODS[name], hand.RULES[name]
    graph = graph_of(method, dtype, lr_mult)
    rng = np.random.default_rng(SEED)
    w = start = rng.standard_normal((2, 3)).astype(dtype.replace("f", "float"))
    state = {"ip.weight": start, **{i.name: np.zeros_like(start) for i in graph.inputs if i.role == "slot"}}
    w, kept = start.astype(np.float64), {}
    for t in range(30):
        g = rng.standard_normal(w.shape).astype(start.dtype)
        w = w + rule(w, g.astype(np.float64), kept, t, lr_mult)
        state = run(graph, {**state, "g": g, **method.hypers(t)}).updates
        np.testing.assert_allclose(state["ip.weight"], w, rtol=rtol, atol=rtol)
    assert (lr_mult == 0) == np.array_equal(state["ip.weight"], start)


def test_steps_are_finite_where_gradients_are_zero_or_tiny():
    for name, method in small_net.METHODS.items():
        graph = graph_of(method, "f32", 1.0)
        state = {
            i.name: np.ones((2, 3), np.float32) * (i.role == "param") for i in graph.inputs if not i.type.shape == ()
        }
        for g in (0.0, 1e-30, 1e-20):
            state = run(graph, {**state, "g": np.full((2, 3), g, np.float32), **method.hypers(0)}).updates
            assert np.isfinite(state["ip.weight"]).all(), (name, g)


def test_defaults_are_mochas_and_slugnets():
    assert mochac.Nesterov().hypers(9) == {"lr": 0.01, "momentum": 0.0, "next_momentum": 0.0}
    adam = mochac.Adam()
    assert (adam.lr_policy, adam.beta1, adam.beta2, adam.epsilon) == (LRPolicy.Inv(0.003, 1e-4, 0.5), 0.9, 0.999, 1e-8)
    assert (mochac.Adadelta().rho, mochac.Adadelta().eps) == (0.95, 1e-6)
    assert (mochac.Adagrad().gamma, mochac.Adagrad().epsilon) == (1.0, 1e-8)
    rms = mochac.RMSProp()
    assert (rms.lr_policy, rms.rho, rms.eps) == (LRPolicy.Fixed(0.001), 0.9, 1e-6)


def test_adams_first_step_is_as_long_as_the_learning_rate():
    method = mochac.Adam(LRPolicy.Fixed(0.1))
    assert method.hypers(0)["step_size"] == pytest.approx(0.1 * np.sqrt(0.001) / 0.1)
    assert method.hypers_since(700, 700)["step_size"] == method.hypers(0)["step_size"]
    assert method.hypers(10**6)["step_size"] == pytest.approx(0.1)


def test_a_blob_called_like_a_scalar_is_refused():
    b = GraphBuilder("step")
    w = b.input("ip.weight", TensorType("f32", (2,)), "param")
    b.input("momentum", TensorType("f32", ()), "data")
    with pytest.raises(OptionError) as caught:
        append_update(b, mochac.SGD(), w, b.input("g", w.type))
    assert str(caught.value) == (
        "solver SGD has a scalar 'momentum', and the net has a blob of that name\n"
        "  hint: rename the blob, or the scalar in hypers()"
    )


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (
            lambda: mochac.Adam(beta1=1.0),
            "Adam: beta1 is out of range\n  expected  a number >= 0 and < 1, or a policy such as MomPolicy.OneCycle(",
        ),
        (lambda: mochac.Adam(beta2=-0.1), "Adam: beta2 is out of range"),
        (lambda: mochac.Adam(epsilon=0), "Adam: epsilon is out of range\n  expected  a finite number > 0,  got  0"),
        (lambda: mochac.Adam(lr_policy=[0.1]), "Adam: lr_policy is out of range"),  # type: ignore[arg-type]
        (
            lambda: mochac.Adam(mom_policy=1),
            "solver Adam has no parameter 'mom_policy'\n  hint: parameters: lr_policy, beta1",
        ),  # type: ignore[call-arg]
        (lambda: mochac.Adam(beta_1=0.5), "solver Adam has no parameter 'beta_1'\n  hint: did you mean 'beta1'?"),  # type: ignore[call-arg]
        (lambda: mochac.Nesterov(mom_policy=True), "Nesterov: mom_policy is out of range"),  # type: ignore[arg-type]
        (lambda: mochac.Nesterov(lr_policy=LRPolicy.Fixed), "Nesterov: lr_policy is out of range"),  # type: ignore[arg-type]
        (
            lambda: mochac.Adadelta(rho=1),
            "Adadelta: rho is out of range\n  expected  a finite number >= 0 and < 1,  got  1",
        ),
        (lambda: mochac.Adadelta(eps=float("nan")), "Adadelta: eps is out of range"),
        (
            lambda: mochac.Adagrad(gamma=True),
            "Adagrad: gamma is out of range\n  expected  a finite number > 0,  got  True",
        ),
        (lambda: mochac.Adagrad(epsilon="1"), "Adagrad: epsilon is out of range"),  # type: ignore[arg-type]
        (lambda: mochac.RMSProp(rho=None), "RMSProp: rho is out of range"),  # type: ignore[arg-type]
        (lambda: mochac.RMSProp(eps=0), "RMSProp: eps is out of range"),
        (lambda: mochac.RMSProp(lr_policy="x"), "RMSProp: lr_policy is out of range"),  # type: ignore[arg-type]
    ],
)
def test_bad_parameters(make, text):
    with pytest.raises(OptionError) as caught:
        make()
    assert str(caught.value).startswith(text)
