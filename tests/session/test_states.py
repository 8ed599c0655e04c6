"""States of layers: changed by training steps alone, shared, saved, loaded and resumed."""

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    BatchNormLayer,
    ConstantInitializer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    Snapshot,
    Solver,
    SquareLossLayer,
)
from mochac.nets.layers import Layer, Parametric, layer

RNG = np.random.default_rng(3)
X, Y = RNG.normal(2.0, 3.0, (22, 5)), RNG.normal(size=(22, 2))


def net(batch=6, loss=True, **bn):
    data = MemoryDataLayer(name="in", data=[X, Y], batch_size=batch, tops=["data", "label"], shuffle=loss)
    layers = [
        data,
        InnerProductLayer(name="ip1", output_dim=4, bottoms=["data"]),
        BatchNormLayer(name="bn", bottoms=["ip1"], **bn),
        InnerProductLayer(name="ip2", output_dim=2, bottoms=["bn"]),
        SquareLossLayer(name="loss", bottoms=["ip2", "label"]),
    ]
    return Net("bn", layers)


def states(program):
    return {name: np.array(state) for name, state in program.states["bn"].items()}


def trained(steps=3, **options):
    program = mochac.compile(net(), dtype="float64", **options)
    program.train(SGD(0.01), max_iter=steps, verbose=0)
    return program


@pytest.mark.slow
def test_running_statistics_by_hand():
    with mochac.compile(net(momentum=0.25), dtype="float64", keep=["ip1"]) as program:
        assert states(program)["mean"].tolist() == [0.0] * 4
        assert states(program)["variance"].tolist() == [1.0] * 4
        program.train(SGD(0.01), max_iter=1, verbose=0)
        batch = program.blobs["ip1"]
        np.testing.assert_allclose(states(program)["mean"], 0.25 * batch.mean(axis=0), rtol=1e-12)
        np.testing.assert_allclose(states(program)["variance"], 0.75 + 0.25 * batch.var(axis=0, ddof=1), rtol=1e-12)


@pytest.mark.slow
def test_only_training_steps_change_them():
    with trained() as program:
        before = states(program)
        assert any((before["mean"] != 0).tolist())
        program.forward()
        program.backward()
        program.evaluate()
        program.predict(X[:3])
        after = states(program)
        for name, array in before.items():
            np.testing.assert_array_equal(after[name], array)


@pytest.mark.slow
def test_a_frozen_layer_keeps_them():
    with mochac.compile(net()) as program:
        program.freeze("bn")
        program.train(SGD(0.01), max_iter=2, verbose=0)
        assert states(program)["mean"].tolist() == [0.0] * 4
        program.unfreeze("bn")
        program.train(SGD(0.01), max_iter=2, verbose=0)
        assert all(states(program)["mean"] != 0)


@pytest.mark.slow
def test_frozen_statistics():
    """Training normalizes as evaluation does, also by one sample, and trains scale and shift alone."""
    with (
        trained() as program,
        mochac.compile(net(batch=1, frozen_statistics=True), params=program.params, dtype="float64") as tuned,
    ):
        before, scale = states(program), np.array(program.params["bn"]["scale"])
        tuned.forward()
        np.testing.assert_allclose(tuned.blobs["bn"], program.predict(tuned.blobs["data"], blob="bn"), atol=1e-12)
        tuned.train(SGD(0.01), max_iter=2, verbose=0)
        for name, state in states(program).items():
            np.testing.assert_array_equal(state, before[name])
        assert (np.array(program.params["bn"]["scale"]) != scale).all()


@pytest.mark.slow
def test_prediction_uses_the_running_ones_and_any_batch():
    with trained() as program:
        params = {p.value: np.array(program.params[p.key][p.name]) for p in program.net.params}
        hidden = X @ params["ip1.weight"].T + params["ip1.bias"]
        kept = states(program)
        normal = (hidden - kept["mean"]) / np.sqrt(kept["variance"] + 1e-5)
        want = (normal * params["bn.scale"] + params["bn.shift"]) @ params["ip2.weight"].T + params["ip2.bias"]
        for count in (1, 2, 6, 7, 22):
            np.testing.assert_allclose(program.predict(X[:count]), want[:count], rtol=1e-9, atol=1e-9)
        loss = ((want - Y) ** 2).sum() / 2 / len(X)
        assert program.evaluate()["loss"] == pytest.approx(loss, rel=1e-9)


