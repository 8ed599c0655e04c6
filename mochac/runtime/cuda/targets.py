"""Devices to generate code for: the one present, or one by name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mochac.base.errors import BackendError
from mochac.codegen.cuda.target import CudaTarget

if TYPE_CHECKING:
    from mochac.runtime.cuda.device import Device

DEFAULT = "sm_90"
CAPABILITIES = (75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121)
"""What `nvcc --list-gpu-arch` of CUDA 13 lists; later ones are accepted too."""
MULTIPROCESSORS = {75: 40, 80: 108, 86: 84, 87: 16, 89: 142, 90: 132, 100: 148, 120: 188}
"""Multiprocessors by compute capability: T4, A100, A10, Orin, L40, H100 and H200, B200, RTX PRO 6000."""


def target_of(device: Device, early: bool = False) -> CudaTarget:
    """The properties of a device that codegen needs; `early`: whether kernels begin early there."""
    info = device.driver.info
    return CudaTarget(
        info.sm, info.shared_bytes, info.max_threads, info.multiprocessors, info.memory_bytes, early=early
    )


def named_target(name: str) -> CudaTarget:
    """The target of this name, with the limits that all such devices share and the size of a typical one.

    Raises:
        BackendError: not a name like "sm_90", or a device that is not supported.

    >>> named_target("sm_90").multiprocessors
    132
    """
    digits = re.fullmatch(r"sm_([1-9][0-9]{1,2})", name)
    sm = int(digits[1]) if digits else 0
    if sm not in CAPABILITIES and sm <= CAPABILITIES[-1]:
        known = ", ".join(f"sm_{known}" for known in CAPABILITIES)
        raise BackendError(f"unknown CUDA target {name!r}", expected=f"compute capability 7.5 or later: {known}")
    nearest = max(known for known in MULTIPROCESSORS if known <= sm)
    return CudaTarget(sm, multiprocessors=MULTIPROCESSORS[nearest])
