"""Kernels touch no memory but their own: random nets train with every array between guard pages, in a process apart."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("guarded_training.py")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="guard pages are made by Linux's mprotect")


def run(*args):
    return subprocess.run([sys.executable, SCRIPT, *map(str, args)], capture_output=True, text=True)


@pytest.mark.slow
def test_guard_pages_guard():
    result = run("beyond")
    assert result.returncode < 0 and "done" not in result.stdout


@pytest.mark.sampled(0, test=2)
@pytest.mark.parametrize("first", [1000, 1008])
def test_random_nets_touch_no_memory_but_their_own(first):
    result = run(*range(first, first + 8))
    assert result.returncode == 0 and result.stdout.endswith("done\n"), result.stdout[-4000:] + result.stderr[-4000:]
