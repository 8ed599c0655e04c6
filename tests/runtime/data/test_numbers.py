"""The numbers of the samples of a batch name the very samples that a reader would put into it."""

import os

import h5py
import numpy as np
import pytest
from data_layers import FakeLayer, hdf5, memory, take, write_files

from mochac import AsyncHDF5DataLayer
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.memory import SameArray, writable
from mochac.runtime.data.ring import Ring, SampleRange
from mochac.runtime.data.source import Reading, open_source


def read(source, start, n):
    out = {top: np.empty((n, *shape), np.float32) for top, shape in source.shapes.tops.items()}
    source.fill(start, out)
    return out


def sources(folder, monkeypatch, shuffle):
    """Memory, files of many small groups, and files read in chunks."""
    for name, n_bytes in (("hdf5.GROUP_BYTES", 120), ("order.UNIT_BYTES", 50)):
        monkeypatch.setattr(f"mochac.runtime.data.{name}", n_bytes)
    files = write_files(folder, (7, 1, 12))
    chunks = AsyncHDF5DataLayer(source=files, batch_size=4, chunk_size=3, shuffle=shuffle)
    for layer in (memory(9, shuffle=shuffle), hdf5(files, shuffle=shuffle), chunks):
        yield open_source(layer, Reading(seed=4))


@pytest.mark.parametrize("shuffle", [False, True])
def test_numbers_name_what_a_reader_gives(tmp_path, monkeypatch, shuffle):
    for source in sources(tmp_path, monkeypatch, shuffle):
        everything = read(source.unshuffled(), 0, source.n_samples)
        for start, n in ((3, source.n_samples), (2 * source.n_samples - 1, 30)):
            numbers = source.numbers(start, n)
            assert numbers.dtype == np.int32
            for top, values in read(source, start, n).items():
                assert np.array_equal(values, everything[top][numbers])


def test_a_feed_goes_on_from_numbers_to_arrays_and_back():
    whole = Feed([open_source(memory(10, shuffle=True))])
    wanted = take(whole, 9)
    feed = Feed([open_source(memory(10, shuffle=True))])
    found = take(feed, 2)
    for _ in range(3):
        assert feed.remaining(100) == 100
        numbers = feed.numbers(2)
        assert numbers["data"] is numbers["label"]
        found += numbers["data"][:1].tolist()
        feed.release(1)
        found += take(feed, 1)
    assert found[:8] == wanted[:8]
    assert feed.cursor() == {"train-data": {"epoch": 3, "position": 2, "n_samples": 10}}
    for each in (whole, feed):
        each.close()


def test_the_next_epochs_order_is_ready_before_it_is_needed(monkeypatch):
    source = open_source(memory(10, shuffle=True))
    feed, asked, order = Feed([source]), [], source.order
    monkeypatch.setattr(source, "order", lambda epoch: asked.append(epoch) or order(epoch))
    feed.numbers(1)
    feed.prepare_numbers(1)
    assert asked == [0, 1]
    for _ in range(5):  # samples 4 to 23
        feed.release(1)
        feed.numbers(1)
    assert asked == [0, 1, 2]
    feed.close()


def test_the_last_batch_of_a_pass_repeats_its_first_sample():
    ring = Ring(open_source(memory(10)), 4, np.dtype(np.float32), SampleRange(0, 10))
    assert ring.remaining(2) == 2 and ring.remaining(9) == 3
    assert ring.numbers(3).tolist() == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 8, 8]]
    ring.release(2)
    assert ring.numbers(1).tolist() == [[8, 9, 8, 8]]
    ring.release(1)
    assert ring.remaining(1) == 0


def test_only_arrays_that_nobody_may_write_to_stay_as_they_are(tmp_path):
    kept, x = np.arange(6.0), np.arange(6.0)
    kept.flags.writeable = False
    x.tofile(tmp_path / "x")
    view = x[:, None]
    view.flags.writeable = False
    assert not writable(kept) and not writable(kept.reshape(2, 3)[:, 1:])
    assert not writable(np.memmap(tmp_path / "x", mode="r")) and not writable(np.frombuffer(b"1234", np.uint8))
    assert writable(x) and writable(view) and writable(np.frombuffer(bytearray(4), np.uint8))
    labels = np.zeros(6)
    labels.flags.writeable = False
    live = [open_source(FakeLayer(data=(a[:, None], labels[:, None]))).live for a in (kept, x)]
    assert live == [False, True]


def test_the_same_samples_are_recognised(tmp_path):
    x = np.arange(6.0)
    assert SameArray(x[:, None]) == SameArray(x.reshape(6, 1)) and SameArray(x) != SameArray(x.copy())
    files = write_files(tmp_path, (3, 4))
    first, second = open_source(hdf5(files)), open_source(hdf5(files, shuffle=True))
    assert first.identity("data") == second.identity("data") != first.identity("label")
    before = first.identity("data")
    os.utime(tmp_path / "part1.h5", ns=(1, 1))
    assert first.identity("data") == before  # it speaks of what was looked at
    assert first.changed()
    first.reload()
    assert first.identity("data") != before and not first.changed()
    (tmp_path / "part0.h5").unlink()
    assert first.changed()


def test_bytes_are_known_as_such(tmp_path):
    bits = np.zeros((4, 1), bool)
    assert open_source(FakeLayer(data=(np.zeros((4, 2), np.uint8), bits))).octets == {"data", "label"}
    assert open_source(FakeLayer(data=(np.zeros((4, 2), np.int8), bits.astype(">u2")))).octets == set()
    files = write_files(tmp_path, (3, 4), np.uint8)
    assert open_source(hdf5(files)).octets == {"data"}
    with h5py.File(tmp_path / "part1.h5", "r+") as f:
        values = f["data"][()]
        del f["data"]
        f["data"] = values.astype(np.float64)
    assert open_source(hdf5(files)).octets == set()
