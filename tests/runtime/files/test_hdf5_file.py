"""Safe reading of HDF5 files: checksums, links to other files, sizes that cannot be true, paths that are no files."""

import os
from pathlib import Path

import h5py
import numpy as np
import pytest
from data_layers import FakeLayer

from mochac.base.errors import DataError, OptionError, SnapshotError
from mochac.base.files import atomic
from mochac.runtime.data.images import load_mean, save_mean_hdf5
from mochac.runtime.data.model_file import load_model, read_model, save_model
from mochac.runtime.data.source import open_source
from mochac.training.loop.lounge import load_statistics, save_statistics
from mochac.training.loop.snapshot import SavedState, is_snapshot, read_snapshot, save_snapshot

WEIGHT = np.arange(4, dtype=np.float32)
SECRET = b"secret of another file; "


def load(path):
    into = {"ip___weight": np.zeros(4, np.float32)}
    load_model(path, into)
    return into["ip___weight"].tolist()


def data(path, **options):
    layer = FakeLayer(reader="hdf5", source=str(path), tops=("ip___weight",), **options)
    reader = open_source(layer)
    try:
        out = np.zeros((4, 1))
        reader.fill(0, {"ip___weight": out})
        return out.ravel().tolist()
    finally:
        reader.close()


def linked(path, file):
    with h5py.File(path.with_name("other.h5"), "w") as other:
        other["x"] = WEIGHT
    file["ip___weight"] = h5py.ExternalLink("other.h5", "x")


def linked_group(path, file):
    linked(path, file)
    del file["ip___weight"]
    file["folder"] = h5py.ExternalLink("other.h5", "/")
    file["ip___weight"] = h5py.SoftLink("/folder/x")


def stored(path, file):
    other = path.with_name("other.h5")
    other.write_bytes(WEIGHT.tobytes() + SECRET)
    file.create_dataset("ip___weight", (4,), "f4", external=[(str(other), 0, 16)])


def virtual(path, file):
    linked(path, file)
    del file["ip___weight"]
    layout = h5py.VirtualLayout((4,), "f4")
    layout[:] = h5py.VirtualSource(str(path.with_name("other.h5")), "x", (4,))
    file.create_virtual_dataset("ip___weight", layout)


def virtual_of_itself(file):
    file.move("ip___weight", "x")
    layout = h5py.VirtualLayout((4,), "f4")
    layout[:] = h5py.VirtualSource(".", "x", (4,))
    file.create_virtual_dataset("ip___weight", layout)


def virtual_linked(path, file):
    """HDF5 follows the link in the same file to another one."""
    linked(path, file)
    virtual_of_itself(file)


def virtual_stored(path, file):
    stored(path, file)
    virtual_of_itself(file)


VIRTUAL = [virtual, virtual_linked, virtual_stored]


def said(elsewhere):
    """Whoever lists all datasets may meet the link before the virtual dataset."""
    found = "it is in another file: .*other.h5"
    return f"(it is a virtual dataset|{found})" if elsewhere in VIRTUAL else found


@pytest.mark.parametrize("elsewhere", [linked, linked_group, stored, *VIRTUAL])
def test_what_is_in_another_file_is_refused_in_models_and_opt_in_for_data(tmp_path, elsewhere):
    path = tmp_path / "m.h5"
    with h5py.File(path, "w") as file:
        elsewhere(path, file)
    words = r"leads to another file, which is not read\n  dataset '(ip___weight|folder|x)': "
    for read in (load, read_model):
        with pytest.raises(SnapshotError, match=rf"model file .*m.h5 {words}{said(elsewhere)}"):
            read(path)
    with pytest.raises(DataError, match=rf"(?s)cannot read dataset 'ip___weight' of .*m.h5.*{said(elsewhere)}") as e:
        data(path)
    assert e.value.hint == "external=True reads it, if you trust this file"
    assert data(path, external=True) == [0, 1, 2, 3]


