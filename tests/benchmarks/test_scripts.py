"""The benchmark scripts run with whatever peers are installed. No timings."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from bench_kit import FOLDER

PEERS = ["--without", "torch", "JAX"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "script",
    [
        ["training.py", "tiny", "--threads", "1", "--seconds", "0", *PEERS],
        ["prediction.py", "lenet", "--threads", "1", "--seconds", "0", *PEERS],
        ["startup.py", "--runs", "1", "--only", "mochac"],
    ],
    ids=lambda script: script[0],
)
def test_scripts_run(script, tmp_path):
    command = [sys.executable, str(FOLDER / script[0]), *script[1:]]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    assert done.returncode == 0, done.stderr
    assert "| mochac" in done.stdout
