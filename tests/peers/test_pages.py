"""The py blocks of pages about PyTorch, which tests/docs leaves out, run and print what the page shows."""

import doctest

import numpy as np
import pytest
from docs.pages import ROOT, blocks
from docs.test_code_blocks import HOW, run

torch = pytest.importorskip("torch")


def run_py_blocks(name, namespace):
    """Run the py blocks of a page, and compare what they print; the namespace at the end."""
    printed = None
    for block in blocks(ROOT / name):
        if block.language == "py":
            printed = run(ROOT / name, block, namespace)
        elif block.language == "output" and printed is not None:
            checker = doctest.OutputChecker()
            assert checker.check_output(block.text, printed, HOW), f"line {block.line} of {name} has\n{printed}"
            printed = None
    return namespace


def test_the_guide(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "with_loss" in run_py_blocks("docs/guide/from-pytorch.md", {})


def test_the_readme(tmp_path, monkeypatch):
    """The weights of ResNet-18 are others afterwards, and the module's."""
    models = pytest.importorskip("torchvision").models
    monkeypatch.chdir(tmp_path)
    torch.save(models.resnet18().state_dict(), "resnet18.pth")
    rng, namespace = np.random.default_rng(0), {}
    exec("import mochac; from mochac import *", namespace)
    images = rng.standard_normal((32, 3, 32, 32)).astype(np.float32)
    namespace |= {"images": images, "labels": rng.integers(0, 1000, 32)}
    found = run_py_blocks("README.md", namespace)["model"].state_dict()
    start = torch.load("resnet18.pth")
    assert all(not torch.equal(found[name], start[name]) for name in namespace["program"].state_dict())
