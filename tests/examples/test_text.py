"""examples/text on a small budget."""

import re

import pytest
from examples.running import copied, run


@pytest.mark.slow
@pytest.mark.parametrize("script", ["gpt.py", "llama.py", "lstm.py"])
def test_it_learns_and_writes(tmp_path, script):
    out = run(script, "--iterations", 40, "--sample", 20, "--threads", 2, cwd=copied("text", tmp_path))
    (loss,) = re.findall(r"validation loss ([\d.]+)", out)
    assert float(loss) < 4.2  # ln(103), which is 4.6, at the start
