"""What several files use."""

import importlib.util
import sys

import pytest
from examples.running import EXAMPLES

from mochac.nets.layers.base import LAYERS


def pytest_ignore_collect(config):
    """Where PyTorch is installed, quick runs of all tests leave these files out: to load it takes seconds, and `make
    peers` and `make test` run them."""
    asked_for = any("peers" in argument for argument in config.args)
    return True if "not slow" in config.option.markexpr and not asked_for else None


@pytest.fixture
def example(monkeypatch):
    """The module of examples/cifar10/resnet20.py; its layer is forgotten afterwards."""
    before = set(LAYERS.foreign)
    monkeypatch.syspath_prepend(EXAMPLES / "cifar10")
    module = importlib.util.module_from_spec(
        spec := importlib.util.spec_from_file_location("resnet20", EXAMPLES / "cifar10/resnet20.py")
    )
    monkeypatch.setitem(sys.modules, "resnet20", module)
    spec.loader.exec_module(module)
    yield module
    for name in LAYERS.foreign - before:  # and no other: layers are imported when they are first asked for
        LAYERS.foreign.remove(name)
        del LAYERS._items[name]
