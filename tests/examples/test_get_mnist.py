"""get_mnist.py: from a folder, over HTTP with a resume and a bad mirror, and what it says when it fails."""

import gzip
import hashlib
import importlib.util
import struct
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest
from examples.serving import Ranges

SCRIPT = Path(__file__).parents[2] / "examples/mnist/get_mnist.py"
N = {"train": 30, "t10k": 20}


@pytest.fixture
def script(monkeypatch):
    """The script as a module that takes the small files below for the official ones."""
    spec = importlib.util.spec_from_file_location("get_mnist", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "get_mnist", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "SHA256", {name: hashlib.sha256(raw).hexdigest() for name, raw in files().items()})
    return module


def files():
    rng = np.random.default_rng(7)
    made = {}
    for stem, n in N.items():
        pixels, labels = rng.integers(0, 256, (n, 28, 28), np.uint8), rng.integers(0, 10, n, np.uint8)
        made[f"{stem}-images-idx3-ubyte"] = struct.pack(">IIII", 2051, n, 28, 28) + pixels.tobytes()
        made[f"{stem}-labels-idx1-ubyte"] = struct.pack(">II", 2049, n) + labels.tobytes()
    return made


@pytest.fixture
def packed(tmp_path):
    folder = tmp_path / "packed"
    folder.mkdir()
    for name, raw in files().items():
        (folder / f"{name}.gz").write_bytes(gzip.compress(raw))
    return folder


def test_from_a_folder_writes_mochas_layout(script, packed, tmp_path):
    (packed / "t10k-labels-idx1-ubyte.gz").unlink()
    (packed / "t10k-labels-idx1-ubyte").write_bytes(files()["t10k-labels-idx1-ubyte"])  # not packed
    assert script.main(["--from", str(packed), "--to", str(tmp_path / "out")]) == 0
    with h5py.File(tmp_path / "out/train.hdf5") as h5:
        data, label = h5["data"][:], h5["label"][:]
    assert (data.shape, label.shape) == ((30, 1, 28, 28), (30, 1))
    assert data.dtype == label.dtype == np.float32
    raw = np.frombuffer(files()["train-images-idx3-ubyte"][16:], np.uint8).reshape(30, 1, 28, 28)
    np.testing.assert_array_equal(data * 256, raw)
    assert (tmp_path / "out/test.txt").read_text() == "test.hdf5\n"


def test_a_download_resumes_and_leaves_a_bad_mirror(script, serve, packed, tmp_path, capsys):
    bad = tmp_path / "bad"
    bad.mkdir()
    (bad / "train-images-idx3-ubyte.gz").write_bytes(gzip.compress(b"something else"))
    whole = (packed / "train-images-idx3-ubyte.gz").read_bytes()
    partial = tmp_path / "train-images-idx3-ubyte.gz.part"
    partial.write_bytes(whole[:1000])
    got = script.fetch("train-images-idx3-ubyte", tmp_path, (serve(bad) + "gone/", serve(packed)))
    assert got.read_bytes() == whole
    assert Ranges.asked == ["bytes=1000-"] * len(Ranges.asked)
    assert Ranges.asked
    assert not partial.exists()
    capsys.readouterr()
    got.unlink()
    assert script.fetch("train-images-idx3-ubyte", tmp_path, (serve(bad), serve(packed))).read_bytes() == whole


def test_nothing_is_missing_of_a_finished_part(script, serve, packed, tmp_path):
    name = "t10k-labels-idx1-ubyte"
    whole = (packed / f"{name}.gz").read_bytes()
    (tmp_path / f"{name}.gz.part").write_bytes(whole)
    assert script.fetch(name, tmp_path, (serve(packed),)).read_bytes() == whole


def test_offline_is_one_message(script, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(script, "MIRRORS", ("http://127.0.0.1:9/",))
    assert script.main(["--to", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "cannot download train-images-idx3-ubyte.gz" in said
    assert "http://127.0.0.1:9/" in said
    assert "--from FOLDER" in said


@pytest.mark.parametrize("damage", ["missing", "changed", "truncated"])
def test_a_folder_without_the_official_files(script, packed, tmp_path, capsys, damage):
    victim = packed / "train-labels-idx1-ubyte.gz"
    raw = victim.read_bytes()
    if damage == "missing":
        victim.unlink()
    else:
        victim.write_bytes(raw[: len(raw) // 2] if damage == "truncated" else gzip.compress(b"no idx"))
    assert script.main(["--from", str(packed), "--to", str(tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    assert ("no train-labels" if damage == "missing" else "not the official MNIST file") in said
    assert not (tmp_path / "out/train.hdf5").exists()


@pytest.mark.data
def test_the_official_files(script, mnist, tmp_path, monkeypatch):
    official = importlib.util.module_from_spec(spec := importlib.util.spec_from_file_location("official", SCRIPT))
    spec.loader.exec_module(official)
    assert official.main(["--from", str(mnist), "--to", str(tmp_path)]) == 0
    with h5py.File(tmp_path / "test.hdf5") as h5:
        assert h5["data"].shape == (10000, 1, 28, 28)
        assert h5["label"][:10, 0].tolist() == [7, 2, 1, 0, 4, 1, 4, 9, 5, 9]
