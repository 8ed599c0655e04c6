"""draw, explain, dump and profile work for every example on a fresh clone, without its data."""

import pytest
from examples.running import EXAMPLES

from mochac.__main__ import main

NEEDED = {"mnist": ("train-data",), "denoising-autoencoder": ("train-data",), "cifar10": ("train-data",)}
"""By folder, the data layers whose files are not in the repository."""

WITH_NET = sorted(
    str(path.relative_to(EXAMPLES))
    for path in [*EXAMPLES.rglob("*.py"), *EXAMPLES.rglob("*_deploy.prototxt")]
    if path.name != "tour.py" and (path.suffix == ".prototxt" or "\nnet = " in path.read_text())
)
"""The tour runs as it is imported."""

TIMED = [
    "mnist/lenet.py",
    "cifar10/cifar10.py",
    "image-classifier/digits_deploy.prototxt",
    "wasserstein/wasserstein.py",
]


@pytest.fixture(autouse=True)
def fresh(tmp_path, monkeypatch):
    """Another folder, and data looked for in empty ones."""
    monkeypatch.chdir(tmp_path)
    for name in ("MNIST_DATA", "CIFAR10_DATA"):
        monkeypatch.setenv(name, str(tmp_path / "none"))


@pytest.fixture
def looked(capsys):
    """Call `mochac COMMAND EXAMPLE ...`; what it prints, less the note about data, which must be there if it is due."""

    def call(command, example, *more):
        if (EXAMPLES / example.split("/")[0] / "data").exists() and example.split("/")[0] in NEEDED:
            pytest.skip("this is no fresh clone: the example has its data")
        assert main([command, str(EXAMPLES / example), *map(str, more)]) == 0
        out, err = capsys.readouterr()
        layers = NEEDED.get(example.split("/")[0], ())
        notes = [f"note: the data of {name!r} is missing; the declared shapes are used\n" for name in layers]
        assert err == "".join(notes)
        return out

    return call


def test_all_examples_are_tried():
    assert {example.split("/")[0] for example in WITH_NET} >= {*NEEDED, "image-classifier", "own-layer", "gradients"}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("example", WITH_NET)
def test_draw(example, looked):
    assert looked("draw", example).startswith("digraph ")


@pytest.mark.sampled(0, test=6)
@pytest.mark.parametrize("example", WITH_NET)
def test_explain(example, looked):
    assert "kernels" in looked("explain", example)


@pytest.mark.sampled(0, test=5)
@pytest.mark.parametrize("example", WITH_NET)
def test_dump(example, looked, tmp_path):
    """It holds what explain prints."""
    assert f"start at {tmp_path / 'dump'}/README.txt" in looked("dump", example, tmp_path / "dump")
    assert "kernels" in (tmp_path / "dump/explain.txt").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("example", TIMED)
def test_profile(example, looked):
    out = looked("profile", example, "--n-iter", "1")
    drawn = example.split("/")[0] in NEEDED or example.endswith(".prototxt")
    assert ("the batches are random numbers" in out) == drawn


@pytest.mark.slow
def test_a_training_without_data_says_which_file(tmp_path, capsys):
    assert main(["train", str(EXAMPLES / "mnist/lenet.py"), "--max-iter", "1", "--save", str(tmp_path / "m.h5")]) == 1
    assert "layer 'train-data' (HDF5Data): cannot read list file" in capsys.readouterr().err
