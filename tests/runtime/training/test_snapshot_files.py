"""Snapshot and model files: round trip, damage, full disks, kills at any instant, imports."""

import errno
import io
import json
import os
import re
from dataclasses import replace

import h5py
import numpy as np
import pytest
from fake_program import FakeProgram

from mochac.base.errors import SnapshotError
from mochac.base.files import atomic
from mochac.runtime.data.model_file import load_model, save_model
from mochac.training.loop import snapshot
from mochac.training.loop.snapshot import (
    SavedState,
    is_snapshot,
    newest_snapshot,
    parts_of_newest,
    read_snapshot,
    save_snapshot,
    snapshot_path,
)
from mochac.training.loop.tracking import EarlyStopping


def state(iteration=7, value=1.0):
    weight = np.full((3, 2), value, np.float32)
    return SavedState(
        iteration=iteration,
        method="SGD",
        net="net",
        cursor={"train-data": {"epoch": 1, "position": 2, "n_samples": 10}},
        rng_step=9,
        start_epoch=1,
        parameters={"a/b___weight": weight, "ip___bias": weight[0]},
        slots={"a/b.weight.history": -weight},
    )


def same(one, two):
    assert (one.iteration, one.method, one.cursor, one.rng_step) == (
        two.iteration,
        two.method,
        two.cursor,
        two.rng_step,
    )
    for left, right in ((one.parameters, two.parameters), (one.slots, two.slots)):
        assert sorted(left) == sorted(right)
        assert all(np.array_equal(left[k], right[k]) and left[k].dtype == right[k].dtype for k in left)


def test_round_trip(tmp_path):
    path = snapshot_path(tmp_path, 7)
    assert path.name == "snapshot-000007.h5"
    save_snapshot(path, state())
    same(read_snapshot(path), state())
    assert os.listdir(tmp_path) == [path.name]
    assert is_snapshot(path)


def test_a_state_without_slots(tmp_path):
    empty = SavedState(0, "SGD", "n", {}, 0, 0, {}, {})
    save_snapshot(tmp_path / "s.h5", empty)
    assert read_snapshot(tmp_path / "s.h5").slots == {}


def test_how_convolutions_were_computed_is_kept(tmp_path):
    for how in ("auto", "direct", None):  # None: as early versions
        save_snapshot(tmp_path / "s.h5", replace(state(), convolutions=how))
        assert read_snapshot(tmp_path / "s.h5").convolutions == how


def test_the_precision_of_products_is_kept(tmp_path):
    for how in ("float32", "bfloat16", None):  # None: as early versions
        save_snapshot(tmp_path / "s.h5", replace(state(), precision=how))
        assert read_snapshot(tmp_path / "s.h5").precision == how


def test_the_number_of_parts_is_found_without_reading_all(tmp_path):
    assert parts_of_newest(tmp_path) is None
    assert parts_of_newest(tmp_path / "none.h5") is None
    for iteration, parts in ((5, 2), (9, 4), (7, 8)):
        save_snapshot(snapshot_path(tmp_path, iteration), replace(state(iteration), parts=parts))
    assert parts_of_newest(tmp_path) == 4
    assert parts_of_newest(snapshot_path(tmp_path, 7)) == 8
    assert newest_snapshot(tmp_path).parts == 4
    save_snapshot(snapshot_path(tmp_path, 11), state(11))  # as early versions
    assert parts_of_newest(tmp_path) is None
    snapshot_path(tmp_path, 12).write_bytes(b"damaged")
    assert parts_of_newest(tmp_path) is None


def test_memory_and_seed_round_trip(tmp_path):
    """Numbers and arrays, under names with slashes too."""
    best = np.arange(3.0)
    memory = {
        "policy-0": {"lr": 0.1, "best": float("nan"), "best/a/b___weight": best},
        "Mine-1": {"none": None, "s": "x"},
    }
    for seed in (0, 2**64 - 1, None):
        save_snapshot(tmp_path / "s.h5", replace(state(), seed=seed, memory=memory))
        found = read_snapshot(tmp_path / "s.h5")
        same(found, state())
        assert found.seed == seed
        assert found.memory["Mine-1"] == memory["Mine-1"]
        policy = found.memory["policy-0"]
        assert policy.keys() == memory["policy-0"].keys()
        assert policy["lr"] == 0.1
        assert np.isnan(policy["best"])
        assert np.array_equal(policy["best/a/b___weight"], best)
    target = {"a/b___weight": np.zeros((3, 2), np.float32)}
    load_model(tmp_path / "s.h5", target)
    assert (target["a/b___weight"] == 1).all()


