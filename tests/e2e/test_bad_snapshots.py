"""Snapshots that do not fit, cannot be read or cannot be written: one message, and what is on disk stays usable."""

import dataclasses
import errno
import os
import socket
from pathlib import Path

import numpy as np
import pytest
from message_kit import assert_message, refused
from net_kit import weights

import mochac
from mochac import (
    SGD,
    InnerProductLayer,
    LRPolicy,
    MemoryDataLayer,
    Net,
    NumericError,
    OptionError,
    Snapshot,
    SnapshotError,
    SoftmaxLossLayer,
    Solver,
    TrainingSummary,
)
from mochac.training.loop.snapshot import newest_snapshot, read_snapshot, save_snapshot

X, Y = np.random.default_rng(0).standard_normal((20, 4)), np.arange(20) % 3


def net(name="ip", outputs=3):
    return Net(
        "n",
        [
            MemoryDataLayer(name="data", data=[X, Y], batch_size=4),
            InnerProductLayer(name=name, output_dim=outputs, bottoms=["data"]),
            SoftmaxLossLayer(name="loss", bottoms=[name, "label"]),
        ],
    )


def solver(stop=8, folder=None, **parameters):
    made = Solver(SGD(), max_iter=stop, **parameters)
    if folder is not None:
        made.add_coffee_break(Snapshot(folder), every_n_iter=4)
    return made


def train(the_net=None, how=None, **options):
    with mochac.compile(the_net or net(), **options) as program:
        program.train(how or solver())
        return weights(program)


def test_parameters_that_are_not_finite_can_be_looked_at_but_not_trained(tmp_path, caplog):
    with mochac.compile(net()) as program:
        program.params["ip"]["bias"] = [0, np.nan, 0]
        program.save(tmp_path / "diverged.h5")
    with mochac.compile(net()) as program:
        program.load(tmp_path / "diverged.h5")
        assert f"model file {tmp_path / 'diverged.h5'}: ip___bias holds NaN or infinities" in caplog.text
        assert np.isnan(program.predict(X)).any(axis=0).tolist() == [False, True, False]
        assert_message(
            lambda: program.train(solver()),
            """
            NumericError: parameter ip___bias holds NaN or an infinity before training
              hint: they were loaded or assigned, or an earlier training diverged; load or assign other values
            """,
        )
        program.params["ip"]["bias"] = 0
        program.train(solver())


@pytest.fixture
def snaps(tmp_path):
    """A folder with the snapshots of iterations 0, 4 and 8."""
    train(how=solver(folder=tmp_path / "snaps"))
    return tmp_path / "snaps"


@pytest.mark.slow
def test_of_another_net(snaps):
    resume = solver(16, load_from=snaps)
    assert_message(
        lambda: train(net(outputs=5), resume),
        """
        SnapshotError: FOLDER/snapshot-000008.h5 belongs to another net: ip___weight differs
          expected  float32[5, 4],  got  float32[3, 4]
        """,
        snaps,
    )
    assert_message(
        lambda: train(net("fc"), resume),
        """
        SnapshotError: FOLDER/snapshot-000008.h5 belongs to another net: its parameters differ
          not in the snapshot: fc___weight fc___bias
          not in the net: ip___bias ip___weight
        """,
        snaps,
    )
    assert "expected  float64[3, 4],  got  float32[3, 4]" in str(refused(lambda: train(None, resume, dtype="float64")))


def test_nothing_is_taken_over_from_what_does_not_fit(snaps):
    with mochac.compile(net(outputs=5)) as program:
        before = weights(program)
        assert isinstance(refused(lambda: program.train(solver(16, load_from=snaps))), SnapshotError)
        for name, want in before.items():
            np.testing.assert_array_equal(weights(program)[name], want)
        assert program.rng_step == 0
        program.train(solver(2))


def test_of_another_solver(snaps):
    path = snaps / "adam.h5"
    save_snapshot(path, dataclasses.replace(read_snapshot(snaps / "snapshot-000008.h5"), method="Adam"))
    assert_message(
        lambda: train(how=solver(16, load_from=path)),
        """
        SnapshotError: FOLDER/adam.h5 was written by another solver
          expected  SGD,  got  Adam
        """,
        snaps,
    )


@pytest.mark.parametrize("left", [0, 100, 0.5, -20])
def test_truncated(snaps, left, capsys):
    """Named directly it is an error; in a folder it is skipped with a warning."""
    path = snaps / "snapshot-000008.h5"
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * left) if isinstance(left, float) else left])
    error = refused(lambda: train(how=solver(16, load_from=path)))
    assert isinstance(error, SnapshotError)
    assert str(error).startswith(f"snapshot {path} is damaged\n  ")
    assert error.hint == "use an older snapshot, or the folder"
    found = newest_snapshot(snaps)
    assert found is not None
    assert found.iteration == 4


def test_missing(tmp_path):
    assert_message(
        lambda: train(how=solver(load_from=tmp_path / "no.h5")),
        "SnapshotError: no snapshot or model FOLDER/no.h5",
        tmp_path,
    )
    train(how=solver(load_from=tmp_path / "no-folder-yet"))


