"""DataTransformers: what readers, evaluation and predict() see; order, shapes, files, messages."""

from __future__ import annotations

import h5py
import numpy as np
import pytest
from data_layers import write_files

import mochac
from mochac import (
    DataError,
    DataTransformers,
    HDF5DataLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    OptionError,
    SoftmaxLossLayer,
)
from mochac.nets.layers.config import config, rules
from mochac.nets.layers.transformers import DataTransformer
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.source import Reading, open_source
from mochac.runtime.data.targets import ClassIndices

SubMean, Scale = DataTransformers.SubMean, DataTransformers.Scale
rng = np.random.default_rng(20261121)
IMAGES = rng.integers(0, 256, (10, 3, 4, 5), np.uint8)


def first_batch(layer, dtype=np.float32):
    feed = Feed([open_source(layer)], dtype)
    try:
        feed.wait(1)
        return {top: np.array(a) for top, a in feed.arrays().items()}
    finally:
        feed.close()


def images(*steps, **fields):
    fields = {"data": [IMAGES, np.arange(10)], "batch_size": 4, **fields}
    return MemoryDataLayer(**fields, transformers=[("data", step) for step in steps])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_they_are_applied_in_order(dtype):
    mean = IMAGES.mean(axis=0)
    one = first_batch(images(SubMean(mean_blob=mean), Scale(1 / 128)), dtype)
    other = first_batch(images(Scale(1 / 128), SubMean(mean_blob=mean)), dtype)
    wide = IMAGES[:4].astype(float)
    np.testing.assert_allclose(one["data"], (wide - mean) / 128, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(other["data"], wide / 128 - mean, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(one["label"].ravel(), [0, 1, 2, 3])
    assert one["data"].dtype == dtype
    assert IMAGES.dtype == np.uint8


def test_every_top_has_its_own():
    layer = MemoryDataLayer(
        data=[np.ones((4, 2)), np.ones((4, 2))], tops=["a", "b"], batch_size=2,
        transformers=[("a", Scale(2)), ("b", SubMean(mean_blob=[1.0, 0.5])), ("a", Scale(3))],
    )  # fmt: skip
    found = first_batch(layer)
    assert found["a"].tolist() == [[6, 6], [6, 6]]
    assert found["b"].tolist() == [[0, 0.5], [0, 0.5]]


@pytest.mark.parametrize("shape", [(3, 4, 5), (1, 3, 4, 5), (1, 1, 3, 4, 5), (3, 1, 1), (1, 3, 1, 1), (1, 1, 1)])
def test_shapes_of_means(shape):
    mean = rng.standard_normal(shape)
    wanted = IMAGES[:4] - mean.reshape(shape[-3:])
    np.testing.assert_allclose(first_batch(images(SubMean(mean_blob=mean)))["data"], wanted, rtol=1e-5, atol=1e-5)


def test_mean_from_a_file_and_hdf5_data(tmp_path):
    source = write_files(tmp_path, [6, 4], np.uint8)
    with h5py.File(tmp_path / "mean.h5", "w") as file:
        file["mean"] = np.full((1, 2, 3), 0.5)
    steps = [("data", SubMean(mean_file=tmp_path / "mean.h5")), ("data", Scale(2.0)), ("label", Scale(3.0))]
    for kind in (HDF5DataLayer, mochac.AsyncHDF5DataLayer):
        found = first_batch(kind(source=source, batch_size=8, transformers=steps))
        np.testing.assert_array_equal(found["data"][:, 0, 0], 2 * (np.arange(8) - 0.5))
        np.testing.assert_array_equal(found["label"].ravel(), 3 * np.arange(8))


def test_labels_are_checked_as_they_arrive():
    """Scale makes class 2 of the data the classes' number 1."""
    data = MemoryDataLayer(data=[np.zeros((4, 2)), [0, 2, 4, 2]], batch_size=2, transformers=[("label", Scale(0.5))])
    feed = Feed([open_source(data, Reading(classes={"label": ClassIndices(2)}))])
    try:
        feed.wait(1)
        feed.release(1)
        with pytest.raises(DataError, match=r"expected  0 <= label < 2,  got  2\n  blob 'label', sample 2"):
            feed.wait(1)
    finally:
        feed.close()


def test_numbers_that_become_infinite_are_found():
    layer = MemoryDataLayer(
        data=[np.array([[1], [2], [3]], np.uint8)], tops=["x"], batch_size=1, transformers=[("x", Scale(1.5e38))]
    )
    feed = Feed([open_source(layer)])
    try:
        feed.wait(1)
        feed.release(1)
        feed.wait(1)
        feed.release(1)
        with pytest.raises(DataError, match="data holds an infinity"):
            feed.wait(1)
    finally:
        feed.close()


@pytest.mark.slow
def test_training_evaluation_and_prediction_see_the_same():
    """A net over raw images with transformers, and the same over images prepared by hand."""
    mean = IMAGES.mean(axis=0)
    prepared = ((IMAGES - mean) / 128).astype(np.float32)
    labels = np.arange(10) % 3
    ip = InnerProductLayer(name="ip", output_dim=3, bottoms=["data"])
    common = [ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])]
    raw = images(SubMean(mean_blob=mean), Scale(1 / 128), data=[IMAGES, labels])
    by_hand = MemoryDataLayer(name="memory-data", data=[prepared, labels], batch_size=4)
    with mochac.compile(Net("raw", [raw, *common])) as a, mochac.compile(Net("by-hand", [by_hand, *common])) as b:
        for program in (a, b):
            program.train(mochac.SGD(), max_iter=7)
        np.testing.assert_allclose(a.params["ip"]["weight"][...], b.params["ip"]["weight"][...], rtol=1e-4, atol=1e-6)
        assert a.evaluate()["loss"] == pytest.approx(b.evaluate()["loss"], rel=1e-5)
        before = IMAGES.copy()
        np.testing.assert_allclose(a.predict(IMAGES), b.predict(prepared), rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(a.predict({"data": IMAGES}, "data"), prepared, rtol=1e-4, atol=1e-6)
        given = IMAGES.astype(np.float32)
        a.predict(given)
        np.testing.assert_array_equal(given, before), "what is given stays as it is"


def test_one_of_your_own():
    @config
    class Flip(DataTransformer):
        """Left and right exchanged."""

        def prepared(self, shape):
            assert shape == (3, 4, 5)

            def flip(values):
                values[...] = values[..., ::-1].copy()

            return flip

    np.testing.assert_array_equal(first_batch(images(Flip()))["data"], IMAGES[:4, :, :, ::-1])


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({}, "SubMean: needs a mean\n  expected  mean_file or mean_blob,  got  neither"),
        ({"mean_file": "m.h5", "mean_blob": [1.0]}, "SubMean: needs a mean\n  expected  mean_file or mean_blob,  got"),
        ({"mean_blob": [np.nan]}, "SubMean: mean_blob is out of range"),
        ({"mean_file": 3}, "SubMean: mean_file is out of range"),
    ],
)
def test_means_that_are_none(fields, rule):
    with pytest.raises(OptionError) as caught:
        SubMean(**fields)
    assert rule in str(caught.value)
    assert "test_transformers.py:" in str(caught.value)


