"""RandomNormalLayer and RandomMaskLayer: what is drawn, when it is drawn anew, and nets without any data layer."""

from __future__ import annotations

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    ArgmaxLayer,
    DropoutLayer,
    IdentityLayer,
    InnerProductLayer,
    MemoryDataLayer,
    MomPolicy,
    Net,
    NetError,
    OptionError,
    ParameterLayer,
    RandomMaskLayer,
    RandomNormalLayer,
    SoftmaxLossLayer,
    SquareLossLayer,
)
from mochac.ir.functions.philox import philox4x32
from mochac.ir.interp import run
from mochac.lowering.plan_graphs import debug_plan
from mochac.nets.trace import trace

rng = np.random.default_rng(20261121)


def interpreted(net, step, mode="train", seed=0, batch=None, **feeds):
    """All blobs of a step, in float64."""
    traced = trace(net, mode, "float64", seed=seed, batch=batch)
    plan = debug_plan(traced, backward=False)
    known = {**feeds, "step": np.int64(step), "n_valid": np.int64(traced.batch)}
    found = run(plan.graph, {i.name: known.get(i.name, np.zeros(i.type.shape)) for i in plan.graph.inputs})
    return {blob: found[value] for blob, value in plan.named.items()}


def noise(**fields):
    return RandomNormalLayer(**{"name": "noise", "tops": ["z"], "output_dims": [3, 2], "batch_sizes": [8], **fields})


