"""Solver prototxt: methods, policies by their formulas, weight decay, breaks, nets, and what has no counterpart."""

import math

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    Adadelta,
    Adagrad,
    Adam,
    LRPolicy,
    MemoryDataLayer,
    MomPolicy,
    Nesterov,
    Net,
    RMSProp,
)

pytest.importorskip("google.protobuf", reason="Caffe's files need the package protobuf")

BASE = 'base_lr: 0.01 lr_policy: "fixed" max_iter: 100 '


def load(tmp_path, text):
    (tmp_path / "solver.prototxt").write_text(text)
    return mochac.caffe.load_solver(tmp_path / "solver.prototxt")


POLICIES = {
    'lr_policy: "fixed"': lambda t: 0.5,
    'lr_policy: "step" gamma: 0.1 stepsize: 7': lambda t: 0.5 * 0.1 ** (t // 7),
    'lr_policy: "exp" gamma: 0.9': lambda t: 0.5 * 0.9**t,
    'lr_policy: "inv" gamma: 0.1 power: 0.75': lambda t: 0.5 * (1 + 0.1 * t) ** -0.75,
    'lr_policy: "multistep" gamma: 0.1 stepvalue: 5 stepvalue: 12': lambda t: 0.5 * 0.1 ** ((t >= 5) + (t >= 12)),
    'lr_policy: "poly" power: 1.5 max_iter: 20': lambda t: 0.5 * (1 - t / 20) ** 1.5,
    'lr_policy: "sigmoid" gamma: -0.3 stepsize: 10': lambda t: 0.5 / (1 + math.exp(0.3 * (t - 10))),
}


@pytest.mark.parametrize("text", POLICIES)
def test_policies_follow_caffes_formulas(tmp_path, text):
    policy = load(tmp_path, f"base_lr: 0.5 {text}").method.lr_policy
    for t in range(20):
        assert policy.value(t) == pytest.approx(POLICIES[text](t), rel=1e-12)


@pytest.mark.parametrize(
    ("text", "method"),
    [
        ("momentum: 0.9", SGD(LRPolicy.Fixed(0.01), MomPolicy.Fixed(0.9))),
        ("", SGD(LRPolicy.Fixed(0.01), MomPolicy.Fixed(0.0))),
        ('type: "Nesterov" momentum: 0.9', Nesterov(LRPolicy.Fixed(0.01), MomPolicy.Fixed(0.9))),
        ("solver_type: NESTEROV momentum: 0.9", Nesterov(LRPolicy.Fixed(0.01), MomPolicy.Fixed(0.9))),
        ('type: "Adam" momentum: 0.9', Adam(LRPolicy.Fixed(0.01), 0.9, 0.999, 1e-8)),
        ('type: "Adam" momentum: 0.8 momentum2: 0.99 delta: 1e-6', Adam(LRPolicy.Fixed(0.01), 0.8, 0.99, 1e-6)),
        ('type: "AdaGrad"', Adagrad(0.01, 1e-8)),
        ("solver_type: ADAGRAD delta: 1e-4", Adagrad(0.01, 1e-4)),
        ('type: "RMSProp" rms_decay: 0.98 delta: 0.001', RMSProp(LRPolicy.Fixed(0.01), 0.98, 0.001, eps_in_sqrt=False)),
        ('base_lr: 1 type: "AdaDelta" momentum: 0.95 delta: 1e-6', Adadelta(0.95, 1e-6)),
    ],
)
def test_methods(tmp_path, text, method):
    assert (
        load(
            tmp_path, BASE.replace("base_lr: 0.01", "") + (text if "base_lr" in text else f"base_lr: 0.01 {text}")
        ).method
        == method
    )


def test_settings_and_breaks(tmp_path):
    text = BASE + 'weight_decay: 0.004 clip_gradients: 35 display: 20 snapshot: 50 snapshot_prefix: "a/b/lenet"'
    solver = load(tmp_path, text)
    assert (solver.max_iter, solver.regu_coef, solver.clip_norm) == (100, 0.002, 35.0)
    breaks = [(type(b.coffee).__name__, b.every_n_iter) for b in solver.breaks]
    assert breaks == [("TrainingSummary", 20), ("Snapshot", 50)]
    assert str(solver.breaks[1].coffee.folder) == "a/b/lenet"
    plain = load(tmp_path, BASE)
    assert (plain.regu_coef, plain.clip_norm, plain.breaks) == (0.0, None, [])
    assert load(tmp_path, BASE + 'weight_decay: 0.004 regularization_type: "L1"').regu_coef == 0.004


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BASE + 'type: "Foo"', "no counterpart for solver 'Foo'\n  expected  SGD Nesterov Adam"),
        ("base_lr: 1", "no counterpart for lr_policy ''"),
        ('base_lr: 1 lr_policy: "cosine"', "no counterpart for lr_policy 'cosine'\n  expected  fixed step exp inv"),
        ('base_lr: 1 lr_policy: "step" gamma: 0.1', "lr_policy 'step' needs stepsize"),
        ('lr_policy: "fixed"', "lr_policy 'fixed' needs base_lr"),
        ('base_lr: 1 lr_policy: "multistep" gamma: 0.1', "lr_policy 'multistep' needs stepvalue"),
        (BASE + "iter_size: 0", "iter_size is out of range\n  expected  an integer >= 1,  got  0"),
        (BASE + 'regularization_type: "L3"', "unknown regularization_type\n  expected  L1 or L2,  got  L3"),
    ],
)
def test_settings_without_counterpart(tmp_path, text, said):
    with pytest.raises(mochac.UnsupportedError) as caught:
        load(tmp_path, text)
    assert said in str(caught.value)
    assert "solver.prototxt" in str(caught.value)