@pytest.mark.parametrize("below", [False, True])
def test_a_file_in_place_of_the_folder(tmp_path, below):
    """Found before the first step, not after hours."""
    (tmp_path / "file").write_text("x")
    folder = tmp_path / "file" / "deeper" if below else tmp_path / "file"
    with mochac.compile(net()) as program:
        before = weights(program)
        error = refused(lambda: program.train(solver(folder=folder)))
        assert isinstance(error, SnapshotError)
        assert str(error).startswith(f"cannot write into folder {folder}\n  got  ")
        np.testing.assert_array_equal(weights(program)["ip___weight"], before["ip___weight"])
    assert (tmp_path / "file").read_text() == "x"


def fill_disk(monkeypatch, code=errno.ENOSPC):
    """From now on nothing reaches the disk."""

    def refuse(*arguments):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", refuse)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EROFS])
def test_a_disk_that_fills_up_during_training(snaps, monkeypatch, caplog, code):
    """Training goes on and says why there is no snapshot; at its end that is an error. Older snapshots stay, no parts
    are left, the program keeps its weights."""
    names = sorted(p.name for p in snaps.iterdir())

    class Fill:
        def enjoy(self, lounge, program, state):
            if state.iter == 11:
                fill_disk(monkeypatch, code)

    how = Solver(SGD(), max_iter=20, load_from=snaps)
    how.add_coffee_break(Fill(), every_n_iter=1)
    how.add_coffee_break(Snapshot(snaps), every_n_iter=4)
    with mochac.compile(net()) as program:
        error = refused(lambda: program.train(how))
        reached = weights(program)
    assert isinstance(error, SnapshotError)
    assert str(error) == f"cannot write {snaps}/snapshot-000020.h5\n  got  {os.strerror(code)}"
    words = "; training continues, and the next snapshot is tried when it is due"
    assert f"cannot write {snaps}/snapshot-000012.h5; got {os.strerror(code)}{words}" in caplog.text
    assert sorted(p.name for p in snaps.iterdir()) == names
    monkeypatch.undo()
    assert read_snapshot(snaps / "snapshot-000008.h5").iteration == 8
    expected = train(how=solver(20))
    np.testing.assert_array_equal(reached["ip___weight"], expected["ip___weight"])


def diverging(folder, stop, every=2, **parameters):
    """A training whose second update overflows, in a net whose loss does not show it until the next step."""
    made = Solver(SGD(lr_policy=LRPolicy.Staged((1, LRPolicy.Fixed(0.1)), (stop, LRPolicy.Fixed(3e38)))), max_iter=stop)
    made.add_coffee_break(Snapshot(folder), every_n_iter=every)
    return made


def test_an_overflow_reaches_no_snapshot(tmp_path):
    """The snapshot that is due right after the update is not written, so that the folder's newest can be resumed."""
    assert_message(
        lambda: train(how=diverging(tmp_path, 1000)),
        """
        NumericError: iteration 2: parameter ip.bias became -inf
          hint: lower the learning rate, resume from FOLDER
        """,
        tmp_path,
    )
    assert [p.name for p in tmp_path.iterdir()] == ["snapshot-000000.h5"]
    train(how=solver(4, folder=tmp_path, load_from=tmp_path))
    assert (tmp_path / "snapshot-000004.h5").exists()


def test_an_overflow_of_the_last_update_is_told(tmp_path):
    """Its loss is never computed."""
    for how in (diverging(tmp_path, 2, every=5), diverging(tmp_path, 2, every=2)):
        error = refused(lambda how=how: train(how=how))
        assert isinstance(error, NumericError)
        assert str(error).startswith("iteration 2: parameter ip.bias became -inf\n")
    train(how=diverging(tmp_path, 1, every=5))


def test_a_snapshot_of_infinities_is_no_place_to_resume_from(snaps, caplog):
    """Earlier versions wrote such."""
    good = read_snapshot(snaps / "snapshot-000008.h5")
    for iteration, kind in ((12, "parameters"), (16, "slots")):
        arrays = {name: array.copy() for name, array in getattr(good, kind).items()}
        next(iter(arrays.values()))[...] = np.nan if kind == "slots" else np.inf
        save_snapshot(snaps / f"snapshot-{iteration:06d}.h5", dataclasses.replace(good, **{kind: arrays}))
    assert_message(
        lambda: train(how=solver(20, load_from=snaps / "snapshot-000012.h5")),
        """
        SnapshotError: snapshot FOLDER/snapshot-000012.h5 holds inf in ip___bias
          hint: use an older snapshot, or the folder
        """,
        snaps,
    )
    found = newest_snapshot(snaps)
    assert found is not None
    assert found.iteration == 8
    assert f"skipped: snapshot {snaps}/snapshot-000016.h5 holds nan in ip.bias.history" in caplog.text