def test_a_file_of_the_first_version_is_read(tmp_path):
    """Without seed and memory."""

    def first_version(file):
        for name, value in {"mochac_snapshot": 1, "iteration": 7, "method": "SGD", "net": "net", "rng_step": 9}.items():
            file.attrs[name] = value
        file.attrs["start_epoch"], file.attrs["cursor"] = 1, json.dumps(state().cursor)
        for name, array in state().parameters.items():
            file[name] = array
        file["solver_slots/a/b.weight.history"] = state().slots["a/b.weight.history"]

    atomic.write_hdf5(tmp_path / "old.h5", first_version)
    found = read_snapshot(tmp_path / "old.h5")
    same(found, state())
    assert (found.seed, found.memory) == (None, {})


@pytest.mark.parametrize("kept", [0, 4, 100, 0.3, 0.7, 0.95, -1])
def test_every_truncation_is_noticed(tmp_path, kept):
    path = tmp_path / "snapshot-000007.h5"
    save_snapshot(path, state())
    size = path.stat().st_size
    os.truncate(path, size + kept if kept < 0 else int(kept * size) if kept < 1 else kept)
    with pytest.raises(SnapshotError, match=r"snapshot .*snapshot-000007.h5 is damaged"):
        read_snapshot(path)


@pytest.mark.slow
def test_any_flipped_bit_is_noticed(tmp_path):
    path = tmp_path / "s.h5"
    save_snapshot(path, state())
    content = path.read_bytes()
    rng = np.random.default_rng(1)
    for position in rng.integers(0, len(content), 150).tolist():
        path.write_bytes(content[:position] + bytes([content[position] ^ 16]) + content[position + 1 :])
        with pytest.raises(SnapshotError):
            read_snapshot(path)


def test_the_newest_readable_one_is_found(tmp_path, caplog):
    for iteration in (2, 10, 1000000, 30):
        save_snapshot(snapshot_path(tmp_path, iteration), state(iteration))
    (tmp_path / "snapshot-9999999.h5.part").write_text("")
    assert newest_snapshot(tmp_path).iteration == 1000000  # type: ignore[union-attr]
    os.truncate(snapshot_path(tmp_path, 1000000), 500)
    assert newest_snapshot(tmp_path).iteration == 30  # type: ignore[union-attr]
    assert re.search(r"skipped: snapshot .* is damaged; .*", caplog.text) and "hint" not in caplog.text
    assert newest_snapshot(tmp_path.parent / tmp_path.name) is not None
    (tmp_path / "empty").mkdir()
    assert newest_snapshot(tmp_path / "empty") is None


def test_a_snapshot_that_memory_is_too_short_for_is_not_taken_for_damaged(tmp_path, monkeypatch):
    """An older one would lose iterations."""
    for iteration in (2, 10):
        save_snapshot(snapshot_path(tmp_path, iteration), state(iteration))

    with monkeypatch.context() as patch:
        patch.setattr("mochac.base.files.hdf5_file.fits", lambda n_bytes: False)
        with pytest.raises(SnapshotError, match=r"snapshot-000010.h5 .*\n.* do not fit into memory"):
            newest_snapshot(tmp_path)
    found = newest_snapshot(tmp_path)
    assert found is not None and found.iteration == 10


def test_what_is_no_snapshot(tmp_path, monkeypatch):
    with pytest.raises(SnapshotError, match=r"no snapshot .*x.h5"):
        read_snapshot(tmp_path / "x.h5")
    save_model(tmp_path / "model.h5", state().parameters)
    assert not is_snapshot(tmp_path / "model.h5")
    with pytest.raises(SnapshotError, match="is not a snapshot"):
        read_snapshot(tmp_path / "model.h5")
    monkeypatch.setattr(snapshot, "VERSION", 99)
    save_snapshot(tmp_path / "s.h5", state())
    monkeypatch.undo()
    with pytest.raises(SnapshotError, match="written by a later mochac\n  expected  version 1,  got  99"):
        read_snapshot(tmp_path / "s.h5")


class Killed(BaseException):
    """Stands for a kill: nothing may be tidied up after it."""


WRITE_POINTS = ["_compose", "_write_all", "_sync", "replace", "fsync", "write"]


def break_at(monkeypatch, point, error):
    """Let one of the steps of a write fail."""

    def fail(*args, **kwargs):
        raise error

    class HalfWritten(io.FileIO):
        def write(self, content):
            if self.tell() > 1000:
                raise error
            return super().write(content[:700])

    if point in ("replace", "fsync"):
        monkeypatch.setattr(os, point, fail)
    elif point == "write":
        monkeypatch.setattr(atomic, "open", lambda path, mode, buffering: HalfWritten(path, "x+"), raising=False)
    else:
        monkeypatch.setattr(atomic, point, fail)