def test_text_that_is_no_solver(tmp_path):
    with pytest.raises(mochac.DataError, match=r"(?s)is not a solver in Caffe's text format.*solver.prototxt:2"):
        load(tmp_path, 'base_lr: 1\nlayer { name: "x" }')


NET = """\
layer { name: "d" type: "Data" top: "x" top: "y" }
layer { name: "ip" type: "InnerProduct" bottom: "x" top: "p" param { decay_mult: 2 } param { lr_mult: 2 decay_mult: 0 }
  inner_product_param { num_output: 2 weight_filler { type: "gaussian" } } }
layer { name: "loss" type: "EuclideanLoss" bottom: "p" bottom: "y" include { phase: TRAIN } }
layer { name: "flat" type: "Power" bottom: "p" top: "flat" include { phase: TEST stage: "deep" } }
"""
X, Y = np.random.default_rng(0).normal(size=(4, 3)), np.random.default_rng(1).normal(size=(4, 2))


def data():
    return MemoryDataLayer(data=[X, Y], tops=["x", "y"], batch_size=4)


def training(tmp_path, text):
    (tmp_path / "net.prototxt").write_text(NET)
    (tmp_path / "solver.prototxt").write_text(text)
    return mochac.caffe.load_training(tmp_path / "solver.prototxt", train_data=data(), test_data=data())


def test_a_solver_with_its_nets(tmp_path):
    job = training(
        tmp_path, BASE + 'net: "net.prototxt" test_interval: 500 random_seed: 7 test_state { stage: "deep" }'
    )
    assert (job.test_interval, job.seed) == (500, 7)
    assert [layer.name for layer in job.test_net.layers[1:]] == ["ip", "flat"]
    assert job.test_net.layer("ip") is job.net.layer("ip")
    alone = training(tmp_path, BASE + 'train_net: "net.prototxt"')
    assert (alone.test_net, alone.seed) == (None, 0)
    two = training(tmp_path, BASE + 'train_net: "net.prototxt" test_net: "net.prototxt" test_interval: 5')
    assert two.test_net.layer("ip") is two.net.layer("ip")


def test_a_solver_without_a_net(tmp_path):
    rule = r"solver.prototxt must name one net to train\n  expected  net, net_param, train_net or train_net_param"
    rule += ",  got  "
    with pytest.raises(mochac.UnsupportedError, match=rule + "none"):
        training(tmp_path, BASE)
    with pytest.raises(mochac.UnsupportedError, match=rule + "net and train_net_param"):
        training(tmp_path, BASE + 'net: "net.prototxt" train_net_param { }')


def inside(field):
    return f"{field} {{ # }}\n name: '}}'\n{NET}}}\n"


