"""examples/cifar10/resnet20.py on a small budget: the net of the paper, trained a little and resumed."""

import re

import pytest
from examples.running import copied, run, write_photographs


@pytest.fixture
def example(tmp_path):
    """A copy of the example with a few images."""
    folder = copied("cifar10", tmp_path)
    write_photographs(folder / "data")
    return folder


@pytest.mark.slow
def test_trains_and_goes_on(example):
    run("resnet20.py", "--max-iter", 2, "--every", 2, cwd=example)
    again = run("resnet20.py", "--max-iter", 4, "--every", 4, cwd=example)
    assert "snapshot-000002.h5" in again
    assert re.search(r"^test accuracy [\d.]+%$", again, re.MULTILINE)


def test_it_is_the_net_of_the_paper(example):
    script = "import resnet20 as r; print(sum(__import__('math').prod(p.shape) for p in r.net.params if p.lr_mult))"
    assert int(run("-c", script, cwd=example)) == 269_722
