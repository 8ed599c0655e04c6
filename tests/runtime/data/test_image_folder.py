"""ImageFolderLayer: files of all kinds, augmentation that depends on the image alone, and what can be wrong."""

from __future__ import annotations

import os

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    Augment,
    DataError,
    DataTransformers,
    ImageFolderLayer,
    InnerProductLayer,
    Net,
    OptionError,
    Snapshot,
    SoftmaxLossLayer,
    Solver,
)
from mochac.base.files.class_folders import images_below
from mochac.nets.layers import Augmentation
from mochac.nets.layers.config import config

Image = pytest.importorskip("PIL.Image", reason="image files need the package Pillow")
SIZE = (6, 8)
ALL = (
    Augment.RandomResizedCrop(),
    Augment.RandomCrop(pad=2),
    Augment.RandomFlip(),
    Augment.ColorJitter(brightness=0.4, contrast=0.4, saturation=0.4),
)


def picture(k, shape=SIZE):
    return np.random.default_rng(k).integers(0, 256, (*shape, 3), np.uint8)


@pytest.fixture
def folder(tmp_path):
    """Three classes; number 10 sorts before 9."""
    for k in range(13):
        place = tmp_path / "photos" / ("bird", "cat", "ape")[k % 3]
        place.mkdir(parents=True, exist_ok=True)
        Image.fromarray(picture(k, SIZE if k < 9 else (20 + k, 30))).save(place / f"{k}.png")
    (tmp_path / "photos" / "ape" / "notes.txt").write_text("no image")
    (tmp_path / "photos" / ".hidden").mkdir()
    return tmp_path / "photos"


def images(folder, **fields):
    return ImageFolderLayer(**{"folder": folder, "size": SIZE, "batch_size": 4, "shuffle": False, **fields})


def net(data):
    ip = InnerProductLayer(name="ip", output_dim=3, bottoms=["data"])
    return Net("net", [data, ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])


def batches(data, n=4):
    with mochac.compile(net(data), threads=1) as program:
        found = []
        for _ in range(n):
            program.forward()
            found.append((program.blobs["data"], program.blobs["label"].ravel().astype(int).tolist()))
        return found