@pytest.mark.parametrize("point", WRITE_POINTS)
def test_a_kill_while_writing_leaves_a_whole_file(tmp_path, monkeypatch, point):
    path = snapshot_path(tmp_path, 7)
    save_snapshot(path, state(value=1))
    monkeypatch.setattr(atomic.TempFile, "discard", lambda self: self.file.close())
    break_at(monkeypatch, point, Killed())
    with pytest.raises(Killed):
        save_snapshot(path, state(value=2))
    found = newest_snapshot(tmp_path)
    assert found is not None
    assert found.parameters["ip___bias"][0] == (2 if point == "_sync" else 1)


@pytest.mark.parametrize("point", ["_write_all", "fsync", "write"])
def test_a_full_disk_is_an_error_that_loses_nothing(tmp_path, monkeypatch, point):
    path = snapshot_path(tmp_path, 7)
    save_snapshot(path, state(value=1))
    with monkeypatch.context() as patch:
        break_at(patch, point, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
        with pytest.raises(SnapshotError, match=r"cannot write .*snapshot-000007.h5\n  got  No space left on device"):
            save_snapshot(path, state(value=2))
    assert os.listdir(tmp_path) == [path.name]
    same(read_snapshot(path), state(value=1))


def test_short_writes_are_continued(tmp_path, monkeypatch):
    class Slow(io.FileIO):
        def write(self, content):
            return super().write(content[:700])

    monkeypatch.setattr(atomic, "open", lambda path, mode, buffering: Slow(path, "x+"), raising=False)
    save_snapshot(tmp_path / "s.h5", state())
    same(read_snapshot(tmp_path / "s.h5"), state())


def test_a_model_round_trip_and_a_snapshot_as_a_model(tmp_path):
    save_model(tmp_path / "m.h5", state(value=3).parameters)
    save_snapshot(tmp_path / "s.h5", state(value=4))
    mine = {k: np.zeros_like(v) for k, v in state().parameters.items()}
    load_model(tmp_path / "m.h5", mine)
    assert mine["a/b___weight"].tolist() == [[3, 3]] * 3
    load_model(tmp_path / "s.h5", mine)
    assert mine["ip___bias"].tolist() == [4, 4]


def test_caffe_shapes_and_types_are_fitted(tmp_path, caplog):
    with h5py.File(tmp_path / "caffe.h5", "w") as f:
        f["ip___weight"] = np.arange(6.0).reshape(1, 1, 3, 2)
        f["ip___bias"] = np.ones((1, 1, 1, 3), np.float32)
        f["other___weight"] = np.ones(3)
    mine = {"ip___weight": np.zeros((3, 2), np.float32), "ip___bias": np.zeros(3, np.float32)}
    load_model(tmp_path / "caffe.h5", mine)
    assert mine["ip___weight"].tolist() == [[0, 1], [2, 3], [4, 5]]
    assert mine["ip___bias"].tolist() == [1, 1, 1]
    assert "ip___weight is converted from float64 to float32" in caplog.text


def test_what_a_model_lacks(tmp_path, caplog):
    save_model(tmp_path / "m.h5", {"ip1___weight": np.ones(2, np.float32), "conv___filter": np.ones(3, np.float32)})
    mine = {"ip1___weight": np.zeros(2, np.float32), "ip1___bias": np.full(2, 5, np.float32)}
    load_model(tmp_path / "m.h5", mine)
    assert mine["ip1___bias"].tolist() == [5, 5]
    assert "has no parameter 'bias' for layer 'ip1': its value is kept" in caplog.text
    mine = {"ip1___weight": np.zeros(2, np.float32), "ip2___weight": np.zeros(2, np.float32)}
    with pytest.raises(
        SnapshotError, match=r"no parameter 'weight' for layer 'ip2'\n  hint: did you mean 'ip1___weight'"
    ):
        load_model(tmp_path / "m.h5", mine)
    assert mine["ip1___weight"].tolist() == [0, 0]
    load_model(tmp_path / "m.h5", mine, strict=False)
    assert mine["ip1___weight"].tolist() == [1, 1]


def test_models_that_cannot_be_read(tmp_path):
    with pytest.raises(SnapshotError, match="no model file"):
        load_model(tmp_path / "x.h5", {})
    (tmp_path / "x.h5").write_text("nonsense")
    with pytest.raises(SnapshotError, match="damaged or not HDF5"):
        load_model(tmp_path / "x.h5", {})
    save_model(tmp_path / "x.h5", {"a___weight": np.zeros((2, 3))})
    with pytest.raises(SnapshotError, match=r"a___weight has another shape\n  expected  \(3, 2\),  got  \(2, 3\)"):
        load_model(tmp_path / "x.h5", {"a___weight": np.zeros((3, 2))})
    save_model(tmp_path / "x.h5", {"a___weight": np.array([b"text"])})
    with pytest.raises(SnapshotError, match="a___weight is not an array of numbers"):
        load_model(tmp_path / "x.h5", {"a___weight": np.zeros(1)})


def forged(path, **attributes):
    """A snapshot under a right seal whose attributes nobody would write."""
    good = {"mochac_snapshot": 1, "iteration": 7, "method": "SGD", "net": "net", "rng_step": 9, "start_epoch": 1}
    given = {**good, "cursor": json.dumps(state().cursor), **attributes}

    def write(file):
        file.attrs.update({name: value for name, value in given.items() if value is not None})
        file["ip___bias"] = np.zeros(3, np.float32)

    atomic.write_hdf5(path, write)


PLACE = {"epoch": 1, "position": 2, "n_samples": 10}


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        ({"iteration": -5}, "attribute 'iteration': expected an integer in 0 .. 9007199254740992, got '-5'"),
        ({"iteration": 2**62}, "attribute 'iteration': expected an integer in 0"),
        ({"iteration": "7"}, "attribute 'iteration': expected an integer in 0"),
        ({"iteration": [7, 8]}, "attribute 'iteration': expected an integer in 0"),
        ({"iteration": None}, "attribute 'iteration': it is missing"),
        ({"rng_step": 0.5}, "attribute 'rng_step': expected an integer"),
        ({"seed": -1}, "attribute 'seed': expected an integer"),
        ({"method": 3}, "attribute 'method': expected text, got '3'"),
        ({"net": h5py.Empty("f4")}, "attribute 'net': expected text"),
        ({"mochac_snapshot": "one"}, "attribute 'mochac_snapshot': expected an integer"),
        ({"cursor": "{"}, "attribute 'cursor': Expecting property name"),
        ({"cursor": "[]"}, "attribute 'cursor': expected a JSON object"),
        ({"cursor": "[" * 100_000}, "attribute 'cursor': "),
        ({"cursor": json.dumps({"d": 3})}, "attribute 'cursor': expected epoch, position and n_samples of layer 'd'"),
        ({"cursor": json.dumps({"d": {**PLACE, "position": "2"}})}, "n_samples of layer 'd'"),
        ({"cursor": json.dumps({"d": {**PLACE, "position": 10}})}, "n_samples of layer 'd'"),
        ({"cursor": json.dumps({"d": {**PLACE, "epoch": 2**52}})}, "n_samples of layer 'd'"),
        ({"memory": json.dumps({"training": [1]})}, "attribute 'memory': expected what 'training' keeps, got '[1]'"),
    ],
)
def test_forged_attributes_are_refused_by_name(tmp_path, attributes, said):
    forged(tmp_path / "s.h5")
    assert read_snapshot(tmp_path / "s.h5").iteration == 7
    forged(tmp_path / "s.h5", **attributes)
    with pytest.raises(SnapshotError, match=rf"snapshot .*s.h5 is damaged\n  .*{re.escape(said)}"):
        read_snapshot(tmp_path / "s.h5")


