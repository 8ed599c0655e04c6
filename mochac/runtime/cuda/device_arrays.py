"""Arrays in the memory of a device.

DeviceArray: the copy of a ManagedArray on one device, shared by all plans there that use it. A plan takes one per
parameter, solver slot and table.
DeviceResult: an array that was computed on a device and stays there, in memory of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike

from mochac.base.support.array_like import CPU, CUDA, array_interface, device_capsule, waits
from mochac.base.support.memory import ManagedArray

if TYPE_CHECKING:
    from mochac.runtime.cuda.device import Device
    from mochac.runtime.cuda.driver import Span


class DeviceArray:
    """Device memory with an array's values; see base/support/memory.py for the flags.

    Error messages use `name` for the array, and `what` for its user.
    """

    def __init__(self, array: ManagedArray, device: Device, name: str, what: str) -> None:
        self.array, self.device, self.name = array, device, name
        self.n_bytes = array.values.nbytes
        self.address = device.alloc(self.n_bytes, f"{name} of {what}")
        self.ordinal = device.ordinal
        self.newer, self.stale, self.exported = False, True, False
        self.users = 0

    def refresh(self) -> None:
        """Upload the array's values if they were written since; later work on the device's stream sees them."""
        if self.stale:
            self.device.driver.upload(self.address, self.array.values, self.device.stream)
            self.device.driver.wait(self.device.stream)
            self.stale = False

    def download(self, array: np.ndarray) -> None:
        with self.device.reporting(f"fetching {self.name}") as driver:
            driver.download(array, self.address, self.device.stream)
            driver.wait(self.device.stream)

    def bring(self, *, wait: bool) -> None:
        with self.device.reporting(f"lending {self.name}") as driver:
            self.refresh()
            if wait:
                driver.wait(self.device.stream)

    def hold(self) -> object:
        self.users += 1
        return Loan(self)

    def release(self) -> None:
        """Drop one user; the last one downloads newer values to the host and frees the memory."""
        self.users -= 1
        if not self.users:
            self.array.fetch()
            self.array.copies.remove(self)
            self.device.free(self.address)


class Loan:
    """One user of a device array, until the last reference to it is dropped."""

    def __init__(self, array: DeviceArray) -> None:
        self._array = array

    def __del__(self) -> None:
        with suppress(Exception):  # at the end of the process the device may be gone
            with self._array.device.forgiving():
                self._array.release()


def device_array(array: ManagedArray, device: Device, name: str, what: str) -> DeviceArray:
    """The array's copy on a device, with one more user."""
    found = next((c for c in array.copies if isinstance(c, DeviceArray) and c.device is device), None)
    if found is None:
        found = DeviceArray(array, device, name, what)
        array.copies.append(found)
    found.users += 1
    return found


class DeviceResult:
    """Rows in the memory of a CUDA device, row-major; it belongs to the caller.

    torch.from_dlpack(r), jax.dlpack.from_dlpack(r) and cupy.from_dlpack(r) read it where it is; np.asarray(r) is a
    copy.

    Attributes:
        shape, dtype: as of a NumPy array.
    """

    def __init__(self, shape: Sequence[int], dtype: np.dtype, device: Device) -> None:
        self.shape, self.dtype = tuple(shape), dtype
        self._device = device
        self._row_bytes = int(np.prod(self.shape[1:], dtype=np.int64)) * dtype.itemsize
        self._address = device.alloc(self.shape[0] * self._row_bytes, "a result that stays on the device")

    def put(self, first: int, n: int, source: Span) -> None:
        """Copy n rows, which lie on the device, to the rows from `first` on; later work on its stream sees them."""
        with self._device.reporting("copying a result") as driver:
            to, n_bytes = self._address + first * self._row_bytes, n * self._row_bytes
            driver.copy(to, source.address, n_bytes, self._device.stream)

    def fill(self, array: np.ndarray) -> None:
        """Set all rows."""
        with self._device.reporting("copying a result") as driver:
            driver.upload(self._address, np.ascontiguousarray(array, self.dtype), self._device.stream)
            driver.wait(self._device.stream)

    def _wait(self) -> None:
        with self._device.reporting("waiting for a result") as driver:
            driver.wait(self._device.stream)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("a result on a CUDA device is copied to be read")
        found = np.empty(self.shape, self.dtype)
        if found.size:
            with self._device.reporting("fetching a result") as driver:
                driver.download(found, self._address, self._device.stream)
                driver.wait(self._device.stream)
        return found if dtype is None else found.astype(dtype, copy=False)

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """The result as a DLPack capsule, which keeps its memory; a copy if the CPU's memory is asked for.

        Raises:
            BufferError: another device, or a copy on this one. ValueError: no stream.
        """
        if dl_device is not None and tuple(dl_device) == (CPU, 0):
            if copy is False:
                raise BufferError("a result on a CUDA device is copied to be read")
            return np.asarray(self).__dlpack__(stream=stream, max_version=max_version)
        if copy or (dl_device is not None and tuple(dl_device) != self.__dlpack_device__()):
            where = f"CUDA device {self._device.ordinal}"
            raise BufferError(
                f"a result is lent on {where}, or copied to the CPU; got dl_device={dl_device}, copy={copy}"
            )
        if waits(stream):
            self._wait()
        return device_capsule(self._address, self.shape, self.dtype, self.__dlpack_device__(), self, max_version)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The CUDA device."""
        return CUDA, self._device.ordinal

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """For CuPy, Numba and torch.as_tensor; its values are there."""
        self._wait()
        return array_interface(self._address, self.shape, self.dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<result {self.dtype}{list(self.shape)} on CUDA device {self._device.ordinal}>"

    def __del__(self) -> None:
        with suppress(Exception):  # at the end of the process the device may be gone
            self._device.free(self._address)