@pytest.mark.slow
def test_images_and_classes_in_order(folder):
    data = images(folder)
    assert data.classes == ("ape", "bird", "cat")
    found = batches(data)
    assert [labels for _, labels in found] == [[0, 0, 0, 0], [1, 1, 1, 1], [1, 2, 2, 2], [2, 0, 0, 0]]
    order = [11, 2, 5, 8, 0, 12, 3, 6, 9, 1, 10, 4, 7]
    for place, k in enumerate(order):
        if k < 9:
            assert np.array_equal(found[place // 4][0][place % 4], picture(k).transpose(2, 0, 1))


@pytest.mark.slow
def test_links_are_followed_once(folder):
    """Links in circles: one to a folder above, two to each other, two folders with a link to the other one."""
    before = images_below(str(folder / "ape"))
    (folder / "ape" / "below").mkdir()
    (folder / "ape" / "beside").mkdir()
    (folder / "ape" / "below" / "up").symlink_to(folder / "ape")
    (folder / "ape" / "below" / "there").symlink_to(folder / "ape" / "beside")
    (folder / "ape" / "beside" / "back").symlink_to(folder / "ape" / "below")
    (folder / "ape" / "a").symlink_to("b")
    (folder / "ape" / "b").symlink_to("a")
    (folder / "c").symlink_to("c")
    assert images_below(str(folder / "ape")) == before
    assert images(folder).classes == ("ape", "bird", "cat")
    first = np.concatenate([x for x, _ in batches(images(folder), 3)])
    elsewhere = folder.parent / "elsewhere"
    (folder / "cat").rename(elsewhere)
    (folder / "cat").symlink_to(elsewhere)
    assert np.array_equal(first, np.concatenate([x for x, _ in batches(images(folder), 3)]))
    for k in range(6):
        (elsewhere / f"again{k}").symlink_to(elsewhere)
        (elsewhere / "0").mkdir(exist_ok=True)
        (elsewhere / "0" / f"ape{k}").symlink_to(folder / "ape")
    found = images_below(str(folder / "cat"))
    assert (
        len(found)
        == len({os.path.realpath(path) for path in found})
        == len(before) + len(list(elsewhere.glob("*.png")))
    )


def test_larger_images_cover_the_size_and_are_cut_at_the_centre(tmp_path):
    (tmp_path / "one").mkdir()
    wide = np.zeros((12, 40, 3), np.uint8)
    wide[:, 12:28] = (10, 20, 30)  # the centre, 16 of 40 columns, is what covers (6, 8)
    Image.fromarray(wide).save(tmp_path / "one" / "wide.png")
    found = batches(images(tmp_path, batch_size=1), 1)[0][0]
    assert found.shape == (1, 3, 6, 8)
    assert (found[0, :, :, 1:-1] == np.reshape([10, 20, 30], (3, 1, 1))).all()  # the filter reaches over the edges
    Image.fromarray(picture(0, (60, 80))).resize((640, 480)).save(tmp_path / "one" / "wide.jpg")
    batches(images(tmp_path, batch_size=1), 1)


@pytest.mark.parametrize("mode", ["L", "RGBA", "P", "1", "LA", "I;16", "CMYK"])
def test_kinds_of_files(tmp_path, mode):
    (tmp_path / "one").mkdir()
    grey = picture(3)[:, :, 0]
    file = tmp_path / "one" / ("x.jpg" if mode == "CMYK" else "x.png")
    if mode == "I;16":
        Image.fromarray(grey.astype(np.uint16) * 257).save(file)
    else:
        Image.fromarray(picture(3)).convert(mode).save(file, **({"transparency": 0} if mode == "P" else {}))
    with Image.open(file) as opened:
        colours = Image.fromarray(grey) if mode == "I;16" else opened.convert("RGBA" if mode == "P" else opened.mode)
        expected = [np.asarray(colours.convert(kind)).reshape(*SIZE, -1).transpose(2, 0, 1) for kind in ("RGB", "L")]
    for channels, pixels in zip((3, 1), expected, strict=True):
        data = images(tmp_path, channels=channels, batch_size=1)
        assert np.array_equal(batches(data, 1)[0][0][0], pixels)


@pytest.mark.slow
@pytest.mark.parametrize("augment", [(), ALL[1:], ALL])
def test_the_same_batches_for_any_number_of_threads(folder, augment):
    """Kept or decoded again, after a resume, by one thread or many; but new in each epoch."""
    first = batches(images(folder, augment=augment, shuffle=True, threads=1), 7)
    for fields in ({"threads": 5, "keep": False}, {}, {"workers": 2}):
        for (a, labels), (b, others) in zip(
            first, batches(images(folder, augment=augment, shuffle=True, **fields), 7), strict=True
        ):
            assert np.array_equal(a, b)
            assert labels == others
    plain = batches(images(folder, augment=augment), 7)
    assert np.array_equal(plain[0][0][1:], plain[3][0][1:]) is False
    assert (np.array_equal(plain[0][0][0], plain[3][0][1])) is (augment == ())  # the first image, in two epochs


def test_evaluation_leaves_augmentation_out(folder):
    losses = []
    for augment in ((), ALL):
        with mochac.compile(net(images(folder, augment=augment)), threads=1) as program:
            losses.append([program.evaluate(), program.evaluate()])
    assert losses[0] == losses[1]
    assert losses[0][0] == losses[0][1]


@pytest.mark.slow
def test_resumed_in_the_middle_of_an_epoch(folder, tmp_path):
    def run(place, stop):
        solver = Solver(SGD(1e-4), max_iter=stop, load_from=str(place))
        solver.add_coffee_break(Snapshot(str(place)), every_n_iter=5)
        with mochac.compile(net(images(folder, augment=ALL, shuffle=True))) as program:
            program.train(solver, verbose=0)
            return program.params["ip"]["weight"][...].tobytes()

    whole = run(tmp_path / "whole", 10)
    run(tmp_path / "parts", 5)
    assert run(tmp_path / "parts", 10) == whole


def test_images_alone(folder):
    data = images(folder, tops=["x"])
    with mochac.compile(Net("one", [data, InnerProductLayer(name="ip", output_dim=1, bottoms=["x"])])) as program:
        program.forward()
        assert program.blobs["x"].shape == (4, 3, 6, 8)


def test_before_the_folder_is_there(tmp_path):
    with mochac.compile(net(images(tmp_path / "later", classes=["a", "b", "c"]))) as program:
        assert program.predict(np.zeros((2, 3, 6, 8))).shape == (2, 3)
        with pytest.raises(DataError, match=r"layer 'images' \(ImageFolder\): no folder .*later"):
            program.forward()


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("augment", [(), ALL])
def test_a_broken_file(folder, threads, augment):
    whole = (folder / "cat" / "4.png").read_bytes()
    (folder / "cat" / "4.png").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match=r"cannot read image .*cat/4.png\n  .*\n  hint: remove it"):
        batches(images(folder, threads=threads, augment=augment))


def test_folders_without_images(folder, tmp_path):
    with pytest.raises(DataError, match=r"there are no images in .*\n  got  0 subfolders\n  hint: one subfolder"):
        net(images(folder / "cat"))
    (tmp_path / "empty" / "a").mkdir(parents=True)
    with pytest.raises(DataError, match=r"there are no images in .*\n  got  1 subfolders"):
        net(images(tmp_path / "empty"))


def test_classes_of_other_folders(folder):
    """As for test data, which may lack a class, but cannot have more."""
    labels = [label for _, label in batches(images(folder, classes=["zebra", "cat", "bird", "ape"]), 1)]
    assert labels == [[1, 1, 1, 1]]
    with pytest.raises(DataError, match=r"a class that is not in classes\n  expected  ape bird,  got  subfolder 'cat'"):
        net(images(folder, classes=["ape", "bird"]))


def test_without_pillow(folder, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "PIL", None)
    with pytest.raises(OptionError, match=r"(?s)needs the package Pillow.*mochac\[images\]"):
        batches(images(folder), 1)


# --- augmentations -------------------------------------------------------------------------------------


def test_crops_are_those_of_a_padded_image():
    image, found = picture(0), set()
    padded = np.pad(image, ((2, 2), (2, 2), (0, 0)))
    crops = {padded[y : y + 6, x : x + 8].tobytes(): (y, x) for y in range(5) for x in range(5)}
    for k in range(300):
        found.add(crops[Augment.RandomCrop(pad=2).apply(image, np.random.default_rng(k)).tobytes()])
    assert len(found) == 25
    far = Augment.RandomCrop(pad=20).apply(image, np.random.default_rng(0))
    assert far.shape == image.shape


def test_flips():
    image = picture(0)
    flipped = [Augment.RandomFlip().apply(image, np.random.default_rng(k)) for k in range(200)]
    mirrored = sum(np.array_equal(f, image[:, ::-1]) for f in flipped)
    assert all(np.array_equal(f, image) or np.array_equal(f, image[:, ::-1]) for f in flipped)
    assert 70 < mirrored < 130
    assert Augment.RandomFlip(probability=0).apply(image, np.random.default_rng(0)) is image


class Fixed:
    """Draws the largest factors, in order."""

    def random(self, n):
        return np.ones(n)

    def permutation(self, n):
        return np.arange(n)


def test_colours():
    image = picture(1)
    grey = image @ np.array([0.299, 0.587, 0.114])
    wanted = {
        "brightness": image * 1.5,
        "contrast": grey.mean() + 1.5 * (image - grey.mean()),
        "saturation": grey[:, :, None] + 1.5 * (image - grey[:, :, None]),
    }
    for name, pixels in wanted.items():
        found = Augment.ColorJitter(**{name: 0.5}).apply(image, Fixed())
        assert np.abs(found - np.clip(pixels, 0, 255)).max() <= 0.51, name
    one = image[:, :, :1]
    assert Augment.ColorJitter(saturation=0.5, contrast=0.5).apply(one, Fixed()).shape == one.shape


def test_parts_of_images():
    crop, draw = Augment.RandomResizedCrop(scale=(0.2, 0.9)), np.random.default_rng(0)
    for _ in range(500):
        top, left, height, width = crop.box(40, 50, draw)
        assert top >= 0 and left >= 0 and top + height <= 40 and left + width <= 50
        assert 0.19 < height * width / 2000 < 0.91
    assert crop.box(1000, 10, draw) == pytest.approx((493.33, 0, 13.33, 10), abs=0.01)  # none fits: the centre


@config
class Invert(Augmentation):
    def apply(self, image, draw):
        return 255 - image


def test_an_augmentation_of_ones_own(folder):
    plain, inverted = (batches(images(folder, augment=augment), 1)[0][0] for augment in ((), [Invert()]))
    assert np.array_equal(inverted, 255 - plain)


def test_normalizing(folder):
    mean, std = (120.0, 110.0, 100.0), (60.0, 50.0, 40.0)
    steps = [("data", DataTransformers.Normalize(mean=mean, std=std))]
    plain, found = (batches(images(folder, transformers=t), 1)[0][0] for t in ((), steps))
    expected = (plain - np.reshape(mean, (3, 1, 1))) / np.reshape(std, (3, 1, 1))
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)
    with pytest.raises(DataError, match=r"transformer Normalize of top 'data'"):
        net(images(folder, transformers=[("data", DataTransformers.Normalize(mean=(1, 2)))]))


