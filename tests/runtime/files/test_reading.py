"""Files that are not HDF5: bombs, devices, names that no file can have; refused before memory is spent."""

import gzip
import io
import os
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest
from data_layers import FakeLayer

import mochac.base.files.reading as module
from mochac.base.errors import DataError, OptionError, SnapshotError
from mochac.base.files.array_files import read_npz
from mochac.base.files.reading import read_bytes, read_text
from mochac.base.support.memory import available_bytes, fits
from mochac.runtime.data.image_list import read_list
from mochac.runtime.data.images import load_mean
from mochac.runtime.data.source import open_source
from mochac.tools.cli.demo import read_idx


def refused(fault):
    return OptionError(f"refused: {fault}")


def test_memory_is_what_the_system_says(monkeypatch, tmp_path):
    (tmp_path / "max").write_text("1000000000\n")
    monkeypatch.setattr("mochac.base.support.memory._LIMITS", (tmp_path / "max", tmp_path / "none"))
    assert available_bytes() <= 10**9
    assert fits(64 << 20) and not fits(2 * 10**9)
    (tmp_path / "max").write_text("max\n")
    assert available_bytes() > 0


def test_only_regular_files_of_a_size_that_fits(tmp_path, monkeypatch):
    path = tmp_path / "x"
    path.write_bytes(b"\xef\xbb\r\n")
    assert read_bytes(path) == b"\xef\xbb\r\n"
    with pytest.raises(OSError, match="it has 4 bytes, at most 3 are read"):
        read_bytes(path, most=3)
    with pytest.raises(ValueError, match="it is not text"):
        read_text(path)
    path.write_bytes(b"a\0b")
    with pytest.raises(ValueError, match="it is not text"):
        read_text(path)
    monkeypatch.setattr(module, "fits", lambda n: n < 2)
    with pytest.raises(MemoryError):
        read_bytes(path)
    with pytest.raises(IsADirectoryError):
        read_bytes(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="not a regular file"):
        read_bytes(tmp_path / "pipe")


def idx(shape, numbers=b"", type=8):
    return struct.pack(f">BBBB{len(shape)}I", 0, 0, type, len(shape), *shape) + numbers


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (idx((1,) * 255, b"\1"), "is damaged\n  expected  at most 32 axes,  got  255"),
        (idx((2**31, 2**31)), "is damaged\n  expected  4,611,686,018,427,387,904 bytes of numbers,  got  at most"),
        (
            gzip.compress(idx((2**31, 2)), mtime=0),
            "is damaged\n  expected  4,294,967,296 bytes of numbers,  got  at most",
        ),
        (gzip.compress(idx((4,), bytes(10**6)), mtime=0), "is damaged\n  expected  4 bytes of numbers,  got  more"),
        (gzip.compress(bytes(10**6), mtime=0), "is not an idx file"),
        (gzip.compress(idx((4,), b"abcd"), mtime=0)[:-4], "cannot read .*\n  got  "),
        (b"\x1f\x8b", "cannot read .*\n  got  "),
    ],
)
def test_idx_files_that_state_more_than_they_hold(tmp_path, content, said):
    (tmp_path / "x-ubyte").write_bytes(content)
    with pytest.raises(DataError, match=f"x-ubyte {said}" if not said.startswith("cannot") else said):
        read_idx(tmp_path / "x-ubyte")


def npy(shape, numbers=b"", descr="<f4"):
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": shape})
    return file.getvalue() + numbers


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (npy((2**40,)), "it states 4,398,046,511,104 bytes of numbers and has 0"),
        (npy((2, -3), bytes(24)), "it states -24 bytes of numbers and has 24"),
        (npy((1,), bytes(8), descr="|O"), "it holds object, not numbers"),
        (npy((1,), bytes(4)).replace(b"\x93NUMPY\x01", b"\x93NUMPY\x07"), "version 7.0 of the format is not known"),
        (b"PK", "EOF"),
    ],
)
def test_numpy_files_that_state_more_than_they_hold(tmp_path, content, said):
    (tmp_path / "m.npy").write_bytes(content)
    with pytest.raises(
        SnapshotError, match=rf"cannot read the mean from .*m.npy\n  expected  a .npy file,  got  .*{said}"
    ):
        load_mean(tmp_path / "m.npy")
    with zipfile.ZipFile(tmp_path / "m.npz", "w") as file:
        file.writestr("x.npy", content)
    with pytest.raises(OptionError, match=f"refused: array 'x': .*{said}"):
        read_npz(tmp_path / "m.npz", refused)


