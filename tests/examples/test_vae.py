"""examples/mnist/vae.py on a small budget: the bound rises, and what it makes up is a picture."""

import re
import struct

import pytest
from examples.running import copied, run, write_digits


@pytest.mark.slow
def test_learns_and_draws(tmp_path):
    folder = copied("mnist", tmp_path)
    write_digits(folder / "data")
    few = ("--latent", 2, "--hidden", 20)
    bounds = []
    for n in (1, 100):
        text = run("vae.py", "--max-iter", n, *few, cwd=folder)
        bounds.append(float(re.search(r"bound on the test digits: (-[\d.]+) nats", text)[1]))
    assert "snapshot-000001.h5" in text
    assert bounds[1] > bounds[0] + 50
    raw = (folder / "snapshots-vae-2-20/samples.png").read_bytes()
    assert raw[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", raw[16:24]) == (280, 280)
