"""ranges: names kernels on the timeline of Nsight Systems, through NVIDIA's package nvtx."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib import import_module
from typing import Any

from mochac.base.errors import BackendError

Ranges = Callable[[str], AbstractContextManager[Any]]
"""What is done inside is a range of this name."""
DOMAIN = "mochac"


def nvtx_ranges() -> Ranges:
    """Ranges of NVTX.

    Raises:
        BackendError: the package is not installed.
    """
    try:
        nvtx: Any = import_module("nvtx")  # it has no types
    except ImportError as error:
        hint = "pip install nvtx"
        raise BackendError("MOCHAC_CUDA_NVTX=1 needs the package nvtx", got=str(error), hint=hint) from None
    return lambda name: nvtx.annotate(name, domain=DOMAIN)
