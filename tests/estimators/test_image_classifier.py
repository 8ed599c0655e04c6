"""ImageClassifier: what reaches the net, by a net that shows it, and what comes out."""

import numpy as np
import pytest

import mochac
from mochac import (
    ConvolutionLayer,
    ImageClassifier,
    ImageFolderLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    SoftmaxLayer,
)

RNG = np.random.default_rng(9)


def net(channels=3, height=4, width=5, batch=3, classes=6, softmax=True):
    """A linear layer on the image, with a softmax behind it or not."""
    data = MemoryDataLayer(data=[np.zeros((batch, channels, height, width))], tops=["data"], batch_size=batch)
    ip = InnerProductLayer(name="ip", output_dim=classes, bottoms=["data"])
    return Net("shown", [data, ip, *([SoftmaxLayer(name="prob", bottoms=["ip"])] if softmax else [])])


@pytest.fixture(scope="module")
def program():
    with mochac.compile(net()) as made:
        yield made


def by_hand(program, x):
    scores = x.reshape(len(x), -1) @ program.params["ip"]["weight"][...].T + program.params["ip"]["bias"][...]
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


@pytest.mark.slow
def test_the_most_probable_classes(program):
    names = ["ant", "bee", "cat", "dog", "eel", "fox"]
    images = RNG.uniform(size=(7, 4, 5, 3))
    classifier = ImageClassifier(program, classes=names)
    expected = by_hand(program, images.transpose(0, 3, 1, 2))
    np.testing.assert_allclose(classifier.probabilities(images), expected, 1e-4)
    rankings = classifier.classify(images, k=2)
    for ranking, row in zip(rankings, expected, strict=True):
        best = np.argsort(-row)[:2]
        assert [name for name, _ in ranking] == [names[c] for c in best]
        assert [p for _, p in ranking] == pytest.approx(row[best].tolist(), rel=1e-4)
    one = classifier.classify(images[0], k=10)
    assert len(one) == 6  # there are no more
    assert [name for name, _ in one[:2]] == [name for name, _ in rankings[0]]
    assert classifier.classify(list(images[:1]), k=1)[0][0][0] == one[0][0]
    assert classifier.classify([]) == []
    assert ImageClassifier(program).classify(images[0], k=1)[0][0] == str(names.index(one[0][0]))


def test_grey_in_all_channels_and_exchanged_axes(program):
    """Mocha's grayscale and sp_order: the image is exchanged first, then grey, resized and cropped."""
    image = RNG.uniform(size=(5, 4, 3))
    grey = (image @ np.array([0.299, 0.587, 0.114])).T
    classifier = ImageClassifier(program, grayscale=True, sp_order=(1, 0))
    np.testing.assert_allclose(classifier.preprocess(image), np.stack([grey] * 3), atol=1e-3)
    np.testing.assert_array_equal(classifier.preprocess(grey.T.astype(np.float32))[0], grey.astype(np.float32))
    plain = ImageClassifier(program, grayscale=False, sp_order=(0, 1)).preprocess(image.transpose(1, 0, 2))
    np.testing.assert_array_equal(plain, ImageClassifier(program, sp_order=(1, 0)).preprocess(image))


def test_what_reaches_the_net(program):
    image = RNG.integers(0, 256, (8, 10, 3), np.uint8)
    means = np.array([1.0, 2.0, 3.0])
    classifier = ImageClassifier(
        program, image_size=(8, 10), channel_order=(2, 1, 0), mean=means, raw_scale=255, scale=0.5
    )
    cut = image[2:6, 2:7, ::-1].astype(float)
    expected = ((cut - means) * 0.5).transpose(2, 0, 1)
    np.testing.assert_allclose(classifier.preprocess(image), expected, atol=1e-4)
    plain = ImageClassifier(program)
    halved = image.reshape(4, 2, 5, 2, 3) / 255.0
    assert plain.preprocess(image).shape == (3, 4, 5)
    assert abs(plain.preprocess(image).mean() - halved.mean()) < 0.02
    grey = ImageClassifier(program).preprocess(np.full((4, 5), 0.25))
    assert grey.shape == (3, 4, 5)
    assert np.allclose(grey, 0.25)


