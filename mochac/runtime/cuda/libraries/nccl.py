"""Nccl: values moved between the devices of several ranks, through the functions of nccl.h that this needs.

Every rank is a process with a device of its own. Calls only enqueue work on a stream, so that a CUDA graph can contain
them; the first step of a plan, which runs kernel by kernel, makes NCCL open its connections before any is captured.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import POINTER, byref, c_char, c_char_p, c_int, c_size_t, c_void_p
from functools import cache
from typing import Any

from mochac.base.records import record
from mochac.ir.types import DTYPES
from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.libraries.library import NCCL, Message, load

KINDS = {"f32": 7, "f64": 8}
"""ncclFloat32, ncclFloat64 of ncclDataType_t."""
SUM = 0
"""ncclSum of ncclRedOp_t."""
SUCCESS, IN_PROGRESS = 0, 7
"""From ncclResult_t."""
ID_BYTES = 128
"""NCCL_UNIQUE_ID_BYTES."""


class UniqueId(ctypes.Structure):
    """ncclUniqueId, which functions take by value."""

    _fields_ = (("bytes", c_char * ID_BYTES),)


class Nccl:
    """See Collectives in library.py.

    Raises:
        OSError: libnccl is not installed.
    """

    def __init__(self) -> None:
        self.library = _load()
        number = c_int()
        self.call("ncclGetVersion", byref(number))
        self.version = f"NCCL {number.value // 10000}.{number.value // 100 % 100}.{number.value % 100}"

    def unique_id(self) -> bytes:
        found = UniqueId()
        self.call("ncclGetUniqueId", byref(found))
        return bytes(found)

    def join(self, rank: int, ranks: int, unique_id: bytes) -> NcclCommunicator:
        comm = c_void_p()
        self.call("ncclCommInitRank", byref(comm), c_int(ranks), UniqueId.from_buffer_copy(unique_id), c_int(rank))
        return NcclCommunicator(self, comm)

    def call(self, name: str, *args: Any) -> None:
        """Call a function that returns an ncclResult_t."""
        status = getattr(self.library, name)(*args)
        if status not in (SUCCESS, IN_PROGRESS):
            raise DeviceError(f"{name}: {self.text(status)}")

    def text(self, status: int, comm: c_void_p | None = None) -> str:
        """Description of a status, with NCCL's last error."""
        known, last = self.library.ncclGetErrorString(status), self.library.ncclGetLastError(comm)
        return ": ".join(text.decode().strip() for text in (known, last) if text)


class NcclCommunicator:
    """See Communicator in library.py."""

    def __init__(self, nccl: Nccl, comm: c_void_p) -> None:
        self.nccl, self.comm = nccl, comm

    def all_reduce(self, n: int, dtype: str) -> AllReduce:
        return AllReduce(self, n, dtype)

    def swap(self, sends: Sequence[Message], receives: Sequence[Message], dtype: str) -> Swap:
        return Swap(self, tuple(sends), tuple(receives), dtype)

    def fault(self) -> str:
        status = c_int()
        self.nccl.call("ncclCommGetAsyncError", self.comm, byref(status))
        return "" if status.value in (SUCCESS, IN_PROGRESS) else self.nccl.text(status.value, self.comm)

    def close(self, abort: bool = False) -> None:
        self.nccl.call("ncclCommAbort" if abort else "ncclCommDestroy", self.comm)


@record
class AllReduce:
    """n numbers added up over the ranks."""

    of: NcclCommunicator
    n: int
    dtype: str
    workspace_bytes = 0

    def __call__(self, addresses: Sequence[int], workspace: int, stream: int) -> None:
        source, to = map(c_void_p, addresses)
        how = (c_int(KINDS[self.dtype]), c_int(SUM), self.of.comm, c_void_p(stream))
        self.of.nccl.call("ncclAllReduce", source, to, c_size_t(self.n), *how)


@record
class Swap:
    """Messages to and from ranks, as one operation."""

    of: NcclCommunicator
    sends: tuple[Message, ...]
    receives: tuple[Message, ...]
    dtype: str
    workspace_bytes = 0

    def __call__(self, addresses: Sequence[int], workspace: int, stream: int) -> None:
        call, (source, to) = self.of.nccl.call, addresses
        call("ncclGroupStart")
        try:
            for message in self.sends:
                call("ncclSend", *self._how(source, message, stream))
            for message in self.receives:
                call("ncclRecv", *self._how(to, message, stream))
        finally:
            call("ncclGroupEnd")

    def _how(self, base: int, message: Message, stream: int) -> tuple[Any, ...]:
        at = c_void_p(base + message.first * DTYPES[self.dtype].itemsize)
        how = (c_int(KINDS[self.dtype]), c_int(message.rank), self.of.comm, c_void_p(stream))
        return at, c_size_t(message.n), *how


@cache
def _load() -> ctypes.CDLL:
    library = load(NCCL)
    library.ncclGetErrorString.restype = c_char_p
    library.ncclGetLastError.restype = c_char_p
    library.ncclGetLastError.argtypes = [c_void_p]
    library.ncclCommInitRank.argtypes = [POINTER(c_void_p), c_int, UniqueId, c_int]
    return library
