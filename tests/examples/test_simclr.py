"""examples/cifar10/simclr.py on a small budget: colours are found without labels."""

import re

import pytest
from examples.running import copied, run, write_photographs


@pytest.mark.slow
def test_learns_without_labels(tmp_path):
    folder = copied("cifar10", tmp_path)
    write_photographs(folder / "data")
    said = run("simclr.py", "--epochs", 2, "--batch", 50, cwd=folder)
    assert re.search(r"^linear probe of the untrained encoder [\d.]+%$", said, re.MULTILINE)
    assert re.search(r"^linear probe after 2 epochs [\d.]+%$", said, re.MULTILINE)
