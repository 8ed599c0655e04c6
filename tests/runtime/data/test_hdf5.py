"""HDF5 files: order, shuffling, types, and every way a file can be wrong."""

import os

import h5py
import numpy as np
import pytest
from data_layers import FakeLayer, hdf5, ids, numbered, take, write_files

import mochac
from mochac.base.errors import DataError
from mochac.runtime.data import hdf5 as module
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.order import FileOrder, unit_rows
from mochac.runtime.data.source import Reading, describe, open_source
from mochac.runtime.data.targets import ClassIndices


@pytest.fixture
def small_groups(monkeypatch):
    """Units of a few rows and groups of a few units, so that small files have many."""
    monkeypatch.setattr(module, "unit_rows", lambda row_bytes, chunk: chunk or 5)
    monkeypatch.setattr(module, "GROUP_BYTES", 400)


def feed_of(source, **kw):
    reading = {k: kw.pop(k) for k in ("seed", "classes") if k in kw}
    return Feed([open_source(hdf5(source, **kw), Reading(**reading))])


def epoch(feed, n):
    """One epoch, sample by sample (batch size 1)."""
    return [i for batch in take(feed, n) for i in batch]


@pytest.mark.usefixtures("small_groups")
@pytest.mark.parametrize(
    ("dtype", "options"),
    [
        (np.float32, {}),
        pytest.param(np.uint8, {"chunks": (4, 2, 3)}, marks=pytest.mark.slow),
        pytest.param(np.uint8, {"chunks": (7, 1, 3), "compression": "gzip", "shuffle": True}, marks=pytest.mark.slow),
        pytest.param(np.dtype(">f8"), {"chunks": (1, 2, 3)}, marks=pytest.mark.slow),
    ],
)
def test_files_in_order_and_shuffled(tmp_path, options, dtype):
    source = write_files(tmp_path, [50, 7, 27], dtype, **options)
    feed = feed_of(source, batch_size=1)
    assert epoch(feed, 168) == [*range(84), *range(84)]
    assert feed.epoch == 2
    feed.close()
    feed = feed_of(source, batch_size=1, shuffle=True)
    epochs = [epoch(feed, 84) for _ in range(3)]
    feed.close()
    assert all(sorted(e) == list(range(84)) for e in epochs)
    assert epochs[0] != epochs[1] != epochs[2]
    again = feed_of(source, batch_size=1, shuffle=True)
    assert epoch(again, 84) == epochs[0]
    again.close()