@pytest.mark.parametrize(
    ("text", "tested"),
    [
        (inside("net_param") + "test_interval: 5", True),
        (inside("net_param"), False),
        (inside("train_net_param") + "test_interval: 5", False),
        (inside("train_net_param") + inside("test_net_param:") + "test_interval: 5", True),
        (inside("train_net_param") + 'test_net: "net.prototxt" test_interval: 5', True),
        ('train_net: "net.prototxt"' + inside("test_net_param") + inside("test_net_param") + "test_interval: 5", True),
    ],
)
def test_nets_inside_the_solvers_file(tmp_path, text, tested):
    """They are the nets that files of their own would be, with the solver's lines."""
    rest = " " + BASE + 'train_state { level: 1 } test_state { stage: "deep" }'
    job = training(tmp_path, text + rest)
    file, line = job.net.layer("ip").origin
    assert (tmp_path / file).read_text().splitlines()[line - 1].startswith('layer { name: "ip"')
    wanted = training(tmp_path, 'net: "net.prototxt" test_interval: 5 ' + rest)
    assert list(job.net.layers[1:]) == list(wanted.net.layers[1:])
    assert (job.test_net is not None) == tested
    if job.test_net is not None:
        assert list(job.test_net.layers[1:]) == list(wanted.test_net.layers[1:])
        assert job.test_net.layer("ip") is job.net.layer("ip")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f'{BASE}\nnet_param {{\n layer {{ type: "MVN" mvn_param {{ x: 1 }} bottom: "x" top: "y" }}\n}}\n',
            r"MVN: 'mvn' at .*solver.prototxt:3",
        ),
        (
            f"net_param {{\n layer {{ nme: 'x' type: 'ReLU' }}\n}}\n{BASE}",
            r"(?s)no field named \"nme\".*solver.prototxt:2",
        ),
        ("net_param { name: 'n' }\nbase_lrr: 1", "(?s)is not a solver.*solver.prototxt:2"),
        (f"{BASE} net_param {{ layer {{ type: 'ReLU' }}", "is not a solver"),
    ],
)
def test_complaints_about_a_net_inside_a_solvers_file(tmp_path, text, said):
    with pytest.raises(mochac.MochacError, match=said):
        training(tmp_path, text)


def caffe_sgd(w, g, t, s):
    s["v"] = 0.5 * s.get("v", 0) + 0.01 * g
    return w - s["v"]


def caffe_nesterov(w, g, t, s):
    old = s.get("v", 0)
    s["v"] = 0.5 * old + 0.01 * g
    return w - ((1 + 0.5) * s["v"] - 0.5 * old)


def caffe_adam(w, g, t, s):
    s["m"] = 0.5 * s.get("m", 0) + 0.5 * g
    s["v"] = 0.9 * s.get("v", 0) + 0.1 * g**2
    corrected = math.sqrt(1 - 0.9 ** (t + 1)) / (1 - 0.5 ** (t + 1))
    return w - 0.01 * corrected * s["m"] / (np.sqrt(s["v"]) + 1e-4)


def caffe_adagrad(w, g, t, s, rate=0.01):
    s["h"] = s.get("h", 0) + g**2
    return w - rate * g / (np.sqrt(s["h"]) + 1e-4)


def caffe_rmsprop(w, g, t, s):
    s["h"] = 0.98 * s.get("h", 0) + 0.02 * g**2
    return w - 0.01 * g / (np.sqrt(s["h"]) + 1e-3)


def caffe_adadelta(w, g, t, s, rate=1.0):
    s["h"] = 0.5 * s.get("h", 0) + 0.5 * g**2
    update = g * np.sqrt((s.get("d", 0) + 1e-4) / (s["h"] + 1e-4))
    s["d"] = 0.5 * s.get("d", 0) + 0.5 * update**2
    return w - rate * update


