"""Batches: wrapping, epochs, cursors, exact passes, checks, and the reader thread."""

import os
import threading

import numpy as np
import pytest
from data_layers import FakeLayer, ids, memory, numbered, take
from patience import HANG_S

from mochac.base.errors import DataError, SnapshotError
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.ring import Ring
from mochac.runtime.data.source import Reading, describe, open_source
from mochac.runtime.data.targets import ClassIndices


def flat(batches):
    return [i for batch in batches for i in batch]


def readers():
    """Reader threads, those included that programs of other tests have left to the garbage collector."""
    return {t for t in threading.enumerate() if t.name == "mochac-reader"}


@pytest.fixture
def make():
    """Feeds that are closed after the test."""
    feeds, before = [], readers()

    def build(*layers, dtype=np.float32, **reading):
        feeds.append(Feed([open_source(layer, Reading(**reading)) for layer in layers], dtype))
        return feeds[-1]

    yield build
    for feed in feeds:
        feed.close()
    assert readers() <= before


def test_batches_wrap_and_epochs_end_with_their_last_sample(make):
    feed = make(memory(10))
    assert [feed.steps_to_epoch(k) for k in (1, 2, 3)] == [3, 5, 8]
    epochs, left, batches = [], [], []
    for _ in range(6):
        left.append(feed.steps_to_epoch())
        batches += take(feed, 1)
        epochs.append(feed.epoch)
    assert epochs == [0, 0, 1, 1, 2, 2]  # as in Mocha
    assert left == [3, 2, 1, 2, 1, 3]
    assert batches[2] == [8, 9, 0, 1]


def test_a_batch_larger_than_the_data_spans_several_epochs(make):
    feed = make(memory(3, batch_size=8))
    assert take(feed, 1) == [[0, 1, 2, 0, 1, 2, 0, 1]]
    assert feed.epoch == 2


def test_shuffling_permutes_anew_every_epoch_and_depends_on_the_seed(make):
    feed = make(memory(12, shuffle=True))
    epochs = [flat(take(feed, 3)) for _ in range(3)]
    assert all(sorted(e) == list(range(12)) for e in epochs)
    assert epochs[0] != epochs[1] != epochs[2]
    assert flat(take(make(memory(12, shuffle=True)), 3)) == epochs[0]
    assert flat(take(make(memory(12, shuffle=True), seed=1), 3)) != epochs[0]
    assert flat(take(make(memory(12, shuffle=True, name="other")), 3)) != epochs[0]


def test_epochs_read_together_are_those_read_one_by_one():
    """A run of batches over many short epochs, from any sample of one, against batches of one sample."""
    for shuffle in (False, True):
        one = Ring(open_source(memory(5, shuffle=shuffle)), 1, np.dtype(np.float32), depth=4)
        order = flat(take(one, 60))
        one.stop()
        for start, n in ((0, 5), (0, 12), (3, 2), (3, 40), (7, 3), (9, 41)):
            source = open_source(memory(5, shuffle=shuffle))
            out = {"data": np.empty((n, 2), np.float32), "label": np.empty((n, 1), np.float32)}
            source.fill(start, out)
            assert ids(out) == order[start : start + n]
            assert out["label"][:, 0].tolist() == ids(out)


def test_a_fault_in_a_later_epoch_is_named_by_its_place_in_that_epoch(make):
    data, label = numbered(5)
    label[3] = np.nan
    source = open_source(memory(5, data=(data, label), shuffle=True), Reading(classes={"label": ClassIndices(10)}))
    out = {"data": np.empty((9, 2), np.float32), "label": np.empty((9, 1), np.float32)}
    with pytest.raises(DataError, match="blob 'label', sample 3"):
        source.fill(11, out)


def test_labels_stay_with_their_samples(make):
    feed = make(memory(12, shuffle=True))
    for _ in range(5):
        feed.wait(1)
        batch = feed.arrays()
        assert [i % 10 for i in ids(batch)] == batch["label"][:, 0].astype(int).tolist()
        feed.release(1)


