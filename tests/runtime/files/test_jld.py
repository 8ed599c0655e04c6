"""Mocha's snapshots and statistics (JLD) are refused by name wherever a file is read, not taken for something else."""

import h5py
import numpy as np
import pytest
from tiny_net import tiny

import mochac
from mochac import SnapshotError
from mochac.__main__ import main
from mochac.base.files.hdf5_file import HEADERS, HINT
from mochac.runtime.data.model_file import load_model, read_model
from mochac.training.loop.lounge import load_statistics
from mochac.training.loop.snapshot import is_snapshot, newest_snapshot, read_snapshot

JLD = HEADERS[0] + b" (HDF5), version 0.1.3\0 (Julia 1.0.0 64-bit LE)\0"
JLD2 = HEADERS[1] + b", version 0.1.1\0 (Julia 1.6.0 64-bit LE)\0"


@pytest.fixture(params=[(JLD, "snapshot-010000.jld"), (JLD2, "renamed.h5")])
def jld(request, tmp_path):
    """HDF5 behind a header of 512 bytes, as JLD.jl and JLD2.jl write it."""
    header, name = request.param
    path = tmp_path / name
    with h5py.File(path, "w", userblock_size=512) as file:
        file["_refs/00000001"] = np.zeros((2, 3), np.float32)
    with path.open("r+b") as file:
        file.write(header)
    return path


READERS = {
    "load_model": lambda path: load_model(path, {}),
    "read_model": read_model,
    "is_snapshot": is_snapshot,
    "read_snapshot": read_snapshot,
    "load_statistics": load_statistics,
    "program.load": lambda path: mochac.compile(tiny(), backend="cpu").load(path),
    "load_from": lambda path: mochac.compile(tiny(), backend="cpu").train(mochac.SGD(), max_iter=1, load_from=path),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("reader", READERS)
def test_it_is_refused_by_name(jld, reader):
    with pytest.raises(SnapshotError) as error:
        READERS[reader](jld)
    assert str(error.value) == f"{jld} is a Julia data file (JLD), which is not read\n  hint: {HINT}"


def test_the_hint_names_a_heading_of_the_manual(pytestconfig):
    page, heading = HINT.rpartition(": ")[2].split(", ")
    assert f"\n### {heading.strip(chr(34))}\n" in (pytestconfig.rootpath / page).read_text()


def test_a_folder_of_them_begins_anew_with_a_word(tmp_path, caplog):
    for iteration in (1, 3, 2):
        (tmp_path / f"snapshot-00000{iteration}.jld").write_bytes(JLD)
    assert newest_snapshot(tmp_path) is None
    words = "snapshots of Mocha are Julia data files (JLD), which mochac does not read"
    assert caplog.messages == [f"skipped: {tmp_path}/snapshot-000003.jld: {words}"]


def test_a_command_ends_with_one_message(jld, capsys):
    assert main(["plot", str(jld)]) == 1
    assert capsys.readouterr().err == (
        f"SnapshotError: {jld} is a Julia data file (JLD), which is not read\n  hint: {HINT}\n"
    )


def test_what_is_not_there_is_not_called_julias(tmp_path):
    with pytest.raises(SnapshotError, match="no model file"):
        read_model(tmp_path / "snapshot-000001.jld")
