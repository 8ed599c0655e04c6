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


@pytest.mark.slow
def test_pytorchs_twin_has_the_same_losses(example):
    pytest.importorskip("torch")
    first = run("resnet20_beside_torch.py", "--max-iter", 4, "--every", 2, cwd=example)
    assert (example / "beside-torch/curve.svg").exists()
    found = re.findall(r"^ +(\d+) (?:mochac|torch) +loss ([\d.]+)", first, re.MULTILINE)
    assert [int(k) for k, _ in found] == [2, 2, 4, 4]
    losses = [float(loss) for _, loss in found]
    assert losses[0] == pytest.approx(losses[1], abs=1e-3)
    assert losses[2] == pytest.approx(losses[3], abs=0.1)  # rounding grows fast at a learning rate of 0.1
    assert "loss" not in run("resnet20_beside_torch.py", "--max-iter", 4, "--every", 2, cwd=example)


@pytest.mark.slow
def test_it_is_the_net_of_the_paper(example):
    script = "import resnet20 as r; print(sum(__import__('math').prod(p.shape) for p in r.net.params if p.lr_mult))"
    assert int(run("-c", script, cwd=example)) == 269_722