@pytest.fixture(scope="module")
def in_folder(tmp_path_factory):
    """A classifier of a net that reads a folder of images."""
    image = pytest.importorskip("PIL.Image", reason="image files need the package Pillow")
    folder = tmp_path_factory.mktemp("two")
    for name in "ab":
        (folder / name).mkdir()
        image.new("RGB", (5, 4)).save(folder / name / "1.png")
    images = ImageFolderLayer(name="images", folder=folder, size=(4, 5), batch_size=2)
    two = InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])
    return ImageClassifier(mochac.compile(Net("two", [images, two]), threads=1))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("image", "said"),
    [
        (
            np.full((4, 5, 3), 200.0),
            "an image of floats is not in [0, 1]\n  expected  floats in [0, 1], or uint8,  got  200 .. 200\n"
            "  hint: floats of 0 .. 255: image / 255, or image.astype(np.uint8)",
        ),
        (
            np.linspace(-2, 2, 60).reshape(4, 5, 3),
            "an image of floats is not in [0, 1]\n  expected  floats in [0, 1], or uint8,  got  -2 .. 2",
        ),
        (
            np.zeros((3, 20, 20), np.uint8),
            "the image has another number of channels\n  expected  (height, width) or (height, width, 3),  got  "
            "(3, 20, 20)\n  hint: channels come last: image.transpose(1, 2, 0)",
        ),
        (
            np.zeros((20, 20, 2), np.uint8),
            "the image has another number of channels\n  expected  (height, width) or (height, width, 3),  got  "
            "(20, 20, 2)",
        ),
    ],
)
def test_arrays_that_are_no_images(program, in_folder, image, said):
    for classifier in (ImageClassifier(program), in_folder):
        with pytest.raises(mochac.DataError) as caught:
            classifier.classify(image)
        assert str(caught.value) == said


def test_floats_may_overshoot_as_after_a_resize(program, in_folder):
    image = np.linspace(-0.1, 1.1, 60).reshape(4, 5, 3)
    assert ImageClassifier(program).preprocess(image).max() == np.float32(1.1)
    np.testing.assert_array_equal(in_folder.preprocess(image), in_folder.preprocess(image.clip(0, 1)))


