"""Starts scripts and command lines as several ranks, for tests of training with MPI."""

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from patience import HANG_S

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent


def mpiexec():
    """The mpiexec beside Python, else the first on PATH; None without one."""
    return shutil.which("mpiexec", path=str(Path(sys.executable).parent)) or shutil.which("mpiexec")


needs_mpi = pytest.mark.skipif(find_spec("mpi4py") is None or mpiexec() is None, reason="there is no mpi4py or mpiexec")


def environment(**more):
    path = os.pathsep.join([str(PACKAGE), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, "MOCHAC_RANK_TIMEOUT": str(HANG_S), **more}


def ranks(n, script, *arguments, **more):
    """Run a script on n ranks; returns what rank 0 printed last, as JSON."""
    command = [mpiexec(), "-n", str(n), sys.executable, str(script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_S, env=environment(**more), check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


def begin(*arguments, **more):
    """Begin a command line of mochac."""
    command = [sys.executable, "-m", "mochac", *map(str, arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=subprocess.STDOUT, text=True, env=environment(**more))


def mochac(*arguments, **more):
    """Run a command line of mochac; returns its exit status and what it printed."""
    running = begin(*arguments, **more)
    said, _ = running.communicate(timeout=HANG_S)
    return running.returncode, said