@pytest.mark.parametrize("remembered", [{"waited": "x"}, {"best_value": []}, {"best_iteration": {}}, {"waited": None}])
def test_what_breaks_remember_is_checked_when_they_take_it_over(remembered):
    memory = {"statistic": "loss", "best_value": 0.5, "waited": 1, "best_iteration": 3}
    stopping = EarlyStopping("loss")
    stopping.recall(memory, FakeProgram())
    with pytest.raises(SnapshotError, match="the snapshot's state of EarlyStopping is damaged\n  "):
        stopping.recall({**memory, **remembered}, FakeProgram())


def test_a_file_in_a_snapshots_place_is_no_model(tmp_path, caplog):
    """A flipped bit in the name of the attribute that marks snapshots must not make one a model."""
    path = snapshot_path(tmp_path, 100)
    forged(path, mochac_snapshot=None)
    words = "is damaged\n  it is named like a snapshot, but is not marked as one"
    for read in (is_snapshot, read_snapshot):
        with pytest.raises(SnapshotError, match=words):
            read(path)
    save_snapshot(snapshot_path(tmp_path, 50), state(50))
    assert newest_snapshot(tmp_path).iteration == 50  # type: ignore[union-attr]
    assert "skipped: snapshot" in caplog.text


def test_a_folder_that_is_none(tmp_path):
    with pytest.raises(SnapshotError, match=r"cannot read folder .*gone\n  got  No such file or directory"):
        newest_snapshot(tmp_path / "gone")


def test_a_folder_of_damaged_snapshots_is_not_an_empty_one(tmp_path):
    for iteration in (1, 2):
        save_snapshot(snapshot_path(tmp_path, iteration), state(iteration))
        os.truncate(snapshot_path(tmp_path, iteration), 700)
    with pytest.raises(SnapshotError) as caught:
        newest_snapshot(tmp_path)
    assert str(caught.value) == (
        f"no snapshot in {tmp_path} can be read\n  got  2 damaged\n  hint: move them away to start at iteration 0"
    )
