"""Files written whole or not at all: unique names, parts that are swept when their writer is gone, locks."""

import errno
import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np
import pytest
from patience import HANG_S

from mochac.base.errors import SnapshotError
from mochac.base.files import atomic
from mochac.base.files.atomic import FileLock, TempFile, check_writable, is_intact, write_bytes, write_hdf5
from mochac.runtime.data.images import load_mean, save_mean_hdf5
from mochac.runtime.data.model_file import read_model, save_caffe_layout, save_model
from mochac.training.loop.lounge import load_statistics, save_statistics


def leave_part(target, code="import os; os._exit(0)"):
    """A part of a process that ended in the middle of writing it."""
    script = f"from mochac.base.files.atomic import Path, TempFile; p = TempFile(Path({str(target)!r}))\n{code}"
    subprocess.run([sys.executable, "-c", script], check=False)


@pytest.mark.parametrize(
    ("folders", "repeats"),
    [(1, 8), (2, 8), pytest.param(1, 200, marks=pytest.mark.slow), pytest.param(2, 200, marks=pytest.mark.slow)],
)
def test_many_threads_write_at_once(tmp_path, folders, repeats):
    """HDF5 files of one name, composed in memory, in one folder and in several: each is whole, none is another's."""

    def write(worker):
        path = tmp_path / str(worker % folders) / "statistics.h5"
        for k in range(repeats):
            save_statistics(path, {"obj_val": {i: worker + k / 1000 for i in range(50)}})
            (value,) = set(load_statistics(path)["obj_val"].values())
            assert folders == 1 or value == worker + k / 1000

    with ThreadPoolExecutor(4 if folders == 1 else 2) as pool:
        list(pool.map(write, range(4 if folders == 1 else 2)))
    assert sorted(p.name for p in tmp_path.rglob("*.*")) == folders * ["statistics.h5"]


def test_threads_of_one_pid_never_share_a_part(tmp_path, monkeypatch):
    """Containers are all process 1 and may share a folder."""
    monkeypatch.setattr(os, "getpid", lambda: 1)
    parts = [TempFile(tmp_path / "model.h5") for _ in range(3)]
    assert len({p._path for p in parts}) == 3
    for number, each in enumerate(parts):
        each.file.write(bytes([number]))
    for each in parts:
        each.finish()
    assert (tmp_path / "model.h5").read_bytes() == b"\2"
    assert os.listdir(tmp_path) == ["model.h5"]


@pytest.mark.slow
def test_the_next_writer_removes_what_a_kill_left(tmp_path):
    leave_part(tmp_path / "m.h5", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    assert len(os.listdir(tmp_path)) == 1
    write_bytes(tmp_path / "other", b"x")
    assert os.listdir(tmp_path) == ["other"]
    leave_part(tmp_path / "m.h5")
    check_writable(tmp_path)
    assert os.listdir(tmp_path) == ["other"]


def test_parts_of_the_living_stay(tmp_path):
    """Of this process, and of another one."""
    mine = TempFile(tmp_path / "a")
    code = "p.file.write(b'theirs'); print('made', flush=True); input(); p.finish()"
    path = str(tmp_path / "b")
    script = f"from pathlib import Path; from mochac.base.files.atomic import TempFile; p = TempFile(Path({path!r}))\n"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", script + code], **pipes) as other:
        assert other.stdout is not None and other.stdin is not None
        other.stdout.readline()
        atomic.sweep(tmp_path)
        assert len(os.listdir(tmp_path)) == 2
        other.communicate(b"\n")
    mine.finish()
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]
    assert (tmp_path / "b").read_bytes() == b"theirs"


def test_another_machines_part_must_be_old(tmp_path, monkeypatch):
    """A lock on a network's file system may be local to each machine."""
    theirs = tmp_path / f".mochac-00000000-{16 * 'a'}.part"
    theirs.write_bytes(b"being written elsewhere")
    atomic.sweep(tmp_path)
    assert theirs.exists()
    os.utime(theirs, (0, time.time() - atomic.LIFE_S - 60))
    held = os.open(theirs, os.O_RDWR)
    fcntl.flock(held, fcntl.LOCK_SH)
    atomic.sweep(tmp_path)
    assert theirs.exists()
    os.close(held)
    atomic.sweep(tmp_path)
    assert not theirs.exists()


def test_a_file_system_without_locks_loses_nothing(tmp_path, monkeypatch):
    """Parts are removed by their age alone; trainings are not told from each other."""

    def none(descriptor, how):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", none)
    first = TempFile(tmp_path / "a")
    write_bytes(tmp_path / "b", b"b")
    first.file.write(b"a")
    first.finish()
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]
    one, two = (FileLock(tmp_path / ".lock", "taken") for _ in range(2))
    one.release()
    two.release()


def test_a_part_that_is_swept_before_it_is_locked_is_made_anew(tmp_path, monkeypatch):
    plain, calls = atomic.try_lock, []

    def late(descriptor, *, exclusive):
        calls.append(exclusive)
        if len(calls) == 1:
            atomic.sweep(tmp_path)
        return plain(descriptor, exclusive=exclusive)

    monkeypatch.setattr(atomic, "try_lock", late)
    made = TempFile(tmp_path / "a")
    assert calls == [False, True, False]
    made.finish()
    assert os.listdir(tmp_path) == ["a"]