class Tensor:
    """An array of another library."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return self.array

    def __iter__(self):
        return map(Tensor, self.array)


def test_one_image_of_another_library(program):
    classifier, image = ImageClassifier(program), RNG.integers(0, 256, (8, 8, 3), np.uint8)
    assert classifier.classify(Tensor(image)) == classifier.classify(image)
    assert classifier.classify(Tensor(image[None])) == [classifier.classify(image)]


def test_means_of_every_form(program, tmp_path):
    image, full = np.zeros((8, 9, 3)), RNG.normal(size=(3, 8, 9)).astype(np.float32)
    np.save(tmp_path / "mean.npy", full)
    for mean in (full, full[None], tmp_path / "mean.npy", str(tmp_path / "mean.npy")):
        found = ImageClassifier(program, image_size=(8, 9), mean=mean).preprocess(image)
        np.testing.assert_allclose(found, -full[:, 2:6, 2:7], atol=1e-6)
    small = full[:, :4, :5]
    np.testing.assert_allclose(ImageClassifier(program, image_size=(8, 9), mean=small).preprocess(image), -small)
    assert np.allclose(ImageClassifier(program, mean=2).preprocess(image), -2)
    with pytest.raises(mochac.ShapeError, match=r"(?s)mean does not fit.*expected  \(3,\), \(3, 4, 5\).*got  \(2,\)"):
        ImageClassifier(program, mean=[1, 2])


def test_image_files(program, tmp_path):
    image = pytest.importorskip("PIL.Image", reason="image files need the package Pillow")
    pixels = RNG.integers(0, 256, (4, 5, 3), np.uint8)
    image.fromarray(pixels).save(tmp_path / "x.png")
    classifier = ImageClassifier(program)
    from_file = classifier.classify([tmp_path / "x.png", str(tmp_path / "x.png")])
    assert from_file == [classifier.classify(pixels)] * 2
    assert classifier.classify(tmp_path / "x.png") == from_file[0]


def test_names_from_a_file(program, tmp_path):
    (tmp_path / "words.txt").write_text("a cat\n\nb dog\n")
    with pytest.raises(mochac.OptionError, match=r"(?s)another number of classes.*expected  6,  got  2 names"):
        ImageClassifier(program, classes=tmp_path / "words.txt")
    (tmp_path / "words.txt").write_text("".join(f"n{k} thing {k}\n" for k in range(6)))
    assert ImageClassifier(program, classes=tmp_path / "words.txt").classes[5] == "n5 thing 5"
    with pytest.raises(mochac.DataError, match="cannot read the classes from nowhere"):
        ImageClassifier(program, classes="nowhere")


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"image_size": (3, 9)}, "image_size is out of range\n  expected  (height, width), at least the input size"),
        ({"image_size": (4.5, 9)}, "image_size is out of range"),
        ({"sp_order": (2, 1)}, "sp_order is out of range\n  expected  the numbers 0 to 1 in some order"),
        ({"sp_order": (1, 2)}, "Mocha counts from 1"),
        ({"grayscale": "yes"}, "grayscale is out of range\n  expected  True or False, or None"),
        ({"channel_order": (0, 1)}, "channel_order is out of range\n  expected  the numbers 0 to 2 in some order"),
        ({"raw_scale": "255"}, "raw_scale is out of range"),
        ({"scale": float("nan")}, "scale is out of range"),
        ({"blob": "probs"}, "net 'shown' has no blob 'probs'"),
        ({"classes": ["a"]}, "the net has another number of classes"),
    ],
)  # fmt: skip
def test_wrong_arguments(program, how, said):
    with pytest.raises(mochac.OptionError) as caught:
        ImageClassifier(program, **how)
    assert said in str(caught.value)


def test_wrong_calls(program):
    with pytest.raises(mochac.OptionError, match="needs a net"):
        ImageClassifier("deploy.prototxt")
    for k in (0, True, 1.5):
        with pytest.raises(mochac.OptionError, match="k is out of range"):
            ImageClassifier(program).classify(np.zeros((4, 5, 3)), k=k)
    rows = MemoryDataLayer(data=[np.zeros((3, 7))], tops=["data"], batch_size=3)
    flat = Net("flat", [rows, InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])])
    with pytest.raises(mochac.OptionError, match=r"(?s)net 'flat' does not take images.*'data' \(3, 7\)"):
        ImageClassifier(flat)


@pytest.mark.slow
def test_a_net_is_compiled_and_released(tmp_path):
    """Without a softmax of its own, the scores' softmax; with a model file."""
    with mochac.compile(net(softmax=False), seed=5) as trained:
        trained.save(tmp_path / "m.h5")
        with ImageClassifier(net(softmax=False), tmp_path / "m.h5", dtype="float64") as classifier:
            image = RNG.uniform(size=(1, 4, 5, 3))
            found = classifier.probabilities(image)
            np.testing.assert_allclose(found, by_hand(trained, image.transpose(0, 3, 1, 2)), 1e-5)
            assert classifier.program.dtype == "float64"
            scores = ImageClassifier(trained, blob="ip").probabilities(image)
            assert abs(scores.sum() - 1) > 1e-3
        with pytest.raises(mochac.OptionError):
            classifier.classify(image)


@pytest.mark.slow
def test_probabilities_of_a_fully_convolutional_net():
    data = MemoryDataLayer(data=[np.zeros((2, 1, 4, 4))], tops=["data"], batch_size=2)
    conv = ConvolutionLayer(name="conv", n_filter=3, kernel=4, bottoms=["data"])
    with ImageClassifier(Net("n", [data, conv, SoftmaxLayer(name="prob", bottoms=["conv"])])) as classifier:
        assert classifier.probabilities(np.ones((2, 4, 4, 1))).shape == (2, 3)