def test_a_cursor_restores_the_very_next_batch(make):
    whole = take(make(memory(10, shuffle=True)), 20)
    feed = make(memory(10, shuffle=True))
    take(feed, 7)
    cursor = feed.cursor()
    assert cursor == {"train-data": {"epoch": 2, "position": 8, "n_samples": 10}}
    other = make(memory(10, shuffle=True))
    take(other, 3)
    other.set_cursor(cursor)
    assert other.epoch == 2
    assert take(other, 13) == whole[7:]


def test_a_cursor_of_other_data(make, caplog):
    feed = make(memory(10))
    with pytest.raises(SnapshotError, match=r"layer 'train-data' \(MemoryData\): snapshot has no cursor"):
        feed.set_cursor({"x": {}})
    feed.set_cursor({"train-data": {"epoch": 2, "position": 8, "n_samples": 9}})
    assert feed.epoch == 2
    assert take(feed, 1) == [[0, 1, 2, 3]]
    assert "had 9 samples and has 10 now" in caplog.text


def test_an_evaluation_sees_every_sample_once_and_leaves_the_cursor(make):
    feed = make(memory(10, shuffle=True))
    take(feed, 1)
    before = feed.cursor()
    for _ in range(2):
        passed = feed.evaluation()
        seen, valid = [], []
        while n := passed.wait(2):
            valid += passed.n_valid(n).tolist()
            for ahead in range(n):
                seen.append(ids(passed.arrays(ahead)))
            passed.release(n)
        passed.close()
        assert seen == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 8, 8]]
        assert valid == [4, 4, 2]
    assert feed.cursor() == before


def test_several_data_layers_go_in_step(make):
    x, y = numbered(10)
    feed = make(FakeLayer(name="a", tops=("x",), data=(x,)), FakeLayer(name="b", tops=("y",), data=(y[:6],)))
    feed.wait(1)
    assert sorted(feed.arrays()) == ["x", "y"]
    feed.release(1)
    assert feed.cursor()["b"] == {"epoch": 0, "position": 4, "n_samples": 6}
    with pytest.raises(DataError, match=r"layer 'b' .*differ in their number of samples\n  got  'a': 10, 'b': 6"):
        feed.evaluation()


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float64, np.dtype(">f4"), np.bool_])
def test_types_are_converted(make, dtype):
    x, y = numbered(9)
    feed = make(memory(data=(x.astype(dtype), y.astype(np.int8))), dtype=np.float64)
    feed.wait(1)
    batch = feed.arrays()
    assert batch["data"].dtype == np.float64
    assert np.array_equal(batch["data"], x[:4].astype(dtype).astype(np.float64))


def test_strided_data_is_gathered_and_not_copied(make):
    x, y = numbered(8, (3, 2))
    strided = np.asfortranarray(x)[:, ::-1]
    feed = make(memory(data=(strided, y), shuffle=True, batch_size=8))
    x[:] = -1  # not shared with the strided copy
    strided[:] = strided + 100
    assert sorted(take(feed, 1)[0]) == list(range(100, 108))


@pytest.mark.parametrize("batch_size", [1, 3, 16, 17])
def test_addresses_are_aligned_and_point_at_the_batches(make, batch_size):
    feed = make(memory(10, batch_size=batch_size))
    for _ in range(40):
        n = feed.wait(3)
        addresses = feed.addresses(n)
        for ahead in range(n):
            for top, array in feed.arrays(ahead).items():
                assert int(addresses[top][ahead]) == array.ctypes.data
                assert array.ctypes.data % 64 == 0
        feed.release(n)


def test_depth_changes_nothing():
    runs = []
    for depth in (1, 2, 5, 64):
        ring = Ring(open_source(memory(10, shuffle=True)), 3, np.dtype(np.float32), depth=depth)
        runs.append(take(ring, 30))
        ring.stop()
    assert runs == [runs[0]] * 4


