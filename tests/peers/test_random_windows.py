"""Random nets of windows beside PyTorch: loss, gradients and three updates."""

import pytest
from window_nets import check


@pytest.mark.parametrize(
    "seed", [*range(40), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(40, 2000))]
)
def test_random_nets_of_windows(seed):
    check(seed, "float32" if seed % 2 else "float64")
