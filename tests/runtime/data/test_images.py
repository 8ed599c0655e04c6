"""Images as arrays: files, channels, resizing against Pillow's own, and lists of images as HDF5."""

import h5py
import numpy as np
import pytest

import mochac
from mochac.base.files.class_folders import FORMATS
from mochac.runtime.data.image_list import ImageFormat, read_list, write_parts
from mochac.runtime.data.images import centre, read_image, resized, with_channels

Image = pytest.importorskip("PIL.Image", reason="image files need the package Pillow")
RNG = np.random.default_rng(4)
RGB = RNG.integers(0, 256, (6, 5, 3), np.uint8)


@pytest.mark.parametrize(
    ("mode", "pixels"),
    [
        ("RGB", RGB),
        ("L", RGB[:, :, 0]),
        ("RGBA", np.dstack([RGB, RGB[:, :, 1]])),
        ("1", RGB[:, :, 0] > 100),
        ("P", None),
    ],
)
def test_files_of_several_kinds(tmp_path, mode, pixels):
    picture = Image.fromarray(RGB).convert("P") if mode == "P" else Image.fromarray(pixels)
    assert picture.mode == mode
    picture.save(tmp_path / "x.png")
    found = read_image(tmp_path / "x.png")
    expected = np.asarray(picture.convert("RGB" if mode in ("RGB", "RGBA", "P") else "L")) / 255
    assert np.array_equal(found, expected.reshape(6, 5, -1))


def test_sixteen_bits(tmp_path):
    Image.fromarray(np.array([[0, 65535, 32768]], np.uint16)).save(tmp_path / "x.png")
    np.testing.assert_allclose(read_image(tmp_path / "x.png").ravel(), [0, 1, 0.50000763])


def test_arrays():
    assert np.array_equal(read_image(RGB), RGB / 255)
    assert read_image(np.full((2, 3), 0.5)).shape == (2, 3, 1)
    assert read_image(np.full((1, 1), 65535, np.uint16)).tolist() == [[[1.0]]]
    for wrong in (np.zeros(3), np.zeros((0, 4, 3)), np.full((2, 2), np.nan), np.array([["a"]]), [[1, 2], [3]]):
        with pytest.raises(mochac.DataError):
            read_image(wrong)


def test_files_that_are_no_images(tmp_path):
    (tmp_path / "x.jpg").write_bytes(b"no image")
    with pytest.raises(mochac.DataError, match=r"cannot read image .*x.jpg"):
        read_image(tmp_path / "x.jpg")
    with pytest.raises(mochac.DataError, match=r"no image file .*y.jpg"):
        read_image(tmp_path / "y.jpg")


EPS = b"""%!PS-Adobe-3.0 EPSF-3.0
%%BoundingBox: 0 0 8 6
%%EndComments
(started) print
showpage
"""


@pytest.mark.parametrize("ending", ["png", "eps"])
def test_only_formats_of_the_list_are_opened(tmp_path, monkeypatch, ending):
    """Pillow starts Ghostscript for files that begin as EPS does, whatever they are called."""

    def start(*_, **__):
        raise AssertionError("a program was started")

    eps = pytest.importorskip("PIL.EpsImagePlugin")
    monkeypatch.setattr(eps, "Ghostscript", start)
    (tmp_path / f"x.{ending}").write_bytes(EPS)
    with pytest.raises(mochac.DataError) as refused:
        read_image(tmp_path / f"x.{ending}")
    path = tmp_path / f"x.{ending}"
    assert str(refused.value) == f"cannot read image {path}\n  cannot identify image file '{path}'"


@pytest.mark.parametrize(("form", "endings"), FORMATS.items())
def test_every_format_of_the_list_is_opened(tmp_path, form, endings):
    for ending in endings.split():
        Image.fromarray(RGB).convert("1" if ending == ".pbm" else "RGB").save(tmp_path / f"x{ending}", form)
        assert read_image(tmp_path / f"x{ending}").shape[:2] == RGB.shape[:2]


def test_without_pillow(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "PIL", None)
    with pytest.raises(mochac.OptionError, match=r"(?s)needs the package Pillow.*mochac\[images\]"):
        read_image(tmp_path / "x.jpg")
    read_image(RGB)


@pytest.mark.parametrize("size", [(6, 5), (3, 5), (12, 10), (4, 7), (1, 1), (7, 3), (50, 2)])
def test_resizing_is_pillows_bilinear(size):
    image = RNG.uniform(size=(6, 5, 2))
    for k in range(2):
        picture = Image.fromarray(image[:, :, k].astype(np.float32))
        expected = np.asarray(picture.resize(size[::-1], Image.Resampling.BILINEAR))
        np.testing.assert_allclose(resized(image, size)[:, :, k], expected, atol=1e-6)


