"""SGD: its rule against plain NumPy, its place in a graph, and what it refuses."""

import numpy as np
import pytest

from mochac.base.errors import OptionError
from mochac.ir import GraphBuilder, TensorType, run, verify
from mochac.nets.solvers import METHODS, SGD, LRPolicy, MomPolicy, append_update


def step_graph(method, lr_mult, dtype="f64"):
    b = GraphBuilder("step")
    w = b.input("ip.weight", TensorType(dtype, (2, 3)), "param")
    g = b.input("g", w.type)
    append_update(b, method, w, g, lr_mult)
    return b.finish([])


def test_the_slots_and_scalars_of_a_step():
    graph = step_graph(SGD(), 1.0)
    verify(graph)
    assert [(i.name, i.role) for i in graph.inputs] == [
        ("ip.weight", "param"),
        ("g", "data"),
        ("ip.weight.history", "slot"),
        ("lr", "hyper"),
        ("momentum", "hyper"),
    ]
    assert [target for target, _ in graph.updates] == ["ip.weight", "ip.weight.history"]


def test_sgd_is_mochas_rule_with_the_momentum_of_the_same_step():
    method = SGD(
        lr_policy=LRPolicy.Inv(0.1, 0.5, 0.75),
        mom_policy=MomPolicy.Staged((1, MomPolicy.Fixed(0.5)), (1, MomPolicy.Fixed(0.9))),
    )
    graph = step_graph(method, 2.0)
    rng = np.random.default_rng(5)
    w = start = rng.standard_normal((2, 3))
    h = np.zeros_like(w)
    state = {"ip.weight": start, "ip.weight.history": h}
    for t, momentum in enumerate([0.5, 0.9, 0.9]):
        g = rng.standard_normal(w.shape)
        lr = 0.1 * (1 + 0.5 * t) ** -0.75
        h = momentum * h - 2.0 * lr * g
        w = w + h
        state = run(graph, {**state, "g": g, **method.hypers(t)}).updates
        np.testing.assert_allclose(state["ip.weight"], w, rtol=1e-13)
        np.testing.assert_allclose(state["ip.weight.history"], h, rtol=1e-13)


def test_defaults_are_mochas():
    assert SGD().hypers(123) == {"lr": 0.01, "momentum": 0.0}
    assert METHODS["SGD"] is SGD


def test_two_parameters_share_the_scalars():
    b = GraphBuilder("step")
    for name in ("a", "b"):
        w = b.input(name, TensorType("f32", (2,)), "param")
        append_update(b, SGD(), w, b.input(f"d.{name}", w.type))
    assert [i.name for i in b.inputs if i.role == "hyper"] == ["lr", "momentum"]
    verify(b.finish([]))


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (
            lambda: SGD(lr_polcy=LRPolicy.Fixed(0.1)),
            "solver SGD has no parameter 'lr_polcy'\n  hint: did you mean 'lr_policy'?",
        ),
        (
            lambda: SGD(eta=0.1),
            "solver SGD has no parameter 'eta'\n  hint: parameters: lr_policy, mom_policy, momentum, "
            "history, dampening, weight_decay, maximize",
        ),
        (
            lambda: SGD(lr_policy="0.1"),
            "SGD: lr_policy is out of range\n"
            "  expected  a number >= 0, or a policy such as LRPolicy.Inv(0.01, 0.0001, 0.75),  got  '0.1'",
        ),
        (
            lambda: SGD(mom_policy="0.9"),
            "SGD: mom_policy is out of range\n"
            "  expected  a number >= 0 and <= 1, or a policy such as "
            "MomPolicy.Linear(0.5, 0.1, 1000, 0.9),  got  '0.9'",
        ),
    ],
)
def test_wrong_parameters_are_one_message(make, text):
    with pytest.raises(OptionError) as error:
        make()
    assert str(error.value) == text
