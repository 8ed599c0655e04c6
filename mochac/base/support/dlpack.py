"""DLPack capsules of memory on a device, in the terms of the array API's `__dlpack__`.

NumPy makes the capsule, from an array at the address of the memory, which is never read; then the device is written
into the capsule. So its deleter is NumPy's, in C. When the consumer is done, it releases the array, and with it the
owner of the memory.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

CPU, CUDA = 1, 2
"""kDLCPU, kDLCUDA of dlpack.h."""
NO_WAIT = -1
"""Given as a stream: the consumer waits for the producer's work by other means."""


class DLTensor(ctypes.Structure):
    """The beginning of dlpack.h's DLTensor, with which a DLManagedTensor begins."""

    _fields_ = (("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32))


VERSIONED = (1, 0)
"""From this version on, a capsule says whether its memory may be written to; its tensor then comes after 32 bytes."""


def device_capsule(
    address: int,
    shape: tuple[int, ...],
    dtype: np.dtype,
    device: tuple[int, int],
    owner: object,
    most: tuple[int, int] | None,
) -> Any:
    """A capsule of row-major memory on a device, which may be written to.

    Args:
        device: its kind and number.
        owner: kept as long as the consumer uses the memory.
        most: the newest version of DLPack that the consumer knows; None: older than VERSIONED.
    """
    n_bytes = max(1, int(np.prod(shape, dtype=np.int64)) * dtype.itemsize)
    kind: Any = type("Place", (ctypes.c_uint8 * n_bytes,), {})
    place = kind.from_address(address)
    place.owner = owner
    array = np.ndarray(shape, dtype, buffer=place)
    versioned = most is not None and tuple(most) >= VERSIONED
    capsule = array.__dlpack__(max_version=VERSIONED) if versioned else array.__dlpack__()
    tensor = tensor_of(capsule)
    tensor.device_type, tensor.device_id = device
    return capsule


def tensor_of(capsule: Any) -> DLTensor:
    """The tensor in a capsule that no consumer has taken yet."""
    valid, pointer = ctypes.pythonapi.PyCapsule_IsValid, ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    valid.argtypes = [ctypes.py_object, ctypes.c_char_p]
    versioned = valid(capsule, b"dltensor_versioned")
    address = pointer(capsule, b"dltensor_versioned" if versioned else b"dltensor")
    return DLTensor.from_address(address + (32 if versioned else 0))


def waits(stream: int | None) -> bool:
    """Whether a consumer on this CUDA stream relies on the producer to wait for its work.

    Raises:
        ValueError: no stream; 0 could be either default stream.

    >>> [waits(stream) for stream in (None, 1, 2, 140_000, NO_WAIT)]
    [True, True, True, True, False]
    """
    if stream is not None and (type(stream) is not int or stream == 0 or stream < NO_WAIT):
        expected = "None, -1 (do not wait), 1 or 2 (the default streams), or the handle of a stream"
        raise ValueError(f"__dlpack__: stream is {expected}; got {stream!r}")
    return stream != NO_WAIT


def array_interface(address: int, shape: tuple[int, ...], dtype: np.dtype) -> dict[str, Any]:
    """`__cuda_array_interface__`, version 3, of row-major memory for whose values the producer has waited."""
    return {
        "version": 3,
        "shape": shape,
        "typestr": dtype.str,
        "data": (address, False),
        "strides": None,
        "stream": None,
    }