FADES = 'base_lr: 0.02 lr_policy: "exp" gamma: 0.7 max_iter: 100'
RULES = {
    "SGD": (f"{BASE} momentum: 0.5", caffe_sgd),
    "Nesterov": (f"{BASE} momentum: 0.5", caffe_nesterov),
    "Adam": (f"{BASE} momentum: 0.5 momentum2: 0.9 delta: 1e-4", caffe_adam),
    "AdaGrad": (f"{BASE} delta: 1e-4", caffe_adagrad),
    "AdaGrad, fading": (f"{FADES} delta: 1e-4", lambda *args: caffe_adagrad(*args, rate=0.02 * 0.7 ** args[2])),
    "RMSProp": (f"{BASE} rms_decay: 0.98 delta: 1e-3", caffe_rmsprop),
    "AdaDelta": ('base_lr: 1 lr_policy: "fixed" max_iter: 100 momentum: 0.5 delta: 1e-4', caffe_adadelta),
    "AdaDelta, slow": (f"{BASE} momentum: 0.5 delta: 1e-4", lambda *args: caffe_adadelta(*args, rate=0.01)),
    "AdaDelta, fading": (
        f"{FADES} momentum: 0.5 delta: 1e-4",
        lambda *args: caffe_adadelta(*args, rate=0.02 * 0.7 ** args[2]),
    ),
}
"""ComputeUpdateValue of src/caffe/solvers/*.cpp, where every lr_mult is 1."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", RULES)
def test_every_method_steps_like_caffes(tmp_path, kind):
    settings, rule = RULES[kind]
    job = training(tmp_path, f'{settings} net: "net.prototxt" type: "{kind.partition(",")[0]}" weight_decay: 0.25')
    ip = job.net.layer("ip").replace(bias_lr=1.0)
    net = Net("n", [job.net.sources[0], ip, job.net.losses[0]])
    with mochac.compile(net, dtype="float64", seed=3) as program:
        w, b, states = program.params["ip"]["weight"][...], program.params["ip"]["bias"][...], ({}, {})
        program.train(job.solver.method, max_iter=5, regu_coef=job.solver.regu_coef)
        for t in range(5):
            error = (X @ w.T + b - Y) / len(X)
            w, b = (
                rule(w, error.T @ X + 0.25 * 2 * w, t, states[0]),
                rule(b, error.sum(axis=0), t, states[1]),
            )
        np.testing.assert_allclose(program.params["ip"]["weight"][...], w, 1e-6, 1e-9)
        np.testing.assert_allclose(program.params["ip"]["bias"][...], b, 1e-6, 1e-9)


FEW = BASE.replace("100", "5")


def test_several_batches_make_a_step_of_caffes(tmp_path):
    """sgd_solver.cpp: ClipGradients limits the sum over iter_size batches, then Normalize divides it by iter_size."""
    job = training(tmp_path, FEW + 'net: "net.prototxt" momentum: 0.5 iter_size: 2 clip_gradients: 0.5')
    net = Net("n", [job.net.sources[0].replace(batch_size=2), *job.net.layers[1:]])
    with mochac.compile(net, dtype="float64", seed=3) as program:
        w, b = program.params["ip"]["weight"][...], program.params["ip"]["bias"][...]
        program.train(job.solver)
        v, u = np.zeros_like(w), np.zeros_like(b)
        for _ in range(5):
            error = (X @ w.T + b - Y) / 2  # of both batches of two
            dw, db = error.T @ X, error.sum(axis=0)
            factor = min(1, 0.5 / np.sqrt(np.square(dw).sum() + np.square(db).sum())) / 2
            v, u = 0.5 * v + 0.01 * factor * dw, 0.5 * u + 0.01 * 2 * factor * db
            w, b = w - v, b - u
        assert factor < 0.5
        np.testing.assert_allclose(program.params["ip"]["weight"][...], w, 1e-9, 1e-12)
        np.testing.assert_allclose(program.params["ip"]["bias"][...], b, 1e-9, 1e-12)


def test_missing_data_of_both_phases_is_one_error_with_the_names_of_the_arguments(tmp_path):
    (tmp_path / "net.prototxt").write_text(NET)
    (tmp_path / "solver.prototxt").write_text(BASE + 'net: "net.prototxt" test_interval: 5 test_iter: 1')
    with pytest.raises(mochac.UnsupportedError, match=r"(?s)has 2 problems.*train_data=.*test_data="):
        mochac.caffe.load_training(tmp_path / "solver.prototxt")
    with pytest.raises(mochac.UnsupportedError, match="replace it: test_data="):
        mochac.caffe.load_nets(tmp_path / "net.prototxt", train_data=data())


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["L2", "L1"])
def test_a_step_is_caffes_step(tmp_path, kind):
    """sgd_solver.cpp: diff += decay * w (L2) or decay * sign(w) (L1); v = momentum v + rate diff; w -= v."""
    text = BASE + f'net: "net.prototxt" momentum: 0.5 weight_decay: 0.25 regularization_type: "{kind}"'
    job = training(tmp_path, text)
    with mochac.compile(job.net, dtype="float64", seed=3) as program:
        w, b = program.params["ip"]["weight"][...], program.params["ip"]["bias"][...]
        v, u = np.zeros_like(w), np.zeros_like(b)
        program.train(job.solver.method, max_iter=5, regu_coef=job.solver.regu_coef)
        for _ in range(5):
            error = (X @ w.T + b - Y) / len(X)
            v = 0.5 * v + 0.01 * (error.T @ X + 0.25 * 2 * (w if kind == "L2" else np.sign(w)))
            u = 0.5 * u + 0.01 * 2 * error.sum(axis=0)
            w, b = w - v, b - u
        np.testing.assert_allclose(program.params["ip"]["weight"][...], w, 1e-9, 1e-12)
        np.testing.assert_allclose(program.params["ip"]["bias"][...], b, 1e-9, 1e-12)
