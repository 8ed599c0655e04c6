"""Finds NVIDIA's libraries: in its wheels under site-packages/nvidia, else where the loader looks.

Wheels of CUDA 13 share nvidia/cu13/lib; those of CUDA 12 have nvidia/<library>/lib each.
"""

from __future__ import annotations

import ctypes
import glob
import importlib.util
import os
from collections.abc import Sequence

CUBLAS_LT = ("libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so")
CUDNN = ("libcudnn.so.9", "libcudnn.so")
NCCL = ("libnccl.so.2", "libnccl.so")


def wheel_file(names: Sequence[str]) -> str:
    """Path of the first of these files that is in a wheel, "" if none is.

    >>> wheel_file(["libnothing.so.1"])
    ''
    """
    spec = importlib.util.find_spec("nvidia")
    roots = list(spec.submodule_search_locations or ()) if spec else []
    for name in names:
        for root in roots:
            found = sorted(glob.glob(os.path.join(glob.escape(root), "*", "lib", name)))
            if found:
                return found[-1]
    return ""


def load(names: Sequence[str]) -> ctypes.CDLL:
    """Load the first of these libraries that can be loaded, wheels first.

    Raises:
        OSError: none can be loaded; gives the reason for each.
    """
    faults: list[str] = []
    for name in filter(None, (wheel_file(names), *names)):
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            faults.append(str(error))
    raise OSError("; ".join(faults))
