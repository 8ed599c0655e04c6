"""The example's ResNet-20 in PyTorch, and images for it."""

import importlib.util

import numpy as np
import pytest
from examples.running import EXAMPLES

pytest.importorskip("torch")

_SPEC = importlib.util.spec_from_file_location("resnet20_torch", EXAMPLES / "cifar10/resnet20_torch.py")
_MODULE = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(_MODULE)
Twin = _MODULE.Twin


def pictures(n):
    """Noise on a colour for each class."""
    rng = np.random.default_rng(4)
    label = rng.integers(0, 10, n)
    colour = rng.normal(size=(10, 3, 1, 1))
    return (colour[label] + rng.normal(size=(n, 3, 32, 32))).astype(np.float32), label
