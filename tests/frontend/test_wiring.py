"""Order of layers, in-place layers, and the faults that need names only."""

from __future__ import annotations

import numpy as np
import pytest

import mochac
from mochac import (
    AccuracyLayer,
    ActivationLayer,
    DropoutLayer,
    IdentityLayer,
    InnerProductLayer,
    InputLayer,
    MemoryDataLayer,
    MultiHeadAttentionLayer,
    Net,
    NetError,
    PowerLayer,
    SoftmaxLossLayer,
)
from mochac.nets.wiring import wire


def data(**fields):
    given = {"name": "in", "data": [np.zeros((4, 3)), np.zeros(4)], "batch_size": 2}
    return MemoryDataLayer(**{**given, **fields})


def ip(name, bottom, **fields):
    return InnerProductLayer(name=name, output_dim=3, bottoms=[bottom], **fields)


def names(layers):
    return [p.layer.name for p in wire(layers).order]


def test_levels_then_the_order_given():
    layers = [ip("d", "c"), ip("b", "data"), ip("c", "a"), ip("a", "data"), data()]
    assert names(layers) == ["in", "b", "a", "c", "d"]


def test_in_place_layers_come_before_other_readers_of_their_blob():
    layers = [data(), ip("next", "fc"), DropoutLayer(name="drop", bottoms=["fc"]), ip("fc", "data")]
    wiring = wire(layers)
    assert [p.layer.name for p in wiring.order] == ["in", "fc", "drop", "next"]
    assert wiring.order[2].replaces
    assert wiring.order[2].tops == ("fc",)


def test_several_in_place_layers_work_in_the_order_given():
    layers = [data(), ip("next", "fc"), *(DropoutLayer(name=n, bottoms=["fc"]) for n in ("d2", "d1")), ip("fc", "data")]
    assert names(layers) == ["in", "fc", "d2", "d1", "next"]


def test_dropout_whose_name_is_read_has_a_top_of_its_own():
    layers = [data(), ip("fc", "data"), DropoutLayer(name="drop", bottoms=["fc"]), ip("a", "drop"), ip("b", "fc")]
    wiring = wire(layers)
    assert not wiring.problems
    placed = {p.layer.name: p for p in wiring.order}
    assert placed["drop"].tops == ("drop",)
    assert not placed["drop"].replaces


def fault(layers, name="bad"):
    with pytest.raises(NetError) as caught:
        Net(name, layers)
    return caught.value


def lines(error):
    """The message without lines of places."""
    return [line for line in str(error).splitlines() if not line.strip().startswith("at ")]


def test_message_of_a_missing_bottom():
    error = fault([data(), ip("ip1", "dta")])
    assert lines(error) == [
        "layer 'ip1' (InnerProduct): no layer produces bottom 'dta'",
        "  blobs: data label",
        "  hint: did you mean 'data'?",
    ]
    assert error.at.startswith("tests/frontend/test_wiring.py:")


def test_message_of_a_duplicate_top():
    error = fault([data(), ip("a", "data", tops=["x"]), ip("b", "data", tops=["x"])])
    assert lines(error)[0] == "layer 'b' (InnerProduct): top 'x' is already made by another layer"
    assert "the other is layer 'a' (InnerProduct), tests/frontend/test_wiring.py:" in str(error)


def test_message_of_a_duplicate_name():
    error = fault([data(), ip("a", "data"), ip("a", "data", tops=["x"])])
    assert lines(error)[0] == "layer 'a' (InnerProduct): another layer has the same name"
    assert "param_key" in error.hint


def test_a_layer_listed_twice_is_one_problem():
    layer = ip("a", "data")
    error = fault([data(), layer, layer])
    assert len(error.problems) == 1
    assert "is in the list twice" in str(error)


def test_message_of_a_cycle():
    error = fault([data(), ip("a", "c"), ip("b", "a"), ip("c", "b"), ip("end", "c")])
    assert lines(error)[:2] == ["layer 'a' (InnerProduct): the layers form a cycle", "  a -> b -> c -> a"]


def test_message_of_a_layer_that_feeds_itself():
    error = fault([data(), ip("a", "a")])
    assert lines(error)[:2] == ["layer 'a' (InnerProduct): the layers form a cycle", "  a -> a"]


def test_faults_hide_nothing_and_repeat_nothing():
    """A layer behind a fault is silent, one beside it is not."""
    error = fault(
        [
            data(),
            ip("a", "nowhere"),
            ip("behind", "a"),
            IdentityLayer(name="beside", bottoms=["lable"]),
            SoftmaxLossLayer(name="loss", bottoms=["behind", "label"]),
            AccuracyLayer(name="acc", bottoms=["a", "labl"]),
        ]
    )
    assert [(type(p).__name__, p.layer) for p in error.problems] == [
        ("NetError", "a"),
        ("NetError", "beside"),
        ("NetError", "acc"),
    ]
    assert str(error).splitlines()[0] == "net 'bad' has 3 problems"


def test_an_empty_net_is_refused():
    assert str(fault([])) == "net 'bad' has no layers"


def test_an_activation_makes_a_blob_of_its_own_unless_its_top_is_its_bottom():
    x = np.array([[-1.0, 2.0, -3.0]])
    data = InputLayer(name="d", shape=(1, 3))
    reader = PowerLayer(name="same", scale=2.0, bottoms=["d"])
    for tops, expected in (({}, x * 2), ({"tops": ["d"]}, np.maximum(x, 0) * 2)):
        relu = ActivationLayer(name="relu", bottoms=["d"], **tops)
        also = IdentityLayer(name="also", bottoms=["relu" if not tops else "d"])
        for layers in ([data, relu, reader], [data, relu, reader, also]):
            with mochac.compile(Net("n", layers), dtype="float64", threads=1) as program:
                np.testing.assert_array_equal(program.predict(x, blob="same"), expected)


def test_a_layers_own_top_is_not_suggested_to_it():
    sequence = InputLayer(name="in", shape=(2, 3, 8), tops=["x"])
    masks = InputLayer(name="masks", shape=(2, 3), tops=["masks"])
    attention = MultiHeadAttentionLayer(name="maskk", bottoms=["x"], heads=4, mask="maskk2")
    assert lines(fault([sequence, masks, attention])) == [
        "layer 'maskk' (MultiHeadAttention): no layer produces blob 'maskk2' for mask",
        "  blobs: masks x",
        "  hint: did you mean 'masks'?",
    ]