@config
class Wrong(Augmentation):
    how: str = "float"

    def apply(self, image, draw):
        if self.how == "in place":
            image[:] = 0
        return {"float": image / 255.0, "shape": image[:3], "list": image.tolist(), "in place": image}[self.how]


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("float", r"Wrong.apply\(\) returned another kind of image\n.*uint8 \(6, 8, 3\),  got  float64 \(6, 8, 3\)"),
        ("shape", r"got  uint8 \(3, 8, 3\)"),
        ("list", r"got  list"),
        (
            "in place",
            r"Wrong.apply\(\) failed\n  got  ValueError: (assignment|output array is read-only)[\s\S]*image\[:\]",
        ),
    ],
)
def test_an_augmentation_of_ones_own_that_is_wrong_is_named(folder, how, words):
    with pytest.raises(DataError, match=words):
        batches(images(folder, augment=(Wrong(how=how),), keep=False), 1)


def test_a_class_without_images_is_refused_unless_classes_are_named(folder):
    (folder / "dog").mkdir()
    with pytest.raises(DataError, match="a class without images\n  got  subfolder 'dog'"):
        net(images(folder))
    (folder / "dog").rmdir()
    net(images(folder, classes=["ape", "bird", "cat", "dog"]))


def test_single_files_are_classified_as_the_layer_reads_them(folder):
    data = images(folder, transformers=[("data", DataTransformers.Normalize(mean=(9, 8, 7), std=(50, 60, 70)))])
    with mochac.compile(net(data), threads=1) as program:
        program.forward()
        expected, rows = program.blobs["ip"], program.blobs["label"].ravel().astype(int)
        classifier = mochac.ImageClassifier(program)
        assert classifier.classes == ["ape", "bird", "cat"]
        files = [sorted(p for p in (folder / "ape").iterdir() if p.suffix == ".png")[k] for k in range(4)]
        assert rows.tolist() == [0] * 4
        powers = np.exp(expected - expected.max(axis=1, keepdims=True))
        np.testing.assert_allclose(
            classifier.probabilities(files), powers / powers.sum(axis=1, keepdims=True), rtol=1e-5
        )
        arrays = [np.asarray(Image.open(path)) for path in files]
        np.testing.assert_array_equal(classifier.probabilities(arrays), classifier.probabilities(files))
        with pytest.raises(OptionError, match="raw_scale does not apply: ImageFolderLayer 'images' says"):
            mochac.ImageClassifier(program, raw_scale=255)


