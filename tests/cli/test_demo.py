"""The demo, its digits, and the idx reader."""

import gzip
import struct
import sys

import numpy as np
import pytest

from mochac.base.errors import DataError
from mochac.tools.cli.demo import Digits, bundled_digits, find_idx, lenet, mnist_digits, read_idx, scaled
from mochac.training.loop.lounge import load_statistics

RNG = np.random.default_rng(1)


def idx(array: np.ndarray) -> bytes:
    kind = {"u1": 8, "i4": 12, "f4": 13}[array.dtype.str[1:]]
    return (
        struct.pack(f">BBBB{array.ndim}I", 0, 0, kind, array.ndim, *array.shape)
        + array.astype(array.dtype.newbyteorder(">")).tobytes()
    )


def mnist(folder, n: int = 130):
    for part, count in (("train", n), ("t10k", 20)):
        images = RNG.integers(0, 256, (count, 28, 28)).astype(np.uint8)
        (folder / f"{part}-images-idx3-ubyte").write_bytes(idx(images))
        labels = RNG.integers(0, 10, count).astype(np.uint8)
        (folder / f"{part}-labels-idx1-ubyte.gz").write_bytes(gzip.compress(idx(labels)))


@pytest.mark.parametrize("dtype", ["u1", "i4", "f4"])
def test_idx_round_trip(tmp_path, dtype):
    array = RNG.integers(0, 100, (3, 4, 5)).astype(dtype)
    (tmp_path / "a").write_bytes(idx(array))
    (tmp_path / "b.gz").write_bytes(gzip.compress(idx(array)))
    assert np.array_equal(read_idx(tmp_path / "a"), array)
    assert np.array_equal(read_idx(tmp_path / "b.gz"), array)


def test_idx_names(tmp_path):
    for name in ("train-images.idx3-ubyte", "train-labels-idx1-ubyte.gz"):
        (tmp_path / name).write_bytes(b"")
    assert find_idx(tmp_path, "train-images-idx3-ubyte").name == "train-images.idx3-ubyte"
    assert find_idx(tmp_path, "train-labels-idx1-ubyte").name == "train-labels-idx1-ubyte.gz"
    with pytest.raises(DataError, match="no t10k-images-idx3-ubyte"):
        find_idx(tmp_path, "t10k-images-idx3-ubyte")


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "is not an idx file"),
        (b"\0\0\x08", "is not an idx file"),
        (b"\0\0\x07\1\0\0\0\1x", "is not an idx file"),
        (b"\0\0\x08\2\0\0\0\1x", "is not an idx file"),
        (b"\0\0\x08\1\0\0\0\3ab", "is damaged"),
        (b"\0\0\x08\1\0\0\0\1ab", "is damaged"),
        (gzip.compress(b"\0\0\x08\1\0\0\0\1a", mtime=0)[:-6], "cannot read"),
        (b"\x1f\x8bxxxxxxxx", "cannot read"),
    ],
)
def test_damaged_idx(tmp_path, raw, message):
    (tmp_path / "a").write_bytes(raw)
    with pytest.raises(DataError, match=message):
        read_idx(tmp_path / "a")


def test_mnist_from_a_folder(tmp_path):
    mnist(tmp_path)
    digits = mnist_digits(tmp_path)
    images, labels = digits.train
    assert images.shape == (130, 1, 28, 28) and images.dtype == np.float32 and 0 <= images.min() and images.max() < 1
    assert labels.shape == (130,) and len(digits.test[0]) == 20


def test_mnist_that_does_not_fit(tmp_path):
    mnist(tmp_path)
    (tmp_path / "t10k-labels-idx1-ubyte.gz").write_bytes(idx(np.zeros(19, np.uint8)))
    with pytest.raises(DataError, match=r"(?s)differ in number.*20 and 19"):
        mnist_digits(tmp_path)
    (tmp_path / "t10k-labels-idx1-ubyte.gz").write_bytes(idx(np.full(20, 11, np.uint8)))
    with pytest.raises(DataError, match="does not hold labels"):
        mnist_digits(tmp_path)


def test_scaling_keeps_constants_and_the_mean():
    assert np.allclose(scaled(np.full((1, 8, 8), 0.5), 28), 0.5)
    image = RNG.random((1, 8, 8))
    assert scaled(image, 8)[0] == pytest.approx(image[0])


@pytest.mark.slow
def test_bundled_digits():
    pytest.importorskip("sklearn")
    digits = bundled_digits()
    assert digits.train[0].shape == (1500, 1, 28, 28) and digits.test[0].shape == (297, 1, 28, 28)
    assert digits.train[0].min() == 0 and digits.train[0].max() == 1
    assert set(digits.test[1].tolist()) == set(range(10))


def test_without_scikit_learn(mochac, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    status, out, err = mochac("demo")
    assert (status, out) == (1, "")
    assert err == (
        "OptionError: the digits of the demo are in scikit-learn, which is not installed\n"
        "  hint: pip install 'mochac[demo]', or --data DIR with MNIST's idx files\n"
    )


@pytest.mark.slow
def test_demo_on_idx_files(mochac, folder):
    mnist(folder)
    status, out, err = mochac("demo", "--data", ".", "--max-iter", "2", "--out", "left", "--threads", "1")
    assert (status, err) == (0, "")
    assert "MNIST from .: 130 for training, 20 for testing" in out and "431,080 parameters" in out
    assert "test accuracy " in out and "% peak" in out
    assert (folder / "left" / "snapshot-000002.h5").exists() and list(
        load_statistics(folder / "left" / "statistics.h5")["test-accuracy-accuracy"]
    ) == [0, 1, 2]


def test_demo_without_the_files(mochac, folder):
    assert mochac("demo", "--data", ".")[2].startswith("DataError: no train-images-idx3-ubyte(.gz) in .")


def test_demo_nets_share_their_layers():
    images, labels = np.zeros((3, 1, 28, 28), np.float32), np.zeros(3, int)
    net, test = lenet(Digits("nothing", (images, labels), (images, labels)))
    assert [(p.key, p.shape) for p in net.params] == [(p.key, p.shape) for p in test.params]


@pytest.mark.slow
def test_demo_learns(mochac, folder):
    pytest.importorskip("sklearn")
    status, out, _ = mochac("demo", "--max-iter", "300")
    accuracy = float(out.partition("test accuracy ")[2].partition("%")[0])
    assert status == 0 and accuracy > 96
