"""Cublas: dense products by cuBLAS, through the functions of cublasLt.h that they need.

Its matrices are column-major. A row-major matrix is its transpose there, so y = x w^T is computed as y^T = w x^T
(Gemm). Every product specifies algorithm, workspace and stream, so results depend on nothing else in the process, and
products on several streams do not interfere.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from ctypes import byref, c_double, c_float, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from functools import cache
from typing import Any

from mochac.base.records import record
from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.libraries.library import CUBLAS_LT, ENGINES, LibraryCall, load


@record
class Gemm:
    """C (m, n) = op(A) op(B), column-major.

    Attributes:
        a, b: which of the two operands is A, and which is B.
        turn_a, turn_b: whether op transposes A and B.
    """

    m: int
    n: int
    k: int
    a: int
    b: int
    turn_a: bool
    turn_b: bool

    @property
    def stored_a(self) -> tuple[int, int]:
        """Rows and columns in memory; the number of rows is the leading dimension."""
        return (self.k, self.m) if self.turn_a else (self.m, self.k)

    @property
    def stored_b(self) -> tuple[int, int]:
        """Rows and columns of B as they are stored."""
        return (self.n, self.k) if self.turn_b else (self.k, self.n)


def gemm_of(call: LibraryCall) -> Gemm:
    """The product that a node computes.

        inner_product     y (N,O) = x (N,F) w (O,F)^T     y^T = w x^T
        inner_product_dx  dx (N,F) = dy (N,O) w (O,F)     dx^T = w^T dy^T
        inner_product_dw  dw (O,F) = dy (N,O)^T x (N,F)   dw^T = x^T dy

    >>> from mochac.ir.types import parse_type
    >>> types = tuple(map(parse_type, ("f32[b64,800]", "f32[500,800]", "f32[b64,500]")))
    >>> gemm_of(LibraryCall("cublas.gemm", "inner_product", {}, types))
    Gemm(m=500, n=64, k=800, a=1, b=0, turn_a=True, turn_b=False)
    """
    first, second, out = (call.types[i].shape for i in (0, 1, -1))
    if call.of == "inner_product":
        (n, f), (o, _) = first, second
        return Gemm(o, n, f, 1, 0, True, False)
    if call.of == "inner_product_dx":
        (n, o), (_, f) = first, second
        return Gemm(f, n, o, 1, 0, False, False)
    if call.of != "inner_product_dw":
        raise DeviceError(f"cuBLAS computes no {call.of}")
    n, (o, f) = first[0], out
    return Gemm(f, o, n, 0, 1, False, True)


WORKSPACE = 32 << 20
"""Maximum; what cuBLAS recommends for compute capability 9.0 ("cublasSetWorkspace")."""
ALIGNED = 64
"""Alignment of every operand in bytes (passes/arena.py)."""
SCALAR = {"f32": c_float, "f64": c_double}
DATA = {"f32": 0, "f64": 1}
"""CUDA_R_32F, CUDA_R_64F of library_types.h."""
COMPUTE = {("f32", "float32"): 68, ("f32", "tf32"): 77, ("f32", "bfloat16"): 75, ("f64", "float32"): 70}
"""CUBLAS_COMPUTE_32F, _32F_FAST_TF32, _32F_FAST_16BF, _64F."""
EPILOGUE = {"": 1, "bias": 4, "bias_relu": 6}
"""CUBLASLT_EPILOGUE_DEFAULT, _BIAS, _RELU_BIAS."""
TRANSA, TRANSB, SET_EPILOGUE, BIAS_POINTER = 3, 4, 7, 8
"""From cublasLtMatmulDescAttributes_t."""
MAX_WORKSPACE, REDUCTION_SCHEMES, ALIGNMENTS = 1, 3, (5, 6, 7, 8)
"""From cublasLtMatmulPreferenceAttributes_t."""
IN_PLACE, ANY_SCHEME = 1, 7
"""From cublasLtReductionScheme_t: parts of a split sum are added to the result one after the other; any scheme."""


class Algorithm(ctypes.Structure):
    """cublasLtMatmulHeuristicResult_t; its first part is the cublasLtMatmulAlgo_t."""

    _fields_ = (
        ("algo", c_uint64 * 8),
        ("workspace", c_size_t),
        ("state", c_int),
        ("waves", c_float),
        ("reserved", c_int * 4),
    )


class Cublas:
    """See library.py.

    Raises:
        OSError: libcublasLt is not installed. DeviceError: it does not start.
    """

    def __init__(self) -> None:
        self.library = _load()
        self.version = f"cublas {self.library.cublasLtGetVersion()}"
        self.handle = c_void_p()
        self.call("cublasLtCreate", byref(self.handle))
        self._descriptors: list[tuple[str, c_void_p]] = []

    def prepare(self, call: LibraryCall) -> PreparedGemm:
        found = self.engines(call)
        if call.engine is None:
            return next(iter(found.values()))
        if call.engine not in found:
            raise DeviceError(f"cuBLAS has no algorithm {call.engine} for this product")
        return found[call.engine]

    def engines(self, call: LibraryCall) -> Mapping[int, PreparedGemm]:
        gemm, dtype = gemm_of(call), call.types[0].dtype
        how = self._described(gemm, dtype, call)
        layouts = tuple(
            self.make("cublasLtMatrixLayout", c_int(DATA[dtype]), c_uint64(rows), c_uint64(columns), c_int64(rows))
            for rows, columns in (gemm.stored_a, gemm.stored_b, (gemm.m, gemm.n))
        )
        algorithms = self._algorithms(how, layouts, call)
        return {k: PreparedGemm(self, call, gemm, how, layouts, found) for k, found in enumerate(algorithms)}

    def _described(self, gemm: Gemm, dtype: str, call: LibraryCall) -> c_void_p:
        compute = COMPUTE[dtype, call.precision]
        how = self.make("cublasLtMatmulDesc", c_int(compute), c_int(DATA[dtype]))
        self.put("cublasLtMatmulDesc", how, TRANSA, c_int(gemm.turn_a))
        self.put("cublasLtMatmulDesc", how, TRANSB, c_int(gemm.turn_b))
        self.put("cublasLtMatmulDesc", how, SET_EPILOGUE, c_uint32(EPILOGUE[call.epilogue]))
        if call.epilogue:  # cublasLt.h: the heuristic takes the alignment from the pointer
            self.put("cublasLtMatmulDesc", how, BIAS_POINTER, c_void_p(ALIGNED))
        return how

    def _algorithms(self, how: c_void_p, layouts: tuple[c_void_p, ...], call: LibraryCall) -> list[Algorithm]:
        """Algorithms in cuBLAS's ranking, which is always the same."""
        schemes = ANY_SCHEME & ~IN_PLACE if call.deterministic else ANY_SCHEME
        wish = self.make("cublasLtMatmulPreference")
        self.put("cublasLtMatmulPreference", wish, MAX_WORKSPACE, c_uint64(WORKSPACE))
        self.put("cublasLtMatmulPreference", wish, REDUCTION_SCHEMES, c_uint32(schemes))
        for attribute in ALIGNMENTS:
            self.put("cublasLtMatmulPreference", wish, attribute, c_uint32(ALIGNED))
        best, found, (a, b, c) = (Algorithm * ENGINES)(), c_int(), layouts
        arguments = (self.handle, how, a, b, c, c, wish, c_int(ENGINES))
        self.call("cublasLtMatmulAlgoGetHeuristic", *arguments, best, byref(found))
        usable = [algorithm for algorithm in best[: found.value] if not algorithm.state]
        if not usable:
            raise DeviceError("cuBLAS has no algorithm for this product")
        return usable

    def close(self) -> None:
        for kind, descriptor in reversed(self._descriptors):
            self.call(f"{kind}Destroy", descriptor)
        self.call("cublasLtDestroy", self.handle)

    def make(self, kind: str, *args: Any) -> c_void_p:
        """Make a descriptor, to be destroyed by close()."""
        descriptor = c_void_p()
        self.call(f"{kind}Create", byref(descriptor), *args)
        self._descriptors.append((kind, descriptor))
        return descriptor

    def put(self, kind: str, where: c_void_p, attribute: int, value: Any) -> None:
        """Set an attribute of a descriptor."""
        size = c_size_t(ctypes.sizeof(value))
        self.call(f"{kind}SetAttribute", where, c_int(attribute), byref(value), size)

    def call(self, name: str, *args: Any) -> None:
        """Call a function that returns a cublasStatus_t."""
        status = getattr(self.library, name)(*args)
        if status:
            raise DeviceError(f"{name}: {self.library.cublasLtGetStatusName(status).decode()}")