def test_two_trainings_in_one_folder(tmp_path):
    """They would overwrite each other's snapshots and statistics."""
    first, second = solver(folder=tmp_path), solver(folder=tmp_path / ".." / tmp_path.name)
    for number, how in enumerate((first, second)):
        how.setup_coffee_lounge(save_into=tmp_path / f"{number}.h5")
    one, two = mochac.compile(net()), mochac.compile(net())
    with one, two:
        first.init_solve(one)
        here = f"process {os.getpid()} on {socket.gethostname()}"
        assert_message(
            lambda: two.train(second),
            f"""
            SnapshotError: another training saves snapshots into FOLDER/../{tmp_path.name}
              got  {here}
              hint: it is one of this process: solver.finalize() ends it; or give each a folder of its own
            """,
            tmp_path,
        )
        how = solver()
        how.setup_coffee_lounge(save_into=tmp_path / "0.h5")
        assert str(refused(lambda: two.train(how))).startswith("another training saves statistics into ")
        elsewhere = solver(folder=tmp_path / "other")
        elsewhere.add_coffee_break(Snapshot(tmp_path / "other"), every_n_epoch=1)  # a training may save twice itself
        two.train(elsewhere)
        first.finalize()
        two.train(second)
    assert not list(tmp_path.rglob(".*"))


def test_a_statistics_file_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("x")
    how = solver()
    how.setup_coffee_lounge(save_into=tmp_path / "file" / "s.h5")
    assert isinstance(refused(lambda: train(how=how)), SnapshotError)
    how.setup_coffee_lounge(save_into=tmp_path)
    assert_message(lambda: train(how=how), "SnapshotError: statistics file FOLDER is not a file", tmp_path)
    how.setup_coffee_lounge(save_into=tmp_path / "file")
    assert "is damaged" in str(refused(lambda: train(how=how)))
    how.setup_coffee_lounge(save_into=tmp_path / "file", file_exists="panic")
    assert isinstance(refused(lambda: train(how=how)), OptionError)
    assert (tmp_path / "file").read_text() == "x"
    how = solver()
    how.setup_coffee_lounge(save_into=tmp_path / "s.h5")
    how.add_coffee_break(TrainingSummary(), every_n_iter=1)
    train(how=how)
    content = (tmp_path / "s.h5").read_bytes()
    fill_disk(monkeypatch)
    assert isinstance(refused(lambda: train(how=how)), SnapshotError)
    assert (tmp_path / "s.h5").read_bytes() == content


def test_models_that_cannot_be_read_or_written(tmp_path, monkeypatch):
    path = tmp_path / "model.h5"
    with mochac.compile(net()) as program, mochac.compile(net(outputs=5)) as other:
        assert_message(lambda: program.load(path), "SnapshotError: no model file FOLDER/model.h5", tmp_path)
        path.write_text("no HDF5")
        assert "damaged or not HDF5" in str(refused(lambda: program.load(path)))
        program.save(path)
        before = weights(other)
        assert_message(
            lambda: other.load(path),
            """
            SnapshotError: model file FOLDER/model.h5: ip___weight has another shape
              expected  (5, 4),  got  (3, 4)
            """,
            tmp_path,
        )
        np.testing.assert_array_equal(weights(other)["ip___weight"], before["ip___weight"])
        assert_message(
            lambda: program.save(tmp_path), "SnapshotError: cannot write FOLDER\n  got  Is a directory", tmp_path
        )
        content = path.read_bytes()
        fill_disk(monkeypatch)
        assert "No space left" in str(refused(lambda: program.save(path)))
    assert path.read_bytes() == content


@pytest.mark.skipif(not Path("/dev/null").is_char_device(), reason="no /dev/null")
def test_devices_are_not_replaced():
    """As root a rename would put a file in the place of /dev/null."""
    with mochac.compile(net()) as program:
        assert "not a regular file" in str(refused(lambda: program.save("/dev/null")))
    assert Path("/dev/null").is_char_device()


def test_one_flipped_bit_neither_makes_a_model_of_a_snapshot_nor_starts_again(snaps):
    """In the name of the attribute that marks snapshots, in a number, in the seal's own words."""
    path = snaps / "snapshot-000008.h5"
    content = path.read_bytes()
    with mochac.compile(net()) as program:
        before = weights(program)
        for place in (
            content.index(b"mochac_snapshot") + 3,
            content.index(b"ip___bias") + 1,
            len(content) // 2,
            -3,
            -25,
        ):
            flipped = bytearray(content)
            flipped[place] ^= 1
            path.write_bytes(flipped)
            with pytest.raises(SnapshotError, match="is damaged"):
                program.load(path)
            with pytest.raises(SnapshotError, match="is damaged"):
                program.train(solver(16, load_from=path))
        for name, want in before.items():
            np.testing.assert_array_equal(weights(program)[name], want)
        for other in snaps.glob("*[04].h5"):
            other.unlink()
        with pytest.raises(SnapshotError, match=r"no snapshot in .* can be read\n  got  1 damaged"):
            program.train(solver(16, load_from=snaps))