def normals(key, step, samples, features):
    """Box and Muller's numbers from Philox words, by their formulas, one at a time."""

    def word(sample, index):
        four = philox4x32(tuple(np.uint64(v) for v in (step, 0, sample, index // 4)), (key & 0xFFFFFFFF, key >> 32))
        return int(four[index % 4])

    def one(sample, f):
        u, v = (word(sample, 2 * f) + 1) / 2**32, word(sample, 2 * f + 1) / 2**32
        return np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * v)

    return np.array([[one(n, f) for f in range(features)] for n in range(samples)])


def test_numbers_follow_from_stream_step_sample_and_feature():
    net = Net("z", [noise()])
    traced = trace(net, "train", "float64")
    key = np.uint64(traced.graph.nodes[0].attr["key"] % 2**64)
    found = interpreted(net, 5)["z"]
    np.testing.assert_allclose(found.reshape(8, 6), normals(int(key), 5, 8, 6), rtol=1e-12, atol=1e-12)


@pytest.mark.slow
def test_numbers_drawn_in_another_type_than_the_programs():
    """Drawn in float32, a float64 program has the numbers of a float32 one; drawn in float64, a float32 one rounds."""

    def drawn(dtype, eltype):
        with mochac.compile(Net("z", [noise(eltype=eltype)]), backend="cpu", dtype=dtype) as program:
            return program.predict(5, "z")

    single, double = drawn("float32", ""), drawn("float64", "")
    assert (single.astype(np.float64) != double).any()
    np.testing.assert_array_equal(drawn("float64", "float32"), single.astype(np.float64))
    np.testing.assert_array_equal(drawn("float32", np.float64), double.astype(np.float32))
    np.testing.assert_array_equal(drawn("float64", np.dtype("float64")), double)
    assert drawn("float32", "float64").dtype == np.float32


def test_drawn_anew_in_every_step_for_every_top_layer_and_seed():
    net = Net("z", [noise(tops=["a", "b"], batch_sizes=[8, 8]), noise(name="other", tops=["c"], batch_sizes=[8])])
    first, second = interpreted(net, 0), interpreted(net, 1)
    drawn = [first["a"], first["b"], first["c"], second["a"], interpreted(net, 0, seed=1)["a"]]
    assert all((x != y).all() for k, x in enumerate(drawn) for y in drawn[:k])
    np.testing.assert_array_equal(first["a"], interpreted(net, 0, mode="test")["a"])
    np.testing.assert_array_equal(first["a"][:3], interpreted(net, 0, batch=3)["a"])


def test_moments():
    z = interpreted(Net("z", [noise(output_dims=[500], batch_sizes=[100])]), 1)["z"]
    n = z.size
    for power, wanted, variance in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):
        assert abs((z**power).mean() - wanted) < 4 * np.sqrt(variance / n)
    assert abs(np.corrcoef(z[:, 0::2].ravel(), z[:, 1::2].ravel())[0, 1]) < 4 / np.sqrt(n / 2)


def generator():
    """A net that needs no data: it learns to make its own noise's sign."""
    ip = InnerProductLayer(name="ip", output_dim=4, bottoms=["z"])
    goal = ArgmaxLayer(name="goal", bottoms=["goals"])
    loss = SoftmaxLossLayer(name="loss", bottoms=["ip", "goal"])
    return Net("made", [noise(), noise(name="n2", tops=["goals"], output_dims=[4], batch_sizes=()), ip, goal, loss])


def test_a_net_without_a_data_layer_has_the_batch_it_says():
    net = generator()
    assert net.batch == 8
    assert net.blobs["ip"].shape == (8, 4)
    assert mochac.check_gradients(net).ok


@pytest.mark.slow
def test_a_net_without_a_data_layer_trains_evaluates_and_predicts():
    with mochac.compile(generator()) as program:
        program.train(SGD(mom_policy=MomPolicy.Fixed(0.9)), max_iter=20)
        assert program.rng_step == 20
        assert program.evaluate() == program.evaluate()
        z, y = program.predict(21, "z"), program.predict(21, "ip")
        weight, bias = program.params["ip"]["weight"][...], program.params["ip"]["bias"][...]
        np.testing.assert_allclose(y, z.reshape(21, 6) @ weight.T + bias, rtol=1e-4, atol=1e-5)
        np.testing.assert_array_equal(y, program.predict(21, "ip"))
        assert len(np.unique(z)) == z.size
        assert program.predict(0, "ip").shape == (0, 4)
        by_epoch = mochac.Solver(SGD(), max_iter=3)
        by_epoch.add_coffee_break(mochac.TrainingSummary(), every_n_epoch=1)
        for solver in (mochac.Solver(SGD(), max_epoch=2), by_epoch):
            with pytest.raises(OptionError, match="has no data layer, so it has no epochs"):
                program.train(solver)


@pytest.mark.slow
def test_resuming_draws_what_an_uninterrupted_run_draws(tmp_path):
    def trained(*stops):
        for stop in stops:
            with mochac.compile(generator(), seed=3) as program:
                solver = mochac.Solver(SGD(), max_iter=stop, load_from=str(tmp_path / str(len(stops))))
                solver.add_coffee_break(mochac.Snapshot(tmp_path / str(len(stops))), every_n_iter=5)
                program.train(solver)
                found = program.params["ip"]["weight"][...]
        return found

    np.testing.assert_array_equal(trained(10), trained(5, 10))


def test_predict_takes_a_number_only_where_nothing_is_needed():
    data = MemoryDataLayer(data=[np.zeros((9, 2))], batch_size=8, tops=["x"])
    net = Net("both", [data, noise(), IdentityLayer(name="y", bottoms=["x"])])
    with mochac.compile(net) as program:
        with pytest.raises(OptionError, match="blob 'y' needs the input 'x' too"):
            program.predict(5, "y")
        for wrong in (-1, True):
            with pytest.raises(OptionError, match="takes samples or their number"):
                program.predict(wrong, "z")


def test_batch_sizes_that_disagree():
    data = MemoryDataLayer(data=[np.zeros((9, 2))], batch_size=4, tops=["x"])
    with pytest.raises(NetError, match="the same batch_size\n  expected  4,  got  8"):
        Net("bad", [data, noise()])
    with pytest.raises(OptionError, match="all tops have the net's batch size"):
        noise(tops=["a", "b"], batch_sizes=[4, 8])
    with pytest.raises(OptionError, match="needs one batch size per top\n  expected  2 numbers,  got  1"):
        noise(tops=["a", "b"])


def masked(count=2, **fields):
    """Blobs of ones behind a mask: what is left are the kept elements."""
    tops = [f"x{k}" for k in range(count)]
    data = MemoryDataLayer(data=[np.ones((40, 5, 4))] * count, batch_size=40, tops=tops)
    after = [IdentityLayer(name=f"y{k}", bottoms=[top]) for k, top in enumerate(tops)]
    return Net("masked", [*after, RandomMaskLayer(name="mask", bottoms=tops, **fields), data])


def test_mask_works_in_place_on_several_bottoms_and_does_not_scale():
    net = masked(ratio=0.3)
    ones = {f"x{k}": np.ones((40, 5, 4)) for k in (0, 1)}
    found = interpreted(net, 0, **ones)
    for blob in ("y0", "y1"):
        assert set(np.unique(found[blob])) == {0.0, 1.0}
        assert found[blob].mean() == pytest.approx(0.7, abs=4 * np.sqrt(0.21 / 800))
    assert (found["y0"] != found["y1"]).any()
    assert (found["y0"] != interpreted(net, 1, **ones)["y0"]).any()
    np.testing.assert_array_equal(interpreted(net, 0, mode="test", **ones)["y0"], ones["x0"])


def test_mask_is_dropout_without_scaling():
    """The same words decide: a mask called as a dropout layer keeps the same units."""
    data = MemoryDataLayer(data=[np.ones((6, 50))], batch_size=6, tops=["x"])
    found = [
        interpreted(Net("m", [data, kind(name="same", bottoms=["x"], tops=["y"], ratio=0.4)]), 2, x=np.ones((6, 50)))
        for kind in (RandomMaskLayer, DropoutLayer)
    ]
    np.testing.assert_allclose(found[0]["y"], found[1]["y"] * 0.6, rtol=1e-12)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(("shared", "own"), [((2, 3), (16, 5, 1, 1)), ((1, -1, 2), (16, 1, 1, 1)), (1, (16, 1, 3, 4))])
def test_units_along_shared_axes_are_dropped_together(shared, own, compiled):
    """As one unit is that stands for them: by the numbers of a layer of that name whose bottom has only these units."""
    x = rng.standard_normal((16, 5, 3, 4))
    drop = DropoutLayer(name="drop", ratio=0.4, bottoms=["x"], tops=["y"])
    nets = [
        Net("whole", [MemoryDataLayer(data=[x], batch_size=16, tops=["x"]), drop.replace(shared_axes=shared)]),
        Net("units", [MemoryDataLayer(data=[np.ones(own)], batch_size=16, tops=["x"]), drop]),
    ]
    if compiled:
        with mochac.compile(nets[0], mode="train", dtype="float64") as program:
            program.forward()
            found = program.blobs["y"]
    else:
        found = interpreted(nets[0], 0, x=x)["y"]
    np.testing.assert_allclose(found, x * interpreted(nets[1], 0, x=np.ones(own))["y"], rtol=1e-12)


def test_mask_under_its_own_name_and_with_tops():
    data = MemoryDataLayer(data=[np.ones((40, 5))], batch_size=40, tops=["x"])
    own = [data, RandomMaskLayer(name="mask", bottoms=["x"]), IdentityLayer(name="y", bottoms=["mask"])]
    found = interpreted(Net("own", own), 0, x=np.ones((40, 5)))
    assert found["x"].all()
    assert not found["y"].all()
    with pytest.raises(OptionError, match="needs one top per bottom"):
        RandomMaskLayer(bottoms=["a", "b"], tops=["c"])


def test_gradients_behind_a_mask():
    data = MemoryDataLayer(data=[rng.standard_normal((6, 3)), rng.standard_normal((6, 2))], batch_size=6)
    ip1 = InnerProductLayer(name="ip1", output_dim=5, neuron=mochac.Neurons.Sigmoid(), bottoms=["data"])
    mask = RandomMaskLayer(bottoms=["ip1"], ratio=0.4)
    ip2 = InnerProductLayer(name="ip2", output_dim=2, bottoms=["ip1"])
    loss = SquareLossLayer(name="loss", bottoms=["ip2", "label"])
    assert mochac.check_gradients(Net("g", [data, ip1, mask, ip2, loss])).ok


@pytest.mark.parametrize(("axes", "shape"), [((), (50, 40)), ((2, 3), (40, 5, 6)), ((1, 2), (30, 30))])
def test_dropout_keeps_expectations(axes, shape):
    """Each decision covers the shared axes; the mean over many samples is that of the blob, and test mode changes
    nothing."""
    x = rng.uniform(0.5, 1.5, (200, *shape))
    drop = DropoutLayer(name="drop", ratio=0.3, shared_axes=axes, bottoms=["x"], tops=["y"])
    net = Net("n", [MemoryDataLayer(name="in", data=[x], tops=["x"], batch_size=200), drop])
    (feed,) = (f.value for f in trace(net, "train", "float64", seed=0).feeds)
    y = interpreted(net, 3, **{feed: x})["y"]
    np.testing.assert_array_equal(interpreted(net, 3, mode="test", **{feed: x})["y"], x)
    kept = y != 0
    np.testing.assert_allclose(y[kept], (x / 0.7)[kept])
    assert (kept == kept.all(axis=axes, keepdims=True)).all()
    decisions = kept[tuple(0 if k in axes else slice(None) for k in range(kept.ndim))]
    assert abs(decisions.mean() - 0.7) < 4 * np.sqrt(0.21 / decisions.size)


@pytest.mark.parametrize("axes", [(), (2,)])
def test_alpha_dropout_keeps_mean_and_variance(axes):
    """By PyTorch's formula, for the mask that was drawn."""
    x, ratio = rng.standard_normal((500, 40, 3)), 0.2
    drop = DropoutLayer(name="drop", ratio=ratio, alpha=True, shared_axes=axes, bottoms=["x"], tops=["y"])
    net = Net("n", [MemoryDataLayer(name="in", data=[x], tops=["x"], batch_size=500), drop])
    (feed,) = (f.value for f in trace(net, "train", "float64", seed=0).feeds)
    y = interpreted(net, 3, **{feed: x})["y"]
    limit = 1.7580993408473766
    a = 1 / np.sqrt((limit**2 * ratio + 1) * (1 - ratio))
    dropped = np.isclose(y, -limit * a + limit * a * ratio, rtol=1e-12)
    np.testing.assert_allclose(y[~dropped], (x * a + limit * a * ratio)[~dropped], rtol=1e-12)
    assert abs(dropped.mean() - ratio) < 0.01
    assert (dropped == dropped.all(axis=axes, keepdims=True)).all()
    assert abs(y.mean()) < 0.02 and abs(y.var() - 1) < 0.03


@pytest.mark.slow
def test_a_dropped_weight_is_the_same_for_all_samples():
    """DropConnect: a mask of a parameter, in the step and its gradient."""
    x = rng.standard_normal((8, 5))
    layers = [
        MemoryDataLayer(name="in", data=[x, np.arange(8) % 3], batch_size=8),
        ParameterLayer(name="w", shape=(3, 5)),
        DropoutLayer(name="drop", ratio=0.4, bottoms=["w"], tops=["W"]),
        InnerProductLayer(name="y", output_dim=3, weight="W", bias=False, bottoms=["data"]),
        SoftmaxLossLayer(name="loss", bottoms=["y", "label"]),
    ]
    net = Net("n", layers)
    assert mochac.check_gradients(net).ok
    trained = []
    for parts in (1, 2):
        with mochac.compile(net, dtype="float64", threads=1, parts=parts, seed=1) as program:
            program.forward()
            w, dropped = program.params["w"]["value"][...], program.blobs["W"]
            kept = dropped != 0
            np.testing.assert_allclose(dropped[kept], (w / 0.6)[kept])
            assert 0 < kept.mean() < 1
            np.testing.assert_allclose(program.blobs["y"], x @ dropped.T)
            program.backward()
            gradient = program.grads["w"]["value"]
            assert ((gradient != 0) == kept).all()
            program.train(SGD(0.1), max_iter=1, regu_coef=0.0)
            trained.append(program.params["w"]["value"][...])
    np.testing.assert_allclose(*trained)