def test_a_label_out_of_range_names_layer_blob_and_sample(make):
    x, y = numbered(10)
    y[6] = 10
    feed = make(memory(data=(x, y)), classes={"label": ClassIndices(10)})
    assert take(feed, 1) == [[0, 1, 2, 3]]
    with pytest.raises(DataError) as caught:
        take(feed, 1)
    assert str(caught.value) == (
        "layer 'train-data' (MemoryData): label out of range\n  expected  0 <= label < 10,  got  10\n"
        "  blob 'label', sample 6\n"
        "  hint: classes are numbered from 0, and there are 10 of them\n  at lenet.py:3"
    )


@pytest.mark.parametrize(
    ("bad", "words"),
    [(v, "label out of range") for v in (-1, np.nan, np.inf, 10, -0.2)] + [(9.6, "label is not an integer")],
)
def test_labels_are_class_indices(make, bad, words):
    x, y = numbered(10)
    y[0] = bad
    with pytest.raises(DataError, match=words):
        make(memory(data=(x, y)), classes={"label": ClassIndices(10)}).wait(1)


def test_nan_in_data_is_found_before_it_is_used(make):
    x, y = numbered(10)
    x[5, 1] = np.nan
    feed = make(memory(data=(x, y), shuffle=True, batch_size=10))
    with pytest.raises(DataError, match=r"data holds NaN\n  blob 'data', sample 5, at \(1,\)"):
        feed.wait(1)


def test_mended_data_is_read_again(make):
    x, y = numbered(10)
    x[6] = np.nan
    feed = make(memory(data=(x, y)))
    take(feed, 1)
    for _ in range(2):
        with pytest.raises(DataError, match="sample 6"):
            feed.wait(1)
    x[6] = 6
    assert take(feed, 1) == [[4, 5, 6, 7]]


@pytest.mark.parametrize(("value", "dtype"), [(np.inf, "f4"), (-np.inf, "f8"), (1e300, "f8")])
def test_infinities_and_numbers_too_large_are_found(make, value, dtype):
    x, y = numbered(4)
    x = x.astype(dtype)
    x[2, 1] = value
    words = r"data holds an infinity or a number too large for float32\n  blob 'data', sample 2, at \(1,\)"
    with pytest.raises(DataError, match=words):
        make(memory(data=(x, y))).wait(1)


def test_opposite_infinities_do_not_cancel(make):
    x, y = numbered(4)
    x[0], x[1] = np.inf, -np.inf
    with pytest.raises(DataError, match="sample 0"):
        make(memory(data=(x, y))).wait(1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_reads_on_with_a_reader_of_its_own(make):
    whole = take(make(memory(10, shuffle=True)), 8)
    feed = make(memory(10, shuffle=True))
    take(feed, 3)
    pid = os.fork()
    if pid == 0:
        os._exit(0 if take(feed, 5) == whole[3:] else 1)
    assert os.waitpid(pid, 0)[1] == 0
    assert take(feed, 5) == whole[3:]


def test_a_dropped_ring_ends_its_thread():
    before = readers()
    ring = Ring(open_source(memory(10)), 3, np.dtype(np.float32))
    ring.wait(1)
    (thread,) = readers() - before
    del ring
    thread.join(HANG_S)
    assert not thread.is_alive()


def test_stall_time_is_counted(make, stalling):
    feed = make(memory(10))
    stalling(20.0)
    feed.wait(1)
    assert feed.waited() == {"train-data": 20.0}


def test_what_a_step_waits_is_that_of_the_latest_without_the_first(make):
    feed = make(memory(10))
    ring = feed._rings[0]
    for stalled, n in ((5.0, 1), (0.5, 1), (0.0, 3)):
        assert feed.wait(1)
        ring.stall_s += stalled - (ring.stall_s - ring._stalled)
        feed.release(n)
    assert feed.wait_times() == {"train-data": pytest.approx(0.125)}
    assert make(memory(10)).wait_times() == {}


def test_describe_gives_shapes_of_samples():
    assert describe(memory(10)) == {"data": (2,), "label": (1,)}
