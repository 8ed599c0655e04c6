"""Traced graphs, run by the interpreter, against forward passes written here in plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

from mochac import (
    AccuracyLayer,
    BinaryCrossEntropyLossLayer,
    ConvolutionLayer,
    DropoutLayer,
    ElementWiseFunctors,
    ElementWiseLayer,
    IdentityLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    Neurons,
    OptionError,
    Pooling,
    PoolingLayer,
    PowerLayer,
    ReshapeLayer,
    SoftmaxLayer,
    SoftmaxLossLayer,
    SplitLayer,
)
from mochac.ir import parse, run, verify
from mochac.nets.trace import trace
from mochac.runtime.data.targets import ClassIndices

SEED = 5
RNG = np.random.default_rng(SEED)
IMAGES = RNG.random((6, 1, 28, 28))
LABELS = RNG.integers(0, 10, 6)


def lenet(*ends):
    return Net(
        "LeNet",
        [
            MemoryDataLayer(name="train", data=[IMAGES, LABELS], batch_size=6),
            ConvolutionLayer(name="conv1", n_filter=20, kernel=5, bottoms=["data"]),
            PoolingLayer(name="pool1", kernel=2, stride=2, bottoms=["conv1"]),
            ConvolutionLayer(name="conv2", n_filter=50, kernel=5, bottoms=["pool1"]),
            PoolingLayer(name="pool2", kernel=2, stride=2, bottoms=["conv2"]),
            InnerProductLayer(name="ip1", output_dim=500, neuron=Neurons.ReLU(), bottoms=["pool2"]),
            InnerProductLayer(name="ip2", output_dim=10, bottoms=["ip1"]),
            SoftmaxLossLayer(name="loss", bottoms=["ip2", "label"]),
            *ends,
        ],
    )


def weights(traced):
    """The parameters' initial values, and biases that are not zero."""
    rng = np.random.default_rng(SEED)
    values = {p.value: p.init.fill(p.shape, np.dtype("f8"), rng) for p in traced.params}
    return {k: v + 0.1 * rng.random(v.shape) * k.endswith("bias") for k, v in values.items()}


def evaluate(traced, data, **hyper):
    graph = traced.graph
    verify(graph)
    assert parse(str(graph)) == graph
    labels = {"label": LABELS[:, None]} if any(i.name == "label" for i in graph.inputs) else {}
    return run(graph, {"data": data, **labels, **weights(traced), **hyper}, dtype="f64")


def convolved(x, w, b):
    return np.einsum("nchwij,fcij->nfhw", sliding_window_view(x, w.shape[2:], axis=(2, 3)), w) + b[:, None, None]