def test_other_files_are_not_swept(tmp_path):
    names = [".mochac-1.part", "x.part", ".a.h5.12.part", f".mochac-00000000-{16 * 'g'}.part"]
    for name in names:
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, 0))
    (tmp_path / f".mochac-00000000-{16 * 'a'}.part").symlink_to(tmp_path / "x.part")
    atomic.sweep(tmp_path)
    assert len(os.listdir(tmp_path)) == 5


def test_a_reader_never_waits_for_a_writer(tmp_path, monkeypatch):
    """HDF5 locks what it reads; the writer's lock is on the same file for a moment."""
    path, plain = tmp_path / "s.h5", os.replace

    def replace(source, target):
        plain(source, target)
        with h5py.File(target, "r") as file:
            assert list(file) == ["x"]

    monkeypatch.setattr(os, "replace", replace)
    write_hdf5(path, lambda file: file.create_dataset("x", data=1))


@pytest.mark.parametrize(
    "write",
    [
        lambda path: save_model(path, {"ip___weight": np.ones((3, 2))}),
        lambda path: save_caffe_layout(path, {"ip___weight": np.ones((3, 2))}),
        lambda path: save_statistics(path, {"obj_val": {1: 0.5}}),
        lambda path: save_mean_hdf5(path, np.ones((3, 2, 2))),
    ],
)
def test_every_file_is_sealed(tmp_path, write):
    path = tmp_path / "file.h5"
    write(path)
    assert is_intact(path)
    content = path.read_bytes()
    for position in np.random.default_rng(0).integers(0, len(content) - 29, 15).tolist():
        path.write_bytes(content[:position] + bytes([content[position] ^ 1]) + content[position + 1 :])
        assert is_intact(path) is False


def test_sealed_files_are_read(tmp_path):
    save_model(tmp_path / "m.h5", {"ip___weight": np.ones((3, 2))})
    assert read_model(tmp_path / "m.h5")["ip___weight"].tolist() == [[1, 1]] * 3
    save_caffe_layout(tmp_path / "c.h5", {"ip___weight": np.ones((3, 2))})
    assert list(read_model(tmp_path / "c.h5")) == ["ip___weight"]
    save_mean_hdf5(tmp_path / "mean.h5", np.ones((3, 2, 2)))
    assert load_mean(tmp_path / "mean.h5").shape == (3, 2, 2)


@pytest.mark.parametrize("name", ["a\0b", "x" * 300])
def test_names_that_no_file_can_have(tmp_path, name):
    with pytest.raises(SnapshotError, match=r"cannot write .*\n  got  "):
        write_bytes(tmp_path / name, b"x")
    assert os.listdir(tmp_path) == []


def test_a_lock_names_its_holder_and_goes_with_it(tmp_path):
    path = tmp_path / ".lock"
    held = FileLock(path, "taken")
    with pytest.raises(SnapshotError) as caught:
        FileLock(path, "another training writes into snaps")
    assert str(caught.value) == (
        "another training writes into snaps\n"
        f"  got  process {os.getpid()} on {socket.gethostname()}\n"
        "  hint: it is one of this process: solver.finalize() ends it; or give each a folder of its own"
    )
    held.release()
    assert not path.exists()
    held = FileLock(path, "taken")
    del held  # nobody released it
    FileLock(path, "taken").release()


@pytest.mark.slow
@pytest.mark.parametrize("fork", [False, True])
def test_a_killed_holder_holds_nothing(tmp_path, fork):
    """A child that it forked lives on without the lock."""
    path = tmp_path / ".lock"
    child = f"if os.fork() == 0: print('forked', flush=True); os.close(1); time.sleep({HANG_S}); os._exit(0)"
    script = f"""
import os, time
from pathlib import Path
from mochac.base.files.atomic import FileLock
lock = FileLock(Path({str(path)!r}), "taken")
print(os.getpid(), flush=True)
{child if fork else ""}
time.sleep({HANG_S})
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, start_new_session=True) as holder:
        assert holder.stdout is not None
        pid = int(holder.stdout.readline())
        if fork:
            holder.stdout.readline()
        with pytest.raises(SnapshotError, match=f"process {pid} on "):
            FileLock(path, "taken")
        holder.kill()
        holder.wait()
        FileLock(path, "taken").release()
        if fork:
            os.killpg(pid, signal.SIGKILL)


def test_a_folder_that_was_removed_and_made_anew(tmp_path):
    """Who held the old folder's lock does not end the new one's."""
    folder = tmp_path / "snaps"
    folder.mkdir()
    old = FileLock(folder / ".lock", "taken")
    shutil.rmtree(folder)
    folder.mkdir()
    new = FileLock(folder / ".lock", "taken")
    old.release()
    with pytest.raises(SnapshotError, match="taken"):
        FileLock(folder / ".lock", "taken")
    new.release()


def test_a_folder_named_like_a_probe(tmp_path):
    (tmp_path / "probe").mkdir()
    check_writable(tmp_path)


def test_a_lock_that_is_released_while_one_waits_is_made_anew(tmp_path, monkeypatch):
    path, plain, held = tmp_path / ".lock", atomic._opened, [FileLock(tmp_path / ".lock", "taken")]

    def slow(given):
        descriptor = plain(given)
        if held:
            held.pop().release()
        return descriptor

    monkeypatch.setattr(atomic, "_opened", slow)
    lock = FileLock(path, "taken")
    monkeypatch.undo()
    with pytest.raises(SnapshotError, match="taken"):
        FileLock(path, "taken")
    lock.release()
