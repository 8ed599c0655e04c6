"""A few kills of kills.py, signals of signals.py, two of the faults of hosts.py, and seconds of soak.py; the record has
many: benchmarks/results/trust.md."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


def run(script, *words):
    done = subprocess.run([sys.executable, FOLDER / script, *words], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_kills_leave_whole_files():
    assert "'kills': 12" in run("kills.py", "12", "5")


@pytest.mark.slow
def test_signals_change_no_result():
    assert "wrong: none" in run("signals.py", "100", "3")


@pytest.mark.slow
def test_two_hosts():
    pytest.importorskip("mpi4py")
    pytest.importorskip("asyncssh")
    if os.geteuid() != 0 or not all(map(shutil.which, ("ip", "tc", "ssh"))):
        pytest.skip("it takes root, iproute2 and ssh")
    if subprocess.run(["unshare", "-n", "true"]).returncode:
        pytest.skip("this system makes no network namespaces")
    said = run("hosts.py", "none", "killed")
    assert "none: same bits as on one host" in said
    assert "killed: all ended after" in said


@pytest.mark.slow
def test_a_training_beside_neighbours_computes_what_it_computes_alone(tmp_path):
    """In one run, and in a second one that goes on."""
    assert "1000 iterations, 3 digests equal" in run("soak.py", "0.0001", tmp_path)
    assert "2000 iterations, 5 digests equal" in run("soak.py", "0.0001", tmp_path)