@record
class PreparedGemm:
    """A product with everything but addresses. `layouts` are those of A, B and C."""

    library: Cublas
    of: LibraryCall
    gemm: Gemm
    how: c_void_p
    layouts: tuple[c_void_p, ...]
    algorithm: Algorithm

    @property
    def workspace_bytes(self) -> int:
        """Size of the workspace that the algorithm needs."""
        return int(self.algorithm.workspace)

    def __call__(self, addresses: Sequence[int], workspace: int, stream: int) -> None:
        library, gemm = self.library, self.gemm
        one, zero = (SCALAR[self.of.types[0].dtype](value) for value in (1.0, 0.0))
        if self.of.epilogue:
            library.put("cublasLtMatmulDesc", self.how, BIAS_POINTER, c_void_p(addresses[2]))
        a, b, c = (c_void_p(addresses[i]) for i in (gemm.a, gemm.b, -1))
        of_a, of_b, of_c = self.layouts
        factors = (byref(one), a, of_a, b, of_b)
        result = (byref(zero), c, of_c, c, of_c)
        where = (c_void_p(workspace), c_size_t(self.workspace_bytes), c_void_p(stream))
        library.call("cublasLtMatmul", library.handle, self.how, *factors, *result, byref(self.algorithm), *where)


@cache
def _load() -> ctypes.CDLL:
    library = load(CUBLAS_LT)
    library.cublasLtGetVersion.restype = c_size_t
    library.cublasLtGetStatusName.restype = ctypes.c_char_p
    return library
