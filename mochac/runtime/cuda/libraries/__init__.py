"""Libraries that compute nodes in place of generated kernels: cuBLAS and cuDNN.

passes/choose_library.py writes their calls into graphs; Device prepares each once (library.py), and the executor
enqueues it in every step. A library is a file with a class that implements library.py. NCCL moves values between the
devices of several ranks (runtime/cuda/exchange.py).
"""

from __future__ import annotations

import importlib.util
from ctypes.util import find_library

from mochac.runtime.cuda.libraries.library import CUBLAS_LT, CUDNN, Collectives, Library, wheel_file


def open_library(name: str) -> Library:
    """The library, loaded and with a handle on the current context's device.

    Args:
        name: "cublas" or "cudnn", the prefix of its functions' names.

    Raises:
        OSError, ImportError: it is not installed. DeviceError: it does not start.
    """
    if name == "cublas":
        from mochac.runtime.cuda.libraries.cublas import Cublas

        return Cublas()
    from mochac.runtime.cuda.libraries.cudnn import Cudnn

    return Cudnn()


def open_collectives() -> Collectives:
    """NCCL, loaded.

    Raises:
        OSError: it is not installed.
    """
    from mochac.runtime.cuda.libraries.nccl import Nccl

    return Nccl()


def installed() -> tuple[str, ...]:
    """Names of the libraries that seem to be installed; opening may still fail, as on a machine without a device.

    cuDNN is there if both its library and the package that calls it are.
    """
    cublas = wheel_file(CUBLAS_LT) or find_library("cublasLt")
    cudnn = (wheel_file(CUDNN) or find_library("cudnn")) and importlib.util.find_spec("cudnn")
    return tuple(name for name, there in (("cublas", cublas), ("cudnn", cudnn)) if there)