def test_classes_of_a_folder_that_is_not_there():
    layer = images("nowhere")
    with pytest.raises(
        DataError, match=r"layer 'images' \(ImageFolder\): no folder nowhere, so its classes are not known"
    ):
        InnerProductLayer(name="ip", output_dim=len(layer.classes), bottoms=["data"])
    assert "nowhere" in repr(layer)
    assert net(layer).blobs["data"].shape == (4, 3, *SIZE), "it can be looked at"


def test_images_that_are_gone_or_new(folder):
    rule = r"layer 'images' \(ImageFolder\): folder .*photos has changed\n  expected  its 13 images,  got  "
    with mochac.compile(net(images(folder))) as program:
        program.evaluate()
        gone = (folder / "cat" / "4.png").read_bytes()
        (folder / "cat" / "4.png").unlink()
        for use in (program.evaluate, lambda: program.train(SGD(1e-4), max_iter=1, verbose=0)):
            with pytest.raises(DataError, match=rule + r"12 images, without .*cat/4.png\n  hint: to use other data"):
                use()
        (folder / "cat" / "4.png").write_bytes(gone)
        (folder / "ape" / "new.png").write_bytes(gone)
        with pytest.raises(DataError, match=rule + "14 images, with .*ape/new.png"):
            program.evaluate()
        (folder / "ape" / "new.png").unlink()
        program.train(SGD(1e-4), max_iter=1, verbose=0)
