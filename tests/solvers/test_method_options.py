"""Options of methods that other libraries have: decay in the gradient, histories of gradients, AMSGrad, centred means,
each against NumPy float64 written from its formula."""

import numpy as np
import pytest

import mochac
from mochac import SGD, Adam, AdamW, LRPolicy, MomPolicy, Nesterov, Solver
from mochac.ir import GraphBuilder, TensorType, run, verify
from mochac.nets.solvers import append_update

LR = LRPolicy.Inv(0.05, 0.1, 0.75)
MOM = MomPolicy.Linear(0.5, 0.02, 3, 0.9)


def lr(t):
    return 0.05 * (1 + 0.1 * t) ** -0.75


def mom(t):
    return min(0.5 + (t // 3) * 0.02, 0.9)


def sgd(w, g, s, t):
    s["h"] = mom(t) * s.get("h", 0) + g
    return w - lr(t) * s["h"]


def damped(w, g, s, t):
    s["h"] = mom(t) * s["h"] + (1 - 0.3) * g if t else g
    return w - lr(t) * s["h"]


def nesterov(w, g, s, t):
    s["h"] = mom(t) * s.get("h", 0) + g
    return w - lr(t) * (g + mom(t) * s["h"])


def moments(s, g, b1=0.8, b2=0.9):
    s["m"] = b1 * s.get("m", 0) + (1 - b1) * g
    s["v"] = b2 * s.get("v", 0) + (1 - b2) * g * g
    s["top"] = np.maximum(s.get("top", 0), s["v"])
    return s


def adam(w, g, s, t, second="v", eps=1e-2):
    s, k = moments(s, g), t + 1
    return w - lr(t) * (s["m"] / (1 - 0.8**k)) / (np.sqrt(s[second] / (1 - 0.9**k)) + eps)


def amsgrad(w, g, s, t):
    return adam(w, g, s, t, "top")


def amsgrad_hat(w, g, s, t, eps=1e-2):
    s, k = moments(s, g), t + 1
    return w - lr(t) * np.sqrt(1 - 0.9**k) / (1 - 0.8**k) * s["m"] / (np.sqrt(s["top"]) + eps)


def amsgrad_w(w, g, s, t):
    return adam(w * (1 - lr(t) * 0.3), g, s, t, "top")


def rms(w, g, s, t, centered=False, momentum=False, inside=False, eps=1e-2):
    s["r"] = 0.9 * s.get("r", 0) + 0.1 * g * g
    s["a"] = 0.9 * s.get("a", 0) + 0.1 * g
    v = s["r"] - s["a"] ** 2 if centered else s["r"]
    step = g / (np.sqrt(v + eps) if inside else np.sqrt(v) + eps)
    if momentum:
        step = s["h"] = mom(t) * s.get("h", 0) + step
    return w - lr(t) * step


def adagrad(w, g, s, t):
    s["h"] = s.get("h", 0) + g * g
    return w - lr(t) * 0.5 * g / (np.sqrt(s["h"]) + 1e-2)


def adadelta(w, g, s, t):
    s["g2"] = 0.9 * s.get("g2", 0) + 0.1 * g * g
    step = np.sqrt(s.get("d2", 0) + 1e-2) / np.sqrt(s["g2"] + 1e-2) * g
    s["d2"] = 0.9 * s.get("d2", 0) + 0.1 * step * step
    return w - lr(t) * step


def decayed(rule, sign=1):
    return lambda w, g, s, t: rule(w, sign * g + 0.2 * w, s, t)


BETAS = {"beta1": 0.8, "beta2": 0.9, "epsilon": 1e-2}
CASES = {
    "history of gradients": (SGD(LR, MOM, history="gradients"), sgd),
    "dampening": (SGD(LR, MOM, history="gradients", dampening=0.3), damped),
    "Nesterov's history": (Nesterov(LR, MOM, history="gradients"), nesterov),
    "decay": (SGD(LR, MOM, history="gradients", weight_decay=0.2), decayed(sgd)),
    "decay upwards": (Nesterov(LR, MOM, history="gradients", weight_decay=0.2, maximize=True), decayed(nesterov, -1)),
    "corrected root": (Adam(LR, **BETAS, epsilon_hat=False), adam),
    "AMSGrad": (Adam(LR, **BETAS, epsilon_hat=False, amsgrad=True, weight_decay=0.2), decayed(amsgrad)),
    "AMSGrad, epsilon hat": (Adam(LR, **BETAS, amsgrad=True), amsgrad_hat),
    "AMSGrad, AdamW": (AdamW(LR, **BETAS, amsgrad=True, decay=0.3), amsgrad_w),
    "AdamW upwards": (AdamW(LR, **BETAS, decay=0.0, maximize=True), lambda w, g, s, t: adam(w, -g, s, t)),
    "eps outside": (mochac.RMSProp(LR, 0.9, 1e-2, eps_in_sqrt=False), rms),
    "centred": (mochac.RMSProp(LR, 0.9, 1e-2, centered=True), lambda *a: rms(*a, centered=True, inside=True)),
    "everything": (
        mochac.RMSProp(LR, 0.9, 1e-2, eps_in_sqrt=False, centered=True, momentum=MOM, weight_decay=0.2),
        decayed(lambda *a: rms(*a, centered=True, momentum=True)),
    ),
    "Adagrad's policy": (mochac.Adagrad(0.5, 1e-2, lr_policy=LR, weight_decay=0.2), decayed(adagrad)),
    "Adadelta's policy": (mochac.Adadelta(0.9, 1e-2, lr_policy=LR, weight_decay=0.2), decayed(adadelta)),
}


@pytest.mark.parametrize("name", CASES)
def test_thirty_updates(name):
    method, rule = CASES[name]
    b = GraphBuilder("step")
    w = b.input("ip.weight", TensorType("f64", (2, 3)), "param")
    append_update(b, method, w, b.input("g", w.type))
    graph = b.finish([])
    verify(graph)
    rng = np.random.default_rng(3)
    want, kept = rng.standard_normal((2, 3)), {}
    state = {i.name: np.zeros((2, 3)) for i in graph.inputs if i.role == "slot"} | {"ip.weight": want}
    assert {name.rpartition(".")[2] for name in state if name.count(".") > 1} == set(method.slots)
    for t in range(30):
        g = rng.standard_normal((2, 3))
        want = rule(want, g, kept, t)
        state = run(graph, {**state, "g": g, **method.hypers_since(t, 0)}).updates
        np.testing.assert_allclose(state["ip.weight"], want, rtol=1e-12)
    assert set(method.policies()) <= set(method.hypers(0))


@pytest.mark.parametrize("name", CASES)
def test_texts(name):
    """What differs from the defaults is shown, and makes the same method."""
    method = CASES[name][0]
    names = {cls.__name__: cls for _, cls in mochac.nets.solvers.METHODS.items()}
    assert eval(repr(method), {**names, "LRPolicy": LRPolicy, "MomPolicy": MomPolicy}) == method
    assert method.begin() == method


def test_decay_of_its_own_turns_regularizers_off():
    assert Solver(SGD(weight_decay=0.1), max_iter=1).regu_coef == 0.0
    assert Solver(SGD(weight_decay=0.1), max_iter=1, regu_coef=0.2).regu_coef == 0.2
    assert Solver(SGD(), max_iter=1).regu_coef == 0.0005


def test_dampening_starts_anew_where_slots_are_zeroed():
    method = SGD(0.1, momentum=0.9, history="gradients", dampening=0.3)
    assert [method.hypers_since(t, 7)["share"] for t in (7, 8)] == [1.0, 0.7]
    assert method.steady(0) == method.steady(5) == 1 and SGD(0.1).steady(0) > 10**6
    assert mochac.RMSProp().steady(0) > 10**6 and mochac.Adagrad(lr_policy=0.1).steady(0) > 10**6


@pytest.mark.slow
@pytest.mark.parametrize("method", [SGD(0.1, weight_decay=0.5), SGD(0.1, maximize=True), SGD(0.1)])
def test_rows_of_tables(method):
    """Rows that no id names decay too, so all rows are updated; without decay they keep their bits."""
    net = mochac.Net("rows", [
        mochac.MemoryDataLayer(name="in", data=[np.array([[0, 1], [1, 2]]), np.array([0, 1])], batch_size=2),
        mochac.EmbeddingLayer(name="emb", vocabulary=50, output_dim=4, bottoms=["data"]),
        mochac.ReductionLayer(name="sum", axes=(1,), bottoms=["emb"]),
        mochac.InnerProductLayer(name="ip", output_dim=2, bottoms=["sum"]),
        mochac.SoftmaxLossLayer(bottoms=["ip", "label"]),
    ])  # fmt: skip
    with mochac.compile(net, dtype="float64") as program:
        before = program.params["emb"]["weight"][...]
        program.train(method, max_iter=1, verbose=0, regu_coef=0.0)
        after = program.params["emb"]["weight"][...]
        np.testing.assert_allclose(after[3:], before[3:] * (1 - 0.1 * method.weight_decay), rtol=1e-14)
        down = mochac.compile(net, dtype="float64")
        down.train(SGD(0.1), max_iter=1, verbose=0, regu_coef=0.0)
        moved = down.params["emb"]["weight"][...] - before
        extra = -0.1 * method.weight_decay * before
        np.testing.assert_allclose(after - before, extra + (-moved if method.maximize else moved), atol=1e-15)
        down.close()
