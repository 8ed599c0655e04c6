"""CropLayer: every crop is a window of its image at a place that was drawn; the centre in test mode."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from layer_values import values

import mochac
from mochac import SGD, CropLayer, InnerProductLayer, MemoryDataLayer, Net, ShapeError, SoftmaxLossLayer
from mochac.ir.interp import run
from mochac.ir.op import OPS
from mochac.lowering.plan_graphs import debug_plan
from mochac.nets.layers.images import strides
from mochac.nets.trace import trace

rng = np.random.default_rng(20261121)


def images(count, size, channels=2):
    return rng.standard_normal((count, channels, *size))


def network(x, batch, **fields):
    data = MemoryDataLayer(data=[x, np.arange(len(x)) % 3], batch_size=batch)
    crop = CropLayer(name="crop", bottoms=["data"], **fields)
    ip = InnerProductLayer(name="ip", output_dim=3, bottoms=["crop"])
    return Net("crops", [data, crop, ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])


def cropped(net, x, step, mode="train", seed=0):
    """The blob after a step, interpreted."""
    traced = trace(net, mode, "float64", seed=seed)
    graph = traced.graph.with_(outputs=(traced.blobs["crop"],))
    given = {"data": x[: traced.batch], "step": np.int64(step)}
    return run(graph, {i.name: given.get(i.name, np.zeros(i.type.shape)) for i in graph.inputs})[graph.outputs[0]]


def places(crops, x, mirrored=(False, True)):
    """For each crop the (top, left, mirrored) of the only window of its image that it is."""
    found = []
    for crop, image in zip(crops, x, strict=True):
        height, width = (have - want + 1 for have, want in zip(image.shape[1:], crop.shape[1:], strict=True))
        hits = [
            (i, j, flip) for i in range(height) for j in range(width) for flip in mirrored
            if np.array_equal(crop, image[:, i : i + crop.shape[1], j : j + crop.shape[2]][:, :, :: -1 if flip else 1])
        ]  # fmt: skip
        assert len(hits) == 1
        found.append(hits[0])
    return found


@pytest.mark.parametrize(("size", "crop", "start"), [((7, 6), (4, 3), (1, 1)), ((5, 8), (5, 3), (0, 2))])
def test_the_centre_by_default(size, crop, start):
    x = images(3, size)
    wanted = x[:, :, start[0] : start[0] + crop[0], start[1] : start[1] + crop[1]]
    arriving = rng.standard_normal(wanted.shape)
    y, gradients = values([CropLayer(name="y", bottoms=["x"], crop_size=crop)], {"x": x}, "y", arriving)
    np.testing.assert_array_equal(y, wanted)
    inside = np.zeros_like(x)
    inside[:, :, start[0] : start[0] + crop[0], start[1] : start[1] + crop[1]] = arriving
    np.testing.assert_array_equal(gradients["x"], inside)


def test_places_are_drawn_for_every_sample_and_step():
    x = images(40, (7, 9))
    net = network(x, 40, crop_size=(5, 6), random_crop=True, random_mirror=True)
    first, second = (places(cropped(net, x, step), x) for step in (0, 1))
    assert first != second
    assert first == places(cropped(net, x, 0), x)
    assert first != places(cropped(net, x, 0, seed=1), x)
    seen = Counter(first + second)
    assert {i for i, _, _ in seen} == {0, 1, 2}
    assert {j for _, j, _ in seen} == {0, 1, 2, 3}
    assert {flip for _, _, flip in seen} == {False, True}


def test_one_draw_for_the_batch():
    x = images(12, (7, 9))
    net = network(x, 12, crop_size=(5, 6), random_crop=True, random_mirror=True, per_sample=False)
    drawn = [set(places(cropped(net, x, step), x)) for step in range(12)]
    assert all(len(found) == 1 for found in drawn)
    assert len(set.union(*drawn)) > 4


def test_mirror_alone_keeps_the_centre():
    x = images(12, (5, 5))
    net = network(x, 12, crop_size=3, random_mirror=True)
    assert {(i, j) for i, j, _ in places(cropped(net, x, 3), x)} == {(1, 1)}


@pytest.mark.parametrize("fields", [{}, {"random_crop": True, "random_mirror": True}])
def test_test_mode_takes_the_centre(fields):
    x = images(4, (7, 9))
    net = network(x, 4, crop_size=(4, 6), **fields)
    np.testing.assert_array_equal(cropped(net, x, 0, mode="test"), x[:, :, 1:5, 1:7])


def test_several_bottoms_are_drawn_independently():
    x = images(12, (7, 9))
    data = MemoryDataLayer(data=[x, x], batch_size=12, tops=["a", "b"])
    crop = CropLayer(name="crop", bottoms=["a", "b"], tops=["c", "d"], crop_size=(3, 3), random_crop=True)
    traced = trace(Net("two", [data, crop]), "train", "float64")
    graph = debug_plan(traced, backward=False).graph
    found = run(graph, {"a": x, "b": x, "step": np.int64(0)})
    assert places(found["c"], x, (False,)) != places(found["d"], x, (False,))


@pytest.mark.slow
@pytest.mark.parametrize("per_sample", [True, False])
def test_gradients(per_sample):
    x = images(4, (6, 7))
    data = MemoryDataLayer(data=[x, np.arange(4) % 3], batch_size=4)
    conv = mochac.ConvolutionLayer(name="conv", n_filter=2, kernel=2, bottoms=["data"])
    fields = {"random_crop": True, "random_mirror": True, "per_sample": per_sample}
    crop = CropLayer(name="crop", bottoms=["conv"], crop_size=(3, 2), **fields)
    ip = InnerProductLayer(name="ip", output_dim=3, bottoms=["crop"])
    net = Net("g", [data, conv, crop, ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])
    assert mochac.check_gradients(net).ok


def test_shifts_reach_every_offset_and_none_beyond():
    for spare in range(1, 300):
        rest = spare
        for stride, most in strides(spare):
            assert most <= 7
            rest -= stride * most
            assert stride - 1 <= rest  # what the later shifts can reach closes the gaps of this one
        assert rest == 0


@pytest.mark.slow
@pytest.mark.parametrize("per_sample", [True, False])
@pytest.mark.parametrize(("size", "crop"), [((32, 32), (28, 28)), ((20, 40), (7, 5)), ((9, 9), (9, 2))])
def test_compiled_crops_are_those_of_the_interpreter(size, crop, per_sample):
    x = images(19, size, channels=3).astype(np.float32)
    net = network(x, 19, crop_size=crop, random_crop=True, random_mirror=True, per_sample=per_sample)
    with mochac.compile(net) as program:
        for step in range(3):
            program.forward()
            np.testing.assert_array_equal(program.blobs["crop"], cropped(net, x.astype(float), step))
            places(program.blobs["crop"], x)
        program.train(SGD(), max_iter=2)
        centre = [(have - want) // 2 for have, want in zip(size, crop, strict=True)]
        wanted = x[:, :, centre[0] : centre[0] + crop[0], centre[1] : centre[1] + crop[1]]
        np.testing.assert_array_equal(program.predict(x, "crop"), wanted)


def test_every_place_is_equally_likely():
    """Pearson's statistic over 29 offsets, 20,000 draws: below the 99.9 % point of 28 degrees of freedom."""
    drawn = OPS["random_int"].reference(np.int64(4), key=12345, high=29, shape=(20000,))
    expected = 20000 / 29
    assert ((np.bincount(drawn, minlength=29) - expected) ** 2 / expected).sum() < 56.9


@pytest.mark.parametrize(
    ("shape", "size", "rule", "expected", "got"),
    [
        ((1, 4, 4), (5, 4), "crop_size is larger than its input", "at most (4, 4)", "(5, 4)"),
        ((4, 4), (2, 2), "crops images", "(batch, channels, height, width)", "(2, 4, 4)"),
    ],
)
def test_refused(shape, size, rule, expected, got):
    data = MemoryDataLayer(data=[np.zeros((2, *shape))], batch_size=2, tops=["data"])
    with pytest.raises(ShapeError) as caught:
        Net("bad", [data, CropLayer(name="crop", bottoms=["data"], crop_size=size)])
    assert f"{rule}\n  expected  {expected},  got  {got}" in str(caught.value)
