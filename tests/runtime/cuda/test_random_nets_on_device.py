"""Random nets trained on a device against the interpreter in float64, as tests/e2e/test_random_nets.py has it for the
CPU: a few on the emulator, all of them with -m gpu."""

import pytest
from emulated_device import EmulatedDriver, use_device
from random_training import check
from skips import needs_gxx


@needs_gxx
@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(3, 20))])
def test_on_the_emulator(seed, monkeypatch):
    use_device(monkeypatch, EmulatedDriver())
    check(seed, "float64" if seed % 3 == 2 else "float32")


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("seed", range(60))
def test_on_a_device(seed, dtype, monkeypatch):
    monkeypatch.setenv("MOCHAC_BACKEND", "cuda")
    check(seed, dtype)
