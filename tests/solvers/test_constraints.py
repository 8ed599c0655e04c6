"""L2Cons: its formula, when it is due, and what it does to a training."""

import numpy as np
import pytest
import rules_by_hand as hand
import small_net
from small_net import weights

import mochac
from mochac import (
    SGD,
    ConvolutionLayer,
    InnerProductLayer,
    L2Cons,
    MemoryDataLayer,
    Net,
    NoCons,
    ParameterLayer,
    Snapshot,
    SoftmaxLossLayer,
    Solver,
)
from mochac.base.errors import NetError, OptionError
from mochac.ir import GraphBuilder, TensorType, run, verify

SEED = 23


def limited(w: np.ndarray, threshold: float) -> np.ndarray:
    """By hand: units are slices along axis 0; a vector is one unit."""
    units = w.reshape(1, -1) if w.ndim == 1 else w.reshape(len(w), -1)
    out = units.astype(np.float64)
    for k, unit in enumerate(out):
        norm = np.sqrt((unit * unit).sum())
        if norm > threshold:
            out[k] = unit * threshold / norm
    return out.reshape(w.shape)


@pytest.mark.parametrize("shape", [(7,), (1,), (5, 6), (1, 9), (4, 2, 3), (6, 2, 3, 3)])
@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_the_formula(shape, dtype):
    b = GraphBuilder("g")
    w = b.input("w", TensorType(dtype, shape), "param")
    due = b.input("due", TensorType(dtype, ()), "hyper")
    always, sometimes = (L2Cons(1.5).project(b, w, d) for d in (None, due))
    graph = b.finish([always, sometimes])
    verify(graph)
    rng = np.random.default_rng(SEED)
    for scale in (0.1, 1.0, 10.0):
        x = (scale * rng.standard_normal(shape)).astype(dtype.replace("f", "float"))
        for flag in (0.0, 1.0):
            found = run(graph, {"w": x, "due": np.asarray(flag, x.dtype)})
            np.testing.assert_allclose(found[always.name], limited(x, 1.5), rtol=1e-6 if dtype == "f32" else 1e-14)
            assert np.array_equal(found[sometimes.name], found[always.name] if flag else x)


def test_a_unit_at_the_threshold_keeps_its_bits():
    b = GraphBuilder("g")
    w = b.input("w", TensorType("f32", (3, 2)), "param")
    y = L2Cons(5.0).project(b, w, None)
    x = np.array([[3, 4], [0, 0], [0.1, 0.7]], np.float32)
    assert run(b.finish([y]), {"w": x})[y.name].tobytes() == x.tobytes()


def test_no_constraint_writes_nothing():
    b = GraphBuilder("g")
    w = b.input("w", TensorType("f32", (3, 2)), "param")
    assert NoCons().project(b, w, None) is w
    assert NoCons().every_n_iter == 0
    assert not b.nodes


@pytest.mark.slow
@pytest.mark.parametrize("every", [0, 1, 3, 5])
def test_it_is_applied_after_the_update_of_every_nth_iteration(every):
    """Also inside calls of many steps, against training by hand."""
    with mochac.compile(
        small_net.net(weight_cons=L2Cons(0.9, every), bias_cons=L2Cons(0.02, every)), dtype="float64"
    ) as program:
        p = weights(program)
        program.train(small_net.METHODS["SGD"], max_iter=20, regu_coef=0.01)
        got = weights(program)
    states = {n: {} for n in p}
    for t, (x, label) in enumerate(small_net.batches(20)):
        _, grads = hand.gradients(p, x, label)
        for n, g in hand.regularized(p, grads, 0.01).items():
            p[n] = p[n] + hand.sgd(p[n], g, states[n], t, hand.LR_MULT[n])
            if every and (t + 1) % every == 0 and n.startswith("h"):
                p[n] = limited(p[n], 0.9 if n == "h___weight" else 0.02)
    for n in p:
        np.testing.assert_allclose(got[n], p[n], rtol=1e-10, atol=1e-12, err_msg=n)
    assert (np.linalg.norm(got["h___weight"], axis=1).max() <= 0.9 + 1e-12) == (every in (1, 5))


@pytest.mark.slow
@pytest.mark.parametrize("stop", [4, 6])
def test_the_rhythm_goes_on_after_a_resume(tmp_path, stop):
    def train(folder, max_iter):
        with mochac.compile(small_net.net(weight_cons=L2Cons(0.9, 3))) as program:
            solver = Solver(SGD(), max_iter=max_iter, load_from=folder)
            solver.add_coffee_break(Snapshot(folder), every_n_iter=2)
            program.train(solver)
            return weights(program)

    whole = train(tmp_path / "a", 11)
    train(tmp_path / "b", stop)
    resumed = train(tmp_path / "b", 11)
    assert all(whole[n].tobytes() == resumed[n].tobytes() for n in whole)


