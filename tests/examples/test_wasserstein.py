"""examples/wasserstein on a small budget: both losses learn to read the clock."""

import re

import pytest
from examples.running import copied, run


@pytest.mark.slow
def test_both_losses_read_the_clock(tmp_path):
    folder = copied("wasserstein", tmp_path)
    text = run("wasserstein.py", "--max-iter", 300, "--samples", 2000, cwd=folder)
    found = dict(re.findall(r"^(cross entropy|Wasserstein) +([\d.]+)%", text, re.MULTILINE))
    assert list(found) == ["cross entropy", "Wasserstein"]
    assert all(float(exact) > 40 for exact in found.values())
