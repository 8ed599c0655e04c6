"""Models as .npz archives: what NumPy reads of them, what is refused, and damage anywhere in the file."""

import io
import zipfile

import numpy as np
import pytest

from mochac.base.errors import OptionError, SnapshotError
from mochac.runtime.data.model_file import load_model, read_model, save_caffe_layout, save_model
from mochac.training.loop.snapshot import is_snapshot

ARRAYS = {
    "ip/1___weight": np.arange(6, dtype=np.float32).reshape(2, 3),
    "ip/1___bias": np.array([1.5, -0.0]),
    "conv___filter": np.full((2, 1, 3, 3), np.float32(0.1)),
}


def blank():
    return {name: np.zeros_like(array) for name, array in ARRAYS.items()}


def test_numpy_reads_what_is_saved(tmp_path):
    save_model(tmp_path / "m.npz", ARRAYS)
    with np.load(tmp_path / "m.npz", allow_pickle=False) as found:
        assert {n: found[n].tobytes() for n in found.files} == {n: a.tobytes() for n, a in ARRAYS.items()}
    loaded = blank()
    load_model(tmp_path / "m.npz", loaded)
    assert {n: a.tobytes() for n, a in loaded.items()} == {n: a.tobytes() for n, a in ARRAYS.items()}
    assert not is_snapshot(tmp_path / "m.npz")


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_what_numpy_saves_is_read(tmp_path, save):
    """Names of layers count instead of keys, ones at the ends of extents do not, as in HDF5."""
    save(tmp_path / "m.npz", **{n.replace("conv", "layer"): a for n, a in ARRAYS.items()})
    loaded = {**blank(), "conv___filter": np.zeros((2, 1, 3, 3, 1), np.float32)}
    load_model(tmp_path / "m.npz", loaded, aliases={"conv___filter": ["layer___filter"]})
    assert (loaded["conv___filter"] == np.float32(0.1)).all()
    assert sorted(read_model(tmp_path / "m.npz")) == ["ip/1___bias", "ip/1___weight", "layer___filter"]


def refused(path):
    loaded = blank()
    with pytest.raises(SnapshotError) as caught:
        load_model(path, loaded)
    assert not any(a.any() for a in loaded.values()), "all of them or none"
    return str(caught.value).replace(str(path), "FILE")


def test_what_is_no_archive(tmp_path):
    path = tmp_path / "m.npz"
    assert refused(path) == "no model file FILE"
    path.write_text("text")
    damaged = "model file FILE is damaged or not an archive of arrays\n  "
    assert refused(path) == f"{damaged}File is not a zip file"
    record = np.array([(1.0,)], [("a", "<f4")])
    for bias in (np.array([{}], object), np.array(["a", "b"]), np.array([b"a"]), np.ones(2, complex), record):
        np.savez(path, **{**ARRAYS, "ip/1___bias": bias})
        assert refused(path) == f"{damaged}array 'ip/1___bias': it holds {bias.dtype}, not numbers"
    np.savez(path, **{**ARRAYS, "ip/1___bias": np.zeros(3)})
    assert refused(path) == "model file FILE: ip/1___bias has another shape\n  expected  (2,),  got  (3,)"


def test_a_header_that_asks_for_all_memory(tmp_path):
    made = io.BytesIO()
    np.lib.format.write_array_header_1_0(made, {"descr": "<f8", "fortran_order": False, "shape": (2**62, 2**40)})
    np.savez(tmp_path / "m.npz", **ARRAYS)
    with zipfile.ZipFile(tmp_path / "m.npz", "a") as archive:
        archive.writestr("huge___weight.npy", made.getvalue() + b"12345678")
    with pytest.raises(SnapshotError, match=r"array 'huge___weight': it states .* bytes of numbers and has 8"):
        read_model(tmp_path / "m.npz")


@pytest.mark.slow
def test_damage_is_found_wherever_it_is(tmp_path):
    """An error, or the very same numbers where neither names nor numbers depend on the byte."""
    path, arrays = tmp_path / "m.npz", {n: a for n, a in ARRAYS.items() if not n.endswith("bias")}
    save_model(path, arrays)
    whole = path.read_bytes()
    for k in range(0, len(whole), 3):
        path.write_bytes(whole[:k] + bytes([whole[k] ^ 0x41]) + whole[k + 1 :])
        loaded = {n: np.zeros_like(a) for n, a in arrays.items()}
        try:
            load_model(path, loaded)
        except SnapshotError:
            continue
        assert all(loaded[n].tobytes() == a.tobytes() for n, a in arrays.items()), k


@pytest.mark.parametrize("name", ["m.npz", "m.onnx"])
def test_caffes_layout_is_hdf5_alone(tmp_path, name):
    with pytest.raises(OptionError) as caught:
        save_caffe_layout(tmp_path / name, {"ip___weight": np.ones((3, 2))})
    words = "save: Caffe's layout needs an HDF5 file\n  expected  .h5, .hdf5 or no ending,  got  "
    assert str(caught.value) == words + str(tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["net.h5", "net.HDF5", "net"])
def test_names_of_hdf5_files(tmp_path, name):
    import h5py

    save_model(tmp_path / name, {"a___weight": np.ones(2)})
    assert h5py.is_hdf5(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "head", "hint"),
    [
        (
            "net.onnx",
            "save: cannot write '.onnx' files",
            "\n  hint: program.save(path) writes a net with its parameters",
        ),
        (
            "net.pt",
            "save: cannot write '.pt' files",
            "\n  hint: PyTorch reads .safetensors, too; .onnx has the net with its parameters",
        ),
        (
            "net.caffemodel",
            "save: cannot write '.caffemodel' files",
            "\n  hint: mochac.caffe.save_weights writes it",
        ),
    ],
)
def test_other_endings_are_refused(tmp_path, name, head, hint):
    path = tmp_path / name
    with pytest.raises(OptionError) as caught:
        save_model(path, ARRAYS)
    assert str(caught.value) == f"{head}\n  expected  .h5, .hdf5, .npz, .safetensors or no ending,  got  {path}{hint}"
    assert not list(tmp_path.iterdir())