@pytest.mark.parametrize("elsewhere", [linked, stored, *VIRTUAL])
def test_and_in_snapshots_statistics_and_means_however_they_are_sealed(tmp_path, elsewhere):
    path = tmp_path / "s.h5"

    def write(file):
        elsewhere(path, file)
        file.attrs.update({"mochac_snapshot": 1, "iteration": 1, "method": "SGD", "net": "n", "cursor": "{}"})
        file.attrs.update({"rng_step": 0, "start_epoch": 0})
        file.move("ip___weight", "mean")
        file["a/iteration"], file["a/value"] = h5py.SoftLink("/mean"), h5py.SoftLink("/mean")

    atomic.write_hdf5(path, write)
    for read in (read_snapshot, load_statistics, load_mean):
        with pytest.raises(SnapshotError, match=rf"(?s)s.h5.*{said(elsewhere)}"):
            read(path)


def test_links_inside_a_file_are_followed_and_loops_end(tmp_path):
    path = tmp_path / "m.h5"
    with h5py.File(path, "w") as file:
        file["a/real"] = WEIGHT
        file["a/again"] = file["a"]  # a folder that holds itself
        file["ip___weight"] = h5py.SoftLink("a/again/again/real")
        file["dangling"] = h5py.SoftLink("/nowhere")
        file.create_dataset("refs", data=np.array([file.ref, file["a"].ref], dtype=h5py.ref_dtype))
        file["type"] = np.dtype("f4")
    assert load(path) == [0, 1, 2, 3]
    assert list(read_model(path)) == ["ip___weight"]
    with h5py.File(path, "a") as file:
        file["x"], file["y"] = h5py.SoftLink("y"), h5py.SoftLink("x")
    with pytest.raises(SnapshotError, match=r"(?s)m.h5 is damaged.*dataset 'x': more than 16 links lead to it"):
        read_model(path)
    with h5py.File(path, "w") as file:
        file.create_dataset("ip___weight", data=np.array([file.ref], dtype=h5py.ref_dtype))
    with pytest.raises(SnapshotError, match="ip___weight is not an array of numbers"):
        read_model(path)


def huge(path, shape, n_names=1):
    with h5py.File(path, "w") as file:
        made = file.create_dataset("ip___weight", shape, "f4", chunks=(1024,) + (1,) * (len(shape) - 1))
        for k in range(1, n_names):
            file[f"ip{k}___weight"] = made


def test_numbers_that_are_stated_but_not_stored_are_refused(tmp_path):
    path = tmp_path / "m.h5"
    huge(path, (2**40,))
    words = r"dataset 'ip___weight': it states 4,398,046,511,104 bytes in a file of [\d,]+ bytes"
    with pytest.raises(SnapshotError, match=words):
        read_model(path)
    with pytest.raises(SnapshotError, match=words):
        load(path)
    with pytest.raises(DataError, match=r"(?s)cannot read dataset 'ip___weight' of .*m.h5.*it states"):
        data(path)
    huge(path, (2**18,), n_names=40)  # each alone would do
    with pytest.raises(SnapshotError, match=r"with it, more is to be read than the file can hold"):
        read_model(path)
    with h5py.File(path, "w") as file:  # what gzip can do is taken
        file.create_dataset("ip___weight", data=np.zeros(2**20, np.float32), compression="gzip")
    assert path.stat().st_size < 2**15
    assert read_model(path)["ip___weight"].shape == (2**20,)


def test_a_shape_that_the_net_does_not_have_is_not_read(tmp_path, monkeypatch):
    save_model(tmp_path / "m.h5", {"ip___weight": np.zeros(100, np.float32)})
    monkeypatch.setattr("mochac.base.files.hdf5_file.Hdf5File.array", None)
    with pytest.raises(SnapshotError, match=r"ip___weight has another shape\n  expected  \(4,\),  got  \(100,\)"):
        load(tmp_path / "m.h5")


