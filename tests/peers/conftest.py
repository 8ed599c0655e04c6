"""What several files use."""

import importlib.util
import sys

import pytest
from examples.running import EXAMPLES

from mochac.layers.base import LAYERS


@pytest.fixture
def example(monkeypatch):
    """The module of examples/cifar10/resnet20.py; its layer is forgotten afterwards."""
    before = dict(LAYERS._items), set(LAYERS.foreign)
    monkeypatch.syspath_prepend(EXAMPLES / "cifar10")
    module = importlib.util.module_from_spec(
        spec := importlib.util.spec_from_file_location("resnet20", EXAMPLES / "cifar10/resnet20.py")
    )
    monkeypatch.setitem(sys.modules, "resnet20", module)
    spec.loader.exec_module(module)
    yield module
    LAYERS._items, LAYERS.foreign = before
