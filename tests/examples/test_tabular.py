"""examples/tabular on a small budget."""

import re

import pytest
from examples.running import copied, run


@pytest.mark.slow
def test_it_learns(tmp_path):
    out = run("tabular.py", "--samples", 20000, "--max-iter", 300, cwd=copied("tabular", tmp_path))
    (share,) = re.findall(r"test accuracy ([\d.]+)%, [\d,]+ samples/s", out)
    assert float(share) > 70


@pytest.mark.slow
def test_its_twin_runs_in_turns(tmp_path):
    pytest.importorskip("torch")
    out = run("torch_twin.py", "--threads", 1, "--rounds", 1, cwd=copied("tabular", tmp_path))
    assert re.fullmatch(r"mochac: [\d,]+ samples/s\nPyTorch: [\d,]+ samples/s\n", out)
