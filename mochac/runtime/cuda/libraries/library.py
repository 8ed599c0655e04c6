"""Library: the interface of cuBLAS, cuDNN and their stand-ins, and where NVIDIA's libraries are found.

A call is prepared once, given its shapes and attributes, and afterwards only enqueued, so that a CUDA graph can contain
it: nothing is allocated, chosen or built while it runs.

Libraries lie in NVIDIA's wheels under site-packages/nvidia, else where the loader looks. Wheels of CUDA 13 share
nvidia/cu13/lib; those of CUDA 12 have nvidia/<library>/lib each.
"""

from __future__ import annotations

import ctypes
import glob
import importlib.util
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, NamedTuple, Protocol

from mochac.base.records import record
from mochac.ir.types import TensorType

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


@record
class LibraryCall:
    """One library call of a plan.

    Attributes:
        function: the function, such as "cudnn.conv_fprop".
        of: the op that it computes.
        attrs: the op's attributes.
        types: types of the operands in order, then of the result.
        epilogue, precision, deterministic, engine: as for the op `call`; engine None: the first that they allow.
    """

    function: str
    of: str
    attrs: Mapping[str, Any] = field(hash=False)
    types: tuple[TensorType, ...]
    epilogue: str = ""
    precision: str = "float32"
    deterministic: bool = True
    engine: int | None = None

    @property
    def library(self) -> str:
        """The library of the function."""
        return self.function.partition(".")[0]

    def __str__(self) -> str:
        """For messages.

        >>> from mochac.ir.types import parse_type
        >>> types = tuple(map(parse_type, ("f32[b64,800]", "f32[500,800]", "f32[500]", "f32[b64,500]")))
        >>> print(LibraryCall("cublas.gemm", "inner_product", {}, types, epilogue="bias"))
        cublas.gemm with bias of f32[b64,800], f32[500,800], f32[500]
        """
        ending = f" with {self.epilogue}" if self.epilogue else ""
        return f"{self.function}{ending} of {', '.join(map(str, self.types[:-1]))}"


OWN = ("epilogue", "precision", "deterministic", "engine")


def parsed(text: str, types: tuple[TensorType, ...]) -> LibraryCall:
    """The call in a Launch.

    >>> parsed('{"function": "cublas.gemm", "of": "inner_product", "precision": "tf32"}', ()).precision
    'tf32'
    """
    attrs: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in json.loads(text).items()}
    how = {name: attrs.pop(name) for name in OWN if name in attrs}
    return LibraryCall(attrs.pop("function"), attrs.pop("of"), attrs, types, **how)


class Prepared(Protocol):
    """A call ready to run: on addresses in the order of `types`, asynchronously on a stream (its handle as an integer).

    Attributes:
        workspace_bytes: device memory that it needs besides its operands, 256-byte aligned; concurrent calls need
            separate workspaces.
    """

    @property
    def workspace_bytes(self) -> int: ...

    def __call__(self, addresses: Sequence[int], workspace: int, stream: int) -> None: ...


ENGINES = 8
"""How many of a library's engines, first in its ranking, are compared for a call: building and timing them takes as
long as compiling a few kernels."""


class Communicator(Protocol):
    """The devices of several ranks, one each, which move values between each other. Calls are enqueued in the same
    order on all of them."""

    def all_reduce(self, n: int, dtype: str) -> Prepared:
        """Adds up n numbers over the ranks, in an order of its own: a call on two addresses, from and to."""
        ...

    def swap(self, sends: Sequence[Message], receives: Sequence[Message], dtype: str) -> Prepared:
        """Messages to and from ranks, at the same time: a call on two addresses, from and to."""
        ...

    def fault(self) -> str:
        """The error of an enqueued call; "" if there is none."""
        ...

    def close(self, abort: bool = False) -> None:
        """Release it; `abort`: cancel operations that wait for other ranks."""
        ...


class Collectives(Protocol):
    """A library that moves values between devices: NCCL and its stand-ins."""

    version: str

    def unique_id(self) -> bytes:
        """The identifier by which ranks join; one of them makes it."""
        ...

    def join(self, rank: int, ranks: int, unique_id: bytes) -> Communicator:
        """Be one of the ranks, on the current context's device; returns when all have joined.

        Raises:
            DeviceError: the library refuses.
        """
        ...


class Message(NamedTuple):
    """Elements that go to a rank, or come from it: where they begin and how many there are."""

    rank: int
    first: int
    n: int


class Library(Protocol):
    """A loaded library. Its calls run on the context that was current when it was opened."""

    @property
    def version(self) -> str:
        """The version, a part of cache keys."""
        ...

    def prepare(self, call: LibraryCall) -> Prepared:
        """The call by its engine, or by the first that it allows: the same one every time, so that results are
        bit-identical from run to run.

        Raises:
            DeviceError: the library does not support it.
        """
        ...

    def engines(self, call: LibraryCall) -> Mapping[int, Prepared]:
        """The first ENGINES ways to compute the call that it allows, by their places in the library's ranking.

        Raises:
            DeviceError: there is none.
        """
        ...

    def close(self) -> None: ...