def test_columns_first_arrays_are_read_as_they_are(tmp_path):
    array = np.asfortranarray(np.arange(12.0).reshape(3, 2, 2))
    np.save(tmp_path / "m.npy", array)
    np.testing.assert_array_equal(load_mean(tmp_path / "m.npy"), array)
    np.savez_compressed(tmp_path / "m.npz", a=array, b=np.int8(3))
    found = read_npz(tmp_path / "m.npz", refused)
    np.testing.assert_array_equal(found["a"], array)
    assert found["b"].shape == () and found["b"].dtype == np.int8
    np.save(tmp_path / "m.npy", np.array(["a"]))
    with pytest.raises(SnapshotError, match="it holds <U1, not numbers"):
        load_mean(tmp_path / "m.npy")


def test_a_zip_that_inflates(tmp_path):
    with zipfile.ZipFile(tmp_path / "b.npz", "w", zipfile.ZIP_LZMA) as file:  # packs zeros 7000 times
        file.writestr("x.npy", npy((2**20,), bytes(2**22)))
    with pytest.raises(OptionError, match=r"it states 4,194,\d+ bytes, more than the file can hold, or memory"):
        read_npz(tmp_path / "b.npz", refused)


def test_a_picture_that_inflates(tmp_path):
    Image = pytest.importorskip("PIL.Image")
    from mochac.runtime.data.images import read_image

    Image.new("L", (8, 8)).save(tmp_path / "a.bmp")
    content = bytearray((tmp_path / "a.bmp").read_bytes())
    content[18:26] = struct.pack("<ii", 9000, 9000)
    (tmp_path / "a.bmp").write_bytes(content)
    with pytest.raises(DataError, match=r"cannot read image .*a.bmp\n  it states 81,000,000 pixels in a file of"):
        read_image(tmp_path / "a.bmp")


def source(path):
    return open_source(FakeLayer(reader="hdf5", source=str(path)))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a\0.h5\n", "cannot read list file .*list.txt\n  got  it is not text"),
        (b"\xff.h5\n", "cannot read list file .*list.txt\n  got  it is not text"),
        (b"ok.h5\n" + b"x" * 5000, "line 2 of list file .*list.txt is not a path\n  got  5,000 characters"),
        (b"x" * 300 + b".h5", r"cannot read x+.h5\n  got  File name too long\n  named by .*list.txt"),
        (b"..\n", r"cannot read ..\n  got  Is a directory\n  named by .*list.txt"),
    ],
)
def test_lists_that_name_no_files(tmp_path, content, said):
    (tmp_path / "list.txt").write_bytes(content)
    with pytest.raises(DataError, match=rf"layer 'train-data' \(HDF5Data\): {said}"):
        source(tmp_path / "list.txt")


def test_lists_that_have_no_end(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in filter(Path.exists, (tmp_path / "pipe", Path("/dev/zero"))):
        with pytest.raises(DataError, match=r"cannot read list file .*\n  got  not a regular file"):
            source(path)
        with pytest.raises(DataError, match=r"cannot read .*\n  got  not a regular file"):
            read_list(path)


@pytest.mark.parametrize("row", ["a.png,1," + "p" * 300, "a" * 5000 + ",1,train", "a.png," + "1" * 5000 + ",train"])
def test_rows_of_image_lists_that_name_no_files(tmp_path, row):
    (tmp_path / "list.csv").write_text(row + "\n")
    with pytest.raises(DataError, match=r"not a row of an image list\n  expected  ImageName") as caught:
        read_list(tmp_path / "list.csv")
    assert len(str(caught.value)) < 600 and caught.value.at.endswith("list.csv:1")
