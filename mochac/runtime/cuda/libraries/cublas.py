"""Cublas: dense products by cuBLAS, through seven functions of its C interface.

open_library makes one. Its matrices are column-major: a row-major matrix is its transpose there, so y = x w^T is asked
for as y^T = w x^T. Compute type is that of the data: no TF32 (cuBLAS documentation, "cublasMath_t": the default mode
does not lower the precision of a float32 product).
"""

from __future__ import annotations

import ctypes
import glob
import importlib.util
import os
from collections.abc import Sequence
from ctypes import byref, c_double, c_float, c_int, c_void_p
from dataclasses import dataclass
from functools import cache
from typing import Any

from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.libraries.library import LibraryCall

NAMES = ("libcublas.so.13", "libcublas.so.12", "libcublas.so")
PLAIN, TURNED = 0, 1
"""CUBLAS_OP_N, CUBLAS_OP_T."""
SCALAR = {"f32": c_float, "f64": c_double}
FUNCTION = {"f32": "cublasSgemm_v2", "f64": "cublasDgemm_v2"}
WORKSPACE = 32 << 20
"""What cuBLAS recommends for compute capability 9.0 ("cublasSetWorkspace"); ours, so that results do not depend on what
else uses the handle, and a CUDA graph may hold the call."""


@dataclass(frozen=True)
class Gemm:
    """C (m, n) = op(A) op(B), column-major.

    Attributes:
        a, b: which of the two operands is A, which is B.
        turn_a, turn_b: PLAIN or TURNED.
        lda, ldb, ldc: rows of the stored matrices.
    """

    m: int
    n: int
    k: int
    a: int
    b: int
    turn_a: int
    turn_b: int
    lda: int
    ldb: int
    ldc: int


def gemm_of(call: LibraryCall) -> Gemm:
    """The product a node stands for.

        inner_product     y (N,O) = x (N,F) w (O,F)^T     y^T = w x^T
        inner_product_dx  dx (N,F) = dy (N,O) w (O,F)     dx^T = w^T dy^T
        inner_product_dw  dw (O,F) = dy (N,O)^T x (N,F)   dw^T = x^T dy

    >>> from mochac.ir.types import parse_type
    >>> types = tuple(map(parse_type, ("f32[b64,800]", "f32[500,800]", "f32[b64,500]")))
    >>> gemm_of(LibraryCall("cublas.gemm", "inner_product", {}, types))
    Gemm(m=500, n=64, k=800, a=1, b=0, turn_a=1, turn_b=0, lda=800, ldb=800, ldc=500)
    """
    first, second, out = (t.shape for t in call.types)
    if call.of == "inner_product":
        (n, f), (o, _) = first, second
        return Gemm(o, n, f, 1, 0, TURNED, PLAIN, f, f, o)
    if call.of == "inner_product_dx":
        (n, o), (_, f) = first, second
        return Gemm(f, n, o, 1, 0, PLAIN, PLAIN, f, o, f)
    if call.of != "inner_product_dw":
        raise DeviceError(f"cuBLAS computes no {call.of}")
    n, (o, f) = first[0], out
    return Gemm(f, o, n, 0, 1, PLAIN, TURNED, f, o, f)


class Cublas:
    """See library.py.

    Raises:
        OSError: libcublas is not installed. DeviceError: it refuses to start.
    """

    def __init__(self) -> None:
        self.library = _load()
        self.handle = c_void_p()
        self._call("cublasCreate_v2", byref(self.handle))
        number = c_int()
        self._call("cublasGetVersion_v2", self.handle, byref(number))
        self.version = f"cublas {number.value}"

    def prepare(self, call: LibraryCall) -> PreparedGemm:
        return PreparedGemm(self, gemm_of(call), call.types[0].dtype)

    def run(self, gemm: Gemm, dtype: str, addresses: Sequence[int], workspace: int, stream: int) -> None:
        """Put the product on a stream."""
        scalar = SCALAR[dtype]
        one, zero = scalar(1.0), scalar(0.0)
        self._call("cublasSetStream_v2", self.handle, c_void_p(stream))
        self._call("cublasSetWorkspace_v2", self.handle, c_void_p(workspace), ctypes.c_size_t(WORKSPACE))
        how = [c_int(v) for v in (gemm.turn_a, gemm.turn_b, gemm.m, gemm.n, gemm.k)]
        a = (c_void_p(addresses[gemm.a]), c_int(gemm.lda))
        b = (c_void_p(addresses[gemm.b]), c_int(gemm.ldb))
        c = (c_void_p(addresses[2]), c_int(gemm.ldc))
        self._call(FUNCTION[dtype], self.handle, *how, byref(one), *a, *b, byref(zero), *c)

    def close(self) -> None:
        self._call("cublasDestroy_v2", self.handle)

    def _call(self, name: str, *args: Any) -> None:
        status = getattr(self.library, name)(*args)
        if status:
            raise DeviceError(f"{name}: status {status}")


@dataclass(frozen=True)
class PreparedGemm:
    """A product with everything but addresses."""

    library: Cublas
    gemm: Gemm
    dtype: str
    workspace_bytes = WORKSPACE

    def __call__(self, addresses: Sequence[int], workspace: int, stream: int) -> None:
        self.library.run(self.gemm, self.dtype, addresses, workspace, stream)


@cache
def _load() -> ctypes.CDLL:
    path, faults = library_path(), list[str]()
    for name in (path,) if path else NAMES:
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            faults.append(str(error))
    raise OSError("; ".join(faults))


def library_path() -> str:
    """libcublas in NVIDIA's wheels (nvidia-cublas, or that of a framework), "" where the loader has to know."""
    spec = importlib.util.find_spec("nvidia")
    for root in spec.submodule_search_locations or () if spec else ():
        for name in NAMES:
            found = sorted(glob.glob(os.path.join(root, "*", "lib", name)))
            if found:
                return found[-1]
    return ""
