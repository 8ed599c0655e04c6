"""examples/xor, examples/digits and examples/mnist/learning_curve.py on a small budget."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from patience import HANG_S

from mochac.training.loop.lounge import save_statistics

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(script, *arguments, cwd):
    command = [sys.executable, str(EXAMPLES / script), *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=os.environ, timeout=HANG_S, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_xor(tmp_path):
    out = run("xor/xor.py", cwd=tmp_path)
    said = {tuple(map(int, pair)): float(p) for *pair, p in re.findall(r"(\d) xor (\d): ([\d.]+)", out)}
    assert {pair: round(p) for pair, p in said.items()} == {(0, 0): 0, (0, 1): 1, (1, 0): 1, (1, 1): 0}
    assert "accuracy 100%" in out


@pytest.mark.slow
def test_digits(tmp_path):
    pytest.importorskip("sklearn")
    out = run("digits/digits.py", "--epochs", 8, "--folds", 2, cwd=tmp_path)
    accuracies = [float(v) for v in re.findall(r"test accuracy ([\d.]+)%", out)]
    assert len(accuracies) == 3 and min(accuracies) > 90


@pytest.mark.slow
def test_learning_curve(tmp_path):
    pytest.importorskip("matplotlib")
    iterations = np.arange(0, 5001, 100)
    save_statistics(
        tmp_path / "statistics.h5",
        {
            "obj_val": {int(i): 2.3 * 0.999**i + 0.1 for i in iterations},
            "test-accuracy-accuracy": {int(i): 0.99 - 0.9 * 0.999**i for i in iterations[::10]},
        },
    )
    out = run("mnist/learning_curve.py", "--statistics", "statistics.h5", "--out", "curve.png", cwd=tmp_path)
    assert out == "wrote curve.png; 51 losses, best test accuracy 98.40%\n"
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    save_statistics(tmp_path / "short.h5", {"obj_val": {100: 0.5}, "test-accuracy-accuracy": {0: 0.1}})
    assert "1 losses" in run("mnist/learning_curve.py", "--statistics", "short.h5", "--out", "b.png", cwd=tmp_path)
