"""train_many: each net's result is that of train() but for rounding, and to the bit that of the same call alone."""

import itertools

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    Adam,
    AdamW,
    BatchNormLayer,
    DropoutLayer,
    HDF5OutputLayer,
    InnerProductLayer,
    InputLayer,
    L2Cons,
    LRPolicy,
    MemoryDataLayer,
    Net,
    Neurons,
    OptionError,
    SoftmaxLossLayer,
    Solver,
    TrainingSummary,
    UnsupportedError,
    train_many,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(70, 6)).astype(np.float32)
Y = (X[:, 0] > X[:, 1]).astype(int) + (X[:, 2] > 0)


def mlp(width=9, batch=8, shuffle=False, data=(X, Y), extra=(), **options):
    layers = [
        MemoryDataLayer(name="in", data=list(data), batch_size=batch, shuffle=shuffle),
        InnerProductLayer(name="ip1", output_dim=width, neuron=Neurons.Tanh(), bottoms=["data"], **options),
        *extra,
        InnerProductLayer(name="ip2", output_dim=3, bottoms=[extra[-1].name if extra else "ip1"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip2", "label"]),
    ]
    return Net("mlp", layers)


def arrays(params):
    both = {**{k: params[k] for k in params}, **{f"{k}.": params.states[k] for k in params.states}}
    return {f"{key}.{name}": np.asarray(group[name]) for key, group in both.items() for name in group}


def assert_equal(one, other):
    (params, lounge), (params2, lounge2) = one, other
    first, second = arrays(params), arrays(params2)
    assert first.keys() == second.keys()
    for name, array in first.items():
        np.testing.assert_array_equal(array, second[name], err_msg=name)
    assert lounge.statistics == lounge2.statistics


def assert_trained(result, net, method, seed, *, max_iter=20, dtype="float64", tolerance=1e-10, **parameters):
    params, lounge = result
    with mochac.compile(net, seed=seed, dtype=dtype) as program:
        wanted = program.train(method, max_iter=max_iter, verbose=0, **parameters)
        for name, array in arrays(program.params).items():
            np.testing.assert_allclose(arrays(params)[name], array, rtol=tolerance, atol=tolerance, err_msg=name)
    losses = [*lounge.statistics["obj_val"].values()]
    assert lounge.statistics["obj_val"].keys() == wanted.statistics["obj_val"].keys()
    np.testing.assert_allclose(losses, [*wanted.statistics["obj_val"].values()], rtol=tolerance, atol=tolerance)


@pytest.mark.slow
def test_factors_may_be_rounded_to_bfloat16():
    """Nets alone, on any number of threads, have the bits that they have together; they differ from float32's."""
    x = RNG.normal(size=(70, 24)).astype(np.float32)
    net, methods = mlp(32, 16, data=(x, Y)), [SGD(0.1 + 0.01 * k, momentum=0.9) for k in range(19)]
    how = {"max_iter": 12, "verbose": 0, "backend": "cpu", "precision": "bfloat16"}
    together = train_many(net, methods, seeds=list(range(19)), threads=2, **how)
    for k in (0, 18):
        assert_equal(together[k], train_many(net, methods[k], seeds=k, threads=1, **how)[0])
    wanted = train_many(net, methods[0], **{**how, "precision": "float32"})[0]
    for name, array in arrays(wanted[0]).items():
        error = np.abs(arrays(together[0][0])[name] - array).max()
        assert 0 < error < 0.02 * np.abs(array).max()
    with pytest.raises(OptionError, match="precision='bfloat16' applies to float32 only"):
        train_many(net, SGD(0.1), dtype="float64", **how)


DROP = (DropoutLayer(name="drop", ratio=0.4, bottoms=["ip1"], tops=["drop"]),)
NORM = (BatchNormLayer(name="norm", bottoms=["ip1"]),)


@pytest.mark.slow
@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("extra", [(), DROP, NORM], ids=["plain", "dropout", "norm"])
def test_each_net_is_trained_as_by_train(shuffle, extra):
    net, methods = mlp(shuffle=shuffle, extra=extra), [SGD(0.1, momentum=0.9), SGD(0.5), SGD(LRPolicy.Exp(0.3, 0.9))]
    results = train_many(net, methods, [4, 5, 6], max_iter=20, dtype="float64", verbose=0)
    for result, method, seed in zip(results, methods, [4, 5, 6], strict=True):
        assert_trained(result, net, method, seed)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shuffle", [False, True])
def test_a_nets_bits_do_not_depend_on_the_others(dtype, shuffle):
    net, count = mlp(shuffle=shuffle, extra=DROP), 21
    methods, seeds = [SGD(0.01 * (k + 1), momentum=0.9) for k in range(count)], list(range(count))
    both = [
        train_many(net, methods, seeds, max_iter=30, dtype=dtype, threads=threads, verbose=0) for threads in (1, 2, 3)
    ]
    for results in both[1:]:
        for one, other in zip(both[0], results, strict=True):
            assert_equal(one, other)
    for k in (0, 7, 15, 16, 20):
        (alone,) = train_many(net, methods[k], seeds[k], max_iter=30, dtype=dtype, verbose=0)
        assert_equal(both[0][k], alone)


@pytest.mark.slow
def test_numbers_of_methods_share_a_step_and_kinds_do_not():
    methods = [SGD(0.1), SGD(0.2, momentum=0.5), Adam(0.01), Adam(0.02, beta1=0.5), AdamW(0.01, decay=0.3)]
    net = mlp()
    results = train_many(net, methods, max_iter=20, dtype="float64", verbose=0)
    for result, method in zip(results, methods, strict=True):
        assert_trained(result, net, method, 0)


@pytest.mark.slow
def test_solvers_with_numbers_of_their_own():
    net = mlp(weight_cons=L2Cons(0.5, every_n_iter=3))
    solvers = [Solver(SGD(0.1), max_iter=n, regu_coef=c, clip_norm=0.5) for n, c in [(20, 0.0), (20, 0.1), (11, 0.2)]]
    for k, result in enumerate(train_many(net, solvers, dtype="float64", verbose=0)):
        n, coef = solvers[k].max_iter, solvers[k].regu_coef
        assert_trained(result, net, SGD(0.1), 0, max_iter=n, regu_coef=coef, clip_norm=0.5)


@pytest.mark.slow
def test_nets_of_several_shapes():
    nets = [mlp(width) for width in (4, 9, 4, 5)]
    results = train_many(nets, SGD(0.1), [1, 2, 3, 4], max_iter=20, dtype="float64", verbose=0)
    for result, net, seed in zip(results, nets, [1, 2, 3, 4], strict=True):
        assert_trained(result, net, SGD(0.1), seed)


@pytest.mark.slow
def test_data_of_all_nets_and_of_each():
    inputs = [InputLayer(name="data", shape=(8, 6)), InputLayer(name="label", shape=(8,))]
    net = mlp()
    other = (X[::-1].copy(), Y[::-1].copy())
    shared = train_many(net, [SGD(0.1), SGD(0.2)], data=[X[:40], Y[:40]], max_iter=20, dtype="float64", verbose=0)
    assert_trained(shared[1], mlp(data=(X[:40], Y[:40])), SGD(0.2), 0)
    each = train_many(net, SGD(0.1), data=[(X, Y), {"label": other[1], "data": other[0]}], max_iter=20, batch_size=5,
                      dtype="float64", verbose=0)  # fmt: skip
    assert_trained(each[0], mlp(batch=5), SGD(0.1), 0)
    assert_trained(each[1], mlp(batch=5, data=other), SGD(0.1), 0)
    assert len(inputs) == 2


@pytest.mark.slow
def test_a_net_that_diverges_does_not_harm_the_others(caplog):
    net = mlp(width=5)
    good, bad = train_many(net, [SGD(0.1), SGD(1e30)], max_iter=30, verbose=0)
    (alone,) = train_many(net, SGD(0.1), max_iter=30, verbose=0)
    assert_equal(good, alone)
    assert bad[1].stopped.startswith("iteration ") and "loss became" in bad[1].stopped
    assert max(bad[1].statistics["obj_val"]) < 30 and np.isfinite([*bad[1].statistics["obj_val"].values()]).all()
    assert "1 of 2 nets were lost" in caplog.text


@pytest.mark.slow
def test_a_lounge_has_losses_rates_and_iterations():
    (_, lounge), _ = train_many(mlp(), [SGD(LRPolicy.Step(0.1, 0.5, 10)), SGD(0.2)], max_iter=25, verbose=0)
    assert list(lounge.statistics["iter"]) == list(range(1, 26))
    assert lounge.statistics["learning_rate"][10] == pytest.approx(0.1)
    assert lounge.statistics["learning_rate"][11] == pytest.approx(0.05)


def test_the_result_trains_and_predicts_on():
    net = mlp()
    params, _ = train_many(net, SGD(0.1, momentum=0.9), max_iter=200, verbose=0)[0]
    with mochac.compile(net, params=params) as program:
        assert (program.predict(X).argmax(axis=1) == Y).mean() > 0.8


def test_ranges_arrays_and_generators_are_lists():
    net = mlp()
    listed = train_many(net, [SGD(0.1), SGD(0.2)], [0, 1], max_iter=3, verbose=0)
    for methods, seeds in [((SGD(lr) for lr in (0.1, 0.2)), range(2)), ((SGD(0.1), SGD(0.2)), np.arange(2))]:
        for one, other in zip(listed, train_many(net, methods, seeds, max_iter=3, verbose=0), strict=True):
            assert_equal(one, other)


def refused(match, *args, error=OptionError, **options):
    with pytest.raises(error, match=match):
        train_many(*args, **{"max_iter": 3, "verbose": 0, **options})


def test_lists_of_different_lengths():
    refused("differ in length.*\n.*methods: 2, seeds: 3", mlp(), [SGD(), SGD()], [1, 2, 3])
    refused("seeds is an empty list", mlp(), SGD(), [])
    refused("differ in length.*\n.*methods: 2, data: 1", mlp(), [SGD(), SGD()], data=[[X, Y]])


def test_entries_of_the_wrong_kind():
    refused("net 1 is not a net", [mlp(), 3], SGD())
    refused("not a solver method", mlp(), [SGD(), "SGD"])
    refused("seed 1 is out of range", mlp(), SGD(), [1, -1])
    refused("batch_size is out of range", mlp(), SGD(), batch_size=0)
    refused("verbose", mlp(), SGD(), verbose=2)
    refused("has no parameter 'momentm'", mlp(), SGD(), momentm=0.9)
    refused("needs max_iter", mlp(), SGD(), max_iter=None)
    refused("needs a method", mlp(), None)


@pytest.mark.slow
def test_data_that_does_not_fit():
    refused("data has other tops", mlp(), SGD(), data={"data": X, "labels": Y})
    refused("data is not a list of arrays", mlp(), SGD(), data=X)
    refused("needs one array per top", mlp(), SGD(), data=[X], error=mochac.MochacError)
    wrong = [[X, Y], [X[:, :4], Y]]
    results = train_many(mlp(), SGD(0.1), data=wrong, max_iter=3, verbose=0)  # other shapes are other steps
    assert [p["ip1"]["weight"].shape for p, _ in results] == [(9, 6), (9, 4)]
    labels = Y.copy()
    labels[17] = 3
    for shuffle in (False, True):
        refused("sample 17", mlp(shuffle=shuffle), SGD(), [1, 2], data=[X, labels], max_iter=30, error=mochac.DataError)


def test_what_only_train_does():
    breaks = Solver(SGD(), max_iter=3)
    breaks.add_coffee_break(TrainingSummary(), every_n_iter=1)
    refused("coffee breaks", mlp(), breaks, max_iter=None, error=UnsupportedError)
    refused("accumulate", mlp(), SGD(), accumulate=2, error=UnsupportedError)
    refused("a file to load from", mlp(), SGD(), load_from="x.h5", error=UnsupportedError)
    refused("max_epoch", mlp(), SGD(), max_epoch=2, error=UnsupportedError)
    rate = LRPolicy.DecayOnValidation(0.1, "accuracy", 0.5)
    refused("follows validations", mlp(), SGD(rate), error=UnsupportedError)
    collects = Net("out", [*mlp().layers, HDF5OutputLayer(name="out", bottoms=["ip2"], filename="x.h5")])
    refused("stores blobs", collects, SGD(), error=UnsupportedError)
    refused("no loss layer", Net("none", [MemoryDataLayer(data=[X, Y], batch_size=2)]), SGD())


def test_seeds_give_the_initial_values_of_compile():
    for seed, (params, _) in zip([3, 8], train_many(mlp(), SGD(), [3, 8], max_iter=0, verbose=0), strict=True):
        with mochac.compile(mlp(), seed=seed) as program:
            for (name, got), want in zip(arrays(params).items(), arrays(program.params).values(), strict=True):
                np.testing.assert_array_equal(got, want, err_msg=name)


@pytest.mark.slow
def test_the_step_shows_its_kernels():
    shown = mochac.explain(mlp(), many=True)
    assert "map.inner_product" in shown and "plan 'many'" in shown
    assert all(name in shown for name in itertools.chain(("ip1", "ip2", "loss")))


BAD = {
    "a NaN": (lambda x, y: [np.where(np.arange(3) == 1, np.nan, x), y], "data holds NaN"),
    "a class": (lambda x, y: [x, y + 2], "label out of range"),
    "too few arrays": (lambda x, y: [x], "needs one array per top"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_data_names_the_net(case):
    spoilt, rule = BAD[case]
    rng = np.random.default_rng(0)
    each = [[rng.normal(size=(40, 3)), rng.integers(0, 2, 40)] for _ in range(4)]
    data = mochac.MemoryDataLayer(data=each[0], batch_size=20)
    ip = mochac.InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])
    net = mochac.Net("line", [data, ip, mochac.SoftmaxLossLayer(bottoms=["ip", "label"])])
    each[2] = spoilt(*each[2])
    with pytest.raises(mochac.MochacError, match=f"(?s){rule}.*in net 2 of train_many"):
        mochac.train_many(net, mochac.SGD(0.1), data=each, max_iter=3, verbose=0)