@pytest.mark.parametrize("factor", rules(Scale)["scale"].bad)
def test_factors_that_are_none(factor):
    with pytest.raises(OptionError, match="Scale: scale is out of range\n  expected  a finite number,"):
        Scale(factor)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([("date", Scale(2.0))], "a transformer names 'date', which is not a top\n  expected  data label,  got  date"),
        (("data", Scale(2.0)), "write [(top, transformer)], a list of pairs"),
        ([Scale(2.0)], "write [(top, transformer)], a list of pairs"),
        ([("data", Scale)], "write Scale(...) with parentheses"),
        ([("data", 0.5)], "transformers is out of range"),
    ],
)
def test_lists_that_are_none(given, said):
    with pytest.raises(OptionError) as caught:
        MemoryDataLayer(name="train", data=[IMAGES, np.arange(10)], batch_size=2, transformers=given)
    assert str(caught.value).startswith("layer 'train' (MemoryData): ")
    assert said in str(caught.value)


def mean_file(folder, write):
    with h5py.File(folder / "mean.h5", "w") as file:
        write(file)
    return str(folder / "mean.h5")


@pytest.mark.parametrize(
    ("transformer", "rule"),
    [
        (lambda folder: SubMean(mean_blob=np.zeros((2, 4, 5))), "the mean does not fit a sample"),
        (lambda folder: SubMean(mean_blob=np.zeros((2, 3, 4, 5))), "the mean does not fit a sample"),
        (lambda folder: SubMean(mean_blob=0.0), "the mean does not fit a sample"),
        (lambda folder: SubMean(mean_file="nowhere.h5"), "no mean file nowhere.h5"),
        (lambda folder: SubMean(mean_file=folder), "cannot read the mean from"),
        (lambda folder: SubMean(mean_file=mean_file(folder, lambda f: f.create_group("mean"))), "no dataset 'mean'"),
        (lambda folder: SubMean(mean_file=mean_file(folder, lambda f: f.update(mean=[np.inf]))), "is not finite"),
    ],
)
def test_what_does_not_fit_is_found_when_the_net_is_built(transformer, rule, tmp_path):
    with pytest.raises(DataError) as caught:
        Net("bad", [images(transformer(tmp_path)), InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])])
    text = str(caught.value)
    assert text.startswith("layer 'memory-data' (MemoryData): ")
    assert rule in text
    assert "transformer SubMean of top 'data'" in text
    assert "test_transformers.py:" in text
