"""get_cifar10.py: from a folder, from an archive over HTTP with a resume, and what it says of damaged files."""

import hashlib
import importlib.util
import io
import tarfile
from pathlib import Path

import h5py
import numpy as np
import pytest
from examples.serving import Ranges

SCRIPT = Path(__file__).parents[2] / "examples/cifar10/get_cifar10.py"
RECORDS = 20


@pytest.fixture
def script(monkeypatch):
    """The script as a module that takes files of 20 records for the official ones."""
    module = importlib.util.module_from_spec(spec := importlib.util.spec_from_file_location("get_cifar10", SCRIPT))
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "RECORDS", RECORDS)
    return module


def files():
    """The six files: every class twice in each."""
    rng = np.random.default_rng(3)
    names = [*(f"data_batch_{k}.bin" for k in range(1, 6)), "test_batch.bin"]
    made = {}
    for name in names:
        records = rng.integers(0, 256, (RECORDS, 3073), np.uint8)
        records[:, 0] = rng.permutation(np.arange(RECORDS) % 10)
        made[name] = records.tobytes()
    return made


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "binary").mkdir()
    for name, raw in files().items():
        (tmp_path / "binary" / name).write_bytes(raw)
    return tmp_path / "binary"


def test_from_a_folder(script, folder, tmp_path):
    assert script.main(["--from", str(folder), "--to", str(tmp_path / "out")]) == 0
    with h5py.File(tmp_path / "out/train.hdf5") as h5:
        data, label = h5["data"][:], h5["label"][:]
    assert (data.shape, label.shape) == ((100, 3, 32, 32), (100, 1))
    records = np.frombuffer(b"".join(list(files().values())[:5]), np.uint8).reshape(100, 3073)
    np.testing.assert_array_equal(data.reshape(100, -1), records[:, 1:])
    np.testing.assert_array_equal(label[:, 0], records[:, 0])
    assert (tmp_path / "out/test.txt").read_text() == "test.hdf5\n"
    with h5py.File(tmp_path / "out/mean.hdf5") as h5:
        assert h5["mean"].shape == (1, 3, 32, 32)
        np.testing.assert_allclose(h5["mean"][0], data.astype(np.float64).mean(axis=0), rtol=1e-6)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("missing", "no data_batch_3.bin in "),
        ("truncated", "data_batch_3.bin is damaged: it has 61459 bytes, not 61460"),
        ("shifted", "data_batch_3.bin is damaged: record 0 has the label 200, not 0 to 9"),
        ("other", "the train images in {} are not CIFAR-10: the classes have [11, 9, 10, 10, 10, 10, 10, 10, 10, 10]"),
    ],
)
def test_damaged_files_are_refused(script, folder, tmp_path, capsys, damage, said):
    victim = folder / "data_batch_3.bin"
    raw = bytearray(victim.read_bytes())
    if damage == "missing":
        victim.unlink()
    elif damage == "truncated":
        victim.write_bytes(raw[:-1])
    elif damage == "shifted":
        victim.write_bytes(b"\xc8" + raw[:-1])
    else:
        raw[3073 * [raw[3073 * k] for k in range(RECORDS)].index(1)] = 0
        victim.write_bytes(raw)
    assert script.main(["--from", str(folder), "--to", str(tmp_path / "out")]) == 1
    assert said.format(folder) in capsys.readouterr().err
    assert not list((tmp_path / "out").iterdir())


def test_a_download_resumes_and_is_checked(script, serve, tmp_path, capsys, monkeypatch):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, raw in files().items():
            member = tarfile.TarInfo(f"cifar-10-batches-bin/{name}")
            member.size = len(raw)
            tar.addfile(member, io.BytesIO(raw))
    (tmp_path / "www").mkdir()
    whole = packed.getvalue()
    (tmp_path / "www" / script.ARCHIVE).write_bytes(whole)
    out = tmp_path / "out"
    out.mkdir()
    (out / f"{script.ARCHIVE}.part").write_bytes(whole[:1000])
    monkeypatch.setattr(script, "MIRRORS", (serve(tmp_path / "www"),))
    assert script.main(["--to", str(out)]) == 1
    assert "wrong checksum" in capsys.readouterr().err
    (out / f"{script.ARCHIVE}.part").write_bytes(whole[:1000])
    monkeypatch.setattr(script, "MD5", hashlib.md5(whole).hexdigest())
    assert script.main(["--to", str(out)]) == 0
    assert Ranges.asked == ["bytes=1000-"] * 2
    assert (out / "train.hdf5").exists()


def test_offline_is_one_message(script, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(script, "MIRRORS", ("http://127.0.0.1:9/",))
    assert script.main(["--to", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "cannot download cifar-10-binary.tar.gz" in said
    assert "--from FOLDER" in said