def halved(x):
    n, c, h, w = x.shape
    return x.reshape(n, c, h // 2, 2, w // 2, 2).max(axis=(3, 5))


def forward(w, x):
    x = halved(convolved(x, w["conv1.filter"], w["conv1.bias"]))
    x = halved(convolved(x, w["conv2.filter"], w["conv2.bias"]))
    x = np.maximum(x.reshape(len(x), -1) @ w["ip1.weight"].T + w["ip1.bias"], 0)
    return x @ w["ip2.weight"].T + w["ip2.bias"]


def losses(pred):
    return np.log(np.exp(pred).sum(axis=1)) - pred[np.arange(len(pred)), LABELS[: len(pred)]]


def test_lenet_is_the_forward_pass_written_by_hand():
    traced = trace(lenet())
    result = evaluate(traced, IMAGES)
    pred = forward(weights(traced), IMAGES)
    assert np.allclose(result.values[traced.blobs["ip2"]], pred, rtol=1e-12)
    assert traced.total_loss == "total_loss" or traced.total_loss == traced.losses[0].value
    assert np.allclose(result[traced.total_loss], losses(pred).mean(), rtol=1e-12)


def test_values_are_named_as_blobs_and_parameters_as_keys():
    traced = trace(lenet())
    assert all(blob == value for blob, value in traced.blobs.items())
    assert [p.value for p in traced.params][:3] == ["conv1.filter", "conv1.bias", "conv2.filter"]
    assert [(i.name, i.role) for i in traced.graph.inputs][:3] == [
        ("data", "data"),
        ("label", "data"),
        ("conv1.filter", "param"),
    ]
    assert str(traced.graph.inputs[0].type) == "f32[b6,1,28,28]"
    assert [(p.lr_mult, p.shape) for p in traced.params[:2]] == [(1.0, (20, 1, 5, 5)), (2.0, (20,))]
    assert traced.graph.producers()["conv1"].loc[0].file == "tests/frontend/test_trace.py"


def test_labels_that_layers_hand_on_are_known_to_be_probabilities():
    data = MemoryDataLayer(data=[np.ones((4, 2)), np.ones((4, 2))], batch_size=2)
    loss = BinaryCrossEntropyLossLayer(bottoms=["data", "same"], logits=True)
    traced = trace(Net("n", [data, PowerLayer(name="same", bottoms=["label"]), loss]))
    assert [(f.top, f.targets) for f in traced.feeds] == [("data", ()), ("label", ("probability",))]


def test_labels_are_known_to_be_classes():
    traced = trace(lenet())
    found = [(f.top, f.value, f.classes) for f in traced.feeds]
    assert found == [("data", "data", None), ("label", "label", ClassIndices(10))]


def test_test_mode_sums_over_the_valid_samples():
    ends = [AccuracyLayer(name="acc", bottoms=["ip2", "label"], report_error=True)]
    traced = trace(lenet(*ends), "test", "float64")
    result = evaluate(traced, IMAGES, n_valid=4)
    pred = forward(weights(traced), IMAGES)[:4]
    assert np.allclose(result[traced.losses[0].value], losses(pred).sum(), rtol=1e-12)
    correct = (pred.argmax(axis=1) == LABELS[:4]).sum()
    assert [(s.name, s.per_sample, float(result[s.value])) for s in traced.statistics] == [
        ("acc-accuracy", 1, correct),
        ("acc-error", 1, 4 - correct),
    ]
    assert str(traced.graph.inputs[0].type) == "f64[b6,1,28,28]"


@pytest.mark.parametrize("mode", ["train", "test"])
def test_batch_of_the_plan_may_differ(mode):
    traced = trace(lenet(), mode, batch=1)
    assert traced.batch == 1
    assert traced.graph.types()[traced.blobs["ip2"]].shape == (1, 10)
    assert traced.graph.types()["ip1"].batch


def small(*layers, mode="train", batch=4, shape=(3, 4, 4), **options):
    source = MemoryDataLayer(name="in", data=[np.zeros((batch, *shape))], tops=["data"], batch_size=batch)
    return trace(Net("small", [source, *layers]), mode, "float64", **options)


def values(traced, x, **hyper):
    result = evaluate(traced, x, **hyper)
    return {blob: result.values[value] for blob, value in traced.blobs.items()}


X = RNG.random((4, 3, 4, 4)) + 0.5


def test_dropout_in_place():
    traced = small(
        DropoutLayer(name="drop", ratio=0.25, bottoms=["data"]), IdentityLayer(name="y", bottoms=["data"]), seed=3
    )
    y = values(traced, X, step=7)["y"]
    kept = y != 0
    assert 0 < kept.mean() < 1
    assert np.allclose(y[kept], X[kept] / 0.75)
    assert np.array_equal(y, values(traced, X, step=7)["y"])
    assert not np.array_equal(y, values(traced, X, step=8)["y"])


def test_dropout_masks_depend_on_seed_and_layer_name_only():
    def masks(seed, *names):
        traced = small(*(DropoutLayer(name=n, bottoms=["data"], tops=[n]) for n in names), seed=seed)
        found = values(traced, X, step=0)
        return [found[n] != 0 for n in names]

    first, second = masks(0, "a", "b")
    assert not np.array_equal(first, second)
    assert np.array_equal(masks(0, "b")[0], second)
    assert not np.array_equal(masks(1, "b")[0], second)


def test_dropout_without_scaling_and_with_a_top():
    traced = small(DropoutLayer(name="drop", auto_scale=False, bottoms=["data"], tops=["y"]))
    found = values(traced, X, step=0)
    kept = found["y"] != 0
    assert np.array_equal(found["y"][kept], X[kept])
    assert np.array_equal(found["data"], X)


def test_dropout_is_nothing_in_test_mode():
    traced = small(DropoutLayer(name="drop", bottoms=["data"], tops=["y"]), mode="test")
    assert [node.op for node in traced.graph.nodes] == ["reshape"]
    assert traced.blobs == {"data": "data", "y": "y"}


NEURONS = [
    (Neurons.Identity(), lambda x: x),
    (Neurons.ReLU(), lambda x: np.maximum(x, 0)),
    (Neurons.ReLU(epsilon=0.3), lambda x: np.maximum(x, 0.3)),
    (Neurons.LReLU(), lambda x: np.where(x > 0, x, 0.01 * x)),
    (Neurons.Sigmoid(), lambda x: 1 / (1 + np.exp(-x))),
    (Neurons.Tanh(), np.tanh),
    (Neurons.Exponential(), np.exp),
]


@pytest.mark.parametrize(("neuron", "formula"), NEURONS, ids=lambda v: type(v).__name__)
def test_neurons(neuron, formula):
    traced = small(PoolingLayer(name="y", neuron=neuron, bottoms=["data"]))
    x = RNG.normal(size=X.shape)
    assert np.allclose(values(traced, x)["y"], formula(x), rtol=1e-12)


FUNCTORS = [("Add", np.add), ("Subtract", np.subtract), ("Multiply", np.multiply), ("Divide", np.divide)]


@pytest.mark.parametrize(("name", "formula"), FUNCTORS)
def test_element_wise(name, formula):
    operation = getattr(ElementWiseFunctors, name)()
    layers = [
        PoolingLayer(name="b", neuron=Neurons.Exponential(), bottoms=["data"]),
        ElementWiseLayer(name="y", operation=operation, bottoms=["data", "b"]),
    ]
    assert np.allclose(values(small(*layers), X)["y"], formula(X, np.exp(X)), rtol=1e-12)


def test_mean_pooling_softmax_reshape_split():
    layers = [
        PoolingLayer(name="mean", kernel=2, stride=2, pooling=Pooling.Mean(), bottoms=["data"]),
        SoftmaxLayer(name="soft", axis=-3, bottoms=["mean"]),
        ReshapeLayer(name="flat", shape=12, bottoms=["soft"]),
        SplitLayer(name="split", bottoms=["flat"], tops=["a", "b"]),
    ]
    found = values(small(*layers), X)
    mean = X.reshape(4, 3, 2, 2, 2, 2).mean(axis=(3, 5))
    soft = np.exp(mean) / np.exp(mean).sum(axis=1, keepdims=True)
    assert np.allclose(found["mean"], mean)
    assert np.allclose(found["soft"], soft)
    assert np.allclose(found["a"], soft.reshape(4, 12))
    assert np.array_equal(found["a"], found["b"])


def test_several_bottoms_share_one_parameter():
    layers = [
        PoolingLayer(name="twice", neuron=Neurons.Exponential(), bottoms=["data"]),
        InnerProductLayer(name="ip", output_dim=2, bottoms=["data", "twice"], tops=["a", "b"]),
    ]
    traced = small(*layers)
    w, found = weights(traced), values(small(*layers), X)
    for blob, x in (("a", X), ("b", np.exp(X))):
        assert np.allclose(found[blob], x.reshape(4, -1) @ w["ip.weight"].T + w["ip.bias"])
    assert len(traced.params) == 2


def test_groups_and_padding():
    layer = ConvolutionLayer(
        name="y", n_filter=6, n_group=3, kernel=(3, 1), pad=(1, 0), stride=(2, 1), bottoms=["data"]
    )
    traced = small(layer)
    w = weights(traced)
    padded = np.pad(X, [(0, 0), (0, 0), (1, 1), (0, 0)])
    parts = [
        convolved(padded[:, g : g + 1], w["y.filter"][2 * g : 2 * g + 2], w["y.bias"][2 * g : 2 * g + 2])
        for g in range(3)
    ]
    assert np.allclose(values(traced, X)["y"], np.concatenate(parts, axis=1)[:, :, ::2])


def test_several_weighted_losses_add_up():
    layers = [
        MemoryDataLayer(name="in", data=[RNG.random((6, 4, 2)), LABELS[:6, None, None] % 4 * np.ones((6, 1, 2))],
                        batch_size=6),
        SoftmaxLossLayer(name="l1", weight=2, bottoms=["data", "label"], tops=["l1"]),
        SoftmaxLossLayer(name="l2", weight=0.5, bottoms=["data", "label"]),
    ]  # fmt: skip
    for mode, hyper in (("train", {}), ("test", {"n_valid": 6})):
        traced = trace(Net("n", layers), mode, "float64")
        x, label = layers[0].data
        result = run(traced.graph, {"data": x, "label": label, **hyper})
        each = np.log(np.exp(x).sum(axis=1)) - np.take_along_axis(x, label.astype(int), axis=1)[:, 0]
        total = 2.5 * each.mean() * (1 if mode == "train" else 6)
        assert np.allclose(result[traced.total_loss], total, rtol=1e-12)
        assert [(r.layer, r.objective) for r in traced.losses] == [("l1", True), ("l2", True)]
        assert traced.blobs["l1"] == traced.losses[0].mean


def test_names_that_clash_are_kept_apart():
    layers = [
        PoolingLayer(name="lr", bottoms=["data"]),
        PoolingLayer(name="step", bottoms=["lr"]),
        PoolingLayer(name="ip.weight", bottoms=["step"]),
        PoolingLayer(name="a blob", bottoms=["ip.weight"]),
        InnerProductLayer(name="ip", output_dim=2, bottoms=["a blob"]),
    ]
    traced = small(*layers)
    assert {"lr", "step", "momentum", "n_valid"}.isdisjoint(traced.graph.types())
    w = weights(traced)
    assert np.allclose(values(traced, X)["ip"], X.reshape(4, -1) @ w["ip.weight"].T + w["ip.bias"])


def test_no_such_mode_or_dtype():
    with pytest.raises(OptionError, match="'train' or 'test'"):
        trace(lenet(), "training")
    with pytest.raises(OptionError, match="'float32' or 'float64'"):
        trace(lenet(), dtype="float16")