@pytest.mark.slow
def test_programs_with_one_store_share_them():
    with trained() as program, mochac.compile(net(batch=5), dtype="float64", params=program.params) as other:
        assert other.states is program.states
        assert other.evaluate()["loss"] == pytest.approx(program.evaluate()["loss"], rel=1e-12)


@pytest.mark.parametrize("name", ["model.h5", "model.npz"])
def test_model_files_hold_them(tmp_path, name):
    with trained() as program, mochac.compile(net(), dtype="float64", seed=7) as other:
        program.save(tmp_path / name)
        other.load(tmp_path / name)
        np.testing.assert_array_equal(other.predict(X), program.predict(X))


def test_a_model_without_them_is_refused(tmp_path):
    with trained() as program:
        arrays = {n: a for n, a in program.parameters().items() if n != "bn___variance"}
        np.savez(tmp_path / "model.npz", **arrays)
        with pytest.raises(mochac.SnapshotError, match="no parameter 'variance' for layer 'bn'"):
            program.load(tmp_path / "model.npz")


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_resume_in_the_middle_of_an_epoch(tmp_path, threads):
    """22 samples, batches of 6: after 5 steps the second epoch has begun."""
    found = []
    for stops in ((9,), (5, 9)):
        folder = tmp_path / str(len(stops))
        for stop in stops:
            with mochac.compile(net(), threads=threads) as program:
                solver = Solver(SGD(0.01, momentum=0.9), max_iter=stop, load_from=str(folder))
                solver.add_coffee_break(Snapshot(folder), every_n_iter=stop)
                program.train(solver)
                result = {name: array.copy() for name, array in program.parameters().items()}
        found.append(result)
    assert "bn___mean" in found[0]
    for name, array in found[0].items():
        np.testing.assert_array_equal(found[1][name], array, err_msg=name)


def test_one_value_per_channel():
    with pytest.raises(mochac.ShapeError) as caught:
        net(batch=1)
    assert str(caught.value).splitlines()[:2] == [
        "layer 'bn' (BatchNorm): one value per channel has no variance",
        "  expected  2 or more in training,  got  a batch of 1",
    ]
    assert "a larger batch_size" in str(caught.value)
    assert "test_states.py:" in str(caught.value)


@pytest.mark.slow
def test_layers_that_share_update_one_after_the_other():
    data = MemoryDataLayer(name="in", data=[X, Y], batch_size=22, tops=["data", "label"])
    shared = [BatchNormLayer(name=f"bn{k}", param_key="bn", bottoms=["data"]) for k in (1, 2)]
    ends = [InnerProductLayer(name=f"ip{k}", output_dim=2, bottoms=[f"bn{k}"]) for k in (1, 2)]
    losses = [SquareLossLayer(name=f"loss{k}", bottoms=[f"ip{k}", "label"]) for k in (1, 2)]
    with mochac.compile(Net("twice", [data, *shared, *ends, *losses]), dtype="float64") as program:
        program.train(SGD(0.01), max_iter=1, verbose=0)
        np.testing.assert_allclose(states(program)["mean"], X.mean(axis=0) * (0.1 + 0.9 * 0.1), rtol=1e-12)


@pytest.fixture
def counter():
    """A layer that counts its training steps, and adds the count."""
    from mochac.nets.layers.base import LAYERS

    LAYERS.scan()
    before = dict(LAYERS._items), set(LAYERS.foreign)

    @layer
    class CountingLayer(Parametric):
        def emit(self, ctx, bottoms):
            (x,) = bottoms
            count = ctx.state("count", (), ConstantInitializer(0))
            if ctx.training:
                ctx.update(count, ctx.op("add", count, ctx.constant(1.0, count)))
            return [ctx.op("add", x, ctx.op("broadcast", count, shape=x.type.shape, axes=(), batch=True))]

    yield CountingLayer
    LAYERS._items, LAYERS.foreign = before


