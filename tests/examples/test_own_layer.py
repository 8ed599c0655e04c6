"""examples/own-layer: both scripts run, their claims hold, and the command line takes them."""

import re

import pytest
from examples.running import copied, run


@pytest.mark.slow
def test_own_layers_learn(tmp_path):
    folder = copied("own-layer", tmp_path)
    text = run("own_layer.py", cwd=folder)
    assert "FAIL" not in text
    assert float(re.search(r"accuracy on the rings: ([\d.]+)%", text)[1]) > 95
    assert abs(float(re.search(r"slope: ([\d.]+)", text)[1]) - 2) < 0.1
    assert "Maxout" in run("-m", "mochac", "explain", "own_layer.py", cwd=folder)


@pytest.mark.slow
def test_an_own_op_is_explained_dumped_and_replayed(tmp_path):
    folder = copied("own-layer", tmp_path)
    assert "times as fast" in run("own_op.py", cwd=folder)
    assert "schedule squared_distance.tiled" in run("-m", "mochac", "explain", "own_op.py", cwd=folder)
    run("-m", "mochac", "dump", "own_op.py", "stages", cwd=folder)
    text = run("-m", "mochac", "replay", "stages", "--import", "own_op.py", cwd=folder)
    assert text.count("agrees") == 11
    text = run("-m", "mochac", "replay", "stages", cwd=folder, status=1)
    assert "no op 'squared_distance'" in text
    assert (
        "hint: if this is an op of your own, import the file that defines it: mochac replay DIR --import FILE" in text
    )
