"""AsyncHDF5DataLayer: HDF5DataLayer's samples and epochs; with shuffle, chunk by chunk as Mocha visits them."""

from __future__ import annotations

import numpy as np
import pytest
from data_layers import ids, take, write_files

import mochac
from mochac import AsyncHDF5DataLayer, DataError, HDF5DataLayer, InnerProductLayer, Net, SoftmaxLossLayer
from mochac.runtime.data import hdf5 as async_hdf5
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.source import Reading, open_source

SIZES = [10, 7, 4]
BEGINS = [0, 10, 17, 21]


def order(source, epochs=1, seed=0, kind=AsyncHDF5DataLayer, batch=1, **fields):
    """Numbers of the samples of the first epochs, epoch by epoch."""
    feed = Feed([open_source(kind(source=source, batch_size=batch, **fields), Reading(seed))])
    try:
        seen = [i for found in take(feed, 21 * epochs // batch) for i in found]
    finally:
        feed.close()
    return [seen[21 * k : 21 * k + 21] for k in range(epochs)]


def chunks(seen, size):
    """The file and chunk of each sample: (file, chunk) runs in the order they are visited."""
    runs = []
    for i in seen:
        file = int(np.searchsorted(BEGINS, i, side="right")) - 1
        place = (file, (i - BEGINS[file]) // size)
        if not runs or runs[-1] != place:
            runs.append(place)
    return runs


def test_fields():
    layer = AsyncHDF5DataLayer(source="train.txt", batch_size=2)
    assert (layer.name, layer.chunk_size, layer.shuffle, layer.tops) == ("hdf5-data", 2**20, False, ("data", "label"))


@pytest.mark.parametrize("size", [1, 2**20])
def test_unshuffled_it_reads_what_hdf5data_reads(tmp_path, size):
    source = write_files(tmp_path, SIZES)
    found = order(source, 2, batch=3, chunk_size=size)
    assert found == [list(range(21))] * 2
    assert found == order(source, 2, batch=3, kind=HDF5DataLayer)


@pytest.mark.parametrize("size", [4, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 3, 6))])
def test_files_chunks_and_samples_are_permuted_every_epoch(tmp_path, size):
    """Every sample once an epoch; a chunk is left only when it is done, a file only when all its chunks are."""
    source = write_files(tmp_path, SIZES)
    epochs = order(source, 2, chunk_size=size, shuffle=True)
    for seen in epochs:
        assert sorted(seen) == list(range(21))
        runs = chunks(seen, size)
        assert len(runs) == len(set(runs)) == sum(-(-n // size) for n in SIZES)
        files = [file for file, _ in runs]
        assert [f for k, f in enumerate(files) if k == 0 or files[k - 1] != f] == list(dict.fromkeys(files))
    assert epochs[0] != epochs[1]
    assert epochs[:1] == order(source, 1, chunk_size=size, shuffle=True)
    assert epochs[:1] != order(source, 1, seed=1, chunk_size=size, shuffle=True)


@pytest.mark.slow
def test_all_three_orders_occur(tmp_path):
    source = write_files(tmp_path, SIZES)
    epochs = order(source, 30, chunk_size=4, shuffle=True)
    runs = [chunks(seen, 4) for seen in epochs]
    assert len({tuple(dict.fromkeys(file for file, _ in run)) for run in runs}) == 6
    assert len({tuple(chunk for file, chunk in run if file == 0) for run in runs}) == 6
    assert len({tuple(i for i in seen if i < 4) for seen in epochs}) > 12


def test_chunks_of_storage_and_compression_do_not_matter(tmp_path):
    plain, packed = tmp_path / "plain", tmp_path / "packed"
    for folder in (plain, packed):
        folder.mkdir()
    sources = [write_files(plain, SIZES), write_files(packed, SIZES, chunks=(3, 2, 3), compression="gzip")]
    assert len({str(order(s, 2, chunk_size=5, shuffle=True)) for s in sources}) == 1


def test_an_evaluation_is_unshuffled_and_complete(tmp_path):
    layer = AsyncHDF5DataLayer(source=write_files(tmp_path, SIZES), batch_size=4, chunk_size=3, shuffle=True)
    feed = Feed([open_source(layer)])
    try:
        passing = feed.evaluation()
        seen = []
        while n := passing.wait(1):
            seen += ids(passing.arrays())[: int(passing.n_valid(n)[0])]
            passing.release(n)
        passing.close()
        assert seen == list(range(21))
    finally:
        feed.close()


@pytest.mark.slow
def test_going_on_from_a_cursor(tmp_path):
    layer = AsyncHDF5DataLayer(source=write_files(tmp_path, SIZES), batch_size=4, chunk_size=3, shuffle=True)
    feeds = [Feed([open_source(layer, Reading(5))]) for _ in range(2)]
    try:
        whole = take(feeds[0], 12)
        take(feeds[1], 7)
        other = Feed([open_source(layer, Reading(5))])
        feeds.append(other)
        other.set_cursor(feeds[1].cursor())
        assert take(other, 5) == whole[7:]
    finally:
        for feed in feeds:
            feed.close()


def test_a_chunk_that_does_not_fit_into_memory(tmp_path, monkeypatch):
    source = write_files(tmp_path, [100])
    monkeypatch.setattr(async_hdf5, "available_bytes", lambda: 1000)
    order_of = AsyncHDF5DataLayer(name="train", source=source, batch_size=4, shuffle=True)
    with pytest.raises(DataError) as caught:
        Net("big", [order_of, InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])])
    assert "layer 'train' (AsyncHDF5Data): a chunk does not fit into memory" in str(caught.value)
    assert "chunk_size * 28 bytes <= 1,000 bytes,  got  100 * 28 bytes" in str(caught.value)
    assert "hint: chunk_size=35 at most" in str(caught.value)
    for fits in ({"shuffle": True, "chunk_size": 35}, {"shuffle": False}):
        open_source(order_of.replace(**fits)).close()


@pytest.mark.slow
def test_training_by_it(tmp_path):
    data = AsyncHDF5DataLayer(source=write_files(tmp_path, SIZES), batch_size=5, chunk_size=4, shuffle=True)
    ip = InnerProductLayer(name="ip", output_dim=10, bottoms=["data"])
    with mochac.compile(Net("n", [data, ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])) as program:
        program.train(mochac.SGD(), max_epoch=2)
        assert program.epoch() == 2
        assert set(program.evaluate()) == {"loss"}
