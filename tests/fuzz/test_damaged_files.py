"""Damaged files of every kind: the right content or one error of mochac's that names the file, and nothing else."""

import os
import signal
import time

import pytest
from damage import KINDS, Damage, counted, kinds
from readers import Kind

QUICK, SLOW, SOAK = 4, 250, 3000
"""Damaged copies of each kind."""


def refused(name, folder, copies, seed):
    """How many copies are refused; the others have the right content."""
    damage = Damage(name, folder, seed)
    for _ in range(copies):
        damage.read_another()
    return damage.refused


@pytest.mark.slow
def test_a_damaged_file_is_refused_by_name_or_read_right(tmp_path):
    assert sum(refused(name, tmp_path, QUICK, seed=0) for name in kinds()) > len(kinds())


@pytest.mark.slow
@pytest.mark.parametrize("name", kinds())
def test_many_damaged_files(name, tmp_path):
    assert refused(name, tmp_path, SLOW, seed=1) > 0


@pytest.mark.soak
@pytest.mark.parametrize("name", kinds())
def test_thousands_of_damaged_files(name, tmp_path):
    assert refused(name, tmp_path, SOAK, seed=2) > 0


def crash(path):
    if path.name.startswith("damaged"):
        os.kill(os.getpid(), signal.SIGKILL)


def hang(path):
    if path.name.startswith("damaged"):
        while True:
            pass


def wait(path):
    if path.name.startswith("damaged"):
        time.sleep(60)


def grow(path):
    if path.name.startswith("damaged"):
        bytearray(3 << 30)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("read", "words"), [(crash, "SIGKILL"), (hang, "SIGPROF"), (wait, "SIGALRM"), (grow, "MemoryError")]
)
def test_readers_that_crash_hang_or_grow_are_noticed(monkeypatch, read, words):
    monkeypatch.setattr("damage.MOST_S", 1)
    monkeypatch.setattr("damage.PATIENCE_S", 3)
    monkeypatch.setitem(KINDS, "bad", Kind(".bad", lambda p: p.write_bytes(bytes(100)), read))
    _, faults = counted("bad", 1, seed=0)
    assert len(faults) == 1 and words in faults[0]