@pytest.mark.slow
def test_a_state_of_a_users_layer(counter):
    data = MemoryDataLayer(name="in", data=[X, Y], batch_size=11, tops=["data", "label"])
    ip = InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])
    layers = [data, ip, counter(name="n", bottoms=["ip"]), SquareLossLayer(name="loss", bottoms=["n", "label"])]
    with mochac.compile(Net("counts", layers), dtype="float64") as program:
        program.train(SGD(0.01), max_iter=5, verbose=0)
        assert float(program.states["n"]["count"][...]) == 5.0
        assert mochac.check_gradients(program.net).ok
        assert "count" in program.explain()
        assert "State  n.count" in str(program.net)


def refused(emit):
    made = type("WrongLayer", (Parametric,), {"emit": emit})
    data = MemoryDataLayer(name="in", data=[X, Y], batch_size=11, tops=["data", "label"])
    from mochac.nets.layers.base import LAYERS

    LAYERS.scan()
    before = dict(LAYERS._items), set(LAYERS.foreign)
    try:
        wrong = layer(made)(name="w", bottoms=["data"])
        with pytest.raises(mochac.MochacError) as caught:
            Net("wrong", [data, wrong, SquareLossLayer(name="loss", bottoms=["w", "label"])])
    finally:
        LAYERS._items, LAYERS.foreign = before
    return str(caught.value)


def test_wrong_uses():
    def other_type(self, ctx, bottoms):
        ctx.update(ctx.state("s", (3,), ConstantInitializer(0)), ctx.batch_mean(bottoms[0]))
        return bottoms

    def no_state(self, ctx, bottoms):
        ctx.update(bottoms[0], bottoms[0])
        return bottoms

    def twice(self, ctx, bottoms):
        for _ in range(2):
            state = ctx.state("s", (5,), ConstantInitializer(0))
            ctx.update(state, ctx.batch_mean(bottoms[0]))
        return bottoms

    def plain_sum(self, ctx, bottoms):
        ctx.op("reduce_sum", bottoms[0], axes=(0,))
        return bottoms

    def no_batch(self, ctx, bottoms):
        ctx.batch_sum(bottoms[0], (1,))
        return bottoms

    text = refused(other_type)
    assert "the new value of a state has another type" in text and "expected  f32[3],  got  f32[5]" in text
    assert "update() of a value that is not a state" in refused(no_state)
    assert "a state is updated twice" in refused(twice)
    text = refused(plain_sum)
    assert "reduce_sum sums over the batch" in text and "ctx.batch_sum" in text
    assert "axes leave out the batch" in refused(no_batch)


@pytest.mark.slow
def test_means_of_batches_leave_padding_out():
    """A net that subtracts the batch's mean in test mode too: the mean is over the valid samples."""
    from mochac.nets.layers.base import LAYERS

    LAYERS.scan()
    before = dict(LAYERS._items), set(LAYERS.foreign)
    try:

        @layer
        class CentredLayer(Layer):
            def emit(self, ctx, bottoms):
                (x,) = bottoms
                mean = ctx.batch_mean(x)
                return [ctx.op("sub", x, ctx.op("broadcast", mean, shape=x.type.shape, axes=(1,), batch=True))]

        data = MemoryDataLayer(name="in", data=[X], batch_size=8, tops=["data"])
        with mochac.compile(
            Net("centred", [data, CentredLayer(name="c", bottoms=["data"])]), dtype="float64"
        ) as program:
            for count in (3, 5, 8):
                np.testing.assert_allclose(program.predict(X[:count]), X[:count] - X[:count].mean(axis=0), atol=1e-12)
    finally:
        LAYERS._items, LAYERS.foreign = before


@pytest.mark.parametrize(
    ("init", "taken"),
    [
        (ConstantInitializer(0), True),
        (mochac.GaussianInitializer(mean=1, std=0), True),
        (ConstantInitializer(-0.5), False),
        (mochac.GaussianInitializer(mean=1, std=0.5), False),
        (mochac.UniformInitializer(0.5), False),
    ],
    ids=repr,
)
def test_running_variances_begin_at_0_or_above(init, taken):
    data = MemoryDataLayer(name="in", data=[X, Y], batch_size=11, tops=["data", "label"])
    layers = [data, BatchNormLayer(name="bn", bottoms=["data"], variance_init=init)]
    if taken:
        assert Net("n", layers).states
    else:
        with pytest.raises(mochac.OptionError, match=r"layer 'bn' \(BatchNorm\): variance_init may be negative"):
            Net("n", layers)
