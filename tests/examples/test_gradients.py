"""examples/gradients: the net's gradients are right, the planted mistake is found where it stands."""

import re

import pytest
from examples.running import copied, run


@pytest.mark.slow
def test_right_gradients_and_a_wrong_one(tmp_path):
    text = run("gradients.py", "--samples", 3, cwd=copied("gradients", tmp_path))
    right, wrong = text.split("now with an operation whose gradient is wrong")
    said = dict(re.findall(r"^  ([\w.]+) .* (\w+)$", wrong, re.MULTILINE))
    assert "WRONG" not in right and len(re.findall(r" ok$", right, re.MULTILINE)) == 20
    assert {name for name, verdict in said.items() if verdict == "ok"} == {"out.weight", "out.bias"}
    assert {name for name, verdict in said.items() if verdict == "WRONG"} == {
        "conv.filter", "conv.bias", "code.weight", "code.bias",
    }  # fmt: skip
