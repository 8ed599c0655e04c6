"""Identity, Reshape, Flatten and Split: the same numbers under other names and shapes, several at once."""

from __future__ import annotations

import numpy as np
import pytest
from layer_values import values

from mochac import (
    ElementWiseFunctors,
    ElementWiseLayer,
    FlattenLayer,
    IdentityLayer,
    MemoryDataLayer,
    Net,
    ReshapeLayer,
    ShapeError,
    SplitLayer,
)
from mochac.nets.trace import trace

rng = np.random.default_rng(20261121)
FEEDS = {"a": rng.standard_normal((3, 2, 3, 2)), "b": rng.standard_normal((3, 12)), "c": rng.standard_normal((3, 4, 3))}
KINDS = [
    (IdentityLayer, {}, lambda x: x),
    (ReshapeLayer, {"shape": (3, 4)}, lambda x: x.reshape(3, 3, 4)),
    (ReshapeLayer, {"shape": (1, 12, 1)}, lambda x: x.reshape(3, 1, 12, 1)),
    (FlattenLayer, {}, lambda x: x.reshape(3, 12)),
]


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("kind", "fields", "wanted"), KINDS)
def test_every_top_is_its_bottom(kind, fields, wanted, compiled):
    layer = kind(name="many", bottoms=list(FEEDS), tops=["x", "y", "z"], **fields)
    for bottom, top in zip(FEEDS, layer.tops, strict=True):
        arriving = rng.standard_normal(wanted(FEEDS[bottom]).shape)
        y, gradients = values([layer], FEEDS, top, arriving, compiled=compiled)
        np.testing.assert_array_equal(y, wanted(FEEDS[bottom]))
        for name, gradient in gradients.items():
            expected = arriving.reshape(FEEDS[name].shape) if name == bottom else np.zeros_like(FEEDS[name])
            np.testing.assert_array_equal(gradient, expected)


def test_flatten_keeps_the_first_axes():
    y, _ = values([FlattenLayer(name="y", outdim=3, bottoms=["a"])], {"a": FEEDS["a"]}, "y")
    np.testing.assert_array_equal(y, FEEDS["a"].reshape(3, 2, 6))


def test_split_gives_its_bottom_to_all_and_sums_what_comes_back():
    tops = ["x", "y", "z"]
    split = SplitLayer(bottoms=["a"], tops=tops)
    net = Net("split", [MemoryDataLayer(data=[FEEDS["a"]], batch_size=3, tops=["a"]), split])
    assert set(trace(net).blobs) == {"a", *tops}
    product = ElementWiseLayer(name="end", operation=ElementWiseFunctors.Multiply(), bottoms=["x", "z"])
    y, gradients = values([split, product], {"a": FEEDS["a"]}, "end", np.ones(FEEDS["a"].shape))
    np.testing.assert_array_equal(y, FEEDS["a"] ** 2)
    np.testing.assert_array_equal(gradients["a"], 2 * FEEDS["a"])


def test_refused():
    data = MemoryDataLayer(data=list(FEEDS.values()), batch_size=3, tops=list(FEEDS))
    for layer, rule in (
        (ReshapeLayer(name="r", bottoms=["a", "b"], tops=["x", "y"], shape=(5,)), "12 features,  got  5 = 5"),
        (FlattenLayer(name="f", bottoms=["a", "b"], tops=["x", "y"], outdim=3), r"3 or more axes,  got  \(3, 12\)"),
    ):
        with pytest.raises(ShapeError, match=rule):
            Net("bad", [data, layer])