@pytest.mark.slow
def test_filters_are_units():
    """Filters beyond the limit are scaled to it, each alone; the others stay as they are."""
    rng = np.random.default_rng(SEED)
    data = MemoryDataLayer(data=[rng.standard_normal((20, 3, 6, 6)), rng.integers(0, 4, 20)], batch_size=10)
    ip = InnerProductLayer(name="ip", output_dim=4, bottoms=["conv"])

    def trained(**constraints) -> tuple[np.ndarray, float]:
        """Norms of the filters and of the bias after four iterations."""
        conv = ConvolutionLayer(name="conv", n_filter=5, kernel=3, bottoms=["data"], **constraints)
        net = Net("filters", [data, conv, ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])
        with mochac.compile(net) as program:
            program.train(SGD(mochac.LRPolicy.Fixed(0.5)), max_iter=4)
            filters, bias = (program.params["conv"][name][...] for name in ("filter", "bias"))
            return np.sqrt((filters**2).sum((1, 2, 3))), float(np.linalg.norm(bias))

    free, _ = trained()
    limit = float(np.median(free))
    assert free.shape == (5,)
    assert free.min() < limit < free.max()
    norms, bias = trained(filter_cons=L2Cons(limit, 4), bias_cons=L2Cons(1e-3, 4))
    np.testing.assert_allclose(norms, np.minimum(free, limit), rtol=1e-5)
    np.testing.assert_allclose(bias, 1e-3, rtol=1e-5)


def test_sharers_must_agree():
    x, label = small_net.samples()
    data = MemoryDataLayer(data=[x, label], batch_size=5)
    layers = [
        InnerProductLayer(name=n, output_dim=3, bottoms=["data"], param_key="k", weight_cons=cons)
        for n, cons in (("a", L2Cons(1.0)), ("b", L2Cons(2.0)))
    ]
    losses = [SoftmaxLossLayer(name=f"loss-{n}", bottoms=[n, "label"]) for n in "ab"]
    with pytest.raises(NetError) as caught:
        Net("shared", [data, *layers, *losses])
    text = str(caught.value)
    assert "layer 'b' (InnerProduct): shares parameters 'k' with another layer, but their settings differ" in text
    assert (
        "weight constraint: L2Cons(threshold=2.0, every_n_iter=1) here, L2Cons(threshold=1.0, every_n_iter=1) there"
        in text
    )


def test_a_parameter_layer_has_one_too():
    layer = ParameterLayer(name="W", shape=(3, 2), cons=L2Cons(1.0))
    assert layer.cons == L2Cons(1.0, 1)
    x, label = small_net.samples()
    net = Net("w", [
        MemoryDataLayer(data=[x, label], batch_size=5), ParameterLayer(name="W", shape=(3, 19), cons=L2Cons(1.0)),
        InnerProductLayer(name="ip", output_dim=3, bottoms=["data"], weight="W"),
        SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
    ])  # fmt: skip
    assert {(p.key, p.name): p.cons for p in net.params}["W", "value"] == L2Cons(1.0)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: L2Cons(0), "L2Cons: threshold is out of range\n  expected  a finite number > 0,  got  0"),
        (lambda: L2Cons(1.0, every_n_iter=-1), "L2Cons: every_n_iter is out of range"),
        (lambda: L2Cons(1.0, every=2), "L2Cons: no field 'every'"),  # type: ignore[call-arg]
        (lambda: L2Cons(), "L2Cons: field 'threshold' must be given"),  # type: ignore[call-arg]
        (
            lambda: InnerProductLayer(name="ip", output_dim=3, bottoms=["x"], weight_cons=4.5),  # type: ignore[arg-type]
            "layer 'ip' (InnerProduct): weight_cons is out of range\n"
            "  expected  a constraint such as L2Cons(4.5),  got  4.5",
        ),
        (
            lambda: ConvolutionLayer(name="c", bottoms=["x"], filter_cons=NoCons),  # type: ignore[arg-type]
            "hint: write NoCons() with parentheses",
        ),
    ],
)
def test_bad_constraints(make, text):
    with pytest.raises(OptionError) as caught:
        make()
    assert text in str(caught.value)
