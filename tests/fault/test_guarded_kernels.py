"""Kernels touch no byte beyond their buffers: each runs alone, with every buffer at a guard page, in a process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mochac.ir.op import OPS

SCRIPT = Path(__file__).with_name("guarded_kernels.py")
ACCESS = Path(__file__).with_name("guarded_access.py")
GROUPS = 6
"""Processes for all operations: each takes a second to start."""
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="guard pages are made by Linux's mprotect"),
]


def run(*args, cpu=""):
    environment = {**os.environ, "MOCHAC_CPU": cpu}
    return subprocess.run([sys.executable, SCRIPT, *map(str, args)], capture_output=True, text=True, env=environment)


def require_done(result):
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-4000:]
    assert result.stdout.endswith("done\n")


def test_one_byte_beyond_is_noticed():
    result = run("beyond")
    assert result.returncode < 0
    assert "done" not in result.stdout


@pytest.mark.parametrize("cpu", ["", "haswell"])
def test_a_few_operations(cpu):
    """Vectors with remainders, every second element, runs, gathers."""
    require_done(run("ops", "max_pool", "softmax_loss", "permute", "conv_dw", cpu=cpu))


@pytest.mark.sampled(0, test=3)
@pytest.mark.parametrize("group", range(GROUPS))
def test_operations(group):
    """All samples; the CPU alternates between this machine's and one with other masks."""
    require_done(run("ops", *list(OPS)[group::GROUPS], cpu=("", "haswell")[group % 2]))


@pytest.mark.soak
@pytest.mark.parametrize("group", range(GROUPS))
def test_operations_on_the_other_cpu(group):
    require_done(run("ops", *list(OPS)[group::GROUPS], cpu=("haswell", "")[group % 2]))


@pytest.mark.sampled(0, test=2)
@pytest.mark.parametrize("first", [3000, 3005])
def test_nets(first):
    require_done(run("nets", *range(first, first + 5)))


@pytest.mark.parametrize("first", [0, pytest.param(10000, marks=pytest.mark.soak)])
def test_masked_accesses(first):
    """Random kernels, most of them well-formed."""
    result = subprocess.run(
        [sys.executable, ACCESS, str(first), "200" if first == 0 else "4000"], capture_output=True, text=True
    )
    require_done(result)
