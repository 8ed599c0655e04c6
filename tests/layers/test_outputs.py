"""MemoryOutputLayer and HDF5OutputLayer: every step's bottoms, once, in order; files that are whole."""

from __future__ import annotations

import errno
import os

import h5py
import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    AccuracyLayer,
    ConcatLayer,
    DataError,
    HDF5OutputLayer,
    InnerProductLayer,
    MemoryDataLayer,
    MemoryOutputLayer,
    Net,
    OptionError,
    SoftmaxLossLayer,
)
from mochac.nets.trace import trace
from mochac.runtime.data.outputs import Outputs

rng = np.random.default_rng(20261121)
X = rng.standard_normal((11, 3)).astype(np.float32)
Y = np.arange(11) % 4


def network(*outputs, loss=True, batch=4):
    data = MemoryDataLayer(data=[X, Y], batch_size=batch)
    ip = InnerProductLayer(name="ip", output_dim=4, bottoms=["data"])
    ends = [SoftmaxLossLayer(name="loss", bottoms=["ip", "label"], tops=["cost"])] if loss else []
    return Net("outputs", [data, ip, *ends, *outputs])


def memory(**fields):
    return MemoryOutputLayer(**{"name": "out", "bottoms": ["data", "label"], **fields})


def hdf5(path, **fields):
    return HDF5OutputLayer(**{"name": "file", "filename": path, "bottoms": ["data", "label"], **fields})


def contents(path):
    with h5py.File(path) as file:
        return {name: file[name][()] for name in file}


def wrapped(start, count):
    return X[np.arange(start, start + count) % 11]


def leftovers(folder):
    return [p.name for p in folder.iterdir() if p.name.startswith(".")]


@pytest.mark.slow
def test_every_kind_of_run_appends(tmp_path):
    """Four batches of 4 in training and one forward() wrap around 11 samples; evaluate() adds each sample once."""
    file = tmp_path / "new" / "seen.h5"
    with mochac.compile(network(memory(), hdf5(file, datasets=["x", "y"]))) as program:
        program.train(SGD(), max_iter=4)
        np.testing.assert_array_equal(contents(file)["x"], wrapped(0, 16))
        program.forward()
        kept = program.outputs["out"]
        assert [a.shape for a in kept[0]] == [(4, 3)] * 5
        np.testing.assert_array_equal(np.concatenate(kept[0]), wrapped(0, 20))
        program.reset_outputs()
        assert program.outputs["out"] == [[], []]
        assert len(kept[0]) == 5, "what was handed out stays"
        program.evaluate()
        assert [len(a) for a in program.outputs["out"][0]] == [4, 4, 3]
        np.testing.assert_array_equal(np.concatenate(program.outputs["out"][1]).ravel(), Y)
    found = contents(file)
    np.testing.assert_array_equal(found["x"], np.concatenate([wrapped(0, 20), X]))
    np.testing.assert_array_equal(found["y"].ravel(), np.concatenate([np.resize(Y, 20), Y]))
    assert leftovers(file.parent) == []


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_values_layouts_and_own_loops(tmp_path, dtype):
    file = tmp_path / "codes.h5"
    outputs = [hdf5(file, bottoms=["ip", "label"]), memory(bottoms=["ip", "cost", "data"])]
    with mochac.compile(network(*outputs, batch=5), dtype=dtype) as program:
        solver = mochac.Solver(SGD(), max_iter=3)
        solver.init_solve(program)
        losses = [solver.step() for _ in range(3)]
        solver.finalize()
        kept = program.outputs["out"]
        np.testing.assert_allclose([float(c) for c in kept[1]], losses, rtol=1e-6)
        assert kept[1][0].shape == ()
        program.forward()
        np.testing.assert_array_equal(kept[0][-1], program.blobs["ip"])
        program.evaluate()
        scores = np.concatenate(kept[0][-3:])
        np.testing.assert_allclose(scores, program.predict(X, "ip"), rtol=1e-5, atol=1e-6)
    found = contents(file)
    assert found["ip"].shape == (31, 4)
    assert found["ip"].dtype == dtype
    np.testing.assert_array_equal(found["ip"][-11:], scores)
    np.testing.assert_array_equal(found["label"][-11:, 0], Y)
    with h5py.File(file) as opened:
        assert opened["ip"].chunks == (5, 4)
        assert opened["ip"].maxshape == (None, 4)


@pytest.mark.slow
def test_what_holds_no_samples_is_kept_whole():
    """A concatenation along the batch has 2 rows a sample; the last batch is then evaluated by itself."""
    both = ConcatLayer(name="both", axis=0, bottoms=["data", "data"])
    with mochac.compile(network(both, memory(bottoms=["both"]))) as program:
        program.evaluate()
        assert [a.shape for a in program.outputs["out"][0]] == [(8, 3), (8, 3), (6, 3)]
        np.testing.assert_array_equal(program.outputs["out"][0][2], np.tile(X[8:], (2, 1)))


