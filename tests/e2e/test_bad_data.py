"""What wrong data gets: missing, truncated, unequal, empty or damaged files, bad labels and NaN. One message; what was
trained before stays.
"""

from pathlib import Path

import h5py
import numpy as np
import pytest
from message_kit import assert_message, refused
from net_kit import weights

import mochac
from mochac import (
    SGD,
    DataError,
    HDF5DataLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    SoftmaxLossLayer,
    TrainingSummary,
)

X, Y = np.random.default_rng(0).standard_normal((20, 1, 6, 6)).astype("f4"), (np.arange(20) % 3).astype("f4")[:, None]


def rest():
    return [
        InnerProductLayer(name="ip", output_dim=3, bottoms=["data"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
    ]


def hdf5_net(batch=4):
    return Net("n", [HDF5DataLayer(name="train", source="train.txt", batch_size=batch), *rest()])  # @hdf5


def memory_net(x, y):
    return Net("n", [MemoryDataLayer(name="train", data=[x, y], batch_size=4), *rest()])  # @memory


def train(net):
    with mochac.compile(net) as program:
        program.train(SGD(), max_iter=30)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def listed(*files):
    with open("train.txt", "w") as out:
        out.writelines(f"{name}\n" for name in files)


def write(name, **sets):
    with h5py.File(name, "w") as file:
        for key, value in sets.items():
            file[key] = value
    listed(name)


def test_a_missing_list_file():
    assert_message(
        hdf5_net,
        """
        DataError: layer 'train' (HDF5Data): cannot read list file train.txt
          got  No such file or directory
          hint: source is a text file with one HDF5 path per line, relative to the current folder
          at @hdf5
        """,
    )


def test_a_missing_file():
    write("good.h5", data=X, label=Y)
    listed("good.h5", "gone.h5")
    assert_message(
        hdf5_net,
        """
        DataError: layer 'train' (HDF5Data): no HDF5 file gone.h5
          named by train.txt
          at @hdf5
        """,
    )


def test_a_missing_dataset():
    write("a.h5", data=X, lable=Y)
    assert_message(
        hdf5_net,
        """
        DataError: layer 'train' (HDF5Data): a.h5 has no dataset 'label'
          datasets: data lable
          hint: did you mean 'lable'?
          at @hdf5
        """,
    )


@pytest.mark.parametrize(("share", "words"), [(0.5, "is truncated"), (0.0, "cannot read a.h5"), (0.02, "a.h5")])
def test_a_truncated_file(share, words):
    write("a.h5", data=X, label=Y)
    content = Path("a.h5").read_bytes()
    Path("a.h5").write_bytes(content[: int(len(content) * share)])
    error = refused(lambda: train(hdf5_net()))
    assert isinstance(error, DataError)
    assert words in str(error)
    assert error.layer == "train"


def test_unequal_sample_counts():
    write("a.h5", data=X, label=Y[:7])
    assert_message(
        hdf5_net,
        """
        DataError: layer 'train' (HDF5Data): datasets of a.h5 differ in their number of samples
          got  data: 20, label: 7
          at @hdf5
        """,
    )
    assert_message(
        lambda: memory_net(X, Y[:7]),
        """
        DataError: layer 'train' (MemoryData): arrays differ in their number of samples
          got  'data': 20, 'label': 7
          at @memory
        """,
    )


def test_an_empty_dataset():
    write("a.h5", data=X[:0], label=Y[:0])
    assert_message(
        hdf5_net,
        """
        DataError: layer 'train' (HDF5Data): dataset 'data' of a.h5 is empty
          got  shape (0, 1, 6, 6)
          at @hdf5
        """,
    )
    assert "there are no samples" in str(refused(lambda: memory_net(X[:0], Y[:0])))


@pytest.mark.parametrize("value", [3, -1, 9.6, np.nan, np.inf])
def test_a_label_out_of_range(value):
    bad = Y.copy()
    bad[13] = value
    write("a.h5", data=X, label=bad)
    wanted = f"""
        DataError: layer 'train' (KIND): label out of range
          expected  0 <= label < 3,  got  {value:g}
          blob 'label', sample 13PLACEHINT
          at @
        """
    words = "\n          hint: classes are numbered from 0, and there are 3 of them"
    hint = words if np.isfinite(value) else ""
    hdf5, memory = ("HDF5Data", " of a.h5", "@hdf5"), ("MemoryData", "", "@memory")
    for net, (kind, place, tag) in ((hdf5_net(), hdf5), (memory_net(X, bad), memory)):
        text = wanted.replace("KIND", kind).replace("PLACE", place).replace("HINT", hint).replace("@", tag)
        assert_message(lambda net=net: train(net), text)


def test_a_fractional_label():
    bad = Y.copy()
    bad[13] = 1.5
    assert_message(
        lambda: train(memory_net(X, bad)),
        """
        DataError: layer 'train' (MemoryData): label is not an integer
          expected  one of the integers 0 .. 2,  got  1.5
          blob 'label', sample 13
          at @memory
        """,
    )


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinities_in_data(value):
    bad = X.copy()
    bad[17, 0, 1, 2] = value
    assert_message(
        lambda: train(memory_net(bad, Y)),
        """
        DataError: layer 'train' (MemoryData): data holds an infinity or a number too large for float32
          blob 'data', sample 17, at (0, 1, 2)
          at @memory
        """,
    )


def test_batches_larger_than_memory():
    def build():
        batch = 10**13
        net = Net("n", [MemoryDataLayer(name="train", data=[X, Y], batch_size=batch), *rest()])  # @huge
        mochac.compile(net).forward()

    assert_message(
        build,
        """
        OptionError: layer 'train' (MemoryData): not enough memory for its batches
          got  4 batches of 10,000,000,000,000 samples, 5,920,000,000,000,000 bytes
          hint: a smaller batch_size
          at @huge
        """,
    )


@pytest.mark.parametrize("labels", [["cat", "dog"] * 10, np.array(["cat", "dog"] * 10, object)])
def test_labels_in_words(labels):
    error = refused(lambda: memory_net(X, labels))
    assert isinstance(error, mochac.OptionError)
    assert "data is out of range" in str(error)
    assert error.hint == "array 1 holds text; for class indices: names, y = np.unique(labels, return_inverse=True)"
    assert error.layer == "train"
    assert "test_bad_data.py:" in error.at


@pytest.mark.parametrize(
    ("labels", "dtype"), [(np.zeros(20, complex), "complex128"), (np.array([1, None] * 10, object), "object")]
)
def test_labels_that_are_no_real_numbers(labels, dtype):
    error = refused(lambda: memory_net(X, labels))
    assert isinstance(error, mochac.OptionError)
    assert error.hint == f"array 1 has dtype {dtype}; expected real numbers, such as np.asarray(a, np.float32)"


def test_nan_in_data():
    bad = X.copy()
    bad[17, 0, 1, 2] = np.nan
    write("a.h5", data=bad, label=Y)
    write("good.h5", data=X, label=Y)
    listed("good.h5", "a.h5")
    assert_message(
        lambda: train(hdf5_net()),
        """
        DataError: layer 'train' (HDF5Data): data holds NaN
          blob 'data', sample 17 of a.h5, at (0, 1, 2)
          at @hdf5
        """,
    )


def test_a_damaged_chunk():
    with h5py.File("a.h5", "w") as file:
        file.create_dataset("data", data=X, chunks=(5, 1, 6, 6), compression="gzip")
        file["label"] = Y
        start = file["data"].id.get_chunk_info(2).byte_offset
    content = bytearray(Path("a.h5").read_bytes())
    content[start + 10 : start + 40] = bytes(30)
    Path("a.h5").write_bytes(content)
    listed("a.h5")
    error = refused(lambda: train(hdf5_net()))
    assert isinstance(error, DataError)
    assert "cannot read dataset 'data' of a.h5" in str(error)


def test_a_file_that_vanishes_after_the_net_was_built():
    write("a.h5", data=X, label=Y)
    net = hdf5_net()
    Path("a.h5").write_bytes(b"")
    assert isinstance(refused(lambda: train(net)), DataError)


@pytest.mark.parametrize("where", ["train", "evaluate", "forward"])
def test_what_was_trained_before_stays(where, folder):
    """The bad sample is in batch 4 of 5: three updates are made, kept, and recorded; mended data goes on from there."""
    bad = X.copy()
    bad[13, 0, 0, 0] = np.nan
    with mochac.compile(memory_net(bad, Y)) as program, mochac.compile(memory_net(X, Y)) as reference:
        solver = mochac.Solver(SGD(), max_iter=10)
        solver.setup_coffee_lounge(save_into="statistics.h5")
        solver.add_coffee_break(TrainingSummary(), every_n_iter=1)
        assert isinstance(refused(lambda: program.train(solver)), DataError)
        reference.train(SGD(), max_iter=3)
        for name, want in weights(reference).items():
            np.testing.assert_array_equal(weights(program)[name], want)
        with h5py.File("statistics.h5") as file:
            assert file["obj_val/iteration"][...].tolist() == [1, 2, 3]
        if where == "evaluate":
            assert isinstance(refused(program.evaluate), DataError)
        if where == "forward":
            assert isinstance(refused(program.forward), DataError)
        bad[13, 0, 0, 0] = X[13, 0, 0, 0]
        program.train(SGD(), max_iter=4)
        reference.train(SGD(), max_iter=4)
        for name, want in weights(reference).items():
            np.testing.assert_array_equal(weights(program)[name], want)