@pytest.mark.usefixtures("small_groups")
def test_files_and_rows_are_both_permuted(tmp_path):
    feed = feed_of(write_files(tmp_path, [30, 30, 30]), batch_size=1, shuffle=True)
    epochs = [epoch(feed, 90) for _ in range(5)]
    feed.close()
    assert len({e[0] // 30 for e in epochs}) > 1  # which file comes first changes
    assert all(len({i // 30 for i in e[:30]}) == 1 for e in epochs)  # one file at a time
    assert sum(abs(a - b) == 1 for a, b in zip(epochs[0], epochs[0][1:], strict=False)) < 45


@pytest.mark.slow
@pytest.mark.usefixtures("small_groups")
def test_a_cursor_restores_the_middle_of_a_shuffled_epoch(tmp_path):
    source = write_files(tmp_path, [26, 9], chunks=(4, 2, 3))
    feed = feed_of(source, batch_size=6, shuffle=True)
    whole = take(feed, 14)
    feed.close()
    for k in (1, 8):
        one, two = (feed_of(source, batch_size=6, shuffle=True) for _ in range(2))
        take(one, k)
        two.set_cursor(one.cursor())
        assert take(two, 14 - k) == whole[k:]
        one.close()
        two.close()


def test_a_small_file_is_read_once_for_all_epochs(tmp_path, monkeypatch):
    loads = []
    plain = module.Hdf5Source._load
    monkeypatch.setattr(module.Hdf5Source, "_load", lambda self, *a: loads.append(1) or plain(self, *a))
    feed = feed_of(write_files(tmp_path, [50]), shuffle=True)
    take(feed, 60)
    feed.close()
    assert len(loads) == 1


def test_an_evaluation_pass(tmp_path):
    feed = feed_of(write_files(tmp_path, [5, 2]), shuffle=True, batch_size=4)
    passed = feed.evaluation()
    assert passed.wait(1) == 1
    assert ids(passed.arrays()) == [0, 1, 2, 3]
    passed.release(1)
    assert passed.n_valid(1).tolist() == [3]
    passed.close()
    feed.close()


def test_paths_are_found_beside_the_list_file_and_a_data_file_may_stand_for_a_list(tmp_path, monkeypatch):
    source = write_files(tmp_path, [5])
    (tmp_path / "train.txt").write_text("  part0.h5  \n\n")
    assert describe(hdf5(source)) == {"data": (2, 3), "label": (1,)}
    assert describe(hdf5(str(tmp_path / "part0.h5"))) == {"data": (2, 3), "label": (1,)}
    monkeypatch.chdir(tmp_path)
    assert describe(hdf5("train.txt"))["data"] == (2, 3)


def test_a_vector_of_labels_counts_as_one_column(tmp_path):
    source = write_files(tmp_path, [9], label=lambda y: y[:, 0].astype(np.int32))
    feed = feed_of(source)
    assert describe(hdf5(source))["label"] == (1,)
    feed.wait(1)
    assert feed.arrays()["label"].tolist() == [[0], [1], [2], [3]]
    feed.close()


def broken(tmp_path, **changes):
    """A file that lacks or has what `changes` says (None deletes)."""
    data, label = numbered(10)
    with h5py.File(tmp_path / "bad.h5", "w") as f:
        for name, values in {"data": data, "label": label, **changes}.items():
            if values is not None:
                f[name] = values
    (tmp_path / "list.txt").write_text(str(tmp_path / "bad.h5"))
    return hdf5(str(tmp_path / "list.txt"))


def complaint(layer):
    with pytest.raises(DataError) as caught:
        open_source(layer)
    text = str(caught.value)
    assert text.startswith("layer 'train-data' (HDF5Data): ")
    assert text.endswith("at lenet.py:3")
    return text


def test_missing_things(tmp_path):
    assert "cannot read list file nowhere.txt\n  got  No such file or directory" in complaint(hdf5("nowhere.txt"))
    (tmp_path / "list.txt").write_text("gone.h5\n")
    assert "no HDF5 file gone.h5\n  named by" in complaint(hdf5(str(tmp_path / "list.txt")))
    (tmp_path / "list.txt").write_text("\n \n")
    assert "names no HDF5 files" in complaint(hdf5(str(tmp_path / "list.txt")))
    (tmp_path / "list.txt").write_bytes(b"\xff\xfe\x80")
    assert "it is not text" in complaint(hdf5(str(tmp_path / "list.txt")))
    text = complaint(broken(tmp_path, label=None, labels=np.zeros((10, 1))))
    assert "has no dataset 'label'\n  datasets: data labels\n  hint: did you mean 'labels'?" in text


def test_wrong_contents(tmp_path):
    assert "differ in their number of samples\n  got  data: 10, label: 9" in complaint(
        broken(tmp_path, label=np.zeros((9, 1)))
    )
    assert "dataset 'data' of" in complaint(broken(tmp_path, data=np.zeros((0, 3))))
    assert "is empty\n  got  shape (0, 3)" in complaint(broken(tmp_path, data=np.zeros((0, 3))))
    assert "is not numbers" in complaint(broken(tmp_path, data=np.array([b"a"] * 10)))
    assert "is not numbers" in complaint(broken(tmp_path, data=np.float32(1)))


def test_files_that_disagree(tmp_path):
    write_files(tmp_path, [5, 5])
    with h5py.File(tmp_path / "part1.h5", "w") as f:
        f["data"], f["label"] = np.zeros((5, 3)), np.zeros((5, 1))
    text = complaint(hdf5(str(tmp_path / "train.txt")))
    assert "files differ in the shape of dataset 'data'\n  expected  (2, 3) (" in text
    assert "part0.h5),  got  (3,) (" in text


def test_a_truncated_file_and_one_that_is_no_hdf5(tmp_path):
    source = write_files(tmp_path, [500])
    path = tmp_path / "part0.h5"
    os.truncate(path, os.path.getsize(path) // 2)
    assert "  hint: it is truncated: copy it or create it again" in (text := complaint(hdf5(source)))
    assert f"cannot read {path}\n  got  " in text and f"named by {source}" in text
    path.write_bytes(b"nonsense" * 100)
    assert f"cannot read {path}" in complaint(hdf5(source))


def test_damage_inside_a_compressed_file_surfaces_at_the_batch(tmp_path):
    rng = np.random.default_rng(0)
    with h5py.File(tmp_path / "a.h5", "w") as f:
        f.create_dataset("data", data=rng.normal(size=(4000, 20)), chunks=(100, 20), compression="gzip")
        f["label"] = np.zeros((4000, 1))
        offset = f["data"].id.get_chunk_info(39).byte_offset
    with open(tmp_path / "a.h5", "r+b") as f:
        f.seek(offset)
        f.write(b"\0" * 500)
    feed = Feed([open_source(FakeLayer(reader="hdf5", source=str(tmp_path / "a.h5"), batch_size=100))])
    with pytest.raises(DataError, match=r"layer 'train-data' .*cannot read dataset 'data' of .*a.h5"):
        take(feed, 40)
    feed.close()


def test_a_file_that_shrinks_while_training(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "GROUP_BYTES", 1 << 17)
    source = write_files(tmp_path, [20000])
    reader = open_source(hdf5(source))
    write_files(tmp_path, [100])
    with pytest.raises(DataError) as found:
        reader.fill(0, {"data": np.empty((1, 2, 3))})
    assert str(found.value) == (
        f"layer 'train-data' (HDF5Data): dataset 'data' of {tmp_path}/part0.h5 has changed\n"
        "  expected  float32, shape (20000, 2, 3),  got  float32, shape (100, 2, 3)\n"
        "  hint: to use other data, build and compile the net again\n  at lenet.py:3"
    )


def write_anew(path, data, label):
    """Another file in its place: a reader may still have the old one open, which HDF5 would not truncate."""
    made = path.with_suffix(".new")
    with h5py.File(made, "w") as f:
        f["data"], f["label"] = data, label
    made.replace(path)


def test_files_that_changed_are_read_again_when_a_training_begins(tmp_path):
    feed = feed_of(write_files(tmp_path, [5, 3], np.uint8))
    assert take(feed, 2) == [[0, 1, 2, 3], [4, 5, 6, 7]]
    write_anew(tmp_path / "part0.h5", np.arange(50.0, 55).repeat(6).reshape(5, 2, 3) + 0.5, np.zeros((5, 1)))
    feed.refresh()
    feed.wait(1)
    assert feed.arrays()["data"][0, 0, 0] == 50.5 and not feed.sources[0].octets
    assert take(feed, 2) == [[50, 51, 52, 53], [54, 5, 6, 7]]
    feed.close()


def test_files_that_did_not_change_are_not_opened_again(tmp_path, monkeypatch):
    feed = feed_of(write_files(tmp_path, [5, 3]))
    monkeypatch.setattr(module.Hdf5Source, "_open", lambda self, path: pytest.fail(path))
    feed.refresh()


@pytest.mark.parametrize(
    ("data", "labels", "words"),
    [
        ((5, 2, 4), 5, "dataset 'data' of {} has changed\n  expected  shape (5, 2, 3),  got  shape (5, 2, 4)\n"),
        ((9, 2, 3), 9, "dataset 'data' of {} has changed\n  expected  shape (5, 2, 3),  got  shape (9, 2, 3)\n"),
        ((5, 2, 3), 0, "{} has no dataset 'label'\n  datasets: data\n"),
        (None, 0, "no HDF5 file {}\n  named by "),
    ],
)
def test_files_that_became_others_are_refused(tmp_path, data, labels, words):
    source, path = write_files(tmp_path, [5]), tmp_path / "part0.h5"
    feed = Feed([open_source(hdf5(source), Reading(shapes={"data": (2, 3), "label": (1,)}))])
    path.unlink()
    if data:
        with h5py.File(path, "w") as f:
            f["data"] = np.zeros(data)
            if labels:
                f["label"] = np.zeros((labels, 1))
    for look in (feed.refresh, feed.refresh, feed.evaluation):
        with pytest.raises(DataError) as found:
            look()
        assert str(found.value).startswith("layer 'train-data' (HDF5Data): " + words.format(path))
    feed.close()


def test_a_list_of_other_files_must_name_as_many_samples(tmp_path):
    feed = feed_of(write_files(tmp_path, [5, 3]))
    (tmp_path / "train.txt").write_text("part1.h5")
    with pytest.raises(
        DataError, match=r"train.txt has changed\n  expected  8 samples,  got  3\n  hint: to use other data, build"
    ):
        feed.refresh()


def test_a_program_on_files_that_changed_since_its_net_was_built(tmp_path):
    words = r"'data' of .*part0.h5 has changed\n  expected  shape \(5, 7\),  got  shape \(5, 2, 3\)\n"
    with pytest.raises(DataError, match=words):
        open_source(hdf5(write_files(tmp_path, [5])), Reading(shapes={"data": (7,)}))


@pytest.mark.slow
def test_train_and_evaluate_see_files_as_they_are_when_they_begin(tmp_path):
    layer = mochac.HDF5DataLayer(name="in", source=write_files(tmp_path, [8], np.uint8), batch_size=4)
    net = mochac.Net("files", [
        layer,
        mochac.InnerProductLayer(name="ip", output_dim=10, bottoms=["data"]),
        mochac.SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
    ])  # fmt: skip
    with mochac.compile(net, backend="cpu", keep=["data"]) as program:
        program.train(mochac.SGD(), max_iter=1)
        assert program.blobs["data"][:, 0, 0].tolist() == [0, 1, 2, 3]
        write_anew(tmp_path / "part0.h5", numbered(8, (2, 3))[0] + 0.25, np.zeros((8, 1)))
        program.train(mochac.SGD(), max_iter=1)
        assert program.blobs["data"][:, 0, 0].tolist() == [4.25, 5.25, 6.25, 7.25]
        write_anew(tmp_path / "part0.h5", np.zeros((8, 3, 3)), np.zeros((8, 1)))
        words = r"layer 'in' .*part0.h5 has changed\n  expected  shape \(8, 2, 3\),  got  shape \(8, 3, 3\)\n"
        for run in (lambda: program.train(mochac.SGD(), max_iter=1), program.evaluate):
            with pytest.raises(DataError, match=words):
                run()
    with mochac.compile(net, backend="cpu") as program, pytest.raises(DataError, match=words):
        program.forward()


def test_a_bad_label_names_file_and_row(tmp_path):
    def spoil(labels):
        labels[7] = 12
        return labels

    feed = feed_of(
        write_files(tmp_path, [5, 9], label=lambda y: spoil(y) if len(y) == 9 else y),
        classes={"label": ClassIndices(10)},
    )
    take(feed, 3)
    with pytest.raises(DataError, match=r"label out of range(?s:.*)blob 'label', sample 7 of .*part1.h5"):
        take(feed, 1)
    feed.close()


def test_units_are_whole_chunks_and_groups_cover_every_row_once():
    rng = np.random.default_rng(0)
    assert unit_rows(100, 7) % 7 == 0
    for n, unit, group in [(1, 1, 1), (10, 3, 6), (100, 7, 21), (100, 200, 5)]:
        for permutation in (None, lambda n, *names: rng.permutation(n)):
            order = FileOrder(n, unit, group, permutation)
            rows = [r for k in range(order.n_groups) for a, b in order.group(k).runs for r in range(a, b)]
            assert sorted(rows) == list(range(n))
            assert sum(order.length(k) for k in range(order.n_groups)) == n
            assert [order.find(p)[0] for p in range(n)] == sorted(order.find(p)[0] for p in range(n))
            assert all(b - a >= min(unit, n) or b == n for k in range(order.n_groups) for a, b in order.group(k).runs)
