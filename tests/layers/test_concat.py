"""ConcatLayer against np.concatenate: axes, ranks, numbers of bottoms; gradients; what it does to samples."""

from __future__ import annotations

import numpy as np
import pytest
from layer_values import values

import mochac
from mochac import (
    SGD,
    ConcatLayer,
    GaussianInitializer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    Neurons,
    ParameterLayer,
    ShapeError,
    SoftmaxLossLayer,
)
from mochac.nets.trace import trace
from mochac.runtime.data.targets import ClassIndices

rng = np.random.default_rng(20261121)


def case(rank, axis, count, batch):
    """Bottoms that differ along `axis` only, and the layer."""
    shape = (batch, *rng.integers(1, 5, rank - 1))
    extents = rng.integers(1, 5, count)
    shapes = [tuple(int(n) if a == axis % rank else int(d) for a, d in enumerate(shape)) for n in extents]
    feeds = {f"b{k}": rng.standard_normal(s) for k, s in enumerate(shapes)}
    return feeds, ConcatLayer(name="y", bottoms=list(feeds), axis=axis)


def check(rank, axis, count, batch, **how):
    feeds, layer = case(rank, axis, count, batch)
    wanted = np.concatenate(list(feeds.values()), axis=axis)
    arriving = rng.standard_normal(wanted.shape)
    y, gradients = values([layer], feeds, "y", arriving, **how)
    tolerance = 0 if how.get("dtype", "float64") == "float64" else 1e-6
    np.testing.assert_allclose(y, wanted, rtol=tolerance)
    ends = np.cumsum([a.shape[axis] for a in feeds.values()])[:-1]
    for found, part in zip(gradients.values(), np.split(arriving, ends, axis=axis), strict=True):
        np.testing.assert_allclose(found, part, rtol=tolerance)


@pytest.mark.parametrize(("rank", "axis", "count"), [(4, 1, 3), (3, -1, 2), (2, 1, 5), (5, 2, 2)])
def test_values_and_gradients(rank, axis, count):
    check(rank, axis, count, 3)


def test_the_default_axis_is_the_channels_compiled():
    assert ConcatLayer(bottoms=["a", "b"]).axis == 1
    check(4, 1, 3, 17, dtype="float32", compiled=True)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("batch", [1, 5, 16, 33])
@pytest.mark.parametrize(("rank", "axis"), [(2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (4, 3), (5, 1), (5, -1)])
def test_compiled(rank, axis, batch, dtype):
    check(rank, axis, int(rng.integers(2, 6)), batch, dtype=dtype, compiled=True)


@pytest.mark.parametrize("shape", [(2, 3), (1, 2, 3)])
def test_a_parameter_is_put_beside_every_sample(shape):
    """As the token of a class in front of a sequence."""
    x, y = rng.standard_normal((7, 4, 3)), np.arange(7) % 4
    layers = [
        MemoryDataLayer(data=[x, y], batch_size=3),
        ParameterLayer(name="tokens", shape=shape, init=GaussianInitializer()),
        ConcatLayer(name="all", bottoms=["tokens", "data"]),
        InnerProductLayer(name="mixed", axis=-1, output_dim=4, neuron=Neurons.Tanh(), bottoms=["all"]),
        InnerProductLayer(name="ip", output_dim=4, bottoms=["mixed"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
    ]
    net = Net("tokens", layers)
    assert net.blobs["all"].shape == (3, 6, 3)
    assert mochac.check_gradients(net).ok
    with mochac.compile(net, dtype="float64") as program:
        tokens = np.broadcast_to(program.params["tokens"]["value"][...].reshape(2, 3), (7, 2, 3))
        np.testing.assert_array_equal(program.predict(x, "all"), np.concatenate([tokens, x], axis=1))


def doubled(samples=11, batch=4):
    """A net whose loss sees every sample twice: once as it is, once through the same layer again."""
    data = MemoryDataLayer(data=[rng.standard_normal((samples, 3)), np.arange(samples) % 4], batch_size=batch)
    ip = InnerProductLayer(name="ip", output_dim=4, bottoms=["data"])
    both = ConcatLayer(name="both", axis=0, bottoms=["ip", "ip"])
    labels = ConcatLayer(name="labels", axis=0, bottoms=["label", "label"])
    return Net("doubled", [data, ip, both, labels, SoftmaxLossLayer(name="loss", bottoms=["both", "labels"])])


def test_samples_behind_samples():
    net = doubled()
    assert net.blobs["both"].shape == (8, 4)
    assert mochac.check_gradients(net).ok
    with mochac.compile(net) as program, pytest.raises(mochac.OptionError, match="does not hold one row per sample"):
        program.predict(np.zeros((1, 3)), "both")


@pytest.mark.slow
def test_evaluation_stays_exact_where_samples_are_mixed():
    """The last batch has 3 samples; the loss must not count the one that fills it up."""
    net = doubled()
    with mochac.compile(net) as program:
        program.train(SGD(), max_iter=3)
        (data,) = net.sources
        scores = program.predict(data.data[0], "ip").astype(float)
        chances = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        wanted = -np.log(chances[np.arange(11), data.data[1].ravel()]).mean()
        assert program.evaluate()["loss"] == pytest.approx(wanted, rel=1e-5)


def test_labels_are_checked_through_it():
    """The reader is told that `label` holds 4 classes, though the loss takes a blob made of it."""
    assert {f.top: f.classes for f in trace(doubled()).feeds} == {"data": None, "label": ClassIndices(4)}


@pytest.mark.parametrize(
    ("shapes", "fields", "rule", "expected", "got"),
    [
        ([(3, 4), (3, 5)], {}, "bottoms may differ along axis 1 only", "(2, 3, 4)", "(2, 3, 5)"),
        ([(3, 4), (3,)], {}, "bottoms may differ along axis 1 only", "(2, 3, 4)", "(2, 3)"),
        ([(3,), (4,)], {"axis": 0}, "bottoms may differ along axis 0 only", "(2, 3)", "(2, 4)"),
        ([(3,), (4,)], {"axis": 2}, "axis 2 is not an axis of its input", "0 <= axis < 2", "2"),
        ([(3,), (4,)], {"axis": -3}, "axis -3 is not an axis of its input", "0 <= axis < 2", "-3"),
    ],
)
def test_bottoms_that_do_not_fit(shapes, fields, rule, expected, got):
    arrays = [np.zeros((2, *s)) for s in shapes]
    tops = [f"b{k}" for k in range(len(arrays))]
    data = MemoryDataLayer(data=arrays, batch_size=2, tops=tops)
    with pytest.raises(ShapeError) as caught:
        Net("bad", [data, ConcatLayer(name="y", bottoms=tops, **fields)])
    assert rule in str(caught.value)
    assert f"expected  {expected},  got  {got}" in str(caught.value)
    assert "test_concat.py:" in str(caught.value)