def test_a_net_of_collectors_alone_is_evaluated_and_predicts():
    net = network(memory(bottoms=["ip"]), loss=False)
    assert net.prediction_blob() == "ip"
    with mochac.compile(net) as program:
        assert program.evaluate() == {}
        assert sum(len(a) for a in program.outputs["out"][0]) == 11


@pytest.mark.slow
def test_validation_writes_too(tmp_path):
    file = tmp_path / "validated.h5"
    test = network(AccuracyLayer(name="acc", bottoms=["ip", "label"]), hdf5(file, bottoms=["ip"]), loss=False)
    with mochac.compile(network()) as program, mochac.compile(test, params=program.params) as checked:
        solver = mochac.Solver(SGD(), max_iter=4)
        solver.add_coffee_break(mochac.ValidationPerformance(checked), every_n_iter=2)
        program.train(solver)
    assert contents(file)["ip"].shape == (33, 4)


def test_files_in_the_way(tmp_path, caplog):
    file = tmp_path / "there.h5"
    file.write_bytes(b"precious")
    with pytest.raises(DataError) as caught, Outputs([hdf5(file)]).run():
        pytest.fail("nothing may run")
    assert f"layer 'file' (HDF5Output): output file {file} already exists" in str(caught.value)
    assert "hint: another filename, or force_overwrite=True" in str(caught.value)
    assert "test_outputs.py:" in str(caught.value)
    assert file.read_bytes() == b"precious"
    outputs = Outputs([hdf5(file, force_overwrite=True)])
    with outputs.run():
        outputs.append("file", [X, X])
        assert file.read_bytes() == b"precious", "replaced by a whole file or not at all"
    assert "is overwritten (layer 'file')" in caplog.text
    assert contents(file)["data"].shape == (11, 3)
    with pytest.raises(DataError, match="already exists"), Outputs([hdf5(tmp_path, force_overwrite=True)]).run():
        pytest.fail("nothing may run")


def appended(outputs, *steps):
    with outputs.run():
        for arrays in steps:
            outputs.append("file", arrays)


def test_a_failing_run_leaves_what_was_written(tmp_path):
    file = tmp_path / "half.h5"
    outputs = Outputs([hdf5(file)])
    with pytest.raises(ValueError, match="shorter"):
        appended(outputs, [X[:4], Y[:4]], [X[:4]])
    assert contents(file)["label"].tolist() == [0, 1, 2, 3]
    assert leftovers(tmp_path) == []


def test_a_folder_that_cannot_be_written(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    outputs = Outputs([hdf5(blocked / "out.h5")])
    with pytest.raises(DataError, match=r"layer 'file' \(HDF5Output\): cannot write"), outputs.run():
        outputs.append("file", [X, X])


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_a_full_disk_is_told_and_leaves_what_was_there(tmp_path, monkeypatch, begun, code):
    file = tmp_path / "out.h5"
    outputs = Outputs([hdf5(file), memory()])
    if begun:
        appended(outputs, [X, X])

    def full(*arguments):
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", full)
        with pytest.raises(DataError) as caught:
            appended(outputs, [X, X])
    assert f"layer 'file' (HDF5Output): cannot write {file}\n  got  {os.strerror(code)}" in str(caught.value)
    assert ("hint: it keeps the rows of earlier runs" in str(caught.value)) is begun
    assert os.listdir(tmp_path) == (["out.h5"] if begun else [])
    appended(outputs, [X, X])
    assert len(contents(file)["data"]) == (22 if begun else 11)


def test_names_that_are_not_there(tmp_path):
    outputs = Outputs([memory(), hdf5(tmp_path / "f.h5")])
    assert list(outputs) == ["out"]
    assert len(outputs) == 1
    assert repr(outputs) == "<outputs: out>"
    with pytest.raises(OptionError, match=r"no MemoryOutputLayer 'ot'\n.*there are: out\n.*did you mean 'out'"):
        outputs["ot"]
    with pytest.raises(OptionError, match=r"no MemoryOutputLayer 'file'(.|\n)*it writes .*f\.h5"):
        outputs.reset("file")


def test_datasets_are_named_one_per_bottom():
    with pytest.raises(OptionError, match="needs one dataset per bottom\n  expected  2 names,  got  1"):
        hdf5("x.h5", datasets=["a"])
    with pytest.raises(OptionError, match="takes a bottom twice"):
        hdf5("x.h5", bottoms=["a", "a"])


def test_collectors_change_no_other_value():
    plain, watched = (trace(network(*outputs)) for outputs in ((), (memory(),)))
    assert str(plain.graph) == str(watched.graph)
