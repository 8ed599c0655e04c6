"""Random modules predict, and make a step of SGD, as in PyTorch, in float64."""

import pytest
from random_modules import drawn
from test_from_torch import require_as_in_torch

torch = pytest.importorskip("torch")


@pytest.mark.parametrize("seed", range(12))
def test_random_modules(seed):
    require_as_torch(seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1000, 1600))
def test_many_random_modules(seed):
    require_as_torch(seed)


def require_as_torch(seed):
    """No weight decay, since PyTorch leaves parameters alone that no output depends on."""
    module, inputs = drawn(seed)
    print(f"seed {seed}, inputs {[tuple(x.shape) for x in inputs]}, {module}", module.reads)
    moves = any(y.requires_grad for y in torch.utils._pytree.tree_leaves(module(*inputs)))
    make = (lambda module: torch.optim.SGD(module.parameters(), 0.1)) if moves else None
    require_as_in_torch(module, inputs, make, 1e-6, 1e-8, threads=1 + seed % 3)
