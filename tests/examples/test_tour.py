"""examples/tour.py runs from top to bottom, stays short, and shows what its headings promise."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import HANG_S

TOUR = Path(__file__).parents[2] / "examples/tour.py"


def test_it_stays_short():
    assert len(TOUR.read_text().splitlines()) <= 300


@pytest.mark.slow
def test_it_runs(tmp_path):
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, str(TOUR)], capture_output=True, text=True, env=env, timeout=HANG_S, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    parts = done.stdout.split("\n=== ")[1:]
    assert all(len(part.splitlines()) > 2 for part in parts)
    for shown in ("net 'wrong' has 2 problems", "did you mean 'conv'?", "= conv(", "vector(loop=", "fma(%t1"):
        assert shown in done.stdout
    accuracy = float(done.stdout.partition("accuracy after loading: ")[2].partition("%")[0])
    assert accuracy > 80