def test_channels():
    grey = with_channels(RGB / 255.0, 1)
    np.testing.assert_allclose(grey[:, :, 0] * 255, np.asarray(Image.fromarray(RGB).convert("L")), atol=1)
    assert np.array_equal(with_channels(grey, 3)[:, :, 2], grey[:, :, 0])
    four = np.dstack([RGB, RGB[:, :, 0]]) / 255
    assert np.array_equal(with_channels(four, 3), RGB / 255)
    with pytest.raises(mochac.DataError, match=r"(?s)number of channels.*or \(height, width, 4\),  got  \(6, 5, 3\)"):
        with_channels(RGB / 255, 4)


def test_the_centre():
    assert centre(np.arange(7), (3,)).tolist() == [2, 3, 4]
    assert centre(np.arange(12).reshape(1, 3, 4), (1, 2), first_axis=1).tolist() == [[[5, 6]]]


@pytest.fixture
def pictures(tmp_path):
    """A folder of four images, two sizes."""
    (tmp_path / "cats").mkdir()
    for k, (name, shape) in enumerate({"cats/a": (4, 6), "b": (4, 6), "c": (4, 6), "d": (8, 6)}.items()):
        Image.fromarray(np.full((*shape, 3), (10 * k, 20 * k, 30 * k), np.uint8)).save(tmp_path / f"{name}.png")
    return tmp_path


LIST = "cats/a.png,1,train\nb.png,0,train\nc.png,2,test\n"


@pytest.mark.parametrize("head", ["", "ImageName,Label,TrainTest\n", "imagename, label, traintest\n\n"])
def test_a_list_becomes_a_file_for_each_part(pictures, head):
    (pictures / "list.csv").write_text(head + LIST)
    form = ImageFormat(channel_order=(2, 1, 0), scale=255.0)
    written = write_parts(read_list(pictures / "list.csv"), pictures / "out", form)
    assert [path.name for path in written] == ["train.hdf5", "test.hdf5"]
    with h5py.File(pictures / "out/train.hdf5") as file:
        assert file["data"].shape == (2, 3, 4, 6)
        assert file["data"].dtype == np.float32
        assert file["data"][1, :, 0, 0].tolist() == [30, 20, 10]
        assert file["label"][...].tolist() == [[1.0], [0.0]]
    source = str(pictures / "out/test.txt")
    data = mochac.HDF5DataLayer(source=source, batch_size=1)
    assert mochac.Net("n", [data]).blobs["data"].shape == (1, 3, 4, 6)
    assert sorted(p.name for p in (pictures / "out").iterdir()) == ["test.hdf5", "test.txt", "train.hdf5", "train.txt"]


def test_labels_that_are_names_and_sizes_that_differ(pictures):
    (pictures / "list.csv").write_text("cats/a.png,cat,all\nd.png,ant,all\n")
    rows = read_list(pictures / "list.csv")
    with pytest.raises(
        mochac.DataError, match=r"(?s)d.png has another size.*expected  \(4, 6\),  got  \(8, 6\).*--size"
    ):
        write_parts(rows, pictures / "out", ImageFormat())
    assert not [p for p in (pictures / "out").iterdir() if "hdf5" in p.name]
    write_parts(rows, pictures / "out", ImageFormat(size=(2, 2), channels=1))
    assert (pictures / "out/classes.txt").read_text() == "ant\ncat\n"
    with h5py.File(pictures / "out/all.hdf5") as file:
        assert file["data"].shape == (2, 1, 2, 2)
        assert file["label"][...].ravel().tolist() == [1, 0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "a.png,1\n",
            r"(?s)not a row of an image list.*expected  ImageName,Label,TrainTest,  got  a.png,1.*list.csv:1",
        ),
        (LIST + "a.png,,train\n", "list.csv:4"),
        ("a.png,1,../up\n", "not a row"),
        ("", "lists no images"),
        ("ImageName,Label,TrainTest\n", "lists no images"),
    ],
)
def test_lists_that_are_none(tmp_path, text, said):
    (tmp_path / "list.csv").write_text(text)
    with pytest.raises(mochac.DataError, match=said):
        read_list(tmp_path / "list.csv")


def test_an_image_of_a_list_that_is_missing(pictures):
    (pictures / "list.csv").write_text("cats/a.png,1,train\nnone.png,1,train\n")
    with pytest.raises(mochac.DataError, match=r"no image file .*none.png"):
        write_parts(read_list(pictures / "list.csv"), pictures / "out", ImageFormat())
