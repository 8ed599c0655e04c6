"""HDF5 files written bit by bit: whole or as before, whatever the disk says, and no part is left."""

import errno
import os
import resource
from contextlib import contextmanager

import h5py
import numpy as np
import pytest

from mochac.base.files import hdf5_stream
from mochac.base.files.hdf5_stream import Hdf5Stream


def grow(stream, rows, steps=8, name="x"):
    """Append as HDF5OutputLayer does."""
    for k in range(steps):
        found = stream.file.get(name)
        if found is None:
            found = stream.file.create_dataset(name, (0, 100), "f4", maxshape=(None, 100), chunks=(rows, 100))
        found.resize(len(found) + rows, axis=0)
        found[-rows:] = k
        stream.check()


def written(path, rows, steps=8, append=False):
    """One run, in which HDF5 may write at once or at its end."""
    stream = Hdf5Stream(path, append)
    try:
        grow(stream, rows, steps)
    except BaseException:
        stream.discard()
        raise
    stream.finish()


def counts(path, name="x"):
    with h5py.File(path, "r") as file:
        return np.unique(file[name][()], return_counts=True)[1].tolist()


@contextmanager
def failing(monkeypatch, code, after):
    """Writes fail after so many bytes, and so does whatever follows."""
    plain, left = os.pwrite, [after]

    def pwrite(descriptor, view, at):
        if len(view) > left[0]:
            left[0] = 0
            raise OSError(code, os.strerror(code))
        left[0] -= len(view)
        return plain(descriptor, view, at)

    with monkeypatch.context() as patch:
        patch.setattr(hdf5_stream.os, "pwrite", pwrite)
        yield


@contextmanager
def small_files(limit):
    """The system itself refuses larger ones."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_new_file_and_more_of_it(tmp_path):
    """Rows that end within a chunk, so that appending changes what is there."""
    path = tmp_path / "new" / "x.h5"
    written(path, 3)
    assert counts(path) == 8 * [300]
    for name in ("x", "y", "x"):
        stream = Hdf5Stream(path, append=True)
        grow(stream, 5, name=name)
        stream.finish()
    assert counts(path) == 8 * [300 + 2 * 500]
    assert counts(path, "y") == 8 * [500]
    assert os.listdir(path.parent) == ["x.h5"]


def test_the_same_as_hdf5_writes_itself(tmp_path):
    """Any calls of HDF5's, in any order, in several runs."""
    rng = np.random.default_rng(0)
    plain = tmp_path / "plain.h5"
    for run in range(3):
        stream = Hdf5Stream(tmp_path / "mine.h5", append=run > 0)
        with h5py.File(plain, "a") as other:
            for _ in range(15):
                name = f"g{rng.integers(3)}/d{rng.integers(4)}"
                value = rng.normal(size=(int(rng.integers(1, 60)), 17))
                for file in (stream.file, other):
                    if name not in file:
                        file.create_dataset(name, data=value, maxshape=(None, 17), chunks=(7, 17))
                    elif len(value) % 5 == 0:
                        del file[name]
                    else:
                        file[name].resize(len(value), axis=0)
                        file[name][...] = value
                    file.attrs[f"a{len(value)}"] = name
        stream.finish()
    with h5py.File(tmp_path / "mine.h5", "r") as mine, h5py.File(plain, "r") as other:
        assert dict(mine.attrs) == dict(other.attrs)
        names = []
        other.visit(names.append)
        for name in names:
            if isinstance(other[name], h5py.Dataset):
                np.testing.assert_array_equal(mine[name][()], other[name][()])


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("after", [0, 100, 5000, 50_000])
def test_a_new_file_that_cannot_be_written(tmp_path, monkeypatch, code, after):
    path = tmp_path / "x.h5"
    path.write_bytes(b"older")
    with failing(monkeypatch, code, after), pytest.raises(OSError, match=os.strerror(code)):
        written(path, 50)
    assert path.read_bytes() == b"older"
    assert os.listdir(tmp_path) == ["x.h5"]
    written(path, 50)
    assert counts(path) == 8 * [5000]


@pytest.mark.parametrize("after", [0, 100, 5000, 50_000])
def test_more_that_cannot_be_written_leaves_the_file_as_it_was(tmp_path, monkeypatch, after):
    path = tmp_path / "x.h5"
    written(path, 3)
    content = path.read_bytes()
    with failing(monkeypatch, errno.ENOSPC, after), pytest.raises(OSError, match="No space left"):
        written(path, 30, append=True)
    assert path.read_bytes() == content
    written(path, 4, append=True)
    assert counts(path) == 8 * [700]


@pytest.mark.parametrize("limit", [1000, 30_000, 100_000])
def test_a_limit_of_the_system(tmp_path, limit):
    """No disk is full here, but nothing is stood in for either."""
    with small_files(limit), pytest.raises(OSError, match="File too large"):
        written(tmp_path / "x.h5", 50)
    assert os.listdir(tmp_path) == []


def test_a_disk_that_is_full_when_the_file_is_closed(tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    stream = Hdf5Stream(tmp_path / "x.h5")
    grow(stream, 3)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        stream.finish()
    assert os.listdir(tmp_path) == []


def test_a_disk_that_fails_when_the_older_part_is_changed(tmp_path, monkeypatch):
    """New rows are on disk; what points at them is half written, and taken back."""
    path, plain, failed = tmp_path / "x.h5", os.pwrite, []
    written(path, 3)
    content = path.read_bytes()

    def pwrite(descriptor, view, at):
        if at < len(content) and not failed:
            failed.append(plain(descriptor, view[: len(view) // 2], at))
            raise OSError(errno.EIO, "Input/output error")
        return plain(descriptor, view, at)

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", pwrite)
        with pytest.raises(OSError, match="Input/output error"):
            written(path, 5, append=True)
    assert path.read_bytes() == content


def test_a_file_that_somebody_reads_is_not_appended_to(tmp_path):
    path = tmp_path / "x.h5"
    written(path, 3)
    with h5py.File(path, "r"), pytest.raises(OSError, match="it is open elsewhere"):
        Hdf5Stream(path, append=True)


def test_a_kill_while_appending_leaves_what_was_there(tmp_path):
    path = tmp_path / "x.h5"
    written(path, 3)
    pid = os.fork()
    if pid == 0:
        grow(Hdf5Stream(path, append=True), 50)
        os._exit(0)
    os.waitpid(pid, 0)
    assert counts(path) == 8 * [300]
    written(path, 3, append=True)
    assert counts(path) == 8 * [600]
