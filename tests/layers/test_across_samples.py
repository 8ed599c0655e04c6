"""Values for which samples meet: evaluation, prediction, parts, ranks, many nets, batches of an update."""

from __future__ import annotations

from itertools import cycle

import numpy as np
import pytest
from layers.across_layers import (
    BarlowTwinsLossLayer,
    DecorrelationLossLayer,
    HardTripletLossLayer,
    MMDLossLayer,
)
from layers.loss_formulas import info_nce, supervised
from passes.emulated_ranks import trained

import mochac
from mochac import SGD, InfoNCELossLayer, InnerProductLayer, MemoryDataLayer, MochacError, Net, Neurons
from mochac.nets.layers import Layer, Loss, layer

RNG = np.random.default_rng(5)
X, Y, LABEL = RNG.normal(size=(44, 6)), RNG.normal(size=(44, 5)), RNG.integers(0, 4, (44, 1)).astype(float)

LOSSES = {
    "pairs": InfoNCELossLayer(name="loss", bottoms=["a", "b"], temperature=0.5),
    "symmetric": InfoNCELossLayer(name="loss", bottoms=["a", "b"], temperature=0.3, symmetric=True),
    "supervised": InfoNCELossLayer(name="loss", bottoms=["a", "label"], temperature=0.5),
    "barlow": BarlowTwinsLossLayer(name="loss", bottoms=["a", "b"]),
    "triplets": HardTripletLossLayer(name="loss", bottoms=["a", "label"]),
    "mmd": MMDLossLayer(name="loss", bottoms=["a", "b"]),
    "decorrelation": DecorrelationLossLayer(name="loss", bottoms=["a"]),
}


def net(loss, batch=16):
    data = MemoryDataLayer(name="in", data=[X, Y, LABEL], batch_size=batch, tops=["x", "y", "label"])
    return Net("across", [
        data,
        InnerProductLayer(name="a", output_dim=4, neuron=Neurons.Tanh(), bottoms=["x"]),
        InnerProductLayer(name="b", output_dim=4, bottoms=["y"]),
        loss,
    ])  # fmt: skip


def parameters(program):
    return {(p.key, p.name): program.params[p.key][p.name][...] for p in program.net.params}


@pytest.mark.slow
@pytest.mark.parametrize("name", LOSSES)
def test_gradients_are_central_differences(name):
    checked = mochac.check_gradients(net(LOSSES[name], 6))
    assert checked.ok or name == "barlow", checked  # its gradient to biases is 0
    if name == "barlow":
        assert all("WRONG" not in line for line in str(checked).splitlines() if "weight" in line), checked


@pytest.mark.slow
@pytest.mark.parametrize("name", ["symmetric", "supervised"])
def test_evaluation_compares_the_samples_of_each_batch(name):
    """44 samples are two batches of 16 and one of 12, whose loss is of these 12 alone."""
    loss, total = LOSSES[name], 0.0
    with mochac.compile(net(loss), dtype="float64", backend="cpu") as program:
        found = program.evaluate()["loss"]
        a, b = program.predict({"x": X, "y": Y}, blob=["a", "b"])
        for part in (slice(0, 16), slice(16, 32), slice(32, 44)):
            formula = (
                supervised(a[part], LABEL[part], 0.5) if name == "supervised" else info_nce(a[part], b[part], 0.3, True)
            )
            total += formula[0] * len(a[part])
        np.testing.assert_allclose(found, total / 44, rtol=1e-12)


class Similarities(Layer):
    n_bottoms = (2, 2)

    def emit(self, ctx, bottoms):
        a, b = bottoms
        return [a @ b.T]


@pytest.mark.slow
def test_predictions_of_all_samples_are_one_batch():
    similar = layer(type("SimilaritiesLayer", (Similarities,), {}))(name="s", bottoms=["a", "b"])
    with mochac.compile(net(similar), dtype="float64", backend="cpu") as program:
        for n in (44, 1, 19):
            s, a, b = program.predict({"x": X[:n], "y": Y[:n]}, blob=["s", "a", "b"])
            assert s.shape == (n, n)
            np.testing.assert_allclose(s, a @ b.T, rtol=1e-12, atol=1e-12)
        assert not program.session.plans.predicts_whole(("a",))
        assert program.predict({"x": X[:0], "y": Y[:0]}, blob="s").shape == (0, 16)


@layer
class CentredLayer(Layer):
    """Not a loss: its top depends on the batch, in evaluation and prediction too."""

    def emit(self, ctx, bottoms):
        (x,) = bottoms
        return [x - ctx.batch_mean(x)]


def test_predictions_with_means_over_the_batch_are_one_batch():
    """They depended on how predict() cut the samples into batches."""
    centred = CentredLayer(name="c", bottoms=["a"])
    with mochac.compile(net(centred), dtype="float64", backend="cpu") as program:
        c, a = program.predict({"x": X, "y": Y}, blob=["c", "a"])
        np.testing.assert_allclose(c, a - a.mean(axis=0), rtol=1e-12, atol=1e-12)