def sealed_files(folder):
    """Path and reader of every kind of file that write_hdf5 makes."""
    state = SavedState(3, "SGD", "n", {}, 0, 0, {"ip___weight": WEIGHT}, {})
    save_snapshot(folder / "s.h5", state)
    save_model(folder / "m.h5", {"ip___weight": WEIGHT})
    save_statistics(folder / "t.h5", {"loss": {1: 0.5}})
    save_mean_hdf5(folder / "mean.h5", np.ones((1, 2, 2)))
    readers = {"s": (read_snapshot, load), "m": (load, read_model, data), "t": (load_statistics,), "mean": (load_mean,)}
    return [(folder / f"{name}.h5", read) for name, reads in readers.items() for read in reads]


def test_every_reader_checks_the_seal(tmp_path):
    for path, read in sealed_files(tmp_path):
        good = path.read_bytes()
        bad = bytearray(good)
        bad[len(good) // 2] ^= 1
        path.write_bytes(bad)
        with pytest.raises((SnapshotError, DataError), match=rf"(?s){path.name}.*its checksum is wrong"):
            read(path)
        path.write_bytes(good[:-1])
        with pytest.raises((SnapshotError, DataError), match=rf"(?s){path.name}.*its end is missing"):
            read(path)
        path.write_bytes(good)
        read(path)


def test_files_without_a_seal_are_read_and_mentioned_once_but_for_caffes(tmp_path, caplog):
    caplog.set_level("INFO", "mochac")
    with h5py.File(tmp_path / "c.h5", "w") as file:
        file["data/ip/0"] = WEIGHT.reshape(2, 2)
    save_model(tmp_path / "m.h5", {"ip___weight": WEIGHT})
    assert load(tmp_path / "m.h5") == [0, 1, 2, 3]
    read_model(tmp_path / "c.h5")
    assert not caplog.text
    with h5py.File(tmp_path / "m.h5", "w") as file:
        file["ip___weight"] = WEIGHT
    for _ in range(2):
        assert load(tmp_path / "m.h5") == read_model(tmp_path / "m.h5")["ip___weight"].tolist() == [0, 1, 2, 3]
    assert caplog.messages == [f"model file {tmp_path}/m.h5 has no checksum: damage to it would not be noticed"]
    with h5py.File(tmp_path / "t.h5", "w") as file:
        file["loss/iteration"], file["loss/value"] = [1], [0.5]
    assert load_statistics(tmp_path / "t.h5") == {"loss": {1: 0.5}}
    assert f"statistics file {tmp_path}/t.h5 has no checksum" in caplog.text


def not_files(folder):
    os.mkfifo(folder / "pipe")
    return [folder / "pipe", *filter(Path.exists, [Path("/dev/zero")])]


def test_devices_and_pipes_are_not_opened(tmp_path):
    """A pipe without a writer would wait for ever, /dev/zero has no end."""
    for path in not_files(tmp_path):
        with pytest.raises(OSError, match="not a regular file"):
            atomic.is_intact(path)
        for read in (read_snapshot, is_snapshot, load, read_model, load_statistics, load_mean, data):
            with pytest.raises((SnapshotError, DataError), match=rf"(?s){path.name}.*not a regular file"):
                read(path)


@pytest.mark.parametrize("name", ["x" * 300 + ".h5", "a\0b.h5"])
def test_names_that_no_file_can_have(tmp_path, name):
    for read in (read_snapshot, is_snapshot, read_model, load_statistics, load_mean):
        with pytest.raises((SnapshotError, OptionError), match=r"File name too long|no file can have this name"):
            read(tmp_path / name)


def test_a_model_changed_by_another_program_says_what_to_do(tmp_path):
    path = tmp_path / "m.h5"
    save_model(path, {"ip___weight": WEIGHT})
    with h5py.File(path, "r+") as file:
        file["ip___weight"][0] = 7
    with pytest.raises(
        SnapshotError, match="another program wrote to it; without its attribute mochac_sealed it is read"
    ):
        load(path)
    with h5py.File(path, "r+") as file:
        del file.attrs["mochac_sealed"]
    assert load(path) == [7, 1, 2, 3]
