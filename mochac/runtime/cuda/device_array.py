"""DeviceArray: the copy of a ManagedArray on one device, shared by all plans there that use it.

A plan takes one per parameter, solver slot and table.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from mochac.base.support.memory import ManagedArray

if TYPE_CHECKING:
    from mochac.runtime.cuda.device import Device


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
        with self.device.told(f"fetching {self.name}") as driver:
            driver.download(array, self.address, self.device.stream)
            driver.wait(self.device.stream)

    def bring(self, *, wait: bool) -> None:
        with self.device.told(f"lending {self.name}") as driver:
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