def test_samples_as_an_array():
    """Layers reduce, multiply and transpose it; two batches of 16 and one of 12 samples are evaluated."""
    arrays = [
        mochac.AllSamplesLayer(name="all", bottoms=["a"]),
        mochac.EinsumLayer(name="products", spec="nk,mk->nm", bottoms=["all", "all"]),
        mochac.PermuteLayer(name="turned", order=(1, 0), bottoms=["all"], tops=["turned"]),
        mochac.ReductionLayer(name="centre", operation="mean", axes=(0,), bottoms=["all"]),
        mochac.FunctionLayer(name="apart", function="sub", bottoms=["a", "centre"]),
        mochac.FunctionLayer(name="far", function="square", bottoms=["apart"]),
        mochac.MeanStatisticLayer(name="spread", factor=4.0, bottoms=["far"]),
        mochac.MeanLossLayer(name="similar", bottoms=["products"]),
    ]
    layers = [*net(LOSSES["pairs"]).layers[:-1], *arrays]
    with mochac.compile(Net("arrays", layers), dtype="float64", backend="cpu") as program:
        found = program.evaluate()
        a = program.predict({"x": X, "y": Y}, blob="a")
        program.forward(x=X[:16], y=Y[:16], label=LABEL[:16])
        turned = np.array(program.blobs["turned"])
    parts = [a[:16], a[16:32], a[32:]]
    spread = sum(((part - part.mean(0)) ** 2).sum() for part in parts) / 44
    np.testing.assert_allclose(found["spread-mean"], spread, rtol=1e-12)
    np.testing.assert_allclose(found["similar"], sum((p @ p.T).mean() * len(p) for p in parts) / 44, rtol=1e-12)
    np.testing.assert_allclose(turned, a[:16].T, rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "parts"), list(zip(LOSSES, cycle((4, 2)), strict=False)))
def test_parts_of_a_batch_compare_themselves_with_all_of_it(name, parts):
    """A batch of 20 leaves lanes of vectors idle, so that values stay in natural layout."""
    found = {}
    for n in (1, parts):
        with mochac.compile(net(LOSSES[name], 20), dtype="float64", backend="cpu", parts=n) as program:
            program.train(SGD(0.1, momentum=0.9), max_iter=4, verbose=0)
            found[n] = parameters(program)
    for key, value in found[1].items():
        np.testing.assert_allclose(found[parts][key], value, rtol=1e-9, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "ranks", "dtype"), [*zip(LOSSES, cycle((2, 4, 4, 2)), cycle(("float32", "float64")), strict=False)]
)
def test_the_number_of_ranks_changes_no_bit(name, ranks, dtype):
    assert len({trained(net(LOSSES[name]), 4, n, dtype=dtype)[0] for n in (1, ranks)}) == 1


def test_ranks_exchange_floats_alone():
    @layer
    class BitsLayer(Loss):
        def losses(self, ctx, bottoms):
            a, label = bottoms
            positive = label[:, 0] > 1
            return (a @ a.T * positive[None]).sum(axis=1)

    with pytest.raises(MochacError) as caught:
        trained(net(BitsLayer(name="bits", bottoms=["a", "label"])), 2, 2)
    assert str(caught.value).splitlines()[0] == (
        "layer 'bits' reads bool of all samples (all_samples), and ranks exchange floats"
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", LOSSES)
def test_many_nets_are_trained_as_each_alone(name):
    made = net(LOSSES[name])
    many = mochac.train_many(made, [SGD(0.1), SGD(0.05)], seeds=[1, 2], max_iter=3, backend="cpu", dtype="float64")
    for rate, seed, (params, _) in zip((0.1, 0.05), (1, 2), many, strict=True):
        with mochac.compile(made, dtype="float64", backend="cpu", seed=seed) as program:
            program.train(SGD(rate), max_iter=3, verbose=0)
            for (key, name_), value in parameters(program).items():
                np.testing.assert_allclose(params[key][name_][...], value, rtol=1e-9, atol=1e-12)


@pytest.mark.slow
def test_accumulated_batches_are_compared_each_with_itself():
    with mochac.compile(net(LOSSES["pairs"]), dtype="float64", backend="cpu") as program:
        begin = parameters(program)
        gradients = []
        for _ in range(2):
            program.forward()
            program.backward()
            gradients.append({key: program.grads[key[0]][key[1]][...] for key in begin})
    with mochac.compile(net(LOSSES["pairs"]), dtype="float64", backend="cpu") as program:
        program.train(SGD(0.1), max_iter=1, accumulate=2, regu_coef=0.0, verbose=0)
        for key, value in parameters(program).items():
            rate = 0.2 if key[1] == "bias" else 0.1
            mean = (gradients[0][key] + gradients[1][key]) / 2
            np.testing.assert_allclose(value, begin[key] - rate * mean, rtol=1e-9, atol=1e-12)


def test_weights_of_samples_need_a_loss_of_each_sample():
    loss = MMDLossLayer(name="loss", bottoms=["a", "b"], sample_weights="label")
    with pytest.raises(MochacError) as caught:
        net(loss)
    assert "sample_weights need a loss of each sample" in str(caught.value)
